/* Which moves our side plays in a position: the one that a search finds best, or several that are
 * hardly worse, for variety.
 *
 * With a margin all legal moves are scored: by a shallow search of each, then by one as deep as the
 * search that found the best move, of those that are still close. The choice is a function of the
 * answers alone; how many are asked for at a time does not matter. */
#pragma once

#include "book/grow/opponent.h"
#include "book/scoring/scorer.h"
#include "chess/movegen.h"

/* A reason to play another move than the best one. Of the candidates the most valuable is played,
 * alone; of equal ones the one that scores best. */
struct own_preference {
    /* The candidates beside the best move, legal and each once, at most MOVES_MAX, in any order;
     * returns how many. NULL: those within the margin. */
    int (*candidates)(const void *context, const struct position *pos, move *out);
    /* What a move of that score (our view) is worth. */
    double (*value)(const void *context, const struct position *pos, move m, int score);
    const void *context; /* borrowed */
};

/* {0} is the best move alone. */
struct own_choice_rule {
    int margin; /* 0: the best move alone; else how much worse a move may score */
    int most;   /* moves at most; 0: as many as there are */
    const struct own_preference *preference; /* borrowed; NULL: the score is all */
};

struct own_move {
    move move;
    int score;          /* as search/score.h, our view */
    double probability; /* with which it is played, 1 in sum: in proportion to margin + 1 - loss */
};

struct own_choice {
    struct own_move moves[MOVES_MAX]; /* the best first; of equal ones the one that the search
                                       * found, then by the order of the move generator */
    int count;                        /* at least 1 */
    bool preferred;                   /* another move than the one that the search found */
    int depth;                        /* of the search that found the best move */
    size_t searches;                  /* all that it took */
    uint64_t nodes;                   /* of these */
};

/* What the choice asks for next and has no answer yet, the most urgent first, at most `capacity`:
 * these can be searched at a time. 0: the choice can be made. The position has legal moves. */
size_t own_choice_missing(const struct own_choice_rule *rule, struct scorer *scorer,
                          const struct scorer_question *question, struct scorer_question *out,
                          size_t capacity);

/* Asks for all that is missing. ahead(context): called before each wait, to suggest what may be
 * searched meanwhile, own_choice_missing() of this question first; may be NULL. Errors: those of
 * scorer_ask(). */
MUST_CHECK enum caxton_status own_choice_make(const struct own_choice_rule *rule,
                                              struct scorer *scorer,
                                              const struct scorer_question *question,
                                              void (*ahead)(void *context), void *context,
                                              struct own_choice *out, struct diag *diag);

/* Of `count` scored moves, at least one, leaves those that the rule lets be played, the best first,
 * of equal ones in the order given, and sets their probabilities. Returns how many. */
int own_moves_choose(const struct own_choice_rule *rule, struct own_move *moves, int count);

/* Reasons to play another move than the best one, for own_choice.h. */

/* Borrowed. */
struct practical {
    const struct opponent *opponent; /* whose sources know games, those of counts */
    double share;                    /* of what people scored, 0 to 1 */
    double prior;                    /* games, at least 0 */
    double least;                    /* games */
};

/* practical: a struct practical. The moves that were played often enough, at most MOVES_MAX;
 * returns how many. */
int practical_candidates(const void *practical, const struct position *pos, move *out);

/* The value of a move of `score` (search/score.h, our view). */
double practical_value(const void *practical, const struct position *pos, move m, int score);

/* By what the engine thinks and people score. Borrowed. */
struct own_preference preference_practical(const struct practical *practical);

/* By leaving the opponent's book early: the less probable it is that he still knows the position
 * behind the move (opponent_knows()), the better; for moves within the margin. Borrowed. */
struct own_preference preference_leave(const struct opponent *opponent);
