/* Answers to many questions at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "tests/support/growing.h"

static void assert_answer(const struct scorer_question *question,
                          const struct search_answer *answer, const char *uci)
{
    move wanted;
    assert_int_equal(move_from_uci(&question->pos, span_of(uci), &wanted), STATUS_OK);
    assert_int_equal(answer->best, wanted);
}

/* The answers come in the order of the questions, with any number of threads, also when the same is
 * asked twice. */
static void many_questions_at_once(void **state)
{
    (void)state;
    static const char *const lines[] = {"", "e2e4 e7e5", "e2e4 d7d6", "", "e2e4 e7e5 g1f3 d7d6"};
    enum { COUNT = sizeof lines / sizeof *lines };
    for (int threads = 1; threads <= 4; threads += 3) {
        struct setting setting = {.threads = threads};
        struct scorer_question questions[COUNT];
        struct search_answer answers[COUNT];
        struct diag diag = {.text = ""};
        size_t done = COUNT;
        find(&setting, "e2e4 e7e5", "g1f3");
        find(&setting, "", "e2e4");
        find(&setting, "e2e4 d7d6", "d2d4");
        setting.options =
            (struct grow_options){.side = WHITE, .root_depth = 10, .min_depth = 10, .branch = 4};
        position_start(&setting.options.root);
        open_setting(&setting);
        for (size_t i = 0; i < COUNT; i++) {
            const struct position pos = position_by_moves(lines[i]);
            questions[i] = scorer_question_of(&pos, (struct search_limit){SEARCH_TO_DEPTH, 5});
        }
        assert_int_equal(scorer_ask_all(setting.scorer, questions, COUNT, answers, &done, &diag),
                         STATUS_OK);
        assert_int_equal(done, COUNT);
        assert_answer(&questions[0], &answers[0], "e2e4");
        assert_answer(&questions[1], &answers[1], "g1f3");
        assert_answer(&questions[2], &answers[2], "d2d4");
        assert_answer(&questions[3], &answers[3], "e2e4");
        assert_true(movegen_is_legal(&questions[4].pos, answers[4].best));
        assert_int_equal(scorer_counts(setting.scorer).searched, COUNT - 1);
        assert_int_equal(scorer_ask_all(setting.scorer, NULL, 0, NULL, &done, &diag), STATUS_OK);
        assert_int_equal(done, 0);
        scorer_stop(setting.scorer);
        questions[2].limit.value = 6;
        assert_int_equal(scorer_ask_all(setting.scorer, questions + 2, 1, answers, &done, &diag),
                         STATUS_END);
        assert_int_equal(done, 0);
        close_setting(&setting);
    }
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_questions_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
