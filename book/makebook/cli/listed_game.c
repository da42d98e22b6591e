#include "book/makebook/cli/listed_game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/text.h"
#include "book/count/filter/date_range.h"
#include "book/count/input/input.h"
#include "book/makebook/cli/command.h"
#include "chess/pgn_write.h"

static struct listed_player player_of(const struct pgn_game *game, const char *name,
                                      const char *elo)
{
    struct listed_player player = {.elo = 0};
    text_copy(player.name, sizeof player.name, span_trim(pgn_tag_value(game, name)));
    int64_t number;
    if (span_to_int(span_trim(pgn_tag_value(game, elo)), 1, 9999, &number) == STATUS_OK)
        player.elo = number;
    return player;
}

struct listed_game listed_game_of(const struct pgn_game *game, const char *path)
{
    struct listed_game listed = {.result = pgn_result_text(game->result),
                                 .path = path,
                                 .number = game->number,
                                 .line = game->line,
                                 .start = game->offset,
                                 .end = UINT64_MAX};
    listed.players[WHITE] = player_of(game, "White", "WhiteElo");
    listed.players[BLACK] = player_of(game, "Black", "BlackElo");
    static const char scheme[] = "https://";
    struct span site = span_trim(pgn_tag_value(game, "Site"));
    text_copy(listed.date, sizeof listed.date, date_known_of_game(game));
    if (site.size < sizeof listed.link && site.size > sizeof scheme - 1 &&
        memcmp(site.data, scheme, sizeof scheme - 1) == 0)
        text_copy(listed.link, sizeof listed.link, site);
    return listed;
}

/* Printing --------------------------------------------------------------------------------- */

void listed_player_print(const struct listed_player *player)
{
    text_put_safe(stdout, span_of(*player->name ? player->name : "?"));
    if (player->elo)
        (void)printf(" (%d)", (int)player->elo);
}

void listed_game_print(const struct listed_game *game)
{
    listed_player_print(&game->players[WHITE]);
    (void)printf(" - ");
    listed_player_print(&game->players[BLACK]);
    (void)printf(" %s ", game->result);
    text_put_safe(stdout, span_of(game->date));
    (void)printf("  ");
    text_put_safe(stdout, span_of(game->path));
    if (game->number)
        (void)printf(":%llu", (unsigned long long)game->line);
    else
        (void)printf(" byte %llu", (unsigned long long)game->start);
    if (*game->link)
        (void)printf("  %s", text_safe(game->link).text);
    (void)putchar('\n');
}

void listed_player_print_json(struct json *json, const char *name,
                              const struct listed_player *player)
{
    json_object(json, name);
    json_text(json, "name", player->name);
    if (player->elo)
        json_number(json, "elo", player->elo);
    json_end(json);
}

void listed_game_put_json(struct json *json, const struct listed_game *game)
{
    listed_player_print_json(json, "white", &game->players[WHITE]);
    listed_player_print_json(json, "black", &game->players[BLACK]);
    json_text(json, "result", game->result);
    json_text(json, "date", game->date);
    json_text(json, "file", game->path);
    if (game->number) {
        json_unsigned(json, "game", game->number);
        json_unsigned(json, "line", game->line);
    }
    json_unsigned(json, "byte", game->start);
    if (*game->link)
        json_text(json, "link", game->link);
}

void listed_game_print_json(struct json *json, const struct listed_game *game)
{
    json_object(json, NULL);
    listed_game_put_json(json, game);
    json_end(json);
}

/* Its text --------------------------------------------------------------------------------- */

/* Reads bytes start..end of what the input gives, unpacked; to its end if that comes before. *text
 * is the caller's to free. */
static enum caxton_status read_part(struct input *input, uint64_t start, uint64_t end, char **text,
                                    size_t *size)
{
    enum { CHUNK = 1 << 16 };
    char *kept = NULL;
    size_t capacity = 0;
    size_t used = 0;
    size_t got = 1;
    enum caxton_status status = input_skip(input, start);
    while (status == STATUS_OK && got > 0 && used < end - start) {
        uint64_t wanted = end - start - used;
        if (!ARRAY_GROW(kept, capacity, used + CHUNK)) {
            status = STATUS_NO_MEMORY;
            break;
        }
        status = input_read(input, kept + used, wanted < CHUNK ? (size_t)wanted : CHUNK, &got);
        used += status == STATUS_OK ? got : 0;
    }
    *text = kept;
    *size = used;
    return status;
}

/* For a terminal its text is made safe; a file gets every byte. */
static void print_text(struct span text)
{
    text = span_trim(text);
    if (!file_is_terminal(stdout)) {
        (void)fwrite(text.data, 1, text.size, stdout);
        (void)putchar('\n');
        return;
    }
    for (struct span line; span_line(&text, &line);) {
        text_put_safe(stdout, line);
        (void)putchar('\n');
    }
}

bool listed_game_print_text(const struct command_line *line, const struct listed_game *game)
{
    struct input *input;
    struct diag diag = {.text = ""};
    char *text;
    size_t size;
    if (input_open(game->path, &input, &diag) != STATUS_OK)
        return command_refuse(line, "%s", diag.text);
    enum caxton_status status = read_part(input, game->start, game->end, &text, &size);
    if (status == STATUS_OK)
        print_text(span_make(text, size));
    else
        (void)command_fail(line, "%s: %s", game->path,
                           *input_fault(input) ? input_fault(input) : status_name(status));
    free(text);
    input_close(input);
    return status == STATUS_OK;
}
