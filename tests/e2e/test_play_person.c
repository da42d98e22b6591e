/* `caxton play` with a person, who types into a pipe or a terminal. */
#include "engine.h"

#include <signal.h>

#include "base/program.h"
#include "chess/attacks.h"
#include "chess/pgn.h"
#include "chess/pgn_write.h"

enum { WIDTH_MAX = 80, GAME_MAX = 1 << 16 };

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
    static const char *const names[] = {"game.pgn", NULL};
    scratch_remove(&scratch, names);
    return 0;
}

/* The arguments with which all of these games start; more may follow. */
#define PLAY(...)                                                                                  \
    (const char *[])                                                                               \
    {                                                                                              \
        process_binary("CAXTON_BINARY"), "play", "--movetime", "0.01", "--pgn",                    \
            scratch_path(&scratch, "game.pgn"), __VA_ARGS__, NULL                                  \
    }

/* Reads the saved game into `text`. */
static struct pgn_reader *open_game(char text[GAME_MAX], struct pgn_game *game)
{
    FILE *file = fopen(scratch_path(&scratch, "game.pgn"), "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, GAME_MAX, file);
    assert_int_equal(fclose(file), 0);
    struct pgn_reader *reader = pgn_create_memory(text, size);
    struct diag diag;
    assert_non_null(reader);
    assert_int_equal(pgn_next(reader, game, &diag), STATUS_OK);
    assert_int_equal(unlink(scratch_path(&scratch, "game.pgn")), 0);
    return reader;
}

static void assert_saved(size_t plies, enum pgn_result result, const char *white,
                         const char *termination)
{
    char text[GAME_MAX];
    struct pgn_game game;
    struct pgn_reader *reader = open_game(text, &game);
    assert_int_equal(game.ply_count, plies);
    assert_int_equal(game.result, result);
    assert_true(span_equal(pgn_tag_value(&game, "White"), white));
    assert_true(span_equal(pgn_tag_value(&game, "Termination"), termination));
    pgn_destroy(reader);
}

/* Columns of the widest line; escape sequences take none, nor do the later bytes of a symbol. */
static int widest_line(const char *text)
{
    int widest = 0;
    int width = 0;
    for (const char *c = text; *c; c++) {
        if (*c == '\033') {
            c += c[1] == '[' ? strcspn(c, "mHJK") : 1;
            assert_int_not_equal(*c, '\0');
        } else if (*c == '\n') {
            width = 0;
        } else if (*c != '\r' && ((unsigned char)*c & 0xC0) != 0x80) {
            width++;
        }
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* A whole run; its output, for the caller to free. */
static char *play(const char *const *arguments, const char *input, int status)
{
    struct process_result result = process_run(arguments, input);
    assert_int_equal(result.status, status);
    assert_string_equal(result.errors, "");
    assert_null(strchr(result.output, '\033'));
    assert_in_range(widest_line(strstr(result.output, "Your move") ? result.output : ""), 1,
                    WIDTH_MAX);
    free(result.errors);
    return result.output;
}

static void commands_and_moves(void **state)
{
    (void)state;
    char *output = play(PLAY("--you", "white", "--seed", "1"),
                        "help\ne4\nhint\nback\nd2d4\nlevel 1500\nboard\nlevel full\nfen\n"
                        "1. e9\n2. Nf3\nresign\nd4\n",
                        0);
    static const char *const expected[] = {
        "White (you)",
        "take back your last move",
        "1... ",
        "from the book",
        "Caxton would play",
        "are taken back",
        "about 1500 Elo",
        "Black (1500 Elo)",
        "full strength",
        " w KQkq ",
        "e9 is neither",
        "0-1, resigned, after 2 moves",
        "The game is saved",
    };
    const char *at = output;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const char *found = strstr(at, expected[i]);
        if (!found)
            fail_msg("no \"%s\" in:\n%s", expected[i], at);
        at = found;
    }
    free(output);
    assert_saved(4, PGN_BLACK_WINS, "Human", "normal");
}

/* Each costs one line, and the game goes on. */
static void wrong_input_is_one_line(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "e5\n",       "Nf9\n",     "level\n", "level 99999999999999999999\n",
        "back\n",     "\033[2J\n", "e4 e5\n", "hintt\n",
        "\xC3\x28\n", "0000\n",    "--\n",    "O-O\n",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *output = play(PLAY("--you", "white"), wrong[i], 0);
        const char *asked = strstr(output, "Your move:\n");
        assert_non_null(asked);
        const char *answer = asked + strlen("Your move:\n");
        const char *again = strchr(answer, '\n');
        assert_non_null(again);
        assert_int_equal(strncmp(again + 1, "Your move:\n", strlen("Your move:\n")), 0);
        free(output);
    }
}

static void long_lines_and_empty_ones(void **state)
{
    (void)state;
    enum { SIZE = 20000 };
    char input[SIZE + 16];
    memset(input, 'x', SIZE);
    memcpy(input + SIZE, "\n\n  \n\r\ne4\r\n", 12);
    char *output = play(PLAY("--you", "white", "--ascii"), input, 0);
    assert_non_null(strstr(output, "is neither a move"));
    assert_non_null(strstr(output, "1... "));
    free(output);
    assert_saved(2, PGN_UNKNOWN, "Human", "unterminated");
}

/* The engine moves first, and is mated by the only move there is. */
static void a_position_and_a_colour(void **state)
{
    (void)state;
    char *output = play(PLAY("--you", "black", "--start", "4k2r/8/8/8/8/8/r7/6K1 w k - 0 1"),
                        "hint\nRh1\nRh2\nO-O-O\nRh8h1\n", 0);
    assert_non_null(strstr(output, "h  g  f  e  d  c  b  a"));
    assert_non_null(strstr(output, "1. Kf1"));
    assert_non_null(strstr(output, "would play Rh1# (+M1 for you"));
    assert_non_null(strstr(output, "0-1, checkmate, after 1 moves"));
    free(output);
    char name[64];
    (void)snprintf(name, sizeof name, "Caxton %s", program_version);
    assert_saved(2, PGN_BLACK_WINS, name, "normal");
}

static void the_engine_goes_on_alone(void **state)
{
    (void)state;
    char *output = play(PLAY("--you", "white", "--start", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1"),
                        "switch\nwatch\n", 0);
    assert_non_null(strstr(output, "\n1-0, checkmate, "));
    free(output);
    assert_true(unlink(scratch_path(&scratch, "game.pgn")) == 0);
}

static void who_made_the_moves_is_saved(void **state)
{
    (void)state;
    free(play(PLAY("--you", "white"), "e4\nswitch\nquit\n", 0));
    char name[64];
    (void)snprintf(name, sizeof name, "Human and Caxton %s", program_version);
    assert_saved(3, PGN_UNKNOWN, name, "unterminated");
}

/* The end of the input leaves an unfinished game. */
static void leaving_saves_the_game(void **state)
{
    (void)state;
    free(play(PLAY("--you", "white"), "e4\nd4", 0));
    assert_saved(4, PGN_UNKNOWN, "Human", "unterminated");
    free(play(PLAY("--you", "white"), "e4\nquit\nd4\n", 0));
    assert_saved(2, PGN_UNKNOWN, "Human", "unterminated");
    free(play(PLAY("--you", "white"), "", 0)); /* nothing to save */
    assert_int_not_equal(unlink(scratch_path(&scratch, "game.pgn")), 0);
}

static void an_interrupt_at_the_prompt_saves_the_game(void **state)
{
    (void)state;
    struct process *game = process_start(PLAY("--you", "white"));
    process_write(game, "e4");
    (void)process_read_until(game, "1... ");
    (void)process_read_until(game, "Your move:");
    process_signal(game, SIGINT);
    (void)process_read_until(game, "*, interrupted, after 1 moves");
    assert_int_equal(process_wait(game), 130);
    process_destroy(game);
    assert_saved(2, PGN_UNKNOWN, "Human", "unterminated");
}

static size_t count_games(const char *path)
{
    FILE *file = fopen(path, "rb");
    char text[2 * GAME_MAX];
    size_t count = 0;
    struct pgn_game game;
    struct diag diag;
    if (!file)
        return 0;
    size_t size = fread(text, 1, sizeof text, file);
    assert_int_equal(fclose(file), 0);
    struct pgn_reader *reader = pgn_create_memory(text, size);
    assert_non_null(reader);
    while (pgn_next(reader, &game, &diag) == STATUS_OK)
        count++;
    pgn_destroy(reader);
    return count;
}

/* The file of --pgn may be somebody's collection. */
static void a_game_is_added_to_those_of_the_file(void **state)
{
    (void)state;
    const char *path = scratch_path(&scratch, "game.pgn");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs("[Event \"mine\"]\n\n1. e4 e5 *", file) >= 0); /* no end of line */
    assert_int_equal(fclose(file), 0);
    free(play(PLAY("--you", "white"), "d4\nquit\n", 0));
    assert_int_equal(count_games(path), 2);
    free(play(PLAY("--you", "white"), "c4\nquit\n", 0));
    assert_int_equal(count_games(path), 3);
    assert_int_equal(unlink(path), 0);
}

/* Games that begin in the same second have files of their own. */
static void every_game_has_a_new_file(void **state)
{
    (void)state;
    enum { GAMES = 3 };
    char folder[4096];
    const char *arguments[] = {
        process_binary("CAXTON_BINARY"), "play", "--movetime", "0.01", "--you", "white", NULL};
    assert_non_null(getcwd(folder, sizeof folder));
    assert_int_equal(chdir(scratch.folder), 0);
    char *paths[GAMES];
    for (int i = 0; i < GAMES; i++) {
        char *output = play(arguments, "e4\nquit\n", 0);
        char *name = strstr(output, "games/caxton-");
        assert_non_null(name);
        name[strcspn(name, "\r\n")] = '\0';
        paths[i] = strdup(name);
        assert_non_null(paths[i]);
        free(output);
    }
    for (int i = 0; i < GAMES; i++) {
        assert_int_equal(count_games(paths[i]), 1);
        assert_int_equal(unlink(paths[i]), 0);
        free(paths[i]);
    }
    assert_int_equal(rmdir("games"), 0);
    assert_int_equal(chdir(folder), 0);
}

/* The clock runs while nothing is typed. */
static void a_person_loses_on_time(void **state)
{
    (void)state;
    const char *arguments[] = {
        process_binary("CAXTON_BINARY"),    "play", "--you", "white", "--tc", "0.05", "--pgn",
        scratch_path(&scratch, "game.pgn"), NULL};
    struct process *game = process_start(arguments);
    (void)process_read_until(game, "0-1, time is up, after 0 moves");
    assert_int_equal(process_wait(game), 0);
    process_destroy(game);
}

/* All that a terminal gets; `settings` are those of the environment. */
static char *play_on_terminal(const char *terminal, const char *no_color, const char *input)
{
    assert_int_equal(setenv("TERM", terminal, 1), 0);
    assert_int_equal(setenv("LC_ALL", "C.UTF-8", 1), 0);
    assert_int_equal(no_color ? setenv("NO_COLOR", no_color, 1) : unsetenv("NO_COLOR"), 0);
    struct process *game = process_start_on_terminal(PLAY("--seed", "1"));
    process_write_bytes(game, input, strlen(input));
    const char *all = process_read_all(game);
    char *output = malloc(strlen(all) + 1);
    assert_non_null(output);
    memcpy(output, all, strlen(all) + 1);
    assert_int_equal(process_wait(game), 0);
    process_destroy(game);
    assert_in_range(widest_line(output), 20, WIDTH_MAX + 20); /* the path of the game is longer */
    return output;
}

/* Nothing but a terminal is needed to be asked for a move. */
static void a_terminal_shows_colours(void **state)
{
    (void)state;
    char *output = play_on_terminal("xterm-256color", NULL, "help\ne4\nquit\n");
    assert_non_null(strstr(output, "\033[2J"));
    assert_non_null(strstr(output, "\033[48;5;"));
    assert_non_null(strstr(output, "White (you)"));
    assert_non_null(strstr(output, "*, not finished, after 1 moves"));
    free(output);
    assert_saved(2, PGN_UNKNOWN, "Human", "unterminated");
}

static void a_terminal_without_colours(void **state)
{
    (void)state;
    static const char *const settings[][2] = {{"dumb", NULL}, {"xterm", "1"}};
    for (int i = 0; i < 2; i++) {
        char *output = play_on_terminal(settings[i][0], settings[i][1], "e4\nresign\n");
        assert_null(strchr(output, '\033'));
        assert_non_null(strstr(output, "[♟]"));
        assert_non_null(strstr(output, "Your move: "));
        free(output);
        assert_saved(2, PGN_BLACK_WINS, "Human", "normal");
    }
}

static void faults_are_one_line(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"--start", "not a position"},
        {"--level", "99999"},
        {"--movetime", "0"},
        {"--you", "green"},
        {"--tc", "1+1"}, /* beside --movetime */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct process_result result = process_run(PLAY(wrong[i][0], wrong[i][1]), NULL);
        assert_int_equal(result.status, 2);
        assert_string_equal(result.output, "");
        const char *end = strchr(result.errors, '\n');
        assert_true(end && end[1] == '\0');
        process_result_free(&result);
    }
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_and_moves),
        cmocka_unit_test(wrong_input_is_one_line),
        cmocka_unit_test(long_lines_and_empty_ones),
        cmocka_unit_test(a_position_and_a_colour),
        cmocka_unit_test(the_engine_goes_on_alone),
        cmocka_unit_test(who_made_the_moves_is_saved),
        cmocka_unit_test(leaving_saves_the_game),
        cmocka_unit_test(an_interrupt_at_the_prompt_saves_the_game),
        cmocka_unit_test(a_game_is_added_to_those_of_the_file),
        cmocka_unit_test(every_game_has_a_new_file),
        cmocka_unit_test(a_person_loses_on_time),
        cmocka_unit_test(a_terminal_shows_colours),
        cmocka_unit_test(a_terminal_without_colours),
        cmocka_unit_test(faults_are_one_line),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
