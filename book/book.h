/* Opening books in memory: open, probe, choose.
 *
 * A struct book is read-only after opening: any number of threads may probe it. */
#ifndef CAXTON_BOOK_BOOK_H
#define CAXTON_BOOK_BOOK_H

#include "book/polyglot.h"
#include "chess/game.h"
#include "chess/movegen.h"
#include "chess/rng.h"
#include "chess/status.h"
#include "chess/text.h"

/* Characters of openings, a bit each: what a user can be in the mood for. */
enum book_style {
    BOOK_OPEN = 1,        /* 1.e4 e5 */
    BOOK_HALF_OPEN = 2,   /* 1.e4, another reply */
    BOOK_CLOSED = 4,      /* 1.d4 d5 */
    BOOK_HALF_CLOSED = 8, /* 1.d4, another reply */
    BOOK_FLANK = 16,      /* neither */
    BOOK_GAMBIT = 32,
};

/* One playable answer of the book. */
struct book_move {
    move move;       /* legal in the probed position */
    uint32_t weight; /* summed over duplicate entries; may be 0 = never play */
    uint32_t learn;  /* Polyglot's learn field, of the first entry */
    uint32_t place;  /* in the file, of the first entry, where its order is a person's; else 0 */
    uint8_t styles;  /* of the games it leads to, enum book_style; 0: the book does not say */
};

enum book_selection { BOOK_BEST, BOOK_WEIGHTED, BOOK_UNIFORM };

struct book;

/* Opens a book file of any kind in formats/README.md, the whole of it into memory. The kind is seen
 * from the bytes, whatever the file is called; what no other kind knows is taken for Polyglot. A
 * book with faults that still has sound moves is opened, and says so in book_warning().
 * Errors: STATUS_IO, STATUS_FORMAT (empty, cut, or not a book), STATUS_NO_MEMORY; `diag` (may be
 * NULL) says which, and where. */
MUST_CHECK enum caxton_status book_open(const char *path, struct book **out, struct diag *diag);

/* As book_open on bytes that stay valid and unchanged until book_close(): of a sorted Polyglot book
 * nothing is copied. `name` is copied. */
MUST_CHECK enum caxton_status book_open_memory(const void *bytes, size_t size, const char *name,
                                               struct book **out, struct diag *diag);

/* The default book that is part of the program. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status book_open_builtin(struct book **out);

void book_close(struct book *book); /* NULL is allowed */

const char *book_name(const struct book *book);
/* A one-line remark about the file, or "" when there is none. */
const char *book_warning(const struct book *book);
/* As a person says it: "Polyglot", "EPD". Static storage. */
const char *book_format_name(const struct book *book);
/* How many moves the file holds, each as often as it is written there. */
size_t book_entry_count(const struct book *book);
/* The index-th entry in the order of a Polyglot file; all zero for other kinds. */
struct polyglot_entry book_entry(const struct book *book, size_t index);

/* The legal moves that the book knows here, heaviest first, ties in the order of the file
 * where it has one, then by move; illegal or stale entries are skipped, duplicates summed. Writes
 * at most `capacity` of them, returns how many were written.
 */
int book_probe(const struct book *book, const struct position *pos, struct book_move *out,
               int capacity);

/* As book_probe() in the position that the game has reached: a book that keeps lines follows the
 * moves that were played. Without the game it answers as if the position stood by itself. */
int book_probe_game(const struct book *book, const struct game *game, struct book_move *out,
                    int capacity);

/* Where some of moves[0..count) to play lead to one of `styles`, gives all others the weight 0. */
void book_prefer(struct book_move *moves, int count, uint8_t styles);

/* Chooses one of moves[0..count) as book_probe() gives them. Moves of weight 0 or with a share of
 * the summed weight below threshold_permille are never chosen. Returns its index, or -1 when
 * nothing is playable. best: the heaviest; weighted: in proportion; uniform: each alike. */
int book_choose(const struct book_move *moves, int count, enum book_selection selection,
                int threshold_permille, struct rng *rng);

/* The share of moves[index] of the summed weight, in permille, rounded. */
int book_share_permille(const struct book_move *moves, int count, int index);

#endif
