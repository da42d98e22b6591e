#include "book/formats/white/lines_verify.h"

#include <stdlib.h>
#include <string.h>

#include "book/formats/white/lines_read.h"
#include "book/formats/white/lines_rewrites.h"
#include "book/formats/white/lines_word.h"

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
            proof_tell(proof, proof_finding(LINES_DUPLICATE, i, other), ply,
                       "ends the same line as line %zu", (size_t)other + 1);
            continue;
        }
        proof->marks[node] = (uint32_t)i;
        other = first_beyond(lines, node);
        if (other != LINES_NONE)
            proof_tell(proof, proof_finding(LINES_PREFIX, i, other), ply,
                       "ends here, where line %zu goes on", (size_t)other + 1);
        else if (!lines->nodes[node].played && !is_known(lines, node))
            proof_tell(proof, proof_finding(LINES_IDLE_NON_BOOK, i, LINES_NONE), ply,
                       "nothing is played behind this non-book move");
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
        proof_tell(proof, proof_finding(LINES_APART, i, other), lines->nodes[shared].plies,
                   "up to here the same as line %zu, but stands apart from it", (size_t)other + 1);
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
            proof_tell(proof, proof_finding(LINES_CUT_OFF, i, LINES_NONE),
                       ply_of_jump(lines, item->node),
                       "a rewrite leads games from here to another order, never on this line");
        /* A rewrite in a circle leads nowhere and was reported before. */
        if (item->kind == LINES_ITEM_REWRITE && nodes[item->node].jump != LINES_NONE &&
            !lines_goes_on(lines, lines_settle(lines, item->node)))
            proof_tell(proof, proof_finding(LINES_IDLE_REWRITE, i, LINES_NONE),
                       nodes[item->node].plies, "no line goes on from where this rewrite leads");
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
        if (nodes[n].has_weight)
            continue;
        bool before =
            best != LINES_NONE &&
            (nodes[n].first != nodes[best].first ? nodes[n].first < nodes[best].first : n < best);
        if (best == LINES_NONE || before != lines->prefer_later)
            best = n;
    }
    return best;
}

/* Moves with and without brackets, and those that have no chance. */
static void check_moves(struct proof *proof)
{
    const struct lines *lines = proof->lines;
    for (size_t i = 1; i < lines->node_count && !proof->ended; i++) {
        const struct lines_node *node = &lines->nodes[i];
        if (!lines_is_choice(node))
            continue;
        if (node->bracketed)
            proof_tell(proof, proof_finding(LINES_HALF_PLAYED, node->first, LINES_NONE),
                       node->plies, "in brackets in one line, and played in another");
        if (lines->prefer_percent < 100 || node->has_weight)
            continue;
        uint32_t best = preferred(lines, node->parent);
        if (best != LINES_NONE && best != i)
            proof_tell(
                proof, proof_finding(LINES_NEVER_PLAYED, node->first, lines->nodes[best].first),
                node->plies, "`prefer %s 100%%` always takes the move of line %zu",
                lines->prefer_later ? "later" : "earlier", (size_t)lines->nodes[best].first + 1);
    }
}

/* The place of the exception in its line; those before it may be written in other ways. */
static const char *exception_place(const char *line, int index)
{
    static const char word[] = "except";
    const char *at = strstr(line, word) + sizeof word - 1;
    for (;; index--) {
        at += strspn(at, " \t\r,");
        if (index == 0)
            return at;
        at += strcspn(at, " \t\r,;\n");
    }
}

static void tell_unanswered(struct proof *proof, int index)
{
    const struct lines *lines = proof->lines;
    const char *line = lines->text + lines->items[lines->reply_item].line;
    const char *place = exception_place(line, index);
    struct lines_finding finding = proof_finding(LINES_UNANSWERED, lines->reply_item, LINES_NONE);
    char move_text[SAN_MAX];
    char text[100];
    lines_move_text(lines, &lines->start, lines->except[index], move_text);
    (void)snprintf(text, sizeof text, "line %zu, `%s`: no line answers it", finding.line,
                   move_text);
    finding.column = (size_t)(place - line) + 1;
    finding.offset = (size_t)(place - lines->text);
    finding.text = text;
    proof->ended = !proof->visit(proof->context, &finding);
}

static void check_universal(struct proof *proof)
{
    const struct lines *lines = proof->lines;
    for (int i = 0; i < lines->except_count && !proof->ended; i++) {
        struct position pos = lines->start;
        struct undo undo;
        size_t first;
        position_make(&pos, lines->except[i], &undo);
        size_t known = lines_find_choices(lines, pos.key, &first);
        if (!known || !lines->choices[first].played)
            tell_unanswered(proof, i);
    }
}

/* All --------------------------------------------------------------------------------------- */

static enum caxton_status check_all(struct proof *proof)
{
    const struct lines *lines = proof->lines;
    proof->path = lines_path_create(lines);
    proof->named = lines_path_create(lines);
    proof->marks = malloc(lines->node_count * sizeof *proof->marks);
    if (!proof->path || !proof->named || !proof->marks)
        return STATUS_NO_MEMORY;
    check_ends(proof);
    check_neighbours(proof);
    check_rewrites(proof);
    check_moves(proof);
    check_universal(proof);
    return proof->ended ? STATUS_OK : proof_check_rewrites(proof);
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
    free(proof.named);
    free(proof.marks);
    lines_destroy(lines);
    return status;
}
