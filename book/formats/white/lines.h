/* A book of lines in memory: a tree of all moves, and the lines of the file that end in it.
 * Functions on a const one may be called by any thread at any time.
 *
 * Invariants:
 * - nodes[0] is the start; a parent stands before its children in nodes[].
 * - A node is on a line of moves exactly when its `first` is not LINES_NONE. Its parents are on
 * that line, too. The other nodes belong to rewrites alone.
 * - After lines_index(), siblings stand in order of merit: by `first`, those on no line last.
 * - A node on a line is a non-book move when it is not `played`. In a rewrite nothing is played.
 * - items[i] is line i + 1 of the file that was read. */
#pragma once

#include "book/format.h"
#include "chess/movegen.h"

enum { LINES_PLIES_MAX = 1000 };

enum lines_style { LINES_SAN, LINES_COORDINATE, LINES_WHITE, LINES_STYLES };

extern const char *const lines_style_names[LINES_STYLES]; /* as a file says them: "san" */

#define LINES_NONE UINT32_MAX

struct lines_node {
    uint64_t key; /* of the position */
    uint32_t parent;
    uint32_t child;  /* the first; LINES_NONE for none */
    uint32_t next;   /* sibling */
    uint32_t first;  /* item: the first line of moves through this node; LINES_NONE for none */
    uint32_t weight; /* stated for `m`, when has_weight */
    uint32_t jump;   /* where a rewrite leads from here, in the end; LINES_NONE for none */
    move m;          /* that leads here from the parent */
    uint16_t plies;  /* from the start */
    bool has_weight;
    bool played;    /* some line of moves writes it without brackets */
    bool bracketed; /* and some in brackets */
};

/* A move that the book may choose; else lines only pass through it. */
static inline bool lines_is_choice(const struct lines_node *node)
{
    return node->first != LINES_NONE && node->played;
}

enum lines_kind {
    LINES_ITEM_NOTE, /* empty, or a comment alone */
    LINES_ITEM_STYLE,
    LINES_ITEM_START,
    LINES_ITEM_PREFER,
    LINES_ITEM_TRANSPOSE,
    LINES_ITEM_OTHERWISE,
    LINES_ITEM_MOVES,
    LINES_ITEM_REWRITE,
};

struct lines_item {
    enum lines_kind kind;
    uint32_t node;   /* where the moves, or the left side, end */
    uint32_t target; /* where the right side ends, as written */
    uint16_t shared; /* n of *n, in moves */
    uint16_t target_shared;
    uint32_t line; /* offsets in lines->text: of the line, LINES_NONE for an added one; */
    uint32_t note; /* of the comment with the blanks before it */
    uint32_t note_size;
    bool faulty; /* its line does not count; as a note, it is written as a comment */
};

/* A move of a position, whichever lines lead there. */
struct lines_choice {
    uint64_t key;
    uint32_t order; /* item where it is first written */
    uint32_t node;
    uint32_t weight;
    move m;
    bool has_weight;
    bool played; /* else a non-book move */
};

struct lines {
    struct diag fault;               /* the first in the file, "line N, WHAT", */
    enum caxton_status fault_status; /* of what kind, */
    size_t faults;                   /* and how many there are */
    char *text; /* a copy of the file, for comments and the universal reply; NULL for none */
    size_t text_size;
    struct position start;
    bool chess960;
    enum lines_style style;
    bool prefer_later;
    int prefer_percent;
    bool listed; /* transpose listed */
    bool shares; /* some line has *n */

    struct lines_node *nodes;
    size_t node_count;
    size_t node_capacity;
    struct lines_item *items;
    size_t item_count;
    size_t item_capacity;

    /* By lines_index(): sorted by key, non-book moves last, then order of merit. */
    struct lines_choice *choices;
    size_t choice_count;
    size_t choice_capacity;

    /* The universal reply, MOVE_NONE for none: as it is written, first moves that it leaves out
     * with their places in the text, and the keys of the positions that it answers. */
    move reply;
    uint32_t reply_text;
    uint32_t reply_size;
    size_t reply_item;
    move except[MOVES_MAX];
    uint32_t except_text[MOVES_MAX];
    int except_count;
    uint64_t reply_keys[MOVES_MAX];
    int reply_key_count;
};

/* Building. All errors are STATUS_NO_MEMORY. */
struct lines *lines_create(void);

void lines_destroy(struct lines *lines); /* NULL is allowed */

MUST_CHECK enum caxton_status lines_set_start(struct lines *lines, const struct position *start);

uint32_t lines_child(const struct lines *lines, uint32_t node, move m);

/* The child of `node` by `m`, made when there is none; key: of the position it leads to. */
MUST_CHECK enum caxton_status lines_grow(struct lines *lines, uint32_t node, move m, uint64_t key,
                                         uint32_t *out);

MUST_CHECK enum caxton_status lines_add_item(struct lines *lines, const struct lines_item *item);

/* Computes `first`, the order of siblings, the choices, reply_item; to be called after every
 * change. Cannot fail when no node was made since it was called before. */
MUST_CHECK enum caxton_status lines_index(struct lines *lines);

/* The node where a game is when it stands on `node`: rewritten. */
uint32_t lines_settle(const struct lines *lines, uint32_t node);

/* The first line that goes on from `node`; LINES_NONE for none. */
uint32_t lines_first_beyond(const struct lines *lines, uint32_t node);

/* The node after `node` depth first, siblings in their order; LINES_NONE at the end. */
uint32_t lines_next_node(const struct lines *lines, uint32_t node);

/* How many moves the ways to two nodes have in common. */
int lines_common_plies(const struct lines *lines, uint32_t a, uint32_t b);

/* The places in choices[] of a position: *first, and how many. Those that are played come first. */
size_t lines_find_choices(const struct lines *lines, uint64_t key, size_t *first);

struct lines_size {
    size_t lines;          /* of moves */
    size_t moves_written;  /* without those of shared parts */
    size_t non_book_moves; /* of these, in brackets */
};

struct lines_size lines_size(const struct lines *lines);

/* A way through the tree with the position at every step, so that going back is free. */
struct lines_path {
    int plies;
    uint32_t nodes[LINES_PLIES_MAX + 1];
    struct position positions[LINES_PLIES_MAX + 1];
};

/* Begins at the start. */
void lines_path_begin(struct lines_path *path, const struct lines *lines);

/* Leads `path` to `node`. */
void lines_path_seek(struct lines_path *path, const struct lines *lines, uint32_t node);

/* What a book of lines answers: functions of lines_format. lines: a struct lines. */

enum { LINES_MERIT_SUM = 10000 };

/* The moves known in `pos`, by merit; returns how many. game: as in book/format.h. The game's
 * moves are followed through lines and rewrites. Where they lead to no move, or `game` is NULL or
 * began elsewhere, all lines that reach the position answer together; then the universal reply.
 * Weights: a stated one is given as it is. Where none above 0 is stated, the others share
 * LINES_MERIT_SUM as the walk of `prefer` would choose among them, each at least 1 when P is below
 * 100; else they weigh 1 each. Alternatives rank by the line in which each is first written.
 * out: MOVES_MAX of them. */
int lines_probe(const void *lines, const struct position *pos, const struct game *game,
                struct book_move *out);

/* The non-book moves (in brackets) of `pos`, in the order of the file; returns how many. game: as
 * for lines_probe(). out: MOVES_MAX of them. */
int lines_non_book_moves(const void *lines, const struct position *pos, const struct game *game,
                         move *out);

/* The reply that the book expects to the legal move `m`: a hint for the opponent, a move to ponder
 * on. The heaviest, of equals the first written; where the book plays none, the first in brackets;
 * MOVE_NONE when there is none. */
move lines_hint(const void *lines, const struct position *pos, const struct game *game, move m);
