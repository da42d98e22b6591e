/* makebook merge: several books become one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/temp_file.h"
#include "base/thread.h"
#include "book/book.h"
#include "book/formats/polyglot/polyglot.h"
#include "book/graph/graph.h"
#include "book/graph/prune.h"
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
    struct polyglot_report report = {0};
    bool good = add_book(&command->line, source, &entries);
    for (int i = 1; i < command->line.operand_count && good; i++) {
        source_close(source);
        good = source_open_book(&command->line, command->line.operands[i], source) &&
               add_book(&command->line, source, &entries);
    }
    size_t read = entries.count;
    good = good && entries_save(&command->line, &entries, NULL, false, command->output, &report);
    if (good && !command->quiet)
        (void)fprintf(outputs_report(command->output),
                      "%zu entries read, %zu written for %zu positions; %zu positions scaled down "
                      "to 16 bits\n",
                      read, entries.count, report.positions, report.scaled);
    entry_list_free(&entries);
    return good ? EXIT_DONE : EXIT_FAILED;
}

/* Statistics take part as a book of their counts, but not in a plain sum. */
static bool gather(const struct merge_command *command, const char *path,
                   struct gathering *gathering)
{
    const struct command_line *line = &command->line;
    struct source source;
    struct diag diag = {.text = ""};
    bool is_sum = command->policy == GATHER_SUM;
    if (!(is_sum ? source_open(line, path, &source)
                 : source_open_walk(line, path, WLD_WEIGHTS_GAMES, &source)))
        return false;
    bool good = true;
    if (is_sum && source.stats)
        good = source_wants_book(line, &source) == EXIT_DONE;
    else if (gather_book(gathering, source.book, (enum gather_policy)command->policy, &diag) !=
             STATUS_OK)
        good = command_refuse(line, "%s: %s", source.name, diag.text);
    else if (*diag.text)
        (void)command_fail(line, "warning: %s: %s", source.name, diag.text);
    source_close(&source);
    return good;
}

/* Puts what the moves of *book reach in its place. */
static bool keep_reachable(const struct merge_command *command, struct book **book)
{
    const struct prune_options options = {.reachable = true};
    struct pruning pruning = {.reasons = NULL};
    struct diag diag = {.text = ""};
    enum caxton_status status = prune_book(*book, &options, &pruning, &diag);
    struct gathering gathering = {.list = pruning.list};
    pruning.list = (struct entry_list){0};
    pruning_free(&pruning);
    book_close(*book);
    *book = NULL;
    if (status == STATUS_OK && gathering.list.count == 0) {
        diag_set(&diag, 0, 0, "no move of the sum is reached from the start");
        status = STATUS_NOT_FOUND;
    } else if (status == STATUS_OK) {
        diag_set(&diag, 0, 0, "out of memory");
        status = gather_finish(&gathering, "the sum", book);
    }
    gather_free(&gathering);
    return status == STATUS_OK || command_refuse(&command->line, "%s", diag.text);
}

/* Puts books together into one of any kind. */
static int merge_kinds(const struct merge_command *command, const struct book_writer *writer)
{
    struct gathering gathering = {.root_count = 0};
    struct book *book = NULL;
    bool good = true;
    for (int i = 0; i < command->line.operand_count && good; i++)
        good = gather(command, command->line.operands[i], &gathering);
    size_t read = gathering.list.count;
    if (good && gather_finish(&gathering, "the sum", &book) != STATUS_OK)
        good = command_refuse(&command->line, "out of memory");
    gather_free(&gathering);
    good = good && (!command->reachable || keep_reachable(command, &book));
    good = good && save_book(&command->line, book, writer, command->output) == EXIT_DONE;
    if (good && !command->quiet)
        (void)fprintf(outputs_report(command->output), "%zu moves read; %s: %s\n", read,
                      text_safe(command->output).text, writer->about);
    book_close(book);
    return good ? EXIT_DONE : EXIT_FAILED;
}

/* Returns EXIT_DONE, or EXIT_USAGE for what adds up statistics alone. */
static int refuse_stats_options(const struct merge_command *command)
{
    if (!command->min_games && !command->force)
        return EXIT_DONE;
    return command_misuse(&command->line, "%s is for statistics (.wld), in a plain sum",
                          command->min_games ? "--min-games" : "--force");
}

/* A file that is named twice counts once, also by two names. Of files with an index their copies
 * are found, too. */
static int refuse_named_twice(const struct merge_command *command)
{
    const struct command_line *line = &command->line;
    for (int i = 1; i < line->operand_count && !command->force; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(line->operands[i], line->operands[j]) == 0 ||
                outputs_are_one(line->operands[i], line->operands[j]))
                return command_fail(line, "%s is named twice; --force adds it up all the same",
                                    line->operands[i]);
    return EXIT_DONE;
}

/* A plain sum: of statistics, or of books as Polyglot entries. writer: of another kind, or NULL. */
static int merge_sum(const struct merge_command *command, const struct book_writer *writer)
{
    const struct command_line *line = &command->line;
    struct source first;
    int status = EXIT_DONE;
    if (!(writer ? source_open : source_open_entries)(line, line->operands[0], &first))
        return EXIT_FAILED;
    if (!first.stats)
        status = refuse_stats_options(command);
    if (status == EXIT_DONE && (first.stats || !writer))
        status = outputs_are_named(line, command->output, first.stats ? "wld" : "bin");
    if (status == EXIT_DONE && first.stats)
        status = refuse_named_twice(command);
    if (status == EXIT_DONE && first.stats)
        return merge_stats(command, &first);
    if (status == EXIT_DONE && !writer)
        status = merge_books(command, &first);
    source_close(&first);
    return status == EXIT_DONE && writer ? merge_kinds(command, writer) : status;
}

/* What the options leave to do. Returns an exit status. */
static int merge(const struct merge_command *command)
{
    const struct command_line *line = &command->line;
    const struct book_writer *writer = formats_writer_of_path(command->output);
    bool is_plain = !command->repertoire && !command->reachable && command->policy == GATHER_SUM;
    bool is_store = stores_is_name(command->output) && is_plain;
    if (is_plain && !is_store)
        return merge_sum(command, writer && !writer->writes_entries ? writer : NULL);
    if (refuse_stats_options(command) != EXIT_DONE)
        return EXIT_USAGE;
    if (is_store)
        return stores_write(line, line->operand_count, command->output, command->quiet);
    int status = save_find_writer(line, command->output, &writer);
    if (status != EXIT_DONE)
        return status;
    return command->repertoire ? merge_repertoire(command, writer) : merge_kinds(command, writer);
}

static int run(void *context)
{
    const struct merge_command *command = context;
    const struct command_line *line = &command->line;
    if (!command->repertoire != !command->replies)
        return command_misuse(line, "--repertoire and --replies go together");
    if (command->repertoire && line->operand_count > 0)
        return command_misuse(line, "--repertoire and --replies name the books: no others");
    if (command->repertoire && command->policy != GATHER_SUM)
        return command_misuse(line, "--policy is for books that are named without an option");
    if (command->repertoire && command->reachable)
        return command_misuse(line, "--reachable: all of a --repertoire is");
    if (command->own && !command->repertoire)
        return command_misuse(line, "--own says whose the --repertoire is");
    if (!command->repertoire && line->operand_count == 0)
        return command_misuse(line, "wanted: %s", line->synopsis);
    if (!command->output)
        return command_misuse(line, "no output given; use -o BOOK");
    int status = source_is_read_once(line);
    if (status == EXIT_DONE)
        status = outputs_spare_inputs(line, line->operand_count, command->output);
    if (status == EXIT_DONE)
        status = outputs_spare(line, command->repertoire, command->output);
    if (status == EXIT_DONE)
        status = outputs_spare(line, command->replies, command->output);
    return command_end(line, status == EXIT_DONE ? merge(command) : status);
}

static const char about[] =
    "Adds books up: the weights of the same move in the same position are "
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
    "--policy normalised weighs books alike: the weights of a position are scaled to the same sum "
    "in each\n"
    "book before they are added. --policy priority puts patches over a main "
    "book: the first book\n"
    "that plays a move in a position has all its moves; moves that it "
    "knows with weight 0 stay so.\n"
    "Here statistics count as books whose weights are numbers of games, "
    "and the order matters.\n\n"
    "--repertoire MINE --replies DATABASE takes one side's moves from MINE, "
    "the other side's from\n"
    "DATABASE, both of any kind, and only what can arise when that side "
    "keeps to MINE. --own says\n"
    "which side it is, where MINE plays moves of both. No move of that side "
    "is lost because\n"
    "DATABASE is small: lines also go on by any reply to which MINE knows "
    "an answer.\n\n"
    "Stores of searches (.store, of one program, network and hash size) "
    "become one store, without\n"
    "what is out of use. Of two answers to one question the first store's "
    "is kept, of two chosen\n"
    "moves that of more games, and the first graph. A game counts once, "
    "however many stores have it.";

static int command_main(int argc, char **argv)
{
    enum { JOBS_MAX = 256 };
    struct merge_command command = {.folder = temp_folder(), .jobs = thread_processors(JOBS_MAX)};
    const struct option_row rows[] = {
        TEXT_ROW("output", 'o', "BOOK", "where the book goes; \"-\" is standard output",
                 &command.output),
        CHOICE_ROW("policy", "sum|normalised|priority", "how the books become one (sum); see above",
                   &command.policy),
        TEXT_ROW("repertoire", 0, "MINE", "the book with one side's moves", &command.repertoire),
        TEXT_ROW("replies", 0, "DATABASE", "the book with the other side's", &command.replies),
        CHOICE_ROW("own", "auto|white|black", "whose moves are those of MINE (auto)", &command.own),
        FLAG_ROW("reachable", 0, "keep only what the moves of the result reach, as prune does",
                 &command.reachable),
        FLAG_ROW("force", 0, "add statistics up that were counted with other options, or twice",
                 &command.force),
        NUMBER_ROW("min-games", 0, "N",
                   "of statistics, leave moves out with fewer games in the sum", &command.min_games,
                   0, INT64_MAX),
        NUMBER_ROW("jobs", 'j', "N", "threads that add statistics up (as many as processors)",
                   &command.jobs, 1, JOBS_MAX),
        TEXT_ROW("temp", 0, "FOLDER",
                 "where temporary files go, of which many statistics need some ($TMPDIR or /tmp)",
                 &command.folder),
        FLAG_ROW("quiet", 'q', "no closing report", &command.quiet),
    };
    command.line = COMMAND_LINE("merge", "BOOKS... -o BOOK", about, rows, ROW_COUNT(rows), 0, argc);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_merge = {"merge", "add books up, or statistics", command_main};
