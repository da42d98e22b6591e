/* Are won endings won? Plays random starts that the endgame tables say are won for the side to
 * move, the search with tables on both sides, until the game ends.
 * endings [--alone] FOLDERS COUNT NODES ENDING... NODES: of each move. ENDING: as KBNvK; its first
 * side wins. --alone: the search has no tables, only the choice of starts. Prints a line for each
 * ending and the FEN of each start that was not mate. Exits 0 when all were won, 1 when not, 2 on
 * wrong use, 77 when there are no tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/text.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "search/search.h"
#include "search/tb.h"

struct player {
    struct tb *tb;
    struct search *search[2]; /* of each side */
    struct game *game;
    struct rng rng;
    uint64_t nodes;
    bool alone;
};

/* One random placing of the pieces of `ending`, the first side to move as either colour; false when
 * it is no legal position. */
static bool place(struct rng *rng, const char *ending, struct position *out)
{
    static const char letters[] = "PNBRQK";
    struct position pos;
    position_clear(&pos);
    int first = (int)rng_below(rng, 2);
    int color = first;
    for (const char *next = ending; *next; next++) {
        if (*next == 'v') {
            color = !first;
            continue;
        }
        const char *letter = strchr(letters, *next);
        int square = (int)rng_below(rng, 64);
        if (!letter || pos.board[square] != NO_PIECE)
            return false;
        position_put(&pos, piece_make(color, (int)(letter - letters)), square);
    }
    char data[FEN_MAX];
    struct text_buffer fen = text_buffer_on(data, sizeof data);
    fen_format_board(&pos, &fen);
    text_append(&fen, " %c - -", first == WHITE ? 'w' : 'b');
    return fen_parse(span_of(data), out, NULL) == STATUS_OK;
}

/* A random start that is won; false when none was found. */
static bool won_start(struct player *player, const char *ending, struct position *out)
{
    enum { ATTEMPTS = 1000000 };
    for (int i = 0; i < ATTEMPTS; i++) {
        enum tb_wdl result;
        if (place(&player->rng, ending, out) && tb_find_wdl(player->tb, out, &result) &&
            result == TB_WDL_WIN)
            return true;
    }
    return false;
}

static bool play_move(struct player *player)
{
    struct game *game = player->game;
    struct search_request request;
    search_request_init(&request);
    request.root = *game_position(game);
    request.nodes = player->nodes;
    size_t plies = game_plies(game);
    size_t count = plies < SEARCH_KEYS_MAX ? plies : SEARCH_KEYS_MAX;
    memcpy(request.keys, game_keys(game) + plies - count, count * sizeof *request.keys);
    request.key_count = (int)count;
    struct search *search = player->search[request.root.turn];
    struct search_result result;
    search_arm(search, false, 0);
    search_run(search, &request, &(struct search_reporter){0}, &result);
    return game_play(game, result.best) == STATUS_OK;
}

/* Is the start won by the side to move? *plies: the length of the game. */
static bool play_game(struct player *player, const struct position *start, size_t *plies)
{
    game_reset(player->game, start);
    search_clear(player->search[WHITE]);
    search_clear(player->search[BLACK]);
    while (game_state(player->game) == GAME_OPEN)
        if (!play_move(player))
            return false;
    *plies = game_plies(player->game);
    return game_state(player->game) == GAME_CHECKMATE &&
           game_position(player->game)->turn != start->turn;
}

static bool play_ending(struct player *player, const char *ending, int count)
{
    int won = 0;
    size_t longest = 0;
    for (int i = 0; i < count; i++) {
        struct position start;
        size_t plies = 0;
        if (!won_start(player, ending, &start)) {
            (void)printf("%s: no won start was found\n", ending);
            return false;
        }
        bool is_won = play_game(player, &start, &plies);
        won += is_won;
        longest = plies > longest ? plies : longest;
        if (!is_won) {
            char fen[FEN_MAX];
            fen_format(&start, fen);
            (void)printf("%s: not won, but %s: %s\n", ending,
                         game_state_name(game_state(player->game)), fen);
        }
    }
    (void)printf("%s: %d of %d won, the longest in %zu plies\n", ending, won, count, longest);
    (void)fflush(stdout);
    return won == count;
}

static bool prepare(struct player *player)
{
    enum { SEED = 20261122 };
    rng_seed(&player->rng, SEED);
    player->game = game_create();
    for (int side = WHITE; side <= BLACK; side++) {
        player->search[side] = search_create();
        if (!player->search[side])
            return false;
        if (!player->alone)
            search_set_tb(player->search[side], player->tb);
    }
    return player->game != NULL;
}

int main(int argc, char **argv)
{
    int64_t count;
    int64_t nodes;
    struct diag diag;
    struct player player = {.tb = NULL};
    player.alone = argc > 1 && strcmp(argv[1], "--alone") == 0;
    argc -= player.alone;
    argv += player.alone;
    if (argc < 5 || span_to_int(span_of(argv[2]), 1, 1000000, &count) != STATUS_OK ||
        span_to_int(span_of(argv[3]), 1, INT64_MAX, &nodes) != STATUS_OK) {
        (void)fputs("usage: endings [--alone] FOLDERS COUNT NODES ENDING...\n", stderr);
        return 2;
    }
    chess_init();
    player.nodes = (uint64_t)nodes;
    if (tb_open(argv[1], &player.tb, &diag) != STATUS_OK) {
        (void)printf("skipped: %s\n", diag.text);
        return 77;
    }
    if (!tb_size(player.tb).results) {
        (void)printf("skipped: there are no tables in %s\n", argv[1]);
        return 77;
    }
    if (!prepare(&player)) {
        (void)fputs("out of memory\n", stderr);
        return 1;
    }
    bool all = true;
    for (int i = 4; i < argc; i++)
        all = play_ending(&player, argv[i], (int)count) && all;
    for (int side = WHITE; side <= BLACK; side++)
        search_destroy(player.search[side]);
    game_destroy(player.game);
    tb_close(player.tb);
    return all ? 0 : 1;
}
