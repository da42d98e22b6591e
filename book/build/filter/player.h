/* Finding a player under the many spellings of his name. */
#pragma once

#include "base/text.h"

/* Is the tag value `name` the player `wanted`? The words of `wanted` have to begin it, the first
 * one (the family name) whole, the others perhaps abbreviated; blanks, commas and full stops part
 * words, ASCII case is ignored: "fischer r" fits "Fischer, Robert J" and "Fischer R", not "Fischer
 * Js". Without any word no name fits. */
bool player_matches(struct span name, const char *wanted);
