/* `caxton play`: a whole game, as a person would start it. */
#include "engine.h"

#include <signal.h>
#include <sys/stat.h>

#include "chess/attacks.h"
#include "chess/game.h"
#include "chess/pgn.h"
#include "chess/pgn_write.h"

static struct scratch scratch;

static int set_up(void **state)
{
    (void)state;
    scratch_create(&scratch);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    static const char *const names[] = {"game.pgn", "ended.pgn", "left.pgn", "pipe.pgn", NULL};
    scratch_remove(&scratch, names);
    return 0;
}

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    enum { MAX = 1 << 20 };
    char *text = malloc(MAX);
    assert_non_null(text);
    *size = fread(text, 1, MAX - 1, file);
    assert_int_equal(fclose(file), 0);
    return text;
}

/* The result that the rules give the game; time may have decided it instead. */
static void assert_result_is_right(const struct pgn_game *read)
{
    struct game *game = game_create();
    assert_non_null(game);
    game_reset(game, &read->start);
    for (size_t i = 0; i < read->ply_count; i++) {
        assert_int_equal(game_state(game), GAME_OPEN);
        assert_int_equal(game_play(game, read->moves[i]), STATUS_OK);
    }
    enum game_state state = game_state(game);
    bool white_to_move = game_position(game)->turn == WHITE;
    if (span_equal(pgn_tag_value(read, "Termination"), "normal")) {
        enum pgn_result expected = PGN_DRAW;
        if (state == GAME_CHECKMATE)
            expected = white_to_move ? PGN_BLACK_WINS : PGN_WHITE_WINS;
        assert_int_not_equal(state, GAME_OPEN);
        assert_int_equal(read->result, expected);
    } else {
        assert_int_equal(read->result, white_to_move ? PGN_BLACK_WINS : PGN_WHITE_WINS);
    }
    game_destroy(game);
}

static void a_game_is_played_and_saved(void **state)
{
    (void)state;
    const char *path = scratch_path(&scratch, "game.pgn");
    const char *arguments[] = {process_binary("CAXTON_BINARY"),
                               "play",
                               "--tc",
                               "0.5+0.01",
                               "--pgn",
                               path,
                               "--seed",
                               "3",
                               "--threads",
                               "2",
                               NULL};
    struct process_result result = process_run(arguments, NULL);
    assert_int_equal(result.status, 0);
    assert_string_equal(result.errors, "");
    assert_non_null(strstr(result.output, "from the book"));
    assert_non_null(strstr(result.output, path));
    assert_null(strchr(result.output, '\033')); /* plain text into a pipe */

    size_t size;
    char *text = read_file(path, &size);
    struct pgn_reader *reader = pgn_create_memory(text, size);
    struct pgn_game game;
    struct diag diag;
    assert_non_null(reader);
    assert_int_equal(pgn_next(reader, &game, &diag), STATUS_OK);
    assert_true(game.ply_count > 8);
    assert_true(pgn_tag_value(&game, "Opening").size > 0);
    assert_result_is_right(&game);
    assert_int_equal(pgn_next(reader, &game, &diag), STATUS_END);
    pgn_destroy(reader);
    free(text);
    process_result_free(&result);
}

/* Ctrl-C while a move is being thought about. */
static void an_interrupted_game_is_saved(void **state)
{
    (void)state;
    const char *path = scratch_path(&scratch, "ended.pgn");
    const char *arguments[] = {
        process_binary("CAXTON_BINARY"), "play", "--tc", "6", "--pgn", path, "--no-book", NULL};
    struct process *play = process_start(arguments);
    (void)process_read_until(play, "2. "); /* the first ply of the second move is there */
    process_signal(play, SIGINT);
    (void)process_read_until(play, "*, interrupted, after ");
    (void)process_read_until(play, "The game is saved in ");
    assert_int_equal(process_wait(play), 130);
    assert_string_equal(process_errors(play), "");
    process_destroy(play);

    size_t size;
    char *text = read_file(path, &size);
    struct pgn_reader *reader = pgn_create_memory(text, size);
    struct pgn_game game;
    struct diag diag;
    assert_non_null(reader);
    assert_int_equal(pgn_next(reader, &game, &diag), STATUS_OK);
    assert_true(game.ply_count >= 3);
    assert_int_equal(game.result, PGN_UNKNOWN);
    assert_true(span_equal(pgn_tag_value(&game, "Termination"), "unterminated"));
    pgn_destroy(reader);
    free(text);
}

static void assert_fails(const char *option, const char *value, int status)
{
    const char *arguments[] = {process_binary("CAXTON_BINARY"), "play", option, value, NULL};
    struct process_result result = process_run(arguments, NULL);
    assert_int_equal(result.status, status);
    assert_string_equal(result.output, "");
    const char *end = strchr(result.errors, '\n');
    assert_true(end && end[1] == '\0'); /* one line */
    process_result_free(&result);
}

/* As by `| head -1`. */
static void a_game_that_nobody_watches_is_saved(void **state)
{
    (void)state;
    char command[1000];
    (void)snprintf(command, sizeof command,
                   "(%s play --tc 6 --no-book --pgn %s; echo status $? >&2) | head -1",
                   process_binary("CAXTON_BINARY"), scratch_path(&scratch, "left.pgn"));
    struct process_result shell =
        process_run((const char *const[]){"/bin/sh", "-c", command, NULL}, NULL);
    assert_string_equal(shell.errors, "status 1\n");
    process_result_free(&shell);
    size_t size;
    char *text = read_file(scratch_path(&scratch, "left.pgn"), &size);
    text[size] = '\0';
    assert_non_null(strstr(text, "[Termination \"unterminated\"]"));
    assert_non_null(strstr(text, "1. "));
    free(text);
}

/* A pipe that nobody reads keeps the end of the game waiting, until a signal comes. */
static void a_pipe_that_nobody_reads_is_left(void **state)
{
    (void)state;
    const char *path = scratch_path(&scratch, "pipe.pgn");
    assert_int_equal(mkfifo(path, 0600), 0);
    const char *arguments[] = {
        process_binary("CAXTON_BINARY"), "play",  "--movetime", "0.01", "--start",
        "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "--pgn", path,         NULL};
    struct process *play = process_start(arguments);
    (void)process_read_until(play, "1-0, checkmate");
    process_signal(play, SIGTERM);
    assert_int_equal(process_wait(play), 128 + SIGTERM);
    assert_string_equal(process_errors(play), "");
    process_destroy(play);
}

static void faults_are_one_line(void **state)
{
    (void)state;
    assert_fails("--tc", "soon", 2);
    assert_fails("--tc", NULL, 2);
    assert_fails("--sideways", NULL, 2);
    assert_fails("--pgn", "", 2);
    assert_fails("--threads", "0", 2);
    assert_fails("--hash", "lots", 2);
    assert_fails("--seed", "-1", 2);
    assert_fails("one", "too many", 2);
    assert_fails("--book", scratch_path(&scratch, "missing.bin"), 1);
}

static void help_is_given(void **state)
{
    (void)state;
    const char *arguments[] = {process_binary("CAXTON_BINARY"), "play", "--help", NULL};
    struct process_result result = process_run(arguments, NULL);
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.output, "--tc"));
    process_result_free(&result);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_is_played_and_saved),
        cmocka_unit_test(an_interrupted_game_is_saved),
        cmocka_unit_test(a_game_that_nobody_watches_is_saved),
        cmocka_unit_test(a_pipe_that_nobody_reads_is_left),
        cmocka_unit_test(faults_are_one_line),
        cmocka_unit_test(help_is_given),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
