/* One position of a book as JSON, for the page of makebook serve: read by explore/remote.js. */
#pragma once

#include <stdio.h>

#include "book/book.h"
#include "book/explorer/query.h"
#include "book/scoring/deepest_answers.h"
#include "book/statistics/wld_file.h"

struct samples_file;

struct explore_lookup {
    const struct book *book;
    const struct deepest_answers *scores; /* of moves; NULL: none */
    uint64_t min_games;                   /* of statistics, that a move needs; 0 of others */
    const struct samples_file *samples;   /* sample games of the statistics; NULL: none */
    const struct wld_file *file; /* the statistics, where some of the games can be asked for */
    const struct explorer_query *query; /* then: `book` knows those alone that pass its filter */
};

/* Writes {"moves": [..], "into": [..]}: the moves that the book knows in `pos`, each as [move,
 * weight, is the book's last] or, of statistics, [move, wins, draws, losses, mean rating of those
 * who made it or 0, is the last]; where scores are asked for, explore_score() goes before the last
 * number; and other legal moves that lead into it. Moves are numbers as
 * chess/types.h has them. Takes a look-up for each legal move and no memory that grows. Nothing is
 * written on failure. Errors: as wld_file_find() (`diag` says what is damaged). */
MUST_CHECK enum caxton_status explore_lookup_json(const struct explore_lookup *lookup,
                                                  const struct position *pos, FILE *out,
                                                  struct diag *diag);

/* The moves that the book knows in `pos`: out[0..MOVES_MAX), *count of them. Errors: as above. */
MUST_CHECK enum caxton_status explore_lookup_moves(const struct explore_lookup *lookup,
                                                   const struct position *pos, move *out,
                                                   int *count, struct diag *diag);

/* Writes {"moves": [{"move": .., "years": [[year, games], ..], "groups": [[rating, wins, draws,
 * losses], ..]}, ..]} from lookup->file. rating: that the group begins with. Games without date or
 * ratings are in none of them. Errors: as wld_file_find(). */
MUST_CHECK enum caxton_status explore_facets_json(const struct explore_lookup *lookup,
                                                  const struct position *pos, FILE *out,
                                                  struct diag *diag);
