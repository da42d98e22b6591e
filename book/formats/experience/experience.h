/* Experience files of Stockfish's forks (.exp): what their searches found, a move with its score
 * and depth by a hash key of the position. All numbers are little-endian, a record has 24 bytes:
 *   SugaR (HypnoS, Eman) after 26 bytes of a mark: 0 key, 8 move, 12 score, 16 depth, 20 count of 2
 *     bytes, 22 zero; in older files a mark of 5 bytes, without a count: 20 00 FF 00 FF
 *   BrainLearn (ShashChess), without a mark: 0 key, 8 depth, 12 score, 16 move, 20 performance
 * A move is 16 bits, what stands above them is memory that was never set: 0 to, 6 from, 12
 * promotion
 * - knight, 14 kind; castling is king takes rook. A score is the side to move's, in units of the
 * program; mate in n plies is 32000 - n, 32002 none. Files hold no positions: those that lines
 * reach are found by their keys, others stay as they are. Searched moves are the book, their counts
 * the weights; of the same move the deepest search stands, and counts are added up.
 *
 * Programs that find a file damaged load nothing of it and append to it, or write over it. So
 * records are looked for behind damage, at any byte.
 * Source: the programs were run, SugaR AI 2.30 and BrainLearn 20.2, 25.2 and 30, and HypnoS 2025.
 */
#pragma once

#include "book/format.h"

extern const struct book_format experience_format;

/* The keys are Stockfish's: the same random numbers, but for castling. A: before June 2020 and
 * SugaR's; each right has a number. B: later and BrainLearn's; each set of rights has one. */
enum experience_family { EXPERIENCE_KEYS_A, EXPERIENCE_KEYS_B };

struct experience_keys {
    uint64_t pieces[2][PIECE_TYPES][64]; /* by colour */
    uint64_t files[8];                   /* en passant */
    uint64_t castling[CASTLING_ALL + 1]; /* by rights, as struct position has them */
    uint64_t black;                      /* to move */
};

void experience_keys_make(enum experience_family family, struct experience_keys *out);

/* The key of the position, of which the plies since a capture or pawn move are a part from 14 on.
 */
uint64_t experience_key(const struct experience_keys *keys, const struct position *pos);

enum { EXPERIENCE_KEYS_MAX = 6 };

/* The keys that the position may have, its own first: some programs leave out the file of a capture
 * en passant that would bare the king, older ones the clock, and other lines have other clocks.
 * Returns how many there are. */
int experience_possible_keys(const struct experience_keys *keys, const struct position *pos,
                             uint64_t out[EXPERIENCE_KEYS_MAX]);

/* Writes what the books know of searches as one file; of a move that several know the deepest
 * search stands. They are experience files, books that were made of one (struct book.origin), or
 * stores of searches. As struct book_writer.write, and STATUS_NOT_FOUND: there is no score. */
MUST_CHECK enum caxton_status experience_write(const struct book *const *books, size_t count,
                                               const struct book_writer *writer, FILE *out,
                                               struct book_losses *losses, struct diag *diag);

/* The searches of an experience file as a store without a file, with the program's family as the
 * searcher: of the positions that lines reach. The caller closes it. Errors: STATUS_FORMAT (another
 * kind of book), STATUS_NO_MEMORY, those of book_graph_create(). */
struct score_store;
MUST_CHECK enum caxton_status experience_to_store(const struct book *book, struct score_store **out,
                                                  struct book_losses *losses, struct diag *diag);
