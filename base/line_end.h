/* How the lines of a text end, for what is added to it. */
#pragma once

#include <stdio.h>

#include "base/text.h"

/* "\r\n" where the first line of `text` ends so, else "\n". Static storage. */
const char *line_end_of(struct span text);

/* Writes `text`, whose lines end in line feeds, with `end` in place of each. */
void line_end_put(FILE *out, struct span text, const char *end);
