/* Shared by the parts of vet. */
#pragma once

#include "book/vet/vet.h"

struct vet {
    struct vet_options options;
    struct scorer *scorer;
    struct vet_map map;
    size_t leaf_end; /* places from the last node to here are leaves */
    struct vet_finding *findings;
    size_t count;
    size_t capacity;
    bool *found; /* by edge: a finding */
    struct vet_counts counts;
};

/* A move that may be a blunder, and what the deepest searches so far say. */
struct vet_suspect {
    uint32_t node;
    uint32_t edge;
    move better;
    int score_cp;
    int better_cp;
    bool open; /* neither confirmed nor cleared */
};

struct vet_suspects {
    struct vet_suspect *list;
    size_t count;
    size_t capacity;
};

/* Searches what is wanted, with that name for the stage. */
MUST_CHECK enum caxton_status vet_search(struct vet *vet, const char *stage,
                                         struct search_limit limit, struct diag *diag);

/* Is it a move that the book plays, of a side that is looked at, and not found yet? */
bool vet_is_looked_at(const struct vet *vet, uint32_t node, uint32_t edge);
int vet_turn(const struct vet *vet, uint32_t node); /* who is to move */

MUST_CHECK enum caxton_status vet_add_suspect(struct vet_suspects *suspects,
                                              const struct vet_suspect *suspect);
MUST_CHECK enum caxton_status vet_add_finding(struct vet *vet, enum vet_kind kind,
                                              const struct vet_suspect *suspect, uint64_t effort);

/* The three parts. */
MUST_CHECK enum caxton_status vet_find_blunders(struct vet *vet, struct diag *diag);
MUST_CHECK enum caxton_status vet_find_lines(struct vet *vet, struct diag *diag);
MUST_CHECK enum caxton_status vet_blame(struct vet *vet);

/* Fills in what a finding says of the book: leaves, share, reach. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status vet_weigh_findings(struct vet *vet);
