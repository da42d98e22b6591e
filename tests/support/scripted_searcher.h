/* A searcher that plays what a script says; elsewhere a legal move that depends on the position
 * alone. Its settings are a struct script. Include after cmocka.h. */
#pragma once

#include <stdatomic.h>
#include <stdlib.h>

#include "base/rng.h"
#include "book/scoring/searcher.h"

enum { SCRIPT_MAX = 32 };

struct script {
    struct {
        uint64_t key;
        move best;
        uint64_t limit; /* plies or nodes; 0: any */
        int score;
        bool scored; /* else the score depends on the position alone, too */
    } rows[SCRIPT_MAX];
    int count;
    bool flat;            /* elsewhere the first legal move is best, of score 0 */
    bool only;            /* a position that the script lacks is a fault */
    atomic_uint searched; /* how many searches there were */
    unsigned fail_after;  /* the search after so many fails; 0: none */
    atomic_bool stopped;
};

static inline enum caxton_status script_create(const void *settings, void **out, struct diag *diag)
{
    (void)diag;
    /* The script counts what is asked: the searcher is not only read. */
    union {
        const void *given;
        void *kept;
    } script = {.given = settings};
    *out = script.kept;
    return STATUS_OK;
}

static inline void script_destroy(void *searcher)
{
    (void)searcher;
}

static inline enum caxton_status script_search(void *searcher, const struct position *pos,
                                               struct search_limit limit, struct search_answer *out,
                                               struct diag *diag)
{
    struct script *script = searcher;
    unsigned number = atomic_fetch_add(&script->searched, 1) + 1;
    if (atomic_load(&script->stopped))
        return STATUS_END;
    if (script->fail_after && number > script->fail_after) {
        diag_set(diag, 0, 0, "the engine has died");
        return STATUS_IO;
    }
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    uint64_t chance = rng_mix(pos->key ^ limit.value);
    *out = (struct search_answer){.best = moves[chance % (uint64_t)count],
                                  .score = (int)(chance >> 32 & 255),
                                  .depth = (int)limit.value,
                                  .nodes = 1000 + (chance >> 40 & 255)};
    if (script->flat) {
        out->best = moves[0];
        out->score = 0;
    }
    for (int i = 0; i < script->count; i++)
        if (script->rows[i].key == pos->key &&
            (script->rows[i].limit == 0 || script->rows[i].limit == limit.value)) {
            out->best = script->rows[i].best;
            if (script->rows[i].scored)
                out->score = script->rows[i].score;
            return STATUS_OK;
        }
    if (!script->only)
        return STATUS_OK;
    diag_set(diag, 0, 0, "not in the script");
    return STATUS_NOT_FOUND;
}

static inline void script_stop(void *searcher)
{
    struct script *script = searcher;
    atomic_store(&script->stopped, true);
}

static const struct searcher_kind scripted_searcher = {script_create, script_destroy, script_search,
                                                       script_stop};

/* In `pos` the move `uci` is best. */
static inline void script_add(struct script *script, const struct position *pos, const char *uci)
{
    assert_true(script->count < SCRIPT_MAX);
    script->rows[script->count].key = pos->key;
    assert_int_equal(move_from_uci(pos, span_of(uci), &script->rows[script->count].best),
                     STATUS_OK);
    script->count++;
}

/* And a search of that limit (0: of any) scores it so, from the view of the side to move. */
static inline void script_score(struct script *script, const struct position *pos, const char *uci,
                                uint64_t limit, int score)
{
    script_add(script, pos, uci);
    script->rows[script->count - 1].limit = limit;
    script->rows[script->count - 1].score = score;
    script->rows[script->count - 1].scored = true;
}
