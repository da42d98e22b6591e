/* A book in memory, of whatever kind. book/open/ opens one from a file.
 *
 * A struct book is read-only after opening: any number of threads may probe it. */
#pragma once

#include "base/text.h"
#include "book/book_move.h"
#include "chess/game.h"

struct book; /* in book/format.h */
struct book_format;
struct book_facts;

/* A book of that kind without anything in it; `name` is copied. NULL: out of memory. */
struct book *book_new(const struct book_format *format, const char *name);

/* Opens `bytes` as a book of that format. The bytes stay valid and unchanged until book_close();
 * `owned` (NULL: none) is given to free() then, and at once on failure. `name` is copied.
 * Errors: those of struct book_format.open. */
MUST_CHECK enum caxton_status book_create(const struct book_format *format, const uint8_t *bytes,
                                          uint8_t *owned, size_t size, const char *name,
                                          struct book **out, struct diag *diag);

void book_close(struct book *book); /* NULL is allowed */

const char *book_name(const struct book *book);
/* A one-line remark about the file, or "" when there is none. */
const char *book_warning(const struct book *book);
/* As a person says it: "Polyglot", "EPD". Static storage. */
const char *book_format_name(const struct book *book);
/* How many moves the book has, each counted once; of Polyglot entries, how many the file holds. */
size_t book_entry_count(const struct book *book);
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

/* The key by which the book knows the position, that of its mirror image in a mirrored book. */
uint64_t book_key(const struct book *book, const struct position *pos);

/* What the book knows in the position, of whatever kind it is: its moves as book_probe() gives
 * them, and what else it has of them (struct book_facts in book/format.h). Of statistics all moves,
 * those that never scored included, in the order of the file. Errors: those of struct
 * book_format.facts. */
MUST_CHECK enum caxton_status book_look_up(const struct book *book, const struct position *pos,
                                           struct book_facts *out, struct diag *diag);

/* The same without what takes time: moves and weights, or games where it counts them. */
MUST_CHECK enum caxton_status book_look_up_moves(const struct book *book,
                                                 const struct position *pos, struct book_facts *out,
                                                 struct diag *diag);
