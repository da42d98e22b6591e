/* Thompson's tree, a kind of book that takes one byte a move.
 *
 * The body is a tree of moves, written depth first. One byte is one move:
 *
 *     bit 7, '('   the position has another choice: it follows behind the whole subtree
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
 *      4 +2       jump: the choices of the position are those at this place of    Spracklen
 *                 the body
 *      5 +4       the same
 *     16..31 +1   the same, counted back from the escape: 12 bits + 1, the escape's 4 lowest first
 *     32..47 +2   the same with 20 bits + 1
 *      0, 1, 2    the next move's place counts from 64, 128, 192
 *      6          the next move ends its line though another choice exists: its byte has '(' only
 *      7          the next move is a non-book move: the book does not play it, but it leads to
 *                 moves of the book
 *      8 +1       style: the characters of the games the next move leads to, enum book_style
 *      9 +1, 10 +2, 11 +4   the next move's weight
 *     12 +1 +n    a further tree from here: its start position, a FEN of n bytes. It stands only
 *                 where no line is open: first in the body, or behind the end of another tree
 *
 * A jump takes the place of a position's choices and ends the line; it goes to choices, not to
 * another jump. Each mark stands once before a move, in any order. Other escapes are faults.
 * Without weights, the n moves of a position that are played weigh n, n-1 .. 1: the first is best.
 *
 * A file is such a body and nothing else: a pure tree. It is Spracklen's when it has no escapes
 * but 3 and 4. It is recognised when all of it is a tree of legal moves with a '(' in it. Or, as
 * Caxton writes it, a header, the body, packed weights:
 *
 *     offset  0   8   magic "CAXTREE" and the version, 1
 *             8   1   packed weights: 0 none, 1 where a position has a choice, 2 all
 *             9   3   0
 *            12   4   bytes of the body
 *            16   4   bytes of the packed weights
 *            20   8   checksum: 64-bit FNV-1a of every other byte of the file
 *            28       body, packed weights (tree_coder.h)
 *
 * Packed weights stand outside the body, in its order. With 1, a move without alternative has the
 * weight 1: it is played in any case, so the choice of a move does not change.
 *
 * Limits: a line has at most 65,535 moves up to its end or jump, a position 256 choices.
 *
 * How a tree is asked: a game that began where a tree does is followed move by move in the bytes.
 * Without a game, or when the game has left the tree, the position is looked up by its key among
 * all positions of the tree. Opening finds these by playing through the tree. When a position
 * stands in several places, its choices are joined, and the heavier weight of a move counts. In
 * memory are those positions, the weights when they were packed, and the ends of long branches.
 *
 * What a tree cannot hold: Polyglot's learn fields, names and comments, and positions that no line
 * reaches.
 *
 * Sources: the tree, the order of merit, escapes 3 and 4, the idea of style: Ken Thompson's method
 * in Kathe Spracklen, "Tutorial: Representation of an Opening Book Tree", ICCA Newsletter 6 (1),
 * 1983. The order of the bits, all other escapes, header and packed weights are ours. */
#pragma once

#include "book/format.h"
#include "book/formats/thompson/tree_book.h"

extern const struct book_format tree_format; /* its state: struct tree_book */
