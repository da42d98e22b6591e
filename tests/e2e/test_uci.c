/* The engine as an interface meets it: through pipes. */
#include "engine.h"

#include "base/program.h"

/* Bad input -------------------------------------------------------------------------------- */

static void bad_input_gets_a_line_and_an_answer(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Threads value 0",
        "setoption name NoSuchThing value 1",
        "position fen 8/8/8/8/8/8/8/4K3 w - - 0 1",
        "position fen",
        "position startpos moves e2e4 e7e5 e1e3 e8e7",
        "debug perhaps",
        "gO",
    };
    struct process *engine = engine_start();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        process_write(engine, lines[i]);
        process_write(engine, "isready");
        assert_int_equal(process_count_until(engine, "info string ", "readyok"), 1);
    }
    engine_quit(engine);
}

static void unreadable_limits_are_answered(void **state)
{
    (void)state;
    static const char *const lines[] = {"go depth",         "go depth x",  "go movetime",
                                        "go nodes -",       "go dpeth 12", "go mate",
                                        "go wtime btime 9", "go perft"};
    struct process *engine = engine_start();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        process_write(engine, lines[i]);
        (void)process_read_until(engine, "bestmove ");
        engine_sync(engine);
    }
    engine_quit(engine);
}

static void stop_when_idle_does_nothing(void **state)
{
    (void)state;
    struct process *engine = engine_start();
    process_write(engine, "stop");
    process_write(engine, "ponderhit");
    process_write(engine, "isready");
    assert_int_equal(process_count_until(engine, "", "readyok"), 0);
    engine_quit(engine);
}

static void long_lines(void **state)
{
    (void)state;
    enum { SIZE = 150000 };
    struct process *engine = engine_start();
    char *line = malloc(SIZE);
    assert_non_null(line);
    memset(line, 'y', SIZE);
    process_write_bytes(engine, line, SIZE);
    process_write(engine, "");
    process_write(engine, "isready");
    assert_int_equal(process_count_until(engine, "info string unknown", "readyok"), 1);
    free(line);
    engine_quit(engine);
}

/* Knights go out and back `plies` times, then it is White's or Black's turn to think. */
static void say_long_game(struct process *engine, int plies)
{
    static const char *const shuffle[] = {" g1f3", " g8f6", " f3g1", " f6g8"};
    static const char head[] = "position startpos moves";
    process_write_bytes(engine, head, sizeof head - 1);
    for (int i = 0; i < plies; i++)
        process_write_bytes(engine, shuffle[i % 4], 5);
    process_write(engine, "");
}

static void long_games(void **state)
{
    (void)state;
    struct process *engine = engine_start();
    static const int lengths[] = {600, 601, 2400, 2402, 30000};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        say_long_game(engine, lengths[i]);
        process_write(engine, "go depth 4");
        assert_null(strstr(process_read_until(engine, "bestmove "), "(none)"));
    }
    engine_quit(engine);
}

/* Answers ---------------------------------------------------------------------------------- */

static void isready_is_answered_during_a_search(void **state)
{
    (void)state;
    struct process *engine = engine_start();
    process_write(engine, "go infinite");
    for (int i = 0; i < 5; i++) {
        process_write(engine, "isready");
        assert_int_equal(process_count_until(engine, "bestmove", "readyok"), 0);
    }
    process_write(engine, "stop");
    (void)process_read_until(engine, "bestmove ");
    process_write(engine, "isready");
    assert_int_equal(process_count_until(engine, "bestmove", "readyok"), 0);
    engine_quit(engine);
}

static void ponder_waits_for_its_end(void **state)
{
    (void)state;
    struct process *engine = engine_start();
    process_write(engine, "position startpos moves e2e4 e7e5");
    process_write(engine, "go ponder wtime 60 btime 60");
    process_write(engine, "isready");
    assert_int_equal(process_count_until(engine, "bestmove", "readyok"), 0);
    assert_true(process_is_silent(engine, "bestmove", 150)); /* longer than the clock */
    process_write(engine, "ponderhit");
    (void)process_read_until(engine, "bestmove ");
    process_write(engine, "go ponder wtime 60000 btime 60000");
    process_write(engine, "stop");
    (void)process_read_until(engine, "bestmove ");
    process_write(engine, "go ponder");
    engine_quit(engine); /* ends at once although it ponders */
}

static void mate_and_stalemate_are_answered(void **state)
{
    (void)state;
    struct process *engine = engine_start();
    process_write(engine, "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    process_write(engine, "go wtime 1000 btime 1000");
    assert_string_equal(process_read_until(engine, "bestmove"), "bestmove (none)");
    process_write(engine, "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    process_write(engine, "go depth 3");
    assert_string_equal(process_read_until(engine, "bestmove"), "bestmove (none)");
    process_write(engine, "go infinite"); /* the score is shown before the search is stopped */
    assert_string_equal(process_read_until(engine, "info depth 0"), "info depth 0 score cp 0");
    process_write(engine, "stop");
    assert_string_equal(process_read_until(engine, "bestmove"), "bestmove (none)");
    engine_quit(engine);
}

static void multipv_and_searchmoves(void **state)
{
    (void)state;
    struct process *engine = engine_start();
    engine_set(engine, "MultiPV", "3");
    process_write(engine, "go depth 5");
    assert_int_equal(process_count_until(engine, "info depth 5 ", "bestmove "), 3);
    process_write(engine, "go searchmoves a2a3 h2h3 depth 5");
    assert_int_equal(process_count_until(engine, "info depth 5 ", "bestmove "), 2);
    process_write(engine, "go depth 3 searchmoves a2a3");
    assert_int_equal(strncmp(process_read_until(engine, "bestmove "), "bestmove a2a3", 13), 0);
    engine_quit(engine);
}

static void chess960_castling(void **state)
{
    (void)state;
    struct process *engine = engine_start();
    engine_set(engine, "UCI_Chess960", "true");
    process_write(engine, "position fen 7k/8/8/8/8/8/8/2K1R3 w E - 0 1 moves c1e1");
    process_write(engine, "d");
    assert_string_equal(process_read_until(engine, "FEN:"),
                        "FEN:     7k/8/8/8/8/8/8/5RK1 b - - 1 1");
    process_write(engine, "position startpos");
    process_write(engine, "position fen 5k2/8/8/8/8/8/8/4K2R w K - 0 1");
    process_write(engine, "go depth 2 searchmoves e1g1");
    assert_int_equal(strncmp(process_read_until(engine, "bestmove "), "bestmove e1h1", 13), 0);
    engine_set(engine, "UCI_Chess960", "false");
    process_write(engine, "go depth 2 searchmoves e1h1");
    assert_int_equal(strncmp(process_read_until(engine, "bestmove "), "bestmove e1g1", 13), 0);
    engine_quit(engine);
}

static void wdl_is_shown_when_asked_for(void **state)
{
    (void)state;
    struct process *engine = engine_start();
    process_write(engine, "go depth 1");
    assert_null(strstr(process_read_until(engine, "info depth 1 "), " wdl "));
    (void)process_read_until(engine, "bestmove ");
    engine_set(engine, "UCI_ShowWDL", "true");
    process_write(engine, "go depth 1");
    assert_non_null(strstr(process_read_until(engine, "info depth 1 "), " wdl "));
    (void)process_read_until(engine, "bestmove ");
    engine_quit(engine);
}

/* The last score of a search, in centipawns; black's king and white's knight: a draw. */
static long score_of_draw(struct process *engine, const char *turn)
{
    long score = -1000;
    process_write(engine, "ucinewgame");
    engine_say(engine, "position fen 8/8/4k3/8/8/3NK3/8/8 %s - - 0 1", turn);
    process_write(engine, "go depth 4");
    for (const char *line = ""; strncmp(line, "bestmove", 8) != 0;) {
        line = process_read_line(engine);
        const char *found = strstr(line, " score cp ");
        if (found)
            score = strtol(found + 10, NULL, 10);
    }
    return score;
}

static void contempt_is_the_price_of_a_draw(void **state)
{
    (void)state;
    struct process *engine = engine_start();
    assert_in_range(score_of_draw(engine, "w") + 100, 98, 102);
    engine_set(engine, "Contempt", "30");
    assert_in_range(score_of_draw(engine, "w") + 100, 68, 72);
    assert_in_range(score_of_draw(engine, "b") + 100, 68, 72);
    engine_set(engine, "Contempt", "-30");
    assert_in_range(score_of_draw(engine, "b") + 100, 128, 132);
    engine_set(engine, "UCI_AnalyseMode", "true");
    assert_in_range(score_of_draw(engine, "b") + 100, 98, 102);
    engine_quit(engine);
}

static void perft_on_the_command(void **state)
{
    (void)state;
    struct process *engine = engine_start();
    process_write(engine, "go perft 4");
    assert_string_equal(process_read_until(engine, "Nodes searched"), "Nodes searched: 197281");
    engine_quit(engine);
}

/* The end ---------------------------------------------------------------------------------- */

static void end_of_input_ends_the_program(void **state)
{
    (void)state;
    static const char *const lines[] = {"isready", "go infinite", "go ponder", "go perft 30"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct process *engine = engine_start();
        process_write(engine, lines[i]);
        engine_sync(engine);
        process_close_input(engine);
        assert_int_equal(process_wait(engine), 0);
        process_destroy(engine);
    }
}

static void waiting_costs_nothing(void **state)
{
    (void)state;
    struct process *engine = engine_start();
    engine_assert_idle(engine, 200);
    process_write(engine, "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"); /* mated */
    process_write(engine, "go infinite");
    engine_sync(engine);
    engine_assert_idle(engine, 300);
    process_write(engine, "stop");
    assert_string_equal(process_read_until(engine, "bestmove"), "bestmove (none)");
    process_write(engine, "go depth 1 ponder");
    engine_sync(engine);
    engine_assert_idle(engine, 300);
    engine_quit(engine);
}

/* The command line ------------------------------------------------------------------------- */

#define RUN(...)                                                                                   \
    process_run((const char *const[]){process_binary("CAXTON_BINARY"), __VA_ARGS__, NULL}, NULL)

static void command_line(void **state)
{
    (void)state;
    struct process_result result = RUN("--version");
    assert_int_equal(result.status, 0);
    char text[80];
    (void)snprintf(text, sizeof text, "Caxton %s\n", program_version);
    assert_string_equal(result.output, text);
    process_result_free(&result);
    result = RUN("uci");
    (void)snprintf(text, sizeof text, "id name Caxton %s\nid author ", program_version);
    assert_int_equal(strncmp(result.output, text, strlen(text)), 0);
    process_result_free(&result);
    result = RUN("--help");
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.output, "caxton play"));
    process_result_free(&result);
    result = RUN("go", "perft", "3");
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.output, "Nodes searched: 8902\n"));
    process_result_free(&result);
    result = RUN("go depth 4 searchmoves e2e4");
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.output, "bestmove e2e4"));
    process_result_free(&result);
    result = RUN("--nonsense");
    assert_int_equal(result.status, 2);
    assert_string_equal(result.output, "");
    assert_non_null(strstr(result.errors, "caxton: "));
    process_result_free(&result);
}

static void misspelt_words_have_a_nearest_one(void **state)
{
    (void)state;
    static const char *const words[][2] = {{"paly", "(did you mean play?)"},
                                           {"--verison", "(did you mean --version?)"},
                                           {"option", "(did you mean options?)"},
                                           {"benhc", "(did you mean bench?)"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct process_result result = RUN(words[i][0]);
        assert_int_equal(result.status, 2);
        assert_non_null(strstr(result.errors, words[i][1]));
        process_result_free(&result);
    }
}

static void assert_refused(struct process_result result)
{
    assert_int_equal(result.status, 2);
    assert_string_equal(result.output, "");
    const char *end = strchr(result.errors, '\n');
    assert_true(end && end[1] == '\0'); /* one line */
    process_result_free(&result);
}

static void commands_without_an_end_are_refused(void **state)
{
    (void)state;
    assert_refused(RUN("go"));
    assert_refused(RUN("go", "ponder"));
    assert_refused(RUN("bench", "deep"));
    struct process_result result = RUN("go", "depth", "deep");
    assert_int_equal(result.status, 2);
    assert_null(strstr(result.output, "bestmove"));
    process_result_free(&result);
}

static void bench_is_deterministic(void **state)
{
    (void)state;
    struct process_result first = RUN("bench", "4");
    struct process_result second = RUN("bench", "4");
    assert_int_equal(first.status, 0);
    char *signature = strstr(first.output, "Bench: ");
    assert_non_null(signature);
    assert_non_null(strstr(second.output, signature));
    process_result_free(&second);
    signature[strcspn(signature, "\n")] = '\0';

    /* As OpenBench reads it. */
    char nodes[64];
    (void)snprintf(nodes, sizeof nodes, "\n%s nodes ", signature + strlen("Bench: "));
    assert_non_null(strstr(first.output, nodes));

    /* As a command of UCI, whatever the interface has set. */
    struct process *engine = engine_start();
    engine_set(engine, "Hash", "1");
    engine_set(engine, "Threads", "2");
    process_write(engine, "bench 4");
    assert_string_equal(process_read_until(engine, "Bench: "), signature);
    process_write(engine, "bench 60");
    process_write(engine, "isready");
    assert_int_equal(process_count_until(engine, "Bench: ", "readyok"), 0);
    process_write(engine, "stop");
    (void)process_read_until(engine, "info string bench stopped");
    process_write(engine, "bench 0");
    (void)process_read_until(engine, "info string bench takes one number");
    engine_quit(engine);
    process_result_free(&first);
}

/* For testers ------------------------------------------------------------------------------ */

enum { GENFENS_COUNT = 40 };

/* `line` as a position of six fields that the engine sets up without a remark. */
static void assert_is_position(struct process *engine, const char *fen)
{
    int blanks = 0;
    for (const char *c = fen; *c; c++)
        blanks += *c == ' ';
    assert_int_equal(blanks, 5);
    engine_say(engine, "position fen %s", fen);
    process_write(engine, "isready");
    assert_int_equal(process_count_until(engine, "info string", "readyok"), 0);
}

/* Exactly so many lines of genfens and nothing else, of positions that all differ. */
static void assert_are_positions(const char *output, int count)
{
    static const char head[] = "info string genfens ";
    struct process *engine = engine_start();
    struct span rest = span_of(output);
    struct span line;
    char fens[GENFENS_COUNT][128];
    int found = 0;
    for (; span_line(&rest, &line); found++) {
        assert_in_range(found, 0, GENFENS_COUNT - 1);
        assert_int_equal(strncmp(line.data, head, sizeof head - 1), 0);
        text_copy(fens[found], sizeof fens[found], span_from(line, sizeof head - 1));
        assert_is_position(engine, fens[found]);
        for (int i = 0; i < found; i++)
            assert_string_not_equal(fens[i], fens[found]);
    }
    assert_int_equal(found, count);
    engine_quit(engine);
}

static void genfens_as_openbench_asks_for_it(void **state)
{
    (void)state;
    /* The blank is where OpenBench has further arguments. */
    struct process_result result = RUN("genfens 40 seed 2147483647 book None ", "quit");
    struct process_result again = RUN("genfens 40 seed 2147483647 book none", "quit");
    struct process_result other = RUN("genfens", "40", "seed", "1", "book", "None");
    assert_int_equal(result.status, 0);
    assert_string_equal(result.errors, "");
    assert_are_positions(result.output, 40);
    assert_string_equal(again.output, result.output);
    assert_string_not_equal(other.output, result.output);
    process_result_free(&other);
    process_result_free(&again);
    process_result_free(&result);
    result = RUN("genfens 3 seed 5 book None dfrc", "quit");
    assert_are_positions(result.output, 3);
    process_result_free(&result);
}

static void genfens_begins_at_the_positions_of_a_book(void **state)
{
    (void)state;
    static const char book[] = "8/5k2/8/8/8/8/4PK2/8 w - - id \"; fmvn 9;\"; hmvc 1; fmvn 60;\r\n"
                               "\n"
                               "8/5k2/4p3/8/8/8/5K2/8 b - - 0 60\n";
    static const char bad[] = "8/5k2/8/8/8/8/4PK2/8 w - -\n8/8/8 w - -\n";
    struct scratch scratch;
    char command[600];
    scratch_create(&scratch);
    scratch_write(&scratch, "book.epd", book, sizeof book - 1);
    (void)snprintf(command, sizeof command, "genfens 5 seed 9 book %s ",
                   scratch_path(&scratch, "book.epd"));
    struct process_result result = RUN(command, "quit");
    assert_are_positions(result.output, 5);
    int moves_60 = 0; /* the number of the move goes on */
    for (const char *c = result.output; (c = strstr(c, " 6")); c++)
        moves_60 += strspn(c + 1, "0123456789") == 2;
    assert_int_equal(moves_60, 5);
    process_result_free(&result);

    scratch_write(&scratch, "bad.epd", bad, sizeof bad - 1);
    (void)snprintf(command, sizeof command, "genfens 5 seed 9 book %s",
                   scratch_path(&scratch, "bad.epd"));
    result = RUN(command);
    assert_int_equal(result.status, 1);
    assert_string_equal(result.output, "");
    assert_non_null(strstr(result.errors, "bad.epd:2:"));
    process_result_free(&result);
    result = RUN("genfens 5 seed 9 book not_there.epd", "quit");
    assert_int_equal(result.status, 1);
    assert_string_equal(result.output, "");
    assert_non_null(strstr(result.errors, "not_there.epd: "));
    process_result_free(&result);
    assert_refused(RUN("genfens"));
    assert_refused(RUN("genfens 5 seed"));
    assert_refused(RUN("genfens 0 seed 1 book None"));
    assert_refused(RUN("genfens 5 seed 1 book None chess961"));
    scratch_remove(&scratch, (const char *const[]){"book.epd", "bad.epd", NULL});
}

static void speedtest_uses_all_it_is_given(void **state)
{
    (void)state;
    struct process_result result = RUN("speedtest", "2", "16", "1");
    assert_int_equal(result.status, 0);
    static const char *const rows[] = {"\nThreads:   2", "\nHash:      16 MB", "\nCompiler:  ",
                                       "\nTime:      ",  "\nNodes:     ",      "\nSpeed:     "};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_non_null(strstr(result.output, rows[i]));
    process_result_free(&result);
    assert_refused(RUN("speedtest", "many"));
    struct process *engine = engine_start();
    process_write(engine, "speedtest 1 16 1000");
    engine_sync(engine);
    process_write(engine, "stop");
    (void)process_read_until(engine, "info string speedtest stopped");
    engine_quit(engine);
}

static void compiler_names_the_build(void **state)
{
    (void)state;
    struct process_result result = RUN("compiler");
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.output, "Compiler:  "));
    assert_non_null(strstr(result.output, "Network:   "));
    process_result_free(&result);
}

static void flip_exchanges_colours(void **state)
{
    (void)state;
    struct process *engine = engine_start();
    process_write(engine, "position startpos moves e2e4");
    process_write(engine, "flip");
    process_write(engine, "d");
    assert_string_equal(process_read_until(engine, "FEN:"),
                        "FEN:     rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    process_write(engine, "position startpos moves e2e4 e7e5"); /* not a move more */
    process_write(engine, "d");
    assert_string_equal(process_read_until(engine, "FEN:"),
                        "FEN:     rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    engine_quit(engine);
}

static void export_net_writes_a_network_that_loads(void **state)
{
    (void)state;
    struct scratch scratch;
    scratch_create(&scratch);
    char file[512];
    text_copy(file, sizeof file, span_of(scratch_path(&scratch, "a net.nnue")));
    struct process *engine = engine_start();
    engine_say(engine, "export_net %s", file);
    assert_non_null(strstr(process_read_until(engine, "info string"), "a net.nnue"));
    engine_say(engine, "setoption name EvalFile value %s", file);
    process_write(engine, "isready");
    assert_int_equal(process_count_until(engine, "info string", "readyok"), 0);
    engine_quit(engine);
    struct process_result result = RUN("export_net", scratch_path(&scratch, "no/such/folder"));
    assert_int_equal(result.status, 1);
    assert_string_equal(result.output, "");
    assert_non_null(strstr(result.errors, "no/such/folder: "));
    process_result_free(&result);
    assert_refused(RUN("export_net"));
    scratch_remove(&scratch, (const char *const[]){"a net.nnue", NULL});
}

static void wait_lets_a_search_end(void **state)
{
    (void)state;
    struct process *engine = engine_start();
    process_write(engine, "wait"); /* for nothing */
    process_write(engine, "go nodes 50000");
    process_write(engine, "wait");
    process_write(engine, "isready");
    assert_int_equal(process_count_until(engine, "bestmove", "readyok"), 1);
    static const char *const endless[] = {"go infinite", "go", "go ponder wtime 1 btime 1"};
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        process_write(engine, endless[i]);
        process_write(engine, "wait");
        (void)process_read_until(engine, "info string wait: ");
        process_write(engine, "stop");
        (void)process_read_until(engine, "bestmove");
    }
    process_write(engine, "go nodes 50000\nwait\nquit");
    assert_non_null(strstr(process_read_until(engine, "bestmove"), "bestmove "));
    assert_int_equal(process_wait(engine), 0);
    process_destroy(engine);
}

static void minimal_shows_the_last_lines_only(void **state)
{
    (void)state;
    static const char *const limits[] = {"go depth 8", "go nodes 20000", "go mate 2"};
    struct process *engine = engine_start();
    engine_set(engine, "Minimal", "true");
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        process_write(engine, limits[i]);
        assert_int_equal(process_count_until(engine, "info", "bestmove"), 1);
    }
    engine_set(engine, "UCI_LimitStrength", "true");
    process_write(engine, "go wtime 100000 btime 100000");
    assert_int_equal(process_count_until(engine, "info", "bestmove"), 1);
    engine_set(engine, "UCI_LimitStrength", "false");
    engine_set(engine, "MultiPV", "3");
    process_write(engine, "go depth 8");
    assert_int_equal(process_count_until(engine, "info depth 8 ", "bestmove"), 3);
    process_write(engine, "go movetime 100");
    assert_int_equal(process_count_until(engine, "info", "bestmove"), 3);
    engine_quit(engine);
}

/* Is the line of a mate as long as the mate? Lines with another score are. */
static bool is_complete(const char *info)
{
    const char *mate = strstr(info, " score mate ");
    const char *pv = strstr(info, " pv ");
    if (!mate || strstr(info, "bound "))
        return true;
    long moves = strtol(mate + strlen(" score mate "), NULL, 10);
    long plies = 0;
    for (const char *c = pv + strlen(" pv"); *c; c++)
        plies += *c == ' ';
    return plies == (moves > 0 ? 2 * moves - 1 : -2 * moves);
}

static void lines_of_mates_are_complete(void **state)
{
    (void)state;
    static const char *const fens[] = {"6k1/8/6K1/8/8/8/8/RQ6 w - - 0 1", /* in one by many moves */
                                       "8/8/8/4k3/8/8/QQ6/4K3 w - - 0 1", /* in three and more */
                                       "7k/5K2/8/8/8/8/8/Q5R1 b - - 0 1", /* mated */
                                       "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"};
    struct process *engine = engine_start();
    engine_set(engine, "MultiPV", "4");
    int mates = 0;
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        engine_say(engine, "position fen %s", fens[i]);
        process_write(engine, "go nodes 40000");
        for (const char *line = ""; strncmp(line, "bestmove", 8) != 0;) {
            line = process_read_line(engine);
            mates += strstr(line, " multipv 3 score mate ") != NULL;
            if (!is_complete(line))
                fail_msg("the line of a mate is short or long: %s", line);
        }
    }
    assert_in_range(mates, 3, 1000);
    engine_quit(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_input_gets_a_line_and_an_answer),
        cmocka_unit_test(unreadable_limits_are_answered),
        cmocka_unit_test(stop_when_idle_does_nothing),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(long_games),
        cmocka_unit_test(isready_is_answered_during_a_search),
        cmocka_unit_test(ponder_waits_for_its_end),
        cmocka_unit_test(mate_and_stalemate_are_answered),
        cmocka_unit_test(multipv_and_searchmoves),
        cmocka_unit_test(chess960_castling),
        cmocka_unit_test(wdl_is_shown_when_asked_for),
        cmocka_unit_test(contempt_is_the_price_of_a_draw),
        cmocka_unit_test(perft_on_the_command),
        cmocka_unit_test(end_of_input_ends_the_program),
        cmocka_unit_test(waiting_costs_nothing),
        cmocka_unit_test(command_line),
        cmocka_unit_test(misspelt_words_have_a_nearest_one),
        cmocka_unit_test(commands_without_an_end_are_refused),
        cmocka_unit_test(bench_is_deterministic),
        cmocka_unit_test(genfens_as_openbench_asks_for_it),
        cmocka_unit_test(genfens_begins_at_the_positions_of_a_book),
        cmocka_unit_test(speedtest_uses_all_it_is_given),
        cmocka_unit_test(compiler_names_the_build),
        cmocka_unit_test(flip_exchanges_colours),
        cmocka_unit_test(export_net_writes_a_network_that_loads),
        cmocka_unit_test(wait_lets_a_search_end),
        cmocka_unit_test(minimal_shows_the_last_lines_only),
        cmocka_unit_test(lines_of_mates_are_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
