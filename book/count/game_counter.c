#include "book/count/game_counter.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "book/count/filter/game_mark.h"
#include "book/polyglot_entry.h"
#include "chess/mirror.h"

/* What the games amount to that leave the tree of openings at a node, by result: of White, of
 * Black, drawn. */
struct leaving {
    uint64_t amounts[3];
};

/* A larger tree knows more moves, but does not stay in the processor's caches (README.md). It
 * begins anew after so many games, for a file may be sorted by openings. */
enum { NODES_MAX = 1 << 11, TREE_GAMES = 1 << 17 };

struct game_counter {
    const struct count_options *options;
    struct duplicates *duplicates;
    struct counter_worker *worker;
    struct sampler_worker *samples; /* NULL: none are chosen */
    uint16_t file;                  /* number of the present one, and which byte of it is the */
    uint64_t start;                 /* first of the text */
    uint32_t facet;                 /* of the present game, */
    uint16_t ratings[2];            /* and its players' */
    struct pgn_reader *reader;
    struct leaving *leaving; /* of each node; NULL: no game is counted so */
    uint32_t in_tree;        /* games read since the tree of openings was empty */
    uint64_t *keys;          /* of the present game, where colours are mirrored */
    size_t keys_capacity;
};

/* The result as `color` sees it. */
static enum outcome outcome_for(enum pgn_result result, int color)
{
    if (result != PGN_WHITE_WINS && result != PGN_BLACK_WINS)
        return OUTCOME_DRAW;
    return (result == PGN_WHITE_WINS) == (color == WHITE) ? OUTCOME_WIN : OUTCOME_LOSS;
}

/* Which keys a game has had, roughly: most positions are seen at once to be new. */
enum { SEEN_WORDS = 16 };
struct seen {
    uint64_t bits[SEEN_WORDS];
};

/* Notes a key; false: it is new. */
static inline bool note_seen(struct seen *seen, uint64_t key)
{
    uint64_t *word = &seen->bits[key >> 32 & (SEEN_WORDS - 1)];
    uint64_t bit = UINT64_C(1) << (key & 63);
    bool maybe = *word & bit;
    *word |= bit;
    return maybe;
}

/* Has the position at `ply` stood on the board before? Asked for one ply after the other. */
static bool stood_before(struct seen *seen, const uint64_t *keys, size_t ply)
{
    bool maybe = note_seen(seen, keys[ply]);
    for (size_t i = 0; maybe && i < ply; i++)
        if (keys[i] == keys[ply])
            return true;
    return false;
}

/* The keys of the first `count` positions as if White were to move in each. */
static enum caxton_status mirror_keys(struct game_counter *games, const struct pgn_game *game,
                                      size_t count)
{
    uint64_t *keys = array_reserve(games->keys, &games->keys_capacity, count, sizeof *keys);
    if (!keys)
        return STATUS_NO_MEMORY;
    games->keys = keys;
    struct position pos = game->start;
    for (size_t ply = 0; ply < count; ply++) {
        keys[ply] = pos.turn == WHITE ? game->keys[ply] : position_mirror_key(&pos);
        position_play(&pos, game->moves[ply]);
    }
    return STATUS_OK;
}

static struct sample sample_of(const struct game_counter *games, const struct pgn_game *game)
{
    return (struct sample){.at = games->start + game->offset,
                           .mark = game_mark(game, games->options->max_plies),
                           .facet = games->facet,
                           .elos = game_elos(game),
                           .file = games->file};
}

/* May the game count by the node where it leaves the tree? */
static bool counts_by_node(const struct game_counter *games, const struct pgn_game *game,
                           const struct verdict *verdict)
{
    return games->leaving && game->node > PGN_NODE_START && !verdict->first &&
           verdict->colors[WHITE] && verdict->colors[BLACK] && !games->options->filter.no_blunders;
}

/* Counts all moves of a new game: those up to its last node with all that leave the tree there, the
 * others at once. */
static enum caxton_status count_by_node(struct game_counter *games, const struct pgn_game *game,
                                        const struct verdict *verdict, struct chunk_report *report,
                                        struct diag *diag)
{
    const enum outcome outcomes[2] = {outcome_for(game->result, WHITE),
                                      outcome_for(game->result, BLACK)};
    struct seen seen = {{0}};
    size_t count;
    size_t known = pgn_nodes(games->reader, &count)[game->node].ply;
    games->leaving[game->node].amounts[outcomes[WHITE]] += verdict->amount;
    report->counts.plies += known < verdict->end ? known : verdict->end;
    if (known >= verdict->end)
        return STATUS_OK;
    for (size_t ply = 0; ply < known; ply++)
        (void)note_seen(&seen, game->keys[ply]);
    enum caxton_status status = STATUS_OK;
    for (size_t from = known; from < verdict->end && status == STATUS_OK;) {
        size_t end = from;
        while (end < verdict->end && !stood_before(&seen, game->keys, end))
            end++;
        status =
            counter_worker_add_line(games->worker, game->keys + from, game->moves + from,
                                    end - from, (int)(from & 1), outcomes, verdict->amount, diag);
        report->counts.plies += end - from;
        from = end + 1;
    }
    return status;
}

/* Passes on what was counted by nodes. */
static enum caxton_status flush_openings(struct game_counter *games, struct diag *diag)
{
    size_t count;
    const struct pgn_node *nodes = pgn_nodes(games->reader, &count);
    enum caxton_status status = STATUS_OK;
    games->in_tree = 0;
    for (size_t node = count; games->leaving && node-- > PGN_NODE_START + 1;) {
        const struct pgn_node *parent = &nodes[nodes[node].parent];
        for (int i = 0; i < OUTCOMES; i++) {
            uint64_t amount = games->leaving[node].amounts[i];
            games->leaving[nodes[node].parent].amounts[i] += amount;
            if (!amount || nodes[node].ply > games->options->max_plies || status != STATUS_OK)
                continue;
            status = counter_worker_add(
                games->worker,
                &(struct counted_move){.key = parent->key,
                                       .move = polyglot_from_move(nodes[node].played),
                                       .outcome =
                                           (enum outcome)(parent->ply & 1 ? OUTCOME_LOSS - i : i),
                                       .amount = amount},
                diag);
        }
    }
    if (games->leaving)
        memset(games->leaving, 0, count * sizeof *games->leaving);
    pgn_forget_nodes(games->reader);
    return status;
}

/* Counts the moves of a game, and offers it as a sample of their positions. An equal one that was
 * counted before (is_new: false) is offered, too: which of them came first is a matter of chance.
 */
static enum caxton_status count_game(struct game_counter *games, const struct pgn_game *game,
                                     const struct verdict *verdict, bool is_new,
                                     struct chunk_report *report, struct diag *diag)
{
    if (is_new && counts_by_node(games, game, verdict))
        return count_by_node(games, game, verdict, report, diag);
    const struct filter *filter = &games->options->filter;
    bool mirror = games->options->mirror;
    const enum outcome outcomes[2] = {outcome_for(game->result, WHITE),
                                      outcome_for(game->result, BLACK)};
    const bool takes_all = verdict->colors[WHITE] && verdict->colors[BLACK] && !filter->no_blunders;
    struct sample sample = games->samples ? sample_of(games, game) : (struct sample){0};
    struct seen seen = {{0}};
    if (mirror && mirror_keys(games, game, verdict->end) != STATUS_OK)
        return STATUS_NO_MEMORY;
    const uint64_t *keys = mirror ? games->keys : game->keys;
    for (size_t ply = 0; ply < verdict->end; ply++) {
        /* A position counts once a game, with the move first played in it. */
        bool again = stood_before(&seen, keys, ply);
        if (again || ply < verdict->first ||
            !(takes_all || filter_takes_ply(filter, game, verdict, ply)))
            continue;
        int turn = game->start.turn ^ (int)(ply & 1);
        move m = mirror && turn == BLACK ? move_mirror(game->moves[ply]) : game->moves[ply];
        enum caxton_status status = STATUS_OK;
        if (is_new)
            status = counter_worker_add(
                games->worker,
                &(struct counted_move){keys[ply],
                                       polyglot_from_move(m),
                                       outcomes[turn],
                                       verdict->amount,
                                       games->facet,
                                       {games->ratings[turn], games->ratings[!turn]}},
                diag);
        if (games->options->facets)
            sample.move = polyglot_from_move(m);
        if (status == STATUS_OK && games->samples)
            status = sampler_add(games->samples, keys[ply], &sample, diag);
        if (status != STATUS_OK)
            return status;
        report->counts.plies += is_new;
    }
    return STATUS_OK;
}

/* `fault`: what is wrong with the game, NULL: nothing. */
static enum caxton_status take_game(struct game_counter *games, const struct pgn_game *game,
                                    const struct diag *fault, struct chunk_report *report,
                                    struct diag *diag)
{
    const struct filter *filter = &games->options->filter;
    struct verdict verdict = filter_judge(filter, game, fault != NULL, games->options->max_plies);
    bool is_new = true;
    if (verdict.counts && games->options->facets)
        games->facet = game_facet(game, games->options->facets, games->ratings);
    if (verdict.counts && games->duplicates) {
        uint64_t facets = (uint64_t)games->facet << 32 | (uint64_t)games->ratings[WHITE] << 16 |
                          games->ratings[BLACK];
        enum caxton_status status = duplicates_add(
            games->duplicates, filter_fingerprint(filter, game, &verdict, fault, facets), &is_new,
            diag);
        if (status != STATUS_OK)
            return status;
        if (!is_new)
            verdict.reason = filter_reason_duplicate();
    }
    if (!verdict.counts || !is_new) {
        report->counts.left_out[verdict.reason]++;
        filter_note_names(filter, game, &verdict, &report->counts.near_players);
        return verdict.counts && games->samples
                   ? count_game(games, game, &verdict, is_new, report, diag)
                   : STATUS_OK;
    }
    report->counts.used++;
    report->counts.amount += verdict.amount;
    report->counts.bad_used += fault != NULL;
    /* Without duplicates the ply limit may be taken for the end. */
    if (!fault && game->plies_read <= EARLY_PLIES &&
        (games->duplicates || game->plies_read < games->options->max_plies))
        report->counts.early[game->result]++;
    if (games->options->take)
        return games->options->take(games->options->take_context, game, &verdict, diag);
    return count_game(games, game, &verdict, is_new, report, diag);
}

static void note_bad_game(struct chunk_report *report, const struct pgn_game *game,
                          const struct diag *fault)
{
    uint64_t n = report->counts.bad_games++;
    if (n < BAD_GAMES_SHOWN)
        report->counts.bad[n] = (struct bad_game){.number = game->number, .diag = *fault};
}

static void note_oddities(struct chunk_report *report, const struct pgn_game *game)
{
    for (int i = 0; game->notes >> i; i++) {
        struct noted_games *noted = &report->counts.notes[i];
        if (!(game->notes >> i & 1))
            continue;
        if (!noted->games++) {
            noted->number = game->number;
            noted->line = game->line;
        }
    }
}

/* One game, or STATUS_END. */
static enum caxton_status take_next(struct game_counter *games, struct chunk_report *report,
                                    struct diag *diag)
{
    struct pgn_game game;
    struct diag fault = {.text = ""};
    enum caxton_status status = pgn_next(games->reader, &game, &fault);
    if (status == STATUS_END)
        return status;
    if (status != STATUS_OK && !pgn_is_game_fault(status)) {
        diag_set(diag, 0, 0, "%s", status_name(status)); /* the source knows more */
        return status;
    }
    report->counts.games++;
    note_oddities(report, &game);
    if (status == STATUS_OK)
        return take_game(games, &game, NULL, report, diag);
    note_bad_game(report, &game, &fault);
    if (!games->options->strict)
        return take_game(games, &game, &fault, report, diag);
    *diag = fault;
    return status;
}

static enum caxton_status no_source(void *context, char *buffer, size_t capacity, size_t *size)
{
    (void)context;
    (void)buffer;
    (void)capacity;
    *size = 0;
    return STATUS_OK;
}

/* The tree of openings, of a part of the memory. */
static bool set_nodes(struct game_counter *games)
{
    const struct count_options *options = games->options;
    size_t jobs = options->jobs > 0 ? (size_t)options->jobs : 1;
    size_t size = PGN_NODE_BYTES + sizeof *games->leaving;
    size_t nodes = options->memory_bytes / OPENINGS_SHARE / jobs / size;
    if (pgn_set_nodes(games->reader, nodes < NODES_MAX ? nodes : NODES_MAX) != STATUS_OK)
        return false;
    if (!games->worker || games->samples || options->facets || options->mirror || options->take)
        return true;
    games->leaving = calloc(NODES_MAX, sizeof *games->leaving);
    return games->leaving != NULL;
}

struct game_counter *game_counter_create(const struct count_options *options,
                                         struct duplicates *duplicates, struct counter *counter,
                                         struct sampler_worker *samples)
{
    struct game_counter *games = calloc(1, sizeof *games);
    if (!games)
        return NULL;
    games->options = options;
    games->duplicates = duplicates;
    games->samples = samples;
    games->worker = counter ? counter_worker_create(counter) : NULL;
    games->reader = pgn_create(no_source, NULL);
    if ((counter && !games->worker) || !games->reader) {
        game_counter_destroy(games);
        return NULL;
    }
    if (!set_nodes(games)) {
        game_counter_destroy(games);
        return NULL;
    }
    pgn_set_ply_limit(games->reader, filter_plies_needed(&options->filter, options->max_plies));
    pgn_set_whole_games(games->reader, duplicates != NULL);
    return games;
}

void game_counter_destroy(struct game_counter *games)
{
    if (!games)
        return;
    counter_worker_destroy(games->worker);
    pgn_destroy(games->reader);
    free(games->leaving);
    free(games->keys);
    free(games);
}

void game_counter_set_place(struct game_counter *games, uint16_t file, uint64_t start)
{
    games->file = file;
    games->start = start;
}

static enum caxton_status take_all(struct game_counter *games, struct chunk_report *report,
                                   struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK) {
        status = take_next(games, report, diag);
        if (++games->in_tree >= TREE_GAMES && status == STATUS_OK)
            status = flush_openings(games, diag);
    }
    report->lines = pgn_lines(games->reader);
    return status == STATUS_END ? STATUS_OK : status;
}

enum caxton_status game_counter_run(struct game_counter *games, pgn_source source, void *context,
                                    struct chunk_report *report, struct diag *diag)
{
    pgn_restart(games->reader, source, context);
    return take_all(games, report, diag);
}

enum caxton_status game_counter_run_text(struct game_counter *games, char *text, size_t size,
                                         struct chunk_report *report, struct diag *diag)
{
    pgn_restart_text(games->reader, text, size);
    return take_all(games, report, diag);
}

enum caxton_status game_counter_finish(struct game_counter *games, struct diag *diag)
{
    enum caxton_status status = flush_openings(games, diag);
    return status == STATUS_OK ? counter_worker_flush(games->worker, diag) : status;
}
