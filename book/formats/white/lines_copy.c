#include "book/formats/white/lines_copy.h"

#include <stdlib.h>
#include <string.h>

#include "book/book.h"
#include "book/formats/white/lines_order.h"
#include "book/formats/white/lines_read.h"
#include "book/formats/white/lines_verify.h"
#include "book/formats/white/lines_write.h"

struct copying {
    struct lines *lines; /* of the same text */
    bool *faulty;        /* by item */
};

static bool mark_fault(void *context, const struct lines_finding *finding)
{
    struct copying *copying = context;
    if (lines_finding_kind(finding) < BOOK_REMARKS)
        copying->faulty[finding->line - 1] = true;
    return true;
}

static bool keep_on(void *context, const struct lines_finding *finding)
{
    (void)context;
    (void)finding;
    return true;
}

/* Makes a comment of a line at fault, so that nothing a person typed is lost. Puts it behind the
 * text, where there is room. text_size: of the text without such comments. */
static void comment_out(struct lines *lines, struct lines_item *item, size_t text_size)
{
    static const char sign[] = "; ";
    enum { SIGN_SIZE = sizeof sign - 1 };
    const char *line = lines->text + item->line;
    char *note = lines->text + lines->text_size;
    size_t size = text_size - item->line;
    const char *feed = memchr(line, '\n', size);
    if (feed)
        size = (size_t)(feed - line);
    *item = (struct lines_item){.kind = LINES_ITEM_NOTE,
                                .note = (uint32_t)lines->text_size,
                                .note_size = (uint32_t)(size + SIGN_SIZE)};
    memcpy(note, sign, SIGN_SIZE);
    memcpy(note + SIGN_SIZE, line, size);
    for (size_t i = SIGN_SIZE; i < item->note_size; i++)
        if ((unsigned char)note[i] < ' ' && note[i] != '\t')
            note[i] = ' ';
    lines->text_size += item->note_size;
}

static enum caxton_status comment_out_faults(struct copying *copying)
{
    struct lines *lines = copying->lines;
    /* A line is no longer than the text, and the sign is added once a line. */
    char *text = realloc(lines->text, 2 * lines->text_size + 2 * lines->item_count + 1);
    if (!text)
        return STATUS_NO_MEMORY;
    lines->text = text;
    size_t text_size = lines->text_size;
    for (size_t i = 0; i < lines->item_count; i++)
        if (copying->faulty[i])
            comment_out(lines, &lines->items[i], text_size);
    return STATUS_OK;
}

static enum caxton_status read_again(const struct lines *lines, struct copying *copying)
{
    enum caxton_status status =
        lines_parse_all(lines->text, lines->text_size, keep_on, NULL, &copying->lines);
    if (status != STATUS_OK)
        return status;
    copying->faulty = calloc(copying->lines->item_count + 1, sizeof *copying->faulty);
    if (!copying->faulty)
        return STATUS_NO_MEMORY;
    status = lines_verify(lines->text, lines->text_size, mark_fault, copying);
    if (status == STATUS_OK)
        status = comment_out_faults(copying);
    return status;
}

static enum caxton_status copy(const struct book *book, bool share, FILE *file, struct diag *diag)
{
    struct copying copying = {.lines = NULL};
    enum caxton_status status = read_again(book->state, &copying);
    if (status == STATUS_OK) {
        copying.lines->shares |= share;
        status = lines_sort(copying.lines);
    }
    if (status == STATUS_OK)
        status = lines_write(copying.lines, file);
    free(copying.faulty);
    lines_destroy(copying.lines);
    diag_set(diag, 0, 0, "%s", "");
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: %s", book_name(book), status_name(status));
    return status;
}

enum caxton_status lines_copy(const struct book *book, FILE *file, struct book_losses *losses,
                              struct diag *diag)
{
    (void)losses;
    return copy(book, true, file, diag);
}

enum caxton_status lines_repair(const struct book *book, FILE *file, struct book_losses *losses,
                                struct diag *diag)
{
    (void)losses;
    return copy(book, false, file, diag);
}
