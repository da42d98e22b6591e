/* books/default.bin as it is: BUILTIN_BOOK_FILE comes from the build. */
#include "book/open/builtin.h"

#include "base/embed.h"

EMBED(builtin_book, "16", BUILTIN_BOOK_FILE);
