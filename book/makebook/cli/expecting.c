#include "book/makebook/cli/expecting.h"

#include "book/format.h"
#include "book/statistics/facets.h"

bool expecting_open_book(const struct command_line *line, const char *path, struct source *out)
{
    struct command_line plain = *line;
    plain.row_count = 0;
    return source_open_walk(&plain, path, WLD_WEIGHTS_UNITS, out);
}

static bool any_own(const struct expected_graph *expected, int own)
{
    const struct book_graph *graph = &expected->graph;
    for (uint32_t i = 0; i < graph->node_count; i++)
        if (graph->nodes[i].count > 0 && !graph->nodes[i].non_book &&
            book_graph_turn(graph, i) == own)
            return true;
    return false;
}

static bool any_game(const struct expected_graph *expected)
{
    for (size_t e = 0; e < expected->graph.edge_count; e++)
        if (expected->games[e].games > 0)
            return true;
    return false;
}

static enum exit_status make_graph(const struct command_line *line, const struct source *book,
                                   int own, struct expecting *expecting)
{
    const struct expected_rules rules = {.own = own,
                                         .database = expecting->database.book,
                                         .facts = expecting->store ? store_reading_facts : NULL,
                                         .known = &expecting->searches,
                                         .prior = (double)expecting->prior,
                                         .eval_ply = (uint32_t)expecting->eval_ply};
    struct diag diag = {.text = ""};
    if (expected_graph_create(book->book, &rules, &expecting->graph, &diag) != STATUS_OK)
        return command_fail(line, "%s", diag.text);
    if (any_own(&expecting->graph, own) && (expecting->store || any_game(&expecting->graph)))
        return EXIT_DONE;
    return command_fail(
        line, "%s: no game by %s%s comes to a move of %s", book->name, expecting->database.name,
        facet_filter_is_all(&expecting->database.filter) ? "" : " that passes the filter",
        own == WHITE ? "White" : "Black");
}

enum exit_status expecting_open(const struct command_line *line, const struct source *book,
                                int color, struct expecting *expecting)
{
    int own;
    enum exit_status answer = source_find_own(line, book, color, &own);
    if (answer != EXIT_DONE)
        return answer;
    if (!source_open_walk(line, expecting->replies, WLD_WEIGHTS_UNITS, &expecting->database) ||
        (expecting->store && !store_reading_open(line, expecting->store, &expecting->searches)))
        return EXIT_FAILED;
    if (!expecting->database.book->counts && !expecting->store)
        return command_fail(line,
                            "%s: knows no results of games: --replies wants statistics (.wld), or "
                            "searches beside it (--store)",
                            expecting->database.name);
    return make_graph(line, book, own, expecting);
}

void expecting_close(struct expecting *expecting)
{
    expected_graph_destroy(&expecting->graph);
    store_reading_close(&expecting->searches);
    source_close(&expecting->database);
}

enum caxton_status expecting_facts(const void *context, uint64_t key, const struct position *pos,
                                   struct book_facts *out, struct diag *diag)
{
    const struct expecting *expecting = context;
    enum caxton_status status = expecting->store
                                    ? store_reading_facts(&expecting->searches, key, pos, out, diag)
                                    : STATUS_OK;
    for (int i = 0; i < out->count; i++) /* what a store knows of games is not asked */
        out->moves[i].wins = out->moves[i].draws = out->moves[i].losses = 0;
    return status == STATUS_OK ? expected_graph_facts(&expecting->graph, key, pos, out, diag)
                               : status;
}
