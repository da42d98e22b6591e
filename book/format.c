#include "book/format.h"

#include "base/text.h"

const char *book_losses_text(const struct book_losses *losses, char out[BOOK_LOSSES_TEXT_MAX])
{
    const struct {
        size_t positions;
        const char *why;
    } causes[] = {
        {losses->unreached, "no line reaches them, as where rare moves were left out"},
        {losses->other_starts, "only lines from another start reach them"},
        {losses->non_book, "only moves that are not the book's lead to them"},
    };
    const struct {
        size_t count;
        const char *one;
        const char *many;
    } details[] = {
        {losses->weights, "weight not kept", "weights not kept"},
        {losses->large, "weight too large: scaled down or cut",
         "weights too large: scaled down or cut"},
        {losses->unplayed, "move of weight 0 left out", "moves of weight 0 left out"},
        {losses->learn, "learn value not kept", "learn values not kept"},
        {losses->illegal, "illegal move left out", "illegal moves left out"},
        {losses->unfollowed, "", "moves are too many to look for illegal ones"},
        {losses->castlings, "move such as e1g1, castling or not, as it is: no line reaches it",
         "moves such as e1g1, castling or not, as they are: no line reaches them"},
        {losses->comments, "comment, name or mark not kept", "comments, names and marks not kept"},
        {losses->unscored, "move without a score left out", "moves without a score left out"},
    };
    struct text_buffer text = text_buffer_on(out, BOOK_LOSSES_TEXT_MAX);
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (causes[i].positions)
            text_append(&text, "%s%zu of %zu positions left out: %s", text.size ? "; " : "",
                        causes[i].positions, losses->positions, causes[i].why);
    for (size_t i = 0; i < sizeof details / sizeof *details; i++)
        if (details[i].count)
            text_append(&text, "%s%zu %s", text.size ? "; " : "", details[i].count,
                        details[i].count == 1 ? details[i].one : details[i].many);
    return out;
}

void book_facts_clear(struct book_facts *facts)
{
    /* The list is long, and most of it stays unused. */
    facts->unit = 1;
    facts->state = NULL;
    facts->own = false;
    facts->probability = 0;
    facts->ply = 0;
    facts->count = 0;
}

struct book_move_facts *book_facts_add(struct book_facts *facts, uint16_t stored, move m)
{
    struct book_move_facts *added = &facts->moves[facts->count++];
    *added = (struct book_move_facts){.stored = stored, .move = m, .probability = -1};
    return added;
}

struct book_move_facts *book_facts_find(const struct book_facts *facts, uint16_t stored)
{
    for (int i = 0; i < facts->count; i++)
        if (facts->moves[i].stored == stored)
            return (struct book_move_facts *)&facts->moves[i];
    return NULL;
}

/* In `unit`; nobody has so many games that a sum of some does not fit. */
static uint64_t in_unit(uint64_t count, uint64_t unit, uint64_t own)
{
    const uint64_t most = (UINT64_C(1) << 54) / (unit / own);
    return (count < most ? count : most) * (unit / own);
}

static void add_games(struct book_move_facts *to, uint64_t unit, uint64_t own,
                      const struct book_move_facts *more, uint64_t theirs)
{
    to->wins = in_unit(to->wins, unit, own) + in_unit(more->wins, unit, theirs);
    to->draws = in_unit(to->draws, unit, own) + in_unit(more->draws, unit, theirs);
    to->losses = in_unit(to->losses, unit, own) + in_unit(more->losses, unit, theirs);
    to->rated = in_unit(to->rated, unit, own) + in_unit(more->rated, unit, theirs);
    for (int i = 0; i < 2; i++)
        to->ratings[i] =
            in_unit(to->ratings[i], unit, own) + in_unit(more->ratings[i], unit, theirs);
    if (more->first_month && (!to->first_month || more->first_month < to->first_month))
        to->first_month = more->first_month;
    if (more->last_month > to->last_month)
        to->last_month = more->last_month;
}

void book_facts_merge(struct book_facts *facts, const struct book_facts *more)
{
    static const struct book_move_facts nothing;
    uint64_t unit = facts->unit > more->unit ? facts->unit : more->unit;
    for (int i = 0; i < facts->count; i++) {
        const struct book_move_facts *same = book_facts_find(more, facts->moves[i].stored);
        add_games(&facts->moves[i], unit, facts->unit, same ? same : &nothing, more->unit);
    }
    for (int i = 0; i < more->count; i++) {
        if (book_facts_find(facts, more->moves[i].stored) || facts->count == MOVES_MAX)
            continue;
        struct book_move_facts *added = &facts->moves[facts->count++];
        *added = more->moves[i];
        add_games(added, unit, more->unit, &nothing, unit);
    }
    facts->unit = unit;
}

static const char *const fault_names[BOOK_FAULTS] = {
    [BOOK_FAULT_SIZE] = "parts that are cut",
    [BOOK_FAULT_REST] = "size that is no multiple of 16",
    [BOOK_FAULT_ORDER] = "entries out of place",
    [BOOK_FAULT_UNSORTED] = "keys that are smaller than the key before",
    [BOOK_FAULT_DUPLICATE] = "moves that their position has already",
    [BOOK_FAULT_SYNTAX] = "words that mean nothing where they stand",
    [BOOK_FAULT_NO_MOVE] = "moves that no piece can make anywhere",
    [BOOK_FAULT_ILLEGAL] = "moves that are illegal in their position",
    [BOOK_FAULT_AMBIGUOUS] = "moves that could be several",
    [BOOK_FAULT_CASTLING] = "castlings written in another way",
    [BOOK_FAULT_JOURNEY] = "castlings written as the king's journey, such as e1g1",
    [BOOK_FAULT_LINK] = "references to what is not there",
    [BOOK_FAULT_LOOP] = "references that come back or belong elsewhere",
    [BOOK_FAULT_CUT_OFF] = "lines that no game can come to",
    [BOOK_FAULT_DAMAGE] = "records that are damaged",
    [BOOK_MISREAD_CASTLING] = "castlings that the program does not find",
    [BOOK_MISREAD_ROOK] = "moves that it takes for castling",
    [BOOK_MISREAD_PROMOTION] = "promotions that it does not find",
    [BOOK_MISREAD_ZERO] = "moves of weight 0 that it misreads",
    [BOOK_MISREAD_END] = "positions at an end of the file that it does not find",
    [BOOK_MISREAD_RARE] = "moves that it never plays, for their small weight",
    [BOOK_REMARK_APART] = "lines that stand apart from similar ones (a remark)",
    [BOOK_REMARK_UNPLAYED] = "weights of 0: moves that are known and never played (a remark)",
    [BOOK_REMARK_LIGHTER] = "moves behind a lighter one (a remark)",
    [BOOK_REMARK_IDLE] = "lines, moves and brackets that change nothing (a remark)",
    [BOOK_REMARK_ORDER] = "orders of moves without a rewrite (a remark)",
    [BOOK_REMARK_GAP] = "moves without an answer (a remark)",
    [BOOK_REMARK_UNSCORED] = "times records without a score (a remark)",
};

const char *book_fault_name(enum book_fault fault)
{
    return fault_names[fault];
}
