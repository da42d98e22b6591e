/* Playing through a whole tree: each byte once, jumps are not followed. */
#pragma once

#include "book/formats/thompson/tree_book.h"

enum tree_visit {
    TREE_AT_CHOICES, /* the choices of the position begin with the unit */
    TREE_AT_JUMP,    /* the unit is a jump, which stands where the choices would */
    TREE_AT_ILLEGAL, /* the position has no move of the unit's place */
};

/* What is told of the tree on the way. Any status but STATUS_OK ends the walk. */
typedef enum caxton_status (*tree_visitor)(void *context, enum tree_visit what,
                                           const struct tree_unit *unit,
                                           const struct position *pos);

/* Errors: STATUS_NO_MEMORY, those of the visitor. */
MUST_CHECK enum caxton_status tree_walk(const struct tree_book *book, tree_visitor visitor,
                                        void *context);
