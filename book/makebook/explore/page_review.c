#include "book/makebook/explore/page_review.h"

#include <string.h>

#include "base/json.h"
#include "chess/fen.h"

static void put_fen(struct json *json, const char *name, const struct position *pos)
{
    char fen[FEN_MAX];
    fen_format(pos, fen);
    json_text(json, name, fen);
}

static void put_moves(struct json *json, const char *name, const struct finding_moves *moves,
                      bool with_games)
{
    json_array(json, name);
    for (size_t i = 0; i < moves->count; i++) {
        if (with_games)
            json_array(json, NULL);
        json_unsigned(json, NULL, moves->list[i].move);
        if (!with_games)
            continue;
        json_unsigned(json, NULL, moves->list[i].games);
        json_end(json);
    }
    json_end(json);
}

/* The text of a string; "?" where there is none, or it has escapes. */
static int plain(struct span value, const char **text)
{
    struct span found;
    bool is_plain = json_plain_text(value, &found) && found.size > 0;
    *text = is_plain ? found.data : "?";
    return is_plain ? (int)found.size : 1;
}

static void put_sample(struct json *json, struct span game)
{
    enum { WHITE_SIDE, BLACK_SIDE, RESULT, DATE, LINK, MEMBERS, TEXT_MAX = 400 };
    static const char *const names[] = {"white", "black", "result", "date", "link"};
    static const char *const name[] = {"name"};
    struct span at[MEMBERS];
    const char *texts[MEMBERS];
    int sizes[MEMBERS];
    char text[TEXT_MAX];
    char link[TEXT_MAX];
    if (!json_members(game, names, at, MEMBERS, false))
        return;
    for (int i = 0; i < MEMBERS; i++) {
        if (i <= BLACK_SIDE && !json_members(at[i], name, &at[i], 1, true))
            at[i] = (struct span){.data = NULL};
        sizes[i] = plain(at[i], &texts[i]);
    }
    (void)snprintf(text, sizeof text, "%.*s - %.*s %.*s %.*s", sizes[0], texts[0], sizes[1],
                   texts[1], sizes[2], texts[2], sizes[3], texts[3]);
    (void)snprintf(link, sizeof link, "%.*s", sizes[LINK], texts[LINK]);
    json_object(json, NULL);
    json_text(json, "text", text);
    json_text(json, "link", strncmp(link, "https://", 8) == 0 ? link : NULL);
    json_end(json);
}

static void put_finding(struct json *json, const struct finding *finding)
{
    struct position usual;
    struct span samples = finding->samples;
    position_start(&usual);
    json_object(json, NULL);
    json_text(json, "kind", review_kind_names[finding->kind]);
    json_text(json, "color", finding->color == WHITE ? "White" : "Black");
    put_fen(json, "fen", &finding->pos);
    if (finding->start.key != usual.key)
        put_fen(json, "start", &finding->start);
    put_moves(json, "line", &finding->line, false);
    put_moves(json, "book", &finding->book, false);
    put_moves(json, "played", &finding->played, true);
    json_unsigned(json, "best", finding->best);
    json_unsigned(json, "games", finding->games);
    json_decimal(json, "cost", finding->cost, 2);
    if (finding->searched)
        json_number(json, "lost", finding->lost_cp);
    json_literal(json, "answered", finding->answered ? "true" : "false");
    json_array(json, "samples");
    for (struct span game; json_element(&samples, &game) && game.data;)
        put_sample(json, game);
    json_end(json);
    json_end(json);
}

void explore_review_write(const struct findings *findings, FILE *out)
{
    struct json json = json_start(out);
    json_array(&json, NULL);
    for (size_t i = 0; i < findings->count; i++)
        put_finding(&json, &findings->list[i]);
    json_end(&json);
}
