/* Reading the settings of a file of lines, and its universal reply. */
#pragma once

#include "book/formats/white/lines_reader.h"

/* Reads `content` when its first word is that of a setting or `otherwise`, whose kind *kind then
 * is; else *kind is LINES_ITEM_NOTE and nothing is read. */
MUST_CHECK enum caxton_status lines_read_setting(struct lines_reader *reader, struct span content,
                                                 enum lines_kind *kind);
