/* Proof-reading a file of lines: orders of moves without a rewrite. */
#pragma once

#include "book/formats/white/lines_proof.h"

enum { LINES_OFFERS_MAX = 1000 };

/* Offers the missing rewrites. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status proof_check_rewrites(struct proof *proof);
