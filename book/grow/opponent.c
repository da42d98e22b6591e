#include "book/grow/opponent.h"

#include "book/book.h"
#include "book/graph/expected.h"
#include "book/scoring/limit_rule.h"
#include "eval/eval.h"

static int weigh(const struct book_move *moves, int count, struct played_move *out)
{
    uint64_t sum = 0;
    int given = 0;
    for (int i = 0; i < count; i++)
        sum += moves[i].weight;
    for (int i = 0; i < count; i++)
        if (moves[i].weight > 0)
            out[given++] =
                (struct played_move){moves[i].move, (double)moves[i].weight / (double)sum};
    return given;
}

int played_by_book(const struct book *book, const struct game *game, struct played_move *out)
{
    struct book_move found[MOVES_MAX];
    int count = weigh(found, book_probe_game(book, game, found, MOVES_MAX), out);
    if (count == 0)
        count = weigh(found, book_probe(book, game_position(game), found, MOVES_MAX), out);
    return count;
}

/* Adds a source's moves to those of others. */
static void mix(struct opponent_moves *out, const struct played_move *moves, int count,
                double share)
{
    for (int i = 0; i < count; i++) {
        int at = 0;
        while (at < out->count && out->moves[at].move != moves[i].move)
            at++;
        if (at == out->count)
            out->moves[out->count++] = (struct played_move){.move = moves[i].move};
        out->moves[at].probability += share * moves[i].probability;
    }
}

/* By the sources that know the position; none of them: no move. */
static void play_by_sources(const struct opponent *opponent, const struct game *game,
                            struct opponent_moves *out)
{
    struct played_move moves[MOVES_MAX];
    double known = 0;
    for (size_t i = 0; i < opponent->source_count; i++)
        if (played_by_book(opponent->sources[i].book, game, moves) > 0)
            known += opponent->sources[i].share;
    for (size_t i = 0; i < opponent->source_count; i++) {
        const struct opponent_source *source = &opponent->sources[i];
        int count = played_by_book(source->book, game, moves);
        if (count > 0)
            mix(out, moves, count, source->share / known);
    }
}

static void play_anything(const struct position *pos, struct opponent_moves *out)
{
    move legal[MOVES_MAX];
    out->count = movegen_legal(pos, legal);
    for (int i = 0; i < out->count; i++)
        out->moves[i] = (struct played_move){legal[i], 1 / (double)out->count};
}

static struct search_limit shallow_limit(const struct opponent *opponent)
{
    return (struct search_limit){SEARCH_TO_DEPTH, (uint64_t)opponent->shallow_depth};
}

/* The soft-max of the scores. What is too improbable for a double is not played. */
static void weigh_scores(const struct child_position *children, int count, double temperature,
                         struct opponent_moves *out)
{
    double values[MOVES_MAX];
    double sum = 0;
    int best = children[0].score;
    for (int i = 1; i < count; i++)
        best = children[i].score > best ? children[i].score : best;
    for (int i = 0; i < count; i++) {
        double behind = (best - children[i].score) * (100.0 / EVAL_HALF);
        values[i] = exponential(-behind / temperature);
        sum += values[i];
    }
    for (int i = 0; i < count; i++)
        if (values[i] > 0)
            out->moves[out->count++] = (struct played_move){children[i].move, values[i] / sum};
}

enum caxton_status opponent_play(const struct opponent *opponent, struct scorer *scorer,
                                 const struct game *game, struct opponent_moves *out,
                                 struct diag *diag)
{
    struct child_position children[MOVES_MAX];
    out->count = 0;
    out->searches = 0;
    out->nodes = 0;
    play_by_sources(opponent, game, out);
    out->in_book = out->count > 0;
    if (out->in_book)
        return STATUS_OK;
    if (opponent->shallow_depth == 0) {
        play_anything(game_position(game), out);
        return STATUS_OK;
    }
    int count = children_of(game_position(game), children);
    if (count == 0)
        return STATUS_OK;
    enum caxton_status status = children_score(scorer, shallow_limit(opponent), children, count,
                                               &out->searches, &out->nodes, diag);
    if (status == STATUS_OK)
        weigh_scores(children, count, opponent->temperature, out);
    return status;
}

double opponent_knows(const struct opponent *opponent, const struct position *pos)
{
    struct book_move moves[MOVES_MAX];
    double known = 0;
    double all = 0;
    for (size_t i = 0; i < opponent->source_count; i++) {
        const struct opponent_source *source = &opponent->sources[i];
        int count = book_probe(source->book, pos, moves, MOVES_MAX);
        bool plays = false;
        for (int j = 0; j < count; j++)
            plays = plays || moves[j].weight > 0;
        all += source->share;
        known += plays ? source->share : 0;
    }
    return all > 0 ? known / all : 0;
}

size_t opponent_missing(const struct opponent *opponent, struct scorer *scorer,
                        const struct position *pos, struct scorer_question *out, size_t capacity)
{
    struct child_position children[MOVES_MAX];
    size_t missing = 0;
    if (opponent->shallow_depth == 0 || opponent_knows(opponent, pos) > 0)
        return 0;
    int count = children_of(pos, children);
    for (int i = 0; i < count && missing < capacity; i++) {
        out[missing] = scorer_question_of(&children[i].pos, shallow_limit(opponent));
        missing += !children[i].ended && !scorer_knows(scorer, &out[missing]);
    }
    return missing;
}
