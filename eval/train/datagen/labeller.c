#include "eval/train/datagen/labeller.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "eval/train/datagen/uci_process.h"
#include "search/search.h"

enum { OWN_HASH_MB = 8, ENGINE_GAMES = 32 };

struct labeller {
    struct search *search; /* NULL: an engine labels */
    struct uci_process *engine;
    uint64_t nodes;
    const atomic_bool *stop;
};

enum caxton_status labeller_create(const struct labeller_setup *setup, struct labeller **out,
                                   struct diag *diag)
{
    enum caxton_status status = STATUS_NO_MEMORY;
    struct labeller *labeller = calloc(1, sizeof *labeller);
    if (labeller) {
        labeller->nodes = setup->nodes;
        labeller->stop = setup->stop;
        if (setup->command) {
            status = uci_process_start(setup, &labeller->engine, diag);
        } else {
            labeller->search = search_create();
            if (labeller->search)
                status = search_set_hash(labeller->search, OWN_HASH_MB);
        }
    }
    if (status != STATUS_OK) {
        labeller_destroy(labeller);
        return status;
    }
    *out = labeller;
    return STATUS_OK;
}

void labeller_destroy(struct labeller *labeller)
{
    if (!labeller)
        return;
    search_destroy(labeller->search);
    uci_process_end(labeller->engine);
    free(labeller);
}

/* One game at a time for our own search, because its hash table is cleared between games. An engine
 * that searches one node is asked many questions ahead, so that neither side waits for the other;
 * with more nodes, the next question could end a search. */
int labeller_games(const struct labeller *labeller)
{
    return labeller->engine && labeller->nodes == 1 ? ENGINE_GAMES : 1;
}

enum caxton_status labeller_wait_ready(struct labeller *labeller, struct diag *diag)
{
    return labeller->engine ? uci_process_handshake(labeller->engine, diag) : STATUS_OK;
}

void labeller_new_game(struct labeller *labeller)
{
    if (labeller->search)
        search_clear(labeller->search);
}

enum caxton_status labeller_ask(struct labeller *labeller, const struct game *game, move only,
                                struct diag *diag)
{
    if (!labeller->engine)
        return STATUS_OK;
    return uci_process_ask(labeller->engine, game_position(game), only, diag);
}

static int limit_mate(int score)
{
    if (abs(score) >= SCORE_MATE_IN_MAX)
        return score > 0 ? LABEL_MATE : -LABEL_MATE;
    return score;
}

static void add_history(struct search_request *request, const struct game *game)
{
    size_t plies = game_plies(game);
    size_t count = plies < SEARCH_KEYS_MAX ? plies : SEARCH_KEYS_MAX;
    request->key_count = (int)count;
    memcpy(request->keys, game_keys(game) + plies - count, count * sizeof request->keys[0]);
}

static enum caxton_status search_label(struct labeller *labeller, const struct game *game,
                                       move only, struct label *out)
{
    struct search_request request;
    struct search_reporter silent = {0};
    struct search_result result;
    search_request_init(&request);
    request.root = *game_position(game);
    request.nodes = labeller->nodes;
    request.moves[0] = only;
    request.move_count = only != MOVE_NONE;
    add_history(&request, game);
    search_arm(labeller->search, false, clock_ms());
    /* Read after arming, which forgets an earlier labeller_interrupt(). */
    if (atomic_load(labeller->stop))
        return STATUS_END;
    search_run(labeller->search, &request, &silent, &result);
    if (atomic_load(labeller->stop))
        return STATUS_END; /* the search may be cut short */
    out->score = limit_mate(result.score);
    out->best = result.best;
    return STATUS_OK;
}

enum caxton_status labeller_answer(struct labeller *labeller, const struct game *game, move only,
                                   struct label *out, struct diag *diag)
{
    if (labeller->engine)
        return uci_process_answer(labeller->engine, game_position(game), out, diag);
    return search_label(labeller, game, only, out);
}

void labeller_interrupt(struct labeller *labeller)
{
    /* While an engine is waited for, `stop` is checked anyway. */
    if (labeller->search)
        search_stop(labeller->search);
}
