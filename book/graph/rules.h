/* By which rules moves are left out of a book. What they mean together stands in prune.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "book/weigh/threshold.h"

struct book_facts;
struct diag;
struct override;
struct position;

enum prune_reason {
    PRUNE_KEPT,
    PRUNE_BY_HAND,   /* an override says so */
    PRUNE_GAMES,     /* fewer than min_games */
    PRUNE_SCORE,     /* scored less than min_score */
    PRUNE_EVAL,      /* a search says less than min_eval */
    PRUNE_SHARE,     /* less than min_share_ppm of the weight that is left */
    PRUNE_BEST,      /* not among the best */
    PRUNE_DEPTH,     /* max_plies or more from the start of its line */
    PRUNE_REACH,     /* of a position that too few games reach */
    PRUNE_ILLEGAL,   /* in its position */
    PRUNE_UNREACHED, /* of a position that no line reaches */
    PRUNE_REASONS
};

struct prune_options {
    /* By key, then move, as overrides_parse() gives them, not mirrored. A move that is never
     * played, or stands beside one that always is, falls; of others no rule about one position is
     * asked. Their weights are in the book already. */
    const struct override *overrides;
    size_t override_count;

    uint64_t min_games;           /* 0: any; moves whose games are not known stay */
    struct least_score min_score; /* likewise */
    bool has_min_eval;
    int min_eval;           /* likewise; as search/score.h */
    uint32_t min_share_ppm; /* of the weight of the position, in millionths */
    uint32_t best;          /* keep so many moves of a position, the heaviest; 0: all */
    uint32_t max_plies;     /* 0: any */
    double min_reach;       /* probability that a game gets to the position; 0: any */
    bool own[2];    /* for reach: this side plays every move of the book, each with probability 1 */
    bool reachable; /* lines follow moves that the book plays, and begin at starts of games
                       or at `root` only; any move still leads on where the book knows none */
    bool keep_unreached; /* positions without a line stay; when moves fall by hand, only those that
                            never had one */
    const struct position *root; /* where lines begin; NULL: the standard start */

    /* As struct book_format.facts of `known`: whoever knows something of the moves, which `out`
     * has. NULL: nobody does. */
    enum caxton_status (*facts)(const void *known, uint64_t key, const struct position *pos,
                                struct book_facts *out, struct diag *diag);
    const void *known;
};
