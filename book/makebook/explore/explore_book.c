#include "book/makebook/explore/explore_book.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "book/book.h"
#include "book/makebook/cli/command.h"

/* Moves of statistics; of more a browser makes no page. */
enum { TALLIES_MAX = 1 << 23 };

/* Statistics as a book of all their moves, those that never scored included. */
static enum caxton_status read_counts(struct explore_book *book, uint64_t min_games,
                                      struct progress *progress, struct diag *diag)
{
    struct source *source = &book->source;
    struct book *read = NULL;
    const struct wld_book_options options = {
        .min_games = min_games, .most = TALLIES_MAX, .facts = true};
    progress_stage(progress, "reading statistics");
    enum caxton_status status = wld_book_read(source->reader, source->name, &options, &read, diag);
    const char *fault = source_input_fault(source);
    if (status == STATUS_RANGE)
        diag_set(diag, 0, 0,
                 "%s: more than %d moves, too many for a page: a larger --min-games "
                 "leaves rare ones out",
                 source->name, TALLIES_MAX);
    else if (status != STATUS_OK && fault)
        diag_set(diag, 0, 0, "%s: %s", source->name, fault);
    if (status != STATUS_OK)
        return status;
    book_close(source->book);
    source->book = read;
    if (book_entry_count(read) == 0)
        return diag_fail(STATUS_NOT_FOUND, diag, "%s: statistics without a move", source->name);
    return STATUS_OK;
}

static enum caxton_status follow_lines(struct explore_book *book,
                                       const struct explore_limits *limits,
                                       struct progress *progress, struct diag *diag)
{
    const struct source *source = &book->source;
    enum caxton_status status = STATUS_OK;
    if (source->book->counts && source->book->counts->mirrored)
        return diag_fail(STATUS_FORMAT, diag,
                         "%s: mirrored statistics; makebook convert makes a book of both colours, "
                         "which has a page",
                         source->name);
    if (source->book->counts)
        status = read_counts(book, limits->min_games, progress, diag);
    if (status != STATUS_OK)
        return status;
    progress_stage(progress, "following the lines");
    status = book_graph_create(source->book, limits->root, &book->graph, diag);
    if (status == STATUS_OK && book->graph.known == 0)
        return diag_fail(STATUS_NOT_FOUND, diag,
                         "%s: no line from there reaches a position of the book", source->name);
    return status;
}

/* The book and a database: its graph becomes that of both, its counts are the database's. */
static bool expect(struct explore_book *book, const struct command_line *line, const char *path,
                   const struct explore_limits *limits, struct progress *progress)
{
    book->expecting = limits->expecting;
    if (!expecting_open_book(line, path, &book->source)) {
        book->source.name = NULL;
        return false;
    }
    progress_stage(progress, "following the lines");
    if (expecting_open(line, &book->source, limits->color, &book->expecting) != EXIT_DONE)
        return false;
    const struct book *database = book->expecting.database.book;
    if (database->counts && database->counts->mirrored)
        return command_refuse(line, "%s: mirrored statistics have no page",
                              book->expecting.database.name);
    book->graph = book->expecting.graph.graph;
    book->graph.book = database;
    book->expecting.graph.graph = (struct book_graph){.book = NULL};
    return true;
}

/* Sample games that cannot be had are no reason to have no page. */
static void read_games(struct explore_book *book, const struct command_line *line,
                       const struct explore_limits *limits, struct progress *progress)
{
    struct diag diag = {.text = ""};
    struct samples_file *samples = sample_games_open(line, &book->source);
    if (!samples)
        return;
    progress_stage(progress, "reading sample games");
    if (explore_games_read(samples, &book->graph, limits->max_ply, &book->games, &diag) !=
        STATUS_OK) {
        progress_end(progress);
        (void)command_fail(line, "warning: no sample games: %s", diag.text);
    }
    samples_file_close(samples);
}

bool explore_book_open(const struct command_line *line, const char *path,
                       const struct explore_limits *limits, struct progress *progress,
                       struct explore_book *out)
{
    struct diag diag = {.text = ""};
    *out = (struct explore_book){.source = {.name = NULL}};
    if (limits->expecting.replies)
        return expect(out, line, path, limits, progress);
    if (!source_open(line, path, &out->source)) {
        out->source = (struct source){.name = NULL};
        return false;
    }
    if (limits->skip_damaged)
        source_skip_damaged(line, &out->source);
    enum caxton_status status = follow_lines(out, limits, progress, &diag);
    progress_end(progress);
    if (status != STATUS_OK)
        return command_refuse(line, "%s", *diag.text ? diag.text : status_name(status));
    read_games(out, line, limits, progress);
    return true;
}

void explore_book_close(struct explore_book *book)
{
    explore_games_free(&book->games);
    book_graph_destroy(&book->graph);
    expecting_close(&book->expecting);
    if (book->source.name)
        source_close(&book->source);
}

struct explore_part explore_book_part(const struct explore_book *book)
{
    return (struct explore_part){
        .title = file_name_of(book->source.name),
        .book = book->graph.book,
        .expected = book->expecting.replies ? &book->expecting.graph : NULL,
        .searches = book->expecting.store ? &book->expecting.searches : NULL,
        .graph = &book->graph,
        .games = {book->games.json, book->games.size}};
}

void explore_book_report(const struct command_line *line, const struct explore_book *book,
                         const struct explore_limits *limits, const struct explore_sizes *sizes)
{
    const struct book_graph *graph = &book->graph;
    size_t missing = graph->positions - graph->known;
    if (missing)
        (void)command_fail(line, "%zu of %zu positions %s %s: left out", missing, graph->positions,
                           missing == 1 ? "is" : "are",
                           limits->root ? "not reached from there (--start)"
                                        : "on no line, so that nobody knows what they look like");
    if (sizes->cut)
        (void)command_fail(line, "%u positions are behind ply %u: left out", sizes->cut,
                           limits->max_ply);
    if (graph->cut)
        (void)command_fail(line, "lines are cut at %d plies", BOOK_GRAPH_PLIES_MAX);
    if (book->games.is_cut)
        (void)command_fail(line, "%zu sample games are on the page: more are left out",
                           book->games.games);
    if (book->games.unread)
        (void)command_fail(line, "%zu sample game%s cannot be read: %s", book->games.unread,
                           text_plural(book->games.unread), book->games.diag.text);
}

/* The engine is taken as it is: a module that is not ours fails in the browser, and harms nothing.
 */
enum caxton_status explore_engine_read(const char *path, uint8_t **bytes, size_t *size,
                                       struct diag *diag)
{
    static const uint8_t module_start[8] = {0, 'a', 's', 'm', 1, 0, 0, 0};
    enum { ENGINE_MAX = 64 << 20 };
    if (!path)
        return STATUS_OK;
    enum caxton_status status = file_read(path, ENGINE_MAX, bytes, size, diag);
    if (status != STATUS_OK ||
        (*size >= sizeof module_start && memcmp(*bytes, module_start, sizeof module_start) == 0))
        return status;
    free(*bytes);
    *bytes = NULL;
    return diag_fail(STATUS_FORMAT, diag,
                     "%.300s: no WebAssembly module; --engine wants caxton.wasm", path);
}
