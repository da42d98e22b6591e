/* Sets of ECO codes, A00 to E99. */
#pragma once

#include "base/text.h"

enum { ECO_CODES = 500, ECO_WORDS = (ECO_CODES + 63) / 64 };

struct eco_codes {
    uint64_t words[ECO_WORDS]; /* bit i: the code of number i, A00 = 0, E99 = 499 */
};

/* The number of the code that `text` begins with, -1 when it begins with none: "B33a" is B33. */
int eco_code_read(struct span text);

bool eco_codes_have(const struct eco_codes *codes, int code);

/* Codes and ranges, as in "B20-B99,C42". Errors: STATUS_SYNTAX, *codes untouched. */
MUST_CHECK enum caxton_status eco_codes_read(struct span text, struct eco_codes *codes,
                                             struct diag *diag);

/* The same as text, with ranges as long as possible: a line "OPTION CODES" of a statistics file. */
void eco_codes_describe(struct text_buffer *out, const char *option, const struct eco_codes *codes);
