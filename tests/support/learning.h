/* Learning with a scripted search, a book and games in memory. Include after cmocka.h. */
#pragma once

#include "book/learn/learn.h"
#include "book/scoring/score_store.h"
#include "eval/eval.h"
#include "search/score.h"
#include "tests/support/book_entries.h"
#include "tests/support/scripted_searcher.h"

/* A search that says what its rows say; elsewhere the first legal move, and 0 for both sides. */
struct row {
    uint64_t key;
    move best;
    int score; /* of the side to move: centipawns, or a mate */
};
struct rows {
    struct row list[SCRIPT_MAX];
    int count;
};

static inline enum caxton_status rows_search(void *searcher, const struct position *pos,
                                             struct search_limit limit, struct search_answer *out,
                                             struct diag *diag)
{
    const struct rows *rows = searcher;
    move moves[MOVES_MAX];
    (void)diag;
    (void)movegen_legal(pos, moves);
    *out = (struct search_answer){.best = moves[0], .depth = (int)limit.value, .nodes = 1};
    for (int i = 0; i < rows->count; i++)
        if (rows->list[i].key == pos->key) {
            out->best = rows->list[i].best != MOVE_NONE ? rows->list[i].best : moves[0];
            int score = rows->list[i].score;
            out->score = score_is_mate(score) ? score : eval_of_centipawns(score);
        }
    return STATUS_OK;
}

static inline void rows_stop(void *searcher)
{
    (void)searcher;
}

static const struct searcher_kind rows_searcher = {script_create, script_destroy, rows_search,
                                                   rows_stop};

static const struct searcher_identity nobody = {.name = "Rows"};

struct lesson {
    struct book_bytes bytes;
    struct rows rows;
    struct learn_options options;
    struct learn_choice choice;
    const char *games; /* PGN */
    int threads;
    struct book *book;
    struct learn_games read;
    struct score_store *store;
    struct scorer *scorer;
    struct learnt learnt;
};

static inline void give(struct lesson *lesson, const char *moves, const char *uci, uint16_t weight)
{
    put(&lesson->bytes, position_by_moves(moves).key, uci, weight);
}

/* After `moves` the search prefers `uci` ("": anything) and sees that score. */
static inline void find(struct lesson *lesson, const char *moves, const char *uci, int score)
{
    struct position pos = position_by_moves(moves);
    struct row *row = &lesson->rows.list[lesson->rows.count++];
    assert_true(lesson->rows.count <= SCRIPT_MAX);
    *row = (struct row){.key = pos.key, .best = MOVE_NONE, .score = score};
    if (*uci)
        assert_int_equal(move_from_uci(&pos, span_of(uci), &row->best), STATUS_OK);
}

static inline void open_store(struct lesson *lesson)
{
    struct diag diag;
    assert_int_equal(score_store_open(NULL, &nobody, &lesson->store, &diag), STATUS_OK);
}

static inline void read_games(struct lesson *lesson)
{
    struct span text = span_of(lesson->games);
    assert_int_equal(
        learn_games_read(&lesson->read, &lesson->choice, span_read, &text, "games.pgn"), STATUS_OK);
    learn_games_sort(&lesson->read);
}

/* Learns; the store is there already, or is made. */
static inline void learn(struct lesson *lesson)
{
    struct diag diag;
    if (!lesson->store)
        open_store(lesson);
    if (!lesson->options.limit.value)
        lesson->options.limit = (struct search_limit){SEARCH_TO_DEPTH, 8};
    lesson->options.margin_cp = 20;
    lesson->book = open_bytes(&lesson->bytes);
    read_games(lesson);
    assert_int_equal(scorer_create(&rows_searcher, &lesson->rows,
                                   lesson->threads ? lesson->threads : 1, lesson->store,
                                   &lesson->scorer, &diag),
                     STATUS_OK);
    assert_int_equal(
        learn_begin(&lesson->options, lesson->book, &lesson->read, lesson->store, &lesson->learnt),
        STATUS_OK);
    assert_int_equal(learn_run(&lesson->options, lesson->scorer, &lesson->learnt, &diag),
                     STATUS_OK);
    scorer_destroy(lesson->scorer);
}

static inline void forget(struct lesson *lesson)
{
    learnt_free(&lesson->learnt);
    learn_games_free(&lesson->read);
    book_close(lesson->book);
    assert_int_equal(score_store_close(lesson->store, NULL), STATUS_OK);
    lesson->store = NULL;
}

/* The weight of a move in the book that has learnt; -1: it is not there. */
static inline int64_t weight(const struct lesson *lesson, const char *moves, const char *uci)
{
    struct book_move found[MOVES_MAX];
    struct position pos = position_by_moves(moves);
    move m;
    struct game *game = game_create();
    assert_non_null(game);
    game_reset(game, &pos);
    assert_int_equal(move_from_uci(&pos, span_of(uci), &m), STATUS_OK);
    int count = draft_probe(&lesson->learnt.draft, game, found);
    int at = draft_index(found, count, m);
    game_destroy(game);
    return at < 0 ? -1 : (int64_t)found[at].weight;
}

#define GAME(result, moves)                                                                        \
    "[Event \"x\"]\n[White \"Us\"]\n[Black \"Them\"]\n[Result \"" result "\"]\n\n" moves " "       \
    "" result "\n\n"

#define SPANISH "e2e4 e7e5 g1f3 b8c6"

/* White's book: 1. e4 e5 2. Nf3 Nc6 3. Bb5. White has lost with it. */
static inline struct lesson spanish(void)
{
    struct lesson lesson = {
        .choice = {.player = "Us", .sides = {true, true}},
        .games = GAME("0-1", "1. e4 {+0.20/1} e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 {+0.25/9 0.1s} Nf6")};
    give(&lesson, "", "e2e4", 10);
    give(&lesson, "e2e4 e7e5", "g1f3", 20);
    give(&lesson, SPANISH, "f1b5", 30);
    return lesson;
}
