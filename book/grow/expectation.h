/* Exponentials that are the same bits everywhere, and what is made of scores by them. C libraries
 * differ in the last bit of theirs, and one bit can change the order of a queue. */
#pragma once

/* e to the power of x <= 0, to within about 4 units of the last place; 0 below -700. A polynomial
 * of fixed order behind a reduction by powers of two: additions, multiplications and divisions
 * alone, which IEEE 754 rounds in one way. Compiled without fused operations. */
double exponential(double x);

/* The points, 0 to 1, that a side expects of a score (search/score.h) from its view: 1 / (1 +
 * 10^(-cp/400)) with cp in centipawns as users see them, mates 1 and 0. Source: the logistic curve
 * of Elo's ratings, with a pawn as 100 points: chessprogramming wiki, "Pawn Advantage, Win
 * Percentage, and Elo". */
double expected_points(int score);
