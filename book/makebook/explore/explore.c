/* makebook explore: a book as a page to look into it with a browser. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/progress.h"
#include "base/text.h"
#include "book/book.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "book/makebook/explore/explore_book.h"
#include "book/review/findings.h"

enum { TITLE_MAX = 512 };

struct explore_command {
    const char *output;
    struct asked_facets facets;
    struct expecting expecting;
    struct store_reading searches; /* of --store, without --replies */
    int color;                     /* of it: 1 + a colour, 0: as its moves show */
    const char *start;
    const char *title;
    const char *review; /* the file of a review, or NULL */
    struct findings findings;
    const char *engine; /* the file of a WebAssembly module, or NULL */
    int64_t max_ply;
    int64_t min_games;
    int64_t port;
    bool serve;
    bool skip_damaged;
    bool quiet;
    struct command_line line;
    struct explore_book books[2]; /* of a page: one, or two side by side */
    int count;
    struct progress progress;
    uint8_t *engine_bytes; /* owned */
    size_t engine_size;
};

static enum caxton_status write_page(struct explore_command *command, FILE *out,
                                     struct explore_sizes sizes[2])
{
    char title[TITLE_MAX];
    struct explore_part parts[2];
    for (int i = 0; i < command->count; i++) {
        parts[i] = explore_book_part(&command->books[i]);
        if (command->expecting.store && !command->expecting.replies)
            parts[i].searches = &command->searches;
    }
    if (command->title && command->count == 1)
        parts[0].title = command->title;
    struct explore_page page = {
        .title = parts[0].title,
        .book = parts[0],
        .rival = command->count == 2 ? &parts[1] : NULL,
        .review = command->review ? &command->findings : NULL,
        .max_ply = (uint32_t)command->max_ply,
        .engine = {(const char *)command->engine_bytes, command->engine_size}};
    if (page.rival) {
        (void)snprintf(title, sizeof title, "%s and %s", parts[0].title, parts[1].title);
        page.title = title;
    }
    if (command->title)
        page.title = command->title;
    return explore_page_write(&page, out, sizes);
}

static void report(const struct explore_command *command, const struct explore_limits *limits,
                   const struct explore_sizes sizes[2])
{
    FILE *out = outputs_report(command->output);
    for (int i = 0; i < command->count; i++) {
        const char *name = command->count == 2 ? command->books[i].source.name : command->output;
        if (!command->quiet)
            (void)fprintf(out, "%s: %u position%s, %u move%s, %u of them the last of their line\n",
                          text_safe(name).text, sizes[i].positions, text_plural(sizes[i].positions),
                          sizes[i].moves, text_plural(sizes[i].moves), sizes[i].leaves);
        explore_book_report(&command->line, &command->books[i], limits, &sizes[i]);
    }
}

static enum exit_status save(struct explore_command *command, const struct explore_limits *limits)
{
    struct atomic_file *file = NULL;
    struct explore_sizes sizes[2];
    progress_stage(&command->progress, "writing the page");
    if (!outputs_create(&command->line, command->output, &file))
        return EXIT_FAILED;
    enum caxton_status status = write_page(command, atomic_file_stream(file), sizes);
    progress_end(&command->progress);
    if (outputs_end(&command->line, file, status, status_name(status)) != EXIT_DONE)
        return EXIT_FAILED;
    report(command, limits, sizes);
    return EXIT_DONE;
}

/* Returns EXIT_DONE, or EXIT_USAGE for what statistics alone know where no book is such. */
static enum exit_status check_stats_options(const struct explore_command *command, bool has_stats)
{
    if (has_stats)
        return EXIT_DONE;
    if (command->min_games)
        return command_misuse(&command->line, "--min-games is for statistics (.wld)");
    if (command->skip_damaged)
        return command_misuse(&command->line, "--skip-damaged is for statistics (.wld)");
    return EXIT_DONE;
}

/* root: NULL for the usual start. */
static enum exit_status make_page(struct explore_command *command, const struct position *root)
{
    const struct explore_limits limits = {.root = root,
                                          .max_ply = (uint32_t)command->max_ply,
                                          .min_games = (uint64_t)command->min_games,
                                          .skip_damaged = command->skip_damaged,
                                          .expecting = command->expecting,
                                          .color = command->color};
    bool done = true;
    bool has_stats = false;
    progress_start(&command->progress, command->quiet, 0);
    while (done && command->count < command->line.operand_count) {
        struct explore_book *book = &command->books[command->count++];
        done = explore_book_open(&command->line, command->line.operands[command->count - 1],
                                 &limits, &command->progress, book);
        has_stats = has_stats || (done && book->source.book->counts);
    }
    progress_end(&command->progress);
    struct diag diag = {.text = ""};
    if (done && command->review &&
        findings_fit(&command->findings, command->books[0].source.book, &diag) != STATUS_OK)
        done = command_refuse(&command->line, "%s", diag.text);
    enum exit_status status = done ? check_stats_options(command, has_stats) : EXIT_FAILED;
    if (status == EXIT_DONE)
        status = save(command, &limits);
    for (int i = 0; i < command->count; i++)
        explore_book_close(&command->books[i]);
    return status;
}

/* --serve: the same as makebook serve. */
static enum exit_status serve(const struct explore_command *command)
{
    enum { WORDS = 22 };
    char port[24];
    char min_games[24];
    char *words[WORDS];
    int count = 0;
    const char *const options[][2] = {{"--port", port},
                                      {"--start", command->start},
                                      {"--title", command->title},
                                      {"--engine", command->engine},
                                      {"--store", command->expecting.store},
                                      {"--rating", command->facets.rating},
                                      {"--speed", command->facets.speed},
                                      {"--since", command->facets.since},
                                      {"--until", command->facets.until},
                                      {"--min-games", command->min_games ? min_games : NULL}};
    (void)snprintf(port, sizeof port, "%lld", (long long)command->port);
    (void)snprintf(min_games, sizeof min_games, "%lld", (long long)command->min_games);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        for (int k = 0; k < 2 && options[i][1]; k++)
            words[count++] = (char *)(uintptr_t)options[i][k];
    words[count++] = command->line.operands[0];
    return command_serve.run(count, words);
}

/* Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status check_output(const struct explore_command *command)
{
    if ((command->serve || command->expecting.replies) && command->line.operand_count > 1)
        return command_misuse(&command->line, "--%s is for one book",
                              command->serve ? "serve" : "replies");
    if (command->serve || command->output)
        return EXIT_DONE;
    return command_misuse(&command->line, "no output given: -o PAGE, or --serve");
}

static enum exit_status run(void *context)
{
    struct explore_command *command = context;
    struct position start;
    struct diag diag = {.text = ""};
    if (check_output(command) != EXIT_DONE || source_is_read_once(&command->line) != EXIT_DONE)
        return EXIT_USAGE;
    if (command->serve)
        return serve(command);
    if (command->start &&
        command_position(&command->line, command->start, &start, &diag) != STATUS_OK)
        return command_misuse(&command->line, "--start: %s", diag.text);
    if (outputs_protect_inputs(&command->line, command->line.operand_count, command->output) !=
            EXIT_DONE ||
        outputs_protect(&command->line, command->engine, command->output) != EXIT_DONE ||
        outputs_protect(&command->line, command->expecting.replies, command->output) != EXIT_DONE ||
        outputs_protect(&command->line, command->expecting.store, command->output) != EXIT_DONE ||
        outputs_protect(&command->line, command->review, command->output) != EXIT_DONE ||
        outputs_are_pages(&command->line, command->output) != EXIT_DONE)
        return EXIT_USAGE;
    if (!outputs_try(&command->line, command->output))
        return EXIT_FAILED;
    if (explore_engine_read(command->engine, &command->engine_bytes, &command->engine_size,
                            &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    enum exit_status status = EXIT_FAILED;
    if (command->review && findings_read(command->review, &command->findings, &diag) != STATUS_OK)
        (void)command_fail(&command->line, "%s", diag.text);
    else if (command->expecting.replies ||
             store_reading_open(&command->line, command->expecting.store, &command->searches))
        status = make_page(command, command->start ? &start : NULL);
    store_reading_close(&command->searches);
    findings_free(&command->findings);
    free(command->engine_bytes);
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
    "machine, and looks each position up when it is asked for; statistics stay on disk. Ctrl-C\n"
    "ends it.\n\n"
    "Games that build --samples kept beside statistics are listed, and played by a click. A page\n"
    "holds up to 5,000 of them, those of the positions nearest to the start.\n\n"
    "With --store each move has its score by the searches of a store; \"??\" is behind the score "
    "of "
    "one\nthat scored well in games and loses.\n\n"
    "--review FILE, what makebook review --json wrote of the book, marks where your games left "
    "it:\n"
    "what was played instead, replies without an answer, ends of lines, with games, cost and the\n"
    "book's move; and at each move how many such positions lie behind it.\n\n"
    "Two books stand side by side: each move with its share in both.\n\n"
    "Positions that no line of the book reaches from the start, or from a position that the file\n"
    "names, are not on the page: a Polyglot book says their keys only.\n\n" EXPECTING_ABOUT
    "\nThe page has the replies of the database then, too, and its games.";

static enum exit_status command_main(int argc, char **argv)
{
    struct explore_command command = {.output = NULL};
    const struct option_row rows[] = {
        TEXT_ROW("output", 'o', "PAGE", "the page to write (.html), \"-\" for standard output",
                 &command.output),
        FLAG_ROW("serve", 0, "no page: answer a browser, as makebook serve does", &command.serve,
                 .without = "output|max-ply|skip-damaged|replies|review"),
        NUMBER_ROW("port", 0, "N", "the port of --serve; 0 takes a free one", &command.port, 0,
                   UINT16_MAX, USUAL(8064), .needs = "serve"),
        TEXT_ROW("start", 0, "FEN|MOVES|ECO|NAME", "lines begin there, not at the start",
                 &command.start, .without = "replies"),
        NUMBER_ROW("max-ply", 0, "N", "leave positions out that are more plies away",
                   &command.max_ply, 1, BOOK_GRAPH_PLIES_MAX),
        NUMBER_ROW("min-games", 0, "N", "leave moves of statistics out with fewer games",
                   &command.min_games, 1, INT32_MAX, .without = "replies"),
        FLAG_ROW("skip-damaged", 0, "leave blocks of statistics out that are damaged",
                 &command.skip_damaged),
        TEXT_ROW("review", 0, "FILE",
                 "mark what review --json found: what was played, and its cost", &command.review),
        TEXT_ROW("title", 0, "TEXT", "the heading (the book's file name)", &command.title),
        EXPECTING_ROWS(command.expecting),
        EXPECTING_STORE_ROW(command.expecting),
        CHOICE_ROW("color", "auto|white|black", "of --replies: whose book it is", &command.color,
                   .needs = "replies"),
        FACET_ROWS(command.facets),
        TEXT_ROW("engine", 0, "FILE",
                 "caxton.wasm: the page analyses each position with it, and plays",
                 &command.engine),
        FLAG_ROW("quiet", 'q', "no progress, no closing report", &command.quiet),
    };
    command.line =
        COMMAND_LINE("explore", "BOOK [BOOK] -o PAGE|--serve", about, rows, ROW_COUNT(rows), 1, 2);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_explore = {"explore", "a book as a page for the browser",
                                        command_main};
