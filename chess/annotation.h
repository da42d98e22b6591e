/* Signs and evaluations as people and programs write them among moves: "±", "+=", "N", "…". */
#pragma once

#include "base/text.h"

enum { ANNOTATION_AHEAD = 64 };

/* The bytes of the annotation that `word`, which is not empty, begins with: one sign that no move
 * has ("±", "∞", "→", "…", also a no-break space; UTF-8 or Latin-1), or all of the word up to such
 * a sign when that is an evaluation ("+=", "-/+", "=", a lone "+") or N, a novelty. 0: it begins
 * with something else, "--" and the N of "N f3" among them.
 * end: of the text that follows; at most ANNOTATION_AHEAD bytes of it are looked at. */
size_t annotation_size(struct span word, const char *end);

/* `word` up to the first sign: signs may follow a move without a blank. */
struct span annotation_cut(struct span word);
