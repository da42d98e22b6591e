/* makebook merge: the sum of several books. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/temp_file.h"
#include "book/book.h"
#include "book/graph/graph.h"
#include "book/makebook/cli/entries.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/stores.h"
#include "book/makebook/commands/commands.h"
#include "book/makebook/commands/merge.h"

static bool add_book(const struct command_line *line, const struct source *source,
                     struct entry_list *entries)
{
    enum caxton_status status = entries_list(&source->book->table, entries);
    return status == STATUS_OK || command_refuse(line, "%s", status_name(status));
}

/* Adds Polyglot entries up. The first book is open already. */
static int merge_books(const struct merge_command *command, struct source *source)
{
    struct entry_list entries = {0};
    struct combine_report report;
    struct diag diag = {.text = ""};
    bool good = add_book(&command->line, source, &entries);
    for (int i = 1; i < command->line.operand_count && good; i++) {
        source_close(source);
        good = source_open_book(&command->line, command->line.operands[i], source) &&
               add_book(&command->line, source, &entries);
    }
    size_t read = entries.count;
    if (good)
        entries_combine(&entries, &report);
    if (good && entries_save(&entries, command->output, &diag) != STATUS_OK)
        good = command_refuse(&command->line, "%s", diag.text);
    if (good && !command->quiet)
        (void)fprintf(outputs_report(command->output),
                      "%zu entries read, %zu written for %zu positions; %zu positions scaled down "
                      "to 16 bits\n",
                      read, entries.count, report.positions, report.scaled);
    entry_list_free(&entries);
    return good ? EXIT_DONE : EXIT_FAILED;
}

static bool gather(const struct command_line *line, const struct source *source,
                   struct gathering *gathering)
{
    struct diag diag = {.text = ""};
    if (source->stats)
        return source_wants_book(line, source) == EXIT_DONE;
    if (gather_book(gathering, source->book, &diag) != STATUS_OK)
        return command_refuse(line, "%s: %s", source->name, diag.text);
    if (*diag.text)
        (void)command_fail(line, "warning: %s: %s", source->name, diag.text);
    return true;
}

/* Adds books up into one of another kind than Polyglot. The first book is open already. */
static int merge_kinds(const struct merge_command *command, struct source *source,
                       const struct book_writer *writer)
{
    struct gathering gathering = {.root_count = 0};
    struct book *book = NULL;
    bool good = gather(&command->line, source, &gathering);
    for (int i = 1; i < command->line.operand_count && good; i++) {
        source_close(source);
        good = source_open(&command->line, command->line.operands[i], source) &&
               gather(&command->line, source, &gathering);
    }
    size_t read = gathering.list.count;
    if (good && gather_finish(&gathering, "the sum", &book) != STATUS_OK)
        good = command_refuse(&command->line, "out of memory");
    gather_free(&gathering);
    good = good && save_book(&command->line, book, writer, command->output) == EXIT_DONE;
    if (good && !command->quiet)
        (void)fprintf(stdout, "%zu moves read; %s: %s\n", read, command->output, writer->about);
    book_close(book);
    return good ? EXIT_DONE : EXIT_FAILED;
}

static int run(void *context)
{
    const struct merge_command *command = context;
    struct source first;
    if (!command->output)
        return command_misuse(&command->line, "no output given; use -o BOOK");
    const struct book_writer *writer = formats_writer_of_path(command->output);
    bool kinds = writer && !writer->writes_entries;
    int status = outputs_spare_inputs(&command->line, command->line.operand_count, command->output);
    if (status != EXIT_DONE)
        return status;
    if (stores_is_name(command->output))
        return command_end(&command->line, stores_write(&command->line, command->line.operand_count,
                                                        command->output, command->quiet));
    if (!(kinds ? source_open : source_open_entries)(&command->line, command->line.operands[0],
                                                     &first))
        return command_end(&command->line, EXIT_FAILED);
    if (command->min_games && !first.stats) {
        source_close(&first);
        return command_misuse(&command->line, "--min-games is for statistics (.wld)");
    }
    if (first.stats || !kinds)
        status = outputs_are_named(&command->line, command->output, first.stats ? "wld" : "bin");
    if (status != EXIT_DONE) {
        source_close(&first);
    } else if (first.stats) {
        status = merge_stats(command, &first);
    } else {
        status = kinds ? merge_kinds(command, &first, writer) : merge_books(command, &first);
        source_close(&first);
    }
    return command_end(&command->line, status);
}

static const char about[] = "Adds books up: the weights of the same move in the same position are "
                            "added. Where the largest\n"
                            "weight of a position no longer fits 16 bits, all of its weights are "
                            "scaled down in proportion.\n"
                            "The order of the books does not matter. \"-\" is standard input. The "
                            "sum is a Polyglot book, or\n"
                            "of the kind that its name says (all.pgn), as makebook convert writes "
                            "it. It does not go over a\n"
                            "book that is read.\n\n"
                            "Statistics (.wld, recognised by content) are added up exactly, in "
                            "little memory, any number of\n"
                            "them. Any order and grouping gives the same bytes. The same counts "
                            "are added once: a copy\n"
                            "is refused.\n\n"
                            "Stores of searches (.store, of one program, network and hash size) "
                            "become one store, without\n"
                            "what is out of use. Of two answers to one question the first store's "
                            "is kept, of two chosen\n"
                            "moves that of more games, and the first graph. A game counts once, "
                            "however many stores have it.";

static int command_main(int argc, char **argv)
{
    struct merge_command command = {.folder = temp_folder()};
    const struct option_row rows[] = {
        TEXT_ROW("output", 'o', "BOOK", "where the book goes; \"-\" is standard output",
                 &command.output),
        FLAG_ROW("force", 0, "add statistics up that were counted with other options, or twice",
                 &command.force),
        NUMBER_ROW("min-games", 0, "N",
                   "of statistics, leave moves out with fewer games in the sum", &command.min_games,
                   0, INT64_MAX),
        TEXT_ROW("temp", 0, "FOLDER",
                 "where temporary files go, of which many statistics need some ($TMPDIR or /tmp)",
                 &command.folder),
        FLAG_ROW("quiet", 'q', "no closing report", &command.quiet),
    };
    command.line = COMMAND_LINE("merge", "BOOKS... -o BOOK", about, rows, ROW_COUNT(rows), 1, argc);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_merge = {"merge", "add books up, or statistics", command_main};
