#include "eval/train/datagen/selfplay.h"

#include <stdlib.h>

#include "eval/train/datagen/quiet.h"

enum {
    START_SCORE_MAX = 400, /* a game whose first score is larger is left out */
    WON_SCORE = 1000,      /* WON_PLIES scores in a row beyond this: the game is won */
    WON_PLIES = 6,
    DRAW_SCORE = 8, /* DRAW_PLIES scores in a row within this, after DRAW_AFTER plies: a draw */
    DRAW_PLIES = 14,
    DRAW_AFTER = 80,
    SIBLING_MARGIN = 30, /* centipawns below the best move: the game may play the sibling */
    SIBLING_CHANCE = 8,  /* one in so many of these is played */
    ENDING_PLIES_MAX = 60,
};

enum caxton_status selfplay_init(struct selfplay *play, uint64_t seed,
                                 const struct datagen_options *options)
{
    size_t records = (size_t)options->plies * (size_t)(1 + options->siblings + options->searched);
    rng_seed(&play->rng, seed);
    play->record_count = 0;
    play->plies_max = (int)options->plies;
    play->siblings = (int)options->siblings;
    play->only_searched = options->searched > 0;
    play->records = calloc(records, sizeof *play->records);
    play->game = game_create();
    return play->records && play->game ? STATUS_OK : STATUS_NO_MEMORY;
}

void selfplay_free(struct selfplay *play)
{
    game_destroy(play->game);
    free(play->records);
    *play = (struct selfplay){.game = NULL};
}

enum caxton_status selfplay_start(struct selfplay *play, const struct datagen_starts *starts)
{
    play->record_count = 0;
    play->plies = play->decisive_plies = play->drawish_plies = 0;
    play->sibling = MOVE_NONE;
    return starts_set_up(starts, &play->rng, play->game, &play->is_ending);
}

/* Writes the result (White's view, 0..2, or SAMPLE_NO_RESULT) into the records of the game. Those
 * of siblings keep SAMPLE_NO_RESULT. */
static void finish(struct selfplay *play, int result)
{
    for (int i = 0; i < play->record_count; i++)
        if (play->records[i].sample[SAMPLE_RESULT_AT] != SAMPLE_NO_RESULT)
            play->records[i].sample[SAMPLE_RESULT_AT] = (uint8_t)result;
}

/* score: White's view. result: SAMPLE_NO_RESULT, or anything else, which finish() replaces. */
static void record(struct selfplay *play, const struct position *pos, int score, move best,
                   int result)
{
    struct selfplay_record *entry = &play->records[play->record_count];
    struct sample_label label = {
        .score = score, .result = result, .best = best, .first = play->record_count == 0};
    sample_pack(pos, &label, entry->sample);
    entry->key = pos->key;
    play->record_count++;
}

void selfplay_record_searched(struct selfplay *play, const struct position *pos, int score)
{
    record(play, pos, pos->turn == WHITE ? score : -score, MOVE_NONE, SAMPLE_NO_RESULT);
}

/* Every move but the best may lead to a sibling. */
static void list_siblings(struct selfplay *play, move best)
{
    int count = movegen_legal(game_position(play->game), play->other_moves);
    play->other_count = 0;
    for (int i = 0; i < count; i++)
        if (play->other_moves[i] != best)
            play->other_moves[play->other_count++] = play->other_moves[i];
    play->siblings_left = play->siblings;
}

/* Chooses a random other move that leads to a quiet position; false when none is left or there were
 * enough. Most positions of a search are of this kind, and only they show what is wrong with a bad
 * move. */
static bool next_sibling(struct selfplay *play)
{
    while (play->siblings_left > 0 && play->other_count > 0) {
        struct position pos = *game_position(play->game);
        int index = (int)rng_below(&play->rng, (uint64_t)play->other_count);
        move m = play->other_moves[index];
        play->other_moves[index] = play->other_moves[--play->other_count];
        position_play(&pos, m);
        if (position_is_quiet(&pos)) {
            play->siblings_left--;
            play->sibling = m;
            return true;
        }
    }
    return false;
}

/* Records the sibling. Sometimes the game plays its move when that is hardly worse than the best,
 * so that games differ. */
static void record_sibling(struct selfplay *play, const struct label *label)
{
    struct position pos = *game_position(play->game);
    move m = play->sibling;
    int score = pos.turn == WHITE ? label->score : -label->score;
    play->sibling = MOVE_NONE;
    if (abs(score) >= LABEL_MATE)
        return;
    position_play(&pos, m);
    record(play, &pos, score, MOVE_NONE, SAMPLE_NO_RESULT);
    if (label->score >= play->score - SIBLING_MARGIN && rng_below(&play->rng, SIBLING_CHANCE) == 0)
        play->next = m;
}

/* Do the scores decide the game? *result then says how. Endings are played on, because the network
 * must also learn how far they are from the win; a game that is cut off early has no result. */
static bool adjudicate(struct selfplay *play, int score, int *result)
{
    *result = SAMPLE_NO_RESULT;
    if (play->plies == play->plies_max && play->plies_max < OPTIONS_PLIES_MAX)
        return true;
    if (play->is_ending)
        return play->plies == ENDING_PLIES_MAX;
    int sign = score > 0 ? 1 : -1;
    if (abs(score) < WON_SCORE)
        play->decisive_plies = 0;
    else
        play->decisive_plies = play->decisive_plies * sign > 0 ? play->decisive_plies + sign : sign;
    play->drawish_plies =
        play->plies > DRAW_AFTER && abs(score) <= DRAW_SCORE ? play->drawish_plies + 1 : 0;
    *result = play->decisive_plies > 0 ? 2 : play->decisive_plies < 0 ? 0 : 1;
    return abs(play->decisive_plies) == WON_PLIES || play->drawish_plies == DRAW_PLIES ||
           play->plies == play->plies_max;
}

static enum caxton_status play_on(struct selfplay *play, bool *over)
{
    enum caxton_status status = game_play(play->game, play->next);
    enum game_state state = game_state(play->game);
    const struct position *pos = game_position(play->game);
    *over = state != GAME_OPEN;
    if (*over)
        finish(play, state != GAME_CHECKMATE ? 1 : pos->turn == WHITE ? 0 : 2);
    return status;
}

enum caxton_status selfplay_advance(struct selfplay *play, const struct label *label, bool *over)
{
    *over = false;
    if (play->sibling != MOVE_NONE) {
        record_sibling(play, label);
        return next_sibling(play) ? STATUS_OK : play_on(play, over);
    }
    const struct position *pos = game_position(play->game);
    int score = pos->turn == WHITE ? label->score : -label->score;
    int result;
    *over = true;
    if (play->plies++ == 0 && abs(score) > START_SCORE_MAX && !play->is_ending) {
        play->record_count = 0;
        return STATUS_OK;
    }
    if (!play->only_searched)
        record(play, pos, score, label->best, 1);
    if (adjudicate(play, score, &result)) {
        finish(play, result);
        return STATUS_OK;
    }
    *over = false;
    play->next = label->best;
    play->score = label->score;
    list_siblings(play, label->best);
    return next_sibling(play) ? STATUS_OK : play_on(play, over);
}
