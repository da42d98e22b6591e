/* Percent-encoding: any bytes as one word of plain characters. Source: RFC 3986, section 2.1. */
#pragma once

#include "base/text.h"

/* Appends the text; all but letters, digits and -._~ as %XX. */
void percent_encode(const char *text, struct text_buffer *out);

/* Writes it as it was, terminated, into out[0..capacity). Errors: STATUS_SYNTAX (a % without two
 * hexadecimal digits, or one that stands for a zero byte), STATUS_RANGE (too long). */
MUST_CHECK enum caxton_status percent_decode(struct span text, char *out, size_t capacity);
