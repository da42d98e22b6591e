/* What overrides say about moves. */
#pragma once

#include "book/graph/rules.h"
#include "book/weigh/override.h"

/* The overrides of the position with that key, `*count` of them. */
const struct override *by_hand_find(const struct prune_options *options, uint64_t key,
                                    size_t *count);

/* Is the move, as book/polyglot_entry.h stores it, to be left out of the position by these? */
bool by_hand_falls(const struct override *list, size_t count, uint16_t stored);

/* Does one of these give the move its weight? */
bool by_hand_stays(const struct override *list, size_t count, uint16_t stored);

/* Is the move of the position with that key never to be played, which the book may not know? */
bool by_hand_is_never(const struct prune_options *options, uint64_t key, uint16_t stored);

/* Does any override leave moves out? */
bool by_hand_any_falls(const struct prune_options *options);
