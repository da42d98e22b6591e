/* What the parts of the PGN reader share: pgn_scan.c moves over the bytes and skips what is not
 * read, pgn_tags.c reads tag sections, pgn_moves.c move text, pgn.c finds games and puts them
 * together. Nobody else includes this.
 *
 * The text passes through one buffer. Three promises hold at every call of the scanner:
 * 1. PGN_BEHIND bytes before `at` are readable (line feeds before the start of the input);
 * 2. after scan_ensure(), PGN_AHEAD bytes from `at` are readable, or all that the input still has;
 * 3. *end is a zero byte, so that a loop over one class of bytes needs no other bound; PGN_MARGIN
 *    bytes from it are readable.
 * Every decision looks at no more than that (one about comments asks for more), so the result does
 * not depend on how the source cuts its input into pieces. */
#pragma once

#include "chess/pgn.h"

enum {
    PGN_BEHIND = 64,
    PGN_AHEAD = 512,
    PGN_WORD_MAX = 128,     /* no move is longer: e.g. "exd8=Q+" */
    PGN_TAG_NAME_MAX = 128, /* with the blanks around it: all within PGN_AHEAD */
    PGN_TAG_TEXT_MAX = 1 << 20,
    PGN_PLIES_MAX = 1 << 20, /* sixty times the longest game that the 75-move rule allows */
};

/* A point of the input that a message may have to name after it has left the buffer. */
struct pgn_place {
    uint64_t line;
    uint64_t column;
    uint64_t offset;
};

struct pgn_mark {
    const char *at; /* NULL: `place` is already known */
    struct pgn_place place;
};

/* The move `token`, a word of up to seven bytes as a number, leads from one node to another. */
struct pgn_step {
    uint64_t token;
    uint64_t key; /* behind it */
    uint16_t from;
    uint16_t to; /* 0: the place is free */
    move played;
};

enum { PGN_NODE_PLIES_MAX = 255 };

struct pgn_tree {
    struct pgn_node *nodes;
    struct position *positions; /* of each node */
    uint32_t count;
    uint32_t capacity; /* 0: there is no tree */
    struct pgn_step *steps;
    int step_bits; /* there is room for 2^step_bits, twice the nodes or more */
};

enum pgn_recovery { RECOVER_NOTHING, RECOVER_IN_TAGS, RECOVER_IN_MOVES };

struct pgn_reader {
    pgn_source source;
    void *context;
    struct span memory; /* what is left of the memory to read, for pgn_create_memory */

    char *buffer;
    char *limit; /* the end of the buffer; one byte more is there for the final zero */
    const char *at;
    char *end;
    uint64_t end_offset; /* of `end` in the input */
    bool at_eof;
    enum caxton_status failure; /* of the source */
    enum caxton_status over;    /* what pgn_next() answers from now on, once it is not STATUS_OK */

    const char *counted; /* line breaks before it are counted */
    uint64_t line;       /* the line that `counted` lies in */
    uint64_t line_start; /* offset of that line's first byte */
    bool after_cr;       /* a line feed at `counted` belongs to the CR before it */

    struct pgn_mark comment;   /* the brace that opened the comment being skipped */
    struct pgn_mark variation; /* likewise the outermost parenthesis */
    struct pgn_mark fen_tag;   /* the tags that decide about the start position */

    enum pgn_recovery recovery;
    bool result_on_line; /* the result of the game before stands on this line */
    uint64_t games;
    size_t ply_limit;
    bool whole_games;
    bool keeps_comments;
    struct diag beyond;       /* the fault beyond the ply limit, "" = none */
    unsigned notes;           /* about the game, as in struct pgn_game */
    uint64_t names_seen;      /* of its tags, one bit each by a hash */
    struct position standard; /* the usual start */

    char *tag_text; /* PGN_TAG_TEXT_MAX bytes that the tags point into */
    size_t tag_text_size;
    struct pgn_tag *tags;
    size_t tag_count;
    size_t tag_capacity;
    /* The values that decide about a game, where their tags are there; NULL data = absent. */
    struct span fen;
    struct span set_up;
    struct span variant;
    struct span result;

    move *moves;
    uint8_t *marks;
    uint64_t *keys;
    struct pgn_comment *comments; /* NULL unless they are kept */
    size_t ply_count;
    size_t ply_capacity;

    struct pgn_tree tree;
    uint16_t node; /* the last one that the game came to; 0 = none */
};

/* Bits of pgn_class: what a byte can be. */
enum {
    PGN_WORD = 1,  /* part of a move, a number, a result */
    PGN_DIGIT = 2, /* 0-9 */
    PGN_BLANK = 4, /* space, tab, VT, FF, CR, LF */
    PGN_BREAK = 8, /* CR, LF */
    PGN_NAME = 16, /* part of a tag's name */
    PGN_STOP = 32, /* may end or change the skipping of move text */
    PGN_SIGN = 64, /* part of a tag's name, but not its first byte: + # = : - and the point */
};
extern const uint8_t pgn_class[256];

static inline bool pgn_is(char c, unsigned classes)
{
    return (pgn_class[(uint8_t)c] & classes) != 0;
}

/* pgn_scan.c ------------------------------------------------------------------------------- */

/* Reads more until PGN_AHEAD bytes lie ahead; false when the input has nothing more at all. May
 * move the buffer's contents: pointers other than the reader's own are dead afterwards. */
bool scan_refill(struct pgn_reader *reader);
/* The same until `ahead` bytes lie ahead, at most half of the buffer. */
bool scan_refill_to(struct pgn_reader *reader, ptrdiff_t ahead);

static inline void scan_ensure(struct pgn_reader *reader)
{
    if (reader->end - reader->at < PGN_AHEAD && !reader->at_eof)
        (void)scan_refill(reader);
}

/* Nothing is left. */
static inline bool scan_at_end(struct pgn_reader *reader)
{
    return reader->at == reader->end && !scan_refill(reader);
}

uint64_t scan_offset(const struct pgn_reader *reader, const char *at);
/* `at` must not lie before the last scan_count_lines(). */
struct pgn_place scan_place(const struct pgn_reader *reader, const char *at);
struct pgn_place scan_mark_place(const struct pgn_reader *reader, const struct pgn_mark *mark);
/* Counts the lines up to reader->at and resolves the marks before it. */
void scan_count_lines(struct pgn_reader *reader);
void scan_forget_marks(struct pgn_reader *reader);

/* First on its line but for blanks. */
bool scan_is_line_start(const char *at);
/* Column 1 in the strict sense. */
static inline bool scan_is_column_one(const char *at)
{
    return pgn_is(at[-1], PGN_BREAK);
}
/* The line before the one that begins at `at` is empty. */
bool scan_is_after_empty_line(const char *at);
/* The first byte from `at` on that may end or change the skipping of move text (PGN_STOP). */
const char *scan_find_stop(const char *at);
/* The first byte from `at` on that a tag's value does not hold as it is: " \\ CR LF or zero. */
const char *scan_find_special(const char *at);
/* Over spaces and tabs, not beyond `stop`. */
const char *scan_over_blanks(const char *at, const char *stop);
/* `[Name "` stands here. */
bool scan_is_tag(const char *at);
/* An Event tag that begins a line. */
bool scan_is_next_event(const char *at);
/* A tag that must be the next game's, whatever stands open before it: one that begins a line after
 * an empty line, or an Event tag that begins any line. */
bool scan_is_next_game(const char *at);
/* A word that has the shape of a move, legal or not. */
bool scan_is_move(struct span word);
struct span scan_word(const char *at);
/* A game termination marker; PGN_UNKNOWN and true for an asterisk. */
bool scan_is_result(struct span word, enum pgn_result *result);

/* Sets `diag` to a fault at `place`. */
void pgn_fault(struct diag *diag, struct pgn_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The fault of the comment at reader->comment. */
MUST_CHECK enum caxton_status pgn_fail_open_comment(struct pgn_reader *reader, struct diag *diag);

/* Leaves `at` on the line break or at the end. */
void scan_skip_line(struct pgn_reader *reader);

enum scan_end {
    SCAN_CLOSED, /* after the closing brace or parenthesis: the game goes on */
    SCAN_RESULT, /* after the result */
    SCAN_TAG,    /* on the tag that begins the next game */
    SCAN_EOF,
    SCAN_OPEN_COMMENT /* as SCAN_TAG or SCAN_EOF, and the comment at reader->comment never closes */
};

/* Skips a comment from its opening brace. Comments do not nest. A missing brace must not swallow
 * the games that follow: on the tag of a next game that the comment may not hold, see
 * PGN_COMMENT_AHEAD, it ends as unclosed.
 * Returns SCAN_CLOSED or SCAN_OPEN_COMMENT. */
enum scan_end scan_skip_comment(struct pgn_reader *reader);

/* Skips a variation from its opening parenthesis, nested to any depth.
 * Returns SCAN_CLOSED, SCAN_TAG, SCAN_EOF or SCAN_OPEN_COMMENT. */
enum scan_end scan_skip_variation(struct pgn_reader *reader);

/* Skips the rest of a game's move text, comments and variations included, without reading the
 * moves. Returns anything but SCAN_CLOSED; *result is set with SCAN_RESULT. Notes parentheses
 * without their other half. */
enum scan_end scan_skip_moves(struct pgn_reader *reader, enum pgn_result *result);

/* pgn_tags.c ------------------------------------------------------------------------------- */

enum { PGN_QUOTE_MAX = 48 }; /* what a message quotes of the input, by text_quote() */

/* Reads the tag section that begins at `at`, to the first byte of the move text. */
MUST_CHECK enum caxton_status pgn_read_tags(struct pgn_reader *reader, struct diag *diag);

/* After a fault among the tags: skips the rest of that game. */
void pgn_recover_tags(struct pgn_reader *reader);

/* Start position and kind of game from the tags of `game`. */
MUST_CHECK enum caxton_status pgn_set_up(struct pgn_reader *reader, struct pgn_game *game,
                                         struct diag *diag);

/* pgn_tree.c ------------------------------------------------------------------------------- */

void pgn_tree_free(struct pgn_tree *tree);

static inline size_t pgn_tree_place(const struct pgn_tree *tree, unsigned node, uint64_t token)
{
    uint64_t mixed = (token ^ node * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xD6E8FEB86659FD93);
    return (size_t)(mixed >> (64 - tree->step_bits));
}

/* The step from `node`, or the free place where it would stand. */
static inline struct pgn_step *pgn_tree_find(const struct pgn_tree *tree, unsigned node,
                                             uint64_t token)
{
    size_t at = pgn_tree_place(tree, node, token);
    size_t mask = ((size_t)1 << tree->step_bits) - 1;
    struct pgn_step *step = &tree->steps[at];
    while (step->to && (step->token != token || step->from != node))
        step = &tree->steps[at = (at + 1) & mask];
    return step;
}

/* Adds the position behind the move `token` of reader->node, the last of keys[0..ply_count], if
 * there is room and it is new on its way; then it is reader->node. */
void pgn_tree_add(struct pgn_reader *reader, uint64_t token, const struct position *pos,
                  size_t ply_count);

/* pgn_moves.c ------------------------------------------------------------------------------ */

/* Reads the move text of `game`, whose start position is set: to its result, to the next game's
 * first tag, or to the end of the input. */
MUST_CHECK enum caxton_status pgn_read_moves(struct pgn_reader *reader, struct pgn_game *game,
                                             struct diag *diag);
