/* makebook verify, of books that are not Polyglot's. */
#include "book/book.h"
#include "book/open/open.h"

#include <string.h>

#include "base/terminal.h"
#include "base/text.h"
#include "book/graph/entropy.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/commands/verify.h"
#include "book/open/convert.h"
#include "book/open/formats.h"

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
    [BOOK_FAULT_DAMAGE] = "records that are damaged",
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
        (void)fprintf(report, "line %zu, column %zu: ", diag->line, diag->column);
    else if (diag->line)
        (void)fprintf(report, "line %zu: ", diag->line);
    else
        (void)fprintf(report, "byte %zu: ", diag->offset);
    text_put_safe(report, span_of(diag->text));
    (void)fputc('\n', report);
    return true;
}

/* A book_fault_sink. */
static void take_fault(void *context, enum book_fault fault, const struct diag *diag,
                       const char *offer)
{
    struct check *check = context;
    FILE *report = check->command->report;
    if (!name_fault(check, fault, diag) || !offer)
        return;
    (void)fprintf(report, "    this line would join them: ");
    text_put_safe(report, span_of(offer));
    (void)fputc('\n', report);
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
        text_safe(check->command->source.name).text, book_format_name(book), moves,
        text_plural(moves), graph->positions, text_plural(graph->positions), graph->known,
        (unsigned)graph->deepest, graph->deepest == 1 ? "y" : "ies", (unsigned long long)check->sum,
        text_plural(check->sum));
}

/* Does a repair write a book of text anew, from its moves alone? */
static bool loses_comments(const struct verify *command)
{
    return command->output && command->format->is_text && !command->format->repair;
}

static int refuse_loss(const struct verify *command)
{
    return command_misuse(
        &command->line,
        "%s is the book itself: a repair does not keep its comments and names, so it "
        "goes to another file",
        command->output);
}

/* The one of the kind's writers that the output's name asks for, or the usual one. */
static const struct book_writer *find_writer(const struct verify *command)
{
    const struct book_format *format = command->format;
    const struct book_writer *named = formats_writer_of_path(command->output);
    for (size_t i = 0; i < format->writer_count; i++)
        if (&format->writers[i] == named)
            return named;
    return format->writer_count ? &format->writers[0] : NULL;
}

static int repair(const struct verify *command, const struct book *book)
{
    const struct book_writer *writer = find_writer(command);
    if (!writer)
        return command_fail(&command->line, "%s: this kind of book cannot be repaired",
                            command->source.name);
    if (verify_check_output(command, writer->name) != EXIT_DONE)
        return EXIT_USAGE;
    int status = save_with(&command->line, book, book_repair, writer, command->output);
    if (status == EXIT_DONE)
        (void)fprintf(command->report, "%s: written without the faults%s\n",
                      text_safe(command->output).text,
                      loses_comments(command) ? "; comments and names are not kept" : "");
    return status;
}

/* How the bytes of the file are used, and what is needed in theory for what lines reach. */
static enum caxton_status describe(const struct verify *command, const struct book *book,
                                   const struct book_graph *graph)
{
    char text[TEXT_MAX];
    struct text_buffer out = text_buffer_on(text, sizeof text);
    struct book_entropy entropy;
    if (!command->format->describe)
        return STATUS_OK;
    enum caxton_status status = book_entropy(graph, &entropy);
    if (status != STATUS_OK || entropy.moves == 0)
        return status;
    double bytes = 8.0 * (double)entropy.moves;
    command->format->describe(book->state, &out);
    (void)fprintf(command->report,
                  "%s\nPolyglot takes 16 bytes a move; in theory %.2f would do, and %.2f for "
                  "weights\n",
                  text, (entropy.subsets + entropy.counts + entropy.orders) / bytes,
                  entropy.weights / bytes);
    return STATUS_OK;
}

static int look_at_lines(struct check *check, const struct book *book)
{
    const struct verify *command = check->command;
    struct book_graph graph = {0};
    struct verify_lines lines;
    struct diag diag = {.text = "out of memory"};
    if (book_graph_create(book, command->root, &graph, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    enum caxton_status status = verify_lines(command, &graph, &lines);
    if (status == STATUS_OK && book_table(book))
        verify_unreached(command, book_table(book), &graph, &lines);
    if (status == STATUS_OK)
        status = describe(command, book, &graph);
    if (status == STATUS_OK)
        print_summary(check, &lines, book, &graph);
    book_graph_destroy(&graph);
    return status == STATUS_OK ? EXIT_DONE : command_fail(&command->line, "out of memory");
}

int verify_format(const struct verify *command)
{
    const struct source *source = &command->source;
    struct check check = {.command = command};
    struct book *book = NULL;
    struct diag diag = {.text = "out of memory"};
    if (loses_comments(command) && outputs_are_one(command->line.operands[0], command->output))
        return refuse_loss(command);
    if (command->format->check &&
        command->format->check(command->format, source->bytes, source->size, take_fault, &check) ==
            STATUS_NO_MEMORY)
        return command_fail(&command->line, "%s: out of memory", source->name);
    if (book_open_memory(source->bytes, source->size, source->name, &book, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
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
