/* Numbers of the search as options: all of them in a tuning build, none in another. */
#include "tests/support/capture.h"

#include "chess/attacks.h"
#include "engine/setoption.h"

static struct capture capture;
static struct session *session;

static int set_up(void **state)
{
    (void)state;
    capture_start(&capture);
    session = session_create(capture.file, 1);
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
    int value = -20;
    options_list_spsa(capture.file, (struct param[]){{"X_MIN", &value, -60, 0, 4}, {0}});
    assert_string_equal(capture.text, "X_MIN, int, -20, -60, 0, 4, 0.002\n");
}

static int count_params(void)
{
    int count = 0;
    while (param_table[count].name)
        count++;
    return count;
}

static void each_number_has_its_lines(void **state)
{
    (void)state;
    options_list_spsa(capture.file, param_table);
    assert_int_equal(capture_lines(&capture), count_params());
    assert_int_equal(capture_count(&capture, ", int, "), count_params());
    capture_clear(&capture);
    int spins = 0;
    for (const struct option *option = option_table; option->name; option++)
        spins += option->type == TYPE_SPIN;
    options_list(&capture.out);
    assert_int_equal(capture_count(&capture, " type spin default "), spins + count_params());
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
    for (const struct param *param = param_table; param->name; param++) {
        int before = *param->value;
        set(param->name, param->max);
        assert_string_equal(capture.text, "");
        assert_int_equal(*param->value, param->max);
        set(param->name, param->min - 1);
        assert_int_equal(capture_lines(&capture), 1);
        assert_int_equal(*param->value, param->min);
        set(param->name, before);
        assert_int_equal(*param->value, before);
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
