/* Finding a player under the many spellings of his name. */
#pragma once

#include <stdint.h>

#include "base/text.h"

/* Is the tag value `name` the player `wanted`? Blanks, commas, full stops and hyphens part words.
 * Both may be UTF-8 or Latin-1, see span_take_letter(); case is ignored as far as
 * text_small_letter() knows it. The family name has to be the same, the words behind it may be
 * abbreviated in `wanted`, or be initials in `name`: "fischer r" and "Fischer, Robert" fit
 * "Fischer, Robert J" and "Fischer R", not "Fischer Js" or "Fischer". A name without a comma may
 * also have its family name last: "Robert Fischer" fits the same, and "Fischer R" fits "Robert
 * Fischer". Hyphens join words to one family name: "Vachier Lagrave" fits "Vachier-Lagrave, M" and
 * "Maxime Vachier-Lagrave", "Vachier" neither. One word is a family name that stands first. Without
 * any word no name fits. */
bool player_matches(struct span name, const char *wanted);

/* How far the tag value `name`, which does not fit, is from the player `wanted`: letters to change
 * in the family name, 1 for first names that do not fit and PLAYER_OTHER_INITIAL for another
 * initial, in the nearest order of words; a later word of a family name is one, too, as in "van der
 * Wiel, John". -1 is too far: a family name has one letter for each four or so that may be wrong.
 */
enum { PLAYER_OTHER_INITIAL = 4 };

int player_distance(struct span name, const char *wanted);

/* Names that are nearly those of a player who was asked for, in bounded memory. */

enum {
    NEAR_NAMES_MAX = 24, /* are kept */
    NEAR_NAME_SIZE = 48, /* of a name, the end included; longer ones are cut */
};

struct near_name {
    uint64_t games;
    int distance;              /* player_distance() */
    char text[NEAR_NAME_SIZE]; /* UTF-8 */
};

/* Begins as {0}. */
struct near_names {
    struct near_name list[NEAR_NAMES_MAX];
    size_t count;
};

/* Counts games of a name. When all places are taken, a nearer name takes that of the farthest, and
 * of those the one with the fewest games; so a count may be too small, never too large. */
void near_names_add(struct near_names *names, struct span name, int distance, uint64_t games);

/* Adds all of `more`. */
void near_names_merge(struct near_names *names, const struct near_names *more);

/* The nearest first; of those as near the ones with most games. */
void near_names_sort(struct near_names *names);
