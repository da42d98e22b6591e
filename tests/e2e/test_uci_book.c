/* The engine's answers from its book, as an interface sees them. */
#include "engine.h"

#include "chess/attacks.h"
#include "tests/support/book_file.h"

static struct scratch scratch;

static const struct book_line book_lines[] = {
    {"d2d4", 30},     {"e2e4", 10},          {"a2a3", 0},
    {"d2d4 g8f6", 7}, {"d2d4 g8f6 c2c4", 9}, {"g1f3 g8f6 f3g1", 5},
};
static const char *const book_names[] = {"small book.bin", "noise.bin", "short.bin", "empty.bin",
                                         NULL};

static int set_up_books(void **state)
{
    (void)state;
    static unsigned char noise[1003];
    unsigned value = 12345;
    for (size_t i = 0; i < sizeof noise; i++) {
        value = value * 1103515245u + 12345u;
        noise[i] = (unsigned char)(value >> 16);
    }
    scratch_create(&scratch);
    scratch_write(&scratch, "noise.bin", noise, sizeof noise);
    scratch_write(&scratch, "short.bin", noise, 7);
    scratch_write(&scratch, "empty.bin", noise, 0);
    int count = sizeof book_lines / sizeof *book_lines;
    return book_write(scratch_path(&scratch, "small book.bin"), book_lines, count) ? 0 : -1;
}

static int remove_books(void **state)
{
    (void)state;
    scratch_remove(&scratch, book_names);
    return 0;
}

static struct process *start_with_book(void)
{
    struct process *engine = engine_start();
    engine_set(engine, "OwnBook", "true");
    engine_set(engine, "Book File", scratch_path(&scratch, "small book.bin"));
    engine_set(engine, "BestBookMove", "true");
    process_write(engine, "isready");
    assert_string_equal(process_read_line(engine),
                        "info string BookFile: small book.bin, 6 entries");
    assert_string_equal(process_read_line(engine), "readyok");
    return engine;
}

static void book_move_with_reply_and_opening(void **state)
{
    (void)state;
    struct process *engine = start_with_book();
    process_write(engine, "go wtime 1000 btime 1000");
    const char *line = process_read_until(engine, "info string ");
    assert_non_null(strstr(line, "book small book.bin d2d4 75.0% ECO A40 "));
    line = process_read_line(engine);
    assert_int_equal(strncmp(line, "info depth 1 seldepth 1 multipv 1 score cp ", 43), 0);
    assert_non_null(strstr(line, " pv d2d4 g8f6 c2c4"));
    assert_string_equal(process_read_line(engine), "bestmove d2d4 ponder g8f6");
    process_write(engine, "position startpos moves d2d4 g8f6");
    process_write(engine, "go movetime 10");
    assert_string_equal(process_read_until(engine, "bestmove"), "bestmove c2c4");
    engine_quit(engine);
}

/* What the book knows here, the heaviest first. */
static void book_lists_its_moves_by_weight(void **state)
{
    (void)state;
    struct process *engine = start_with_book();
    process_write(engine, "book");
    assert_non_null(strstr(process_read_line(engine), "small book.bin, 6 entries:"));
    assert_non_null(strstr(process_read_line(engine), "d2d4"));
    assert_non_null(strstr(process_read_line(engine), "e2e4"));
    assert_non_null(strstr(process_read_line(engine), "a2a3"));
    process_write(engine, "position startpos moves a2a3");
    process_write(engine, "book");
    assert_string_equal(process_read_line(engine), "No book knows this position.");
    engine_quit(engine);
}

/* Asks for a move in the start position; was it one of the book? */
static bool plays_from_book(struct process *engine, const char *limits)
{
    process_write(engine, limits);
    return process_count_until(engine, "info string book ", "bestmove ") > 0;
}

static void book_keeps_out_of_analysis(void **state)
{
    (void)state;
    struct process *engine = start_with_book();
    assert_true(plays_from_book(engine, "go depth 1"));
    assert_true(plays_from_book(engine, "go nodes 10"));
    assert_false(plays_from_book(engine, "go infinite\nstop"));
    assert_false(plays_from_book(engine, "go depth 1 searchmoves e2e4"));
    assert_false(plays_from_book(engine, "go depth 1 mate 2"));
    engine_set(engine, "UCI_AnalyseMode", "true");
    assert_false(plays_from_book(engine, "go depth 1"));
    engine_set(engine, "UCI_AnalyseMode", "false");
    /* What reports on a game asks so, and wants that many lines. */
    engine_set(engine, "MultiPV", "2");
    assert_false(plays_from_book(engine, "go movetime 10"));
    assert_false(plays_from_book(engine, "go nodes 10"));
    engine_set(engine, "MultiPV", "1");
    assert_true(plays_from_book(engine, "go nodes 10"));
    engine_set(engine, "OwnBook", "false");
    assert_false(plays_from_book(engine, "go depth 1"));
    engine_quit(engine);
}

static void book_depth_counts_plies_of_the_game(void **state)
{
    (void)state;
    struct process *engine = start_with_book();
    engine_set(engine, "Book Depth", "2");
    assert_true(plays_from_book(engine, "go depth 1"));
    process_write(engine, "position startpos moves d2d4");
    assert_true(plays_from_book(engine, "go depth 1"));
    process_write(engine, "position startpos moves d2d4 g8f6");
    assert_false(plays_from_book(engine, "go depth 1"));
    /* The same position, said as a FEN, is as far from the start of the game. */
    process_write(engine, "position fen "
                          "rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2");
    assert_false(plays_from_book(engine, "go depth 1"));
    engine_set(engine, "Book Depth", "3");
    assert_true(plays_from_book(engine, "go depth 1"));
    engine_quit(engine);
}

static void threshold_and_zero_weight(void **state)
{
    (void)state;
    struct process *engine = start_with_book();
    engine_set(engine, "BestBookMove", "false");
    engine_set(engine, "BookSelection", "uniform");
    engine_set(engine, "BookThreshold", "300");
    for (int i = 0; i < 20; i++) {
        process_write(engine, "go depth 1");
        assert_non_null(strstr(process_read_until(engine, "bestmove "), "bestmove d2d4"));
    }
    engine_set(engine, "BookThreshold", "1000");
    assert_false(plays_from_book(engine, "go depth 1"));
    engine_quit(engine);
}

static void book_does_not_repeat_the_position(void **state)
{
    (void)state;
    struct process *engine = start_with_book();
    process_write(engine, "position startpos moves g1f3 g8f6 f3g1");
    assert_false(plays_from_book(engine, "go depth 1")); /* unknown there: no f6g8 in the book */
    process_write(engine, "position startpos moves g1f3 g8f6");
    assert_true(plays_from_book(engine, "go depth 1"));
    /* There and back: once more f3g1 would bring a position that has stood before. */
    process_write(engine, "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6");
    assert_false(plays_from_book(engine, "go depth 1"));
    engine_quit(engine);
}

static void book_move_waits_while_pondering(void **state)
{
    (void)state;
    struct process *engine = start_with_book();
    process_write(engine, "go ponder wtime 1000 btime 1000");
    engine_sync(engine);
    engine_assert_idle(engine, 300);
    process_write(engine, "ponderhit");
    /* Once more: programs record the line that comes after the ponderhit. */
    assert_non_null(strstr(process_read_line(engine), " pv d2d4 g8f6 c2c4"));
    assert_string_equal(process_read_line(engine), "bestmove d2d4 ponder g8f6");
    process_write(engine, "go ponder wtime 1000 btime 1000");
    process_write(engine, "stop");
    assert_string_equal(process_read_until(engine, "bestmove"), "bestmove d2d4 ponder g8f6");
    process_write(engine, "go ponder wtime 1000 btime 1000");
    process_write(engine, "position startpos moves d2d4");
    assert_string_equal(process_read_until(engine, "bestmove"), "bestmove d2d4 ponder g8f6");
    process_write(engine, "go ponder wtime 1000 btime 1000");
    engine_quit(engine);
}

static void bad_books_are_one_line(void **state)
{
    (void)state;
    static const char *const bad[] = {"noise.bin", "short.bin", "empty.bin", "missing.bin", ""};
    struct process *engine = engine_start();
    engine_set(engine, "OwnBook", "true");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        engine_set(engine, "BookFile", scratch_path(&scratch, bad[i]));
        process_write(engine, "isready");
        assert_int_equal(process_count_until(engine, "info string ", "readyok"), 1);
        assert_false(plays_from_book(engine, "go depth 1"));
    }
    engine_set(engine, "BookFile", "<empty>");
    assert_true(plays_from_book(engine, "go depth 1")); /* the built-in one again */
    engine_quit(engine);
}

static void several_books_answer_in_order(void **state)
{
    (void)state;
    struct process *engine = engine_start();
    engine_set(engine, "OwnBook", "true");
    char value[1200];
    struct text_buffer text = text_buffer_on(value, sizeof value);
    text_append(&text, "%s;", scratch_path(&scratch, "missing.bin"));
    text_append(&text, "%s", scratch_path(&scratch, "small book.bin"));
    engine_say(engine, "setoption name BookFile value %s", value);
    assert_true(plays_from_book(engine, "go depth 1"));
    engine_quit(engine);
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(book_move_with_reply_and_opening),
        cmocka_unit_test(book_lists_its_moves_by_weight),
        cmocka_unit_test(book_keeps_out_of_analysis),
        cmocka_unit_test(book_depth_counts_plies_of_the_game),
        cmocka_unit_test(threshold_and_zero_weight),
        cmocka_unit_test(book_does_not_repeat_the_position),
        cmocka_unit_test(book_move_waits_while_pondering),
        cmocka_unit_test(bad_books_are_one_line),
        cmocka_unit_test(several_books_answer_in_order),
    };
    return cmocka_run_group_tests(tests, set_up_books, remove_books);
}
