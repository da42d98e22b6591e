#include "book/makebook/explore/more.h"

#include "book/makebook/explore/orders.h"
#include "book/makebook/explore/page_games.h"

/* A game on its way into the answer. */
struct giving {
    struct json *json;
    uint64_t key;
};

/* A sample_game_sink. */
static void put_game(void *context, const struct pgn_game *game, const struct listed_game *listed)
{
    const struct giving *giving = context;
    struct json *json = giving->json;
    int64_t at = game->start.key == giving->key ? 0 : -1;
    json_object(json, NULL);
    explore_game_put_json(json, game, listed, game->ply_count);
    for (size_t ply = 0; at < 0 && ply < game->ply_count; ply++)
        if (game->keys[ply] == giving->key)
            at = (int64_t)ply;
    json_number(json, "ply", at);
    json_end(json);
}

static void put_games(struct json *json, const struct explore_lookup *lookup,
                      const struct position *pos)
{
    struct sample_set set = {.count = 0};
    struct diag diag = {.text = ""};
    struct giving giving = {.json = json, .key = pos->key};
    json_array(json, "games");
    enum caxton_status status = STATUS_NOT_FOUND;
    if (lookup->samples)
        status = samples_file_find(lookup->samples, explore_lookup_key(lookup, pos), &set, &diag);
    for (size_t i = 0; status == STATUS_OK && i < set.count && i < EXPLORE_GAMES_SHOWN; i++) {
        if (sample_game_read(lookup->samples, &set.games[i], put_game, &giving, &diag) == STATUS_OK)
            continue;
        json_object(json, NULL);
        json_text(json, "fault", diag.text);
        json_end(json);
    }
    if (status != STATUS_OK && status != STATUS_NOT_FOUND) {
        json_object(json, NULL);
        json_text(json, "fault", diag.text);
        json_end(json);
    }
    json_end(json);
}

enum caxton_status explore_more_json(const struct explore_lookup *lookup,
                                     const struct position *start, const move *moves, size_t plies,
                                     FILE *out, struct diag *diag)
{
    struct explore_orders orders;
    struct position pos = *start;
    enum caxton_status status = explore_orders_find(lookup, start, moves, plies, &orders, diag);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < plies; i++)
        position_play(&pos, moves[i]);
    struct json json = json_start(out);
    json_object(&json, NULL);
    put_games(&json, lookup, &pos);
    json_array(&json, "orders");
    for (int i = 0; i < orders.count; i++) {
        json_array(&json, NULL);
        for (size_t ply = 0; ply < plies; ply++)
            json_unsigned(&json, NULL, orders.lines[i][ply]);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
    return STATUS_OK;
}
