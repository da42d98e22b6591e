#include "book/makebook/explore/more.h"

#include <stdlib.h>
#include <string.h>

#include "book/explorer/answer.h"
#include "book/makebook/explore/lookup.h"
#include "book/makebook/explore/page_games.h"
#include "chess/movegen.h"

/* Other orders of the moves of a line that the book knows, for the page of explore --serve. */

enum { ORDERS_MAX = 6, ORDERS_PLIES_MAX = 60 };

struct explore_orders {
    int count;
    move lines[ORDERS_MAX][ORDERS_PLIES_MAX]; /* of as many moves as the line given */
};

enum { FOLLOWED_MAX = 64 };

_Static_assert((int)ORDERS_PLIES_MAX <= 64, "a bit for each ply");

/* A position that some of the moves lead to. */
struct order_node {
    struct position pos;
    uint64_t used; /* the moves, by their place in the line */
    move line[ORDERS_PLIES_MAX];
};

struct orders_level {
    int count;
    struct order_node nodes[FOLLOWED_MAX];
};

struct orders_search {
    const move *moves;
    size_t plies;
    uint64_t last;              /* key of the position behind the line, */
    uint64_t before;            /* and of the one before it */
    uint64_t found[ORDERS_MAX]; /* keys of other positions before it */
    struct explore_orders *out;
    struct orders_level levels[2];
};

static bool has_move(const move *list, int count, move m)
{
    for (int i = 0; i < count; i++)
        if (list[i] == m)
            return true;
    return false;
}

/* Is an earlier one of the moves that are left the same? */
static bool was_tried(const struct orders_search *search, const struct order_node *node, size_t ply,
                      size_t i)
{
    for (size_t k = ply % 2; k < i; k += 2)
        if (!(node->used >> k & 1) && search->moves[k] == search->moves[i])
            return true;
    return false;
}

/* The last move has been made. */
static void take_order(struct orders_search *search, const struct order_node *from,
                       const struct order_node *to)
{
    struct explore_orders *out = search->out;
    bool is_new = to->pos.key == search->last && from->pos.key != search->before;
    for (int i = 0; i < out->count && is_new; i++)
        is_new = search->found[i] != from->pos.key;
    if (!is_new || out->count == ORDERS_MAX)
        return;
    memcpy(out->lines[out->count], to->line, sizeof to->line);
    search->found[out->count++] = from->pos.key;
}

static void take_node(struct orders_level *level, const struct order_node *node)
{
    for (int i = 0; i < level->count; i++)
        if (level->nodes[i].pos.key == node->pos.key)
            return;
    if (level->count < FOLLOWED_MAX)
        level->nodes[level->count++] = *node;
}

/* Makes each of the moves that are left. The line's own next move comes first, so that a full level
 * has lost what is far from it. */
static void follow(struct orders_search *search, const struct order_node *from, size_t ply,
                   const move *known, int count)
{
    for (size_t i = ply % 2; i < search->plies; i += 2) {
        move m = search->moves[i];
        if (from->used >> i & 1 || was_tried(search, from, ply, i) || !has_move(known, count, m))
            continue;
        struct order_node to = *from;
        position_play(&to.pos, m);
        to.used |= UINT64_C(1) << i;
        to.line[ply] = m;
        if (ply + 1 == search->plies)
            take_order(search, from, &to);
        else
            take_node(&search->levels[(ply + 1) % 2], &to);
    }
}

static enum caxton_status run(struct orders_search *search, const struct explore_lookup *lookup,
                              struct diag *diag)
{
    for (size_t ply = 0; ply < search->plies; ply++) {
        const struct orders_level *level = &search->levels[ply % 2];
        search->levels[(ply + 1) % 2].count = 0;
        for (int i = 0; i < level->count; i++) {
            move known[MOVES_MAX];
            int count = 0;
            enum caxton_status status =
                explore_lookup_moves(lookup, &level->nodes[i].pos, known, &count, diag);
            if (status != STATUS_OK)
                return status;
            follow(search, &level->nodes[i], ply, known, count);
        }
    }
    return STATUS_OK;
}

/* The line is moves[0..plies) from `start`, legal. An order of these moves is found when each of
 * them is one of the book where it is made. Of the orders that come to the last position from the
 * same position one is given, and none from where the line itself comes. At most 64 positions of a
 * ply are followed, those nearest to the line; longer lines have none. Errors: as
 * explore_lookup_moves(). */
static enum caxton_status explore_orders_find(const struct explore_lookup *lookup,
                                              const struct position *start, const move *moves,
                                              size_t plies, struct explore_orders *out,
                                              struct diag *diag)
{
    enum { PLIES_LEAST = 3 };
    out->count = 0;
    if (plies < PLIES_LEAST || plies > ORDERS_PLIES_MAX)
        return STATUS_OK;
    struct orders_search *search = calloc(1, sizeof *search);
    if (!search)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    search->moves = moves;
    search->plies = plies;
    search->out = out;
    search->levels[0].count = 1;
    search->levels[0].nodes[0].pos = *start;
    struct position pos = *start;
    for (size_t i = 0; i < plies; i++) {
        search->before = pos.key;
        position_play(&pos, moves[i]);
    }
    search->last = pos.key;
    enum caxton_status status = run(search, lookup, diag);
    free(search);
    return status;
}

/* A game on its way into the answer. */
struct giving {
    struct json *json;
    uint64_t keys[2];            /* of the position */
    struct explorer_query query; /* of it */
    bool asks;                   /* for games that pass it alone */
};

/* A sample_game_sink. */
static void put_game(void *context, const struct pgn_game *game, const struct listed_game *listed)
{
    const struct giving *giving = context;
    struct json *json = giving->json;
    struct explorer_game known = {.move = MOVE_NONE};
    if (giving->asks && !explorer_game_of(&giving->query, game, &known))
        return;
    int64_t at = game->start.key == giving->keys[0] ? 0 : -1;
    json_object(json, NULL);
    explore_game_put_json(json, game, listed, game->ply_count);
    for (size_t ply = 0; at < 0 && ply < game->ply_count; ply++)
        if (game->keys[ply] == giving->keys[0] || game->keys[ply] == giving->keys[1])
            at = (int64_t)ply;
    json_number(json, "ply", at);
    json_end(json);
}

static void put_fault(struct json *json, const struct diag *diag)
{
    json_object(json, NULL);
    json_text(json, "fault", diag->text);
    json_end(json);
}

static void put_games(struct json *json, const struct explore_lookup *lookup,
                      const struct position *pos)
{
    struct giving giving = {.json = json, .asks = lookup->query != NULL};
    const struct samples_file *samples = lookup->samples;
    int keys = samples ? movegen_keys(pos, giving.keys) : 0;
    size_t shown = 0;
    if (giving.asks)
        giving.query = *lookup->query;
    giving.query.pos = *pos;
    json_array(json, "games");
    for (int k = 0; k < keys; k++) {
        struct sample_set set = {.count = 0};
        struct diag diag = {.text = ""};
        enum caxton_status status = samples_file_find(samples, giving.keys[k], &set, &diag);
        if (status != STATUS_OK && status != STATUS_NOT_FOUND)
            put_fault(json, &diag);
        for (size_t i = 0; i < set.count && shown < EXPLORE_GAMES_SHOWN; i++) {
            if (giving.asks && samples_file_info(samples)->rule.by_facets &&
                !facet_passes(&giving.query.filter, set.games[i].facet))
                continue;
            shown++;
            if (sample_game_read(samples, &set.games[i], put_game, &giving, &diag) != STATUS_OK)
                put_fault(json, &diag);
        }
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
