/* Looks for moves of a book that lose: by searches of all its positions and of what is behind its
 * last moves, whose scores come back along the moves of the book.
 *
 * 1. Every position is searched a little. A move that is worth less than the best of its position
 *    is a suspect; searches that go deeper and deeper confirm or clear it. What stays is a blunder,
 *    against the best move of the search that confirmed it.
 * 2. Every position is searched to the limit that is asked for, and scores are backed up. A move
 *    that loses by what lies behind it is a suspect, too: the line that its value comes from is
 *    searched deeper, as a whole, and what stays leaves the path there.
 * 3. A leaf that is bad for a side has one move of its line to blame: where most was lost.
 *
 * What is found is a function of the graph, the options and the answers of searches. */
#pragma once

#include "book/entry_table.h"
#include "book/vet/vet_map.h"

enum { VET_CONFIRMS_MAX = 8 };

enum vet_kind {
    VET_BLUNDER, /* loses at once */
    VET_LINE,    /* loses by the line that it leads to */
    VET_DRIFT,   /* loses half of the margin, and the most on the way to leaves that are bad */
};

enum vet_sides { VET_BOTH, VET_WHITE, VET_BLACK };

struct vet_finding {
    enum vet_kind kind;
    uint32_t node;
    uint32_t edge;
    move better; /* another move of the position */
    int mate;    /* of score_cp: who makes it mates in so many moves; < 0: is mated; 0: neither */
    int better_mate; /* likewise of better_cp */
    int score_cp;    /* of the move, for who makes it; at most VET_CP_MAX away from 0; likewise */
    int better_cp;   /* of the better one */
    uint64_t effort; /* limit of the search that confirmed it; of a drift, of the leaves */
    size_t leaves;   /* leaves whose shortest line has the move */
    size_t bad;      /* leaves, bad for who makes the move, where it is to blame */
    int share_permille; /* of the weight of its position */
    double reach;       /* how probably a game by the weights of the book comes to the move */
};

struct vet_options {
    const struct book_graph *graph;
    enum vet_sides side;      /* whose moves are looked at */
    int margin_cp;            /* what a blunder loses at least; a leaf so far down is bad */
    bool at_once;             /* blunders only */
    struct search_limit scan; /* all limits are of one kind */
    struct search_limit leaves;
    struct search_limit confirm[VET_CONFIRMS_MAX]; /* growing; the first one only clears */
    int confirms;
    void (*progress)(void *context); /* called now and then; NULL: nobody asks */
    void *context;
};

struct vet_counts {
    const char *stage; /* what is being done */
    size_t done;       /* searches of this stage, also while the vet waits for one */
    size_t total;
    size_t positions;
    size_t moves;  /* of that side, with a weight */
    size_t leaves; /* positions behind last moves */
    size_t suspects;
    size_t blunders;
    size_t lines;
    size_t bad_leaves;
    size_t unblamed; /* of them, those that no move is to blame for */
};

struct vet;

/* Borrows the graph and the scorer. Errors: STATUS_NO_MEMORY. The caller destroys it. */
MUST_CHECK enum caxton_status vet_create(const struct vet_options *options, struct scorer *scorer,
                                         struct vet **out);

void vet_destroy(struct vet *vet); /* NULL is allowed */

/* Errors: as scorer_ask(). */
MUST_CHECK enum caxton_status vet_run(struct vet *vet, struct diag *diag);

struct vet_counts vet_counts(const struct vet *vet);

/* By kind, then what costs most a game first. */
const struct vet_finding *vet_findings(const struct vet *vet, size_t *count);

/* Moves that are taken out of a book, and what falls with them: positions to which only these moves
 * lead. */

struct vet_cut {
    const struct book_graph *graph;
    bool *named;  /* by edge: a blunder, or the move where a losing line begins */
    bool *fallen; /* by node: only lines with these moves lead there */
    size_t named_count;
    size_t fallen_count;
};

/* Of all findings but drifts. Where the book has no moves of its own any legal move leads on, else
 * its moves and those that the graph passes by. Errors: STATUS_NO_MEMORY. The caller destroys it.
 */
MUST_CHECK enum caxton_status vet_cut_create(const struct book_graph *graph,
                                             const struct vet_finding *findings, size_t count,
                                             struct vet_cut *out);

void vet_cut_destroy(struct vet_cut *cut); /* of {0}, too */

/* Leaves out of the entries what is cut and what has fallen; the others stay as they are. Returns
 * how many are left out. */
size_t vet_cut_drop(const struct vet_cut *cut, struct entry_list *list);

/* Divides the weights of what is cut; none becomes 0. Returns how many have changed. */
size_t vet_cut_down_weight(const struct vet_cut *cut, struct entry_list *list, uint32_t divisor);
