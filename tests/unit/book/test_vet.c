/* Moves of a book that lose, found by a scripted search: at once, by the lines behind them, shared
 * by several leaves; transpositions, cycles, mates; what falls when they are taken out. It is long
 * because each case is a small book with all its scores. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/format.h"
#include "book/vet/vet.h"
#include "chess/attacks.h"
#include "eval/eval.h"
#include "tests/support/book_entries.h"

enum { ROWS_MAX = 64, SCAN = 2, LEAVES = 4, CLEAR = 5, FIRST = 6, SECOND = 8, LAST = 10 };

static const struct searcher_identity nobody = {.name = "Script"};

/* What a search says of a position from some depth on; the last row that fits counts. Elsewhere: 0
 * centipawns, the first legal move. */
struct oracle {
    struct {
        uint64_t key;
        uint64_t from;
        int score;
        move best;
    } rows[ROWS_MAX];
    int count;
    int searched;
};

static enum caxton_status oracle_create(const void *settings, void **out, struct diag *diag)
{
    union {
        const void *given;
        void *kept;
    } oracle = {.given = settings};
    (void)diag;
    *out = oracle.kept;
    return STATUS_OK;
}

static void oracle_destroy(void *searcher)
{
    (void)searcher;
}

static enum caxton_status oracle_search(void *searcher, const struct position *pos,
                                        struct search_limit limit, struct search_answer *out,
                                        struct diag *diag)
{
    struct oracle *oracle = searcher;
    move moves[MOVES_MAX];
    (void)diag;
    oracle->searched++;
    assert_true(movegen_legal(pos, moves) > 0); /* nobody asks about a game that is over */
    *out = (struct search_answer){.best = moves[0], .depth = (int)limit.value, .nodes = 1};
    for (int i = 0; i < oracle->count; i++)
        if (oracle->rows[i].key == pos->key && limit.value >= oracle->rows[i].from) {
            out->score = oracle->rows[i].score;
            if (oracle->rows[i].best != MOVE_NONE)
                out->best = oracle->rows[i].best;
        }
    return STATUS_OK;
}

static void oracle_stop(void *searcher)
{
    (void)searcher;
}

static const struct searcher_kind oracle_kind = {oracle_create, oracle_destroy, oracle_search,
                                                 oracle_stop};

/* A vet with all that it needs. */
struct setting {
    struct book_bytes bytes;
    struct oracle oracle;
    struct vet_options options;
    struct book *book;
    struct book_graph graph;
    struct score_store *store;
    struct scorer *scorer;
    struct vet *vet;
};

/* After `moves` the book plays `uci`. */
static void give(struct setting *setting, const char *moves, const char *uci, uint16_t weight)
{
    put(&setting->bytes, position_by_moves(moves).key, uci, weight);
}

/* From that depth on searches find `cp` centipawns after `moves`, for who is to move, and `best`
 * ("": any). */
static void say(struct setting *setting, const char *moves, int from, int cp, const char *best)
{
    const struct position pos = position_by_moves(moves);
    struct oracle *oracle = &setting->oracle;
    assert_true(oracle->count < ROWS_MAX);
    oracle->rows[oracle->count].key = pos.key;
    oracle->rows[oracle->count].from = (uint64_t)from;
    oracle->rows[oracle->count].score = (cp * EVAL_HALF + (cp > 0 ? 99 : -99)) / 100;
    oracle->rows[oracle->count].best = MOVE_NONE;
    if (*best)
        assert_int_equal(move_from_uci(&pos, span_of(best), &oracle->rows[oracle->count].best),
                         STATUS_OK);
    oracle->count++;
}

static int compare_entries(const void *a, const void *b)
{
    return memcmp(a, b, 8);
}

static void run_vet(struct setting *setting)
{
    struct diag diag = {.text = ""};
    qsort(setting->bytes.bytes, setting->bytes.size / 16, 16, compare_entries);
    setting->book = open_bytes(&setting->bytes);
    assert_int_equal(book_graph_create(setting->book, NULL, &setting->graph, &diag), STATUS_OK);
    struct vet_options *options = &setting->options;
    options->graph = &setting->graph;
    options->margin_cp = 100;
    options->scan = (struct search_limit){SEARCH_TO_DEPTH, SCAN};
    options->leaves = (struct search_limit){SEARCH_TO_DEPTH, LEAVES};
    static const uint64_t depths[] = {CLEAR, FIRST, SECOND, LAST};
    options->confirms = sizeof depths / sizeof *depths;
    for (int i = 0; i < options->confirms; i++)
        options->confirm[i] = (struct search_limit){SEARCH_TO_DEPTH, depths[i]};
    assert_int_equal(score_store_open(NULL, &nobody, &setting->store, &diag), STATUS_OK);
    assert_int_equal(
        scorer_create(&oracle_kind, &setting->oracle, 1, setting->store, &setting->scorer, &diag),
        STATUS_OK);
    assert_int_equal(vet_create(options, setting->scorer, &setting->vet), STATUS_OK);
    assert_int_equal(vet_run(setting->vet, &diag), STATUS_OK);
}

static void end_vet(struct setting *setting)
{
    vet_destroy(setting->vet);
    scorer_destroy(setting->scorer);
    assert_int_equal(score_store_close(setting->store, NULL), STATUS_OK);
    book_graph_destroy(&setting->graph);
    book_close(setting->book);
}

/* The finding of the move `uci` after `moves`; NULL: there is none. */
static const struct vet_finding *finding_of(const struct setting *setting, const char *moves,
                                            const char *uci)
{
    const struct position pos = position_by_moves(moves);
    size_t count;
    move m;
    const struct vet_finding *findings = vet_findings(setting->vet, &count);
    assert_int_equal(move_from_uci(&pos, span_of(uci), &m), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        if (setting->graph.nodes[findings[i].node].key == pos.key &&
            setting->graph.edges[findings[i].edge].move == m)
            return &findings[i];
    return NULL;
}

static size_t count_findings(const struct setting *setting)
{
    size_t count;
    (void)vet_findings(setting->vet, &count);
    return count;
}

static void assert_better(const struct vet_finding *finding, const char *moves, const char *uci)
{
    const struct position pos = position_by_moves(moves);
    move m;
    assert_int_equal(move_from_uci(&pos, span_of(uci), &m), STATUS_OK);
    assert_int_equal(finding->better, m);
}

#define OPEN "e2e4 e7e5"

/* Four bad moves and a good one after 1. e4 e5, where Nf3 has 20 centipawns:
 *   Ba6  -500, h4 -100: confirmed by the last search (20 + 400, for from 400 on all is lost; 120)
 *   a4   -500 until the last search finds that it is a sacrifice: cleared
 *   f4   -60 at first, 0 from the next search on: cleared
 *   Qh5  -500, but with the weight 0: it is never played. */
static void blunders_are_confirmed(void **state)
{
    (void)state;
    struct setting setting = {.options = {.at_once = true}};
    give(&setting, "", "e2e4", 1);
    give(&setting, "e2e4", "e7e5", 1);
    give(&setting, OPEN, "g1f3", 6);
    give(&setting, OPEN, "f1a6", 1);
    give(&setting, OPEN, "a2a4", 1);
    give(&setting, OPEN, "h2h4", 1);
    give(&setting, OPEN, "f2f4", 1);
    give(&setting, OPEN, "d1h5", 0);
    say(&setting, OPEN, 0, 20, "g1f3");
    say(&setting, OPEN " g1f3", 0, -20, "");
    say(&setting, OPEN " f1a6", 0, 500, "");
    say(&setting, OPEN " a2a4", 0, 500, "");
    say(&setting, OPEN " a2a4", LAST, -10, "");
    say(&setting, OPEN " h2h4", 0, 100, "");
    say(&setting, OPEN " f2f4", 0, 60, "");
    say(&setting, OPEN " f2f4", CLEAR, 0, "");
    say(&setting, OPEN " d1h5", 0, 500, "");
    run_vet(&setting);
    assert_int_equal(count_findings(&setting), 2);
    assert_int_equal(vet_counts(setting.vet).blunders, 2);
    assert_int_equal(vet_counts(setting.vet).suspects, 4);
    static const struct {
        const char *uci;
        int score_cp;
    } wanted[] = {{"f1a6", -500}, {"h2h4", -100}};
    for (int i = 0; i < 2; i++) {
        const struct vet_finding *found = finding_of(&setting, OPEN, wanted[i].uci);
        assert_non_null(found);
        assert_int_equal(found->kind, VET_BLUNDER);
        assert_int_equal(found->score_cp, wanted[i].score_cp);
        assert_int_equal(found->better_cp, 20);
        assert_true(found->effort == LAST);
        assert_int_equal(found->share_permille, 100);
        assert_int_equal(found->leaves, 1);
        assert_true(fabs(found->reach - .1) < 1e-12);
        assert_better(found, OPEN, "g1f3");
    }
    end_vet(&setting);
}

/* A move that the deepest search takes for the best is none, whatever is behind it. The better move
 * counts the lower of two scores: a best move that is worth less behind itself makes no blunder. */
static void a_better_move_is_searched(void **state)
{
    (void)state;
    struct setting setting = {.options = {.at_once = true}};
    give(&setting, "", "e2e4", 1);
    give(&setting, "", "f2f3", 1);
    say(&setting, "", 0, 150, "e2e4");
    say(&setting, "e2e4", 0, -150, "");
    say(&setting, "e2e4", SECOND, 0, ""); /* now 0 for White */
    say(&setting, "f2f3", 0, 30, "");
    run_vet(&setting);
    assert_int_equal(vet_counts(setting.vet).suspects, 1);
    assert_int_equal(count_findings(&setting), 0);
    end_vet(&setting);
}

/* 2. f4 looks well (0), but the three leaves behind it are -150 for White, and nothing in between
 * is better. 2. Nc3 would be worth 30. White's fault is 2. f4, by 180, and not what follows.
 * The line that this comes from is searched again to the last depth. */
static void leaves_share_an_ancestor(void **state)
{
    (void)state;
    static const char *const leaves[] = {OPEN " f2f4 e5f4 g1f3", OPEN " f2f4 e5f4 f1c4",
                                         OPEN " f2f4 d7d5 e4d5"};
    struct setting setting = {.options = {.side = VET_WHITE}};
    give(&setting, "", "e2e4", 1);
    give(&setting, "e2e4", "e7e5", 1);
    give(&setting, OPEN, "f2f4", 3);
    give(&setting, OPEN, "g1f3", 1);
    give(&setting, OPEN " f2f4", "e5f4", 1);
    give(&setting, OPEN " f2f4", "d7d5", 1);
    give(&setting, OPEN " f2f4 e5f4", "g1f3", 1);
    give(&setting, OPEN " f2f4 e5f4", "f1c4", 1);
    give(&setting, OPEN " f2f4 d7d5", "e4d5", 1);
    say(&setting, OPEN, 0, 30, "b1c3");
    say(&setting, OPEN " b1c3", 0, -30, "");
    say(&setting, OPEN " f2f4 e5f4", 0, -150, "g1f3");
    say(&setting, OPEN " f2f4 d7d5", 0, -150, "e4d5");
    for (int i = 0; i < 3; i++)
        say(&setting, leaves[i], 0, 150, "");
    run_vet(&setting);
    assert_int_equal(count_findings(&setting), 1);
    const struct vet_finding *found = finding_of(&setting, OPEN, "f2f4");
    assert_non_null(found);
    assert_int_equal(found->kind, VET_LINE);
    assert_int_equal(found->score_cp, -150);
    assert_int_equal(found->better_cp, 30);
    assert_better(found, OPEN, "b1c3");
    assert_int_equal(found->leaves, 3);
    assert_int_equal(found->bad, 3);
    assert_int_equal(found->share_permille, 750);
    assert_int_equal(vet_counts(setting.vet).bad_leaves, 3);
    end_vet(&setting);
}

/* The same, but a deeper search of the line finds that all is well: nothing is said. */
static void a_line_is_searched_deeper(void **state)
{
    (void)state;
    struct setting setting = {.options = {.side = VET_WHITE}};
    give(&setting, "", "e2e4", 1);
    give(&setting, "e2e4", "e7e5", 1);
    give(&setting, OPEN, "f2f4", 1);
    say(&setting, "e2e4", 0, 0, "e7e5");
    say(&setting, OPEN, 0, 30, "b1c3");
    say(&setting, OPEN " f2f4", 0, 10, ""); /* no suspect by itself */
    say(&setting, OPEN " f2f4", LEAVES, 150, "");
    say(&setting, OPEN " f2f4", LAST, 0, "");
    run_vet(&setting);
    assert_int_equal(vet_counts(setting.vet).lines, 0);
    assert_int_equal(vet_counts(setting.vet).suspects, 1);
    end_vet(&setting);
}

/* White loses 60 and then 50 on the way to a leaf that is -120: the 60 are to blame. */
static void drifts(void **state)
{
    (void)state;
    struct setting setting = {.options = {.side = VET_BOTH}};
    give(&setting, "", "f2f3", 1);
    give(&setting, "f2f3", "e7e5", 1);
    give(&setting, "f2f3 e7e5", "e1f2", 1);
    say(&setting, "", 0, 0, "e2e4");
    say(&setting, "f2f3", 0, 60, "e7e5");
    say(&setting, "f2f3 e7e5", 0, -70, "e2e4");
    say(&setting, "f2f3 e7e5 e1f2", 0, 120, "");
    run_vet(&setting);
    assert_int_equal(count_findings(&setting), 1);
    const struct vet_finding *found = finding_of(&setting, "", "f2f3");
    assert_non_null(found);
    assert_int_equal(found->kind, VET_DRIFT);
    assert_int_equal(found->score_cp, -70);
    assert_int_equal(found->better_cp, 0);
    assert_int_equal(found->bad, 1);
    end_vet(&setting);
}

#define ONE_WAY     "d2d4 g8f6 c2c4"
#define ANOTHER_WAY "c2c4 g8f6 d2d4"

/* A blunder in a position that two lines lead to: found once, as probable as both lines together,
 * and both of its ancestors are worth what is better than it. */
static void transpositions(void **state)
{
    (void)state;
    struct setting setting = {.options = {.side = VET_BOTH}};
    give(&setting, "", "d2d4", 3);
    give(&setting, "", "c2c4", 1);
    give(&setting, "d2d4", "g8f6", 1);
    give(&setting, "c2c4", "g8f6", 1);
    give(&setting, "d2d4 g8f6", "c2c4", 1);
    give(&setting, "c2c4 g8f6", "d2d4", 1);
    give(&setting, ONE_WAY, "e7e5", 1);
    give(&setting, ONE_WAY " e7e5", "e1d2", 1);
    say(&setting, ONE_WAY " e7e5", 0, 40, "d4e5");
    say(&setting, ONE_WAY " e7e5 d4e5", 0, -40, "");
    say(&setting, ONE_WAY " e7e5 e1d2", 0, 300, "");
    run_vet(&setting);
    assert_int_equal(count_findings(&setting), 1);
    const struct vet_finding *found = finding_of(&setting, ANOTHER_WAY " e7e5", "e1d2");
    assert_non_null(found);
    assert_int_equal(found->kind, VET_BLUNDER);
    assert_int_equal(found->leaves, 1);
    assert_int_equal(found->bad, 1);
    assert_true(fabs(found->reach - 1) < 1e-12);
    end_vet(&setting);
}

/* 1. Nf3 Nf6 2. Ng1 Ng8 is the start again: it is worth what the search says of the start. Black's
 * 2... Ng8 gives 200 away that way. */
static void cycles_end(void **state)
{
    (void)state;
    struct setting setting = {.options = {.side = VET_BOTH}};
    give(&setting, "", "g1f3", 1);
    give(&setting, "g1f3", "g8f6", 1);
    give(&setting, "g1f3 g8f6", "f3g1", 1);
    give(&setting, "g1f3 g8f6 f3g1", "f6g8", 1);
    say(&setting, "", 0, 200, "g1f3");
    say(&setting, "g1f3", 0, -200, "g8f6");
    say(&setting, "g1f3 g8f6", 0, 200, "f3g1");
    say(&setting, "g1f3 g8f6 f3g1", 0, 0, "e7e5");
    say(&setting, "g1f3 g8f6 f3g1 e7e5", 0, 0, "");
    run_vet(&setting);
    const struct vet_finding *found = finding_of(&setting, "g1f3 g8f6 f3g1", "f6g8");
    assert_non_null(found);
    assert_int_equal(found->kind, VET_BLUNDER);
    assert_int_equal(found->score_cp, -200);
    assert_int_equal(found->better_cp, 0);
    assert_true(fabs(found->reach - 1) < 1e-12);
    end_vet(&setting);
}

/* A game that is over is not searched: mate counts as much as a score can. */
static void mates_are_not_searched(void **state)
{
    (void)state;
    struct setting setting = {.options = {.side = VET_WHITE}};
    give(&setting, "", "f2f3", 1);
    give(&setting, "f2f3", "e7e5", 1);
    give(&setting, "f2f3 e7e5", "g2g4", 1);
    give(&setting, "f2f3 e7e5 g2g4", "d8h4", 1);
    say(&setting, "f2f3 e7e5", 0, -50, "e2e4");
    say(&setting, "f2f3 e7e5 e2e4", 0, 50, "");
    say(&setting, "f2f3 e7e5 g2g4", 0, 0, "d8h4"); /* it does not see the mate */
    run_vet(&setting);
    const struct vet_finding *found = finding_of(&setting, "f2f3 e7e5", "g2g4");
    assert_non_null(found);
    assert_int_equal(found->kind, VET_LINE);
    assert_int_equal(found->score_cp, -VET_CP_MAX);
    assert_int_equal(found->better_cp, -50);
    assert_int_equal(found->bad, 1);
    end_vet(&setting);
}

/* Weights after a cut: -1: the entry is gone. */
static int64_t weight_of(const struct entry_list *list, const char *moves, const char *uci)
{
    uint64_t key = position_by_moves(moves).key;
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].key == key && list->entries[i].move == stored_move(uci))
            return list->entries[i].weight;
    return -1;
}

static void list_entries(const struct setting *setting, struct entry_list *list)
{
    list->separate = true;
    for (size_t i = 0; i < setting->book->table.count; i++) {
        const struct book_entry entry = entry_table_at(&setting->book->table, i);
        assert_int_equal(entry_list_append(list, &entry), STATUS_OK);
    }
}

/* 1. f3 loses. With it goes what only it leads to, 1... e5 2. d4; what 1. d4 leads to, too, stays
 * (1. f3 Nf6 2. d4 is 1. d4 Nf6 2. f3), and so does what no line leads to. */
static void what_falls(void **state)
{
    (void)state;
    struct setting setting = {.options = {.at_once = true}};
    give(&setting, "", "f2f3", 7);
    give(&setting, "", "d2d4", 1);
    give(&setting, "f2f3", "e7e5", 1);
    give(&setting, "f2f3", "g8f6", 1);
    give(&setting, "f2f3 e7e5", "d2d4", 1);
    give(&setting, "f2f3 g8f6", "d2d4", 1);
    give(&setting, "d2d4", "g8f6", 1);
    give(&setting, "d2d4 g8f6", "f2f3", 1);
    give(&setting, "d2d4 g8f6 f2f3", "e7e6", 1);
    give(&setting, "a2a3 a7a6 h2h3", "h7h6", 1); /* unreached */
    say(&setting, "", 0, 0, "d2d4");
    say(&setting, "f2f3", 0, 150, "e7e5");
    run_vet(&setting);
    size_t count;
    struct vet_cut cut;
    const struct vet_finding *findings = vet_findings(setting.vet, &count);
    assert_int_equal(count, 1);
    assert_int_equal(vet_cut_create(&setting.graph, findings, count, &cut), STATUS_OK);
    assert_int_equal(cut.named_count, 1);
    assert_int_equal(cut.fallen_count, 3); /* behind f3, f3 e5 and f3 Nf6 */
    struct entry_list list = {0};
    list_entries(&setting, &list);
    assert_int_equal(vet_cut_down_weight(&cut, &list, 3), 1);
    assert_int_equal(weight_of(&list, "", "f2f3"), 2);
    assert_int_equal(weight_of(&list, "", "d2d4"), 1);
    assert_int_equal(vet_cut_down_weight(&cut, &list, 1000), 1);
    assert_int_equal(weight_of(&list, "", "f2f3"), 1); /* 0 would be never played */
    assert_int_equal(vet_cut_drop(&cut, &list), 5);
    assert_int_equal(list.count, 5);
    assert_int_equal(weight_of(&list, "", "d2d4"), 1);
    assert_int_equal(weight_of(&list, "d2d4 g8f6 f2f3", "e7e6"), 1);
    assert_int_equal(weight_of(&list, "a2a3 a7a6 h2h3", "h7h6"), 1);
    entry_list_free(&list);
    vet_cut_destroy(&cut);
    end_vet(&setting);
}

/* 1... Nc6 loses after 1. e4, but 1. Nf3 Nc6, where the book ends, leads on to 2. e4: what stands
 * behind it stays. */
static void what_other_lines_lead_on_to_stays(void **state)
{
    (void)state;
    struct setting setting = {.options = {.at_once = true}};
    struct vet_cut cut;
    size_t count;
    give(&setting, "", "e2e4", 1);
    give(&setting, "", "g1f3", 1);
    give(&setting, "e2e4", "b8c6", 1);
    give(&setting, "e2e4 b8c6", "g1f3", 1);
    give(&setting, "e2e4 b8c6 g1f3", "d7d6", 1);
    give(&setting, "g1f3", "b8c6", 1);
    say(&setting, "e2e4", 0, 0, "e7e5");
    say(&setting, "e2e4 b8c6", 0, 150, "g1f3");
    run_vet(&setting);
    const struct vet_finding *findings = vet_findings(setting.vet, &count);
    assert_int_equal(count, 1);
    assert_int_equal(vet_cut_create(&setting.graph, findings, count, &cut), STATUS_OK);
    assert_int_equal(cut.fallen_count, 1); /* behind e4 Nc6 */
    struct entry_list list = {0};
    list_entries(&setting, &list);
    assert_int_equal(vet_cut_drop(&cut, &list), 2);
    assert_int_equal(weight_of(&list, "e2e4 b8c6 g1f3", "d7d6"), 1);
    entry_list_free(&list);
    vet_cut_destroy(&cut);
    end_vet(&setting);
}

/* A line that ends badly behind a move of weight 0 is no bad end: it is never played. */
static void what_is_never_played_is_not_bad(void **state)
{
    (void)state;
    struct setting setting = {.options = {.at_once = false}};
    give(&setting, "", "e2e4", 1);
    give(&setting, "e2e4", "e7e5", 1);
    give(&setting, "e2e4", "b8c6", 0);
    say(&setting, "e2e4 b8c6", 0, 300, "");
    run_vet(&setting);
    assert_int_equal(vet_counts(setting.vet).bad_leaves, 0);
    assert_int_equal(vet_counts(setting.vet).unblamed, 0);
    end_vet(&setting);
}

static int start(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blunders_are_confirmed),
        cmocka_unit_test(a_better_move_is_searched),
        cmocka_unit_test(leaves_share_an_ancestor),
        cmocka_unit_test(a_line_is_searched_deeper),
        cmocka_unit_test(drifts),
        cmocka_unit_test(transpositions),
        cmocka_unit_test(cycles_end),
        cmocka_unit_test(mates_are_not_searched),
        cmocka_unit_test(what_falls),
        cmocka_unit_test(what_other_lines_lead_on_to_stays),
        cmocka_unit_test(what_is_never_played_is_not_bad),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
