#include "book/formats/white/lines_verify.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>

#include "book/formats/white/lines_word.h"
#include "book/formats/white/lines_write.h"

/* Two orders of the longest kind, at most nine characters a move. */
enum { OFFER_MAX = 2 * LINES_PLIES_MAX * 9 + 16 };

struct proof {
    const struct lines *lines;
    book_fault_sink sink;
    void *context;
    uint32_t *marks;         /* for each node, by the check that runs */
    struct lines_path path;  /* the left side of a rewrite */
    struct lines_path named; /* the line whose move is named; its right side before */
    char offer[OFFER_MAX];   /* the rewrite that is offered, else "" */
    /* The place of the move that was found last; the next one is found from there. */
    const struct lines_item *item; /* of its line; NULL: none */
    struct span content;
    struct span rest; /* from move `ply` on */
    int ply;
};

/* Findings ---------------------------------------------------------------------------------- */

/* Steps over what may stand before a move. */
static struct span to_move(struct span rest)
{
    rest = lines_after_number(lines_after_blanks(rest));
    while (rest.size && (rest.data[0] == '(' || rest.data[0] == ')'))
        rest = lines_after_number(lines_after_blanks(span_from(rest, 1)));
    return rest;
}

static struct span after_share(struct span rest)
{
    if (rest.size && rest.data[0] == '*')
        do
            rest = span_from(rest, 1);
        while (rest.size && rest.data[0] >= '0' && rest.data[0] <= '9');
    return to_move(rest);
}

/* The place in the file of move `ply`, counted from 1, of the line with the moves or the left side
 * of the rewrite of `item`; of `*n` when the move is among those. */
static const char *find_move(struct proof *proof, const struct lines_item *item, int ply)
{
    const struct lines *lines = proof->lines;
    struct span *rest = &proof->rest;
    if (proof->item != item) {
        *rest = span_from(span_make(lines->text, lines->text_size), item->line);
        (void)span_line(rest, &proof->content);
        proof->item = item;
        proof->content = span_trim(proof->content);
        proof->ply = INT_MAX;
    }
    if (ply <= item->shared)
        return proof->content.data;
    if (ply < proof->ply) {
        *rest = after_share(proof->content);
        proof->ply = item->shared + 1;
    }
    for (; proof->ply < ply && rest->size; proof->ply++) {
        (void)lines_cut_move(lines, rest, true);
        if (rest->size && rest->data[0] == ':')
            (void)lines_cut_weight(lines, rest);
        *rest = to_move(*rest);
    }
    return rest->data;
}

/* Reports "WHAT: WHY" at a place in the line of an item. */
static void tell(struct proof *proof, enum book_fault fault, size_t item, const char *place,
                 const char *what, const char *why)
{
    const struct lines *lines = proof->lines;
    const char *line = lines->text + lines->items[item].line;
    struct diag diag;
    diag_set(&diag, item + 1, (size_t)(place - line) + 1, "%s: %s", what, why);
    diag.offset = (size_t)(place - lines->text);
    proof->sink(proof->context, fault, &diag, *proof->offer ? proof->offer : NULL);
}

/* The same about move `ply` of the line. */
static void __attribute__((format(printf, 5, 6)))
tell_move(struct proof *proof, enum book_fault fault, size_t item, int ply, const char *format, ...)
{
    const struct lines *lines = proof->lines;
    const struct lines_item *at = &lines->items[item];
    char text[SAN_MAX];
    char what[SAN_MAX + 32];
    char why[160];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why, sizeof why, format, args);
    va_end(args);
    lines_path_seek(&proof->named, lines, at->node);
    const struct lines_node *node = &lines->nodes[proof->named.nodes[ply]];
    bool non_book = at->kind == LINES_ITEM_MOVES && !node->played;
    lines_move_text(lines, &proof->named.positions[ply - 1], node->m, text);
    (void)snprintf(what, sizeof what, non_book ? "move %d `(%s)`" : "move %d `%s`", ply, text);
    tell(proof, fault, item, find_move(proof, at, ply), what, why);
}

/* Lines ------------------------------------------------------------------------------------- */

static void clear_marks(struct proof *proof, uint32_t value)
{
    for (size_t i = 0; i < proof->lines->node_count; i++)
        proof->marks[i] = value;
}

static bool is_known(const struct lines *lines, uint32_t node)
{
    size_t first;
    return lines_find_choices(lines, lines->nodes[node].key, &first) > 0;
}

/* Lines that end where another one ends or passes, or in brackets. */
static void check_ends(struct proof *proof)
{
    const struct lines *lines = proof->lines;
    clear_marks(proof, LINES_NONE); /* the first line that ends in a node */
    for (size_t i = 0; i < lines->item_count; i++) {
        if (lines->items[i].kind != LINES_ITEM_MOVES)
            continue;
        uint32_t node = lines->items[i].node;
        int ply = lines->nodes[node].plies;
        uint32_t other = proof->marks[node];
        if (other != LINES_NONE) {
            tell_move(proof, BOOK_FAULT_DUPLICATE, i, ply, "ends the same line as line %zu",
                      (size_t)other + 1);
            continue;
        }
        proof->marks[node] = (uint32_t)i;
        other = lines_first_beyond(lines, node);
        if (other != LINES_NONE)
            tell_move(proof, BOOK_REMARK_IDLE, i, ply, "ends here, where line %zu goes on",
                      (size_t)other + 1);
        else if (!lines->nodes[node].played && !is_known(lines, node))
            tell_move(proof, BOOK_REMARK_IDLE, i, ply,
                      "nothing is played behind this non-book move");
    }
}

/* Lines that share more with an earlier one than with the one before. */
static void check_neighbours(struct proof *proof)
{
    const struct lines *lines = proof->lines;
    const struct lines_node *nodes = lines->nodes;
    uint32_t before = 0; /* where the line before ends */
    for (size_t i = 0; i < lines->item_count; i++) {
        if (lines->items[i].kind != LINES_ITEM_MOVES)
            continue;
        uint32_t end = lines->items[i].node;
        uint32_t shared = end; /* the deepest node that an earlier line has */
        while (shared && nodes[shared].first == i)
            shared = nodes[shared].parent;
        if (nodes[shared].plies > lines_common_plies(lines, before, end))
            tell_move(proof, BOOK_REMARK_APART, i, nodes[shared].plies,
                      "up to here the same as line %zu, but stands apart from it",
                      (size_t)nodes[shared].first + 1);
        before = end;
    }
}

/* The move of the line after which a rewrite leads away. */
static int ply_of_jump(const struct lines *lines, uint32_t node)
{
    int ply = lines->nodes[node].plies;
    for (; node; node = lines->nodes[node].parent)
        if (lines->nodes[node].jump != LINES_NONE)
            ply = lines->nodes[node].plies;
    return ply;
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
            tell_move(proof, BOOK_FAULT_CUT_OFF, i, ply_of_jump(lines, item->node),
                      "a rewrite leads games from here to another order, never on this line");
        /* A rewrite in a circle leads nowhere and was reported before. */
        if (item->kind == LINES_ITEM_REWRITE && nodes[item->node].jump != LINES_NONE &&
            lines_first_beyond(lines, lines_settle(lines, item->node)) == LINES_NONE)
            tell_move(proof, BOOK_REMARK_IDLE, i, nodes[item->node].plies,
                      "no line goes on from where this rewrite leads");
    }
}

/* Moves ------------------------------------------------------------------------------------- */

/* Of the moves of `parent` without a stated weight, the one that merit takes; LINES_NONE when
 * another has a stated one above 0, beside which each has its chance. */
static uint32_t preferred(const struct lines *lines, uint32_t parent)
{
    const struct lines_node *nodes = lines->nodes;
    uint32_t best = LINES_NONE;
    for (uint32_t n = nodes[parent].child; n != LINES_NONE; n = nodes[n].next) {
        if (!lines_is_choice(&nodes[n]))
            continue;
        if (nodes[n].has_weight && nodes[n].weight > 0)
            return LINES_NONE;
        if (!nodes[n].has_weight && (best == LINES_NONE || lines->prefer_later))
            best = n;
    }
    return best;
}

/* Moves with and without brackets, and those that have no chance. */
static void check_moves(struct proof *proof)
{
    const struct lines *lines = proof->lines;
    for (size_t i = 1; i < lines->node_count; i++) {
        const struct lines_node *node = &lines->nodes[i];
        if (!lines_is_choice(node))
            continue;
        if (node->bracketed)
            tell_move(proof, BOOK_REMARK_IDLE, node->first, node->plies,
                      "in brackets in one line, and played in another");
        if (lines->prefer_percent < 100 || node->has_weight)
            continue;
        uint32_t best = preferred(lines, node->parent);
        if (best != LINES_NONE && best != i)
            tell_move(proof, BOOK_REMARK_IDLE, node->first, node->plies,
                      "`prefer %s 100%%` always takes the move of line %zu",
                      lines->prefer_later ? "later" : "earlier",
                      (size_t)lines->nodes[best].first + 1);
    }
}

static void check_universal(struct proof *proof)
{
    const struct lines *lines = proof->lines;
    for (int i = 0; i < lines->except_count; i++) {
        struct position pos = lines->start;
        size_t first;
        char text[SAN_MAX];
        char what[SAN_MAX + 2];
        lines_move_text(lines, &pos, lines->except[i], text);
        position_play(&pos, lines->except[i]);
        size_t known = lines_find_choices(lines, pos.key, &first);
        if (known && lines->choices[first].played)
            continue;
        (void)snprintf(what, sizeof what, "`%s`", text);
        tell(proof, BOOK_REMARK_GAP, lines->reply_item, lines->text + lines->except_text[i], what,
             "no line answers it");
    }
}

/* Orders of moves without a rewrite -------------------------------------------------------- */

struct node_place {
    uint64_t key;
    uint32_t order;
    uint32_t node;
    bool goes_on;
};

/* Of each position, the node that the others should be rewritten to stands first. */
static int by_position(const void *left, const void *right)
{
    const struct node_place *a = left;
    const struct node_place *b = right;
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
    struct node_place *places = malloc(lines->node_count * sizeof *places);
    size_t count = 0;
    if (!places)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < lines->node_count; i++) {
        uint32_t node = (uint32_t)i;
        proof->marks[i] = lines_settle(lines, node);
        if (lines->nodes[i].first != LINES_NONE)
            places[count++] = (struct node_place){lines->nodes[i].key, lines->nodes[i].first, node,
                                                  lines_first_beyond(lines, node) != LINES_NONE};
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
    uint16_t shared = (uint16_t)lines_common_plies(lines, node, target);
    const struct lines_item rewrite = {.node = node, .target = target, .target_shared = shared};
    struct text_buffer text = text_buffer_on(proof->offer, OFFER_MAX);
    lines_rewrite_text(lines, &rewrite, &proof->path, &proof->named, &text);
    tell_move(proof, BOOK_REMARK_ORDER, lines->nodes[node].first, lines->nodes[node].plies,
              "reaches a position of line %zu by another order",
              (size_t)lines->nodes[target].first + 1);
}

/* Offers the missing rewrites. */
static enum caxton_status check_orders(struct proof *proof)
{
    const struct lines *lines = proof->lines;
    enum caxton_status status = find_targets(proof);
    if (status != STATUS_OK)
        return status;
    int offers = 0;
    for (uint32_t i = 1; i < lines->node_count && offers < LINES_OFFERS_MAX; i++) {
        const struct lines_node *node = &lines->nodes[i];
        if (node->first == LINES_NONE || node->jump != LINES_NONE || proof->marks[i] == i ||
            parent_serves(proof, i))
            continue;
        offer(proof, i);
        offers++;
    }
    return STATUS_OK;
}

/* All --------------------------------------------------------------------------------------- */

enum caxton_status lines_check(const struct lines *lines, book_fault_sink sink, void *context)
{
    struct proof *proof = calloc(1, sizeof *proof);
    uint32_t *marks = malloc(lines->node_count * sizeof *marks);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (proof && marks) {
        proof->lines = lines;
        proof->sink = sink;
        proof->context = context;
        proof->marks = marks;
        lines_path_begin(&proof->path, lines);
        lines_path_begin(&proof->named, lines);
        check_ends(proof);
        check_neighbours(proof);
        check_rewrites(proof);
        check_moves(proof);
        check_universal(proof);
        status = check_orders(proof);
    }
    free(proof);
    free(marks);
    return status;
}
