/* Messages between a run and its workers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/checksum.h"
#include "base/rng.h"
#include "book/scoring/queue/queue_message.h"
#include "book/scoring/record.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/notation.h"

enum { SUM_DIGITS = 16 };

static const struct searcher_identity somebody = {.name = "Some engine 1.0/b %",
                                                  .network = 0x0123456789abcdef,
                                                  .signature = 987654,
                                                  .hash_mb = 16};

static struct scorer_question question_of(const char *fen, uint64_t depth)
{
    struct position pos;
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    return scorer_question_of(&pos, (struct search_limit){SEARCH_TO_DEPTH, depth});
}

static struct queue_message answer_of(const char *fen, const char *uci)
{
    struct queue_message answer = {.kind = QUEUE_ANSWER,
                                   .identity = somebody,
                                   .who = "host-1 2:3",
                                   .question = question_of(fen, 12)};
    assert_int_equal(move_from_uci(&answer.question.pos, span_of(uci), &answer.answer.best),
                     STATUS_OK);
    answer.answer.score = -31990;
    answer.answer.depth = 12;
    answer.answer.nodes = UINT64_MAX;
    return answer;
}

/* The message with its checksum made right. */
static size_t sum_again(char *text)
{
    size_t size = strlen(text) - SUM_DIGITS;
    (void)snprintf(text + size, SUM_DIGITS + 1, "%016llx",
                   (unsigned long long)checksum_add(CHECKSUM_EMPTY, text, size));
    return size + SUM_DIGITS;
}

static void as_they_are_written(void **state)
{
    (void)state;
    char text[QUEUE_MESSAGE_MAX];
    struct queue_message run = {.identity = somebody, .who = "host-12", .lost_ms = 15000};
    struct queue_message run_back;
    size_t size = queue_message_put(&run, text);
    assert_int_equal(size, strlen(text));
    assert_ptr_equal(strstr(text,
                            "caxton-run 1 Some%20engine%201.0%2Fb%20%25/0123456789abcdef/987654/16 "
                            "host-12 15000 "),
                     text);
    assert_int_equal(queue_message_get(span_of(text), QUEUE_RUN, &run_back, NULL), STATUS_OK);
    assert_memory_equal(&run_back.identity, &somebody, sizeof somebody);
    assert_string_equal(run_back.who, "host-12");
    assert_int_equal(run_back.lost_ms, 15000);

    struct queue_message answer = answer_of(fen_start, "e2e4");
    struct queue_message back;
    (void)queue_message_put(&answer, text);
    assert_non_null(strstr(text,
                           " host-1%202%3A3 depth 12 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
                           " w KQkq - 0 1 found e2e4 -31990 12 18446744073709551615 "));
    assert_int_equal(queue_message_get(span_of(text), QUEUE_ANSWER, &back, NULL), STATUS_OK);
    assert_string_equal(back.who, "host-1 2:3");
    assert_int_equal(back.outcome, QUEUE_FOUND);
    assert_int_equal(back.answer.best, answer.answer.best);
    assert_int_equal(back.answer.score, -31990);
    assert_true(back.answer.nodes == UINT64_MAX);

    answer.outcome = QUEUE_FAILED;
    (void)snprintf(answer.reason, sizeof answer.reason, "engine: it\nhas died %%");
    (void)queue_message_put(&answer, text);
    assert_int_equal(queue_message_get(span_of(text), QUEUE_ANSWER, &back, NULL), STATUS_OK);
    assert_int_equal(back.outcome, QUEUE_FAILED);
    assert_string_equal(back.reason, answer.reason);

    answer.outcome = QUEUE_RETURNED;
    (void)queue_message_put(&answer, text);
    assert_int_equal(queue_message_get(span_of(text), QUEUE_ANSWER, &back, NULL), STATUS_OK);
    assert_int_equal(back.outcome, QUEUE_RETURNED);
}

/* A position comes over as it identifies itself, whatever its castling and en passant. */
static void assert_comes_over(const struct position *pos)
{
    char text[QUEUE_MESSAGE_MAX];
    struct queue_message job = {
        .kind = QUEUE_JOB,
        .identity = somebody,
        .question = scorer_question_of(pos, (struct search_limit){SEARCH_NODES, 1000})};
    struct queue_message back;
    struct diag diag = {.text = ""};
    (void)queue_message_put(&job, text);
    if (queue_message_get(span_of(text), QUEUE_JOB, &back, &diag) != STATUS_OK)
        fail_msg("%s: %s", text, diag.text);
    assert_true(scorer_question_is_same(&job.question, &back.question));
    assert_true(back.question.pos.key == pos->key);
    assert_int_equal(back.question.limit.kind, SEARCH_NODES);
}

static void every_position(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 5);
    for (unsigned start = 0; start < 960; start += 7) {
        struct position pos;
        move moves[MOVES_MAX];
        int count;
        fen_chess960(start == 0 ? 518 : start, &pos);
        for (int ply = 0; ply < 80 && (count = movegen_legal(&pos, moves)) > 0; ply++) {
            assert_comes_over(&pos);
            position_play(&pos, moves[rng_below(&rng, (uint64_t)count)]);
        }
    }
}

static void refused(const char *text, const char *why)
{
    struct queue_message answer;
    struct diag diag = {.text = ""};
    enum caxton_status status = queue_message_get(span_of(text), QUEUE_ANSWER, &answer, &diag);
    if (status != STATUS_FORMAT && status != STATUS_ILLEGAL)
        fail_msg("taken: %s", text);
    if (!strstr(diag.text, why))
        fail_msg("%s: %s", diag.text, text);
}

/* `text` with the first `old` replaced, and the checksum right again. */
static const char *with(const char *text, const char *old, const char *new)
{
    static char changed[QUEUE_MESSAGE_MAX];
    const char *at = strstr(text, old);
    assert_non_null(at);
    (void)snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, new,
                   at + strlen(old));
    (void)sum_again(changed);
    return changed;
}

static void what_is_wrong(void **state)
{
    (void)state;
    char text[QUEUE_MESSAGE_MAX];
    struct queue_message answer = answer_of(fen_start, "e2e4");
    (void)queue_message_put(&answer, text);
    refused("", "no message of kind caxton-answer");
    refused("caxton-job 1 ", "no message of kind caxton-answer");
    refused(with(text, "caxton-answer 1", "caxton-answer 2"), "of version 2, known is 1");
    refused(with(text, "caxton-answer 1", "caxton-answer x"), "no message of kind");
    refused("caxton-answer 1 ", "without its end");
    refused(with(text, "/0123456789abcdef/", "/0123456789abcde/"), "from nobody");
    refused(with(text, "/16 ", "/4294967296 "), "from nobody");
    refused(with(text, "/16 ", "/16/ "), "from nobody");
    refused(with(text, "host-1%202%3A3", "%zz"), "from nobody");
    refused(with(text, "depth 12", "deep 12"), "unknown limit");
    refused(with(text, "depth 12", "depth -1"), "limit that is no number");
    refused(with(text, "depth 12", "depth 18446744073709551616"), "limit that is no number");
    refused(with(text, "depth 12", "depth 4294967296"), "limit that no search has");
    refused(with(text, "depth 12", "depth 121"), "limit that no search has");
    refused(with(text, "depth 12", "depth 0"), "limit that no search has");
    refused(with(text, "depth 12", "nodes 0"), "limit that no search has");
    refused(with(text, "RNBQKBNR w", "RNBQ1BNR w"), "wrong position");
    refused(with(text, fen_start, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), "position without moves");
    refused(with(text, "found", "lost"), "unknown outcome");
    refused(with(text, "-31990", "-40000"), "wrong number");
    refused(with(text, " 12 1844", " 256 1844"), "wrong number");
    refused(with(text, "551615 ", "551616 "), "wrong number");
    refused(with(text, "551615 ", "551615 x "), "goes on behind its end");
    refused(with(text, "found e2e4 -31990 12 18446744073709551615", "failed"), "wrong reason");
}

/* An answer that is not legal is a search that failed, of a worker who is known. */
static void illegal_moves(void **state)
{
    (void)state;
    static const char *const moves[] = {"e2e5", "0000", "e7e5", "e2e4q", "x", "e1g1"};
    char text[QUEUE_MESSAGE_MAX];
    struct queue_message answer = answer_of(fen_start, "e2e4");
    (void)queue_message_put(&answer, text);
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        struct queue_message back;
        assert_int_equal(
            queue_message_get(span_of(with(text, "e2e4", moves[i])), QUEUE_ANSWER, &back, NULL),
            STATUS_OK);
        assert_int_equal(back.outcome, QUEUE_FAILED);
        assert_string_equal(back.who, "host-1 2:3");
        assert_non_null(strstr(back.reason, "not legal"));
    }
}

/* Cut anywhere, or with any bit turned, nothing passes. */
static void damage(void **state)
{
    (void)state;
    char text[QUEUE_MESSAGE_MAX];
    struct queue_message answer = answer_of(fen_start, "e2e4");
    struct queue_message back;
    size_t size = queue_message_put(&answer, text);
    for (size_t cut = 0; cut < size; cut++)
        assert_int_not_equal(queue_message_get(span_make(text, cut), QUEUE_ANSWER, &back, NULL),
                             STATUS_OK);
    for (size_t bit = 0; bit < 8 * size; bit++) {
        text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
        assert_int_not_equal(queue_message_get(span_make(text, size), QUEUE_ANSWER, &back, NULL),
                             STATUS_OK);
        text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
    }
    assert_int_equal(queue_message_get(span_make(text, size), QUEUE_ANSWER, &back, NULL),
                     STATUS_OK);
}

static void the_longest_fits(void **state)
{
    (void)state;
    char text[QUEUE_MESSAGE_MAX];
    struct queue_message answer = answer_of(
        "r1b1kb1r/1p1n1ppp/p1p1pn2/q1PpP3/3P1P2/N1N1B3/PP1Q2PP/R3KB1R w KQkq - 0 1", "e1c1");
    struct queue_message back;
    answer.outcome = QUEUE_FAILED;
    memset(answer.identity.name, '%', sizeof answer.identity.name - 1);
    memset(answer.who, '%', sizeof answer.who - 1);
    memset(answer.reason, '%', sizeof answer.reason - 1);
    answer.identity.signature = UINT64_MAX;
    answer.question.limit = (struct search_limit){SEARCH_NODES, UINT64_MAX};
    answer.identity.hash_mb = UINT32_MAX;
    assert_true(queue_message_put(&answer, text) < sizeof text - 1);
    assert_int_equal(queue_message_get(span_of(text), QUEUE_ANSWER, &back, NULL), STATUS_OK);
    assert_string_equal(back.reason, answer.reason);
    assert_true(searcher_is_same(&back.identity, &answer.identity));
}

static void identities(void **state)
{
    (void)state;
    char text[SEARCHER_TEXT_MAX];
    struct searcher_identity other = somebody;
    assert_true(searcher_is_same(&somebody, &other));
    other.network++;
    assert_false(searcher_is_same(&somebody, &other));
    other = somebody;
    other.signature++;
    assert_false(searcher_is_same(&somebody, &other));
    other = somebody;
    other.hash_mb++;
    assert_false(searcher_is_same(&somebody, &other));
    other = somebody;
    other.name[0]++;
    assert_false(searcher_is_same(&somebody, &other));
    searcher_text(&somebody, text);
    assert_string_equal(text, "Some engine 1.0/b % (network 01234567, signature 987654, 16 MB)");
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_they_are_written),
        cmocka_unit_test(every_position),
        cmocka_unit_test(what_is_wrong),
        cmocka_unit_test(illegal_moves),
        cmocka_unit_test(damage),
        cmocka_unit_test(the_longest_fits),
        cmocka_unit_test(identities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
