#include "engine/thinker.h"

#include "engine/strength.h"
#include "eval/eval.h"

enum caxton_status thinker_init(struct thinker *thinker, uint64_t seed)
{
    thinker->books = NULL;
    thinker->clock = (struct node_clock){0};
    thinker->search = search_create();
    thinker->eval = eval_create();
    rng_seed(&thinker->rng, seed);
    return thinker->search && thinker->eval ? STATUS_OK : STATUS_NO_MEMORY;
}

void thinker_free(struct thinker *thinker)
{
    search_destroy(thinker->search);
    eval_destroy(thinker->eval);
    thinker->search = NULL;
    thinker->eval = NULL;
}

void thinker_set_network(struct thinker *thinker, const struct network *network)
{
    search_set_network(thinker->search, network);
    eval_set_network(thinker->eval, network);
}

void thinker_new_game(struct thinker *thinker)
{
    search_clear(thinker->search);
    thinker->clock = (struct node_clock){0};
}

void thinker_prepare(const struct game *game, const struct options *options,
                     struct search_request *request)
{
    search_request_set_game(request, game);
    request->multipv = options->multipv;
    request->minimal = options->minimal;
    bool is_analysis = options->analyse || request->infinite || request->mate;
    request->analyse = options->analyse || request->infinite;
    request->contempt = is_analysis ? 0 : eval_of_centipawns(options->contempt);
    request->overhead_ms = options->overhead_ms;
    request->slow_percent = options->slow_percent;
    request->nodes_per_ms = options->nodes_per_ms;
    request->tb_pieces = options->tb_pieces;
    request->tb_depth = options->tb_depth;
    request->tb_rule50 = options->tb_rule50;
}

enum { FORCED_DEPTH = 12 };

/* The built-in book, which the user did not choose, is known as well as the rest is played. */
static int book_plies(const struct options *options)
{
    int elo = strength_elo(options);
    int plies = options->book.depth_plies;
    if (elo > 0 && !options->book.file[0] && plies > strength_book_plies(elo))
        plies = strength_book_plies(elo);
    return plies;
}

bool thinker_ask_book(struct thinker *thinker, const struct game *game,
                      const struct options *options, const struct search_request *request,
                      struct book_answer *answer)
{
    bool is_analysis = options->analyse || options->multipv > 1 || request->move_count > 0;
    return player_ask(thinker->books, game, &options->book, request, is_analysis,
                      book_plies(options), &thinker->rng, answer);
}

#define LEFT_MAX (INT64_MAX / 4) /* of increments without end */

static bool runs(const struct search_request *request)
{
    return request->nodes_per_ms > 0 && request->time_ms[request->root.turn] >= 0;
}

/* The moves to go have become fewer since the last search, unless a time control has ended. */
static bool is_new_control(const struct node_clock *clock, int moves_to_go)
{
    return moves_to_go > 0 ? moves_to_go >= clock->moves_to_go : clock->moves_to_go > 0;
}

/* Before a search: puts what is left into the request, in milliseconds, in place of the interface's
 * clock. That one counts for the first search of a game or of a time control, and after another
 * `nodestime`. Requests without nodes_per_ms, or without a clock of the side to move, stay as they
 * are. */
static void node_clock_start(struct node_clock *clock, struct search_request *request)
{
    if (!runs(request))
        return;
    int64_t *time_ms = &request->time_ms[request->root.turn];
    if (clock->nodes_per_ms != request->nodes_per_ms || is_new_control(clock, request->moves_to_go))
        clock->left = *time_ms * request->nodes_per_ms;
    clock->nodes_per_ms = request->nodes_per_ms;
    clock->before = clock->moves_to_go;
    clock->moves_to_go = request->moves_to_go;
    *time_ms = clock->left > 0 ? clock->left / request->nodes_per_ms : 0;
}

/* After the search of that request, which took so many nodes. missed: a ponder search whose
 * position never came. No move was made, so there is no increment, and the moves to go are those of
 * the search before. */
static void node_clock_stop(struct node_clock *clock, const struct search_request *request,
                            uint64_t nodes, bool missed)
{
    if (!runs(request))
        return;
    clock->left -= (int64_t)nodes;
    if (missed)
        clock->moves_to_go = clock->before;
    else
        clock->left += request->increment_ms[request->root.turn] * request->nodes_per_ms;
    if (clock->left > LEFT_MAX)
        clock->left = LEFT_MAX;
}

/* The search at limited strength reports more lines than the caller wants to see. */
struct report_filter {
    const struct search_reporter *reporter;
    int multipv; /* lines the caller wants to see */
    bool waits;  /* .. when one has been chosen */
    struct strength_lines lines;
};

static void filter_info(void *context, const struct search_info *info)
{
    struct report_filter *filter = context;
    strength_collect(&filter->lines, info);
    if (info->multipv <= filter->multipv && !filter->waits && filter->reporter->info)
        filter->reporter->info(filter->reporter->context, info);
}

static void filter_current(void *context, int depth, move m, int number)
{
    const struct report_filter *filter = context;
    if (filter->reporter->current)
        filter->reporter->current(filter->reporter->context, depth, m, number);
}

/* The Elo to play at; 0: full strength, as always when analysing. */
static int wanted_elo(const struct options *options, const struct search_request *request)
{
    bool is_analysis = options->analyse || request->infinite || request->mate;
    return is_analysis ? 0 : strength_elo(options);
}

/* With one legal move there is nothing to decide: a short search shows what comes next, however
 * much time there is. UCI_AnalyseMode or a limit ask for more. */
static bool is_forced(const struct search_request *request)
{
    return movegen_count(&request->root) == 1 && !request->infinite && request->depth == 0 &&
           request->nodes == 0 && request->mate == 0 && request->movetime_ms < 0;
}

void thinker_search(struct thinker *thinker, const struct options *options,
                    const struct search_request *request, const struct search_reporter *reporter,
                    struct search_result *result)
{
    struct search_request own = *request;
    struct report_filter filter = {
        .reporter = reporter, .multipv = request->multipv, .waits = request->minimal};
    const struct search_reporter filtered = {&filter, filter_info, filter_current};
    bool is_brief = !options->analyse && is_forced(request);
    int elo = is_brief ? 0 : wanted_elo(options, request);
    if (is_brief)
        own.depth = FORCED_DEPTH;
    node_clock_start(&thinker->clock, &own);
    if (elo > 0)
        strength_limit(&own, elo);
    search_run(thinker->search, &own, elo > 0 ? &filtered : reporter, result);
    if (elo > 0) {
        int chosen = strength_choose(&filter.lines, elo, &thinker->rng, result);
        if (chosen != 0 || filter.waits)
            strength_report(&filter.lines, chosen, filter.multipv, reporter);
    }
    node_clock_stop(&thinker->clock, &own, result->nodes, result->missed);
}
