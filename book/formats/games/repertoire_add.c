#include "book/formats/games/repertoire.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/line_end.h"
#include "base/memory_stream.h"
#include "book/formats/games/repertoire_read.h"
#include "chess/pgn_write.h"

/* A piece of the text that gives way to the weight; when it is empty, to a comment with it. */
struct edit {
    size_t offset;
    size_t size;
};

/* A move that leads to the addition. */
struct step {
    uint64_t key; /* of the position before */
    move m;
    bool known; /* the book has it */
};

struct adding {
    const struct book_addition *addition;
    const char *text;
    size_t size;
    struct edit first;   /* where the move stands first */
    struct edit *stated; /* every weight that is stated for it: the largest counts */
    size_t count;
    size_t capacity;
    size_t open_comment; /* the line where one begins that has no end; 0 for none */
    struct step *steps;  /* of the line that leads to the addition, as many as its plies */
    bool found;
    bool no_memory;
};

static bool remember(struct adding *adding, const struct edit *edit)
{
    if (!ARRAY_GROW(adding->stated, adding->capacity, adding->count + 1))
        return false;
    adding->stated[adding->count++] = *edit;
    return true;
}

/* Behind the word and what belongs to it, "e4!?", "exd6 e.p.", "e4 $1"; or inside the comment that
 * follows: many programs read glyphs only before comments, and only one comment in a place. */
static size_t after_word(const struct adding *adding, const char *word_end)
{
    const char *end = adding->text + adding->size;
    const char *at = word_end;
    while (at < end && (*at == '!' || *at == '?'))
        at++;
    if (end - at >= 5 && memcmp(at, " e.p.", 5) == 0)
        at += 5;
    for (;;) {
        struct span rest = span_trim(span_make(at, (size_t)(end - at)));
        size_t digits = 1;
        if (rest.size && *rest.data == '{')
            return (size_t)(rest.data + 1 - adding->text);
        while (digits < rest.size && rest.data[digits] >= '0' && rest.data[digits] <= '9')
            digits++;
        if (!rest.size || *rest.data != '$' || digits == 1)
            return (size_t)(at - adding->text);
        at = rest.data + digits;
    }
}

static enum caxton_status prepare_steps(struct adding *adding)
{
    struct position pos;
    position_start(&pos);
    adding->steps = calloc(adding->addition->plies + 1, sizeof *adding->steps);
    if (!adding->steps)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < adding->addition->plies; i++) {
        adding->steps[i] = (struct step){.key = pos.key, .m = adding->addition->line[i]};
        position_play(&pos, adding->addition->line[i]);
    }
    return STATUS_OK;
}

static void note_step(struct adding *adding, const struct repertoire_move *found)
{
    for (size_t i = 0; i < adding->addition->plies; i++)
        if (found->key == adding->steps[i].key && found->m == adding->steps[i].m)
            adding->steps[i].known |= !found->non_book;
}

/* How many moves the game begins with: those that lead to the addition, or none when the book lacks
 * one of them. Lines must not lead through moves that it has not: such a position is named by FEN.
 */
static size_t known_plies(const struct adding *adding)
{
    for (size_t i = 0; i < adding->addition->plies; i++)
        if (!adding->steps[i].known)
            return 0;
    return adding->addition->plies;
}

static void visit(void *context, const struct repertoire_move *found)
{
    struct adding *adding = context;
    note_step(adding, found);
    if (found->key != adding->addition->pos.key || found->m != adding->addition->m)
        return;
    struct span stated = found->weight_text;
    struct edit edit = {after_word(adding, found->end), 0};
    if (stated.size)
        edit = (struct edit){(size_t)(stated.data - adding->text), stated.size};
    if (!adding->found)
        adding->first = edit;
    adding->found = true;
    if (stated.size && !found->non_book && !remember(adding, &edit))
        adding->no_memory = true;
}

/* Faults stay as they are, but what is appended to an open comment would be part of it. */
static void note_fault(void *context, enum book_fault fault, const struct diag *diag,
                       const char *offer)
{
    (void)offer;
    struct adding *adding = context;
    const char *at = adding->text + diag->offset;
    (void)fault;
    if (diag->offset < adding->size && *at == '{' && !memchr(at, '}', adding->size - diag->offset))
        adding->open_comment = diag->line;
}

static enum caxton_status find_move(struct adding *adding)
{
    struct book_input input = {.sink = note_fault, .context = adding};
    enum caxton_status status =
        repertoire_read((const uint8_t *)adding->text, adding->size, &input, visit, adding);
    entry_list_free(&input.list);
    free(input.roots);
    return adding->no_memory ? STATUS_NO_MEMORY : status;
}

static void write_edited(const struct adding *adding, const struct edit *edits, size_t count,
                         FILE *out)
{
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned long weight = adding->addition->weight;
        (void)fwrite(adding->text + at, 1, edits[i].offset - at, out);
        bool inside = edits[i].offset > 0 && adding->text[edits[i].offset - 1] == '{';
        (void)fprintf(out,
                      edits[i].size ? "%lu"
                      : inside      ? "[%%weight %lu] "
                                    : " {[%%weight %lu]}",
                      weight);
        at = edits[i].offset + edits[i].size;
    }
    (void)fwrite(adding->text + at, 1, adding->size - at, out);
}

/* What stands behind the moves of a game. */
struct game_comments {
    size_t last;    /* ply: the addition */
    char about[40]; /* it */
};

/* The moves before are in the book already: here they only lead to the last one. */
static const char *comment_of(void *context, size_t ply)
{
    struct game_comments *comments = context;
    return ply == comments->last ? comments->about : "[%weight -]";
}

/* A game that ends with the move. */
static enum caxton_status write_game(const struct adding *adding, FILE *out)
{
    const struct pgn_tag tag = {span_of("Event"), span_of("Opening book")};
    struct game_comments comments = {.last = known_plies(adding)};
    struct position start;
    enum caxton_status status = STATUS_OK;
    struct game *game = game_create();
    if (!game)
        return STATUS_NO_MEMORY;
    (void)snprintf(comments.about, sizeof comments.about, "[%%weight %lu]",
                   (unsigned long)adding->addition->weight);
    position_start(&start);
    game_reset(game, comments.last ? &start : &adding->addition->pos);
    for (size_t i = 0; i < comments.last && status == STATUS_OK; i++)
        status = game_play(game, adding->steps[i].m);
    if (status == STATUS_OK)
        status = game_play(game, adding->addition->m);
    if (status == STATUS_OK)
        status = pgn_write(out, game, &tag, 1, pgn_result_on_board(game), comment_of, &comments);
    game_destroy(game);
    return status;
}

/* Behind the text and an empty line, in lines that end as those of the text. */
static enum caxton_status append_game(const struct adding *adding, FILE *out)
{
    const char *end = line_end_of(span_make(adding->text, adding->size));
    struct memory_stream made;
    enum caxton_status status =
        memory_stream_open(&made) ? write_game(adding, made.file) : STATUS_NO_MEMORY;
    if (!memory_stream_close(&made) && status == STATUS_OK)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        write_edited(adding, NULL, 0, out);
        if (adding->size && adding->text[adding->size - 1] != '\n')
            (void)fputs(end, out);
        if (adding->size)
            (void)fputs(end, out);
        line_end_put(out, span_make(made.bytes, made.size), end);
    }
    free(made.bytes);
    return status;
}

enum caxton_status repertoire_add(const uint8_t *bytes, size_t size,
                                  const struct book_addition *addition, FILE *out,
                                  struct diag *diag)
{
    struct adding adding = {.addition = addition, .text = (const char *)bytes, .size = size};
    enum caxton_status status = prepare_steps(&adding);
    if (status == STATUS_OK)
        status = find_move(&adding);
    if (status == STATUS_OK && !adding.found && adding.open_comment) {
        diag_set(diag, adding.open_comment, 0, "line %zu: a comment is not closed",
                 adding.open_comment);
        free(adding.steps);
        return STATUS_SYNTAX;
    }
    if (status == STATUS_OK && adding.count)
        write_edited(&adding, adding.stated, adding.count, out);
    else if (status == STATUS_OK && adding.found)
        write_edited(&adding, &adding.first, 1, out);
    else if (status == STATUS_OK)
        status = append_game(&adding, out);
    free(adding.stated);
    free(adding.steps);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s", status_name(status));
    return status;
}
