/* A file of lines written again: tidy, and without what is at fault. */
#include <stdlib.h>
#include <string.h>

#include "book/book.h"
#include "book/formats/white/lines_internal.h"

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

/* Makes comments of the lines at fault, so that nothing a person typed is lost. The text grows by
 * them. */
static enum caxton_status comment_out(struct copying *copying)
{
    static const char sign[] = "; ";
    struct lines *lines = copying->lines;
    /* A line is no longer than the text, and the sign is added once a line. */
    char *text = realloc(lines->text, 2 * lines->text_size + 2 * lines->item_count + 1);
    if (!text)
        return STATUS_NO_MEMORY;
    lines->text = text;
    size_t end = lines->text_size;
    size_t at = end >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (size_t i = 0; i < lines->item_count; i++) {
        const char *feed = memchr(text + at, '\n', lines->text_size - at);
        size_t size = (feed ? (size_t)(feed - text) : lines->text_size) - at;
        if (copying->faulty[i]) {
            lines->items[i] = (struct lines_item){
                .kind = LINES_ITEM_NOTE, .note = (uint32_t)end, .note_size = (uint32_t)(size + 2)};
            memcpy(text + end, sign, 2);
            memcpy(text + end + 2, text + at, size);
            for (size_t k = 2; k < size + 2; k++)
                if ((unsigned char)text[end + k] < ' ' && text[end + k] != '\t')
                    text[end + k] = ' ';
            end += size + 2;
        }
        at += size + (feed != NULL);
    }
    lines->text_size = end;
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
        status = comment_out(copying);
    return status;
}

static enum caxton_status copy(const struct book *book, bool share, FILE *file, struct diag *diag)
{
    struct copying copying = {.lines = NULL};
    enum caxton_status status = read_again(book_state(book), &copying);
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
