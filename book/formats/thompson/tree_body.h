/* The bytes of a tree (book/formats/tree.h), shared by what reads, walks and writes them. */
#ifndef CAXTON_BOOK_FORMATS_THOMPSON_TREE_BODY_H
#define CAXTON_BOOK_FORMATS_THOMPSON_TREE_BODY_H

#include "base/text.h"
#include "book/entry_table.h"
#include "book/format.h"
#include "book/graph/graph.h"

enum {
    TREE_MORE = 0x80,   /* '(' */
    TREE_LAST = 0x40,   /* ')' */
    TREE_ESCAPE = 0xC0, /* both */
    TREE_PLACE = 0x3F,

    TREE_MAGIC_SIZE = 8,
    TREE_HEADER_SIZE = 28,
    TREE_MARKS_MAX = 24, /* a move with everything that can stand before it */

    TREE_CHOICES_MAX = 256,  /* of a position: there are no more places */
    TREE_PLIES_MAX = 0xFFFF, /* of a line, jumps not followed */
};

extern const uint8_t tree_magic[TREE_MAGIC_SIZE]; /* the last byte is the version */

enum tree_escape {
    TREE_PLACE_64,
    TREE_PLACE_128,
    TREE_PLACE_192,
    TREE_UNPLAYED,
    TREE_JUMP_16,
    TREE_JUMP_32,
    TREE_LEAF,
    TREE_PASSAGE,
    TREE_STYLE,
    TREE_WEIGHT_8,
    TREE_WEIGHT_16,
    TREE_WEIGHT_32,
    TREE_START,
    TREE_BACK_12 = 16,
    TREE_BACK_20 = 32,
};

enum tree_kind { TREE_MOVE, TREE_JUMP, TREE_NEW };

/* A move with its marks, a jump, or the start of a tree. */
struct tree_unit {
    size_t at;
    size_t end; /* behind it */
    enum tree_kind kind;
    size_t target;   /* of a jump */
    struct span fen; /* of a start */
    int place;
    bool more; /* '(' */
    bool last; /* ')' */
    bool unplayed;
    bool passage;
    bool weighted;
    uint8_t styles;
    uint32_t weight;
};

/* Reads the unit at body[at], at < size. NULL when there is one, else what is wrong with it, for a
 * message. */
const char *tree_unit_read(const uint8_t *body, size_t size, size_t at, struct tree_unit *out);

/* A branch that is long enough to be worth an entry. */
struct tree_branch {
    uint32_t at;  /* of its first move's unit */
    uint32_t end; /* behind it: where the next choice stands */
};

struct tree_start {
    uint32_t at;  /* of the choices */
    uint32_t fen; /* of the start's unit; UINT32_MAX: the standard position */
};

/* The state of tree_format. */
struct tree_book {
    const uint8_t *body; /* borrowed */
    size_t size;
    size_t file_size;
    size_t packed_size;
    int packed;                   /* enum tree_weights, not inline */
    uint32_t *weights;            /* by the place of the unit in the body; NULL when none packed */
    struct tree_branch *branches; /* by `at` */
    size_t branch_count;
    bool branched; /* there is a '(' */
    struct tree_start *starts;
    size_t start_count;
    size_t moves;
    size_t passages;
    size_t jumps;
    size_t jump_bytes;
    uint32_t deepest;
    struct entry_table
        table; /* all positions of a tree that was opened; not yet of one that was read */
};

/* Any bytes as a tree whose structure is sound: every unit defined, every line ended, every jump
 * to choices. Legal the moves need not be. On failure `diag` has text and offset, `fault` the kind;
 * tree_book_free() is due in any case. Errors: STATUS_FORMAT, STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status tree_book_read(struct tree_book *book, const uint8_t *bytes,
                                             size_t size, enum book_fault *fault,
                                             struct diag *diag);
void tree_book_free(struct tree_book *book);

bool tree_has_header(const uint8_t *bytes, size_t size);
uint64_t tree_checksum(const uint8_t *header, const uint8_t *rest, size_t size);

/* Behind the whole branch that begins with a move. */
size_t tree_skip(const struct tree_book *book, const struct tree_unit *unit);

/* The place `at`, or where the jump there leads. */
size_t tree_resolve(const struct tree_book *book, size_t at);

/* The start position of a tree. */
void tree_start_position(const struct tree_book *book, size_t index, struct position *out);

/* The legal moves of a position in the order of the format; returns how many. */
int tree_order(const struct position *pos, move out[MOVES_MAX]);
int tree_place(const struct position *pos, move m);

struct tree_choice {
    move move;
    uint32_t weight; /* 0: not to be played */
    uint8_t styles;
    bool passage;
};

/* The next choice of the same position behind `unit`; false when that was the last, or when none
 * stands there. */
bool tree_next_choice(const struct tree_book *book, struct tree_unit *unit);

/* The choices of `pos`, which stand at `at`, or where a jump there leads. Illegal ones and
 * repeated ones are left out. out: MOVES_MAX of them. */
int tree_choices(const struct tree_book *book, size_t at, const struct position *pos,
                 struct tree_choice *out);

/* The characters that each move of the graph leads to, enum book_style: those of the openings that
 * the positions behind it belong to. styles: by edge. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status tree_find_styles(const struct book_graph *graph, uint8_t *styles);

/* As struct book_format.check. */
MUST_CHECK enum caxton_status tree_check(const uint8_t *bytes, size_t size, book_fault_sink sink,
                                         void *context);

#endif
