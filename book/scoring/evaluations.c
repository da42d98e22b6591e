#include "book/scoring/evaluations.h"

#include "base/array.h"
#include "base/json.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "search/score.h"

enum { DEPTH_MAX = UINT8_MAX, MATE_PLIES_MAX = SCORE_MATE - SCORE_MATE_IN_MAX };

enum caxton_status evaluations_want(struct evaluations *evaluations, uint64_t key)
{
    size_t count = evaluations->wanted_count;
    evaluations->table.item_size = sizeof key;
    if (!ARRAY_GROW(evaluations->wanted, evaluations->wanted_capacity, count + 1) ||
        key_table_reserve(&evaluations->table, count + 1, evaluations->wanted, 0, count) !=
            STATUS_OK)
        return STATUS_NO_MEMORY;
    uint32_t *slot = key_table_slot(&evaluations->table, evaluations->wanted, key);
    if (*slot == 0) {
        evaluations->wanted[count] = key;
        *slot = (uint32_t)++evaluations->wanted_count;
    }
    return STATUS_OK;
}

bool evaluations_is_wanted(const struct evaluations *evaluations, uint64_t key)
{
    return !evaluations->wanted_count ||
           *key_table_slot(&evaluations->table, evaluations->wanted, key) != 0;
}

enum caxton_status evaluations_add(struct evaluations *evaluations, const struct position *pos,
                                   const struct search_answer *answer, struct diag *diag)
{
    struct packed_position packed;
    const struct search_limit limit = {SEARCH_TO_DEPTH, (uint64_t)answer->depth};
    if (score_store_count(evaluations->store) >= evaluations->most)
        return diag_fail(STATUS_END, diag, "more evaluations than memory can hold");
    position_pack(pos, &packed);
    return score_store_add(evaluations->store, &packed, limit, answer, diag);
}

static int mate_score(int64_t plies)
{
    if (plies > 0)
        return score_mate_in(plies < MATE_PLIES_MAX ? (int)plies : MATE_PLIES_MAX);
    return score_mated_in(plies > -MATE_PLIES_MAX ? (int)-plies : MATE_PLIES_MAX);
}

int evaluation_score(int64_t value, bool mate)
{
    const int64_t most = 10000;
    value = value > most ? most : value < -most ? -most : value;
    if (mate)
        return mate_score(value > 0 ? 2 * value - 1 : 2 * value);
    return (int)value;
}

/* Lines of JSON. ------------------------------------------------------------------------------ */

/* What the move of a line of play, with the score of `answer`, makes of the position behind it. */
static enum caxton_status add_behind(struct evaluations *evaluations, const struct position *pos,
                                     struct search_answer answer, struct span moves,
                                     struct diag *diag)
{
    const struct position behind = position_after(pos, answer.best);
    int score = answer.score;
    if (move_from_uci(&behind, span_token(&moves), &answer.best) != STATUS_OK)
        answer.best = MOVE_NONE;
    answer.score = -score; /* so that score_of_child() gives it */
    if (score_is_decisive(score))
        answer.score -= score > 0 ? 1 : -1;
    answer.depth -= answer.depth > 0;
    return evaluations_add(evaluations, &behind, &answer, diag);
}

static enum caxton_status read_pv(struct evaluations *evaluations, struct span text, bool first,
                                  const struct position *pos, struct search_answer answer,
                                  struct diag *diag)
{
    static const char *const names[] = {"cp", "mate", "line"};
    struct span at[3];
    struct span moves;
    int64_t value;
    if (!json_members(text, names, at, 3, false) || !json_plain_text(at[2], &moves))
        return STATUS_SYNTAX;
    bool mate = !at[0].data || span_equal(at[0], "null");
    if (span_to_int(at[mate], INT32_MIN, INT32_MAX, &value) != STATUS_OK || (mate && !value) ||
        move_from_uci(pos, span_token(&moves), &answer.best) != STATUS_OK)
        return STATUS_ILLEGAL;
    answer.score = evaluation_score(pos->turn == WHITE ? value : -value, mate);
    enum caxton_status status =
        first ? evaluations_add(evaluations, pos, &answer, diag) : STATUS_OK;
    return status == STATUS_OK ? add_behind(evaluations, pos, answer, moves, diag) : status;
}

static enum caxton_status read_eval(struct evaluations *evaluations, struct span text,
                                    const struct position *pos, struct diag *diag)
{
    static const char *const names[] = {"pvs", "depth", "knodes"};
    struct span at[3];
    struct span pv;
    int64_t depth;
    int64_t knodes;
    enum caxton_status status = STATUS_OK;
    if (!json_members(text, names, at, 3, false) || !at[0].data)
        return STATUS_SYNTAX;
    if (span_to_int(at[1], 0, DEPTH_MAX, &depth) != STATUS_OK ||
        span_to_int(at[2], 0, INT64_MAX / 1000, &knodes) != STATUS_OK)
        return STATUS_ILLEGAL;
    const struct search_answer answer = {.depth = (int)depth, .nodes = (uint64_t)knodes * 1000};
    for (bool first = true; status == STATUS_OK; first = false) {
        if (!json_element(&at[0], &pv))
            return STATUS_SYNTAX;
        if (!pv.data)
            break;
        status = read_pv(evaluations, pv, first, pos, answer, diag);
    }
    return status;
}

static enum caxton_status read_json(struct evaluations *evaluations, struct span line,
                                    struct diag *diag)
{
    static const char *const names[] = {"fen", "evals"};
    struct span at[2];
    struct span fen;
    struct position pos;
    diag_set(diag, 0, 0, "no JSON with a fen and evals, as Lichess publishes it");
    if (!json_members(line, names, at, 1, true) || !json_plain_text(at[0], &fen))
        return STATUS_SYNTAX;
    if (fen_parse(fen, &pos, diag) != STATUS_OK)
        return STATUS_ILLEGAL;
    if (!evaluations_is_wanted(evaluations, pos.key))
        return STATUS_OK;
    diag_set(diag, 0, 0, "no JSON with a fen and evals, as Lichess publishes it");
    if (!json_members(line, names, at, 2, false) || !at[1].data)
        return STATUS_SYNTAX;
    evaluations->used++;
    for (enum caxton_status status = STATUS_OK;;) {
        struct span eval;
        if (!json_element(&at[1], &eval))
            return STATUS_SYNTAX;
        if (eval.data)
            status = read_eval(evaluations, eval, &pos, diag);
        if (status == STATUS_ILLEGAL)
            diag_set(diag, 0, 0, "a move that is illegal there, or a number that cannot be");
        if (!eval.data || status != STATUS_OK)
            return status;
    }
}

/* Lines of EPD. ------------------------------------------------------------------------------- */

/* "17", "M5", "-M4", "mated", with a comma behind it or not; larger than 25000 is a mate, too. */
static bool read_chessdb_score(struct span text, int *score)
{
    enum { MATES_FROM = 25000, MATE_NOW = 30000 };
    int64_t value;
    text.size -= text.size > 0 && text.data[text.size - 1] == ',';
    bool mated = text.size > 1 && text.data[0] == '-' && text.data[1] == 'M';
    bool mate = mated || (text.size > 0 && text.data[0] == 'M');
    if (span_equal(text, "mated"))
        value = -MATE_NOW;
    else if (span_to_int(span_from(text, (size_t)mated + mate), mate ? 0 : -MATE_NOW, MATE_NOW,
                         &value) != STATUS_OK)
        return false;
    else if (mate)
        value = mated ? value - MATE_NOW : MATE_NOW - value;
    if (value > MATES_FROM || value < -MATES_FROM)
        *score = mate_score(value > 0 ? MATE_NOW - value : -MATE_NOW - value);
    else
        *score = evaluation_score(value, false);
    return true;
}

static enum caxton_status read_epd(struct evaluations *evaluations, struct span line,
                                   struct diag *diag)
{
    struct search_answer answer = {.best = MOVE_NONE};
    struct position pos;
    struct span rest;
    bool scored = false;
    enum caxton_status status = fen_parse_epd(line, &pos, &rest, diag);
    if (status != STATUS_OK || !evaluations_is_wanted(evaluations, pos.key))
        return status;
    while (rest.size > 0) {
        struct span operation = fen_take_operation(&rest);
        struct span opcode = span_token(&operation);
        struct span operand = span_token(&operation);
        bool good = true;
        if (span_equal(opcode, "cdb") && span_equal(operand, "eval:"))
            good = scored = read_chessdb_score(span_token(&operation), &answer.score);
        else if (span_equal(opcode, "PV:") && operand.size > 0)
            good = move_from_uci(&pos, operand, &answer.best) == STATUS_OK;
        if (!good)
            return diag_fail(STATUS_ILLEGAL, diag, "an illegal move, or a score that is none");
    }
    evaluations->used += scored;
    return scored ? evaluations_add(evaluations, &pos, &answer, diag) : STATUS_OK;
}

enum caxton_status evaluations_read_line(struct evaluations *evaluations, struct span line,
                                         struct diag *diag)
{
    line = span_trim(line);
    if (line.size == 0 || *line.data == '#')
        return STATUS_OK;
    return *line.data == '{' ? read_json(evaluations, line, diag)
                             : read_epd(evaluations, line, diag);
}
