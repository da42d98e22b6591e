/* White's lines (`.lines`): an opening book that a person writes and reads as text.
 *
 * A file is a list of lines of moves from the start of the game, for both sides:
 *
 *     lines san                         ; the style: san, coordinate or white
 *     prefer earlier 60%                ; of two alternatives, the one written first
 *     e4 e5 Nf3 Nc6 Bb5 a6
 *     *4 Bc4                            ; the first 4 moves of the line before, then Bc4
 *     *2 f4:3                           ; a stated weight
 *     d4 e6 c4
 *     c4 e6 d4 = d4 e6 c4               ; these moves count as that order
 *     c4 (e5) Nc3                       ; e5 is met, but never played by the book
 *     otherwise e5 except d4 f4 Nf3     ; the universal reply
 *
 * Grammar. One item a line; blanks separate words; what follows a `;` is a comment, and so is a
 * line that begins with `#`; empty lines are allowed. Settings come before the lines, each at most
 * once, in upper or lower case.
 *
 *     file      = { content [ ";" comment ] "\n" }
 *     content   = "" | "lines" STYLE | "start" FEN | "prefer" ( "earlier" | "later" ) PERCENT "%"
 *               | "transpose" ( "any" | "listed" ) | moves | order "=" order
 *               | "otherwise" MOVE [ "except" MOVE { MOVE } ]
 *     moves     = [ "*" n ] { MOVE [ ":" WEIGHT ] | "(" MOVE ")" }    at most 1000 in all
 *     order     = [ "*" n ] { MOVE }
 *
 * A move may have its number before it, as in "1. e4 e5 2.Nf3" or "1... e5": it is neither looked
 * at nor written.
 *
 *   lines      The style of every move in the file: `san` (Nf3, O-O), `coordinate` (g1f3, e1g1,
 *              e7e8q; king takes rook, e1h1, when the start is one of Chess960), or `white`:
 *              coordinates without blanks between them, and n counts bytes, two a move, as White
 *              printed it. Must be the first content. A file without it is `white` when its first
 *              move is in coordinates, else `san`.
 *   start      The position that the lines begin from, when it is not the standard one.
 *   *n         In a line of moves: the first n moves of the line of moves before. Left of `=`: of
 *              the left side of the `=` line before. Right of `=`: of the left side of this one.
 *   prefer     The order of merit among the alternatives of a position. `later P%` is White's rule:
 *              the first alternative is taken, and each later one takes its place with chance P.
 *              `earlier P%` is the same from the end of the file. P is 51..100. Default: earlier
 *              60%; in the style white, later 75%.
 *   :WEIGHT    0..4294967295, stated once for a move of a line: the exact weight instead of one by
 *              merit; 0 = known, never played. See lines_probe().
 *   (MOVE)     A non-book move: the book does not play it, but the line goes on behind it. Such are
 *              the moves of the other side in a book for one side. When another line plays the
 *              move in the same place, it is played.
 *   =          A rewrite: a game that begins with the left moves is looked up as if it had begun
 *              with the right ones. Both lead to the same position. The left moves do not become
 *              book moves by it.
 *   transpose  `any`: a game that the lines and rewrites do not know is looked up by its position.
 *              `listed`: by lines and rewrites only. Default: any.
 *   otherwise  The reply to any first move but those after `except`, when nothing else matches.
 *
 * A canonical file is what lines_write() writes, and reading and writing it changes no byte: one
 * blank between words, moves in their shortest form, a weight where its move is first written.
 * Comments keep their place, blanks before them included. A fault reads "line 12, move 5 `Nd6`: not
 * legal here"; moves are counted from the start of the game, with those of both sides and of the
 * shared part.
 *
 * Source: J. F. White, "The Amateurs' Book-Opening Routine", ICCA Journal, 1986. README.md says
 * what is his and what is ours. */
#pragma once

#include <stdio.h>

#include "book/format.h"

extern const struct book_format lines_format; /* its state: struct lines */

/* Its add(); lines that do not change stay as they were typed. The move comes to every line that
 * the games of the position are on: behind a line that ends there, else as a line of its own behind
 * the last of them. The others in the position get the weights stated that they have by merit. What
 * the lines share is counted again if they do. */
MUST_CHECK enum caxton_status lines_add(const uint8_t *bytes, size_t size,
                                        const struct book_addition *addition, FILE *out,
                                        struct diag *diag);

/* A book writer. The lines begin at the standard start; where no line leaves that, at the first
 * other start that the book names. Written are all moves with their weights, heaviest first, then
 * non-book moves, the one with most weight behind it first. Each position is followed along its
 * shortest way only; other orders of moves that lead there become rewrites. So loops end. Lines end
 * at LINES_PLIES_MAX. *losses (may be NULL) gets the positions left out.
 * Errors: STATUS_NO_MEMORY, STATUS_RANGE (too many moves), STATUS_ILLEGAL (no line reaches a move),
 * STATUS_IO. */
MUST_CHECK enum caxton_status lines_write_book(const struct book *book, FILE *file,
                                               struct book_losses *losses, struct diag *diag);
