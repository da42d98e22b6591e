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
 * Grammar. One thing a line; words are parted by blanks; what follows a `;` is a comment, and so is
 * a line that begins with `#`; empty lines are welcome. Settings come before the lines, each at
 * most once, in letters of either case.
 *
 *     file      = { content [ ";" comment ] "\n" }
 *     content   = "" | "lines" STYLE | "start" FEN | "prefer" ( "earlier" | "later" ) PERCENT "%"
 *               | "transpose" ( "any" | "listed" ) | moves | order "=" order
 *               | "otherwise" MOVE [ "except" MOVE { MOVE } ]
 *     moves     = [ "*" n ] { MOVE [ ":" WEIGHT ] | "(" MOVE ")" }    at most 1000 in all
 *     order     = [ "*" n ] { MOVE }
 *
 * Before a move may stand its number, as in "1. e4 e5 2.Nf3" or "1... e5": it is not looked at, and
 * not written.
 *
 *   lines      The style of every move in the file: `san` (Nf3, O-O), `coordinate` (g1f3, e1g1,
 *              e7e8q; king takes rook, e1h1, when the start is one of Chess960), or `white`:
 *              coordinates without blanks between them, and n counts bytes, two a move, as White
 *              printed it. Must be the first content. A file without it is `white` when its first
 *              move is in coordinates, else `san`.
 *   start      The position that the lines begin from, when it is not the standard one.
 *   *n         In a line of moves: the first n moves of the line of moves before. Left of `=`: of
 *              the left side of the `=` line before. Right of `=`: of the left side of this one.
 *   prefer     The order of merit. Among alternatives in a place, with `later P%` the one found
 *              first is taken and each later one takes its place with chance P: White's rule.
 *              `earlier P%` is the same seen from the end of the file. P is 51..100. Default:
 *              earlier 60%; in the style white, later 75%.
 *   :WEIGHT    0..4294967295, stated once for a move of a line: the exact weight instead of one by
 *              merit; 0 = known, never played. See lines_probe().
 *   (MOVE)     A passage: the line goes on behind this move, which the book does not play. So are
 *              the moves of the other side in a book for one. What any line plays in that place
 *              is played.
 *   =          A rewrite: a game that begins with the left moves is looked up as if it had begun
 *              with the right ones. Both lead to the same position. The left moves do not become
 *              book moves by it.
 *   transpose  `any`: a game that the lines and rewrites do not know is looked up by its position.
 *              `listed`: by lines and rewrites only. Default: any.
 *   otherwise  The reply to any first move but those after `except`, when nothing else matches.
 *
 * A canonical file is what lines_write() writes, and reading and writing it changes no byte: one
 * blank between words, moves in their shortest form, a weight where its move is first written.
 * Comments keep their place, blanks before them included. A fault is told as
 * "line 12, move 5 `Nd6`: not legal here"; moves are counted from the start of the game, those of
 * both sides and of the shared part too.
 *
 * Source: J. F. White, "The Amateurs' Book-Opening Routine", ICCA Journal, 1986. What is his and
 * what ours: LINES.md. */
#ifndef CAXTON_BOOK_FORMATS_WHITE_LINES_H
#define CAXTON_BOOK_FORMATS_WHITE_LINES_H

#include <stdio.h>

#include "book/book_move.h"
#include "book/format.h"

extern const struct book_format lines_format;

enum { LINES_PLIES_MAX = 1000, LINES_MERIT_SUM = 10000 };

enum lines_style { LINES_SAN, LINES_COORDINATE, LINES_WHITE };

/* A book of lines in memory. Functions on a const one may be called by any thread at any time. */
struct lines;

/* Reads the text of a file; nothing of it is kept. Time and memory are bounded by `size`.
 * Errors: STATUS_SYNTAX, STATUS_ILLEGAL, STATUS_AMBIGUOUS, STATUS_RANGE (`diag`, which may be
 * NULL, has line, column and a sentence that names line and move), STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status lines_parse(const char *text, size_t size, struct lines **out,
                                          struct diag *diag);
void lines_destroy(struct lines *lines); /* NULL is allowed */

/* Writes the canonical text. Errors: STATUS_IO, STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status lines_write(const struct lines *lines, FILE *file);

/* The lines of any book from `start` (NULL: the standard one, or where no line leaves that, the
 * first one that the book names): all moves with their weights, heaviest first, then passages, the
 * one with most weight behind it first. Each position is followed along its shortest way only, what
 * other orders of moves lead there become rewrites; so loops end. Lines end at LINES_PLIES_MAX.
 * Errors: STATUS_NO_MEMORY, STATUS_RANGE (too many moves). */
MUST_CHECK enum caxton_status lines_from_book(const struct book *book, const struct position *start,
                                              enum lines_style style, struct lines **out);

/* lines_from_book() and lines_write(); *losses (NULL: nobody asks) gets what was left out.
 * Errors: STATUS_NO_MEMORY, STATUS_RANGE, STATUS_ILLEGAL (no line reaches a move), STATUS_IO. */
MUST_CHECK enum caxton_status lines_write_book(const struct book *book,
                                               const struct position *start, enum lines_style style,
                                               FILE *file, struct book_losses *losses,
                                               struct diag *diag);

/* Asking --------------------------------------------------------------------------------------- */

/* The moves known in `pos`, by merit; returns how many. game: as in book/format.h. The game's
 * moves are followed through lines and rewrites. Where they lead to no move, or `game` is NULL or
 * began elsewhere, all lines that reach the position answer together; then the universal reply.
 * Weights: a stated one is given as it is. Where none above 0 is stated, the others share
 * LINES_MERIT_SUM as the walk of `prefer` would choose among them, each at least 1 when P is below
 * 100; else they weigh 1 each. Alternatives rank by the line in which each is first written.
 * out: MOVES_MAX of them. */
int lines_probe(const struct lines *lines, const struct position *pos, const struct game *game,
                struct book_move *out);

/* The moves in brackets that lines pass through in `pos`, as written; returns how many. game: as
 * for lines_probe(). out: MOVES_MAX of them. */
int lines_passages(const struct lines *lines, const struct position *pos, const struct game *game,
                   move *out);

/* The reply that the book expects to the legal move `m`: a hint for the opponent, a move to ponder
 * on. The heaviest, of equals the first written; where the book plays none, the first in brackets;
 * MOVE_NONE when there is none. */
move lines_hint(const struct lines *lines, const struct position *pos, const struct game *game,
                move m);

/* The book window: the numbers of the first and the last line of the file that the game's moves,
 * rewritten, are still on. It narrows with every move. False when they are on none. */
bool lines_window(const struct lines *lines, const struct game *game, size_t *first, size_t *last);

struct position lines_start(const struct lines *lines);
enum lines_style lines_style(const struct lines *lines);

/* What sharing saves, in White's counting: two bytes a move, one for `*n`. */
struct lines_size {
    size_t lines;
    size_t moves; /* with those of the shared parts */
    size_t moves_written;
    size_t passages;     /* of these, in brackets */
    size_t plain_bytes;  /* every move written out */
    size_t shared_bytes; /* as the file stands */
};
struct lines_size lines_size(const struct lines *lines);

/* Tools ---------------------------------------------------------------------------------------- */

/* Puts lines that begin alike next to one another and keeps the order of merit: of the
 * alternatives in any place, the one that was written first stays first. A line takes the comment
 * lines right above it along; everything else stays where it is.
 * Errors: STATUS_NO_MEMORY, nothing is changed. */
MUST_CHECK enum caxton_status lines_sort(struct lines *lines);

/* Shares as many moves as there are with the line before, or none at all: White's Table 1 to his
 * Table 2 and back. */
void lines_share(struct lines *lines);
void lines_spell_out(struct lines *lines);

enum lines_fault {
    LINES_FAULTY,          /* does not parse or is not legal: the line counts no further */
    LINES_DUPLICATE,       /* the same moves as line `other` */
    LINES_PREFIX,          /* the beginning of line `other` */
    LINES_APART,           /* begins as line `other`, which stands elsewhere: lines_sort() helps */
    LINES_CUT_OFF,         /* a rewrite leads games away from it */
    LINES_IDLE_REWRITE,    /* leads to where no line goes on */
    LINES_MISSING_REWRITE, /* another order reaches the position of a line; `text` offers */
    LINES_UNANSWERED,      /* the universal reply leaves out a move that no line answers */
    LINES_IDLE_PASSAGE,    /* a line ends in brackets, and nothing is known there */
    LINES_HALF_PLAYED,     /* a move stands in brackets in one line, and without them in another */
    LINES_NEVER_PLAYED,    /* an alternative that a preference of 100% never comes to */
};

struct lines_finding {
    enum lines_fault fault;
    size_t line;
    size_t column;             /* of the move that `text` names */
    size_t offset;             /* in bytes from the start of the text */
    size_t other;              /* a line that has to do with it, 0 for none */
    enum caxton_status status; /* of LINES_FAULTY: what lines_parse() would return */
    const char *text;          /* "line 12, move 5 `Nd6`: not legal here"; borrowed */
    const char *offer;         /* the missing rewrite as a line of the file, else NULL; borrowed */
};

/* False ends the reading. */
typedef bool lines_visit(void *context, const struct lines_finding *finding);

/* Proof-reads a file: `visit` gets what is wrong or odd, faulty lines first. At most
 * LINES_OFFERS_MAX rewrites are offered. Errors: STATUS_NO_MEMORY. */
enum { LINES_OFFERS_MAX = 1000 };
MUST_CHECK enum caxton_status lines_verify(const char *text, size_t size, lines_visit *visit,
                                           void *context);

/* What a finding is among those of all kinds of book, and where; the text is without the line. */
enum book_fault lines_finding_kind(const struct lines_finding *finding);
void lines_finding_diag(const struct lines_finding *finding, struct diag *out);

/* Book writers for an open book of lines_format: its file as it is, comments and all, with similar
 * lines together. Lines that are at fault become comments. lines_copy() shares front parts, too;
 * lines_repair() does where the file has shared any. Errors: STATUS_NO_MEMORY, STATUS_IO. */
MUST_CHECK enum caxton_status lines_copy(const struct book *book, FILE *file,
                                         struct book_losses *losses, struct diag *diag);
MUST_CHECK enum caxton_status lines_repair(const struct book *book, FILE *file,
                                           struct book_losses *losses, struct diag *diag);

/* As struct book_format.add; lines that do not change stay as they were typed. The move comes to
 * every line that the games of the position are on: behind a line that ends there, else as a line
 * of its own behind the last of them. The others in the position get the weights stated that they
 * have by merit. What the lines share is counted again if they do. */
MUST_CHECK enum caxton_status lines_add(const uint8_t *bytes, size_t size,
                                        const struct book_addition *addition, FILE *out,
                                        struct diag *diag);

#endif
