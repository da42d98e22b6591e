/* Positions that Caxton's own search asks its evaluation for, with a teacher's static value of
 * each: the positions, and the only thing, that a network is used for. */
#pragma once

#include "chess/position.h"
#include "eval/train/teacher/teacher_net.h"

enum { SEARCHED_MAX = 64 };

/* One thread's. */
struct searched;

/* Keeps up to `room` (1..SEARCHED_MAX) positions of each search, by chance; `seed` decides which.
 * net: borrowed. NULL when there is no memory. */
struct searched *searched_create(const struct teacher_net *net, int room, uint64_t seed);
void searched_destroy(struct searched *searched); /* NULL is allowed */

/* Forgets the positions: a search begins. */
void searched_begin(struct searched *searched);

/* An eval_watch: the search has scored `pos`. context: the struct searched. */
void searched_watch(void *context, const struct position *pos);

int searched_count(const struct searched *searched);
/* The one with this index, borrowed until the next search. *score: the teacher's value in
 * centipawns, side to move's view; to be asked for in ascending order, from 0. */
const struct position *searched_position(struct searched *searched, int index, int *score);
