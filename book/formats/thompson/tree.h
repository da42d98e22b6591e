/* Thompson's tree: an opening book at one byte a move.
 *
 * The body is a tree of moves, written depth first. One byte is one move:
 *
 *     bit 7, '('   another choice exists in this position: it follows behind the whole subtree
 *     bit 6, ')'   the line ends with this move
 *     bits 5..0    the move's place, from 0, among the legal moves of its position
 *
 * The legal moves are ordered by piece (pawn, knight, bishop, rook, queen, king), then by the
 * square they leave, then by the square they reach (a1, b1 .. h8; castling reaches the rook's
 * square), then by promotion piece (knight .. queen). 1.e4 is the tenth move, place 9, as in
 * Spracklen's text. The choices of a position stand in order of merit. Behind a move without ')'
 * the choices of the position after it follow.
 *
 * Both bits together are an escape; its six bits say which. Numbers are big-endian.
 *
 *      3          the next move is known, but never played (weight 0)             Spracklen
 *      4 +2       the position reached stands at this place of the body: jump     Spracklen
 *      5 +4       the same
 *     16..31 +1   the same, counted back from the escape: 12 bits + 1, the escape's 4 lowest first
 *     32..47 +2   the same with 20 bits + 1
 *      0, 1, 2    the next move's place counts from 64, 128, 192
 *      6          the next move ends its line though another choice exists: its byte has '(' only
 *      7          the next move is a passage: no move of the book, it leads to moves that are
 *      8 +1       style: the characters of the games the next move leads to, enum book_style
 *      9 +1, 10 +2, 11 +4   the next move's weight
 *     12 +1 +n    a further tree from here: its start position, a FEN of n bytes; where a line
 *                 would begin only, behind the end of the tree before or as the very first
 *
 * A jump takes the place of a position's choices and ends the line; it goes to choices, not to
 * another jump. Each mark stands once before a move, in any order. Other escapes are faults.
 * Without weights the n moves that are played of a position weigh n, n-1 .. 1: the first is best.
 *
 * A file is such a body and nothing else: a pure tree, Spracklen's when it has no escapes but 3 and
 * 4; it is recognised when all of it is a tree of legal moves with a '(' in it. Or, as Caxton
 * writes it, a header, the body, packed weights:
 *
 *     offset  0   8   magic "CAXTREE" and the version, 1
 *             8   1   packed weights: 0 none, 1 where a position has a choice, 2 all
 *             9   3   0
 *            12   4   bytes of the body
 *            16   4   bytes of the packed weights
 *            20   8   checksum: 64-bit FNV-1a of every other byte of the file
 *            28       body, packed weights (book/formats/tree_weights.h)
 *
 * Packed weights stand outside the body in its order. With 1, a move without alternative has the
 * weight 1: it is played anyway, so that everything chosen from the book stays the same.
 *
 * Limits: a line has at most 65,535 moves up to its end or jump, a position 256 choices.
 *
 * A tree is walked in place: a game that began where a tree does is followed move by move, passing
 * by the choices of each. Without a game, or where it has left the tree, the position is looked up
 * by its key among all positions of the tree, which opening finds by playing through it; what
 * stands there in several places is joined, the heavier weight of a move counting. What is kept:
 * those positions, weights when packed, and the ends of long branches.
 *
 * What a tree cannot hold: Polyglot's learn fields; positions that no line reaches.
 *
 * Sources: the tree, the order of merit, escapes 3 and 4, the idea of style: Ken Thompson's method
 * in Kathe Spracklen, "Tutorial: Representation of an Opening Book Tree", ICCA Newsletter 6 (1),
 * 1983. The order of the bits, all other escapes, header and packed weights are ours. */
#ifndef CAXTON_BOOK_FORMATS_THOMPSON_TREE_H
#define CAXTON_BOOK_FORMATS_THOMPSON_TREE_H

#include <stdio.h>

#include "book/format.h"
#include "book/graph/graph.h"

extern const struct book_format tree_format;

/* Writing ---------------------------------------------------------------------------------- */

enum tree_weights {
    TREE_WEIGHTS_NONE,    /* the order of merit only */
    TREE_WEIGHTS_CHOICES, /* exact wherever there is a choice */
    TREE_WEIGHTS_EXACT,   /* all of them */
    TREE_WEIGHTS_INLINE,  /* exact, as escapes in the body: larger, but no packing */
};

/* A position that the tree has already, reached by another order of moves. A jump takes two or
 * three bytes; without it the line ends, and the position is found by walking through the tree. */
enum tree_jumps {
    TREE_JUMPS_ALL,
    TREE_JUMPS_NEAR, /* those of two bytes */
    TREE_JUMPS_NONE,
};

struct tree_options {
    enum tree_weights weights;
    enum tree_jumps jumps;
    bool passages; /* also what only other moves reach, see book/book_graph.h */
    bool styles;   /* mark choices that differ in the character they lead to */
    bool pure;     /* no header; weights none or inline */
};

/* How makebook writes them: everything; with styles, too; small: weights where there is a choice,
 * no passages; pure: Spracklen's, no header, weights, jumps and passages. */
enum { TREE_WRITERS = 4 };
extern const struct book_writer tree_writers[TREE_WRITERS];

/* Errors: as struct book_writer.write; STATUS_RANGE also for a pure tree with packed weights,
 * or without a choice, which nobody would know for one. */
MUST_CHECK enum caxton_status tree_write_with(const struct book *book,
                                              const struct tree_options *options, FILE *out,
                                              struct book_losses *losses, struct diag *diag);

/* The same from a graph that is there already. Puts its moves of equal weight in another order. */
MUST_CHECK enum caxton_status tree_write_graph(struct book_graph *graph,
                                               const struct tree_options *options, FILE *out,
                                               struct book_losses *losses, struct diag *diag);

/* Looking ---------------------------------------------------------------------------------- */

/* What a tree is made of, in numbers of things and bytes. */
struct tree_stats {
    size_t bytes; /* of the file */
    size_t body;
    size_t packed; /* weights */
    size_t moves;  /* of the book */
    size_t passages;
    size_t jumps;
    size_t jump_bytes;
    size_t starts;
    uint32_t deepest; /* plies */
};

void tree_stats(const void *state, struct tree_stats *out);

#endif
