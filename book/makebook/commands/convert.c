/* makebook convert: statistics or a book in, a book of any kind or a suite of openings out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/memory_stream.h"
#include "base/progress.h"
#include "book/book.h"
#include "book/format.h"
#include "book/formats/polyglot/peers.h"
#include "book/graph/graph.h"
#include "book/graph/suite.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/cli/stores.h"
#include "book/makebook/cli/weighing.h"
#include "book/makebook/commands/commands.h"
#include "book/open/open.h"
#include "chess/eco.h"
#include "chess/fen.h"
#include "chess/pgn_write.h"

/* convert --suite: openings for tournaments out of a book. */

/* Smaller suites repeat openings in most matches. */
enum { SMALL_SUITE = 100 };

struct suite_output {
    const struct book_graph *graph;
    struct book_suite suite;
    bool as_games;
    struct game *game; /* the line at hand */
    FILE *out;
};

/* The four fields of EPD and, in operations, the numbers that a FEN has, too. */
static void write_position(const struct suite_output *output, const struct eco *eco)
{
    const struct position *pos = game_position(output->game);
    char fen[FEN_MAX];
    fen_format(pos, fen);
    size_t fields = 0;
    size_t size = 0;
    while (fen[size] && (fen[size] != ' ' || ++fields < 4))
        size++;
    (void)fprintf(output->out, "%.*s hmvc %u; fmvn %u;", (int)size, fen, (unsigned)pos->rule50,
                  (unsigned)pos->fullmove);
    if (eco)
        (void)fprintf(output->out, " id \"%s %s\";", eco->code, eco->name);
    (void)fputc('\n', output->out);
}

static enum caxton_status write_game(const struct suite_output *output, const struct eco *eco)
{
    const struct pgn_tag tags[] = {
        {span_of("Event"), span_of("Opening suite")},
        {span_of("ECO"), span_of(eco ? eco->code : "")},
        {span_of("Opening"), span_of(eco ? eco->name : "")},
    };
    return pgn_write(output->out, output->game, tags, eco ? 3 : 1,
                     pgn_result_on_board(output->game), NULL, NULL);
}

static enum caxton_status write_step(struct suite_output *output, size_t step)
{
    move line[BOOK_GRAPH_PLIES_MAX];
    enum caxton_status status = STATUS_OK;
    game_reset(output->game, book_suite_line(&output->suite, output->graph, step, line));
    for (uint32_t i = 0; i < output->suite.plies && status == STATUS_OK; i++)
        status = game_play(output->game, line[i]);
    if (status != STATUS_OK)
        return status;
    const struct eco *eco = eco_find_last(game_keys(output->game), game_plies(output->game) + 1);
    if (output->as_games)
        return write_game(output, eco);
    write_position(output, eco);
    return STATUS_OK;
}

static enum caxton_status write_all(struct suite_output *output)
{
    enum caxton_status status = STATUS_OK;
    for (size_t i = output->suite.first; i < output->suite.step_count && status == STATUS_OK; i++)
        status = write_step(output, i);
    return status;
}

static enum exit_status save(const struct command_line *line, struct suite_output *suite,
                             const char *output)
{
    struct atomic_file *file = NULL;
    if (!outputs_create(line, output, &file))
        return EXIT_FAILED;
    suite->out = atomic_file_stream(file);
    enum caxton_status status = write_all(suite);
    return outputs_end(line, file, status, status_name(status));
}

static size_t positions_of(const struct book_suite *suite)
{
    return suite->step_count - suite->first;
}

/* Of a small suite: which fewer plies give the most positions, if any give more. */
static void hint_plies(FILE *report, const struct book_graph *graph, const struct book_suite *suite)
{
    size_t most = positions_of(suite);
    uint32_t best = suite->plies;
    if (most >= SMALL_SUITE)
        return;
    for (uint32_t plies = suite->plies - 1; plies > 0; plies--) {
        struct book_suite other;
        if (book_suite_create(graph, plies, &other) != STATUS_OK)
            return; /* out of memory: a report without a hint is better than none */
        if (positions_of(&other) > most) {
            most = positions_of(&other);
            best = plies;
        }
        book_suite_free(&other);
    }
    if (best < suite->plies)
        (void)fprintf(report,
                      "  few lines are so long: --suite %u gives %zu; a book with a smaller "
                      "--min-games, --min-score or --min-share has more\n",
                      (unsigned)best, most);
}

/* Writes the positions after exactly `plies` moves of the book, each once: as games when as_games,
 * else as EPD. The report, unless quiet, counts them. Returns the exit status after naming a fault.
 */
static enum exit_status convert_suite(const struct command_line *line, const struct book *book,
                                      uint32_t plies, bool as_games, const char *output, bool quiet)
{
    struct diag diag = {.text = ""};
    struct book_graph graph = {0};
    struct suite_output suite = {.graph = &graph, .as_games = as_games};
    if (book_graph_create(book, NULL, &graph, &diag) != STATUS_OK)
        return command_fail(line, "%s", diag.text);
    suite.game = game_create();
    enum caxton_status status =
        suite.game ? book_suite_create(&graph, plies, &suite.suite) : STATUS_NO_MEMORY;
    enum exit_status answer;
    if (status == STATUS_OK)
        answer = save(line, &suite, output);
    else if (status == STATUS_NOT_FOUND)
        answer = command_fail(line, "%s: no line of the book has %u plies from the start",
                              book_name(book), (unsigned)plies);
    else
        answer = command_fail(line, "%s: %s", book_name(book), status_name(status));
    if (answer == EXIT_DONE && !quiet) {
        size_t count = positions_of(&suite.suite);
        (void)fprintf(outputs_report(output), "%s: %zu position%s after %u plies\n",
                      text_safe(output).text, count, count == 1 ? "" : "s", (unsigned)plies);
        hint_plies(outputs_report(output), &graph, &suite.suite);
    }
    game_destroy(suite.game);
    book_suite_free(&suite.suite);
    book_graph_destroy(&graph);
    return answer;
}

enum { COLOR_BOTH, COLOR_WHITE, COLOR_BLACK };

struct convert_command {
    struct weighing weighing;
    struct asked_facets facets;
    bool quiet;
    bool skip_damaged;
    int color;                        /* enum below */
    struct polyglot_peer_output peer; /* the program that a book is for; peer.peer -1: any */
    struct book_writer peer_writer;
    int64_t suite; /* plies; 0: a book is written */
    const char *to;
    const struct book_writer *writer;
    struct command_line line;
    struct weigh_options options;
    struct source source;
};

struct weighing_all {
    struct weigher *weigher;
    struct progress progress;
    uint64_t taken;
};

/* A tally_sink. Keys are spread evenly, so that the key tells how much is done. */
static enum caxton_status take_tally(void *context, const struct tally *tally)
{
    enum { TALLIES_A_LOOK = 1 << 12 };
    struct weighing_all *all = context;
    if (++all->taken % TALLIES_A_LOOK == 0)
        progress_share(&all->progress, "weighing", tally->key >> 1, INT64_MAX);
    return weigher_take(all->weigher, tally);
}

static enum caxton_status weigh_all(struct convert_command *command, FILE *out,
                                    struct weigh_report *report, struct diag *diag)
{
    command->options.unit = command->source.book->counts->unit;
    struct weighing_all all = {.weigher = weigher_create(out, &command->options)};
    if (!all.weigher)
        return STATUS_NO_MEMORY;
    progress_start(&all.progress, command->quiet, 0);
    enum caxton_status status = wld_reader_give(command->source.reader, take_tally, &all, diag);
    if (status == STATUS_OK)
        status = weigher_finish(all.weigher, report);
    weigher_destroy(all.weigher);
    progress_end(&all.progress);
    if (status == STATUS_OK && report->entries == 0) {
        diag_set(diag, 0, 0, "%s: no move is left", command->source.name);
        return STATUS_NOT_FOUND;
    }
    const char *fault = source_input_fault(&command->source);
    if (status != STATUS_OK && fault)
        diag_set(diag, 0, 0, "%s: %s", command->source.name, fault);
    return status;
}

static enum exit_status convert(struct convert_command *command, const char *output)
{
    struct diag diag = {.text = ""};
    struct atomic_file *file = NULL;
    struct weigh_report report;
    if (!outputs_create(&command->line, output, &file))
        return EXIT_FAILED;
    diag_set(&diag, 0, 0, "%s: cannot write", output);
    enum caxton_status status = weigh_all(command, atomic_file_stream(file), &report, &diag);
    if (outputs_end(&command->line, file, status, diag.text) != EXIT_DONE)
        return EXIT_FAILED;
    weighing_warn(&command->line, &command->options, &report);
    if (!command->quiet)
        weighing_report(outputs_report(output), &report);
    return EXIT_DONE;
}

/* Writes a book, or the openings that were asked for instead of it. */
static enum exit_status write_out(const struct convert_command *command, const struct book *book,
                                  const char *output)
{
    if (!command->suite)
        return save_book(&command->line, book, command->writer, output);
    return convert_suite(&command->line, book, (uint32_t)command->suite,
                         strcmp(command->writer->name, "pgn") == 0, output, command->quiet);
}

/* Writes statistics as another kind of book, by way of a Polyglot book in memory. Mirrored ones
 * always come this way: a walk finds their positions, of both colours. */
static enum exit_status convert_by_book(struct convert_command *command, const char *output)
{
    struct memory_stream made;
    struct weigh_report report;
    struct diag diag = {.text = "out of memory"};
    struct book *book = NULL;
    enum caxton_status status = memory_stream_open(&made)
                                    ? weigh_all(command, made.file, &report, &diag)
                                    : STATUS_NO_MEMORY;
    if (!memory_stream_close(&made) && status == STATUS_OK)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = book_open_entries(&made, command->source.book->counts->mirrored,
                                   command->source.name, &book, &diag);
    enum exit_status answer = status == STATUS_OK ? write_out(command, book, output)
                                                  : command_fail(&command->line, "%s", diag.text);
    if (answer == EXIT_DONE)
        weighing_warn(&command->line, &command->options, &report);
    if (answer == EXIT_DONE && !command->quiet)
        weighing_report(outputs_report(output), &report);
    book_close(book);
    free(made.bytes);
    return answer;
}

/* Writes the moves of one side. */
static enum exit_status save_side(const struct convert_command *command, const char *output)
{
    struct gathering gathering = {.root_count = 0};
    struct diag diag = {.text = ""};
    struct book *book = NULL;
    int color = command->color == COLOR_WHITE ? WHITE : BLACK;
    enum caxton_status status = gather_color(&gathering, command->source.book, color, &diag);
    if (status == STATUS_OK && *diag.text)
        (void)command_fail(&command->line, "warning: %s: %s", command->source.name, diag.text);
    if (status == STATUS_OK && gathering.list.count == 0) {
        diag_set(&diag, 0, 0, "no move is left");
        status = STATUS_NOT_FOUND;
    }
    if (status == STATUS_OK) {
        diag_set(&diag, 0, 0, "out of memory");
        status = gather_finish(&gathering, command->source.name, &book);
    }
    gather_free(&gathering);
    if (status != STATUS_OK)
        return command_fail(&command->line, "%s: %s", command->source.name, diag.text);
    book_made_of(book, command->source.book);
    enum exit_status answer = write_out(command, book, output);
    book_close(book);
    return answer;
}

/* Writes a book as another kind of book. */
static enum exit_status convert_book(const struct convert_command *command, const char *output)
{
    const struct source *source = &command->source;
    const char *from = book_format_name(source->book);
    enum exit_status status = command->color == COLOR_BOTH
                                  ? write_out(command, source->book, output)
                                  : save_side(command, output);
    if (status == EXIT_DONE && !command->quiet && !command->suite)
        (void)fprintf(outputs_report(output), "%s: %s, %zu moves; %s: %s\n",
                      text_safe(source->name).text, from, book_entry_count(source->book),
                      text_safe(output).text, command->writer->about);
    return status;
}

static enum exit_status run_source(struct convert_command *command, const char *output)
{
    if (!command->source.book->counts)
        return convert_book(command, output);
    bool direct = !command->suite && command->peer.peer < 0 && command->writer->writes_entries &&
                  !command->source.book->counts->mirrored;
    return direct ? convert(command, output) : convert_by_book(command, output);
}

/* The format of the output: statistics become a Polyglot book unless told otherwise. Returns
 * EXIT_DONE or EXIT_USAGE. */
static enum exit_status find_writer(struct convert_command *command, const char *output)
{
    command->writer = command->to ? formats_writer(command->to) : formats_writer_of_path(output);
    if (!command->writer && !command->to && command->source.book->counts && !command->suite) {
        command->writer = formats_writer("bin");
        return outputs_are_named(&command->line, output, "bin");
    }
    if (command->suite && command->writer && strcmp(command->writer->name, "epd") != 0 &&
        strcmp(command->writer->name, "pgn") != 0)
        return command_misuse(&command->line, "--suite writes .epd or .pgn");
    if (command->writer)
        return EXIT_DONE;
    const struct book_format *format = command->to ? NULL : formats_of_path(output);
    if (format && !format->writer_count)
        return command_misuse(&command->line, "%s: this kind of book (%s) is only read", output,
                              format->name);
    return command_misuse(&command->line, "what kind of book? --to says: %s", save_names());
}

/* Reads the options, which depend on the input: it is open. Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status read_options(struct convert_command *command, const char *output)
{
    const struct wld_info *counts = command->source.book->counts;
    command->weighing.mirrored = counts && counts->mirrored;
    enum exit_status status = weighing_read(&command->line, &command->weighing, &command->options);
    if (status == EXIT_DONE)
        status = find_writer(command, output);
    if (status != EXIT_DONE)
        return status;
    if (command->peer.peer >= 0) {
        if (!command->writer->writes_entries)
            return command_misuse(&command->line, "--for writes a Polyglot book (.bin)");
        command->peer_writer = polyglot_peer_writer(&command->peer);
        command->writer = &command->peer_writer;
    }
    if (!counts && options_given(&command->line, WEIGHING_NAMES))
        return command_misuse(&command->line,
                              "only statistics are weighed: no such option here (makebook prune "
                              "leaves moves of a book out)");
    if (!counts && command->skip_damaged)
        return command_misuse(&command->line, "--skip-damaged is for statistics (.wld)");
    if (counts && command->color != COLOR_BOTH)
        return command_misuse(&command->line,
                              "statistics are counted for one side: makebook build --color");
    if (counts && options_given(&command->line, "min-games") &&
        (uint64_t)command->weighing.min_games < counts->min_games)
        (void)command_fail(&command->line,
                           "warning: %s has no moves of fewer than %llu games: they were left out "
                           "when it was counted",
                           command->source.name, (unsigned long long)counts->min_games);
    return EXIT_DONE;
}

/* A store of a store: all of it. Returns an exit status. */
static enum exit_status convert_store(const struct convert_command *command, const char *output)
{
    if (command->skip_damaged)
        return command_misuse(&command->line, "--skip-damaged is for statistics (.wld)");
    if (command->suite)
        return command_misuse(&command->line, "a store has no lines for --suite");
    if (command->color != COLOR_BOTH || options_given(&command->line, WEIGHING_NAMES))
        return command_misuse(&command->line,
                              "a store is written whole: no --color and no option about weights");
    return stores_write(&command->line, 1, output, command->quiet);
}

static enum exit_status run(void *context)
{
    struct convert_command *command = context;
    const char *output = command->line.operands[1];
    if (outputs_is_stats_name(output))
        return command_misuse(&command->line, "a book is written here, not statistics (.wld)");
    if (outputs_protect_inputs(&command->line, 1, output) != EXIT_DONE ||
        outputs_protect(&command->line, command->weighing.override_path, output) != EXIT_DONE)
        return EXIT_USAGE;
    if (stores_is_name(output) && !command->to && command->peer.peer < 0)
        return command_end(&command->line, convert_store(command, output));
    if (!source_open(&command->line, command->line.operands[0], &command->source))
        return EXIT_FAILED;
    enum exit_status status = read_options(command, output);
    if (command->skip_damaged)
        source_skip_damaged(&command->line, &command->source);
    if (status == EXIT_DONE)
        status = run_source(command, output);
    if (status == EXIT_DONE && command->peer.peer >= 0 && !command->quiet) {
        char text[POLYGLOT_PEER_TEXT_MAX];
        struct text_buffer told = text_buffer_on(text, sizeof text);
        polyglot_peer_tell(&command->peer, &told);
        (void)fputs(text, outputs_report(output));
    }
    source_close(&command->source);
    return command_end(&command->line, status);
}

static const char about[] =
    "Makes a book of another kind. IN is a book of any kind, recognised by content, or statistics\n"
    "that makebook build --stats wrote; the kind of OUT is seen from its name, or --to says it:\n"
    "  bin   Polyglot\n"
    "  abk   Arena\n"
    "  epd   EPD: positions with their moves and weights, as text\n"
    "  fen   Fishburn's lines: a move, then its position\n"
    "  lines White's lines: text that a person edits\n"
    "  pgn   a game for each line of play, weights in comments\n"
    "  tree  Thompson's tree: a byte a move, packed weights beside them\n"
    "    tree-style  and the character of the openings they lead to, for the engine's BookStyle\n"
    "    tree-small  weights only where there is a choice; what its own moves reach\n"
    "    tree-pure   nothing but the moves, best first: the tree as Spracklen described it\n"
    "What OUT does not hold of IN (positions, weights, learn values, comments ..) is counted in a\n"
    "warning; book/formats/README.md tells what each kind holds. \"-\" is standard input or "
    "output.\n\n"
    "A PGN file is a repertoire: every move of it counts. Plain games, 100 with wins of both sides "
    "in\n"
    "their Result tags before the first variation or weight, are no book: build counts "
    "those.\n\n"
    "--suite writes openings for tournaments instead: every position after exactly N plies from "
    "the\n"
    "start by moves that the book plays, each once, whatever lines lead there; as positions with\n"
    "the name of their opening (.epd) or as a game each (.pgn), the heaviest moves first.\n\n"
    "--for NAME writes a Polyglot book that this program plays right, where it would misread "
    "the\n"
    "format, and says what is rewritten or left out and what cannot be helped "
    "(docs/PEERS.md).\n" POLYGLOT_PEERS_ABOUT "\n\n"
    "A store of searches (.store) becomes any other kind of book; as OUT.store, a store without "
    "what\n"
    "is out of use.\n\n"
    "Statistics are weighed, into a Polyglot book unless told otherwise. Mirrored ones (makebook\n"
    "build --mirror) become a book of both colours, of what lines from the start reach. What was\n"
    "aged or weighted by Elo stays so; --min-games is about the sum of what games "
    "count.\n\n";

static enum exit_status command_main(int argc, char **argv)
{
    struct convert_command command = {.to = NULL};
    const struct option_row rows[] = {
        WEIGHING_ROWS(command.weighing),
        CHOICE_ROW("color", "both|white|black", "whose moves of a book are kept", &command.color),
        CHOICE_ROW("for", POLYGLOT_PEERS, "write a Polyglot book that this program plays right",
                   &command.peer.peer, USUAL(-1), .without = "suite"),
        NUMBER_ROW("suite", 0, "N", "openings of N plies for tournaments, as .epd or .pgn",
                   &command.suite, 1, BOOK_GRAPH_PLIES_MAX),
        TEXT_ROW("to", 0, "KIND", "the kind of book to write, as above", &command.to),
        FACET_ROWS(command.facets),
        FLAG_ROW("skip-damaged", 0, "leave blocks of statistics out that are damaged",
                 &command.skip_damaged),
        FLAG_ROW("quiet", 'q', "no closing report", &command.quiet),
    };
    command.line =
        COMMAND_LINE("convert", "IN OUT [options]", weighing_about(&command.weighing, about), rows,
                     ROW_COUNT(rows), 2, 2);
    enum exit_status status = command_run(&command.line, argc, argv, run, &command);
    weighing_free(&command.weighing);
    return status;
}

const struct command command_convert = {
    "convert", "make another kind of book, or a book of statistics", command_main};
