/* Sizes in Arena's books, see abk.h. */
#ifndef CAXTON_BOOK_FORMATS_ARENA_ABK_RECORD_H
#define CAXTON_BOOK_FORMATS_ARENA_ABK_RECORD_H

enum {
    ABK_RECORD_SIZE = 28,
    ABK_FIRST_RECORD = 900,
    ABK_COMMENT = 12, /* bytes of the header: lengths of texts, which follow them */
    ABK_AUTHOR = 133,
    ABK_NEUTRAL_PRIORITY = 5,
};

#endif
