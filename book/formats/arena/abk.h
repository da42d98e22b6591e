/* Arena's opening books (.abk): a tree of moves in records of 28 bytes that refer to each other.
 *
 * Numbers are little-endian.
 *
 *     header  4 bytes  03 "ABK" or 03 "AB2"
 *             4        25200, where the records begin
 *             4        28, the size of a record
 *             ...      comment, author and settings of Arena, up to byte 25200: byte 12 is the
 *                      length of the comment, which follows; byte 133 that of the author's name
 *     record  1        from, a1 = 0, b1 = 1, ... h8 = 63
 *             1        to; castling is the king's journey, e1g1
 *             1        promotion: 0 none, 1 rook, 2 knight, 3 bishop, 4 queen, or the same negative
 *             1        priority, 0..9: set by the user; 5 when he has not, 0 = never play
 *             4        games
 *             4        won
 *             4        lost
 *             4        0 or 1 in the file we know; others call it plies
 *             4        child: the first of the moves that answer this one, -1 = none
 *             4        sibling: the next choice beside this one, -1 = none
 *
 * Records are counted from the start of the file: the first is number 900, and with it the list of
 * the first moves from the standard start begins.
 *
 * Kept: moves, and one weight made of games and priority: games x priority / 5, at least 1; in a
 * list where no move has games, the priority; 0 where the priority is 0. A move with neither
 * priority nor games only leads to what follows: it is no move of the book. Games, won, lost and
 * priority themselves are there for who asks (facts) and for the writer (struct abk_said). Not
 * kept: comment, author, settings.
 *
 * A position that several lines reach has the moves of all of them, their weights added up, as
 * games that came by different ways are. Records that several lines share count once where the
 * positions are the same; where they are not, a file goes round or is made up: a fault, and not
 * followed.
 *
 * Written: from another .abk, also one that a command changed (add, convert --color, learn, prune,
 * vet), games, won, lost and priority of the moves whose weight they still give in the list that
 * is written; else games = weight, priority 5 (0 for weight 0, which gets one game); 0 for non-book
 * moves. Each position once, after the shortest line: Arena finds other ways into it by "Use
 * transpositions". The settings say what the real file's say. What the format cannot hold:
 * positions that no line from the standard start reaches, learn fields, weights from 2^31 on.
 *
 * Source: "ABK", chessprogramming.org (2019), after Jury Osipov's post on talkchess.com (2008);
 * priorities: the help of Arena 3.0. Checked against a real file, whose header, record size, first
 * record, promotions, priorities and links are as above. */
#pragma once

#include "book/format.h"

extern const struct book_format abk_format;

/* Sizes. */
enum {
    ABK_RECORD_SIZE = 28,
    ABK_FIRST_RECORD = 900,
    ABK_COMMENT = 12, /* bytes of the header: lengths of texts, which follow them */
    ABK_AUTHOR = 133,
    ABK_NEUTRAL_PRIORITY = 5,
};
