/* Sizes in Arena's books, see abk.h. */
#pragma once

enum {
    ABK_RECORD_SIZE = 28,
    ABK_FIRST_RECORD = 900,
    ABK_COMMENT = 12, /* bytes of the header: lengths of texts, which follow them */
    ABK_AUTHOR = 133,
    ABK_NEUTRAL_PRIORITY = 5,
};
