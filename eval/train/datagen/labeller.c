#include "eval/train/datagen/labeller.h"

#include <stdlib.h>
#include <string.h>

#include "base/child_process.h"
#include "base/clock.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "search/search.h"

enum {
    OWN_HASH_MB = 8,
    SMALL_HASH_MB = 1, /* it is cleared for each game */
    SMALL_NODES = 2000,
    SHARED_GAMES = 32, /* between clearings with --searched: each takes as long as ten labels */
    ENGINE_GAMES = 32,
    START_MS = 10000,  /* how long an engine may take until "uciok", */
    ANSWER_MS = 60000, /* and for each answer; both unless told */
    QUESTION_MAX = FEN_MAX + 64,
    MOVE_SHOWN = 11,
};

enum caxton_status labeller_init(struct labeller *labeller, const struct datagen_options *options,
                                 const struct teacher_net *net, uint64_t seed,
                                 const atomic_bool *stop, struct diag *diag)
{
    *labeller = (struct labeller){.options = options, .stop = stop};
    if (options->labeller)
        return child_start(options->labeller, stop, &labeller->engine, diag);
    if (net && !options->searched) {
        labeller->teacher = teacher_search_create(net);
        return labeller->teacher ? STATUS_OK : STATUS_NO_MEMORY;
    }
    labeller->search = search_create();
    enum caxton_status status =
        labeller->search
            ? search_set_hash(labeller->search,
                              options->nodes > SMALL_NODES ? OWN_HASH_MB : SMALL_HASH_MB)
            : STATUS_NO_MEMORY;
    if (status != STATUS_OK || !options->searched)
        return status;
    labeller->searched = searched_create(net, (int)options->searched, seed);
    if (labeller->searched)
        search_set_watch(labeller->search, searched_watch, labeller->searched);
    return labeller->searched ? STATUS_OK : STATUS_NO_MEMORY;
}

void labeller_free(struct labeller *labeller)
{
    search_destroy(labeller->search);
    searched_destroy(labeller->searched);
    child_kill(labeller->engine);
    teacher_search_destroy(labeller->teacher);
}

/* One game at a time for our own search, because its hash table is cleared between games. An engine
 * that searches one node is asked many questions ahead, so that neither side waits for the other;
 * with more nodes, the next question could end a search. */
int labeller_games(const struct labeller *labeller)
{
    return labeller->engine && labeller->options->nodes == 1 ? ENGINE_GAMES : 1;
}

void labeller_new_game(struct labeller *labeller)
{
    if (labeller->search && (!labeller->searched || labeller->games++ % SHARED_GAMES == 0))
        search_clear(labeller->search);
}

void labeller_interrupt(struct labeller *labeller)
{
    /* While an engine is waited for, `stop` is checked anyway. */
    if (labeller->search)
        search_stop(labeller->search);
}

/* Another engine --------------------------------------------------------------------------- */

static void set_timeout(struct labeller *labeller, int64_t usual_ms)
{
    int64_t wait_s = labeller->options->wait_s;
    child_set_timeout(labeller->engine, wait_s ? wait_s * 1000 : usual_ms);
}

enum caxton_status labeller_wait_ready(struct labeller *labeller, struct diag *diag)
{
    struct span line = {0};
    if (!labeller->engine)
        return STATUS_OK;
    set_timeout(labeller, START_MS);
    enum caxton_status status = child_write(labeller->engine, "uci\n", diag);
    while (status == STATUS_OK && !span_equal(line, "uciok"))
        status = child_read_line(labeller->engine, &line, diag);
    if (status != STATUS_OK)
        return status;
    /* OwnBook: a book move would come without a score. Engines ignore options that they lack. */
    return child_write(labeller->engine,
                       "setoption name UCI_Chess960 value true\nsetoption name Hash value 1\n"
                       "setoption name OwnBook value false\nucinewgame\n",
                       diag);
}

enum caxton_status labeller_ask(struct labeller *labeller, const struct game *game, move only,
                                struct diag *diag)
{
    char fen[FEN_MAX];
    char name[UCI_MAX];
    char question[QUESTION_MAX];
    struct text_buffer text = text_buffer_on(question, sizeof question);
    if (!labeller->engine)
        return STATUS_OK;
    fen_format(game_position(game), fen);
    text_append(&text, "position fen %s\ngo nodes %lld", fen, (long long)labeller->options->nodes);
    if (only != MOVE_NONE) {
        move_to_uci(only, true, name);
        text_append(&text, " searchmoves %s", name);
    }
    text_append(&text, "\n");
    set_timeout(labeller, ANSWER_MS);
    return child_write(labeller->engine, question, diag);
}

/* The score of the rest of an "info" line, "cp 13" or "mate 2"; false when it is none. */
static bool read_score(struct span *line, int *score)
{
    struct span kind = span_token(line);
    bool mate = span_equal(kind, "mate");
    int64_t number;
    if (!mate && !span_equal(kind, "cp"))
        return false;
    struct span word = span_token(line);
    enum caxton_status status = span_to_int(word, -LABEL_MATE, LABEL_MATE, &number);
    if (status == STATUS_RANGE)
        number = word.data[0] == '-' ? -LABEL_MATE : LABEL_MATE;
    else if (status != STATUS_OK)
        return false;
    *score = !mate ? (int)number : number > 0 ? LABEL_MATE : -LABEL_MATE;
    return true;
}

/* Takes from an "info" line the score of the best move. */
static void read_info(struct span line, struct label *out)
{
    struct span word;
    int score = 0;
    bool has_score = false;
    while ((word = span_token(&line)).size && !span_equal(word, "pv")) {
        if (span_equal(word, "string") ||
            (span_equal(word, "multipv") && !span_equal(span_token(&line), "1")))
            return;
        if (span_equal(word, "score"))
            has_score = read_score(&line, &score);
    }
    if (has_score)
        out->score = score;
}

static enum caxton_status read_answer(struct labeller *labeller, const struct position *pos,
                                      struct label *out, struct diag *diag)
{
    struct span line;
    enum caxton_status status;
    out->score = 0;
    set_timeout(labeller, ANSWER_MS);
    while ((status = child_read_line(labeller->engine, &line, diag)) == STATUS_OK) {
        struct span word = span_token(&line);
        if (span_equal(word, "info"))
            read_info(line, out);
        if (!span_equal(word, "bestmove"))
            continue;
        struct span best = span_token(&line);
        if (move_from_uci(pos, best, &out->best) == STATUS_OK)
            return STATUS_OK;
        char fen[FEN_MAX];
        fen_format(pos, fen);
        best = best.size ? best : span_of("(none)");
        diag_set(diag, 0, 0, "%s answered with the illegal move %.*s in %s",
                 child_name(labeller->engine),
                 (int)(best.size < MOVE_SHOWN ? best.size : MOVE_SHOWN), best.data, fen);
        return STATUS_IO;
    }
    return status;
}

/* Our own search --------------------------------------------------------------------------- */

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

static enum caxton_status search_answer(struct labeller *labeller, const struct game *game,
                                        move only, struct label *out)
{
    struct search_request request;
    struct search_reporter silent = {0};
    struct search_result result;
    search_request_init(&request);
    request.root = *game_position(game);
    request.nodes = (uint64_t)labeller->options->nodes;
    request.moves[0] = only;
    request.move_count = only != MOVE_NONE;
    add_history(&request, game);
    if (labeller->searched)
        searched_begin(labeller->searched);
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

/* A teacher ------------------------------------------------------------------------------- */

/* The scores of all moves come with that of their position. */
static enum caxton_status teacher_answer(struct labeller *labeller, const struct game *game,
                                         move only, struct label *out)
{
    if (only == MOVE_NONE) {
        labeller->scores = teacher_search_run(labeller->teacher, game);
        *out = (struct label){labeller->scores->score, labeller->scores->best};
        return STATUS_OK;
    }
    int i = 0;
    while (labeller->scores->moves[i] != only)
        i++;
    *out = (struct label){labeller->scores->scores[i], only};
    return STATUS_OK;
}

enum caxton_status labeller_answer(struct labeller *labeller, const struct game *game, move only,
                                   struct label *out, struct diag *diag)
{
    if (labeller->engine)
        return read_answer(labeller, game_position(game), out, diag);
    if (labeller->teacher)
        return teacher_answer(labeller, game, only, out);
    return search_answer(labeller, game, only, out);
}
