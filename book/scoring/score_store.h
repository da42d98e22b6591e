/* All that programs found out for books, kept in one file: answers of searches, what games taught,
 * and the graph that a book was grown from. An append-only journal: a build that was killed and is
 * run again finds its searches here and goes on.
 *
 * The file is described in book/scoring/record.h. A record that does not check is left out. What is
 * left of a last one is cut off. Files of version 1, which had answers only, are read, and become
 * files of the present version when they are opened to be written.
 *
 * A store belongs to one thread at a time, its file to one program. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "book/scoring/packed_position.h"
#include "book/scoring/searcher.h"
#include "chess/movegen.h"

struct score_store;

/* Opening and closing. ----------------------------------------------------------------------- */

/* Opens the file at `path`, or makes it, for the answers of `identity`. NULL: without a file, for
 * as long as the program runs.
 * Errors: STATUS_IO (see base/append_file.h), STATUS_NO_MEMORY, STATUS_FORMAT (no such file,
 * another version of it, its header is damaged, or the answers are of another searcher: `diag`
 * names both). The file stays as it was then. The caller closes. */
MUST_CHECK enum caxton_status score_store_open(const char *path,
                                               const struct searcher_identity *identity,
                                               struct score_store **out, struct diag *diag);

/* The same on the bytes of such a file, with nothing written anywhere. The bytes stay valid and
 * unchanged until the store is closed. identity: NULL takes any. */
MUST_CHECK enum caxton_status score_store_parse(const uint8_t *bytes, size_t size,
                                                const struct searcher_identity *identity,
                                                struct score_store **out, struct diag *diag);

/* Writes what is not on the disk yet; a file of which more than half is out of use is made compact,
 * if that is possible. Errors: STATUS_IO. NULL is allowed. */
MUST_CHECK enum caxton_status score_store_close(struct score_store *store, struct diag *diag);

/* One line about records that were left out at the start, without the name of the file; "". */
const char *score_store_remark(const struct score_store *store);
void score_store_identity(const struct score_store *store, struct searcher_identity *out);

/* Answers of searches. ------------------------------------------------------------------------ */

/* How many answers there are. */
size_t score_store_count(const struct score_store *store);

/* Is there an answer to it? Then *out (NULL: nobody asks) gets it. */
bool score_store_find(const struct score_store *store, const struct packed_position *pos,
                      struct search_limit limit, struct search_answer *out);

/* Adds an answer, unless there is one already, and writes it to the file; at most once a second the
 * disk is waited for. Errors: STATUS_IO, STATUS_NO_MEMORY; `diag` says "PATH: why". */
MUST_CHECK enum caxton_status
score_store_add(struct score_store *store, const struct packed_position *pos,
                struct search_limit limit, const struct search_answer *answer, struct diag *diag);

/* The next answer, from *cursor = 0 on; false: no more. In the order of the file. */
bool score_store_next_answer(const struct score_store *store, size_t *cursor,
                             struct packed_position *pos, struct search_limit *limit,
                             struct search_answer *answer);

/* Moves that our side shall play whatever a search says. -------------------------------------- */

enum chosen_reason {
    CHOSEN_BY_HAND,
    CHOSEN_BY_LOSSES, /* other moves lost games, or a deeper search after them found it */
    CHOSEN_BY_WINS,
};

struct chosen_move {
    move move;
    uint8_t reason; /* enum chosen_reason; others are kept, too */
    uint32_t games; /* that it was learnt from */
};

/* From now on this move; MOVE_NONE: none any more. Errors: as score_store_add(). */
MUST_CHECK enum caxton_status score_store_choose(struct score_store *store,
                                                 const struct packed_position *pos, move m,
                                                 uint8_t reason, uint32_t games, struct diag *diag);

/* The move chosen there, if there is one. *out (NULL: nobody asks) gets it. */
bool score_store_chosen(const struct score_store *store, const struct packed_position *pos,
                        struct chosen_move *out);
bool score_store_next_chosen(const struct score_store *store, size_t *cursor,
                             struct packed_position *pos, struct chosen_move *out);

/* Games that were played. --------------------------------------------------------------------- */

enum { PLAYED_MAX = (1 << 24) - 1 };

/* Of the side that moved. */
struct played_games {
    uint64_t wins;
    uint64_t draws;
    uint64_t losses;
};

/* Adds the games of a source, each number at most PLAYED_MAX. source: any number that is its own,
 * as a checksum of the game; what one source says of a move counts once, however often it is added,
 * and the first time stands. *added (NULL: nobody asks): is it new? Errors: as score_store_add(),
 * STATUS_RANGE. */
MUST_CHECK enum caxton_status score_store_add_played(struct score_store *store,
                                                     const struct packed_position *pos, move m,
                                                     uint64_t source,
                                                     const struct played_games *games, bool *added,
                                                     struct diag *diag);

/* Has that source said something of the move? */
bool score_store_has_played(const struct score_store *store, const struct packed_position *pos,
                            move m, uint64_t source);

/* The games of all sources; false and 0: none. */
bool score_store_played(const struct score_store *store, const struct packed_position *pos, move m,
                        struct played_games *out);
bool score_store_next_played(const struct score_store *store, size_t *cursor,
                             struct packed_position *pos, move *m, struct played_games *out);

/* The graph that a book was grown from. ------------------------------------------------------- */

enum store_state {
    STORE_WAITING,  /* probable enough to be looked at, and not yet done */
    STORE_SEARCHED, /* the same, but the search is there */
    STORE_EXPANDED, /* its moves are there */
    STORE_ENDED,    /* nothing follows */
};

struct store_move {
    double probability; /* that it is chosen here */
    move move;
};

/* A position of the graph of the book for one side. The book's own are those where that side is to
 * move. Own positions that are too improbable for a search are not kept: the moves that lead to
 * them tell how improbable they are. */
struct store_node {
    struct packed_position pos;
    int side; /* WHITE or BLACK: who has the book */
    enum store_state state;
    double probability; /* that a game reaches it */
    int ply;            /* moves from the root; 0: a root */
    int depth;          /* of its search, 0: none */
    int score;          /* of its search, as struct search_answer */
    int count;          /* of moves: own ones, or the opponent's */
    struct store_move moves[MOVES_MAX];
};

bool store_node_is_own(const struct store_node *node);

/* A graph is written whole: begin, add each node once, in any order, end. Until the end the graph
 * of an earlier run stands, also when the program is killed; then the new one replaces it. A graph
 * that is there already is not written again. Nothing else is added meanwhile. Errors: as
 * score_store_add(), also STATUS_RANGE (a node is given twice). */
MUST_CHECK enum caxton_status score_store_begin_graph(struct score_store *store, struct diag *diag);
MUST_CHECK enum caxton_status
score_store_add_node(struct score_store *store, const struct store_node *node, struct diag *diag);
MUST_CHECK enum caxton_status score_store_end_graph(struct score_store *store, struct diag *diag);

bool score_store_has_graph(const struct score_store *store);
/* In the order of their packed positions. */
bool score_store_next_node(const struct score_store *store, size_t *cursor, struct store_node *out);
/* The same of own positions only, and the positions where the graph begins. */
bool score_store_next_own(const struct score_store *store, size_t *cursor, struct store_node *out);
bool score_store_next_root(const struct score_store *store, size_t *cursor,
                           struct packed_position *out);
/* The node of a position in the graph of that side's book. */
bool score_store_find_node(const struct score_store *store, const struct packed_position *pos,
                           int side, struct store_node *out);

/* The weight that a move of this probability has in a book, 1 .. 65535. */
uint32_t store_weight(double probability);

/* Whole stores. ------------------------------------------------------------------------------- */

/* How many records the file has, and how many of them are still of use. */
struct store_use {
    size_t records;
    size_t live;
};
struct store_use score_store_use(const struct score_store *store);

/* Writes all that is of use, sorted: the same bytes for the same contents. Errors: STATUS_IO,
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status score_store_write(const struct score_store *store, FILE *out,
                                                struct diag *diag);

struct store_merge {
    size_t differing; /* answers to one question that are not the same */
};

/* Adds what `from` has to `into`, which has no file. Of two answers to one question the one of
 * `into` stays, of two chosen moves that of more games, and of two graphs that of `into`. What a
 * source says of games counts once. Errors: STATUS_NO_MEMORY, STATUS_FORMAT (another searcher;
 * `diag` names both). */
MUST_CHECK enum caxton_status score_store_merge(struct score_store *into,
                                                const struct score_store *from,
                                                struct store_merge *report, struct diag *diag);
