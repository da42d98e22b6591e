/* caxton-selfplay: plays quick games and prints their quiet positions. See README.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/rng.h"
#include "search/search.h"

enum {
    PLIES_MAX = 300,
    START_SCORE_MAX = 500, /* a game that starts further from even is left out */
    DECIDED_SCORE =
        1200, /* four such scores in a row decide the game; such positions are skipped */
    DECIDED_PLIES = 4,
    LEVEL_SCORE = 5, /* twelve such scores in a row after ply 80 make a draw */
    LEVEL_PLIES = 12,
    LEVEL_AFTER = 80,
    OPENING_MAX = 128,
};

struct openings {
    char (*lines)[OPENING_MAX];
    size_t count, capacity;
};

struct record {
    char fen[FEN_MAX];
    int score; /* White's view */
};

struct player {
    struct search *search;
    struct game *game;
    struct rng rng;
    struct openings openings;
    uint64_t nodes;
    struct record records[PLIES_MAX];
    int record_count;
};

static bool openings_read(struct openings *openings, const char *path)
{
    char line[OPENING_MAX];
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool ok = true;
    while (ok && fgets(line, sizeof line, file)) {
        if (openings->count == openings->capacity) {
            size_t larger = openings->capacity ? 2 * openings->capacity : 1024;
            void *moved = realloc(openings->lines, larger * sizeof *openings->lines);
            if (!moved) {
                ok = false;
                break;
            }
            openings->lines = moved;
            openings->capacity = larger;
        }
        text_copy(openings->lines[openings->count++], OPENING_MAX, span_of(line));
    }
    ok = ok && !ferror(file);
    return fclose(file) == 0 && ok;
}

/* Chooses a start and returns how many random moves follow it. */
static int choose_start(struct player *player, struct position *pos)
{
    struct rng *rng = &player->rng;
    uint64_t kind = rng_below(rng, 4);
    if (kind < 2 && player->openings.count) {
        const char *line = player->openings.lines[rng_below(rng, player->openings.count)];
        struct span rest;
        if (fen_parse_epd(span_of(line), pos, &rest, NULL) == STATUS_OK)
            return (int)rng_below(rng, 7);
    }
    if (kind != 3) {
        position_start(pos);
        return 6 + (int)rng_below(rng, 4);
    }
    fen_chess960((unsigned)rng_below(rng, 960), pos);
    return 4 + (int)rng_below(rng, 5);
}

/* Sets up a new game; false when the random moves ended it or there is no memory. */
static bool open_game(struct player *player)
{
    struct position start;
    move moves[MOVES_MAX];
    int random_moves = choose_start(player, &start);
    game_reset(player->game, &start);
    for (int i = 0; i < random_moves; i++) {
        int count = movegen_legal(game_position(player->game), moves);
        if (count == 0 || game_state(player->game) != GAME_OPEN)
            return false;
        move m = moves[rng_below(&player->rng, (uint64_t)count)];
        if (game_play(player->game, m) != STATUS_OK)
            return false;
    }
    search_clear(player->search);
    return true;
}

static void think(struct player *player, struct search_result *result)
{
    struct search_request request;
    struct search_reporter silent = {0};
    size_t plies = game_plies(player->game);
    size_t count = plies < SEARCH_KEYS_MAX ? plies : SEARCH_KEYS_MAX;
    search_request_init(&request);
    request.root = *game_position(player->game);
    request.nodes = player->nodes;
    request.key_count = (int)count;
    memcpy(request.keys, game_keys(player->game) + plies - count, count * sizeof request.keys[0]);
    search_arm(player->search, false);
    search_run(player->search, &request, &silent, result);
}

static bool is_quiet(const struct position *pos, move best)
{
    return !position_in_check(pos) && !position_is_capture(pos, best) &&
           move_kind(best) != MOVE_PROMOTION;
}

/* Plays the game to its end and keeps the quiet positions. Returns the result for White as it is
 * printed, NULL when the game is to be left out. */
static const char *play_game(struct player *player)
{
    int decided = 0, level = 0;
    player->record_count = 0;
    for (int ply = 0; ply < PLIES_MAX; ply++) {
        const struct position *pos = game_position(player->game);
        enum game_state state = game_state(player->game);
        if (state != GAME_OPEN)
            return state != GAME_CHECKMATE ? "0.5" : pos->turn == WHITE ? "0.0" : "1.0";
        struct search_result result;
        think(player, &result);
        int score = pos->turn == WHITE ? result.score : -result.score;
        if (ply == 0 && abs(score) > START_SCORE_MAX)
            return NULL;
        if (is_quiet(pos, result.best) && abs(score) < DECIDED_SCORE) {
            struct record *record = &player->records[player->record_count++];
            fen_format(pos, record->fen);
            record->score = score;
        }
        decided = abs(score) > DECIDED_SCORE ? decided + 1 : 0;
        level = ply > LEVEL_AFTER && abs(score) <= LEVEL_SCORE ? level + 1 : 0;
        if (decided == DECIDED_PLIES)
            return score > 0 ? "1.0" : "0.0";
        if (level == LEVEL_PLIES)
            return "0.5";
        if (game_play(player->game, result.best) != STATUS_OK)
            return NULL;
    }
    return "0.5";
}

static void play_games(struct player *player, int64_t games)
{
    for (int64_t i = 0; i < games; i++) {
        const char *result = open_game(player) ? play_game(player) : NULL;
        for (int j = 0; result && j < player->record_count; j++)
            printf("%s | %d | %s | selfplay\n", player->records[j].fen, player->records[j].score,
                   result);
    }
}

int main(int argc, char **argv)
{
    static struct player player;
    int64_t seed, games, nodes;
    if (argc < 4 || argc > 5 || span_to_int(span_of(argv[1]), 0, INT64_MAX, &seed) != STATUS_OK ||
        span_to_int(span_of(argv[2]), 0, INT64_MAX, &games) != STATUS_OK ||
        span_to_int(span_of(argv[3]), 1, INT64_MAX, &nodes) != STATUS_OK) {
        fprintf(stderr, "usage: caxton-selfplay SEED GAMES NODES [OPENINGS.epd]\n");
        return 2;
    }
    chess_init();
    rng_seed(&player.rng, (uint64_t)seed);
    player.nodes = (uint64_t)nodes;
    player.search = search_create();
    player.game = game_create();
    bool ok = player.search && player.game && search_set_hash(player.search, 4) == STATUS_OK;
    if (!ok)
        fprintf(stderr, "caxton-selfplay: no memory\n");
    if (ok && argc == 5 && !openings_read(&player.openings, argv[4])) {
        fprintf(stderr, "caxton-selfplay: cannot read %s\n", argv[4]);
        ok = false;
    }
    if (ok)
        play_games(&player, games);
    search_destroy(player.search);
    game_destroy(player.game);
    free(player.openings.lines);
    return ok && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
