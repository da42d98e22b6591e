/* Which moves may be frequent: what a first pass over games notes in fixed memory, so that a second
 * pass counts those alone. It may take a rare move for a frequent one, never the other way round.
 *
 * Small counters that stop at what is asked for. A move has PLACES of them in one line of the
 * cache, and only the least of these grow. Sources: count-min sketch (G. Cormode and S.
 * Muthukrishnan, Journal of Algorithms 55, 2005) with conservative update (C. Estan and G.
 * Varghese, SIGCOMM 2002), in blocks as F. Putze, P. Sanders and J. Singler have Bloom filters
 * (WEA 2007). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sketch;

/* memory_bytes: at least 64 KiB is taken. games: that a move needs, at least 1; up to 3 of them
 * take 2 bits a counter, up to 15 take 4, more take 8. unit: so many make a game. NULL when there
 * is no memory. */
struct sketch *sketch_create(size_t memory_bytes, uint64_t games, uint64_t unit);
void sketch_destroy(struct sketch *sketch); /* NULL is allowed */

/* Notes that a move was played; amount: in units. Several threads may do so for keys that differ in
 * the first SKETCH_SHARD_BITS. */
enum { SKETCH_SHARD_BITS = 6 };
void sketch_add(struct sketch *sketch, uint64_t key, uint16_t move, uint64_t amount);

/* Keeps one bit of each counter: nothing more is noted. Returns the bytes that are left. */
size_t sketch_seal(struct sketch *sketch);

/* Of a sealed sketch: may the move have so many games? Any thread. */
bool sketch_has(const struct sketch *sketch, uint64_t key, uint16_t move);
