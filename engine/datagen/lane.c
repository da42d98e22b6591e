#include "engine/datagen/lane.h"

#include <stdlib.h>

#include "chess/fen.h"

enum {
    START_SCORE_MAX = 400, /* a game that starts further from even is left out */
    DECIDED_SCORE = 1000,  /* this many centipawns, so many plies in a row, decide the game */
    DECIDED_PLIES = 6,
    LEVEL_SCORE = 8, /* so near zero, so many plies in a row, from this ply on, make a draw */
    LEVEL_PLIES = 14,
    LEVEL_AFTER = 80,
    BOOK_PLIES_MAX = 12,
};

enum caxton_status lane_init(struct lane *lane, uint64_t seed)
{
    rng_seed(&lane->rng, seed);
    lane->record_count = 0;
    lane->game = game_create();
    return lane->game ? STATUS_OK : STATUS_NO_MEMORY;
}

void lane_free(struct lane *lane)
{
    game_destroy(lane->game);
    lane->game = NULL;
}

static int chance(struct lane *lane, int bound)
{
    return (int)rng_below(&lane->rng, (uint64_t)bound);
}

/* Plays some moves of the book, each alike. */
static enum caxton_status play_book(struct lane *lane, const struct book *book)
{
    enum caxton_status status = STATUS_OK;
    int plies = 1 + chance(lane, BOOK_PLIES_MAX);
    for (int i = 0; i < plies && status == STATUS_OK; i++) {
        struct book_move moves[MOVES_MAX];
        int count = book_probe(book, game_position(lane->game), moves, MOVES_MAX);
        int index = book_choose(moves, count, BOOK_UNIFORM, 0, &lane->rng);
        if (index < 0)
            break;
        status = game_play(lane->game, moves[index].move);
    }
    return status;
}

/* Sets the game to a start. *random_moves: how many random moves shall follow. What good players
 * avoid must be in the data too, or nothing learns that it is bad. */
static enum caxton_status choose_start(struct lane *lane, const struct starts *starts,
                                       int *random_moves)
{
    struct position pos;
    position_start(&pos);
    if (chance(lane, 100) < starts->chess960_percent) {
        fen_chess960((unsigned)chance(lane, 960), &pos);
        game_reset(lane->game, &pos);
        *random_moves = 4 + chance(lane, 6);
        return STATUS_OK;
    }
    int kind = chance(lane, 3);
    if (kind == 0 && starts->opening_count) {
        game_reset(lane->game, &starts->openings[rng_below(&lane->rng, starts->opening_count)]);
        *random_moves = chance(lane, 7);
        return STATUS_OK;
    }
    game_reset(lane->game, &pos);
    if (kind == 1) {
        *random_moves = 1 + chance(lane, 4);
        return play_book(lane, starts->book);
    }
    *random_moves = 6 + chance(lane, 4);
    return STATUS_OK;
}

static enum caxton_status play_random(struct lane *lane, int count)
{
    move moves[MOVES_MAX];
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        int legal = movegen_legal(game_position(lane->game), moves);
        if (legal == 0)
            break;
        status = game_play(lane->game, moves[chance(lane, legal)]);
    }
    return status;
}

enum caxton_status lane_open(struct lane *lane, const struct starts *starts)
{
    lane->record_count = 0;
    lane->plies = lane->decided = lane->level = 0;
    do {
        int random_moves;
        enum caxton_status status = choose_start(lane, starts, &random_moves);
        if (status == STATUS_OK)
            status = play_random(lane, random_moves);
        if (status != STATUS_OK)
            return status;
    } while (game_state(lane->game) != GAME_OPEN);
    return STATUS_OK;
}

/* Ends the game: every record learns its result (White's view, 0..2). */
static void finish(struct lane *lane, int result)
{
    for (int i = 0; i < lane->record_count; i++)
        lane->records[i].sample[30] = (uint8_t)result;
}

static void record(struct lane *lane, int score, move best)
{
    const struct position *pos = game_position(lane->game);
    struct lane_record *entry = &lane->records[lane->record_count];
    struct sample_label label = {
        .score = score, .result = 1, .best = best, .first = lane->record_count == 0};
    sample_pack(pos, &label, entry->sample);
    entry->key = pos->key;
    lane->record_count++;
}

/* Is the game decided or drawn as far as the scores tell? *result then says how. */
static bool adjudicate(struct lane *lane, int score, int *result)
{
    int sign = score > 0 ? 1 : -1;
    if (abs(score) < DECIDED_SCORE)
        lane->decided = 0;
    else
        lane->decided = lane->decided * sign > 0 ? lane->decided + sign : sign;
    lane->level = lane->plies > LEVEL_AFTER && abs(score) <= LEVEL_SCORE ? lane->level + 1 : 0;
    *result = lane->decided > 0 ? 2 : lane->decided < 0 ? 0 : 1;
    return abs(lane->decided) == DECIDED_PLIES || lane->level == LEVEL_PLIES ||
           lane->plies == LANE_PLIES_MAX;
}

enum caxton_status lane_advance(struct lane *lane, const struct lesson *lesson, bool *over)
{
    const struct position *pos = game_position(lane->game);
    int score = pos->turn == WHITE ? lesson->score : -lesson->score;
    int result;
    *over = true;
    if (lane->plies++ == 0 && abs(score) > START_SCORE_MAX)
        return STATUS_OK; /* without records */
    record(lane, score, lesson->best);
    if (adjudicate(lane, score, &result)) {
        finish(lane, result);
        return STATUS_OK;
    }
    enum caxton_status status = game_play(lane->game, lesson->best);
    enum game_state state = game_state(lane->game);
    if (state == GAME_OPEN)
        *over = false;
    else
        finish(lane, state != GAME_CHECKMATE                    ? 1
                     : game_position(lane->game)->turn == WHITE ? 0
                                                                : 2);
    return status;
}
