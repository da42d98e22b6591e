#include <stdlib.h>
#include <string.h>

#include "book/formats/thompson/tree.h"
#include "book/formats/thompson/tree_body.h"
#include "book/formats/thompson/tree_pack.h"
#include "book/losses.h"
#include "chess/fen.h"

/* A position of the line that is being written. */
struct ply {
    struct undo undo; /* of `move` */
    uint32_t node;
    uint32_t edge;    /* how many of its moves are written */
    uint32_t passage; /* the next node behind a passage; BOOK_GRAPH_NONE */
    move move;        /* that leads to the next ply */
};

struct writing {
    struct book_graph *graph;
    const struct tree_options *options;
    struct tree_coder *coder; /* NULL: nothing is packed */
    uint32_t *weights;        /* by the place of their move in the body */
    uint8_t *styles;          /* by edge; NULL */
    uint32_t *places;         /* of each node's choices, plus 1; 0: not written */
    struct ply *line;
    size_t plies;
    size_t capacity;
    struct position pos;
    uint8_t *body;
    size_t size;
    size_t body_capacity;
    struct book_losses losses;
    bool branched; /* there is a '(' */
};

enum {
    NEAR = 1 << 12,   /* bytes back that a jump of two bytes reaches */
    MARKS_USUAL = 16, /* what may stand between the decision to jump and the jump */
};

/* Bytes ------------------------------------------------------------------------------------ */

static enum caxton_status make_room(struct writing *writing, size_t bytes)
{
    if (writing->size + bytes <= writing->body_capacity)
        return STATUS_OK;
    if (writing->size + bytes >= UINT32_MAX)
        return STATUS_RANGE;
    size_t capacity = 2 * writing->body_capacity + bytes + 4096;
    uint8_t *body = realloc(writing->body, capacity);
    if (!body)
        return STATUS_NO_MEMORY;
    writing->body = body;
    if (writing->coder) {
        uint32_t *weights = realloc(writing->weights, capacity * sizeof *weights);
        if (!weights)
            return STATUS_NO_MEMORY;
        writing->weights = weights;
    }
    writing->body_capacity = capacity;
    return STATUS_OK;
}

/* The caller has made room. */
static void put(struct writing *writing, uint32_t value, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--)
        writing->body[writing->size++] = (uint8_t)(value >> 8 * i);
}

static void put_escape(struct writing *writing, int code, uint32_t operand, int bytes)
{
    put(writing, (uint32_t)(TREE_ESCAPE | code), 1);
    put(writing, operand, bytes);
}

static void put_jump(struct writing *writing, size_t target)
{
    size_t back = writing->size - target - 1;
    if (back < NEAR)
        put_escape(writing, TREE_BACK_12 + (int)(back & 15), (uint32_t)(back >> 4), 1);
    else if (back < 1 << 20)
        put_escape(writing, TREE_BACK_20 + (int)(back & 15), (uint32_t)(back >> 4), 2);
    else
        put_escape(writing, TREE_JUMP_32, (uint32_t)target, 4);
}

/* Does anything follow in the tree behind this node? */
static bool has_choices(const struct writing *writing, uint32_t node)
{
    if (node == BOOK_GRAPH_NONE)
        return false;
    const struct book_node *found = &writing->graph->nodes[node];
    return found->count > 0 || (writing->options->passages && found->child != BOOK_GRAPH_NONE);
}

/* What a choice is written from. */
struct choice {
    uint32_t to;
    uint32_t weight;
    move move;
    bool passage;
    bool more;
    bool last;
    uint8_t styles;
};

static void put_weight(struct writing *writing, uint32_t weight)
{
    if (weight < 256)
        put_escape(writing, TREE_WEIGHT_8, weight, 1);
    else if (weight < 65536)
        put_escape(writing, TREE_WEIGHT_16, weight, 2);
    else
        put_escape(writing, TREE_WEIGHT_32, weight, 4);
}

static void put_choice(struct writing *writing, const struct choice *choice)
{
    int place = tree_place(&writing->pos, choice->move);
    bool is_inline = writing->options->weights == TREE_WEIGHTS_INLINE;
    if (choice->passage)
        put_escape(writing, TREE_PASSAGE, 0, 0);
    else if (choice->weight == 0)
        put_escape(writing, TREE_UNPLAYED, 0, 0);
    else if (is_inline)
        put_weight(writing, choice->weight);
    if (choice->styles)
        put_escape(writing, TREE_STYLE, choice->styles, 1);
    if (place >= 64)
        put_escape(writing, place / 64 - 1, 0, 0);
    bool both = choice->more && choice->last;
    writing->branched |= choice->more;
    if (both)
        put_escape(writing, TREE_LEAF, 0, 0);
    put(writing,
        (uint32_t)(place % 64) | (choice->more ? TREE_MORE : 0u) |
            (choice->last && !both ? TREE_LAST : 0u),
        1);
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
    if (writing->plies == writing->capacity) {
        size_t capacity = writing->capacity ? 2 * writing->capacity : 128;
        struct ply *line = realloc(writing->line, capacity * sizeof *line);
        if (!line)
            return STATUS_NO_MEMORY;
        writing->line = line;
        writing->capacity = capacity;
    }
    const struct book_node *found = &writing->graph->nodes[node];
    writing->line[writing->plies++] = (struct ply){
        .node = node,
        .passage = writing->options->passages ? found->child : BOOK_GRAPH_NONE,
    };
    writing->places[node] = (uint32_t)writing->size + 1;
    return STATUS_OK;
}

/* Does the position stand elsewhere, and no jump is to lead there? */
static bool is_left_out(const struct writing *writing, uint32_t node)
{
    return writing->places[node] && writing->options->jumps != TREE_JUMPS_ALL &&
           (writing->options->jumps == TREE_JUMPS_NONE ||
            writing->size + MARKS_USUAL - writing->places[node] >= NEAR);
}

/* The next choice of the last position of the line; false when all are written. */
static bool next_choice(struct writing *writing, struct choice *choice)
{
    const struct book_graph *graph = writing->graph;
    struct ply *ply = &writing->line[writing->plies - 1];
    const struct book_node *node = &graph->nodes[ply->node];
    if (ply->edge < node->count) {
        uint32_t at = node->first + ply->edge++;
        const struct book_edge *edge = &graph->edges[at];
        *choice = (struct choice){.to = edge->to, .weight = edge->weight, .move = edge->move};
        if (writing->styles && styles_differ(writing, node))
            choice->styles = writing->styles[at];
    } else if (ply->passage != BOOK_GRAPH_NONE) {
        *choice = (struct choice){
            .to = ply->passage, .move = graph->nodes[ply->passage].via, .passage = true};
        ply->passage = graph->nodes[ply->passage].next;
    } else {
        return false;
    }
    choice->more = ply->edge < node->count || ply->passage != BOOK_GRAPH_NONE;
    choice->last = !has_choices(writing, choice->to) || is_left_out(writing, choice->to);
    return true;
}

static enum caxton_status write_choice(struct writing *writing, const struct choice *choice)
{
    struct ply *ply = &writing->line[writing->plies - 1];
    enum caxton_status status = make_room(writing, TREE_MARKS_MAX);
    if (status != STATUS_OK)
        return status;
    if (writing->coder)
        writing->weights[writing->size] = choice->weight;
    put_choice(writing, choice);
    if (choice->last)
        return STATUS_OK;
    if (writing->places[choice->to]) {
        put_jump(writing, writing->places[choice->to] - 1);
        return STATUS_OK;
    }
    ply->move = choice->move;
    position_make(&writing->pos, choice->move, &ply->undo);
    return push(writing, choice->to);
}

static enum caxton_status write_tree(struct writing *writing, uint32_t root)
{
    struct choice choice;
    enum caxton_status status = push(writing, root);
    while (status == STATUS_OK && writing->plies > 0) {
        if (next_choice(writing, &choice)) {
            status = write_choice(writing, &choice);
        } else if (--writing->plies > 0) {
            const struct ply *ply = &writing->line[writing->plies - 1];
            position_unmake(&writing->pos, ply->move, &ply->undo);
        }
    }
    return status;
}

/* Among moves of the same weight those that end their line come last: there they need no mark. */
static void order_ties(const struct writing *writing, const struct book_node *node)
{
    if (node->count < 2)
        return;
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
        status = make_room(writing, 2 + FEN_MAX);
        if (status == STATUS_OK && (writing->size > 0 || node->key != standard.key)) {
            char fen[FEN_MAX];
            fen_format(&writing->pos, fen);
            struct span text = span_of(fen);
            put_escape(writing, TREE_START, (uint32_t)text.size, 1);
            for (size_t c = 0; c < text.size; c++)
                put(writing, (uint8_t)text.data[c], 1);
        }
        if (status == STATUS_OK)
            status = write_tree(writing, i);
    }
    for (uint32_t i = 0; i < graph->node_count; i++)
        writing->losses.non_book +=
            graph->nodes[i].known && has_choices(writing, i) && !writing->places[i];
    writing->losses.unreached = graph->positions - graph->known;
    writing->losses.positions = graph->positions;
    return status;
}

/* The file --------------------------------------------------------------------------------- */

static void put_number(uint8_t *to, uint64_t value, int bytes)
{
    for (int i = bytes - 1; i >= 0; i--, value >>= 8)
        to[i] = (uint8_t)value;
}

static enum caxton_status write_file(struct writing *writing, FILE *out)
{
    uint8_t header[TREE_HEADER_SIZE] = {0};
    const uint8_t *packed = NULL;
    size_t packed_size = 0;
    if (writing->options->pure && !writing->branched)
        return STATUS_RANGE; /* nobody would know it for a tree */
    if (writing->options->pure)
        return fwrite(writing->body, 1, writing->size, out) == writing->size ? STATUS_OK
                                                                             : STATUS_IO;
    if (writing->coder) {
        enum tree_weights kind = writing->options->weights;
        if (tree_code_weights(writing->coder, writing->body, writing->size, kind,
                              writing->weights) != STATUS_OK)
            return STATUS_NO_MEMORY;
        packed = tree_coder_finish(writing->coder, &packed_size);
        enum caxton_status status = packed ? make_room(writing, packed_size) : STATUS_NO_MEMORY;
        if (status != STATUS_OK)
            return status;
        header[8] = (uint8_t)kind;
    }
    memcpy(header, tree_magic, sizeof tree_magic);
    put_number(header + 12, writing->size, 4);
    put_number(header + 16, packed_size, 4);
    for (size_t i = 0; i < packed_size; i++)
        put(writing, packed[i], 1);
    put_number(header + 20, tree_checksum(header, writing->body, writing->size), 8);
    return fwrite(header, 1, sizeof header, out) == sizeof header &&
                   fwrite(writing->body, 1, writing->size, out) == writing->size
               ? STATUS_OK
               : STATUS_IO;
}

static enum caxton_status prepare(struct writing *writing)
{
    size_t count = writing->graph->node_count;
    enum tree_weights weights = writing->options->weights;
    bool packs = weights == TREE_WEIGHTS_CHOICES || weights == TREE_WEIGHTS_EXACT;
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
    switch (status) {
    case STATUS_NO_MEMORY:
        return "out of memory";
    case STATUS_IO:
        return "cannot write the book";
    case STATUS_ILLEGAL:
        return "no line leads from the start to a move of the book";
    default:
        return "too large for a tree, or, for one without header, no choice in it or packed "
               "weights";
    }
}

enum caxton_status tree_write_graph(struct book_graph *graph, const struct tree_options *options,
                                    FILE *out, struct book_losses *losses, struct diag *diag)
{
    struct writing writing = {.graph = graph, .options = options};
    enum caxton_status status = prepare(&writing);
    if (status == STATUS_OK)
        status = write_trees(&writing);
    if (status == STATUS_OK && writing.size == 0)
        status = STATUS_ILLEGAL;
    if (status == STATUS_OK)
        status = write_file(&writing, out);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s", fault_text(status));
    else if (losses)
        *losses = writing.losses;
    tree_coder_destroy(writing.coder);
    free(writing.weights);
    free(writing.styles);
    free(writing.places);
    free(writing.line);
    free(writing.body);
    return status;
}
