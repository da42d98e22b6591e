/* Books of both sides' searches: the steps by hand, limits, faults; what always holds, with any
 * number of threads. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "book/grow/dropout.h"
#include "chess/attacks.h"
#include "search/score.h"
#include "tests/support/book_entries.h"
#include "tests/support/scripted_searcher.h"

static const struct dropout_costs costs = {.ply = 10, .own = 2, .other = 1};

static const struct searcher_identity nobody = {.name = "Script"};

struct setting {
    struct dropout_options options;
    struct script script;
    struct score_store *store;
    struct scorer *scorer;
    struct dropout *dropout;
};

static void open_setting(struct setting *setting, int threads)
{
    struct diag diag;
    assert_int_equal(score_store_open(NULL, &nobody, &setting->store, &diag), STATUS_OK);
    assert_int_equal(scorer_create(&scripted_searcher, &setting->script, threads, setting->store,
                                   &setting->scorer, &diag),
                     STATUS_OK);
    assert_int_equal(dropout_create(&setting->options, setting->scorer, &setting->dropout),
                     STATUS_OK);
}

static void close_setting(struct setting *setting)
{
    dropout_destroy(setting->dropout);
    scorer_destroy(setting->scorer);
    assert_int_equal(score_store_close(setting->store, NULL), STATUS_OK);
}

/* The position after moves from the root of the setting. */
static struct position after(const struct setting *setting, const char *moves)
{
    struct position pos = setting->options.root;
    struct span rest = span_of(moves);
    for (struct span token; (token = span_token(&rest)).size;) {
        move m;
        assert_int_equal(move_from_uci(&pos, token, &m), STATUS_OK);
        position_play(&pos, m);
    }
    return pos;
}

static void answer(struct setting *setting, const char *moves, uint64_t depth, const char *best,
                   int value)
{
    const struct position pos = after(setting, moves);
    script_score(&setting->script, &pos, best, depth, value);
}

static void assert_step(struct setting *setting, const char *moves)
{
    uint32_t node = DAG_NONE;
    assert_int_equal(dropout_step(setting->dropout, &node, NULL), STATUS_OK);
    assert_int_equal(node,
                     dag_find(&dropout_graph(setting->dropout)->dag, after(setting, moves).key));
}

static int root_score(const struct setting *setting)
{
    return dropout_graph(setting->dropout)->nodes[DAG_ROOT].score;
}

static void fill_kings(struct setting *setting)
{
    setting->options =
        (struct dropout_options){.side = WHITE, .limit = {SEARCH_TO_DEPTH, 10}, .costs = costs};
    setting->options.root = position_of("7k/8/8/8/8/8/8/K7 w - - 0 1");
    setting->script.flat = true;
    answer(setting, "", 10, "a1b2", 20);
    answer(setting, "a1b2", 4, "h8g7", -30); /* shallow: six plies less */
    answer(setting, "a1b1", 4, "h8g7", -10);
    answer(setting, "a1b2", 10, "h8g7", -20);
    answer(setting, "a1b2 h8g7", 4, "b2c3", 20);
    answer(setting, "a1b2 h8g8", 4, "b2c3", 25);
    answer(setting, "a1b2 h8h7", 4, "b2c3", 60);
    answer(setting, "a1b2 h8g7", 10, "b2c3", 20);
    answer(setting, "a1b2 h8g7 b2c3", 4, "g7f6", -20);
    answer(setting, "a1b2 h8g7 b2c3", 10, "g7f6", -35);
    answer(setting, "a1b2 h8g8", 10, "b2c3", 22);
}

static void assert_book(const struct setting *setting)
{
    /* The book: Kb2; Kc3 after both replies that were searched. */
    struct entry_list list = {0};
    struct own_move moves[MOVES_MAX];
    assert_int_equal(dropout_entries(setting->dropout, false, &list), STATUS_OK);
    assert_int_equal(list.count, 3);
    entry_list_sort(&list);
    const struct entry_table table = {.entries = list.entries, .count = list.count};
    size_t at = entry_table_find(&table, after(setting, "a1b2 h8g8").key);
    assert_int_equal(table.entries[at].move, stored_move("b2c3"));
    assert_int_equal(table.entries[at].weight, 1);
    assert_int_equal(dropout_own_moves(setting->dropout, DAG_ROOT, moves), 1);
    assert_int_equal(moves[0].score, 22);
    entry_list_free(&list);
}

static void assert_replies(const struct setting *setting)
{
    /* With the replies: Kg8 best, Kg7 13 worse. */
    struct entry_list more = {0};
    assert_int_equal(dropout_entries(setting->dropout, true, &more), STATUS_OK);
    assert_int_equal(more.count, 5);
    entry_list_sort(&more);
    const struct entry_table both = {.entries = more.entries, .count = more.count};
    struct book_move replies[MOVES_MAX];
    const struct position first = after(setting, "a1b2");
    assert_int_equal(entry_table_probe(&both, &first, replies), 2);
    book_moves_sort(replies, 2);
    assert_int_equal(replies[0].weight, 100);
    assert_int_equal(replies[1].weight, 87);
    entry_list_free(&more);
}

static void assert_kept(const struct setting *setting)
{
    /* And in the store: 100 and 87 of 187. */
    const struct dropout *kept = setting->dropout;
    const struct position first = after(setting, "a1b2");
    struct packed_position packed;
    struct store_node node;
    assert_int_equal(dropout_keep(&kept, 1, setting->store, NULL), STATUS_OK);
    position_pack(&first, &packed);
    assert_true(score_store_find_node(setting->store, &packed, WHITE, &node));
    assert_int_equal(node.count, 2);
    assert_int_equal(node.score, -22);
    assert_int_equal(node.state, STORE_EXPANDED);
    const struct position reply = after(setting, "a1b2 h8g7");
    position_pack(&reply, &packed);
    assert_true(score_store_find_node(setting->store, &packed, WHITE, &node));
    assert_true(fabs(node.probability - 87.0 / 187) < 1e-12);
    assert_int_equal(node.count, 1);
    assert_int_equal(node.depth, 10);
    const struct position other = after(setting, "a1b1");
    position_pack(&other, &packed);
    assert_false(score_store_find_node(setting->store, &packed, WHITE, &node));
}

/* Kings in the corners: three moves each.
 * 1. The start is searched: 20, Kb2.
 * 2. It is expanded. Shallow: Kb2 30, Kb1 10, Ka2 0; so they are guessed 20, 0, -10. After Kb2 a
 *    search finds -20 for Black. Kb2 costs 10; Kb1 10 + 2 * 20; Ka2 10 + 2 * 30.
 * 3. After Kb2: Kg7 -20, Kg8 -25, Kh7 -60 by shallow searches, so guessed. After Kg7 20 is found.
 * 4. After Kb2 Kg7: Kc3 is 20, the rest 0. After Kc3 35 is found, which is backed up to the start.
 * 5. So Kg8 seems better for Black than Kg7: no loss, cost 20, while Kg7 Kc3 costs 10 + 20. It is
 *    searched: 22, the score of the start now. Kg7 loses 13. */
static void steps_by_hand(void **state)
{
    (void)state;
    struct setting setting = {0};
    fill_kings(&setting);
    open_setting(&setting, 1);
    const struct dropout_counts *counts = dropout_counts(setting.dropout);
    assert_step(&setting, "");
    assert_int_equal(counts->positions, 1);
    assert_int_equal(root_score(&setting), 20);
    assert_step(&setting, "");
    assert_int_equal(counts->positions, 2);
    assert_int_equal(counts->shallow, 3);
    assert_int_equal(counts->guessed, 2);
    assert_step(&setting, "a1b2");
    assert_int_equal(counts->cost, 10);
    assert_int_equal(root_score(&setting), 20);
    assert_step(&setting, "a1b2 h8g7");
    assert_int_equal(counts->cost, 20);
    assert_int_equal(root_score(&setting), 35);
    assert_step(&setting, "a1b2 h8g8");
    assert_int_equal(counts->cost, 20);
    assert_int_equal(root_score(&setting), 22);
    assert_int_equal(counts->positions, 5);
    assert_int_equal(counts->expanded, 3);
    assert_int_equal(counts->plies, 3);

    assert_book(&setting);
    assert_replies(&setting);
    assert_kept(&setting);
    close_setting(&setting);
}

/* Each limit ends it before the step that would go beyond. */
static void limits(void **state)
{
    (void)state;
    struct setting by_cost = {0};
    fill_kings(&by_cost);
    by_cost.options.max_cost = 10;
    open_setting(&by_cost, 1);
    assert_int_equal(dropout_run(by_cost.dropout, NULL), STATUS_OK);
    assert_int_equal(dropout_counts(by_cost.dropout)->expanded, 2);
    assert_int_equal(dropout_step(by_cost.dropout, NULL, NULL), STATUS_END);
    close_setting(&by_cost);

    struct setting by_positions = {0};
    fill_kings(&by_positions);
    by_positions.options.max_positions = 4;
    open_setting(&by_positions, 1);
    assert_int_equal(dropout_run(by_positions.dropout, NULL), STATUS_OK);
    assert_int_equal(dropout_counts(by_positions.dropout)->positions, 4);
    close_setting(&by_positions);

    struct setting by_nodes = {0};
    fill_kings(&by_nodes);
    by_nodes.options.max_nodes = 5000; /* a search of the script has 1000 to 1255 */
    open_setting(&by_nodes, 1);
    assert_int_equal(dropout_run(by_nodes.dropout, NULL), STATUS_OK);
    assert_true(dropout_counts(by_nodes.dropout)->nodes >= 5000);
    assert_int_equal(dropout_counts(by_nodes.dropout)->expanded, 1); /* 1 + 3 + 1 searches */
    close_setting(&by_nodes);
}

/* What a move counts, worked out anew. */
static int count_of(const struct dropout_graph *graph, uint32_t node, uint32_t place)
{
    const struct dropout_node *next = &graph->nodes[graph->dag.moves[place].to];
    bool guessed = next->state == DROPOUT_GUESSED;
    bool own = graph->dag.nodes[node].turn == graph->side;
    bool found = graph->dag.moves[place].move == graph->nodes[node].best;
    int value = guessed ? graph->guesses[place] : score_of_child(next->score);
    bool doubted =
        own && !found && !score_is_mate(value) && (guessed || next->state == DROPOUT_SCORED);
    return doubted ? value - graph->costs.doubt : value;
}

/* Scores and costs are those of the moves below, everywhere. */
static void check_graph(const struct dropout_graph *graph)
{
    for (uint32_t i = 0; i < graph->dag.node_count; i++) {
        const struct dropout_node *node = &graph->nodes[i];
        const struct dag_node *from = &graph->dag.nodes[i];
        int best = node->repeats ? 0 : -SCORE_INFINITE;
        int cost = DROPOUT_NONE_LEFT;
        int weight = from->turn == graph->side ? graph->costs.own : graph->costs.other;
        if (node->state != DROPOUT_EXPANDED)
            continue;
        for (uint32_t j = from->first; j < from->first + from->count; j++) {
            bool known = graph->nodes[graph->dag.moves[j].to].state != DROPOUT_GUESSED;
            int value = count_of(graph, i, j);
            best = known && value > best ? value : best;
        }
        assert_int_equal(node->score, best > -SCORE_INFINITE ? best : node->searched);
        for (uint32_t j = from->first; j < from->first + from->count; j++) {
            int below = graph->nodes[graph->dag.moves[j].to].cost;
            int loss = node->score - count_of(graph, i, j);
            int all = graph->costs.ply + (loss > 0 ? loss : 0) * weight;
            if (below < DROPOUT_NONE_LEFT && all + below < cost)
                cost = all + below;
        }
        assert_int_equal(node->cost, cost);
    }
}

static uint64_t signature_of(const struct dropout_graph *graph)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < graph->dag.node_count; i++) {
        const struct dropout_node *node = &graph->nodes[i];
        sum = rng_mix(sum ^ graph->dag.nodes[i].key) + (uint64_t)(node->score + 40000) +
              ((uint64_t)node->cost << 20) + node->state;
    }
    return sum;
}

/* The kept graph has all positions of the book. */
static void check_kept(const struct setting *setting)
{
    static uint64_t keys[4000];
    size_t count = 0;
    struct entry_list list = {0};
    struct store_node node;
    const struct dropout *kept = setting->dropout;
    assert_int_equal(dropout_keep(&kept, 1, setting->store, NULL), STATUS_OK);
    for (size_t cursor = 0; score_store_next_node(setting->store, &cursor, &node);) {
        assert_true(count < sizeof keys / sizeof *keys);
        assert_true(node.probability >= 0 && node.probability <= 1);
        keys[count++] = packed_position_key(&node.pos);
    }
    assert_int_equal(dropout_entries(setting->dropout, true, &list), STATUS_OK);
    for (size_t i = 0; i < list.count; i++) {
        size_t at = 0;
        while (at < count && keys[at] != list.entries[i].key)
            at++;
        assert_true(at < count);
    }
    entry_list_free(&list);
}

/* Few men: many transpositions, repetitions and mates. */
static void what_always_holds(void **state)
{
    (void)state;
    static const char *const roots[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
        "8/8/8/3k4/8/3K4/3P4/8 b - - 0 1",
    };
    size_t joined = 0;
    size_t repeats = 0;
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        for (int side = WHITE; side <= BLACK; side++) {
            uint64_t signatures[2];
            for (int many = 0; many < 2; many++) {
                struct setting setting = {.options = {.side = side,
                                                      .limit = {SEARCH_NODES, 20000},
                                                      .costs = {20, 4, 1, 12},
                                                      .max_positions = 400}};
                setting.options.root = position_of(roots[i]);
                open_setting(&setting, many ? 4 : 1);
                assert_int_equal(dropout_run(setting.dropout, NULL), STATUS_OK);
                check_graph(dropout_graph(setting.dropout));
                check_kept(&setting);
                signatures[many] = signature_of(dropout_graph(setting.dropout));
                joined += dropout_counts(setting.dropout)->joined;
                repeats += dropout_counts(setting.dropout)->repeats;
                close_setting(&setting);
            }
            assert_true(signatures[0] == signatures[1]);
        }
    assert_true(joined > 100);
    assert_true(repeats > 10);
}

/* All leaves are found, each once. */
static void leaves_of_a_graph(void **state)
{
    (void)state;
    struct setting setting = {
        .options = {.limit = {SEARCH_NODES, 20000}, .costs = costs, .max_positions = 60}};
    setting.options.root = position_by_moves("");
    open_setting(&setting, 1);
    while (!dropout_is_done(setting.dropout)) {
        const struct dropout_graph *graph = dropout_graph(setting.dropout);
        static uint32_t leaves[4000];
        size_t count = dropout_graph_leaves(graph, leaves, 4000);
        size_t wanted = 0;
        for (uint32_t i = 0; i < graph->dag.node_count; i++)
            wanted +=
                graph->nodes[i].state == DROPOUT_GUESSED || graph->nodes[i].state == DROPOUT_SCORED;
        assert_int_equal(count, wanted);
        for (size_t i = 0; i < count; i++) {
            assert_int_not_equal(graph->nodes[leaves[i]].state, DROPOUT_EXPANDED);
            for (size_t j = 0; j < i; j++)
                assert_int_not_equal(leaves[i], leaves[j]);
        }
        assert_int_equal(dropout_step(setting.dropout, NULL, NULL), STATUS_OK);
    }
    close_setting(&setting);
}

static void ends_and_faults(void **state)
{
    (void)state;
    struct diag diag = {.text = ""};
    struct setting mate = {.options = {.limit = {SEARCH_NODES, 20000}, .costs = costs}};
    mate.options.root =
        position_of("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    open_setting(&mate, 1);
    assert_true(dropout_is_done(mate.dropout));
    struct entry_list none = {0};
    assert_int_equal(dropout_entries(mate.dropout, true, &none), STATUS_OK);
    assert_int_equal(none.count, 0);
    close_setting(&mate);

    struct setting fault = {.options = {.limit = {SEARCH_NODES, 20000}, .costs = costs}};
    fault.options.root = position_by_moves("");
    fault.script.fail_after = 30;
    open_setting(&fault, 2);
    assert_int_equal(dropout_run(fault.dropout, &diag), STATUS_IO);
    assert_string_equal(diag.text, "the engine has died");
    close_setting(&fault);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_by_hand),     cmocka_unit_test(limits),
        cmocka_unit_test(what_always_holds), cmocka_unit_test(leaves_of_a_graph),
        cmocka_unit_test(ends_and_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
