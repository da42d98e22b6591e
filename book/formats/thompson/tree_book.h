/* A tree in memory: its bytes and what opening has found out about them.
 *
 * The structure of a tree that tree_book_read() has accepted is sound: every unit is defined, every
 * line ends, every jump leads to choices. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "book/book_move.h"
#include "book/format.h"
#include "book/formats/thompson/tree_coder.h"
#include "book/formats/thompson/tree_unit.h"
#include "chess/movegen.h"
#include "chess/position.h"

enum {
    TREE_CHOICES_MAX = 256,  /* of a position: there are no more places */
    TREE_PLIES_MAX = 0xFFFF, /* of a line, jumps not followed */
};

/* A branch that is long enough for an entry. */
struct tree_branch {
    uint32_t at;  /* of its first move's unit */
    uint32_t end; /* behind it: where the next choice stands */
};

/* What a tree is made of, in numbers of things and bytes. */
struct tree_stats {
    size_t bytes;  /* of the file */
    size_t packed; /* weights */
    size_t moves;  /* of the book */
    size_t non_book_moves;
    size_t jumps;
    size_t jump_bytes;
};

struct tree_book {
    const uint8_t *body; /* borrowed */
    size_t size;
    size_t base;                  /* bytes of the file before the body */
    enum tree_weights packed;     /* not inline */
    uint32_t *weights;            /* by the place of the unit in the body; NULL when none packed */
    struct tree_branch *branches; /* by `at` */
    size_t branch_count;
    bool branched;           /* there is a '(' */
    struct position *starts; /* of each tree, and where its choices stand */
    uint32_t *start_places;
    size_t start_count;
    struct tree_stats stats;
    enum book_fault fault; /* why it could not be read */
};

/* Any bytes as a tree whose structure is sound. Its moves may be illegal. The bytes stay borrowed.
 * tree_book_free() is due in any case. Errors: STATUS_FORMAT (`diag`, may be NULL, has text and
 * offset, book->fault the kind), STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status tree_book_read(struct tree_book *book, const uint8_t *bytes,
                                             size_t size, struct diag *diag);

/* Frees what the tree has, not `book` itself. {0} is allowed. */
void tree_book_free(struct tree_book *book);

/* Behind the whole branch that begins with a move. */
size_t tree_skip(const struct tree_book *book, const struct tree_unit *unit);

/* The first choice of the position whose choices, or a jump to them, stand at `at`. False when none
 * stands there. */
bool tree_first_choice(const struct tree_book *book, size_t at, struct tree_unit *unit);

/* The next choice of the same position behind `unit`; false when that was the last. */
bool tree_next_choice(const struct tree_book *book, struct tree_unit *unit);

/* The moves of the book in `pos`, whose choices stand at `at`, or where a jump there leads. Illegal
 * ones and repeated ones are left out. Returns how many. out: MOVES_MAX of them. */
int tree_moves(const struct tree_book *book, size_t at, const struct position *pos,
               struct book_move *out);

/* The legal moves of a position in the order of the format, which gives each its place. */

/* All of them; returns how many. */
int tree_order(const struct position *pos, move out[MOVES_MAX]);

/* The place of a legal move, from 0. */
int tree_place(const struct position *pos, move m);

/* The header of a tree that Caxton has written. tree_format.h describes the bytes. */

enum { TREE_MAGIC_SIZE = 8, TREE_HEADER_SIZE = 28 };

struct tree_header {
    enum tree_weights packed; /* TREE_WEIGHTS_NONE, _CHOICES or _EXACT */
    uint32_t body_size;
    uint32_t packed_size;
};

/* Does the file begin with the magic bytes? */
bool tree_has_header(const uint8_t *bytes, size_t size);

/* What is wrong with a file, for a message, and where. */
struct tree_fault {
    enum book_fault kind;
    size_t at;
    const char *text; /* NULL: nothing is */
};

/* rest: what follows behind the header, body_size + packed_size bytes. */
void tree_header_write(const struct tree_header *header, const uint8_t *rest,
                       uint8_t out[TREE_HEADER_SIZE]);
