#include "book/count/filter/game_mark.h"

#include "base/xxh64.h"
#include "book/count/filter/date_range.h"

static uint64_t add_text(uint64_t sum, struct span text)
{
    return xxh64(text.data, text.size, sum);
}

uint32_t game_mark(const struct pgn_game *game, uint64_t plies)
{
    uint64_t sum = game->start.key;
    sum = add_text(sum, span_trim(pgn_tag_value(game, "White")));
    sum = add_text(sum, span_trim(pgn_tag_value(game, "Black")));
    sum = add_text(sum, date_of_game(game));
    for (size_t ply = 0; ply < game->ply_count && ply < plies; ply++) {
        const uint8_t bytes[2] = {(uint8_t)game->moves[ply], (uint8_t)(game->moves[ply] >> 8)};
        sum = xxh64(bytes, sizeof bytes, sum);
    }
    return (uint32_t)sum;
}

static uint16_t elo_of(const struct pgn_game *game, const char *tag)
{
    int64_t elo;
    if (span_to_int(span_trim(pgn_tag_value(game, tag)), 1, 9999, &elo) != STATUS_OK)
        return 0;
    return (uint16_t)elo;
}

uint16_t game_elos(const struct pgn_game *game)
{
    return (uint16_t)(elo_of(game, "WhiteElo") + elo_of(game, "BlackElo"));
}

static uint32_t month_of(const struct pgn_game *game)
{
    enum { YEAR = 10000, MONTH = 100 };
    struct date_range days;
    if (!date_range_of_tag(date_known_of_game(game), &days) || days.first < YEAR ||
        days.first / YEAR != days.last / YEAR)
        return 0;
    bool knows_month = days.first / MONTH == days.last / MONTH;
    return month_make((unsigned)(days.first / YEAR),
                      knows_month ? (unsigned)(days.first / MONTH % MONTH) : 0);
}

uint32_t game_facet(const struct pgn_game *game, unsigned facets, uint16_t ratings[2])
{
    int group = 0;
    enum speed speed = SPEED_UNKNOWN;
    uint16_t white = facets & FACET_RATING ? elo_of(game, "WhiteElo") : 0;
    uint16_t black = facets & FACET_RATING ? elo_of(game, "BlackElo") : 0;
    ratings[WHITE] = 0;
    ratings[BLACK] = 0;
    if (white && black && white <= RATING_MAX && black <= RATING_MAX) {
        group = rating_group_of((white + black) / 2u);
        ratings[WHITE] = white;
        ratings[BLACK] = black;
    }
    if (facets & FACET_SPEED)
        speed = speed_of_time_control(pgn_tag_value(game, "TimeControl"));
    return facet_make(facets & FACET_MONTH ? month_of(game) : 0, speed, group);
}
