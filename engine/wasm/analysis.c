/* The engine for a web page, as a WebAssembly module: one analysis at a time, on the thread that
 * calls. What it has to say it writes to standard output, in lines of UCI. A page that wants to
 * stop it ends the worker that runs it: makebook's explore/engine_worker.js. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "book/uci/wdl.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/notation.h"
#include "engine/bench.h"

#define EXPORT(name) __attribute__((export_name(#name), visibility("default"))) name

enum { TEXT_MAX = 16384 };

struct analysis {
    struct search *search;
    struct game *game;
    char text[TEXT_MAX]; /* of the page, terminated: FEN, or FEN " moves " and UCI moves */
};

/* An analysis with a table of so many MB; NULL when there is no memory. To be called once. */
struct analysis *EXPORT(analysis_create)(int hash_mb);
/* Where the page writes up to TEXT_MAX bytes, a zero among them. */
char *EXPORT(analysis_text)(struct analysis *analysis);
/* Searches the position that the text names. Limits of 0 are none. Writes `info` lines and a
 * `bestmove`; returns false for a text that names no position. */
bool EXPORT(analysis_run)(struct analysis *analysis, int depth, int lines, int movetime_ms);
/* What `caxton bench` does. */
void EXPORT(analysis_bench)(struct analysis *analysis, int depth);

struct analysis *analysis_create(int hash_mb)
{
    chess_init();
    struct analysis *analysis = calloc(1, sizeof *analysis);
    if (!analysis)
        return NULL;
    analysis->search = search_create();
    analysis->game = game_create();
    if (analysis->search && analysis->game &&
        search_set_hash(analysis->search, hash_mb) == STATUS_OK)
        return analysis;
    search_destroy(analysis->search);
    game_destroy(analysis->game);
    free(analysis);
    return NULL;
}

char *analysis_text(struct analysis *analysis)
{
    return analysis->text;
}

static bool set_up(struct analysis *analysis)
{
    static const char separator[] = " moves ";
    const char *moves = strstr(analysis->text, separator);
    struct span fen = span_of(analysis->text);
    struct span rest = span_make("", 0);
    struct position start;
    if (moves) {
        fen = span_make(analysis->text, (size_t)(moves - analysis->text));
        rest = span_of(moves + strlen(separator));
    }
    if (fen_parse_lenient(fen, &start, NULL) != STATUS_OK)
        return false;
    game_reset(analysis->game, &start);
    for (struct span word = span_token(&rest); word.size; word = span_token(&rest)) {
        move m;
        if (move_from_uci(game_position(analysis->game), word, &m) != STATUS_OK ||
            game_play(analysis->game, m) != STATUS_OK)
            return false;
    }
    return true;
}

static void write_info(void *context, const struct search_info *info)
{
    struct output out = {.stream = stdout};
    report_info(&out, *(const struct report_style *)context, info);
}

bool analysis_run(struct analysis *analysis, int depth, int lines, int movetime_ms)
{
    if (!set_up(analysis))
        return false;
    const struct game *game = analysis->game;
    struct report_style style = {.chess960 = fen_is_chess960(game_start(game)),
                                 .wdl = true,
                                 .material = wdl_material(game_position(game))};
    const struct search_reporter reporter = {&style, write_info, NULL};
    struct search_request request;
    struct search_result result;
    search_request_init(&request);
    request.root = *game_position(game);
    size_t plies = game_plies(game);
    size_t count = plies < SEARCH_KEYS_MAX ? plies : SEARCH_KEYS_MAX;
    memcpy(request.keys, game_keys(game) + plies - count, count * sizeof *request.keys);
    request.key_count = (int)count;
    request.multipv = lines;
    request.depth = depth > 0 ? depth : SEARCH_DEPTH_MAX;
    if (movetime_ms > 0)
        request.movetime_ms = movetime_ms;
    search_arm(analysis->search, false, clock_ms());
    search_run(analysis->search, &request, &reporter, &result);
    struct output out = {.stream = stdout};
    report_best(&out, style, result.best, result.ponder);
    return true;
}

void analysis_bench(struct analysis *analysis, int depth)
{
    atomic_bool stopped;
    atomic_init(&stopped, false);
    struct output out = {.stream = stdout};
    const struct bench_task task = {.depth = depth};
    (void)bench_run(&task, analysis->search, &out, &stopped);
}
