/* What statistics with facets file a game under: its month, its speed and the rating group of its
 * players, so that counts can be asked for by them. Speeds, groups and their ends are those of
 * Lichess's opening explorer. Source: github.com/lichess-org/lila-openingexplorer, July 2026. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Which facets are kept: bits. */
enum { FACET_RATING = 1, FACET_SPEED = 2, FACET_MONTH = 4, FACETS_ALL = 7, FACET_KINDS = 3 };

/* "rating", "speed", "month": of bit 1 << i. */
extern const char *const facet_names[FACET_KINDS];

/* Adds those of a list "rating,month" to the set. False: a word is none of them. */
bool facets_read(struct span list, unsigned *facets);

/* By the seconds that a game of 40 moves may take each side. */
enum speed {
    SPEED_UNKNOWN, /* as of most games over the board */
    SPEED_ULTRABULLET,
    SPEED_BULLET,         /* from 30 s */
    SPEED_BLITZ,          /* from 180 s */
    SPEED_RAPID,          /* from 480 s */
    SPEED_CLASSICAL,      /* from 1500 s */
    SPEED_CORRESPONDENCE, /* from 6 hours, or no clock at all ("-") */
    SPEEDS
};

/* As Lichess writes them: "ultraBullet" ..; "" for SPEED_UNKNOWN. */
extern const char *const speed_names[SPEEDS];

/* Of a TimeControl tag. "40/7200:3600" is 7200 s for 40 moves, "1/86400" a day a move. */
enum speed speed_of_time_control(struct span control);

/* Groups by the mean rating of both players, rounded down; 0: a rating is not known. */
enum { RATING_GROUPS = 10, RATING_MAX = 4095 };

/* The least rating of each group: 0, 1000, 1200, .. 2500; that of group 0 is 0. */
extern const uint16_t rating_group_starts[RATING_GROUPS];

/* The group that the rating lies in, at least 1. */
int rating_group_of(unsigned rating);

/* Months since the year 0, thirteen a year: the first is for games of which only the year is known.
 * 0: no date. */
enum { MONTHS_A_YEAR = 13, YEAR_MAX = 9999 };

static inline uint32_t month_make(unsigned year, unsigned month)
{
    return year * MONTHS_A_YEAR + month;
}

/* "2025-05", "2025" where the month is not known, "" for no date. Returns `out`. */
enum { MONTH_TEXT_MAX = 24 };
const char *month_text(uint32_t month, char out[MONTH_TEXT_MAX]);

/* All three in one number, which orders by month, speed, group: fewer than 2^FACET_BITS. */
enum { FACET_GROUP_BITS = 4, FACET_SPEED_BITS = 3, FACET_BITS = 24 };

static inline uint32_t facet_make(uint32_t month, enum speed speed, int group)
{
    return (month << FACET_SPEED_BITS | (uint32_t)speed) << FACET_GROUP_BITS | (uint32_t)group;
}

static inline int facet_group(uint32_t facet)
{
    return (int)(facet & ((1u << FACET_GROUP_BITS) - 1));
}

static inline enum speed facet_speed(uint32_t facet)
{
    return (enum speed)(facet >> FACET_GROUP_BITS & ((1u << FACET_SPEED_BITS) - 1));
}

static inline uint32_t facet_month(uint32_t facet)
{
    return facet >> (FACET_GROUP_BITS + FACET_SPEED_BITS);
}

static inline bool facet_is_valid(uint64_t facet)
{
    return facet >> FACET_BITS == 0 && facet_group((uint32_t)facet) < RATING_GROUPS &&
           facet_speed((uint32_t)facet) < SPEEDS;
}

/* Which games are asked for. Those of unknown rating, speed or date pass where all of them do. */
struct facet_filter {
    uint32_t groups; /* bits 1 << group */
    uint32_t speeds; /* bits 1 << enum speed */
    uint32_t since;  /* the first month and */
    uint32_t until;  /* the last; both as month_make() has them */
};

/* Everything passes. */
extern const struct facet_filter facet_filter_all;

bool facet_filter_is_all(const struct facet_filter *filter);

/* A game of which only the year is known passes where all of its year does. */
bool facet_passes(const struct facet_filter *filter, uint32_t facet);
