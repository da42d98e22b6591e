/* A UCI engine as a searcher: what it is told, what is understood of its answers, and what happens
 * when it dies, lies, hangs or does not stop writing. The engine is tests/support/fake_engine.sh.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/thread.h"
#include "book/scoring/uci_searcher.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "eval/eval.h"
#include "search/score.h"
#include "tests/support/book_entries.h"

#define FAKE_ENGINE TEST_DATA_DIR "/../support/fake_engine.sh"

/* Long: only a broken searcher waits for so long. */
enum { START_MS = 60000, SEARCH_MS = 60000, LOG_MAX = 4096 };

static const struct search_limit seven = {SEARCH_TO_DEPTH, 7};

/* The engine in a mode, with a log of its own. */
struct engine {
    char log[64];
    char died[80]; /* what it leaves after dying once */
    char command[256];
    struct uci_settings settings;
    void *searcher;
    struct diag diag;
};

static struct engine engine_of(const char *mode)
{
    struct engine engine = {.log = "/tmp/caxton-engine.XXXXXX"};
    int log = mkstemp(engine.log);
    assert_true(log >= 0);
    assert_int_equal(close(log), 0);
    (void)snprintf(engine.died, sizeof engine.died, "%s.died", engine.log);
    (void)snprintf(engine.command, sizeof engine.command, "sh '%s' %s %s", FAKE_ENGINE, engine.log,
                   mode);
    engine.settings = (struct uci_settings){.hash_mb = 4,
                                            .start_timeout_ms = START_MS,
                                            .ready_timeout_ms = START_MS,
                                            .search_timeout_ms = SEARCH_MS};
    return engine;
}

static enum caxton_status create_engine(struct engine *engine)
{
    engine->settings.command = engine->command; /* where it is now */
    return uci_searcher.create(&engine->settings, &engine->searcher, &engine->diag);
}

static void destroy_engine(struct engine *engine)
{
    uci_searcher.destroy(engine->searcher);
    (void)unlink(engine->log);
    (void)unlink(engine->died);
}

static enum caxton_status ask(struct engine *engine, const char *fen, struct search_answer *out)
{
    const struct position pos = position_of(fen);
    return uci_searcher.search(engine->searcher, &pos, seven, out, &engine->diag);
}

static struct search_answer answer_in_mode(const char *mode)
{
    struct engine engine = engine_of(mode);
    struct search_answer answer;
    assert_int_equal(create_engine(&engine), STATUS_OK);
    enum caxton_status status = ask(&engine, fen_start, &answer);
    if (status != STATUS_OK)
        fail_msg("%s: %s", mode, engine.diag.text);
    destroy_engine(&engine);
    return answer;
}

static void assert_answer(struct search_answer answer, const char *uci, int score, int depth,
                          unsigned nodes)
{
    const struct position start = position_of(fen_start);
    move best;
    assert_int_equal(move_from_uci(&start, span_of(uci), &best), STATUS_OK);
    assert_int_equal(answer.best, best);
    assert_int_equal(answer.score, score);
    assert_int_equal(answer.depth, depth);
    assert_int_equal(answer.nodes, nodes);
}

/* The engine says 30 centipawns; `bounds` says 40 as its last exact score. */
static void answers_are_understood(void **state)
{
    (void)state;
    static const char *const sound[] = {"good", "nameless",  "long_line", "garbage",
                                        "old",  "dies_once", "again"};
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++)
        assert_answer(answer_in_mode(sound[i]), "e2e4", eval_of_centipawns(30), 7, 4242);
    assert_answer(answer_in_mode("mate"), "e2e4", SCORE_MATE - 5, 5, 900);
    assert_answer(answer_in_mode("mated"), "e2e4", 4 - SCORE_MATE, 5, 900);
    assert_answer(answer_in_mode("bounds"), "e2e4", eval_of_centipawns(40), 6, 990);
}

static void assert_log(const struct engine *engine, const char *wanted)
{
    char text[LOG_MAX] = "";
    FILE *log = fopen(engine->log, "rb");
    assert_non_null(log);
    size_t size = fread(text, 1, sizeof text - 1, log);
    assert_int_equal(fclose(log), 0);
    text[size] = '\0';
    assert_string_equal(text, wanted);
}

/* All that it is told, line by line; each search begins anew. Clocks do not count. */
static void what_the_engine_is_told(void **state)
{
    (void)state;
    struct engine engine = engine_of("good");
    struct search_answer answer;
    const char *const options[] = {"hash=8", "Clear Hash", "playing style=Wild = yes"};
    engine.settings.options = options;
    engine.settings.option_count = 3;
    assert_int_equal(create_engine(&engine), STATUS_OK);
    assert_int_equal(
        ask(&engine, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 9 30", &answer),
        STATUS_OK);
    const struct position pos =
        position_of("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
    const struct search_limit nodes = {SEARCH_NODES, 5000};
    assert_int_equal(uci_searcher.search(engine.searcher, &pos, nodes, &answer, &engine.diag),
                     STATUS_OK);
    assert_int_equal(ask(&engine, fen_start, &answer), STATUS_OK);
    assert_log(&engine,
               "uci\nsetoption name Threads value 1\nsetoption name OwnBook value false\n"
               "setoption name hash value 8\nsetoption name Clear Hash\n"
               "setoption name playing style value Wild = yes\nisready\n"
               "ucinewgame\nisready\n"
               "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
               "go depth 7\n"
               "ucinewgame\nsetoption name UCI_Chess960 value true\nisready\n"
               "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 0 1\n"
               "go nodes 5000\n"
               "ucinewgame\nsetoption name UCI_Chess960 value false\nisready\n"
               "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
               "go depth 7\n");
    destroy_engine(&engine);
}

/* An engine that stops long before the nodes it was asked for does not know "go nodes"; a mate ends
 * a search early for good. */
static void few_nodes_are_refused(void **state)
{
    (void)state;
    static const char *const modes[] = {"good", "good", "mate"};
    static const uint64_t nodes[] = {42420, 42430, 1000000};
    for (int i = 0; i < 3; i++) {
        struct engine engine = engine_of(modes[i]);
        struct search_answer answer;
        const struct position pos = position_of(fen_start);
        const struct search_limit limit = {SEARCH_NODES, nodes[i]};
        assert_int_equal(create_engine(&engine), STATUS_OK);
        assert_int_equal(uci_searcher.search(engine.searcher, &pos, limit, &answer, &engine.diag) ==
                             STATUS_OK,
                         i != 1);
        if (i == 1)
            assert_non_null(strstr(engine.diag.text, "Fake engine 1.0 answers \"go nodes 42430\" "
                                                     "after 4242 nodes"));
        destroy_engine(&engine);
    }
}

/* A search in that mode fails, after it was tried three times, with one line: what happened and
 * where. */
static void fails_with(const char *mode, int64_t search_ms, const char *what)
{
    struct engine engine = engine_of(mode);
    struct search_answer answer;
    engine.settings.search_timeout_ms = search_ms;
    assert_int_equal(create_engine(&engine), STATUS_OK);
    assert_int_equal(ask(&engine, fen_start, &answer), STATUS_IO);
    assert_null(strchr(engine.diag.text, '\n'));
    assert_true(span_is_text(span_of(engine.diag.text)));
    if (strncmp(engine.diag.text, "sh '", 4) != 0 || !strstr(engine.diag.text, what) ||
        !strstr(engine.diag.text,
                ", 3 times: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))
        fail_msg("%s: %s", mode, engine.diag.text);
    destroy_engine(&engine);
}

static void faults_of_a_search(void **state)
{
    (void)state;
    fails_with("dies", SEARCH_MS, " ended before it answered");
    fails_with("hangs", 50, " did not answer within 0.05 seconds");
    fails_with("floods", SEARCH_MS, " writes without end");
    fails_with("endless_line", SEARCH_MS, " writes a line without an end");
    fails_with("illegal", SEARCH_MS, " answers with the illegal move e2e5");
    fails_with("nonsense", SEARCH_MS, " answers with the illegal move ");
    fails_with("no_move", SEARCH_MS, " answers without a move");
    fails_with("none", SEARCH_MS, " answers without a move");
}

static void no_score(void **state)
{
    (void)state;
    /* The first line has one: it counts. Later ones do not come. */
    struct search_answer answer = answer_in_mode("no_score");
    assert_int_equal(answer.depth, 1);
}

/* It dies in every second search, and each is asked again. */
static void it_is_started_again(void **state)
{
    (void)state;
    struct engine engine = engine_of("dies_later");
    struct search_answer answer;
    assert_int_equal(create_engine(&engine), STATUS_OK);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(ask(&engine, fen_start, &answer), STATUS_OK);
        assert_answer(answer, "e2e4", eval_of_centipawns(30), 7, 4242);
    }
    destroy_engine(&engine);
}

static void does_not_start(const char *mode, int64_t start_ms, const char *what)
{
    struct engine engine = engine_of(mode);
    engine.settings.start_timeout_ms = start_ms;
    assert_int_equal(create_engine(&engine), STATUS_IO);
    if (!strstr(engine.diag.text, what))
        fail_msg("%s: %s", mode, engine.diag.text);
    destroy_engine(&engine);
}

static void faults_at_the_start(void **state)
{
    (void)state;
    does_not_start("dies_at_start", START_MS, "ended before it answered");
    does_not_start("dies_in_introduction", START_MS, "ended before it answered");
    does_not_start("no_uciok", 50, "did not answer within 0.05 seconds");
    does_not_start("floods_in_introduction", START_MS, "writes without end");
    static const char *const commands[] = {"/nowhere/engine", "", "   ", "''", "/tmp"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct engine engine = engine_of("good");
        (void)snprintf(engine.command, sizeof engine.command, "%s", commands[i]);
        assert_int_equal(create_engine(&engine), STATUS_IO);
        if (!strstr(engine.diag.text, " cannot be started: "))
            fail_msg("%s", engine.diag.text);
        destroy_engine(&engine);
    }
}

static void option_refused(const char *option, enum caxton_status status, const char *what)
{
    struct engine engine = engine_of("good");
    engine.settings.options = &option;
    engine.settings.option_count = 1;
    assert_int_equal(create_engine(&engine), status);
    if (!strstr(engine.diag.text, what))
        fail_msg("%s: %s", option, engine.diag.text);
    destroy_engine(&engine);
}

static void options_that_it_lacks(void **state)
{
    (void)state;
    option_refused("Contempt=7", STATUS_NOT_FOUND, "has no option Contempt");
    option_refused("Hash=65", STATUS_RANGE, "its option Hash takes 1 to 64, not 65");
    option_refused("Hash=much", STATUS_RANGE, "its option Hash takes 1 to 64, not much");
    option_refused("Hash", STATUS_RANGE, "its option Hash takes 1 to 64, not nothing");
    option_refused("Hash=4\nquit", STATUS_RANGE, "an option of an engine is one line");
    struct engine engine = engine_of("good");
    engine.settings.hash_mb = 100;
    assert_int_equal(create_engine(&engine), STATUS_RANGE);
    assert_non_null(strstr(engine.diag.text, "its option Hash takes 1 to 64, not 100"));
    destroy_engine(&engine);
}

static void no_chess960(void **state)
{
    (void)state;
    struct engine engine = engine_of("old");
    struct search_answer answer;
    assert_int_equal(create_engine(&engine), STATUS_OK);
    assert_int_equal(
        ask(&engine, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", &answer),
        STATUS_IO);
    assert_non_null(strstr(engine.diag.text, "does not play Chess960"));
    destroy_engine(&engine);
}

static void *stop_it(void *searcher)
{
    (uci_searcher.stop)(searcher); /* stop() is a macro of cmocka 2 */
    return NULL;
}

/* A stop ends a search that would hang for a minute, and all later ones. */
static void it_stops(void **state)
{
    (void)state;
    struct engine engine = engine_of("hangs");
    struct search_answer answer;
    pthread_t thread;
    assert_int_equal(create_engine(&engine), STATUS_OK);
    assert_int_equal(thread_start(&thread, stop_it, engine.searcher), STATUS_OK);
    assert_int_equal(ask(&engine, fen_start, &answer), STATUS_END);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(ask(&engine, fen_start, &answer), STATUS_END);
    destroy_engine(&engine);
    uci_searcher.destroy(NULL);
}

static struct searcher_identity identity_of(const char *mode, const char *option, int hash_mb)
{
    struct engine engine = engine_of(mode);
    struct searcher_identity identity;
    engine.settings.command = engine.command;
    engine.settings.options = &option;
    engine.settings.option_count = option != NULL;
    engine.settings.hash_mb = hash_mb;
    enum caxton_status status = uci_searcher_identity(&engine.settings, &identity, &engine.diag);
    if (status != STATUS_OK)
        fail_msg("%s: %s", mode, engine.diag.text);
    destroy_engine(&engine);
    return identity;
}

/* The name, the options, the hash and the answers each make another searcher; the log and the
 * number of runs do not. */
static void it_says_who_it_is(void **state)
{
    (void)state;
    const struct searcher_identity good = identity_of("good", NULL, 4);
    const struct searcher_identity again = identity_of("good", NULL, 4);
    assert_memory_equal(&good, &again, sizeof good);
    assert_string_equal(good.name, "Fake engine 1.0");
    assert_int_equal(good.hash_mb, 4);
    assert_int_equal(good.network, 0);
    assert_true(good.signature != 0);
    const struct searcher_identity wild = identity_of("good", "Playing Style=Wild", 4);
    assert_true(wild.network != 0 && wild.signature == good.signature);
    assert_true(identity_of("good", "Playing Style=Calm", 4).network != wild.network);
    assert_int_equal(identity_of("good", NULL, 5).hash_mb, 5);
    assert_true(identity_of("mate", NULL, 4).signature != good.signature);
    assert_int_equal(strncmp(identity_of("nameless", NULL, 4).name, "sh '", 4), 0);
}

static void one_that_answers_otherwise_each_time(void **state)
{
    (void)state;
    struct engine engine = engine_of("fickle");
    struct searcher_identity identity;
    engine.settings.command = engine.command;
    assert_int_equal(uci_searcher_identity(&engine.settings, &identity, &engine.diag),
                     STATUS_AMBIGUOUS);
    assert_non_null(strstr(engine.diag.text, "does not answer alike when it is asked twice"));
    destroy_engine(&engine);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_understood),
        cmocka_unit_test(what_the_engine_is_told),
        cmocka_unit_test(few_nodes_are_refused),
        cmocka_unit_test(faults_of_a_search),
        cmocka_unit_test(no_score),
        cmocka_unit_test(it_is_started_again),
        cmocka_unit_test(faults_at_the_start),
        cmocka_unit_test(options_that_it_lacks),
        cmocka_unit_test(no_chess960),
        cmocka_unit_test(it_stops),
        cmocka_unit_test(it_says_who_it_is),
        cmocka_unit_test(one_that_answers_otherwise_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
