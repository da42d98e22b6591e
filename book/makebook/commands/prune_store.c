#include "book/makebook/commands/prune_store.h"

#include "book/makebook/cli/command.h"
#include "book/polyglot_entry.h"
#include "eval/eval.h"
#include "search/score.h"

bool prune_store_read(const struct command_line *line, const char *path, struct prune_store *out)
{
    struct diag diag = {.text = "out of memory"};
    *out = (struct prune_store){.store = NULL};
    if (!source_read(line, path, &out->source))
        return false;
    const struct source *source = &out->source;
    enum caxton_status status = STATUS_FORMAT;
    if (source->stats)
        diag_set(&diag, 0, 0, "these are statistics, no store of searches");
    else
        status = score_store_parse(source->bytes, source->size, NULL, &out->store, &diag);
    if (status == STATUS_OK)
        status = deepest_answers_take(out->store, NULL, 0, &out->answers);
    if (status == STATUS_OK)
        return true;
    (void)command_fail(line, "%s: %s", path, diag.text);
    prune_store_free(out);
    return false;
}

void prune_store_free(struct prune_store *store)
{
    enum caxton_status closed = score_store_close(store->store, NULL);
    (void)closed; /* nothing was written to it */
    deepest_answers_free(&store->answers);
    source_close(&store->source);
    *store = (struct prune_store){.store = NULL};
}

void prune_store_facts(void *context, uint64_t key, const struct position *pos, uint16_t stored,
                       struct prune_facts *out)
{
    const struct prune_store *store = context;
    (void)key;
    move m = pos ? polyglot_to_move(pos, stored) : MOVE_NONE;
    if (m == MOVE_NONE)
        return;
    struct played_games games;
    struct packed_position packed;
    position_pack(pos, &packed);
    if (score_store_played(store->store, &packed, m, &games)) {
        out->games = games.wins + games.draws + games.losses;
        out->points = 2 * games.wins + games.draws;
        out->has_games = out->games > 0;
    }
    struct search_answer answer;
    out->has_eval = deepest_answers_of_move(&store->answers, pos, m, &answer);
    if (out->has_eval)
        out->eval_cp = score_is_mate(answer.score) ? answer.score : eval_centipawns(answer.score);
}
