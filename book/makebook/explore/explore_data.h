/* A book as the bytes that a page of makebook explore holds: read by explore/graph.js.
 *
 * The positions that lines reach are numbered from 0 in the order in which they are written; each
 * is there once. Varints are LEB128, unsigned; the other numbers are little-endian.
 *
 *     position  varint  how many moves follow
 *     move      2       as chess/types.h has it: castling is the king taking his rook
 *               varint  4 * weight + kind
 *               varint  the position behind it, when the kind is EXPLORE_KNOWN
 *               3 varints, of statistics: wins, draws and losses of the side that makes the move,
 *                       in parts of a game (EXPLORE_PARTS); not for EXPLORE_NON_BOOK
 *               2 varints, of a repertoire against a database: what it is expected to score, and at
 *                       least, in EXPLORE_POINT of a point; likewise
 *               varint  of a book with scores: explore_score(); likewise
 *
 * A position that no move before it has announced begins new lines: it is the next of the roots. */
#pragma once

#include "book/format.h"
#include "book/graph/expected.h"
#include "book/scoring/deepest_answers.h"

enum explore_kind {
    EXPLORE_LEAF,     /* the book knows nothing behind this move */
    EXPLORE_NEW,      /* the position behind it gets the next number */
    EXPLORE_KNOWN,    /* the position behind it has a number already */
    EXPLORE_NON_BOOK, /* no move of the book, but the next number lies behind it */
};

/* Counts are written as whole games, or as hundredths where games count in parts. */
enum { EXPLORE_PARTS = 100, EXPLORE_POINT = 10000 };

/* What was written. */
struct explore_sizes {
    uint32_t positions; /* that the book knows */
    uint32_t moves;
    uint32_t leaves; /* moves behind which it knows nothing */
    uint32_t cut;    /* positions of the graph that max_ply kept out */
};

/* What a search says of a move: 0 for nothing, else 1 + 2 * score + (do searches refute it?). The
 * score is of who makes the move, in centipawns, or 40000 less the moves to a mate; 0, -1, 1, -2, 2
 * .. become 0, 1, 2, 3, 4 .. */
uint64_t explore_score(const struct book_move_facts *facts);

/* Receives the bytes in order. */
typedef void (*explore_sink)(void *context, const void *bytes, size_t size);

/* Writes the graph, and what its book counts. expected: NULL, or expected scores of its moves.
 * scores: NULL, or those of searches. max_ply: positions so many plies from their root are the
 * last; 0 = no limit. roots[graph->root_count] is filled with the numbers of the roots, those that
 * began no new lines with BOOK_GRAPH_NONE. Errors: STATUS_NO_MEMORY, before anything was written;
 * those of struct book_format.facts. */
MUST_CHECK enum caxton_status explore_data_write(const struct book_graph *graph,
                                                 const struct expected_graph *expected,
                                                 const struct deepest_answers *scores,
                                                 uint32_t max_ply, explore_sink sink, void *context,
                                                 uint32_t *roots, struct explore_sizes *sizes);

/* The names of openings, in the order of the alphabet: key (8 bytes), ECO code (3), varints:
 * plies and lines of struct eco, how many bytes of the name are those of the name before, how many
 * follow; these. Errors: STATUS_NO_MEMORY, before anything was written. */
MUST_CHECK enum caxton_status explore_names_write(explore_sink sink, void *context);

/* The constants of the Polyglot key, 8 bytes each. */
void explore_keys_write(explore_sink sink, void *context);
