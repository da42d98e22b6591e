#include "book/formats/thompson/tree_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "book/format.h"
#include "book/formats/thompson/tree_book.h"
#include "book/formats/thompson/tree_unit.h"
#include "book/graph/graph.h"
#include "chess/eco.h"
#include "chess/fen.h"

/* The characters of openings (enum book_style), by ECO code and name: what the style byte says. */

enum { ROUNDS_MAX = 64 };

static const struct {
    const char *first; /* code */
    const char *last;
    uint8_t style;
} volumes[] = {
    {"A00", "A39", BOOK_FLANK}, {"A40", "A99", BOOK_HALF_CLOSED}, {"B00", "C19", BOOK_HALF_OPEN},
    {"C20", "C99", BOOK_OPEN},  {"D00", "D69", BOOK_CLOSED},      {"D70", "E99", BOOK_HALF_CLOSED},
};

static uint8_t styles_of_key(uint64_t key)
{
    const struct eco *eco = eco_find(key);
    uint8_t styles = eco && strstr(eco->name, "Gambit") ? BOOK_GAMBIT : 0;
    for (size_t i = 0; eco && i < sizeof volumes / sizeof *volumes; i++)
        if (strcmp(eco->code, volumes[i].first) >= 0 && strcmp(eco->code, volumes[i].last) <= 0)
            styles |= volumes[i].style;
    return styles;
}

/* Those of the node itself and of the positions where lines end behind it. */
static void find_own_styles(const struct book_graph *graph, uint32_t at, uint8_t *nodes,
                            uint8_t *edges)
{
    const struct book_node *node = &graph->nodes[at];
    struct position pos;
    nodes[at] = styles_of_key(node->key);
    book_graph_position(graph, at, &pos, NULL);
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        struct undo undo;
        edges[i] = 0;
        if (graph->edges[i].to != BOOK_GRAPH_NONE)
            continue;
        position_make(&pos, graph->edges[i].move, &undo);
        edges[i] = styles_of_key(pos.key);
        position_unmake(&pos, graph->edges[i].move, &undo);
    }
}

/* Adds what the moves from a node lead to; true when that is more than before. */
static bool add_styles_behind(const struct book_graph *graph, uint32_t at, uint8_t *nodes,
                              uint8_t *edges)
{
    const struct book_node *node = &graph->nodes[at];
    uint8_t before = nodes[at];
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        if (graph->edges[i].to != BOOK_GRAPH_NONE)
            edges[i] = nodes[graph->edges[i].to];
        nodes[at] |= edges[i];
    }
    for (uint32_t to = node->child; to != BOOK_GRAPH_NONE; to = graph->nodes[to].next)
        nodes[at] |= nodes[to];
    return nodes[at] != before;
}

/* The characters that each move of the graph leads to: those of the openings that the positions
 * behind it belong to. styles: by edge. Errors: STATUS_NO_MEMORY. */
/* Most nodes come after the one they were found from: going from the end, few rounds are needed. */
static enum caxton_status tree_find_styles(const struct book_graph *graph, uint8_t *edges)
{
    uint8_t *nodes = malloc(graph->node_count + 1);
    bool changed = true;
    if (!nodes)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < graph->node_count; i++)
        find_own_styles(graph, i, nodes, edges);
    for (int round = 0; changed && round < ROUNDS_MAX; round++) {
        changed = false;
        for (uint32_t i = (uint32_t)graph->node_count; i-- > 0;)
            changed |= add_styles_behind(graph, i, nodes, edges);
    }
    free(nodes);
    return STATUS_OK;
}

/* A position of the line that is being written. */
struct written_ply {
    struct undo undo; /* of `move` */
    uint32_t node;
    uint32_t edge;     /* how many of its moves are written */
    uint32_t non_book; /* the next node behind a non-book move; BOOK_GRAPH_NONE */
    move move;         /* that leads to the next ply */
};

struct writing {
    struct book_graph *graph;
    const struct tree_options *options;
    struct tree_coder *coder; /* NULL: nothing is packed */
    uint32_t *weights;        /* by the place of their move in the body */
    uint8_t *styles;          /* by edge; NULL */
    uint32_t *places;         /* of each node's choices, plus 1; 0: not written */
    struct written_ply *line;
    size_t plies;
    size_t capacity;
    struct position pos;
    uint8_t *body;
    size_t size;
    size_t body_capacity;
    size_t weight_capacity;
    size_t left_out; /* positions that only non-book moves reach */
    bool branched;   /* there is a '(' */
};

enum { MARKS_USUAL = 16 }; /* bytes that may stand between the decision to jump and the jump */

/* Bytes ------------------------------------------------------------------------------------ */

/* Makes room for `bytes` more in the body, and for as many weights when they are to be packed. */
static enum caxton_status make_room(struct writing *writing, size_t bytes)
{
    size_t needed = writing->size + bytes;
    if (needed >= UINT32_MAX)
        return STATUS_RANGE;
    if (!ARRAY_GROW(writing->body, writing->body_capacity, needed) ||
        (writing->coder && !ARRAY_GROW(writing->weights, writing->weight_capacity, needed)))
        return STATUS_NO_MEMORY;
    return STATUS_OK;
}

/* Writes a unit to the end of the body. */
static enum caxton_status put_unit(struct writing *writing, struct tree_unit unit)
{
    enum caxton_status status = make_room(writing, TREE_UNIT_MAX);
    if (status != STATUS_OK)
        return status;
    unit.at = writing->size;
    writing->branched |= unit.more;
    if (writing->coder)
        writing->weights[unit.at] = unit.weight;
    writing->size += tree_unit_write(&unit, writing->body + unit.at);
    return STATUS_OK;
}

/* Does anything follow in the tree behind this node? */
static bool has_choices(const struct writing *writing, uint32_t node)
{
    if (node == BOOK_GRAPH_NONE)
        return false;
    const struct book_node *found = &writing->graph->nodes[node];
    return found->count > 0 ||
           (writing->options->non_book_moves && found->child != BOOK_GRAPH_NONE);
}

/* Do the moves of a position lead to different characters? */
static bool styles_differ(const struct writing *writing, const struct book_node *node)
{
    const uint8_t *styles = writing->styles + node->first;
    for (uint32_t i = 1; i < node->count; i++)
        if (styles[i] != styles[0])
            return true;
    return false;
}

/* The walk --------------------------------------------------------------------------------- */

static enum caxton_status push(struct writing *writing, uint32_t node)
{
    if (writing->plies == TREE_PLIES_MAX)
        return STATUS_RANGE;
    if (!ARRAY_GROW(writing->line, writing->capacity, writing->plies + 1))
        return STATUS_NO_MEMORY;
    writing->line[writing->plies++] = (struct written_ply){
        .node = node,
        .non_book =
            writing->options->non_book_moves ? writing->graph->nodes[node].child : BOOK_GRAPH_NONE,
    };
    writing->places[node] = (uint32_t)writing->size + 1;
    return STATUS_OK;
}

/* Does the position stand elsewhere, and no jump is to lead there? */
static bool is_left_out(const struct writing *writing, uint32_t node)
{
    return writing->places[node] &&
           (!writing->options->jumps ||
            writing->size + MARKS_USUAL - writing->places[node] >= TREE_BACK_12_MAX);
}

/* A choice of the last position of the line. */
struct tree_choice {
    struct tree_unit unit; /* but for its place */
    uint32_t to;           /* the node behind it; BOOK_GRAPH_NONE */
    move move;
};

/* The next one; false when all are written. */
static bool next_choice(struct writing *writing, struct tree_choice *choice)
{
    const struct book_graph *graph = writing->graph;
    struct written_ply *ply = &writing->line[writing->plies - 1];
    const struct book_node *node = &graph->nodes[ply->node];
    struct tree_unit unit = {.kind = TREE_MOVE};
    if (ply->edge < node->count) {
        uint32_t at = node->first + ply->edge++;
        const struct book_edge *edge = &graph->edges[at];
        choice->to = edge->to;
        choice->move = edge->move;
        unit.weight = edge->weight;
        unit.unplayed = edge->weight == 0;
        if (writing->styles && styles_differ(writing, node))
            unit.styles = writing->styles[at];
    } else if (ply->non_book != BOOK_GRAPH_NONE) {
        choice->to = ply->non_book;
        choice->move = graph->nodes[ply->non_book].via;
        unit.non_book = true;
        ply->non_book = graph->nodes[ply->non_book].next;
    } else {
        return false;
    }
    unit.more = ply->edge < node->count || ply->non_book != BOOK_GRAPH_NONE;
    unit.last = !has_choices(writing, choice->to) || is_left_out(writing, choice->to);
    unit.place = tree_place(&writing->pos, choice->move);
    choice->unit = unit;
    return true;
}

static enum caxton_status write_choice(struct writing *writing, const struct tree_choice *choice)
{
    struct written_ply *ply = &writing->line[writing->plies - 1];
    enum caxton_status status = put_unit(writing, choice->unit);
    if (status != STATUS_OK || choice->unit.last)
        return status;
    if (writing->places[choice->to])
        return put_unit(writing, (struct tree_unit){.kind = TREE_JUMP,
                                                    .target = writing->places[choice->to] - 1});
    ply->move = choice->move;
    position_make(&writing->pos, choice->move, &ply->undo);
    return push(writing, choice->to);
}

static enum caxton_status write_tree(struct writing *writing, uint32_t root)
{
    struct tree_choice choice;
    enum caxton_status status = push(writing, root);
    while (status == STATUS_OK && writing->plies > 0) {
        if (next_choice(writing, &choice)) {
            status = write_choice(writing, &choice);
        } else if (--writing->plies > 0) {
            const struct written_ply *ply = &writing->line[writing->plies - 1];
            position_unmake(&writing->pos, ply->move, &ply->undo);
        }
    }
    return status;
}

/* Among moves of the same weight those that end their line come last: there they need no mark. */
static void order_ties(const struct writing *writing, const struct book_node *node)
{
    struct book_edge *edges = &writing->graph->edges[node->first];
    for (uint32_t i = 1; i < node->count; i++) {
        const struct book_edge edge = edges[i];
        uint32_t j = i;
        for (; j > 0 && edges[j - 1].weight == edge.weight && has_choices(writing, edge.to) &&
               !has_choices(writing, edges[j - 1].to);
             j--)
            edges[j] = edges[j - 1];
        edges[j] = edge;
    }
}

/* A tree from each root that no tree before it has reached. */
static enum caxton_status write_trees(struct writing *writing)
{
    const struct book_graph *graph = writing->graph;
    struct position standard;
    enum caxton_status status = STATUS_OK;
    position_start(&standard);
    for (uint32_t i = 0; i < graph->node_count && status == STATUS_OK; i++) {
        const struct book_node *node = &graph->nodes[i];
        if (node->parent != BOOK_GRAPH_NONE || writing->places[i] || !has_choices(writing, i))
            continue;
        writing->pos = graph->roots[node->root];
        if (writing->size > 0 || node->key != standard.key) {
            char fen[FEN_MAX];
            fen_format(&writing->pos, fen);
            status = put_unit(writing, (struct tree_unit){.kind = TREE_NEW, .fen = span_of(fen)});
        }
        if (status == STATUS_OK)
            status = write_tree(writing, i);
    }
    for (uint32_t i = 0; i < graph->node_count; i++)
        writing->left_out +=
            graph->nodes[i].known && has_choices(writing, i) && !writing->places[i];
    return status;
}

/* The file --------------------------------------------------------------------------------- */

/* Packs the weights and puts them behind the body, which they are no part of. */
static enum caxton_status pack_weights(struct writing *writing, size_t *size)
{
    enum caxton_status status = tree_code_weights(writing->coder, writing->body, writing->size,
                                                  writing->options->weights, writing->weights);
    if (status != STATUS_OK)
        return status;
    const uint8_t *packed = tree_coder_finish(writing->coder, size);
    status = packed ? make_room(writing, *size) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        memcpy(writing->body + writing->size, packed, *size);
    return status;
}

static enum caxton_status write_file(struct writing *writing, FILE *out)
{
    uint8_t bytes[TREE_HEADER_SIZE];
    struct tree_header header = {.packed = TREE_WEIGHTS_NONE};
    size_t packed_size = 0;
    bool is_pure = writing->options->pure;
    if (is_pure && !writing->branched)
        return STATUS_RANGE; /* no reader would recognise it */
    if (writing->coder) {
        enum caxton_status status = pack_weights(writing, &packed_size);
        if (status != STATUS_OK)
            return status;
        header.packed = writing->options->weights;
    }
    header.body_size = (uint32_t)writing->size;
    header.packed_size = (uint32_t)packed_size;
    tree_header_write(&header, writing->body, bytes);
    size_t size = writing->size + packed_size;
    bool written = is_pure || fwrite(bytes, 1, sizeof bytes, out) == sizeof bytes;
    return written && fwrite(writing->body, 1, size, out) == size ? STATUS_OK : STATUS_IO;
}

static enum caxton_status prepare(struct writing *writing)
{
    size_t count = writing->graph->node_count;
    bool packs = writing->options->weights != TREE_WEIGHTS_NONE;
    if (packs && writing->options->pure)
        return STATUS_RANGE;
    if (packs)
        writing->coder = tree_coder_create(NULL, 0);
    if (writing->options->styles)
        writing->styles = calloc(writing->graph->edge_count + 1, 1);
    writing->places = calloc(count ? count : 1, sizeof *writing->places);
    if (!writing->places || (packs && !writing->coder) ||
        (writing->options->styles && !writing->styles))
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        order_ties(writing, &writing->graph->nodes[i]);
    return writing->styles ? tree_find_styles(writing->graph, writing->styles) : STATUS_OK;
}

static const char *fault_text(enum caxton_status status)
{
    return status == STATUS_NO_MEMORY ? "out of memory"
           : status == STATUS_IO      ? "cannot write the book"
           : status == STATUS_ILLEGAL ? "no line leads from the start to a move of the book"
                                      : "too large for a tree, or, for one without header, no "
                                        "choice in it or packed weights";
}

enum caxton_status tree_write(struct book_graph *graph, const struct book_writer *writer, FILE *out,
                              struct book_losses *losses, struct diag *diag)
{
    struct writing writing = {.graph = graph, .options = writer->options};
    enum caxton_status status = prepare(&writing);
    if (status == STATUS_OK)
        status = write_trees(&writing);
    if (status == STATUS_OK && writing.size == 0)
        status = STATUS_ILLEGAL;
    if (status == STATUS_OK)
        status = write_file(&writing, out);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s", fault_text(status));
    else
        losses->non_book = writing.left_out;
    tree_coder_destroy(writing.coder);
    free(writing.weights);
    free(writing.styles);
    free(writing.places);
    free(writing.line);
    free(writing.body);
    return status;
}

#define OPTIONS(...) .options = &(const struct tree_options){__VA_ARGS__}, .write_graph = tree_write

const struct book_writer tree_writers[TREE_WRITERS] = {
    {.name = "tree",
     .about = "Thompson's tree: a byte a move, packed weights",
     .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED,
     .weight_max = UINT32_MAX,
     OPTIONS(.weights = TREE_WEIGHTS_EXACT, .jumps = true, .non_book_moves = true)},
    {.name = "tree-style",
     .about = "Thompson's tree with the character of openings",
     .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED,
     .weight_max = UINT32_MAX,
     OPTIONS(.weights = TREE_WEIGHTS_EXACT, .jumps = true, .non_book_moves = true, .styles = true)},
    {.name = "tree-small",
     .about = "Thompson's tree, weights where there is a choice",
     .keeps = BOOK_CHOICE_WEIGHTS | BOOK_UNPLAYED,
     .weight_max = UINT32_MAX,
     OPTIONS(.weights = TREE_WEIGHTS_CHOICES, .jumps = true)},
    {.name = "tree-pure",
     .about = "Thompson's tree without header and weights",
     .keeps = BOOK_UNPLAYED,
     OPTIONS(.pure = true)},
};
