/* makebook explore: a book as a page to look into it with a browser. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/atomic_file.h"
#include "base/file.h"
#include "base/memory_stream.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "base/text.h"
#include "book/book.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "book/makebook/explore/explore_page.h"
#include "book/makebook/explore/serve.h"
#include "book/statistics/wld_file.h"
#include "book/weigh/threshold.h"
#include "chess/fen.h"
#include "chess/position_text.h"

/* Moves of statistics; of more a browser makes no page. */
enum { TALLIES_MAX = 1 << 23 };

struct explore_command {
    const char *output;
    const char *start;
    const char *title;
    const char *engine; /* the file of a WebAssembly module, or NULL */
    int64_t max_ply;
    int64_t min_games;
    int64_t port;
    bool serve;
    bool skip_damaged;
    bool quiet;
    struct command_line line;
    struct source source;
    struct tally *tallies; /* all of them, when the source is statistics */
    size_t tally_count;
    size_t tally_capacity;
    struct progress progress;
    uint8_t *engine_bytes; /* owned */
    size_t engine_size;
};

/* The engine is taken as it is: a module that is not ours fails in the browser, and harms nothing.
 */
static enum caxton_status read_engine(struct explore_command *command, struct diag *diag)
{
    static const uint8_t module_start[8] = {0, 'a', 's', 'm', 1, 0, 0, 0};
    enum { ENGINE_MAX = 64 << 20 };
    if (!command->engine)
        return STATUS_OK;
    enum caxton_status status =
        file_read(command->engine, ENGINE_MAX, &command->engine_bytes, &command->engine_size, diag);
    if (status != STATUS_OK ||
        (command->engine_size >= sizeof module_start &&
         memcmp(command->engine_bytes, module_start, sizeof module_start) == 0))
        return status;
    return diag_fail(STATUS_FORMAT, diag,
                     "%.300s: no WebAssembly module; --engine wants caxton.wasm", command->engine);
}

static enum caxton_status keep_tally(struct explore_command *command, const struct tally *tally,
                                     struct gathering *gathering)
{
    uint64_t unit = wld_reader_info(command->source.stats)->unit;
    uint64_t games = (tally_games(tally) + unit - 1) / unit;
    if (threshold_is_rare(tally_games(tally), (uint64_t)command->min_games, unit))
        return STATUS_OK;
    if (command->tally_count == TALLIES_MAX)
        return STATUS_RANGE;
    if (!ARRAY_GROW(command->tallies, command->tally_capacity, command->tally_count + 1))
        return STATUS_NO_MEMORY;
    command->tallies[command->tally_count++] = *tally;
    const struct book_entry entry = {.key = tally->key,
                                     .weight = games < UINT32_MAX ? (uint32_t)games : UINT32_MAX,
                                     .move = tally->move,
                                     .stated = true};
    return entry_list_append(&gathering->list, &entry);
}

/* Statistics as a book of all their moves, those that never scored included. */
static enum caxton_status read_stats(struct explore_command *command, struct diag *diag)
{
    struct source *source = &command->source;
    struct gathering gathering = {.root_count = 0};
    struct tally tally;
    enum caxton_status status;
    while ((status = wld_reader_next(source->stats, &tally, diag)) == STATUS_OK) {
        status = keep_tally(command, &tally, &gathering);
        if (status == STATUS_RANGE)
            diag_set(diag, 0, 0,
                     "%s: more than %d moves, too many for a page: a larger --min-games "
                     "leaves rare ones out",
                     source->name, TALLIES_MAX);
        if (status != STATUS_OK)
            break;
        progress_stage(&command->progress, "reading statistics");
    }
    const char *fault = source_input_fault(source);
    if (status == STATUS_END && command->tally_count == 0) {
        diag_set(diag, 0, 0, "%s: statistics without a move", source->name);
        status = STATUS_NOT_FOUND;
    } else if (status == STATUS_END)
        status = gather_finish(&gathering, source->name, &source->book);
    else if (fault)
        diag_set(diag, 0, 0, "%s: %s", source->name, fault);
    gather_free(&gathering);
    return status;
}

static enum caxton_status write_page(struct explore_command *command,
                                     const struct book_graph *graph, FILE *out,
                                     struct explore_sizes *sizes)
{
    struct explore_counts counts = {.tallies = command->tallies, .count = command->tally_count};
    struct explore_page page = {
        .title = file_name_of(command->source.name),
        .format = "statistics",
        .graph = graph,
        .max_ply = (uint32_t)command->max_ply,
        .engine = {(const char *)command->engine_bytes, command->engine_size}};
    if (command->title)
        page.title = command->title;
    if (command->source.stats) {
        counts.unit = wld_reader_info(command->source.stats)->unit;
        page.counts = &counts;
    } else
        page.format = book_format_name(command->source.book);
    return explore_page_write(&page, out, sizes);
}

static void report(const struct explore_command *command, const struct book_graph *graph,
                   const struct explore_sizes *sizes)
{
    FILE *out = outputs_report(command->output);
    if (!command->quiet)
        (void)fprintf(out, "%s: %u position%s, %u move%s, %u of them the last of their line\n",
                      command->output, sizes->positions, text_plural(sizes->positions),
                      sizes->moves, text_plural(sizes->moves), sizes->leaves);
    size_t missing = graph->positions - graph->known;
    if (missing)
        (void)command_fail(&command->line, "%zu of %zu positions %s %s: left out", missing,
                           graph->positions, missing == 1 ? "is" : "are",
                           command->start ? "not reached from there (--start)"
                                          : "on no line, so that nobody knows what they look like");
    if (sizes->cut)
        (void)command_fail(&command->line, "%u positions are behind ply %lld: left out", sizes->cut,
                           (long long)command->max_ply);
    if (graph->cut)
        (void)command_fail(&command->line, "lines are cut at %d plies", BOOK_GRAPH_PLIES_MAX);
}

static int save(struct explore_command *command, const struct book_graph *graph)
{
    struct diag diag = {.text = ""};
    struct atomic_file *file = NULL;
    struct explore_sizes sizes = {0};
    progress_stage(&command->progress, "writing the page");
    if (atomic_file_create(command->output, &file, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    enum caxton_status status = write_page(command, graph, atomic_file_stream(file), &sizes);
    progress_end(&command->progress);
    if (status != STATUS_OK) {
        bool failed = atomic_file_has_failed(file, &diag);
        atomic_file_abort(file);
        return command_fail(&command->line, "%s", failed ? diag.text : status_name(status));
    }
    if (atomic_file_commit(file, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    report(command, graph, &sizes);
    return EXIT_DONE;
}

static int explore(struct explore_command *command, const struct position *root)
{
    struct diag diag = {.text = ""};
    struct book_graph graph = {0};
    enum caxton_status status = STATUS_OK;
    if (command->source.stats && wld_reader_info(command->source.stats)->mirrored)
        return command_fail(&command->line,
                            "%s: mirrored statistics; makebook convert makes a book of both "
                            "colours, which has a page",
                            command->source.name);
    if (command->source.stats)
        status = read_stats(command, &diag);
    if (status == STATUS_OK) {
        progress_stage(&command->progress, "following the lines");
        status = book_graph_create(command->source.book, root, &graph, &diag);
    }
    if (status == STATUS_OK && graph.known == 0) {
        diag_set(&diag, 0, 0, "%s: no line from there reaches a position of the book",
                 command->source.name);
        status = STATUS_NOT_FOUND;
    }
    int answer = EXIT_FAILED;
    if (status == STATUS_OK) {
        answer = save(command, &graph);
    } else {
        progress_end(&command->progress);
        (void)command_fail(&command->line, "%s", *diag.text ? diag.text : status_name(status));
    }
    book_graph_destroy(&graph);
    return answer;
}

/* --serve ------------------------------------------------------------------------------------ */

static enum caxton_status serve_pages(struct explore_command *command,
                                      const struct explore_page *page, struct diag *diag)
{
    struct explore_sizes sizes;
    struct memory_stream made;
    bool is_open = memory_stream_open(&made);
    enum caxton_status status =
        is_open ? explore_page_write(page, made.file, &sizes) : STATUS_NO_MEMORY;
    if (!memory_stream_close(&made) && status == STATUS_OK)
        status = STATUS_NO_MEMORY;
    const struct explore_serving serving = {
        .lookup = {.source = &command->source, .min_games = (uint64_t)command->min_games},
        .page = {made.bytes, made.size},
        .port = (unsigned)command->port};
    if (status == STATUS_OK)
        status = explore_serve(&serving, diag);
    free(made.bytes);
    return status;
}

/* root: NULL for the usual start. */
static int serve(struct explore_command *command, const struct position *root)
{
    const struct source *source = &command->source;
    struct diag diag = {.text = ""};
    struct position start;
    char fen[FEN_MAX];
    if (source->stats && !source->file)
        return command_fail(&command->line,
                            "%s: only statistics with an index can be served from their file: "
                            "makebook merge OLD -o NEW writes them anew",
                            source->name);
    position_start(&start);
    fen_format(root ? root : &start, fen);
    const struct explore_served served = {.root = fen,
                                          .moves = source->file ? wld_file_records(source->file)
                                                                : book_entry_count(source->book),
                                          .has_counts = source->file != NULL};
    const struct explore_page page = {
        .title = command->title ? command->title : file_name_of(source->name),
        .format = source->file ? "statistics" : book_format_name(source->book),
        .served = &served,
        .engine = {(const char *)command->engine_bytes, command->engine_size}};
    enum caxton_status status = serve_pages(command, &page, &diag);
    if (status == STATUS_OK)
        return EXIT_DONE;
    return command_fail(&command->line, "%s", *diag.text ? diag.text : status_name(status));
}

/* Returns EXIT_DONE or EXIT_USAGE. */
static int check_serving(const struct explore_command *command)
{
    if (!command->serve && command->output)
        return EXIT_DONE;
    if (!command->serve)
        return command_misuse(&command->line, "no output given: -o PAGE, or --serve");
    if (command->output || command->max_ply || command->skip_damaged)
        return command_misuse(&command->line,
                              "--serve goes without --output, --max-ply and --skip-damaged");
    if (explore_can_serve())
        return EXIT_DONE;
    return command_misuse(&command->line, "--serve: this makebook was built without libmicrohttpd "
                                          "(Debian: libmicrohttpd-dev)");
}

static int make_page(struct explore_command *command, const struct position *root)
{
    if (command->skip_damaged && command->source.stats)
        source_skip_damaged(&command->line, &command->source);
    progress_start(&command->progress, command->quiet, 0);
    return explore(command, root);
}

static int run(void *context)
{
    struct explore_command *command = context;
    struct position start;
    struct diag diag = {.text = ""};
    if (check_serving(command) != EXIT_DONE)
        return EXIT_USAGE;
    if (command->start && position_from_text(span_of(command->start), &start, &diag) != STATUS_OK)
        return command_misuse(&command->line, "--start: %s", diag.text);
    if (!command->serve &&
        (outputs_spare_inputs(&command->line, 1, command->output) != EXIT_DONE ||
         outputs_spare(&command->line, command->engine, command->output) != EXIT_DONE))
        return EXIT_USAGE;
    if (!command->serve && atomic_file_try(command->output, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    if (read_engine(command, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    if (!source_open(&command->line, command->line.operands[0], &command->source))
        return EXIT_FAILED;
    const struct position *root = command->start ? &start : NULL;
    int status = command->serve ? serve(command, root) : make_page(command, root);
    free(command->tallies);
    free(command->engine_bytes);
    source_close(&command->source);
    return command_end(&command->line, status);
}

static const char about[] =
    "Writes one page to look into a book with a browser: a board, the moves of each position with\n"
    "their weights and opening names, of statistics (.wld) with their results; search by moves,\n"
    "FEN or name; other orders of moves. The page needs no network and no other file. BOOK is a\n"
    "book of any kind (of mirrored statistics makebook convert makes one), \"-\" for standard "
    "input "
    "or\n\"builtin\" for the book that is part of Caxton.\n\n"
    "A book that is too large for a page is served: --serve prints an address for a browser on "
    "this\n"
    "machine, and looks each position up when it is asked for; statistics stay on disk. Ctrl-C "
    "ends "
    "it.\n\n"
    "Positions that no line of the book reaches from the start, or from a position that the file\n"
    "names, are not on the page: a Polyglot book says their keys only.";

static int command_main(int argc, char **argv)
{
    enum { PORT = 8064 };
    struct explore_command command = {.port = PORT};
    const struct option_row rows[] = {
        TEXT_ROW("output", 'o', "PAGE", "the page to write (.html), \"-\" for standard output",
                 &command.output),
        FLAG_ROW("serve", 0, "no page: answer a browser on this machine until Ctrl-C",
                 &command.serve),
        NUMBER_ROW("port", 0, "N", "the port of --serve (8064; 0 takes a free one)", &command.port,
                   0, UINT16_MAX),
        TEXT_ROW("start", 0, "FEN|MOVES",
                 "lines begin there (a FEN, or moves: \"1. e4 e5\"), not at the start",
                 &command.start),
        NUMBER_ROW("max-ply", 0, "N", "leave positions out that are more plies away",
                   &command.max_ply, 1, BOOK_GRAPH_PLIES_MAX),
        NUMBER_ROW("min-games", 0, "N", "leave moves of statistics out with fewer games",
                   &command.min_games, 1, INT32_MAX),
        FLAG_ROW("skip-damaged", 0, "leave blocks of statistics out that are damaged",
                 &command.skip_damaged),
        TEXT_ROW("title", 0, "TEXT", "the heading (the book's file name)", &command.title),
        TEXT_ROW("engine", 0, "FILE",
                 "caxton.wasm: the page analyses each position with it, and plays",
                 &command.engine),
        FLAG_ROW("quiet", 'q', "no progress, no closing report", &command.quiet),
    };
    command.line =
        COMMAND_LINE("explore", "BOOK -o PAGE|--serve", about, rows, ROW_COUNT(rows), 1, 1);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_explore = {"explore", "a book as a page for the browser",
                                        command_main};
