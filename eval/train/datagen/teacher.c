#include "eval/train/datagen/teacher.h"
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#include "eval/train/datagen/uci_process.h"
#include "search/search.h"

enum { OWN_HASH_MB = 8, ENGINE_LANES = 32 };

struct teacher {
    struct search *search; /* NULL when an engine teaches */
    struct uci_process *engine;
    uint64_t nodes;
    const atomic_bool *stop;
};

enum caxton_status teacher_create(const struct teacher_setup *setup, struct teacher **out,
                                  struct diag *diag)
{
    enum caxton_status status = STATUS_NO_MEMORY;
    struct teacher *teacher = calloc(1, sizeof *teacher);
    if (teacher) {
        teacher->nodes = setup->nodes;
        teacher->stop = setup->stop;
        if (setup->command) {
            status = uci_process_start(setup, &teacher->engine, diag);
        } else {
            teacher->search = search_create();
            if (teacher->search)
                status = search_set_hash(teacher->search, OWN_HASH_MB);
        }
    }
    if (status != STATUS_OK) {
        if (status == STATUS_NO_MEMORY)
            diag_set(diag, 0, 0, "%s", status_name(status));
        teacher_destroy(teacher);
        return status;
    }
    *out = teacher;
    return STATUS_OK;
}

void teacher_destroy(struct teacher *teacher)
{
    if (!teacher)
        return;
    search_destroy(teacher->search);
    uci_process_end(teacher->engine);
    free(teacher);
}

/* One game at a time for the own search, whose table is cleared between games. An engine that
 * answers from one node is asked many questions ahead, so that neither side waits for the other:
 * there is no search worth the name that the next question could end. */
int teacher_lanes(const struct teacher *teacher)
{
    return teacher->engine && teacher->nodes == 1 ? ENGINE_LANES : 1;
}

enum caxton_status teacher_greet(struct teacher *teacher, struct diag *diag)
{
    return teacher->engine ? uci_process_greet(teacher->engine, diag) : STATUS_OK;
}

void teacher_new_game(struct teacher *teacher)
{
    if (teacher->search)
        search_clear(teacher->search);
}

enum caxton_status teacher_ask(struct teacher *teacher, const struct game *game, move only,
                               struct diag *diag)
{
    if (!teacher->engine)
        return STATUS_OK;
    return uci_process_ask(teacher->engine, game_position(game), only, diag);
}

static int bounded(int score)
{
    if (abs(score) >= SCORE_MATE_IN_MAX)
        return score > 0 ? TEACHER_MATE : -TEACHER_MATE;
    return score;
}

static void add_past(struct search_request *request, const struct game *game)
{
    size_t plies = game_plies(game);
    size_t count = plies < SEARCH_KEYS_MAX ? plies : SEARCH_KEYS_MAX;
    request->key_count = (int)count;
    memcpy(request->keys, game_keys(game) + plies - count, count * sizeof request->keys[0]);
}

static enum caxton_status think(struct teacher *teacher, const struct game *game, move only,
                                struct lesson *out)
{
    struct search_request request;
    struct search_reporter silent = {0};
    struct search_result result;
    search_request_init(&request);
    request.root = *game_position(game);
    request.nodes = teacher->nodes;
    request.moves[0] = only;
    request.move_count = only != MOVE_NONE;
    add_past(&request, game);
    search_arm(teacher->search, false, clock_ms());
    /* Looked at after arming, which forgets what teacher_hurry() did before. */
    if (atomic_load(teacher->stop))
        return STATUS_END;
    search_run(teacher->search, &request, &silent, &result);
    if (atomic_load(teacher->stop))
        return STATUS_END; /* the search may be cut short */
    out->score = bounded(result.score);
    out->best = result.best;
    return STATUS_OK;
}

enum caxton_status teacher_answer(struct teacher *teacher, const struct game *game, move only,
                                  struct lesson *out, struct diag *diag)
{
    if (teacher->engine)
        return uci_process_answer(teacher->engine, game_position(game), out, diag);
    return think(teacher, game, only, out);
}

void teacher_hurry(struct teacher *teacher)
{
    /* An engine's answer is waited for in short pieces: nothing to do. */
    if (teacher->search)
        search_stop(teacher->search);
}
