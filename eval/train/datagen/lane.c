#include "eval/train/datagen/lane.h"
#include "book/book.h"
#include "book/book_move.h"

#include <stdlib.h>

#include "chess/fen.h"
#include "eval/train/datagen/ending.h"
#include "search/see.h"

enum {
    START_SCORE_MAX = 400, /* a game that starts further from even is left out */
    DECIDED_SCORE = 1000,  /* this many centipawns, so many plies in a row, decide the game */
    DECIDED_PLIES = 6,
    LEVEL_SCORE = 8, /* so near zero, so many plies in a row, from this ply on, make a draw */
    LEVEL_PLIES = 14,
    LEVEL_AFTER = 80,
    BOOK_PLIES_MAX = 12,
    NEARLY_BEST = 30, /* centipawns */
    ENDING_PLIES_MAX = 60,
};

enum caxton_status lane_init(struct lane *lane, uint64_t seed, int siblings)
{
    rng_seed(&lane->rng, seed);
    lane->record_count = 0;
    lane->siblings = siblings;
    lane->records = calloc((size_t)LANE_PLIES_MAX * (size_t)(1 + siblings), sizeof *lane->records);
    lane->game = game_create();
    return lane->records && lane->game ? STATUS_OK : STATUS_NO_MEMORY;
}

void lane_free(struct lane *lane)
{
    game_destroy(lane->game);
    free(lane->records);
    *lane = (struct lane){.game = NULL};
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
    lane->ending = chance(lane, 100) < starts->endings_percent;
    if (lane->ending) {
        ending_random(&lane->rng, &pos);
        game_reset(lane->game, &pos);
        *random_moves = 0;
        return STATUS_OK;
    }
    position_start(&pos);
    if (chance(lane, 100) < starts->chess960_percent) {
        fen_chess960((unsigned)chance(lane, 960), &pos);
        game_reset(lane->game, &pos);
        *random_moves = 4 + chance(lane, 6);
        return STATUS_OK;
    }
    int kind = chance(lane, 4);
    if (kind <= 1 && starts->opening_count) {
        game_reset(lane->game, &starts->openings[rng_below(&lane->rng, starts->opening_count)]);
        *random_moves = chance(lane, 7);
        return STATUS_OK;
    }
    game_reset(lane->game, &pos);
    if (kind == 2) {
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
    lane->aside = MOVE_NONE;
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

/* Ends the game: every record learns its result (White's view, 0..2; or SAMPLE_NO_RESULT). */
static void finish(struct lane *lane, int result)
{
    for (int i = 0; i < lane->record_count; i++)
        if (lane->records[i].sample[30] != SAMPLE_NO_RESULT)
            lane->records[i].sample[30] = (uint8_t)result;
}

/* score: White's view. result: SAMPLE_NO_RESULT, or anything else until the end is known. */
static void record(struct lane *lane, const struct position *pos, int score, move best, int result)
{
    struct lane_record *entry = &lane->records[lane->record_count];
    struct sample_label label = {
        .score = score, .result = result, .best = best, .first = lane->record_count == 0};
    sample_pack(pos, &label, entry->sample);
    entry->key = pos->key;
    lane->record_count++;
}

/* Is a static score all that there is to say? */
static bool is_quiet(const struct position *pos)
{
    move noisy[MOVES_MAX];
    if (position_in_check(pos) || movegen_count(pos) == 0)
        return false;
    int count = movegen_noisy(pos, noisy);
    for (int i = 0; i < count; i++)
        if (see_at_least(pos, noisy[i], 1))
            return false;
    return true;
}

/* Every move but the best may be looked at beside the game. */
static void list_others(struct lane *lane, move best)
{
    int count = movegen_legal(game_position(lane->game), lane->others);
    lane->other_count = 0;
    for (int i = 0; i < count; i++)
        if (lane->others[i] != best)
            lane->others[lane->other_count++] = lane->others[i];
    lane->siblings_left = lane->siblings;
}

/* Turns to a quiet position that one of the other moves leads to; false when there is none or there
 * were enough. A search looks at such ones above all, and what is wrong with a bad move is seen
 * only there. */
static bool turn_aside(struct lane *lane)
{
    while (lane->siblings_left > 0 && lane->other_count > 0) {
        struct undo undo;
        struct position pos = *game_position(lane->game);
        int index = chance(lane, lane->other_count);
        move m = lane->others[index];
        lane->others[index] = lane->others[--lane->other_count];
        position_make(&pos, m, &undo);
        if (is_quiet(&pos)) {
            lane->siblings_left--;
            lane->aside = m;
            return true;
        }
    }
    return false;
}

/* Records the position beside the game. Now and then the game takes its move when that is hardly
 * worse than the best: for other games than always. */
static void note_sibling(struct lane *lane, const struct lesson *lesson)
{
    struct position pos = *game_position(lane->game);
    struct undo undo;
    move m = lane->aside;
    int score = pos.turn == WHITE ? lesson->score : -lesson->score;
    lane->aside = MOVE_NONE;
    if (abs(score) >= TEACHER_MATE)
        return;
    position_make(&pos, m, &undo);
    record(lane, &pos, score, MOVE_NONE, SAMPLE_NO_RESULT);
    if (lesson->score >= lane->score - NEARLY_BEST && chance(lane, 8) == 0)
        lane->next = m;
}

/* Is the game decided or drawn as far as the scores tell? *result then says how. How far an ending
 * is from its goal must be learnt too, so it goes on; when it is left nothing is said of its
 * result. */
static bool adjudicate(struct lane *lane, int score, int *result)
{
    if (lane->ending) {
        *result = SAMPLE_NO_RESULT;
        return lane->plies == ENDING_PLIES_MAX;
    }
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

static enum caxton_status play_on(struct lane *lane, bool *over)
{
    enum caxton_status status = game_play(lane->game, lane->next);
    enum game_state state = game_state(lane->game);
    const struct position *pos = game_position(lane->game);
    *over = state != GAME_OPEN;
    if (*over)
        finish(lane, state != GAME_CHECKMATE ? 1 : pos->turn == WHITE ? 0 : 2);
    return status;
}

enum caxton_status lane_advance(struct lane *lane, const struct lesson *lesson, bool *over)
{
    *over = false;
    if (lane->aside != MOVE_NONE) {
        note_sibling(lane, lesson);
        return turn_aside(lane) ? STATUS_OK : play_on(lane, over);
    }
    const struct position *pos = game_position(lane->game);
    int score = pos->turn == WHITE ? lesson->score : -lesson->score;
    int result;
    *over = true;
    if (lane->plies++ == 0 && abs(score) > START_SCORE_MAX && !lane->ending)
        return STATUS_OK; /* without records */
    record(lane, pos, score, lesson->best, 1);
    if (adjudicate(lane, score, &result)) {
        finish(lane, result);
        return STATUS_OK;
    }
    *over = false;
    lane->next = lesson->best;
    lane->score = lesson->score;
    list_others(lane, lesson->best);
    return turn_aside(lane) ? STATUS_OK : play_on(lane, over);
}
