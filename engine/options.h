/* The options of the engine: the table of all of them, and their values.
 *
 * From the table come the answer to `uci`, the table in docs/ENGINE.md, the fields of struct
 * options, their defaults, and what `setoption` (engine/setoption.h) reads and does. A new option
 * is one row. */
#pragma once

#include "book/book_move.h"
#include "engine/report.h"
#include "search/limits.h"
#include "search/params.h"

enum { OPTION_TEXT_MAX = 4096, ELO_MIN = 800, ELO_MAX = 3190 };

/* A row of each type, in the order in which `uci` lists them:
 *
 *   CHECK(field, name, alias, default, help)
 *   SPIN(field, name, alias, default, min, max, apply, help)
 *   COMBO(field, name, alias, help, choices)            the value is an index into the choices; the
 *                                                       first is the default: uci2wb forgets which
 *   STRING(field, name, alias, apply, help)             the default is "", which is <empty>
 *   BUTTON(name, apply, help)
 *   DECLARED(name, type, default, min, max, text, help) read, checked and not kept: that the option
 *                                                       is there says something to an interface
 *
 * field: the member of struct options. alias: another name that `setoption` understands, or NULL.
 * apply: the function of engine/session.h that puts a value into force, or NULL when it is enough
 * to store it. help: its meaning, for docs/ENGINE.md. */
/* clang-format off */
#define OPTION_ROWS(CHECK, SPIN, COMBO, STRING, BUTTON, DECLARED)                                  \
    SPIN(hash_mb, "Hash", NULL, 16, 1, SEARCH_HASH_MB_MAX, session_set_hash,                       \
         "size of the transposition table in MB")                                                  \
    SPIN(threads, "Threads", NULL, 1, 1, SEARCH_THREADS_MAX, session_set_threads,                  \
         "number of threads that search")                                                          \
    SPIN(multipv, "MultiPV", NULL, 1, 1, MOVES_MAX, NULL, "number of best lines to show")          \
    DECLARED("Ponder", TYPE_CHECK, 0, 0, 0, NULL,                                                  \
             "the interface lets the engine think on the opponent's time")                         \
    SPIN(overhead_ms, "Move Overhead", NULL, 10, 0, 5000, NULL,                                    \
         "milliseconds of each move, also of movetime, kept back for the interface and the network")\
    SPIN(slow_percent, "Slow Mover", NULL, 100, 10, 1000, NULL,                                    \
         "percent of the usual time to think about a move; limits of the clock hold")              \
    SPIN(nodes_per_ms, "nodestime", NULL, 0, 0, 10000, NULL,                                       \
         "count so many nodes as a millisecond of thinking, so that no machine is faster than "    \
         "another; 0: real time")                                                                  \
    BUTTON("Clear Hash", session_clear_hash, "forget everything the search has learnt")            \
    SPIN(contempt, "Contempt", NULL, 0, -100, 100, NULL,                                           \
         "centipawns by which a draw is worse than an even position; below 0 it is better; not "   \
         "when analysing")                                                                         \
    CHECK(chess960, "UCI_Chess960", NULL, false, "write castling as king takes rook")              \
    CHECK(show_wdl, "UCI_ShowWDL", NULL, false,                                                    \
          "show the chances to win, draw and lose with each score")                                \
    CHECK(analyse, "UCI_AnalyseMode", NULL, false,                                                 \
          "the position is being analysed: full strength, and no book")                            \
    CHECK(limit_strength, "UCI_LimitStrength", NULL, false,                                        \
          "play about as well as UCI_Elo says")                                                    \
    SPIN(elo, "UCI_Elo", NULL, 1600, ELO_MIN, ELO_MAX, NULL,                                       \
         "the strength meant by UCI_LimitStrength, on the scale of Stockfish 16")                  \
    SPIN(skill, "Skill Level", NULL, 20, 0, 20, NULL,                                              \
         "below 20: play as UCI_Elo 1347 (level 0) to 3190 (level 19), the scale of Stockfish; "   \
         "UCI_LimitStrength goes before it")                                                       \
    DECLARED("UCI_Opponent", TYPE_STRING, 0, 0, 0, NULL,                                           \
             "whom it plays; taken, but makes no difference")                                      \
    DECLARED("UCI_RatingAdv", TYPE_SPIN, 0, -10000, 10000, NULL,                                   \
             "how much stronger it is; taken, but makes no difference")                            \
    DECLARED("UCI_EngineAbout", TYPE_STRING, 0, 0, 0, "Caxton, a chess engine with an opening book",\
             "says what the engine is; not to be set")                                             \
    STRING(log_file, "Debug Log File", NULL, session_set_log,                                      \
           "file to whose end each line read (`>>`) and written (`<<`) goes, of one engine; "      \
           "`<empty>` is none")                                                                    \
    STRING(eval_file, "EvalFile", NULL, session_set_network,                                       \
           "the network that scores positions; `<empty>` is the built-in one")                     \
    STRING(table_path, "SyzygyPath", NULL, session_set_tb,                                     \
           "folders with endgame tables, separated by `:` (on Windows `;`); `<empty>` is none")    \
    SPIN(tb_depth, "SyzygyProbeDepth", NULL, 1, 1, SEARCH_DEPTH_MAX, NULL,                      \
         "positions with as many men as the tables have, or SyzygyProbeLimit allows, are looked "  \
         "up at this depth or more; positions with fewer men at any depth")                        \
    CHECK(tb_rule50, "Syzygy50MoveRule", NULL, true,                                            \
          "what the tables know as won, but not within the 50-move rule, is a draw")               \
    SPIN(tb_pieces, "SyzygyProbeLimit", NULL, TB_PIECES_MAX, 0, TB_PIECES_MAX, NULL,               \
         "ask the tables about positions with at most so many men; 0: never")                      \
    CHECK(own_book, "OwnBook", NULL, true, "play from the opening book")                           \
    STRING(book_file, "BookFile", "Book File", session_set_book,                                   \
           "book (Polyglot, Arena, ChessBase, `.tree`, `.lines`, EPD, PGN, `.wld`, `.store`), "    \
           "several separated by `;` or a vertical bar: the first that knows the position "        \
           "answers; `<empty>`, in a list also `<builtin>`, is the built-in book, which does not " \
           "replace a file that is missing")                                                                              \
    COMBO(book_selection, "BookSelection", NULL,                                                   \
          "how one of several book moves is chosen",                                               \
          [BOOK_WEIGHTED] = "weighted", [BOOK_BEST] = "best", [BOOK_UNIFORM] = "uniform")          \
    CHECK(best_book_move, "BestBookMove", "Best Book Move", false,                                 \
          "always the heaviest book move, whatever BookSelection says")                            \
    /* 0: any, else the place of a bit of enum book_style, from 1 */                               \
    COMBO(book_style, "BookStyle", NULL,                                                           \
          "the character of opening wished for; of use with a book that marks its moves so, a "    \
          "`.tree` of `makebook convert --to tree-style`",                                         \
          "any", "open", "half-open", "closed", "half-closed", "flank", "gambit")                  \
    SPIN(book_depth_plies, "BookDepth", "Book Depth", 255, 0, 255, NULL,                           \
         "leave the book after this many plies from the start of the game")                        \
    SPIN(book_threshold_permille, "BookThreshold", NULL, 0, 0, 1000, NULL,                         \
         "ignore book moves with a smaller share of the position's weight, in permille")
/* clang-format on */

/* The values in force. Texts are terminated; "" stands for <empty>. */
#define OPTION_CHECK(field, ...)  bool field;
#define OPTION_SPIN(field, ...)   int field;
#define OPTION_COMBO(field, ...)  int field;
#define OPTION_STRING(field, ...) char field[OPTION_TEXT_MAX];
#define OPTION_BUTTON(...)
struct options {
    OPTION_ROWS(OPTION_CHECK, OPTION_SPIN, OPTION_COMBO, OPTION_STRING, OPTION_BUTTON,
                OPTION_BUTTON)
};
#undef OPTION_CHECK
#undef OPTION_SPIN
#undef OPTION_COMBO
#undef OPTION_STRING
#undef OPTION_BUTTON

enum option_type { TYPE_CHECK, TYPE_SPIN, TYPE_COMBO, TYPE_STRING, TYPE_BUTTON };

/* A value on its way into struct options: number for check, spin and combo, text for string. */
struct option_value {
    int number;
    char text[OPTION_TEXT_MAX];
};

enum { OPTION_CHOICES = 7 };
#define OPTION_NO_FIELD SIZE_MAX

/* A row of the table. */
struct option {
    const char *name;
    const char *alias; /* another name that is understood, or NULL */
    enum option_type type;
    size_t offset; /* of the value in struct options; OPTION_NO_FIELD: it is not kept */
    int initial;   /* a combo's is its first choice, 0 */
    int min;
    int max;
    const char *text;                        /* the default of a string; NULL: <empty> */
    const char *choices[OPTION_CHOICES + 1]; /* of a combo; the rest NULL */
    const char *help;
};

/* In the order of OPTION_ROWS; ends with a row without a name. */
extern const struct option option_table[];

/* The row called `name`, also by its alias, in any case; NULL when there is none. */
const struct option *option_find(struct span name);

void option_store(struct options *options, const struct option *option,
                  const struct option_value *value);

/* The values at start. */
void options_init(struct options *options);

/* The `option` lines of the answer to `uci`. In a build with -DCAXTON_TUNE=ON the numbers of the
 * search follow. */
void options_list(struct output *out);
/* The table of docs/ENGINE.md, in Markdown. */
void options_list_markdown(FILE *stream);

/* The same as part of a page for man(1). */
void options_list_man(FILE *out);

/* A line "NAME, int, 72, 30, 120, 6, 0.002" for each of the numbers, which end with a row without a
 * name: input for a tuner that works by SPSA, in the format that OpenBench reads: value, smallest,
 * largest, the step at the end (c_end) and the learning rate at the end (r_end).
 * Source: OpenBench's wiki, SPSA tuning workloads. */
void options_list_spsa(FILE *stream, const struct param *params);
