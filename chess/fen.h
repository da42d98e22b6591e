/* Forsyth-Edwards Notation, X-FEN and Shredder-FEN castling fields included.
 * Source: PGN standard section 16.1; https://www.chessprogramming.org/Forsyth-Edwards_Notation */
#pragma once

#include "base/text.h"
#include "chess/position.h"

enum { FEN_MAX = 128 };

extern const char fen_start[];

/* Reads four to six fields; the two clocks may be missing (EPD). On failure `pos` is untouched and
 * `diag`, which may be NULL, names the fault and its column.
 * Errors: STATUS_SYNTAX (text that is not FEN), STATUS_ILLEGAL (a position that the rules forbid:
 * kings, pawns on back ranks, too many pieces, the side to move could take the king, castling
 * rights without king and rook, an impossible en passant square). */
MUST_CHECK enum caxton_status fen_parse(struct span text, struct position *pos, struct diag *diag);

/* The same of text without its first field: the pieces stand on `board`, put there after
 * position_clear(). */
MUST_CHECK enum caxton_status fen_parse_state(struct span text, const struct position *board,
                                              struct position *pos, struct diag *diag);

/* As fen_parse, but castling rights without king and rook and an impossible en passant square,
 * common in boards set up by hand, are left out, and both fields may be missing; `diag` then names
 * the first such fault, and else its text is "". */
MUST_CHECK enum caxton_status fen_parse_lenient(struct span text, struct position *pos,
                                                struct diag *diag);

/* As fen_parse, and returns in `rest` what follows the position: EPD operations. */
MUST_CHECK enum caxton_status fen_parse_epd(struct span text, struct position *pos,
                                            struct span *rest, struct diag *diag);

/* Takes "OPCODE OPERANDS" off the front of `rest`, the operations of an EPD line, which begins with
 * no blank; the ';' behind it ends it, unless it stands in quotes. */
struct span fen_take_operation(struct span *rest);

/* Reads a file of positions, FEN or EPD, one a line, into *out, an array that the caller frees and
 * that is never empty. Empty lines and comments (#, ;) are left
 * out; the operations hmvc and fmvn are the clocks where
 * the line has none. Errors: those of file_read() and fen_parse_epd(), STATUS_SYNTAX (there is no
 * position); `diag` says "PATH:LINE: why". */
MUST_CHECK enum caxton_status fen_read_file(const char *path, struct position **out, size_t *count,
                                            struct diag *diag);

/* Writes a terminated FEN into out[0..FEN_MAX). Castling is KQkq where the rook is the outermost
 * one, else its file letter (X-FEN). */
void fen_format(const struct position *pos, char out[FEN_MAX]);

/* Appends the first field of it, which any set of pieces has. */
void fen_format_board(const struct position *pos, struct text_buffer *out);

/* Chess960 start position number `index` 0..959 (518 is the standard one); any other index is
 * reduced modulo 960. Source: Reinhard Scharnagl's numbering. */
void fen_chess960(unsigned index, struct position *pos);
/* The same with White's pieces of one such position and Black's of another: double Chess960. */
void fen_double_chess960(unsigned white, unsigned black, struct position *pos);

/* Does the position need Chess960 castling notation: a right whose king or rook is not on its
 * standard square? */
bool fen_is_chess960(const struct position *pos);
/* Such rights are more often mistakes than Chess960 where nothing else says so. Takes them away
 * from `pos`, read from `fen`, unless that names rooks by files, or each side has both rights with
 * the kings on one file, as in a start position; false then. Else `pos` is no Chess960 afterwards.
 */
bool fen_drop_odd_rights(struct span fen, struct position *pos);
