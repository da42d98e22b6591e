/* Conversations of real chess programs with the engine, replayed: the orders in which Arena, Cute
 * Chess, python-chess (and lichess-bot, which uses it), Banksia, En Croissant, PolyGlot, uci2wb and
 * Scid speak, taken from their logs and sources. The engine answers what was asked, once, legally,
 * and says nothing else.
 *
 * It is long because the conversations are. */
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "engine.h"

/* A conversation is a list of lines that ends with NULL. A line that begins with '<' is waited for
 * by the words behind it; any other is said. Before it comes, only `info` may come. */
enum { LONG_ENOUGH_MS = 150 };
static const char silence[] = "<"; /* no answer for a while */
/* When a search may have ended both are on their way. */
static const char both[] = "<bestmove and readyok, in any order";

struct talk {
    struct process *engine;
    const char *line_end;
    struct position pos; /* as the engine was told last */
};

static struct position position_of(struct span text)
{
    struct position pos;
    struct diag diag;
    struct span rest = text;
    bool is_fen = span_equal(span_token(&rest), "fen");
    struct span fen = is_fen ? span_trim(rest) : span_of(fen_start);
    const char *moves = strstr(text.data, " moves ");
    if (is_fen && moves)
        fen.size = (size_t)(moves - fen.data);
    assert_int_equal(fen_parse_lenient(fen, &pos, &diag), STATUS_OK);
    rest = span_of(moves ? moves + strlen(" moves ") : "");
    for (struct span token; (token = span_token(&rest)).size;) {
        move m;
        assert_int_equal(move_from_uci(&pos, token, &m), STATUS_OK);
        position_play(&pos, m);
    }
    return pos;
}

static void say(struct talk *talk, const char *line)
{
    if (strncmp(line, "position ", 9) == 0)
        talk->pos = position_of(span_of(line + 9));
    process_write_bytes(talk->engine, line, strlen(line));
    process_write_bytes(talk->engine, talk->line_end, strlen(talk->line_end));
}

/* "bestmove M [ponder P]" */
static void check_answer(const struct talk *talk, const char *line)
{
    struct span rest = span_of(line);
    (void)span_token(&rest);
    struct position pos = talk->pos;
    for (struct span token; (token = span_token(&rest)).size;) {
        if (span_equal(token, "ponder"))
            continue;
        move m;
        if (move_from_uci(&pos, token, &m) != STATUS_OK)
            fail_msg("not legal: %s", line);
        position_play(&pos, m);
    }
}

static bool starts(const char *line, const char *prefix)
{
    return strncmp(line, prefix, strlen(prefix)) == 0;
}

/* What may come at any time: thoughts, and the name of the book that gave a move. */
static bool is_thought(const char *line)
{
    return starts(line, "info depth ") || starts(line, "info string book ");
}

static void expect(struct talk *talk, const char *wanted)
{
    for (const char *line; (line = process_read_line(talk->engine));) {
        if (starts(line, wanted)) {
            if (starts(line, "bestmove ") && !starts(wanted, "bestmove (none)"))
                check_answer(talk, line);
            return;
        }
        bool is_greeting = starts(line, "id ") || starts(line, "option name ");
        if (!is_thought(line) && !(is_greeting && starts(wanted, "uciok")))
            fail_msg("waited for \"%s\", got \"%s\"", wanted, line);
    }
    fail_msg("waited for \"%s\", got the end", wanted);
}

static void expect_both(struct talk *talk)
{
    bool is_ready = false;
    for (bool is_answered = false; !is_ready || !is_answered;) {
        const char *line = process_read_line(talk->engine);
        assert_non_null(line);
        if (starts(line, "bestmove ") && !is_answered) {
            check_answer(talk, line);
            is_answered = true;
        } else if (starts(line, "readyok") && !is_ready) {
            is_ready = true;
        } else if (!is_thought(line)) {
            fail_msg("waited for bestmove and readyok, got \"%s\"", line);
        }
    }
}

static void replay(const char *const *lines, const char *line_end)
{
    const char *arguments[] = {process_binary("CAXTON_BINARY"), NULL};
    struct talk talk = {.engine = process_start(arguments), .line_end = line_end};
    for (; *lines; lines++) {
        if (*lines == silence)
            assert_true(process_is_silent(talk.engine, "bestmove", LONG_ENOUGH_MS));
        else if (*lines == both)
            expect_both(&talk);
        else if (**lines == '<')
            expect(&talk, *lines + 1);
        else
            say(&talk, *lines);
    }
    for (const char *line; (line = process_read_line(talk.engine));)
        if (!is_thought(line))
            fail_msg("left over: \"%s\"", line);
    assert_int_equal(process_wait(talk.engine), 0);
    assert_string_equal(process_errors(talk.engine), "");
    process_destroy(talk.engine);
}

/* Arena: an engine of the type "Auto" is asked for both protocols; every option is sent back. */
static void arena_game(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "xboard",
        "<info string unknown command",
        "uci",
        "<uciok",
        "setoption name Hash value 12",
        "setoption name Threads value 1",
        "setoption name MultiPV value 1",
        "setoption name Ponder value true",
        "setoption name Move Overhead value 30",
        "setoption name Slow Mover value 89",
        "setoption name nodestime value 0",
        "setoption name UCI_Chess960 value false",
        "setoption name UCI_ShowWDL value false",
        "setoption name UCI_AnalyseMode value false",
        "setoption name UCI_LimitStrength value false",
        "setoption name UCI_Elo value 1600",
        "setoption name UCI_Opponent value none none human Schach Übung",
        "setoption name UCI_EngineAbout value Caxton, a chess engine",
        "setoption name EvalFile value <empty>",
        "setoption name SyzygyPath value <empty>",
        "setoption name OwnBook value true",
        "setoption name BookFile value <empty>",
        "setoption name BookFile value ",
        "setoption name BookSelection value weighted",
        "isready",
        "<readyok",
        "ucinewgame",
        "isready",
        "<readyok",
        "position startpos moves d2d4",
        "go wtime 61000 btime 60000 winc 1000 binc 1000",
        "<bestmove",
        "quit",
        NULL,
    };
    replay(lines, "\r\n");
    replay(lines, "\n");
}

static void arena_ponders(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "uci",
        "<uciok",
        "setoption name Ponder value true",
        "isready",
        "<readyok",
        "ucinewgame",
        "isready",
        "<readyok",
        "position startpos moves d2d4 g8f6 c2c4",
        "go ponder wtime 59641 btime 61000 winc 1000 binc 1000",
        "ponderhit", /* it was a book move, or a second of thinking */
        "<bestmove",
        "position startpos moves d2d4 g8f6 c2c4 e7e6 a2a3 h7h6",
        "go ponder wtime 2000 btime 2000 winc 10 binc 10",
        "isready",
        "<readyok",
        "stop", /* another move was played */
        "<bestmove",
        "position startpos moves d2d4 g8f6 c2c4 e7e6 a2a3 h7h6 h2h3",
        "go wtime 900 btime 900 movestogo 10",
        "<bestmove",
        /* A ponderhit is answered, also when the time of the move is over (lc0's issue 651). */
        "position startpos moves d2d4 g8f6 c2c4 e7e6 a2a3 h7h6 h2h3 a7a6",
        "go ponder movetime 20",
        silence,
        "ponderhit",
        "<bestmove",
        /* It asks for a move when the game is over, and stops at once. */
        "position startpos moves f2f3 e7e5 g2g4 d8h4",
        "go wtime 77000 btime 27000 winc 1000 binc 1000",
        "stop",
        "<bestmove (none)",
        "quit",
        NULL,
    };
    replay(lines, "\r\n");
}

static void arena_analysis(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "uci",
        "<uciok",
        "setoption name Hash value 16",
        "setoption name UCI_AnalyseMode value true",
        "isready",
        "<readyok",
        "ucinewgame",
        "isready",
        "<readyok",
        "position startpos",
        "go infinite",
        "stop",
        "<bestmove",
        "position startpos moves e2e4",
        "go infinite",
        silence,
        "setoption name MultiPV value 3", /* while it thinks */
        "<bestmove",
        "isready",
        "<readyok",
        "position fen r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 30 moves e8g8 e1c1",
        "go infinite",
        "isready",
        "<readyok",
        "stop",
        "<bestmove",
        "stop",
        "quit",
        NULL,
    };
    replay(lines, "\r\n");
}

/* Cute Chess and cutechess-cli: no `isready` before the first `ucinewgame`, one after each
 * position; a missed ponder move is stopped, and its answer dropped. */
static void cutechess_game(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "uci",
        "<uciok",
        "setoption name Hash value 32",
        "isready",
        "<readyok",
        "ucinewgame",
        "setoption name Ponder value true",
        "setoption name UCI_Opponent value none none computer Caxton 0.1.0",
        "position startpos",
        "isready",
        "<readyok",
        "go wtime 600 btime 600 winc 10 binc 10 movestogo 40",
        "<bestmove",
        "position startpos moves a2a3 a7a6 h2h3",
        "isready",
        "<readyok",
        "go ponder wtime 600 btime 600 winc 10 binc 10 movestogo 39",
        "stop",
        "isready",
        both,
        "position startpos moves a2a3 a7a6 h2h3 h7h6",
        "isready",
        "<readyok",
        "go wtime 600 btime 600 winc 10 binc 10 movestogo 39 depth 4",
        "<bestmove",
        "position startpos moves a2a3 a7a6 h2h3 h7h6 b2b3 b7b6",
        "isready",
        "<readyok",
        "go ponder wtime 500 btime 500 winc 10 binc 10 movestogo 38",
        "isready", /* the end of a game while it ponders, without `stop` (its issue 88) */
        "<readyok",
        "ucinewgame",
        "<bestmove",
        "setoption name UCI_Chess960 value true",
        "position fen bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1 moves g1f3 g8f6",
        "isready",
        "<readyok",
        "go depth 4",
        "<bestmove",
        "quit",
        NULL,
    };
    replay(lines, "\n");
}

/* python-chess and lichess-bot: options once, Ponder before each search, the opponent's name. */
static void python_chess_game(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "uci",
        "<uciok",
        "setoption name Move Overhead value 100",
        "setoption name UCI_ShowWDL value true",
        "setoption name UCI_Opponent value none 1500 human bo",
        "ucinewgame",
        "isready",
        "<readyok",
        "setoption name Ponder value true",
        "position startpos moves g1f3",
        "go wtime 900 btime 900 winc 20 binc 20",
        "<bestmove",
        "position startpos moves g1f3 d7d5 d2d4",
        "go ponder wtime 800 btime 800 winc 20 binc 20",
        "ponderhit",
        "<bestmove",
        "setoption name Ponder value false",
        "setoption name MultiPV value 3",
        "setoption name UCI_AnalyseMode value true",
        "position startpos moves g1f3 d7d5 d2d4 g8f6",
        "go infinite",
        "stop",
        "<bestmove",
        "setoption name MultiPV value 1",
        "setoption name UCI_AnalyseMode value false",
        "position startpos moves g1f3 d7d5 d2d4 g8f6",
        "go depth 3 searchmoves a2a3 h2h3",
        "<bestmove",
        "isready",
        "<readyok",
        "quit",
        NULL,
    };
    replay(lines, "\n");
}

/* Banksia: position and `go` without `isready`; an answer of `readyok` to nobody's question. */
static void banksia_game(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "uci",
        "<uciok",
        "isready",
        "<readyok",
        "setoption name OwnBook value false",
        "ucinewgame",
        "position startpos moves e2e4",
        "go wtime 900 btime 900 winc 0 binc 0 movestogo 40",
        "isready",
        both,
        "position startpos moves e2e4 e7e5 g1f3",
        "go ponder wtime 900 btime 900 winc 0 binc 0 movestogo 39",
        "stop",
        "<bestmove",
        "position startpos moves e2e4 e7e5 b1c3",
        "go movetime 20",
        "<bestmove",
        "stop",
        "quit",
        NULL,
    };
    replay(lines, "\n");
}

/* En Croissant's analysis: neither `ucinewgame` nor `isready`, and no position at first. */
static void analysis_without_a_greeting(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "uci",
        "<uciok",
        "setoption name MultiPV value 2",
        "setoption name Threads value 2",
        "position fen 8/P7/8/8/8/k7/8/K7 w - - 0 1 moves a7a8q",
        "go infinite",
        "stop",
        "<bestmove",
        "setoption name UCI_Chess960 value false",
        "position fen 8/P7/8/8/8/k7/8/K7 w - - 0 1",
        "go depth 6",
        "<bestmove",
        "quit",
        NULL,
    };
    replay(lines, "\n");
}

/* xboard by PolyGlot: the lines of polyglot.ini, then xboard's own hash and tables, and two new
 * games. */
static void polyglot_game(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "uci",
        "<uciok",
        "setoption name BookSelection value uniform",
        "setoption name Hash value 32",
        "setoption name Hash value 68",
        "setoption name SyzygyPath value /EGT/Syzygy",
        "isready",
        "<readyok",
        "ucinewgame",
        "isready",
        "<readyok",
        "ucinewgame",
        "setoption name UCI_Opponent value none none computer Caxton",
        "position startpos",
        "go wtime 6000 btime 6000",
        "<bestmove",
        "position startpos moves b1c3 c7c5",
        "go wtime 5990 btime 5790",
        "<bestmove",
        "position startpos moves b1c3 c7c5 h2h3 h7h6",
        "go wtime 590 btime 579",
        "<bestmove",
        "quit",
        NULL,
    };
    replay(lines, "\n");
}

/* xboard by uci2wb: every option of the list as a default, the first choice of each combo among
 * them; then an analysis. */
static void uci2wb_game(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "uci",
        "<uciok",
        "setoption name MultiPV value 1",
        "setoption name UCI_RatingAdv value 0",
        "setoption name UCI_EngineAbout value Caxton, a chess engine with an opening book",
        "setoption name Debug Log File value <empty>",
        "setoption name EvalFile value <empty>",
        "setoption name BookFile value <empty>",
        "setoption name BookSelection value weighted",
        "setoption name BookStyle value any",
        "setoption name Hash value 68",
        "setoption name syzygyPath value /EGT/Syzygy",
        "isready",
        "<readyok",
        "ucinewgame",
        "position startpos moves",
        "go btime 6000 wtime 6000",
        "<bestmove",
        "position startpos moves g1f3 f7f5",
        "go btime 590 wtime 599",
        "<bestmove",
        "quit",
        "quit",
        NULL,
    };
    replay(lines, "\n");
}

/* Scid: no new game, no mode of analysis. */
static void scid_analysis(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "uci",
        "<uciok",
        "setoption name Hash value 64",
        "isready",
        "<readyok",
        "position startpos moves",
        "go infinite",
        silence,
        "stop",
        "<bestmove",
        "setoption name MultiPv value 3",
        "isready",
        "<readyok",
        "position startpos moves e2e4",
        "go infinite",
        "stop",
        "<bestmove",
        "stop",
        "quit",
        NULL,
    };
    replay(lines, "\n");
}

int main(void)
{
    chess_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_game),        cmocka_unit_test(arena_ponders),
        cmocka_unit_test(arena_analysis),    cmocka_unit_test(cutechess_game),
        cmocka_unit_test(python_chess_game), cmocka_unit_test(banksia_game),
        cmocka_unit_test(polyglot_game),     cmocka_unit_test(uci2wb_game),
        cmocka_unit_test(scid_analysis),     cmocka_unit_test(analysis_without_a_greeting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
