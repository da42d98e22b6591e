#include "chess/game.h"

#include <stdlib.h>

#include "base/array.h"
#include "chess/movegen.h"
#include "chess/zobrist.h"

struct played {
    struct undo undo;
    move m;
};

struct game {
    struct position start;
    struct position now;
    struct played *played;
    uint64_t *keys; /* one more than moves */
    size_t plies;
    size_t played_capacity;
    size_t key_capacity;
};

static bool has_legal_en_passant(const struct position *pos)
{
    move moves[MOVES_MAX];
    int count = movegen_noisy(pos, moves);
    for (int i = 0; i < count; i++)
        if (move_kind(moves[i]) == MOVE_EN_PASSANT)
            return true;
    return false;
}

/* Two positions are the same when the same moves are possible in them (FIDE 9.2.3), but the
 * Polyglot key also counts an en passant capture that a pin forbids: taken out here. */
static uint64_t repetition_key(const struct position *pos)
{
    if (pos->ep == NO_SQUARE || has_legal_en_passant(pos))
        return pos->key;
    return pos->key ^ zobrist_en_passant(square_file(pos->ep));
}

/* How many of the positions before the last of keys[0..plies] equal it. Only the last `rule50`
 * plies are looked at: no position comes back after a capture or a pawn move. */
static int count_earlier(const uint64_t *keys, size_t plies, uint64_t key, size_t rule50)
{
    int count = 0;
    size_t reach = rule50 < plies ? rule50 : plies;
    for (size_t back = 4; back <= reach; back += 2)
        count += keys[plies - back] == key;
    return count;
}

/* Makes room for `plies` moves and the keys around them. */
static bool game_reserve(struct game *game, size_t plies)
{
    return ARRAY_GROW(game->keys, game->key_capacity, plies + 1) &&
           ARRAY_GROW(game->played, game->played_capacity, plies);
}

struct game *game_create(void)
{
    struct game *game = calloc(1, sizeof *game);
    if (!game || !game_reserve(game, 1)) {
        game_destroy(game);
        return NULL;
    }
    struct position start;
    position_start(&start);
    game_reset(game, &start);
    return game;
}

void game_destroy(struct game *game)
{
    if (!game)
        return;
    free(game->keys);
    free(game->played);
    free(game);
}

void game_reset(struct game *game, const struct position *start)
{
    game->now = *start;
    game->start = game->now;
    game->plies = 0;
    game->keys[0] = repetition_key(&game->now);
}

enum caxton_status game_play(struct game *game, move m)
{
    if (!game_reserve(game, game->plies + 1))
        return STATUS_NO_MEMORY;
    struct played *played = &game->played[game->plies++];
    played->m = m;
    position_make(&game->now, m, &played->undo);
    game->keys[game->plies] = repetition_key(&game->now);
    return STATUS_OK;
}

bool game_take_back(struct game *game)
{
    if (!game->plies)
        return false;
    const struct played *played = &game->played[--game->plies];
    position_unmake(&game->now, played->m, &played->undo);
    return true;
}

const struct position *game_position(const struct game *game)
{
    return &game->now;
}

const struct position *game_start(const struct game *game)
{
    return &game->start;
}

size_t game_plies(const struct game *game)
{
    return game->plies;
}

move game_move(const struct game *game, size_t ply)
{
    return game->played[ply].m;
}

const uint64_t *game_keys(const struct game *game)
{
    return game->keys;
}

bool game_would_repeat(const struct game *game, move m)
{
    struct position next = game->now;
    position_play(&next, m);
    return count_earlier(game->keys, game->plies + 1, repetition_key(&next), next.rule50) > 0;
}

enum game_state game_state(const struct game *game)
{
    const struct position *pos = &game->now;
    if (movegen_count(pos) == 0)
        return position_in_check(pos) ? GAME_CHECKMATE : GAME_STALEMATE;
    if (position_insufficient_material(pos))
        return GAME_INSUFFICIENT_MATERIAL;
    if (pos->rule50 >= 100)
        return GAME_FIFTY_MOVES;
    if (count_earlier(game->keys, game->plies, game->keys[game->plies], pos->rule50) >= 2)
        return GAME_REPETITION;
    return GAME_OPEN;
}

const char *game_state_name(enum game_state state)
{
    static const char *const names[] = {
        [GAME_OPEN] = "open",
        [GAME_CHECKMATE] = "checkmate",
        [GAME_STALEMATE] = "stalemate",
        [GAME_INSUFFICIENT_MATERIAL] = "insufficient material",
        [GAME_FIFTY_MOVES] = "fifty-move rule",
        [GAME_REPETITION] = "threefold repetition",
    };
    return names[state];
}
