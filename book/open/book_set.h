/* The books that the BookFile option names: the first that knows a position answers. */
#pragma once

#include "book/book.h"
#include "book/book_move.h"

struct book_set;

/* How one of several moves is chosen: the options of the engine, for books without their own. */
struct book_settings {
    enum book_selection selection;
    int threshold_permille;
    uint8_t styles;    /* enum book_style; 0: any. Only for books whose moves have one */
    int plies;         /* of the game so far */
    bool is_over;      /* too many: only books that have a depth of their own answer */
    const move *moves; /* only these may be chosen */
    int move_count;    /* 0: all may */
};

struct book_answer {
    move move;          /* legal in the position asked about */
    move ponder;        /* the heaviest reply that the set knows, MOVE_NONE when it knows none */
    int share_permille; /* of the position's weight in its book */
    const char *name;   /* of the book; borrowed until book_set_close() */
};

/* Opens the books of `files`: names separated by ';' or '|', blanks around them do not count. A
 * name may have options behind a '?' (docs/ENGINE.md, Books), if there is no file of the whole
 * name; a wrong one costs a remark, and the book is used without it. "<empty>" and "<builtin>"
 * stand for the built-in book, alone or among others, and so does "". Files that cannot be opened
 * are left out, each with a remark, and nothing takes their place: a set may be without any book.
 * Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status book_set_open(const char *files, struct book_set **out);
void book_set_close(struct book_set *set); /* NULL is allowed */

int book_set_count(const struct book_set *set);
const struct book *book_set_book(const struct book_set *set, int index); /* in the order asked */

/* One line for each file that could not be opened or is not as it should be. */
int book_set_remark_count(const struct book_set *set);
const char *book_set_remark(const struct book_set *set, int index);
/* Could the file that the remark is about not be opened? */
bool book_set_is_failure(const struct book_set *set, int index);

/* The moves of the first book that knows the position that the game has reached, and is there for
 * the side to move, as book_probe_game() gives them; *from is that book, untouched when the count
 * is 0. */
int book_set_probe(const struct book_set *set, const struct game *game, struct book_move *out,
                   int capacity, const struct book **from);

/* Chooses a move by book_prefer() and book_choose() from the first book that has a playable one.
 * Errors: STATUS_NOT_FOUND, `out` untouched. */
MUST_CHECK enum caxton_status book_set_choose(const struct book_set *set, const struct game *game,
                                              const struct book_settings *settings, struct rng *rng,
                                              struct book_answer *out);

/* The line that the books expect: the legal move `first`, then for each side the reply that
 * book_answer.ponder would name, until no book knows one, the position has stood before, or
 * `capacity` moves are written to `out`. Returns their number; at least 1 when there is room. */
int book_set_line(const struct book_set *set, const struct game *game, move first, move *out,
                  int capacity);
