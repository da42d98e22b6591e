/* Where a score comes from, as text for the `eval` command. */
#pragma once

#include "base/text.h"
#include "eval/network.h"

/* Writes a board with the centipawns that each piece is worth, and what every output of the network
 * says; or that the position is scored as one with a bare king. */
void eval_explain(const struct network *network, const struct position *pos,
                  struct text_buffer *out);
