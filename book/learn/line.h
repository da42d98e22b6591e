/* The part of a game that one side played by its book. */
#pragma once

#include "book/learn/draft.h"
#include "book/learn/games.h"

/* A move by the book. */
struct learn_step {
    size_t ply; /* of the game */
    move move;
    int depth; /* that the graph of a grown book was searched to here; 0: unknown */
};

struct learn_line {
    const struct learn_game *game;
    int side; /* that is ours */
    struct learn_step *steps;
    size_t count;
    size_t capacity;
    bool avoided;   /* the book plays another move than this game now, or never this one */
    bool known;     /* it was learnt from before */
    int exit_score; /* ours, at our first move without the book; LEARN_NO_SCORE: not known */
};

/* Sets `board` to the position before that ply of the game. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status learn_go_to(const struct learn_game *game, size_t ply,
                                          struct game *board);

/* Walks through the game. Errors: STATUS_NO_MEMORY; free it then, too. */
MUST_CHECK enum caxton_status learn_line_make(const struct draft *draft,
                                              const struct learn_game *game, int side,
                                              struct game *board, struct learn_line *out);
void learn_line_free(struct learn_line *line);

/* Ours of two points: 2 for a win, 1 for a draw, 0 for a loss. */
int learn_line_points(const struct learn_line *line);
