/* Proof-reading a file of lines. */
#include <stdarg.h>
#include <stdlib.h>

#include "book/formats/lines_internal.h"

/* Two orders of the longest kind, at most nine characters a move. */
enum { OFFER_MAX = 2 * LINES_PLIES_MAX * 9 + 16 };

struct proof {
    const struct lines *lines;
    lines_visit *visit;
    void *context;
    bool ended; /* the visitor has had enough */
    struct lines_path *path;
    struct lines_path *right;
    char *offer;
    uint32_t *marks; /* for each node, by the check that runs */
};

static void tell(struct proof *proof, struct lines_finding finding, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void tell(struct proof *proof, struct lines_finding finding, const char *format, ...)
{
    char text[200];
    va_list args;
    if (proof->ended)
        return;
    va_start(args, format);
    int size = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    finding.text = size < 0 ? "" : text;
    proof->ended = !proof->visit(proof->context, &finding);
}

static struct lines_finding finding_of(enum lines_fault fault, size_t item, uint32_t other)
{
    return (struct lines_finding){
        .fault = fault, .line = item + 1, .other = other == LINES_NONE ? 0 : (size_t)other + 1};
}

/* Lines ------------------------------------------------------------------------------------- */

static void clear_marks(struct proof *proof, uint32_t value)
{
    for (size_t i = 0; i < proof->lines->node_count; i++)
        proof->marks[i] = value;
}

/* The first line that goes on from `node`. */
static uint32_t first_beyond(const struct lines *lines, uint32_t node)
{
    uint32_t first = LINES_NONE;
    for (uint32_t n = lines->nodes[node].child; n != LINES_NONE; n = lines->nodes[n].next)
        if (lines->nodes[n].first < first)
            first = lines->nodes[n].first;
    return first;
}

/* Lines that end where another one ends or passes. */
static void check_ends(struct proof *proof)
{
    const struct lines *lines = proof->lines;
    clear_marks(proof, LINES_NONE); /* the first line that ends in a node */
    for (size_t i = 0; i < lines->item_count; i++) {
        if (lines->items[i].kind != LINES_ITEM_MOVES)
            continue;
        uint32_t node = lines->items[i].node;
        uint32_t other = proof->marks[node];
        if (other != LINES_NONE) {
            tell(proof, finding_of(LINES_DUPLICATE, i, other), "line %zu: the same as line %zu",
                 i + 1, (size_t)other + 1);
            continue;
        }
        proof->marks[node] = (uint32_t)i;
        other = first_beyond(lines, node);
        if (other != LINES_NONE)
            tell(proof, finding_of(LINES_PREFIX, i, other), "line %zu: the beginning of line %zu",
                 i + 1, (size_t)other + 1);
    }
}

/* Lines that share more with an earlier one than with the one before. Walks up to what the line
 * before has in common: no further than the moves that stand written. */
static void check_neighbours(struct proof *proof)
{
    const struct lines *lines = proof->lines;
    uint32_t *current = proof->path->nodes;
    int plies = 0;
    for (size_t i = 0; i < lines->item_count; i++) {
        if (lines->items[i].kind != LINES_ITEM_MOVES)
            continue;
        uint32_t node = lines->items[i].node;
        uint32_t shared = LINES_NONE; /* the deepest node that an earlier line has */
        int end = lines->nodes[node].plies;
        for (int at = end; at > plies || current[at] != node; at--) {
            if (shared == LINES_NONE && lines->nodes[node].first < i)
                shared = node;
            current[at] = node;
            node = lines->nodes[node].parent;
        }
        plies = end;
        if (shared == LINES_NONE)
            continue;
        uint32_t other = lines->nodes[shared].first;
        tell(proof, finding_of(LINES_APART, i, other),
             "line %zu: begins with the %d moves of line %zu, but stands elsewhere", i + 1,
             (int)lines->nodes[shared].plies, (size_t)other + 1);
    }
}

/* Lines behind moves that a rewrite leads away, and rewrites that lead to nothing. */
static void check_rewrites(struct proof *proof)
{
    const struct lines *lines = proof->lines;
    const struct lines_node *nodes = lines->nodes;
    clear_marks(proof, 0); /* 1: games do not get there; 2: a rewrite leads there */
    for (size_t i = 1; i < lines->node_count; i++)
        if (nodes[i].jump != LINES_NONE)
            proof->marks[nodes[i].jump] = 2;
    for (size_t i = 1; i < lines->node_count; i++) {
        uint32_t parent = nodes[i].parent;
        bool away = proof->marks[parent] == 1 || nodes[parent].jump != LINES_NONE;
        if (away && proof->marks[i] != 2)
            proof->marks[i] = 1;
    }
    for (size_t i = 0; i < lines->item_count; i++) {
        const struct lines_item *item = &lines->items[i];
        if (item->kind == LINES_ITEM_MOVES && proof->marks[item->node] == 1)
            tell(proof, finding_of(LINES_CUT_OFF, i, LINES_NONE),
                 "line %zu: a rewrite leads its moves to another order", i + 1);
        /* One of a circle leads nowhere and was told before. */
        if (item->kind == LINES_ITEM_REWRITE && nodes[item->node].jump != LINES_NONE &&
            !lines_goes_on(lines, lines_settle(lines, item->node)))
            tell(proof, finding_of(LINES_IDLE_REWRITE, i, LINES_NONE),
                 "line %zu: no line goes on from where this rewrite leads", i + 1);
    }
}

static void check_universal(struct proof *proof)
{
    const struct lines *lines = proof->lines;
    for (int i = 0; i < lines->except_count; i++) {
        struct position pos = lines->start;
        struct undo undo;
        char text[SAN_MAX];
        size_t first;
        lines_move_text(lines, &pos, lines->except[i], text);
        position_make(&pos, lines->except[i], &undo);
        if (!lines_find_choices(lines, pos.key, &first))
            tell(proof, finding_of(LINES_UNANSWERED, lines->reply_item, LINES_NONE),
                 "line %zu: no line answers `%s`", lines->reply_item + 1, text);
    }
}

/* Missing rewrites -------------------------------------------------------------------------- */

struct place {
    uint64_t key;
    uint32_t order;
    uint32_t node;
    bool goes_on;
};

/* Of each position, the node that the others should be rewritten to stands first. */
static int by_position(const void *left, const void *right)
{
    const struct place *a = left;
    const struct place *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->goes_on != b->goes_on)
        return a->goes_on ? -1 : 1;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

/* marks[]: where each node of a line should lead; to itself where it is right. */
static enum caxton_status find_targets(struct proof *proof)
{
    const struct lines *lines = proof->lines;
    struct place *places = malloc(lines->node_count * sizeof *places);
    size_t count = 0;
    if (!places)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < lines->node_count; i++) {
        uint32_t node = (uint32_t)i;
        proof->marks[i] = lines_settle(lines, node);
        if (lines->nodes[i].first != LINES_NONE)
            places[count++] = (struct place){lines->nodes[i].key, lines->nodes[i].first, node,
                                             lines_goes_on(lines, node)};
    }
    qsort(places, count, sizeof *places, by_position);
    uint32_t target = LINES_NONE;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || places[i].key != places[i - 1].key)
            /* The start is not reached by any order of moves that could be written. */
            target = places[i].goes_on && places[i].node ? places[i].node : LINES_NONE;
        if (target != LINES_NONE && lines->nodes[places[i].node].jump == LINES_NONE)
            proof->marks[places[i].node] = target;
    }
    free(places);
    return STATUS_OK;
}

/* Does the rewrite of the moves before do for this node, too? */
static bool parent_serves(const struct proof *proof, uint32_t node)
{
    const struct lines *lines = proof->lines;
    uint32_t parent = lines->nodes[node].parent;
    uint32_t other = proof->marks[parent];
    if (other == parent)
        return false;
    uint32_t there = lines_child(lines, other, lines->nodes[node].m);
    return there != LINES_NONE && proof->marks[there] == proof->marks[node];
}

static void offer(struct proof *proof, uint32_t node)
{
    const struct lines *lines = proof->lines;
    uint32_t target = proof->marks[node];
    uint32_t other = lines->nodes[target].first;
    struct text_buffer text = text_buffer_on(proof->offer, OFFER_MAX);
    (void)lines_path_seek(proof->path, lines, node);
    lines_rewrite_text(lines, proof->path, proof->right, target, &text);
    struct lines_finding finding =
        finding_of(LINES_MISSING_REWRITE, lines->nodes[node].first, other);
    finding.offer = proof->offer;
    tell(proof, finding, "line %zu: move %d reaches a position of line %zu by another order",
         (size_t)lines->nodes[node].first + 1, (int)lines->nodes[node].plies, (size_t)other + 1);
}

static enum caxton_status check_missing(struct proof *proof)
{
    const struct lines *lines = proof->lines;
    enum caxton_status status = find_targets(proof);
    if (status != STATUS_OK)
        return status;
    int offers = 0;
    proof->path->plies = 0; /* another check has used it */
    for (size_t i = 1; i < lines->node_count && offers < LINES_OFFERS_MAX && !proof->ended; i++) {
        uint32_t node = (uint32_t)i;
        if (lines->nodes[i].first == LINES_NONE || lines->nodes[i].jump != LINES_NONE ||
            proof->marks[i] == node || parent_serves(proof, node))
            continue;
        offer(proof, node);
        offers++;
    }
    return STATUS_OK;
}

static enum caxton_status check_all(struct proof *proof)
{
    size_t count = proof->lines->node_count;
    proof->path = lines_path_create(proof->lines);
    proof->right = lines_path_create(proof->lines);
    proof->offer = malloc(OFFER_MAX);
    proof->marks = malloc(count * sizeof *proof->marks);
    if (!proof->path || !proof->right || !proof->offer || !proof->marks)
        return STATUS_NO_MEMORY;
    check_ends(proof);
    check_neighbours(proof);
    check_rewrites(proof);
    check_universal(proof);
    return proof->ended ? STATUS_OK : check_missing(proof);
}

enum caxton_status lines_verify(const char *text, size_t size, lines_visit *visit, void *context)
{
    struct lines *lines;
    enum caxton_status status = lines_parse_all(text, size, visit, context, &lines);
    if (status == STATUS_END)
        return STATUS_OK;
    if (status != STATUS_OK)
        return status;
    struct proof proof = {.lines = lines, .visit = visit, .context = context};
    status = check_all(&proof);
    free(proof.path);
    free(proof.right);
    free(proof.offer);
    free(proof.marks);
    lines_destroy(lines);
    return status;
}
