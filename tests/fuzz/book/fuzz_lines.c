/* Any bytes as White's lines: refused with a line number, or written as a canonical file that reads
 * and writes the same; every move it gives is legal; sorting and sharing change no answer. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "book/book.h"
#include "book/book_move.h"
#include "book/formats/white/lines.h"
#include "book/formats/white/lines_format.h"
#include "book/formats/white/lines_read.h"
#include "book/formats/white/lines_write.h"
#include "tests/support/fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PLIES = 24 };

static void require(bool holds)
{
    if (!holds)
        abort();
}

static char *write_text(const struct lines *lines, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    require(file != NULL);
    require(lines_write(lines, file) == STATUS_OK);
    require(fclose(file) == 0);
    return text;
}

/* A game by the book, by its first or last move here and there. */
static void play(const struct lines *lines, uint8_t seed)
{
    struct game *game = game_create();
    require(game != NULL);
    for (int ply = 0; ply < PLIES; ply++) {
        struct book_move moves[MOVES_MAX];
        const struct position *pos = game_position(game);
        (void)lines_probe(lines, pos, NULL, moves);
        int count = lines_probe(lines, pos, game, moves);
        if (!count)
            break;
        for (int i = 0; i < count; i++)
            require(movegen_is_legal(pos, moves[i].move));
        move m = moves[(seed >> ply % 8 & 1) * (count - 1)].move;
        struct position next = *pos;
        struct undo undo;
        move hint = lines_hint(lines, pos, game, m);
        position_make(&next, m, &undo);
        require(hint == MOVE_NONE || movegen_is_legal(&next, hint));
        require(game_play(game, m) == STATUS_OK);
    }
    game_destroy(game);
}

/* A text that was written. */
static struct lines *read_text(const char *text, size_t size)
{
    struct lines *lines;
    require(lines_parse(text, size, NULL, NULL, &lines) == STATUS_OK);
    require(lines->faults == 0);
    return lines;
}

static void visit(void *context, enum book_fault fault, const struct diag *diag, const char *offer)
{
    size_t *lines = context;
    require(diag->line > 0 && diag->line <= *lines && diag->column > 0);
    require((fault == BOOK_REMARK_ORDER) == (offer != NULL));
}

static void check_answers(const struct lines *a, const struct lines *b)
{
    struct position pos;
    struct book_move left[MOVES_MAX];
    struct book_move right[MOVES_MAX];
    position_start(&pos);
    struct game *game = game_create();
    require(game != NULL);
    int count = lines_probe(a, &pos, game, left);
    require(lines_probe(b, &pos, game, right) == count);
    for (int i = 0; i < count; i++)
        require(left[i].move == right[i].move && left[i].weight == right[i].weight);
    game_destroy(game);
}

static void check_lines(struct lines *lines, uint8_t seed)
{
    size_t size;
    size_t again_size;
    char *text = write_text(lines, &size);
    struct lines *again = read_text(text, size);
    char *again_text = write_text(again, &again_size);
    require(size == again_size && memcmp(text, again_text, size) == 0);
    free(again_text);
    play(lines, seed);
    require(lines_sort(again) == STATUS_OK);
    check_answers(lines, again);
    if (seed & 1)
        lines_share(again);
    free(text);
    text = write_text(again, &size);
    lines_destroy(again);
    again = read_text(text, size);
    check_answers(lines, again);
    lines_destroy(again);
    free(text);
}

static void is_remark(void *context, enum book_fault fault, const struct diag *diag,
                      const char *offer)
{
    (void)context;
    (void)diag;
    (void)offer;
    require(fault >= BOOK_REMARKS);
}

static void verify(const char *text, size_t size, book_fault_sink sink, void *context)
{
    require(lines_format.check(&lines_format, (const uint8_t *)text, size, NULL, sink, context) ==
            STATUS_OK);
}

/* A copy without the faults has none. */
static void check_repair(const uint8_t *data, size_t size)
{
    struct book *book = NULL;
    struct diag diag;
    char *text = NULL;
    size_t text_size = 0;
    if (book_create(&lines_format, data, NULL, size, "fuzz", &book, &diag) != STATUS_OK)
        return;
    FILE *file = open_memstream(&text, &text_size);
    require(file != NULL);
    require(lines_format.repair(book, file, NULL, &diag) == STATUS_OK);
    require(fclose(file) == 0);
    verify(text, text_size, is_remark, NULL);
    free(text);
    book_close(book);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    chess_init();
    struct lines *lines;
    size_t count = 1;
    for (size_t i = 0; i < size; i++)
        count += data[i] == '\n';
    const char *text = (const char *)data;
    verify(text, size, visit, &count);
    check_repair(data, size);
    require(lines_parse(text, size, NULL, NULL, &lines) == STATUS_OK);
    bool is_sound = lines->faults == 0;
    if (is_sound)
        check_lines(lines, size ? data[size / 2] : 0);
    else
        require(lines->fault.line > 0 && lines->fault.line <= count && lines->fault.offset <= size);
    lines_destroy(lines);
    if (!is_sound)
        return 0;
    /* What is written is recognised by its first line, as the bytes are to be. */
    return lines_format.recognises(data, size) ? fuzz_format(&lines_format, data, size) : 0;
}
