/* Sample games that stand on a page of makebook explore, as JSON for games.js. */
#pragma once

#include "base/json.h"
#include "book/graph/graph.h"
#include "book/makebook/cli/sample_games.h"

/* What a page holds at most, so that a browser opens it at once; a game takes half a kilobyte. */
enum {
    EXPLORE_GAMES_SHOWN = 6, /* of a position */
    EXPLORE_GAMES_MAX = 5000,
    EXPLORE_GAME_LISTS_MAX = 50000 /* positions with games */
};

struct explore_games {
    char *json; /* owned; NULL: no game can be shown */
    size_t size;
    size_t games;     /* on the page */
    bool is_cut;      /* positions have games for which there was no room */
    size_t unread;    /* games that cannot be read, */
    struct diag diag; /* and why not the first of them */
};

/* Chooses the first games of the positions that the graph's book knows, of those nearest to their
 * root first, and reads them: {"games": {"NUMBER": {"about", "fen", "moves"}, ..}, "lists": {"KEY":
 * [NUMBER, ..], ..}}. A game that cannot be read has a number all the same. Of files only the name
 * is told, not the folder. max_ply: positions further from their root have none; 0: no limit.
 * Errors: as samples_file_find(), STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status explore_games_read(const struct samples_file *samples,
                                                 const struct book_graph *graph, uint32_t max_ply,
                                                 struct explore_games *out, struct diag *diag);
void explore_games_free(struct explore_games *games); /* of {0}, too */

/* Writes members of an object: "about": as show --json lists the game, "fen": where it begins, null
 * for the usual start, "moves": as chess/types.h has them, the first `plies` at most. */
void explore_game_put_json(struct json *json, const struct pgn_game *game,
                           const struct listed_game *listed, size_t plies);
