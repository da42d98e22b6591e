/* What makebook serve answers to which path: the page of makebook explore, and the interface of
 * Lichess's opening explorer from statistics. */
#pragma once

#include "book/explorer/query.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/explore/lookup.h"
#include "book/makebook/serve/http.h"

enum { SITE_FILES_MAX = 64 };

/* A file, and the endpoints that it answers. */
struct site_file {
    struct source source;
    struct samples_file *samples;   /* beside it; NULL: none */
    size_t games;                   /* the first of its files of games among site.games */
    unsigned kinds;                 /* bits of enum explorer_kind */
    char player[EXPLORER_NAME_MAX]; /* of EXPLORER_PLAYER, in small letters */
    int colors; /* bits: of games where the player had this colour all moves are counted; 0: only
                   the player's own moves are */
};

/* A file of games. The ids of games are places among the bytes of all of them, one behind the
 * other.
 */
struct site_games {
    char *path; /* owned; NULL: it is not there, or packed */
    uint64_t start;
    uint64_t size;
};

/* Begins as {0}; must not move. Read by any thread. */
struct serve_site {
    struct explore_lookup lookup; /* of the page */
    struct span page;
    struct site_file files[SITE_FILES_MAX];
    size_t count;
    struct site_games *games;
    size_t games_count;
    size_t games_capacity;
    uint64_t games_bytes;
};

/* Opens statistics for these endpoints, sample games included. False after one line on standard
 * error. */
bool site_add(const struct command_line *line, const char *path, unsigned kinds,
              struct serve_site *site);

/* FILE of "NAME=FILE", "NAME:white=FILE" or "NAME:black=FILE". */
bool site_add_player(const struct command_line *line, const char *text, struct serve_site *site);
void site_close(struct serve_site *site);

/* Answers with `site`, as http_server.answer: GET and HEAD. */
extern const char *const site_routes[];
extern const size_t site_route_count;
struct http_answer site_answer(void *site, const struct http_request *request);
