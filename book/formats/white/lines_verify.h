/* Proof-reading a file of lines. */
#pragma once

#include "book/formats/white/lines_finding.h"

/* Proof-reads a file: `visit` gets faults and remarks, faulty lines first. At most
 * LINES_OFFERS_MAX rewrites are offered. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status lines_verify(const char *text, size_t size, lines_visit *visit,
                                           void *context);
