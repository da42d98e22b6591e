/* Finding a player under the many spellings of his name. */
#pragma once

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
