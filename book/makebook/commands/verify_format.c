/* makebook verify, of books that are not Polyglot's. */
#include "book/book.h"
#include "book/open/open.h"

#include <string.h>

#include "base/terminal.h"
#include "base/text.h"
#include "book/formats/epd/epd.h"
#include "book/formats/epd/epd_write.h"
#include "book/formats/thompson/tree_format.h"
#include "book/formats/white/lines.h"
#include "book/graph/graph.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/commands/verify.h"
#include "book/makebook/commands/verify_tree.h"

enum { TEXT_MAX = 400 };

static const char *const fault_names[BOOK_FAULTS] = {
    [BOOK_FAULT_SIZE] = "parts that are cut",
    [BOOK_FAULT_ORDER] = "entries out of place",
    [BOOK_FAULT_DUPLICATE] = "moves that their position has already",
    [BOOK_FAULT_SYNTAX] = "words that mean nothing where they stand",
    [BOOK_FAULT_ILLEGAL] = "moves that are illegal in their position",
    [BOOK_FAULT_AMBIGUOUS] = "moves that could be several",
    [BOOK_FAULT_CASTLING] = "castlings written in another way",
    [BOOK_FAULT_LINK] = "references to what is not there",
    [BOOK_FAULT_LOOP] = "references that come back or belong elsewhere",
    [BOOK_FAULT_CUT_OFF] = "lines that no game can come to",
    [BOOK_REMARK_APART] = "lines that stand apart from similar ones (a remark)",
    [BOOK_REMARK_IDLE] = "lines, moves and brackets that change nothing (a remark)",
    [BOOK_REMARK_ORDER] = "orders of moves without a rewrite (a remark)",
    [BOOK_REMARK_GAP] = "moves without an answer (a remark)",
};

struct check {
    const struct verify *command;
    uint64_t found[BOOK_FAULTS];
    uint64_t sum;
};

/* Is it shown? */
static bool name_fault(struct check *check, enum book_fault fault, const struct diag *diag)
{
    FILE *report = check->command->report;
    check->sum += fault < BOOK_REMARKS;
    if (++check->found[fault] > VERIFY_SHOWN && !check->command->all)
        return false;
    if (diag->line && diag->column)
        (void)fprintf(report, "line %zu, column %zu: %s\n", diag->line, diag->column, diag->text);
    else if (diag->line)
        (void)fprintf(report, "line %zu: %s\n", diag->line, diag->text);
    else
        (void)fprintf(report, "byte %zu: %s\n", diag->offset, diag->text);
    return true;
}

/* A book_fault_sink. */
static void take_fault(void *context, enum book_fault fault, const struct diag *diag,
                       const char *offer)
{
    (void)offer;
    (void)name_fault(context, fault, diag);
}

/* A lines_visit: what proof-reading finds, with the rewrites that it offers. */
static bool take_finding(void *context, const struct lines_finding *finding)
{
    struct check *check = context;
    struct diag diag;
    lines_finding_diag(finding, &diag);
    if (name_fault(check, lines_finding_kind(finding), &diag) && finding->offer)
        (void)fprintf(check->command->report, "    this line would join them: %s\n",
                      finding->offer);
    return true;
}

static enum caxton_status find_faults(struct check *check)
{
    const struct verify *command = check->command;
    const struct source *source = command->source;
    if (command->format == &lines_format)
        return lines_verify((const char *)source->bytes, source->size, take_finding, check);
    if (!command->format->check)
        return STATUS_OK;
    return command->format->check(source->bytes, source->size, take_fault, check);
}

static void print_summary(const struct check *check, const struct verify_lines *lines,
                          const struct book *book, const struct book_graph *graph)
{
    FILE *report = check->command->report;
    size_t moves = book_entry_count(book);
    for (int i = 0; i < BOOK_FAULTS; i++)
        if (check->found[i])
            (void)fprintf(report, "%12llu  %s\n", (unsigned long long)check->found[i],
                          fault_names[i]);
    verify_lines_summary(lines, report);
    (void)fprintf(
        report, "%s: %s, %zu move%s, %zu position%s, %zu reached in up to %u pl%s: %llu fault%s\n",
        check->command->source->name, book_format_name(book), moves, text_plural(moves),
        graph->positions, text_plural(graph->positions), graph->known, (unsigned)graph->deepest,
        graph->deepest == 1 ? "y" : "ies", (unsigned long long)check->sum, text_plural(check->sum));
}

/* Does a repair write a book of text anew, from its moves alone? Lines keep what stands around. */
static bool loses_comments(const struct verify *command)
{
    return command->output && command->format->add && command->format != &lines_format;
}

static int refuse_loss(const struct verify *command)
{
    char text[TEXT_MAX];
    (void)snprintf(text, sizeof text,
                   "%s is the book itself: a repair does not keep its comments and names, so it "
                   "goes to another file",
                   command->output);
    return command_misuse(command->line, text);
}

static int repair(const struct verify *command, const struct book *book)
{
    static const struct book_writer lines_writer = {
        .name = "lines", .about = "White's lines", .write = lines_repair};
    const struct book_writer *writer = formats_writer(command->format->extension);
    const struct book_writer *named = formats_writer_of_path(command->output);
    if (command->format == &lines_format)
        writer = &lines_writer;
    if (command->format == &epd_format && named && named->write == epd_write_lines)
        writer = named;
    if (!writer)
        return command_fail(command->line, "%s: this kind of book cannot be repaired",
                            command->source->name);
    if (verify_check_output(command, writer->name) != EXIT_DONE)
        return EXIT_USAGE;
    int status = save_book(command->line, book, writer, command->output);
    if (status == EXIT_DONE)
        (void)fprintf(command->report, "%s: written without the faults%s\n", command->output,
                      loses_comments(command) ? "; comments and names are not kept" : "");
    return status;
}

static int look_at_lines(struct check *check, const struct book *book)
{
    const struct verify *command = check->command;
    struct book_graph graph = {0};
    struct verify_lines lines;
    struct diag diag = {.text = "out of memory"};
    if (book_graph_create(book, command->root, &graph, &diag) != STATUS_OK)
        return command_fail(command->line, "%s", diag.text);
    enum caxton_status status = verify_lines(command, &graph, &lines);
    if (status == STATUS_OK && command->format == &tree_format)
        status = verify_tree(book_state(book), &graph, command->report);
    if (status == STATUS_OK)
        print_summary(check, &lines, book, &graph);
    book_graph_destroy(&graph);
    return status == STATUS_OK ? EXIT_DONE : command_fail(command->line, "out of memory");
}

int verify_format(const struct verify *command)
{
    const struct source *source = command->source;
    struct check check = {.command = command};
    struct book *book = NULL;
    struct diag diag = {.text = "out of memory"};
    if (loses_comments(command) && outputs_are_one(command->line->operands[0], command->output))
        return refuse_loss(command);
    if (find_faults(&check) == STATUS_NO_MEMORY)
        return command_fail(command->line, "%s: out of memory", source->name);
    if (book_open_memory(source->bytes, source->size, source->name, &book, &diag) != STATUS_OK)
        return command_fail(command->line, "%s", diag.text);
    if (!command->format->check && *book_warning(book)) {
        diag_set(&diag, 0, 0, "%s", book_warning(book));
        take_fault(&check, BOOK_FAULT_SYNTAX, &diag, NULL);
    }
    int status = look_at_lines(&check, book);
    if (status == EXIT_DONE && command->output)
        status = repair(command, book);
    else if (status == EXIT_DONE && check.sum)
        status = EXIT_FAILED;
    book_close(book);
    return status;
}
