#include "book/build/builder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "book/build/counter.h"
#include "book/polyglot.h"

enum { PLIES_AT_ONCE = 256 };

struct builder {
    struct build_options options;
    struct build_report report;
    struct counter *counter;
};

struct build_options build_options_default(void)
{
    const char *folder = getenv("TMPDIR");
    return (struct build_options){.max_plies = 40,
                                  .min_games = 3,
                                  .colors = {true, true},
                                  .memory_bytes = (size_t)256 << 20,
                                  .folder = folder && *folder ? folder : "/tmp"};
}

const char *left_out_text(enum left_out reason)
{
    static const char *const texts[LEFT_REASONS] = {"bad", "without a result", "Chess960",
                                                    "by other players", "without moves"};
    return texts[reason];
}

struct builder *builder_create(const struct build_options *options)
{
    struct builder *builder = calloc(1, sizeof *builder);
    if (!builder)
        return NULL;
    builder->options = *options;
    builder->counter = counter_create(options->memory_bytes, options->folder);
    if (!builder->counter) {
        builder_destroy(builder);
        return NULL;
    }
    return builder;
}

void builder_destroy(struct builder *builder)
{
    if (builder)
        counter_destroy(builder->counter);
    free(builder);
}

const struct build_report *builder_report(const struct builder *builder)
{
    return &builder->report;
}

static void note_bad_game(struct builder *builder, const struct pgn_game *game, const char *name,
                          const struct diag *diag)
{
    uint64_t n = builder->report.left[LEFT_BAD]++;
    if (n >= BAD_GAMES_SHOWN)
        return;
    struct bad_game *bad = &builder->report.bad[n];
    text_copy(bad->file, sizeof bad->file, span_of(name));
    bad->number = game->number;
    bad->diag = *diag;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool parts_words(char c)
{
    return c == ' ' || c == ',' || c == '.';
}

/* Takes the next word off the front of `rest`; an empty one means that none is left. */
static struct span next_word(struct span *rest)
{
    while (rest->size && parts_words(rest->data[0]))
        *rest = span_make(rest->data + 1, rest->size - 1);
    struct span word = span_make(rest->data, 0);
    while (rest->size && !parts_words(rest->data[0])) {
        *rest = span_make(rest->data + 1, rest->size - 1);
        word.size++;
    }
    return word;
}

static bool starts_with(struct span word, struct span start)
{
    if (word.size < start.size)
        return false;
    for (size_t i = 0; i < start.size; i++)
        if (lower(word.data[i]) != lower(start.data[i]))
            return false;
    return true;
}

bool player_matches(struct span name, const char *wanted)
{
    struct span rest = span_of(wanted);
    bool first = true;
    for (struct span want; (want = next_word(&rest)).size; first = false) {
        struct span word = next_word(&name);
        if (!starts_with(word, want) || (first && word.size != want.size))
            return false;
    }
    return !first;
}

/* Whose moves of this game count. */
static void colors_of(const struct build_options *options, const struct pgn_game *game,
                      bool colors[2])
{
    static const char *const tags[2] = {"White", "Black"};
    for (int color = WHITE; color <= BLACK; color++)
        colors[color] =
            options->colors[color] &&
            (!options->player || player_matches(pgn_tag_value(game, tags[color]), options->player));
}

/* LEFT_REASONS: the game counts. */
static enum left_out reason_to_leave(const struct build_options *options,
                                     const struct pgn_game *game, const bool colors[2])
{
    if (game->unfinished && !options->unfinished)
        return LEFT_UNFINISHED;
    if (game->chess960)
        return LEFT_CHESS960;
    if (!colors[WHITE] && !colors[BLACK])
        return LEFT_PLAYER;
    return game->ply_count ? LEFT_REASONS : LEFT_EMPTY;
}

/* The result as `color` sees it. */
static enum outcome outcome_for(enum pgn_result result, int color)
{
    if (result != PGN_WHITE_WINS && result != PGN_BLACK_WINS)
        return OUTCOME_DRAW;
    return (result == PGN_WHITE_WINS) == (color == WHITE) ? OUTCOME_WIN : OUTCOME_LOSS;
}

static bool stood_before(const struct pgn_game *game, size_t ply)
{
    for (size_t i = 0; i < ply; i++)
        if (game->keys[i] == game->keys[ply])
            return true;
    return false;
}

static enum caxton_status count_game(struct builder *builder, const struct pgn_game *game,
                                     const bool colors[2], struct diag *diag)
{
    uint64_t keys[PLIES_AT_ONCE];
    uint16_t moves[PLIES_AT_ONCE];
    uint8_t outcomes[PLIES_AT_ONCE];
    size_t count = 0;
    size_t plies =
        game->ply_count < builder->options.max_plies ? game->ply_count : builder->options.max_plies;
    for (size_t ply = 0; ply < plies; ply++) {
        int color = game->start.turn ^ (int)(ply & 1);
        /* A position counts once a game, with the move first played in it. */
        if (!colors[color] || stood_before(game, ply))
            continue;
        keys[count] = game->keys[ply];
        moves[count] = polyglot_from_move(game->moves[ply]);
        outcomes[count++] = (uint8_t)outcome_for(game->result, color);
        if (count == PLIES_AT_ONCE || ply + 1 == plies) {
            enum caxton_status status =
                counter_add(builder->counter, keys, moves, outcomes, count, diag);
            if (status != STATUS_OK)
                return status;
            builder->report.plies += count;
            count = 0;
        }
    }
    builder->report.plies += count;
    return counter_add(builder->counter, keys, moves, outcomes, count, diag);
}

static enum caxton_status take_game(struct builder *builder, const struct pgn_game *game,
                                    struct diag *diag)
{
    bool colors[2];
    colors_of(&builder->options, game, colors);
    enum left_out reason = reason_to_leave(&builder->options, game, colors);
    if (reason != LEFT_REASONS) {
        builder->report.left[reason]++;
        return STATUS_OK;
    }
    builder->report.used++;
    return count_game(builder, game, colors, diag);
}

enum caxton_status builder_read(struct builder *builder, pgn_source source, void *context,
                                const char *name, struct diag *diag)
{
    struct pgn_reader *reader = pgn_create(source, context);
    if (!reader) {
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    pgn_set_ply_limit(reader, builder->options.max_plies);
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK) {
        struct pgn_game game;
        struct diag fault;
        status = pgn_next(reader, &game, &fault);
        if (status == STATUS_END)
            break;
        if (status == STATUS_IO || status == STATUS_NO_MEMORY) {
            diag_set(diag, 0, 0, "%s: %s", name,
                     status == STATUS_IO && errno ? strerror(errno) : status_name(status));
            break;
        }
        builder->report.games++;
        if (status == STATUS_OK) {
            status = take_game(builder, &game, diag);
        } else {
            note_bad_game(builder, &game, name, &fault);
            status = STATUS_OK;
        }
    }
    pgn_destroy(reader);
    return status == STATUS_END ? STATUS_OK : status;
}

enum caxton_status builder_write(struct builder *builder, FILE *out, struct diag *diag)
{
    struct weigher *weigher = weigher_create(out);
    if (!weigher) {
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    diag_set(diag, 0, 0, "cannot write the book");
    enum caxton_status status = counter_merge(&builder->counter, 1, builder->options.min_games,
                                              weigher_take, weigher, diag);
    if (status == STATUS_OK)
        status = weigher_finish(weigher, &builder->report.weights);
    weigher_destroy(weigher);
    return status;
}
