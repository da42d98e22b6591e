/* A grow with a scripted search and a given book in memory. Include after cmocka.h. */
#pragma once

#include "book/grow/grow.h"
#include "tests/support/book_entries.h"
#include "tests/support/scripted_searcher.h"

static const struct searcher_identity nobody = {.name = "Script"};

/* A grow with all that it needs. */
struct setting {
    struct grow_options options;
    struct book_bytes bytes; /* of the given book */
    struct script script;
    int threads;
    struct book *book;
    struct opponent_source source;
    struct score_store *store;
    struct scorer *scorer;
    struct grow *grow;
};

static inline void open_setting(struct setting *setting)
{
    struct diag diag;
    if (setting->bytes.size)
        setting->book = open_bytes(&setting->bytes);
    setting->source = (struct opponent_source){.book = setting->book, .share = 1};
    setting->options.opponent.sources = &setting->source;
    setting->options.opponent.source_count = setting->book != NULL;
    assert_int_equal(score_store_open(NULL, &nobody, &setting->store, &diag), STATUS_OK);
    assert_int_equal(scorer_create(&scripted_searcher, &setting->script,
                                   setting->threads ? setting->threads : 1, setting->store,
                                   &setting->scorer, &diag),
                     STATUS_OK);
    assert_int_equal(grow_create(&setting->options, setting->scorer, &setting->grow), STATUS_OK);
}

static inline void close_setting(struct setting *setting)
{
    grow_destroy(setting->grow);
    scorer_destroy(setting->scorer);
    assert_int_equal(score_store_close(setting->store, NULL), STATUS_OK);
    book_close(setting->book);
}

/* After `moves` the given book plays `uci` with that weight. */
static inline void give(struct setting *setting, const char *moves, const char *uci,
                        uint16_t weight)
{
    put(&setting->bytes, position_by_moves(moves).key, uci, weight);
}

/* After `moves` the search finds `uci`. */
static inline void find(struct setting *setting, const char *moves, const char *uci)
{
    const struct position pos = position_by_moves(moves);
    script_add(&setting->script, &pos, uci);
}

static inline uint32_t node_after(const struct grow *grow, const char *moves)
{
    return dag_find(grow_dag(grow), position_by_moves(moves).key);
}
