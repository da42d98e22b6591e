#include "book/makebook/verify_format.h"

#include <string.h>

#include "book/book_graph.h"
#include "book/formats/epd.h"
#include "book/formats/tree.h"
#include "book/makebook/command.h"
#include "book/makebook/save.h"
#include "book/makebook/verify_giveaways.h"
#include "book/makebook/verify_lines.h"
#include "book/makebook/verify_tree.h"

enum { SHOWN = 20 };

static const char *const fault_names[BOOK_FAULTS] = {
    [BOOK_FAULT_SIZE] = "parts that are cut",
    [BOOK_FAULT_ORDER] = "entries out of place",
    [BOOK_FAULT_DUPLICATE] = "moves that their position has already",
    [BOOK_FAULT_ZERO] = "weights of 0 that mean nothing",
    [BOOK_FAULT_SYNTAX] = "words that mean nothing where they stand",
    [BOOK_FAULT_ILLEGAL] = "moves that are illegal in their position",
    [BOOK_FAULT_AMBIGUOUS] = "moves that could be several",
    [BOOK_FAULT_CASTLING] = "castlings written in another way",
    [BOOK_FAULT_LINK] = "references to what is not there",
    [BOOK_FAULT_LOOP] = "references that come back or belong elsewhere",
};

struct check {
    const struct verify_format *command;
    uint64_t found[BOOK_FAULTS];
    uint64_t sum;
};

/* A book_fault_sink. */
static void take_fault(void *context, enum book_fault fault, const struct diag *diag)
{
    struct check *check = context;
    FILE *report = check->command->report;
    check->sum++;
    if (++check->found[fault] > SHOWN && !check->command->all)
        return;
    if (diag->line && diag->column)
        (void)fprintf(report, "line %zu, column %zu: %s\n", diag->line, diag->column, diag->text);
    else if (diag->line)
        (void)fprintf(report, "line %zu: %s\n", diag->line, diag->text);
    else
        (void)fprintf(report, "byte %zu: %s\n", diag->offset, diag->text);
}

static void print_summary(const struct check *check, const struct verify_lines *lines,
                          const struct book *book, const struct book_graph *graph)
{
    FILE *report = check->command->report;
    for (int i = 0; i < BOOK_FAULTS; i++)
        if (check->found[i])
            (void)fprintf(report, "%12llu  %s\n", (unsigned long long)check->found[i],
                          fault_names[i]);
    verify_lines_summary(lines, report);
    (void)fprintf(report,
                  "%s: %s, %zu moves, %zu positions, %zu reached in up to %u plies: %llu fault%s\n",
                  check->command->source->name, book_format_name(book), book_entry_count(book),
                  graph->positions, graph->known, (unsigned)graph->deepest,
                  (unsigned long long)check->sum, check->sum == 1 ? "" : "s");
}

static int repair(const struct verify_format *command, const struct book *book)
{
    const struct book_writer *writer = formats_writer(command->format->extension);
    const struct book_writer *named = formats_writer_of_path(command->output);
    if (command->format == &epd_format && named && named->write == epd_write_lines)
        writer = named;
    if (!writer)
        return command_fail(command->line, "%s: this kind of book cannot be repaired",
                            command->source->name);
    int status = save_book(command->line, book, writer, command->output);
    if (status == EXIT_DONE)
        (void)fprintf(command->report, "%s: written without the faults\n", command->output);
    return status;
}

static int look_at_lines(struct check *check, const struct book *book)
{
    const struct verify_format *command = check->command;
    struct book_graph graph = {0};
    struct verify_lines lines;
    struct diag diag = {.text = "out of memory"};
    if (book_graph_create(book, command->root, &graph, &diag) != STATUS_OK)
        return command_fail(command->line, "%s", diag.text);
    enum caxton_status status = verify_lines(&graph, command->report, command->all, &lines);
    if (status == STATUS_OK && command->giveaway_cp)
        status = verify_giveaways(&graph, command->giveaway_cp, command->report);
    if (status == STATUS_OK && command->format == &tree_format)
        status = verify_tree(book_state(book), &graph, command->report);
    if (status == STATUS_OK)
        print_summary(check, &lines, book, &graph);
    book_graph_destroy(&graph);
    return status == STATUS_OK ? EXIT_DONE : command_fail(command->line, "out of memory");
}

int verify_format(const struct verify_format *command)
{
    const struct source *source = command->source;
    struct check check = {.command = command};
    struct book *book = NULL;
    struct diag diag = {.text = "out of memory"};
    if (command->format->check &&
        command->format->check(source->bytes, source->size, take_fault, &check) != STATUS_OK)
        return command_fail(command->line, "%s: out of memory", source->name);
    if (book_open_memory(source->bytes, source->size, source->name, &book, &diag) != STATUS_OK)
        return command_fail(command->line, "%s", diag.text);
    if (!command->format->check && *book_warning(book)) {
        diag_set(&diag, 0, 0, "%s", book_warning(book));
        take_fault(&check, BOOK_FAULT_SYNTAX, &diag);
    }
    int status = look_at_lines(&check, book);
    if (status == EXIT_DONE && command->output)
        status = repair(command, book);
    else if (status == EXIT_DONE && check.sum)
        status = EXIT_FAILED;
    book_close(book);
    return status;
}
