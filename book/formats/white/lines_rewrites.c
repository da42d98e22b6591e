#include "book/formats/white/lines_rewrites.h"

#include <stdlib.h>

#include "book/formats/white/lines_write.h"

/* Two orders of the longest kind, at most nine characters a move. */
enum { OFFER_MAX = 2 * LINES_PLIES_MAX * 9 + 16 };

struct orders {
    struct lines_path *right;
    char *offer;
};

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

static void offer(struct proof *proof, struct orders *orders, uint32_t node)
{
    const struct lines *lines = proof->lines;
    uint32_t target = proof->marks[node];
    uint32_t other = lines->nodes[target].first;
    struct text_buffer text = text_buffer_on(orders->offer, OFFER_MAX);
    (void)lines_path_seek(proof->path, lines, node);
    lines_rewrite_text(lines, proof->path, orders->right, target, &text);
    struct lines_finding finding =
        proof_finding(LINES_MISSING_REWRITE, lines->nodes[node].first, other);
    finding.offer = orders->offer;
    proof_tell(proof, finding, lines->nodes[node].plies,
               "reaches a position of line %zu by another order", (size_t)other + 1);
}

static enum caxton_status offer_all(struct proof *proof, struct orders *orders)
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
        offer(proof, orders, node);
        offers++;
    }
    return STATUS_OK;
}

enum caxton_status proof_check_rewrites(struct proof *proof)
{
    struct orders orders = {lines_path_create(proof->lines), malloc(OFFER_MAX)};
    enum caxton_status status =
        orders.right && orders.offer ? offer_all(proof, &orders) : STATUS_NO_MEMORY;
    free(orders.right);
    free(orders.offer);
    return status;
}
