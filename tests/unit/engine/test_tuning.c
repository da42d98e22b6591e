/* Numbers of the search as options: all of them in a tuning build, none in another. */
#include "capture.h"

#include "chess/attacks.h"
#include "engine/setoption.h"
#include "engine/tuning.h"

static struct capture capture;
static struct session *session;

static int set_up(void **state)
{
    (void)state;
    capture_start(&capture);
    session = session_create(&capture.report, 1);
    capture_clear(&capture);
    return session ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    session_destroy(session);
    capture_end(&capture);
    return 0;
}

static void a_line_for_a_tuner(void **state)
{
    (void)state;
    char data[128];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    tuning_append_spsa(
        &text, &(struct param){.name = "X_MIN", .value = -20, .min = -60, .max = 0, .step = 4});
    assert_string_equal(data, "X_MIN, int, -20, -60, 0, 4, 0.002");
}

static void each_number_has_its_lines(void **state)
{
    (void)state;
    tuning_list_spsa(&capture.report);
    assert_int_equal(capture_lines(&capture), params_count());
    assert_int_equal(capture_count(&capture, ", int, "), params_count());
    capture_clear(&capture);
    tuning_list(&capture.report);
    assert_int_equal(capture_count(&capture, " type spin default "), params_count());
}

static void set(const char *name, int value)
{
    char data[128];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    text_append(&text, "name %s value %d", name, value);
    capture_clear(&capture);
    setoption_command(session, span_of(data), false);
}

static void each_number_is_an_option(void **state)
{
    (void)state;
    for (int i = 0; i < params_count(); i++) {
        struct param before = params_at(i);
        set(before.name, before.max);
        assert_string_equal(capture.text, "");
        assert_int_equal(params_at(i).value, before.max);
        set(before.name, before.min - 1);
        assert_int_equal(capture_lines(&capture), 1);
        assert_int_equal(params_at(i).value, before.min);
        set(before.name, before.value);
    }
    set("NO_SUCH_NUMBER", 1);
    assert_int_equal(capture_lines(&capture), 1);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_line_for_a_tuner, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_number_has_its_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_number_is_an_option, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
