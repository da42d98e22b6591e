/* Playing through a whole tree: each byte once, jumps are not followed. */
#pragma once

#include "book/formats/thompson/tree_book.h"

/* Any function may be NULL. */
struct tree_visitor {
    void *context;
    /* The choices of `pos` stand at `at`. False ends the walk. */
    bool (*position)(void *context, size_t at, const struct position *pos);
    /* A jump stands where the choices of `pos` would. */
    void (*jump)(void *context, const struct tree_unit *unit, const struct position *pos);
    /* `pos` has no move of that place. */
    void (*illegal)(void *context, const struct tree_unit *unit, const struct position *pos);
};

/* Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status tree_walk(const struct tree_book *book,
                                        const struct tree_visitor *visitor);
