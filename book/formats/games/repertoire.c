#include "book/formats/games/repertoire.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "book/formats/games/repertoire_read.h"
#include "book/graph/graph.h"
#include "chess/eco.h"
#include "chess/notation.h"
#include "chess/pgn_write.h"

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
struct step {
    uint32_t node;
    uint32_t edge;     /* the next of its moves to be looked at, counted from 0 */
    uint32_t non_book; /* the next node behind a non-book move */
    bool told;         /* the weight of the move to this node stands in a game already */
};

struct writer {
    const struct book_graph *graph;
    struct game *game; /* the line at hand */
    struct step steps[BOOK_GRAPH_PLIES_MAX + 2];
    size_t depth;                 /* of steps */
    const struct book_edge *leaf; /* the last move of the game */
    size_t written;
    char comment[40];
    FILE *out;
};

/* The weight of the move that leads to a step, NULL when it only leads through. */
static const struct book_edge *edge_to(const struct writer *writer, size_t step)
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
    struct writer *writer = context;
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
static enum caxton_status write_game(struct writer *writer, const struct book_edge *leaf)
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

static bool goes_on(const struct writer *writer, uint32_t at)
{
    const struct book_node *node = &writer->graph->nodes[at];
    return node->count > 0 || node->child != BOOK_GRAPH_NONE;
}

static enum caxton_status step_into(struct writer *writer, uint32_t node)
{
    writer->steps[writer->depth++] =
        (struct step){.node = node, .non_book = writer->graph->nodes[node].child};
    return game_play(writer->game, writer->graph->nodes[node].via);
}

/* One step of a walk that needs no recursion: into the next child, or back. */
static enum caxton_status walk_on(struct writer *writer)
{
    const struct book_graph *graph = writer->graph;
    struct step *step = &writer->steps[writer->depth - 1];
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

static enum caxton_status write_root(struct writer *writer, uint32_t root)
{
    enum caxton_status status = STATUS_OK;
    game_reset(writer->game, &writer->graph->roots[writer->graph->nodes[root].root]);
    writer->depth = 1;
    writer->steps[0] = (struct step){.node = root, .non_book = writer->graph->nodes[root].child};
    while (writer->depth > 0 && status == STATUS_OK)
        status = walk_on(writer);
    return status;
}

static enum caxton_status write_all(struct writer *writer)
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
    struct writer *writer = calloc(1, sizeof *writer);
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
                                              .add = repertoire_add,
                                              POSITION_BOOK_FUNCTIONS};
