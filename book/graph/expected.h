/* Expected scores: the points, 0 to 1, that a repertoire scores when its side keeps to its moves
 * and the others play as a database says.
 *
 * They are backed up over the graph of both books (replies.h). Where the repertoire moves, the
 * value of a position is the mean of its moves by their weights; where the others move, the mean of
 * the replies by how often they were played. A move is worth
 *   - the value of the position behind it, where that has moves: each position once, by whatever
 *     order of moves;
 *   - at the end of a line what the games with it scored, p points in n games. Where searches know
 *     it their expected points e count as `prior` games more: (p + prior e) / (n + prior), a
 *     Bayesian average; from `eval_ply` on they alone count. A move that nobody knows is worth what
 *     the games scored that came to its position, as one game; without any, a draw.
 * Cycles: the values are the solution of these equations, so a game may go round as often as people
 * do. A cycle that nobody ever leaves is a draw. Positions are computed again, the last ones first,
 * until nothing changes.
 *
 * How sure it is: as sure as so many games,
 *     n = 1 / sum(p p / n_i)    over moves of probability p, worth n_i games,
 * the effective size of a weighted sample (L. Kish, "Survey Sampling", 1965, section 11.7), and
 * where the others move at most as many as came there: transpositions bring the same games in by
 * several ways. Where lines are all that was played it is the number of the games. The lower bound
 * is that of wilson_interval() for this score and n. */
#pragma once

#include "book/format.h"
#include "book/graph/graph.h"

struct expected {
    double score; /* points of the repertoire's side, 0 to 1 */
    double games; /* that it is worth; 0: nothing is known */
};

enum {
    EXPECTED_PRIOR = 30,     /* usual games that a search counts as */
    EXPECTED_UNIT = 1 << 16, /* of expected_graph_facts() make a game */
};

/* Few games say little: they count beside an opinion. Both without weight: the opinion. */
struct expected expected_average(double games, double points, double prior, double opinion);

/* The 95 % interval of a share s = part / n, of points s = points / games:
 *     (s + zz/2n -+ z sqrt(s(1-s)/n + zz/4nn)) / (1 + zz/n),  z = 1.96.
 * A draw is half a success, by which it is rather too wide than too narrow. Without games 0 to 1.
 * Source: E. B. Wilson (1927); weights by it are whole numbers: book/weigh/weigh.h. */
void wilson_interval(double part, double n, double *low, double *high);

/* Its lower end. */
double expected_at_least(struct expected expected);

struct expected_rules {
    int own; /* colour of the repertoire */
    const struct book *database;
    /* Who knows searches: as struct book_format.facts of `known`; NULL: nobody does. */
    enum caxton_status (*facts)(const void *known, uint64_t key, const struct position *pos,
                                struct book_facts *out, struct diag *diag);
    const void *known;
    double prior;
    uint32_t eval_ply; /* lines end so many plies from their start; 0: where they end */
};

struct expected_graph {
    struct book_graph graph; /* of both books; graph.book is NULL */
    int own;
    struct expected *nodes; /* by node; of one without moves nothing is known */
    struct expected *moves; /* by edge: of the move, backed up */
    struct expected *games; /* by edge: what the database's games with it scored */
};

/* Errors: as book_graph_create(), those of book_look_up() and of rules->facts. */
MUST_CHECK enum caxton_status expected_graph_create(const struct book *mine,
                                                    const struct expected_rules *rules,
                                                    struct expected_graph *out, struct diag *diag);
void expected_graph_destroy(struct expected_graph *graph); /* of {0}, too */

/* As struct book_format.facts of a struct expected_graph: what its own moves are expected to score
 * as won and lost games, as many as it is worth, in units: for whoever has rules or formulas for
 * games. */
MUST_CHECK enum caxton_status expected_graph_facts(const void *graph, uint64_t key,
                                                   const struct position *pos,
                                                   struct book_facts *out, struct diag *diag);

/* What scores mean: the same bits everywhere. C libraries differ in the last bit of their
 * exponentials, and one bit can change the order of a book. */

/* e to the power of x <= 0, to within about 4 units of the last place; 0 below -700. A polynomial
 * of fixed order behind a reduction by powers of two: additions, multiplications and divisions
 * alone, which IEEE 754 rounds in one way. Compiled without fused operations. */
double exponential(double x);

/* The points, 0 to 1, that a side expects of a score (search/score.h) from its view: 1 / (1 +
 * 10^(-cp/400)) with cp in centipawns as users see them, mates 1 and 0. Source: the logistic curve
 * of Elo's ratings, with a pawn as 100 points: chessprogramming wiki, "Pawn Advantage, Win
 * Percentage, and Elo". */
double expected_points(int score);
