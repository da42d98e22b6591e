/* The program's own search as a searcher: it answers alike whatever it searched before, stops at
 * once, and builds the same book on any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/thread.h"
#include "book/scoring/builtin_searcher.h"
#include "chess/attacks.h"
#include "tests/support/growing.h"

static const struct builtin_settings settings = {.hash_mb = 1};
static const char middlegame[] =
    "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9";

static void *new_searcher(void)
{
    void *searcher;
    assert_int_equal(builtin_searcher.create(&settings, &searcher, NULL), STATUS_OK);
    return searcher;
}

static struct search_answer answer_to(void *searcher, const char *fen, struct search_limit limit)
{
    struct search_answer answer;
    struct position pos = position_of(fen);
    assert_int_equal(builtin_searcher.search(searcher, &pos, limit, &answer, NULL), STATUS_OK);
    return answer;
}

static void assert_alike(struct search_answer a, struct search_answer b)
{
    assert_int_equal(a.best, b.best);
    assert_int_equal(a.score, b.score);
    assert_int_equal(a.depth, b.depth);
    assert_true(a.nodes == b.nodes);
}

static void answers_do_not_depend_on_the_past(void **state)
{
    (void)state;
    static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    static const char late[] =
        "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 40 60";
    const struct search_limit limits[] = {{SEARCH_TO_DEPTH, 8}, {SEARCH_NODES, 20000}};
    for (int i = 0; i < 2; i++) {
        void *fresh = new_searcher();
        void *used = new_searcher();
        (void)answer_to(used, start, limits[i]);
        (void)answer_to(used, middlegame, limits[i]);
        struct search_answer first = answer_to(fresh, middlegame, limits[i]);
        assert_true(first.nodes > 1000);
        assert_alike(first, answer_to(used, middlegame, limits[i]));
        assert_alike(first, answer_to(used, late, limits[i])); /* clocks do not count */
        builtin_searcher.destroy(fresh);
        builtin_searcher.destroy(used);
    }
    builtin_searcher.destroy(NULL);
}

static void it_says_who_it_is(void **state)
{
    (void)state;
    struct searcher_identity a;
    struct searcher_identity b;
    assert_int_equal(builtin_searcher_identity(&settings, &a), STATUS_OK);
    assert_int_equal(builtin_searcher_identity(&settings, &b), STATUS_OK);
    assert_memory_equal(&a, &b, sizeof a);
    assert_string_equal(a.name, "Caxton " CAXTON_VERSION);
    assert_int_equal(a.hash_mb, 1);
    assert_true(a.network != 0 && a.signature > 0);
}

static void *stop_it(void *searcher)
{
    (builtin_searcher.stop)(searcher); /* stop() is a macro of cmocka 2 */
    return NULL;
}

/* A stop ends a search that would take days, whether it comes before the search or during it. */
static void it_stops(void **state)
{
    (void)state;
    const struct search_limit endless = {SEARCH_NODES, UINT64_C(1) << 60};
    struct search_answer answer;
    struct position pos = position_of(middlegame);
    void *searcher = new_searcher();
    pthread_t thread;
    assert_int_equal(thread_start(&thread, stop_it, searcher), STATUS_OK);
    assert_int_equal(builtin_searcher.search(searcher, &pos, endless, &answer, NULL), STATUS_END);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(builtin_searcher.search(searcher, &pos, endless, &answer, NULL), STATUS_END);
    builtin_searcher.destroy(searcher);
}

/* The moves of a book against a small one, by so many threads, into `out`. Returns how many
 * searches it is made of. */
static size_t grow_book(struct score_store *store, int threads, struct entry_list *out,
                        struct scorer_counts *counts)
{
    struct scorer *scorer;
    struct grow *grow;
    struct diag diag = {.text = ""};
    struct grow_options options = {.side = WHITE, .root_depth = 7, .min_depth = 3, .branch = 3};
    struct book_bytes bytes = {.size = 0};
    static const char *const first[] = {"e7e5", "c7c5", "d7d5", "g8f6", "e7e6"};
    static const char *const openings[] = {"e2e4", "d2d4", "g1f3", "c2c4", "e2e3", "b1c3"};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 5; j++)
            put(&bytes, position_by_moves(openings[i]).key, first[j], (uint16_t)(5 - j));
    struct book *book = open_bytes(&bytes);
    const struct opponent_source source = {.book = book, .share = 1};
    options.opponent = (struct opponent){.sources = &source, .source_count = 1};
    position_start(&options.root);
    assert_int_equal(scorer_create(&builtin_searcher, &settings, threads, store, &scorer, &diag),
                     STATUS_OK);
    assert_int_equal(grow_create(&options, scorer, &grow), STATUS_OK);
    assert_int_equal(grow_run(grow, &diag), STATUS_OK);
    assert_int_equal(grow_own_entries(grow, out), STATUS_OK);
    size_t searches = grow_counts(grow)->searches;
    *counts = scorer_counts(scorer);
    entry_list_sort(out);
    grow_destroy(grow);
    scorer_destroy(scorer);
    book_close(book);
    return searches;
}

static void threads_do_not_change_the_book(void **state)
{
    (void)state;
    static const struct searcher_identity identity = {.name = "Caxton"};
    struct entry_list wanted = {0};
    struct scorer_counts counts;
    struct score_store *store;
    size_t searches = 0;
    for (int threads = 1; threads <= 4; threads += 3) {
        struct entry_list list = {0};
        assert_int_equal(score_store_open(NULL, &identity, &store, NULL), STATUS_OK);
        size_t count = grow_book(store, threads, &list, &counts);
        assert_true(counts.searched >= count);
        if (threads == 1) {
            assert_int_equal(counts.searched, count); /* nothing ahead */
            wanted = list;
            searches = count;
            assert_true(count >= 10);
        } else {
            assert_int_equal(count, searches);
            assert_int_equal(list.count, wanted.count);
            for (size_t i = 0; i < list.count; i++) {
                assert_true(list.entries[i].key == wanted.entries[i].key);
                assert_int_equal(list.entries[i].move, wanted.entries[i].move);
            }
            /* Once more with what the store has: no search. */
            entry_list_free(&list);
            assert_int_equal(grow_book(store, 1, &list, &counts), searches);
            assert_int_equal(counts.searched, 0);
            entry_list_free(&list);
        }
        assert_int_equal(score_store_close(store, NULL), STATUS_OK);
    }
    entry_list_free(&wanted);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_do_not_depend_on_the_past),
        cmocka_unit_test(it_says_who_it_is),
        cmocka_unit_test(it_stops),
        cmocka_unit_test(threads_do_not_change_the_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
