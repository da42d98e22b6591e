/* What makebook review found, as a page of makebook explore holds it for review.js. */
#pragma once

#include <stdio.h>

#include "book/review/findings.h"

/* Writes [{"kind", "color", "fen", "start": where the line begins, absent: at the usual start,
 * "line", "book": moves as chess/types.h has them, "played": [[move, games], ..], "best": 0: not
 * known, "games", "cost", "lost": absent: not searched, "answered", "samples": [{"text", "link":
 * null: none}, ..]}, ..]. */
void explore_review_write(const struct findings *findings, FILE *out);
