/* How much one game counts: less the older it is, more the stronger its players are.
 *
 * An amount is a whole number of units, TALLY_UNIT of them for one game. Both rules halve or
 * double it, so that their halvings add:
 *
 *     age  half of it every `half_life` years between the game's date and `as_of`, a year being the
 *          365.2425 days of the Gregorian calendar; later games count in full. A date without day
 *          or month stands for the middle of what it can mean. Source: radioactive decay, the usual
 *          way to let old observations fade without forgetting any of them at a certain day.
 *     Elo  twice of it every `elo_points` points by which the mean of both players' Elo exceeds
 *          `elo_reference`, half of it for as many points below; at most 2^8 and at least 2^-16 of
 *          a game.
 *
 * By the logistic curve a player's odds, his strength in the model of Bradley and Terry,
 * double every 400 log10(2) = 120.4 points: with 120 a game counts in proportion to the strength of
 * its players, with 241 to its square root. Source: R. A. Bradley and M. E. Terry, "Rank Analysis
 * of Incomplete Block Designs I", Biometrika 39 (1952), p. 324; A. E. Elo, "The Rating of
 * Chessplayers, Past and Present" (1978).
 *
 * All of it is integer arithmetic with a table of roots of two, and the amount the nearest whole
 * number of units: every compiler makes the same. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "book/statistics/tally.h"

enum {
    AMOUNT_DOUBLINGS_MAX = 8, /* by Elo */
    AMOUNT_HALVINGS_MAX = 16, /* by Elo; age has no limit */
    AMOUNT_MAX = TALLY_UNIT << AMOUNT_DOUBLINGS_MAX
};

/* All zero: every game counts 1, and the unit is one game. */
struct amount_rule {
    int64_t half_life;     /* thousandths of a year, 1..1000000; 0 = age does not matter */
    int64_t as_of;         /* YYYYMMDD, with half_life */
    int64_t elo_points;    /* 1..10000; 0 = Elo does not matter */
    int64_t elo_reference; /* 1..9999 */
    int64_t elo_unknown;   /* the Elo of a player without one; 0 = the game is left out */
};

/* How much a whole game counts: TALLY_UNIT, or 1 where no game counts for more than another. */
uint64_t amount_unit(const struct amount_rule *rule);

/* How often a game of that age, between the first and the last day (YYYYMMDD) that its date can
 * mean, is halved; in units of 2^-16, never negative. A day beyond the end of its month is the last
 * one. rule->half_life > 0. */
int64_t amount_age_halvings(const struct amount_rule *rule, int64_t first, int64_t last);

/* Likewise by Elo; negative for doublings. rule->elo_points > 0. */
int64_t amount_elo_halvings(const struct amount_rule *rule, int64_t white, int64_t black);

/* TALLY_UNIT halved so often (units of 2^-16, at least -2^16 * AMOUNT_DOUBLINGS_MAX), rounded to
 * the nearest: 0..AMOUNT_MAX. */
uint32_t amount_halved(int64_t halvings);

/* The rule as lines "NAME VALUE" of a statistics file, the unit included; nothing when the unit is
 * one game. */
void amount_describe(const struct amount_rule *rule, struct text_buffer *out);
