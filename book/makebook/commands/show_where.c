#include "book/makebook/commands/show_where.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "book/count/filter/date_range.h"
#include "book/count/filter/game_mark.h"
#include "book/count/input/input.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/commands/build_report.h"
#include "chess/pgn.h"

/* Finding ---------------------------------------------------------------------------------- */

/* Does the position stand on the board in the game? */
static bool comes_to(const struct pgn_game *game, uint64_t key)
{
    if (game->ply_count == 0)
        return game->start.key == key;
    for (size_t ply = 0; ply <= game->ply_count; ply++)
        if (game->keys[ply] == key)
            return true;
    return false;
}

/* Puts the player where the Elo belongs: the best one of each name stays. */
static void rank_player(struct where *where, const struct listed_player *player)
{
    size_t at = 0;
    while (at < where->best_count && strcmp(where->best[at].name, player->name) != 0)
        at++;
    if (!player->elo || !*player->name ||
        (at < where->best_count && where->best[at].elo >= player->elo))
        return;
    if (at == WHERE_PLAYERS && where->best[--at].elo >= player->elo)
        return;
    if (at == where->best_count)
        where->best_count++;
    for (; at > 0 && where->best[at - 1].elo < player->elo; at--)
        where->best[at] = where->best[at - 1];
    where->best[at] = *player;
}

static void note_date(struct where *where, const struct pgn_game *game)
{
    struct span date = date_known_of_game(game);
    struct date_range range;
    if (!date_range_of_tag(date, &range) || range.first / 10000 != range.last / 10000)
        return; /* the year is to be known */
    if (!*where->first_date || range.first < where->first_day) {
        where->first_day = range.first;
        text_copy(where->first_date, sizeof where->first_date, date);
    }
    if (!*where->last_date || range.last > where->last_day) {
        where->last_day = range.last;
        text_copy(where->last_date, sizeof where->last_date, date);
    }
}

/* Of equal games the first one stays, as in a sample_set. False: this is not the first. */
static bool drop_equal(struct where *where, const struct sample *rank)
{
    size_t at = 0;
    while (at < where->sample_count && where->samples[at].rank.mark != rank->mark)
        at++;
    if (at == where->sample_count)
        return true;
    if (sample_compare(&where->samples[at].rank, rank) <= 0)
        return false;
    where->sample_count--;
    memmove(&where->samples[at], &where->samples[at + 1],
            (where->sample_count - at) * sizeof *where->samples);
    return true;
}

/* Returns where among the samples the game is now, NULL: it is none of them. */
static struct listed_game *add_sample(struct where *where, const struct where_sample *sample)
{
    if (!drop_equal(where, &sample->rank))
        return NULL;
    size_t at = where->sample_count;
    if (at == where->wanted && sample_compare(&where->samples[--at].rank, &sample->rank) < 0)
        return NULL;
    if (where->sample_count < where->wanted)
        where->sample_count++;
    for (; at > 0 && sample_compare(&where->samples[at - 1].rank, &sample->rank) > 0; at--)
        where->samples[at] = where->samples[at - 1];
    where->samples[at] = *sample;
    return &where->samples[at].game;
}

static struct listed_game *take_game(struct where *where, const struct pgn_game *game,
                                     const char *path, uint16_t file)
{
    const struct where_sample sample = {.rank = {.at = game->offset,
                                                 .mark = game_mark(game, where->plies),
                                                 .elos = game_elos(game),
                                                 .file = file},
                                        .game = listed_game_of(game, path)};
    where->games++;
    note_date(where, game);
    rank_player(where, &sample.game.players[WHITE]);
    rank_player(where, &sample.game.players[BLACK]);
    return add_sample(where, &sample);
}

struct samples_input {
    struct input *input;
    const char *path;
    uint16_t file; /* its number, from 0 */
    struct file_begin begin;
};

static enum caxton_status read_some(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct samples_input *source = context;
    enum caxton_status status = input_read(source->input, buffer, capacity, size);
    if (status == STATUS_OK)
        file_begin_add(&source->begin, buffer, *size);
    return status;
}

/* Of a bad game the moves before the fault are looked at. */
static enum caxton_status read_games(struct where *where, struct samples_input *source,
                                     uint64_t key)
{
    struct pgn_reader *reader = pgn_create(read_some, source);
    struct listed_game *before = NULL; /* a sample that ends where the next game begins */
    if (!reader)
        return STATUS_NO_MEMORY;
    for (;;) {
        struct pgn_game game;
        enum caxton_status status = pgn_next(reader, &game, NULL);
        if (status != STATUS_OK && !pgn_is_game_fault(status)) {
            pgn_destroy(reader);
            return status == STATUS_END ? STATUS_OK : status;
        }
        if (before)
            before->end = game.offset;
        where->read++;
        before = comes_to(&game, key) ? take_game(where, &game, source->path, source->file) : NULL;
    }
}

bool where_find(const struct command_line *line, const struct option_texts *paths,
                const struct position *pos, struct where *where)
{
    for (size_t i = 0; i < paths->count; i++) {
        const char *path = paths->items[i];
        struct samples_input source = {.path = path, .file = (uint16_t)i};
        struct diag diag = {.text = ""};
        if (input_open(path, &source.input, &diag) != STATUS_OK)
            return command_refuse(line, "%s", diag.text);
        uint64_t before = where->read;
        enum caxton_status status = read_games(where, &source, pos->key);
        if (status != STATUS_OK)
            (void)command_fail(line, "%s: %s", path,
                               *input_fault(source.input) ? input_fault(source.input)
                                                          : status_name(status));
        else if (where->read == before)
            build_warn_no_games(line, path, &source.begin);
        input_close(source.input);
        if (status != STATUS_OK)
            return false;
    }
    return true;
}

/* Printing --------------------------------------------------------------------------------- */

void where_print(const struct where *where)
{
    (void)printf("\n%llu of %llu games come to this position", (unsigned long long)where->games,
                 (unsigned long long)where->read);
    if (*where->first_date) {
        (void)printf(", from ");
        text_put_safe(stdout, span_of(where->first_date));
        (void)printf(" to ");
        text_put_safe(stdout, span_of(where->last_date));
    }
    (void)printf("\n");
    for (size_t i = 0; i < where->best_count; i++) {
        (void)printf(i ? ", " : "best players: ");
        listed_player_print(&where->best[i]);
    }
    (void)printf(where->best_count ? "\n" : "");
    for (size_t i = 0; i < where->sample_count; i++) {
        (void)printf("%3zu ", i + 1);
        listed_game_print(&where->samples[i].game);
    }
}

void where_print_json(struct json *json, const struct where *where)
{
    json_object(json, "where");
    json_unsigned(json, "read", where->read);
    json_unsigned(json, "games", where->games);
    json_text(json, "first", *where->first_date ? where->first_date : NULL);
    json_text(json, "last", *where->last_date ? where->last_date : NULL);
    json_array(json, "best");
    for (size_t i = 0; i < where->best_count; i++)
        listed_player_print_json(json, NULL, &where->best[i]);
    json_end(json);
    json_array(json, "samples");
    for (size_t i = 0; i < where->sample_count; i++) {
        json_line(json);
        listed_game_print_json(json, &where->samples[i].game);
    }
    json_end(json);
    json_end(json);
}

bool where_print_game(const struct command_line *line, const struct where *where, int64_t number)
{
    if ((uint64_t)number > where->sample_count)
        return command_refuse(line, "there are %zu sample games here", where->sample_count);
    return listed_game_print_text(line, &where->samples[number - 1].game);
}
