#include "book/learn/games.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "book/count/filter/player.h"
#include "search/score.h"

/* Comments ------------------------------------------------------------------------------------ */

enum { PAWNS_MAX = 200, MATE_MAX = 100 };

/* The digits at *at, at most `max`; -1: none, or more. */
static int read_digits(const char **at, int max)
{
    int value = -1;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        value = (value < 0 ? 0 : value) * 10 + (**at - '0');
        if (value > max)
            return -1;
    }
    return value;
}

/* Pawns with at most two decimals, in centipawns; -1: no number. */
static int read_pawns(const char *at)
{
    int value = read_digits(&at, PAWNS_MAX);
    if (value < 0 || *at != '.')
        return -1;
    value *= 100;
    if (at[1] < '0' || at[1] > '9')
        return -1;
    value += (at[1] - '0') * 10;
    return at[2] >= '0' && at[2] <= '9' ? value + at[2] - '0' : value;
}

int learn_comment_score(const char *comment, int turn)
{
    static const char eval[] = "[%eval ";
    const char *whites = strstr(comment, eval);
    const char *at = whites ? whites + sizeof eval - 1 : comment + strspn(comment, " \t\r\n");
    bool mate = *at == '#';
    at += mate;
    int sign = *at == '-' ? -1 : 1;
    at += *at == '-' || *at == '+';
    mate |= *at == 'M';
    at += *at == 'M';
    if (whites && turn == BLACK)
        sign = -sign;
    if (!mate) {
        int value = read_pawns(at);
        return value < 0 ? LEARN_NO_SCORE : sign * value;
    }
    int moves = read_digits(&at, MATE_MAX);
    if (moves < 0)
        return LEARN_NO_SCORE;
    int plies = moves > 0 ? 2 * moves : 1; /* the move itself mates: the shortest mate there is */
    return sign > 0 ? score_mate_in(plies) : score_mated_in(plies);
}

/* Games --------------------------------------------------------------------------------------- */

static void add_text(struct fingerprint *print, struct span text)
{
    fingerprint_add(print, text.size);
    for (size_t i = 0; i < text.size; i++)
        fingerprint_add(print, (uint8_t)text.data[i]);
}

static struct fingerprint fingerprint_of(const struct pgn_game *game)
{
    struct fingerprint print = {0, 0};
    static const char *const tags[] = {"White", "Black", "Date"};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        add_text(&print, pgn_tag_value(game, tags[i]));
    fingerprint_add(&print, game->result);
    fingerprint_add(&print, game->start.key);
    for (size_t i = 0; i < game->ply_count; i++)
        fingerprint_add(&print, game->moves[i]);
    return fingerprint_finish(print);
}

static bool is_of(const struct pgn_game *game, const struct learn_choice *choice, int color)
{
    const char *tag = color == WHITE ? "White" : "Black";
    return choice->sides[color] &&
           (!choice->player || player_matches(pgn_tag_value(game, tag), choice->player));
}

static void free_game(struct learn_game *game)
{
    free(game->moves);
    free(game->scores);
}

static enum caxton_status keep(struct learn_games *games, const struct pgn_game *game,
                               const struct learn_choice *choice, const char *name)
{
    struct learn_game kept = {.start = game->start,
                              .ply_count = game->ply_count,
                              .result = game->result,
                              .ours = {is_of(game, choice, WHITE), is_of(game, choice, BLACK)},
                              .print = fingerprint_of(game),
                              .file = name,
                              .number = game->number,
                              .line = game->line};
    kept.moves = malloc((game->ply_count + 1) * sizeof *kept.moves);
    kept.scores = malloc((game->ply_count + 1) * sizeof *kept.scores);
    if (!kept.moves || !kept.scores ||
        !ARRAY_GROW(games->list, games->capacity, games->count + 1)) {
        free_game(&kept);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < game->ply_count; i++) {
        int turn = game->start.turn ^ (int)(i & 1);
        kept.moves[i] = game->moves[i];
        bool given = choice->openings && strcmp(game->comments[i].text, "book") == 0;
        kept.scores[i] =
            (int16_t)(given ? LEARN_GIVEN : learn_comment_score(game->comments[i].text, turn));
    }
    games->list[games->count++] = kept;
    return STATUS_OK;
}

static enum caxton_status take(struct learn_games *games, const struct pgn_game *game,
                               const struct learn_choice *choice, const char *name)
{
    bool ours = is_of(game, choice, WHITE) || is_of(game, choice, BLACK);
    if (!ours || game->chess960 || game->other_variant) {
        games->other++;
        return STATUS_OK;
    }
    enum pgn_end end = pgn_end_of(game);
    if (end == PGN_END_PLAYED)
        return keep(games, game, choice, name);
    if (end == PGN_END_UNFINISHED)
        games->unfinished++;
    else
        games->forfeited++;
    return STATUS_OK;
}

static void note_bad(struct learn_games *games, const struct pgn_game *game,
                     const struct diag *fault, const char *name)
{
    if (games->bad < BAD_GAMES_SHOWN) {
        struct bad_game *bad = &games->bad_shown[games->bad];
        bad->number = game->number;
        bad->diag = *fault;
        text_copy(bad->file, sizeof bad->file, span_of(name));
    }
    games->bad++;
}

enum caxton_status learn_games_read(struct learn_games *games, const struct learn_choice *choice,
                                    pgn_source source, void *context, const char *name)
{
    struct pgn_reader *reader = pgn_create(source, context);
    enum caxton_status status = reader ? STATUS_OK : STATUS_NO_MEMORY;
    if (reader)
        pgn_set_comments(reader, true);
    while (status == STATUS_OK) {
        struct pgn_game game;
        struct diag fault = {.text = ""};
        status = pgn_next(reader, &game, &fault);
        games->read += status == STATUS_OK || pgn_is_game_fault(status);
        if (status == STATUS_OK) {
            status = take(games, &game, choice, name);
        } else if (pgn_is_game_fault(status)) {
            note_bad(games, &game, &fault, name);
            status = STATUS_OK;
        }
    }
    pgn_destroy(reader);
    return status == STATUS_END ? STATUS_OK : status;
}

/* Equal games stay in the order in which they came. */
static int compare(const void *a, const void *b)
{
    const struct learn_game *x = a;
    const struct learn_game *y = b;
    int order = fingerprint_compare(x->print, y->print);
    if (order == 0)
        order = strcmp(x->file, y->file);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

void learn_games_sort(struct learn_games *games)
{
    size_t kept = 0;
    if (games->count > 0)
        qsort(games->list, games->count, sizeof *games->list, compare);
    for (size_t i = 0; i < games->count; i++) {
        struct learn_game *game = &games->list[i];
        if (kept > 0 && fingerprint_compare(games->list[kept - 1].print, game->print) == 0) {
            free_game(game);
            games->twice++;
        } else {
            games->list[kept++] = *game;
        }
    }
    games->count = kept;
}

void learn_games_free(struct learn_games *games)
{
    for (size_t i = 0; i < games->count; i++)
        free_game(&games->list[i]);
    free(games->list);
    *games = (struct learn_games){.count = 0};
}
