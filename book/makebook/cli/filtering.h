/* The options that say which games count, for commands that read games. */
#ifndef CAXTON_BOOK_MAKEBOOK_CLI_FILTERING_H
#define CAXTON_BOOK_MAKEBOOK_CLI_FILTERING_H

#include "base/command_line.h"
#include "book/build/filter/filter.h"

/* Begins as {0}. */
struct filtering {
    int color;
    int variant;
    int bad_games;
    bool fen_games;
    bool unfinished;
    bool no_blunders;
    int64_t min_elo;
    int64_t min_plies;
    const char *max_elo_diff;
    const char *player;
    const char *player_white;
    const char *player_black;
    const char *since;
    const char *until;
    const char *times;
    const char *results;
    const char *eco;
    const char *start;
};

/* Rows for a command's table; `f` is a struct filtering. */
/* clang-format off */
#define FILTERING_ROWS(f) \
    {"color", 0, OPTION_CHOICE, "both|white|black", "whose moves are counted (both)", \
     &(f).color, 0, 0}, \
    {"player", 0, OPTION_TEXT, "NAME", \
     "only this player's moves: \"Fischer R\" fits \"Fischer, Robert J\"", &(f).player, 0, 0}, \
    {"player-white", 0, OPTION_TEXT, "NAME", "likewise, with White", &(f).player_white, 0, 0}, \
    {"player-black", 0, OPTION_TEXT, "NAME", "likewise, with Black; any name may fit", \
     &(f).player_black, 0, 0}, \
    {"min-elo", 0, OPTION_NUMBER, "N", "both players have at least this Elo", \
     &(f).min_elo, 1, 9999}, \
    {"max-elo-diff", 0, OPTION_TEXT, "N", "their Elo differs by no more", \
     &(f).max_elo_diff, 0, 0}, \
    {"since", 0, OPTION_TEXT, "DATE", "YYYY, YYYY.MM or YYYY.MM.DD", &(f).since, 0, 0}, \
    {"until", 0, OPTION_TEXT, "DATE", "likewise; to the last day of it", &(f).until, 0, 0}, \
    {"time-control", 0, OPTION_TEXT, "CLASS,..", \
     "bullet, blitz, rapid, classical, correspondence", &(f).times, 0, 0}, \
    {"result", 0, OPTION_TEXT, "RESULT,..", "1-0, 0-1, 1/2-1/2", &(f).results, 0, 0}, \
    {"eco", 0, OPTION_TEXT, "CODES", "as in B20-B99,C42", &(f).eco, 0, 0}, \
    {"start", 0, OPTION_TEXT, "FEN|MOVES", \
     "games through this position (moves: \"1. e4 e5\"), from there on", &(f).start, 0, 0}, \
    {"variant", 0, OPTION_CHOICE, "standard|chess960", "which chess (standard)", \
     &(f).variant, 0, 0}, \
    {"min-plies", 0, OPTION_NUMBER, "N", "games of at least N plies", &(f).min_plies, 1, 1000000}, \
    {"fen-games", 0, OPTION_FLAG, NULL, "count games that began elsewhere, too", \
     &(f).fen_games, 0, 0}, \
    {"unfinished", 0, OPTION_FLAG, NULL, "count games without a result, as draws", \
     &(f).unfinished, 0, 0}, \
    {"exclude-annotated-blunders", 0, OPTION_FLAG, NULL, "moves marked ? or ?? do not count", \
     &(f).no_blunders, 0, 0}, \
    {"bad-games", 0, OPTION_CHOICE, "auto|keep-prefix|drop", \
     "games with a fault (auto: keep-prefix behind the book's depth, else drop)", \
     &(f).bad_games, 0, 0}
/* clang-format on */

#define FILTERING_ABOUT                                                                            \
    "A game counts if it is standard chess from the usual start position and has a result. What\n" \
    "an option asks about and a game does not tell (no Elo, a date of ????.??.??, no\n"            \
    "TimeControl) leaves the game out; so does a date that may lie on either side of --since or\n" \
    "--until. Equal games count once: same White, Black, Date, Result, start and moves, to the\n"  \
    "end. --max-ply counts from the start of the game, also with --start. --eco goes by the ECO\n" \
    "tag, and where it is missing by the deepest named position within --max-ply. Classes of\n"    \
    "time control are those of Lichess, by base + 40 increments: less than 180 s bullet, 480\n"    \
    "blitz, 1500 rapid; to a day classical; more, or \"-\", correspondence."

/* Makes a filter of it, which borrows the names. The answer is EXIT_DONE or the exit status of a
 * fault, which is named on standard error. */
int filtering_read(const struct command_line *line, const struct filtering *filtering,
                   struct filter *out);

#endif
