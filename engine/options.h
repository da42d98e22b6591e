/* The options of the engine: the table of all of them, and their values.
 *
 * From the table come the answer to `uci`, the table in docs/ENGINE.md, the fields of struct
 * options, their defaults, and what `setoption` (engine/setoption.h) reads and does. A new option
 * is one row. */
#pragma once

#include "book/uci/player.h"
#include "search/limits.h"
#include "search/params.h"

enum { ELO_MIN = 800, ELO_MAX = 3190 };

/* The rows in the order in which `uci` lists them, all but those of the book; their columns:
 * book/uci/option.h. Two types more:
 *
 *   BUTTON(name, apply, help)
 *   DECLARED(name, type, default, min, max, text, help) read, checked and not kept: that the option
 *                                                       is there says something to an interface */
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
    CHECK(minimal, "Minimal", NULL, false,                                                         \
          "of each search only the last lines are shown, for matches of short searches")           \
    CHECK(analyse, "UCI_AnalyseMode", NULL, false,                                                 \
          "the position is being analysed: full strength, no book, sacrifices are pruned less")                            \
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
         "ask the tables about positions with at most so many men; 0: never")
/* clang-format on */

/* The values in force. Texts are terminated; "" stands for <empty>. */
#define OPTION_NO_MEMBER(...)
struct options {
    OPTION_ROWS(OPTION_CHECK_FIELD, OPTION_SPIN_FIELD, OPTION_COMBO_FIELD, OPTION_STRING_FIELD,
                OPTION_NO_MEMBER, OPTION_NO_MEMBER)
    struct book_options book;
};
#undef OPTION_NO_MEMBER

/* In the order of OPTION_ROWS and BOOK_OPTION_ROWS (book/uci/player.h); ends with a row without a
 * name. */
extern const struct option option_table[];

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
