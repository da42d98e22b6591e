/* What commands about matches share: openings out of files, the score of a match in a report. */
#pragma once

#include "book/makebook/cli/command.h"
#include "book/makebook/cli/report.h"
#include "book/suite/matches.h"

/* Begins as {0}, and with the plies. */
struct openings {
    const int *plies; /* of games that were played, the least and the most; NULL: games are openings
                         as they stand */
    struct suite suite;
    size_t bad_games; /* with a fault, left out; of openings there may be none */
    size_t short_games;
};

/* Adds those of games, or of a list of positions. False after one line on standard error. */
bool openings_add_games(const struct command_line *line, const char *name, pgn_source source,
                        void *context, struct openings *out);
bool openings_add_positions(const struct command_line *line, const char *path,
                            struct openings *out);

/* "[1, 2, 3, 4, 5, 6]", and " Elo +1.0 +- 2.0", of pairs also ", nElo ..". */
void openings_put_pairs(struct report *to, const uint64_t pairs[MATCH_PAIRS]);
void openings_put_score(struct report *to, const struct match_score *score, bool in_pairs);
