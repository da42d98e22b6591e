/* Finding a player under the many spellings of his name. */
#pragma once

#include "base/text.h"

/* Is the tag value `name` the player `wanted`? Blanks, commas and full stops part words, ASCII case
 * is ignored. The family name has to be the same, the words behind it may be abbreviated in
 * `wanted`, or be initials in `name`: "fischer r" and "Fischer, Robert" fit "Fischer, Robert J" and
 * "Fischer R", not "Fischer Js" or "Fischer". A name without a comma may also have its family name
 * last: "Robert Fischer" fits the same, and "Fischer R" fits "Robert Fischer". One word is a family
 * name that stands first. Without any word no name fits. */
bool player_matches(struct span name, const char *wanted);

/* How far the tag value `name`, which does not fit, is from the player `wanted`: letters to change
 * in the family name, 1 for first names that do not fit and PLAYER_OTHER_INITIAL for another
 * initial, in the nearest order of words. -1 is too far: a family name has one letter for each four
 * or so that may be wrong. */
enum { PLAYER_OTHER_INITIAL = 4 };
int player_distance(struct span name, const char *wanted);
