#include "book/formats/games/repertoire.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/line_end.h"
#include "base/memory_stream.h"
#include "book/formats/games/repertoire_read.h"
#include "book/graph/graph.h"
#include "chess/eco.h"
#include "chess/notation.h"
#include "chess/pgn_write.h"

/* A piece of the text that gives way to the weight; when it is empty, to a comment with it. */
struct edit {
    size_t offset;
    size_t size;
};

/* A move that leads to the addition. */
struct add_step {
    uint64_t key; /* of the position before */
    move m;
    bool known; /* the book has it */
};

struct game_adding {
    const struct book_addition *addition;
    const char *text;
    size_t size;
    struct edit first;   /* where the move stands first */
    struct edit *stated; /* every weight that is stated for it: the largest counts */
    size_t count;
    size_t capacity;
    size_t open_comment;    /* the line where one begins that has no end; 0 for none */
    struct add_step *steps; /* of the line that leads to the addition, as many as its plies */
    bool found;
    bool has_moves;
    bool no_memory;
};

static bool remember(struct game_adding *adding, const struct edit *edit)
{
    if (!ARRAY_GROW(adding->stated, adding->capacity, adding->count + 1))
        return false;
    adding->stated[adding->count++] = *edit;
    return true;
}

/* Behind the word and what belongs to it, "e4!?", "exd6 e.p.", "e4 $1"; or inside the comment that
 * follows: many programs read glyphs only before comments, and only one comment in a place. */
static size_t after_word(const struct game_adding *adding, const char *word_end)
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

static enum caxton_status prepare_steps(struct game_adding *adding)
{
    struct position pos;
    position_start(&pos);
    adding->steps = calloc(adding->addition->plies + 1, sizeof *adding->steps);
    if (!adding->steps)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < adding->addition->plies; i++) {
        adding->steps[i] = (struct add_step){.key = pos.key, .m = adding->addition->line[i]};
        position_play(&pos, adding->addition->line[i]);
    }
    return STATUS_OK;
}

static void note_step(struct game_adding *adding, const struct repertoire_move *found)
{
    for (size_t i = 0; i < adding->addition->plies; i++)
        if (found->key == adding->steps[i].key && found->m == adding->steps[i].m)
            adding->steps[i].known |= !found->non_book;
}

/* How many moves the game begins with: those that lead to the addition, or none when the book lacks
 * one of them. Lines must not lead through moves that it has not: such a position is named by FEN.
 */
static size_t known_plies(const struct game_adding *adding)
{
    for (size_t i = 0; i < adding->addition->plies; i++)
        if (!adding->steps[i].known)
            return 0;
    return adding->addition->plies;
}

static void visit(void *context, const struct repertoire_move *found)
{
    struct game_adding *adding = context;
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
    struct game_adding *adding = context;
    const char *at = adding->text + diag->offset;
    (void)fault;
    if (diag->offset < adding->size && *at == '{' && !memchr(at, '}', adding->size - diag->offset))
        adding->open_comment = diag->line;
}

static enum caxton_status find_move(struct game_adding *adding)
{
    struct book_input input = {.sink = note_fault, .context = adding};
    enum caxton_status status =
        repertoire_read((const uint8_t *)adding->text, adding->size, &input, visit, adding);
    adding->has_moves = input.list.count > 0;
    entry_list_free(&input.list);
    free(input.roots);
    return adding->no_memory ? STATUS_NO_MEMORY : status;
}

static void write_edited(const struct game_adding *adding, const struct edit *edits, size_t count,
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
static enum caxton_status add_write_game(const struct game_adding *adding, FILE *out)
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
static enum caxton_status append_game(const struct game_adding *adding, FILE *out)
{
    const char *end = line_end_of(span_make(adding->text, adding->size));
    struct memory_stream made;
    enum caxton_status status =
        memory_stream_open(&made) ? add_write_game(adding, made.file) : STATUS_NO_MEMORY;
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

/* Before a game with tags, text in which no game begins is prose. */
static bool is_prose(const struct game_adding *adding)
{
    struct pgn_reader *pgn = pgn_create_memory(adding->text, adding->size);
    struct pgn_game game;
    bool no_game = pgn && pgn_next(pgn, &game, NULL) == STATUS_END;
    pgn_destroy(pgn);
    return no_game;
}

static enum caxton_status add(const uint8_t *bytes, size_t size,
                              const struct book_addition *addition, FILE *out, struct diag *diag)
{
    struct game_adding adding = {.addition = addition, .text = (const char *)bytes, .size = size};
    enum caxton_status status = prepare_steps(&adding);
    if (status == STATUS_OK)
        status = find_move(&adding);
    if (status == STATUS_OK && !adding.found && adding.open_comment) {
        diag_set(diag, adding.open_comment, 0, "line %zu: a comment is not closed",
                 adding.open_comment);
        free(adding.steps);
        return STATUS_SYNTAX;
    }
    if (status == STATUS_OK && !adding.found && adding.has_moves && is_prose(&adding)) {
        diag_set(diag, 0, 0, "its moves begin neither with a tag nor with move 1");
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

static enum caxton_status read_all(const uint8_t *bytes, size_t size, struct book_input *input)
{
    if (!repertoire_are_games(span_make((const char *)bytes, size)))
        return repertoire_read(bytes, size, input, NULL, NULL);
    book_input_fault(input, BOOK_FAULT_SYNTAX, 0, 0, 0, REPERTOIRE_ARE_GAMES);
    return STATUS_OK;
}

/* Is there a comment in braces, or a variation of more than one move? */
static bool has_variations(struct span text)
{
    int words = -1; /* since a bracket was opened; -1: none is open */
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == '{' || (c == '(' && words >= 0) || words > 1)
            return true;
        if (c == '(') {
            words = 0;
        } else if (c == ')') {
            words = -1;
        } else if (c == ';') {
            const char *end = memchr(text.data + i, '\n', text.size - i);
            i = end ? (size_t)(end - text.data) : text.size;
        } else if (words >= 0 && isalpha((unsigned char)c) &&
                   !isalnum((unsigned char)text.data[i - 1])) {
            words++;
        }
    }
    return false;
}

/* White's lines may have move numbers, too, and brackets around a move, but no more. */
static bool is_movetext(struct span text)
{
    bool comment = text.size && text.data[0] == '{';
    while (text.size && text.data[0] == '{') {
        const char *close = memchr(text.data, '}', text.size);
        if (!close)
            return false;
        text = span_trim(span_from(text, (size_t)(close + 1 - text.data)));
    }
    size_t number = move_number_size(text);
    if (!number || text.data[number - 1] != '.')
        return false;
    text = span_trim(text);
    size_t start = text.size;
    while (start && !isspace((unsigned char)text.data[start - 1]))
        start--;
    struct span last = span_from(text, start);
    return comment || span_equal(last, "*") || repertoire_is_result(last) || has_variations(text);
}

/* By the first thing that counts, or by tags, whatever stands before them. */
static bool recognises(const uint8_t *bytes, size_t size)
{
    struct span all = span_skip_bom(span_make((const char *)bytes, size));
    const char *at = all.data;
    const char *end = at + all.size;
    while (at < end && (isspace((unsigned char)*at) || *at == '%' || *at == ';')) {
        const char *next = at + 1;
        if (!isspace((unsigned char)*at))
            next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next : end;
    }
    return is_movetext(span_make(at, (size_t)(end - at))) || repertoire_tags(all) < all.size;
}

/* Writing: the tree of the shortest lines, a game for each move that ends one ---------------- */

/* A node of the line at hand. */
struct game_step {
    uint32_t node;
    uint32_t edge;     /* the next of its moves to be looked at, counted from 0 */
    uint32_t non_book; /* the next node behind a non-book move */
    bool told;         /* the weight of the move to this node stands in a game already */
};

struct game_writer {
    const struct book_graph *graph;
    struct game *game; /* the line at hand */
    struct game_step steps[BOOK_GRAPH_PLIES_MAX + 2];
    size_t depth;                 /* of steps */
    const struct book_edge *leaf; /* the last move of the game */
    size_t written;
    char comment[40];
    FILE *out;
};

/* The weight of the move that leads to a step, NULL when it only leads through. */
static const struct book_edge *edge_to(const struct game_writer *writer, size_t step)
{
    const struct book_node *node = &writer->graph->nodes[writer->steps[step].node];
    const struct book_node *parent = &writer->graph->nodes[node->parent];
    if (node->non_book)
        return NULL;
    for (uint32_t i = 0; i < parent->count; i++)
        if (writer->graph->edges[parent->first + i].move == node->via)
            return &writer->graph->edges[parent->first + i];
    return NULL;
}

static const char *const marks[] = {
    [BOOK_UNMARKED] = "", [BOOK_MISTAKE] = "$2 ", [BOOK_BLUNDER] = "$4 "};

/* For pgn_write(): the mark and the weight, once for each move. */
static const char *weight_after(void *context, size_t ply)
{
    struct game_writer *writer = context;
    const struct book_edge *edge = writer->leaf;
    if (ply + 1 < writer->depth) {
        edge = edge_to(writer, ply + 1);
        if (writer->steps[ply + 1].told)
            return edge ? NULL : "[%weight -]"; /* else it would count */
        writer->steps[ply + 1].told = true;
        if (!edge)
            return "[%weight -]";
    }
    (void)snprintf(writer->comment, sizeof writer->comment, "%s[%%weight %lu]", marks[edge->mark],
                   (unsigned long)edge->weight);
    return writer->comment;
}

/* The line at hand and one move more. */
static enum caxton_status write_game(struct game_writer *writer, const struct book_edge *leaf)
{
    struct pgn_tag tags[] = {{span_of("Event"), span_of("Opening book")},
                             {span_of("ECO"), span_of("")},
                             {span_of("Opening"), span_of("")}};
    enum caxton_status status = game_play(writer->game, leaf->move);
    if (status != STATUS_OK)
        return status;
    const struct eco *eco = eco_find_last(game_keys(writer->game), game_plies(writer->game) + 1);
    if (eco) {
        tags[1].value = span_of(eco->code);
        tags[2].value = span_of(eco->name);
    }
    writer->leaf = leaf;
    writer->written++;
    status = pgn_write(writer->out, writer->game, tags, eco ? 3 : 1,
                       pgn_result_on_board(writer->game), weight_after, writer);
    (void)game_take_back(writer->game);
    return status;
}

static bool goes_on(const struct game_writer *writer, uint32_t at)
{
    const struct book_node *node = &writer->graph->nodes[at];
    return node->count > 0 || node->child != BOOK_GRAPH_NONE;
}

static enum caxton_status step_into(struct game_writer *writer, uint32_t node)
{
    writer->steps[writer->depth++] =
        (struct game_step){.node = node, .non_book = writer->graph->nodes[node].child};
    return game_play(writer->game, writer->graph->nodes[node].via);
}

/* One step of a walk that needs no recursion: into the next child, or back. */
static enum caxton_status walk_on(struct game_writer *writer)
{
    const struct book_graph *graph = writer->graph;
    struct game_step *step = &writer->steps[writer->depth - 1];
    const struct book_node *node = &graph->nodes[step->node];
    if (step->edge < node->count) {
        const struct book_edge *edge = &graph->edges[node->first + step->edge++];
        bool own = edge->to != BOOK_GRAPH_NONE && graph->nodes[edge->to].parent == step->node &&
                   graph->nodes[edge->to].via == edge->move;
        return own && goes_on(writer, edge->to) ? step_into(writer, edge->to)
                                                : write_game(writer, edge);
    }
    if (step->non_book != BOOK_GRAPH_NONE) {
        uint32_t to = step->non_book;
        step->non_book = graph->nodes[to].next;
        return goes_on(writer, to) ? step_into(writer, to) : STATUS_OK;
    }
    writer->depth--;
    (void)game_take_back(writer->game);
    return STATUS_OK;
}

static enum caxton_status write_root(struct game_writer *writer, uint32_t root)
{
    enum caxton_status status = STATUS_OK;
    game_reset(writer->game, &writer->graph->roots[writer->graph->nodes[root].root]);
    writer->depth = 1;
    writer->steps[0] =
        (struct game_step){.node = root, .non_book = writer->graph->nodes[root].child};
    while (writer->depth > 0 && status == STATUS_OK)
        status = walk_on(writer);
    return status;
}

static enum caxton_status write_all(struct game_writer *writer)
{
    const struct book_graph *graph = writer->graph;
    enum caxton_status status = STATUS_OK;
    for (uint32_t i = 0; i < graph->node_count && status == STATUS_OK; i++)
        if (graph->nodes[i].parent == BOOK_GRAPH_NONE)
            status = write_root(writer, i);
    return status == STATUS_OK && writer->written == 0 ? STATUS_ILLEGAL : status;
}

static enum caxton_status repertoire_write(struct book_graph *graph, const struct book_writer *as,
                                           FILE *out, struct book_losses *losses, struct diag *diag)
{
    (void)as;
    (void)losses;
    struct game_writer *writer = calloc(1, sizeof *writer);
    struct game *game = game_create();
    enum caxton_status status = STATUS_NO_MEMORY;
    if (writer && game) {
        writer->game = game;
        writer->out = out;
        writer->graph = graph;
        status = write_all(writer);
    }
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s",
                 status == STATUS_ILLEGAL ? "no line reaches a move of the book"
                 : status == STATUS_IO    ? "cannot write the book"
                                          : "out of memory");
    game_destroy(game);
    free(writer);
    return status;
}

static const struct book_writer writer = {.name = "pgn",
                                          .about = "PGN: a game for each line of play",
                                          .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED | BOOK_MARKS,
                                          .weight_max = UINT32_MAX,
                                          .write_graph = repertoire_write};

const struct book_format repertoire_format = {.name = "PGN repertoire",
                                              .extension = "pgn",
                                              .is_text = true,
                                              .writers = &writer,
                                              .writer_count = 1,
                                              .recognises = recognises,
                                              .read = read_all,
                                              .add = add,
                                              POSITION_BOOK_FUNCTIONS};
