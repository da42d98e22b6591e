/* makebook verify: every fault of a book by name and place, and a copy without them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "book/book.h"
#include "book/formats/polyglot/peers.h"
#include "book/formats/polyglot/polyglot.h"
#include "book/graph/entropy.h"
#include "book/graph/graph.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/entries.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/sample_games.h"
#include "book/makebook/cli/save.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "book/open/convert.h"
#include "book/open/formats.h"
#include "book/open/open.h"
#include "book/polyglot_entry.h"
#include "book/statistics/wld_file.h"
#include "chess/fen.h"
#include "chess/notation.h"

enum { VERIFY_SHOWN = 20 }; /* so many faults of a kind are named, unless all are asked for */

/* What is to be done. */
struct verify {
    bool repair;
    const char *output; /* of the repair, NULL: none */
    const char *fen;
    bool all; /* name every fault */
    int peer; /* of POLYGLOT_PEERS: what another program makes of it, too; -1: none */
    struct command_line line;
    struct source source;
    const struct book_format *format; /* NULL: not known yet */
    const struct position *root;      /* of --start; NULL: lines begin at the start */
    FILE *report;
};

/* What lines show -------------------------------------------------------------------------- */

/* What the lines of a book show that its entries do not. */
struct verify_lines {
    uint64_t loops;     /* moves that come back to an earlier position of their line */
    uint64_t unreached; /* positions that no line comes to */
    uint64_t zeros;     /* moves of weight 0 */
};

struct line_look {
    const struct book_graph *graph;
    FILE *report;
    bool all;
    struct verify_lines *found;
};

static void name_move(const struct line_look *look, uint32_t node, const struct book_edge *edge,
                      const char *what)
{
    struct position pos;
    char san[SAN_MAX];
    char fen[FEN_MAX];
    book_graph_position(look->graph, node, &pos, NULL);
    move_to_san(&pos, edge->move, san);
    fen_format(&pos, fen);
    (void)fprintf(look->report, "%s in %s %s\n", san, fen, what);
}

/* Depth first, without recursion: a move that leads to a node of the line at hand closes a loop. */
static enum caxton_status find_loops(const struct line_look *look)
{
    enum { NEW, ON_LINE, DONE };
    const struct book_graph *graph = look->graph;
    uint8_t *states = calloc(graph->node_count, 1);
    uint32_t *line = calloc(graph->node_count, sizeof *line);
    uint32_t *next = calloc(graph->node_count, sizeof *next); /* by node: its moves looked at */
    bool enough = states && line && next;
    for (uint32_t root = 0; enough && root < graph->node_count; root++) {
        size_t depth = 0;
        if (states[root] == NEW) {
            line[depth++] = root;
            states[root] = ON_LINE;
        }
        while (depth > 0) {
            uint32_t at = line[depth - 1];
            const struct book_node *node = &graph->nodes[at];
            if (next[at] == node->count) {
                states[at] = DONE;
                depth--;
                continue;
            }
            const struct book_edge *edge = &graph->edges[node->first + next[at]++];
            if (edge->to == BOOK_GRAPH_NONE || edge->weight == 0)
                continue;
            if (states[edge->to] == NEW) {
                states[edge->to] = ON_LINE;
                line[depth++] = edge->to;
            } else if (states[edge->to] == ON_LINE) {
                look->found->loops++;
                if (look->all)
                    name_move(look, at, edge, "comes back to an earlier position of its line");
            }
        }
    }
    free(states);
    free(line);
    free(next);
    return enough ? STATUS_OK : STATUS_NO_MEMORY;
}

static void find_zeros(const struct line_look *look)
{
    const struct book_graph *graph = look->graph;
    for (uint32_t at = 0; at < graph->node_count; at++)
        for (uint32_t i = 0; i < graph->nodes[at].count; i++) {
            const struct book_edge *edge = &graph->edges[graph->nodes[at].first + i];
            if (edge->weight > 0)
                continue;
            look->found->zeros++;
            if (look->all)
                name_move(look, at, edge, "is never played");
        }
}

/* Counts in out->unreached the positions that the graph of `table` does not reach; with `all` names
 * each. Also a remark. */
static void find_unreached(const struct verify *verify, const struct entry_table *table,
                           const struct book_graph *graph, struct verify_lines *out)
{
    for (size_t first = 0, end; first < table->count; first = end) {
        end = first + entries_of_position(table, first);
        if (graph->reached[first / 8] & 1 << first % 8)
            continue;
        out->unreached++;
        if (verify->all)
            (void)fprintf(verify->report, "no line comes to the position %016llx: %zu move%s\n",
                          (unsigned long long)entry_table_at(table, first).key, end - first,
                          text_plural(end - first));
    }
}

/* Counts what lines show and names it, with `all` each of it; not what they do not reach. All are
 * remarks: a sound book can have them. */
static enum caxton_status look_at_lines(const struct verify *verify, const struct book_graph *graph,
                                        struct verify_lines *out)
{
    struct verify_lines found = {0};
    const struct line_look look = {graph, verify->report, verify->all, &found};
    enum caxton_status status = find_loops(&look);
    find_zeros(&look);
    *out = found;
    return status;
}

static void summary_line(FILE *report, uint64_t count, const char *what)
{
    if (count)
        (void)fprintf(report, "%12llu  %s (a remark, --all names each)\n",
                      (unsigned long long)count, what);
}

/* One line each of those that are not 0, as a summary has them. */
static void print_lines(const struct verify_lines *found, FILE *report)
{
    summary_line(report, found->loops, "moves that come back to an earlier position of their line");
    summary_line(report, found->zeros, "moves that are known and never played");
    summary_line(report, found->unreached, "positions that no line comes to");
}

/* Books -------------------------------------------------------------------------------------- */

struct fault_check {
    const struct verify *command;
    uint64_t found[BOOK_FAULTS];
    uint64_t sum;
    bool *bad; /* Polyglot entries that a repair leaves out, by index; NULL: another kind */
    bool *own; /* of them, those that the program of --for wants as they are */
    struct book_graph reached; /* by lines of such entries, which need not be legal */
};

/* Is it shown? */
static bool name_fault(struct fault_check *check, enum book_fault fault, const struct diag *diag)
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
    struct fault_check *check = context;
    FILE *report = check->command->report;
    if (check->own && (fault == BOOK_FAULT_JOURNEY || fault == BOOK_FAULT_ILLEGAL) &&
        check->own[diag->offset / POLYGLOT_ENTRY_SIZE])
        return;
    if (check->bad && (fault == BOOK_FAULT_NO_MOVE || fault == BOOK_FAULT_ILLEGAL))
        check->bad[diag->offset / POLYGLOT_ENTRY_SIZE] = true;
    if (!name_fault(check, fault, diag) || !offer)
        return;
    (void)fprintf(report, "    this line would join them: ");
    text_put_safe(report, span_of(offer));
    (void)fputc('\n', report);
}

/* The shortest lines also come from those starts of Chess960 that the book has. */
static void tell_starts(const struct verify *command, const struct book_graph *graph,
                        struct text_buffer *out)
{
    size_t others = graph->root_count - 1;
    if (command->fen)
        text_append(out, "the position of --start");
    else if (others == 0 || graph->nodes[0].known)
        text_append(out, "the start");
    if (others > 0)
        text_append(out, "%s%zu start%s of %s", out->size ? " and " : "", others,
                    text_plural(others), command->fen ? "games" : "Chess960");
}

/* A Polyglot book is told by its entries. */
static void print_entries(const struct fault_check *check, const struct book_graph *graph,
                          size_t count)
{
    char starts[80];
    struct text_buffer text = text_buffer_on(starts, sizeof starts);
    tell_starts(check->command, graph, &text);
    (void)fprintf(check->command->report,
                  "%s: %zu %s, %zu position%s, %zu reached from %s in up to %u pl%s, "
                  "%zu not reached: %llu fault%s\n",
                  text_safe(check->command->source.name).text, count,
                  count == 1 ? "entry" : "entries", graph->positions, text_plural(graph->positions),
                  graph->known, starts, (unsigned)graph->deepest, graph->deepest == 1 ? "y" : "ies",
                  graph->positions - graph->known, (unsigned long long)check->sum,
                  text_plural(check->sum));
}

/* graph: the one that says what is reached. */
static void print_summary(const struct fault_check *check, const struct verify_lines *lines,
                          const struct book *book, const struct book_graph *graph)
{
    FILE *report = check->command->report;
    size_t moves = book_entry_count(book);
    bool any = false;
    for (int i = 0; i < BOOK_FAULTS; i++)
        any = any || check->found[i];
    if (any && check->bad)
        (void)fputc('\n', report);
    for (int i = 0; i < BOOK_FAULTS; i++)
        if (check->found[i])
            (void)fprintf(report, "%12llu  %s%s\n", (unsigned long long)check->found[i],
                          book_fault_name((enum book_fault)i),
                          check->bad && check->found[i] > VERIFY_SHOWN && !check->command->all
                              ? " (--all shows each)"
                              : "");
    print_lines(lines, report);
    if (check->bad) {
        print_entries(check, graph, moves);
        return;
    }
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

static enum exit_status refuse_loss(const struct verify *command)
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

/* Refuses a repair to a path that promises another kind of book than `writer` makes. */
static enum exit_status check_output(const struct verify *command, const struct book_writer *writer)
{
    return outputs_end_alike(command->line.operands[0], command->output)
               ? EXIT_DONE
               : outputs_are_named(&command->line, command->output, writer->name);
}

/* Polyglot entries that are sound, wherever no line leads, too. */
static enum exit_status repair_entries(const struct fault_check *check)
{
    const struct verify *command = check->command;
    const struct source *source = &command->source;
    const struct entry_table file = {
        .bytes = source->bytes, .count = source->size / POLYGLOT_ENTRY_SIZE, .unchecked = true};
    struct entry_list list = {0};
    struct polyglot_report written = {0};
    enum exit_status status = EXIT_FAILED;
    size_t sound = 0;
    if (entries_list(&file, &list) != STATUS_OK)
        status = command_fail(&command->line, "%s: out of memory", source->name);
    else
        for (size_t i = 0; i < list.count; i++)
            if (!check->bad[i])
                list.entries[sound++] = list.entries[i];
    if (list.count > 0 && sound == 0)
        status =
            command_fail(&command->line, "%s: no entry is sound: nothing to write", source->name);
    list.count = sound;
    if (sound > 0 &&
        entries_save(&command->line, &list, command->root, false, command->output, &written)) {
        (void)fprintf(command->report, "%s: %zu %s written\n", text_safe(command->output).text,
                      list.count, list.count == 1 ? "entry" : "entries");
        status = EXIT_DONE;
    }
    entry_list_free(&list);
    return status;
}

static enum exit_status repair(const struct fault_check *check, const struct book *book)
{
    const struct verify *command = check->command;
    const struct book_writer *writer = find_writer(command);
    if (!writer)
        return command_fail(&command->line, "%s: this kind of book cannot be repaired",
                            command->source.name);
    if (check->bad)
        return repair_entries(check);
    if (check_output(command, writer) != EXIT_DONE)
        return EXIT_USAGE;
    enum exit_status status = save_with(&command->line, book, book_repair, writer, command->output);
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
    char text[400];
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

static enum exit_status sum_up(struct fault_check *check, const struct book *book)
{
    const struct verify *command = check->command;
    const struct entry_table *table = book_table(book);
    struct book_graph graph = {0};
    const struct book_graph *reached = check->bad ? &check->reached : &graph;
    struct verify_lines lines;
    struct diag diag = {.text = "out of memory"};
    enum caxton_status status = book_graph_create(book, command->root, &graph, &diag);
    if (status == STATUS_OK)
        status = look_at_lines(command, &graph, &lines);
    if (status == STATUS_OK && check->bad)
        lines.zeros = 0; /* named by their entries */
    if (status == STATUS_OK && table)
        find_unreached(command, table, reached, &lines);
    if (status == STATUS_OK)
        status = describe(command, book, &graph);
    if (status == STATUS_OK)
        print_summary(check, &lines, book, reached);
    book_graph_destroy(&graph);
    return status == STATUS_OK ? EXIT_DONE : command_fail(&command->line, "%s", diag.text);
}

static enum exit_status check_and_repair(struct fault_check *check)
{
    const struct verify *command = check->command;
    const struct book_format *format = command->format;
    const struct source *source = &command->source;
    struct book *book = NULL;
    struct diag diag = {.text = "out of memory"};
    enum caxton_status checked = STATUS_OK;
    if (command->peer >= 0)
        checked = polyglot_peer_check(command->peer, source->bytes, source->size, command->root,
                                      take_fault, check, check->own);
    if (check->bad && checked == STATUS_OK)
        checked = polyglot_check(source->bytes, source->size, command->root, take_fault, check,
                                 &check->reached);
    else if (format->check)
        checked =
            format->check(format, source->bytes, source->size, command->root, take_fault, check);
    if (checked == STATUS_NO_MEMORY || checked == STATUS_RANGE)
        return command_fail(&command->line, "%s: %s", source->name,
                            checked == STATUS_RANGE ? "more moves than can be walked through"
                                                    : "out of memory");
    if (book_open_memory(source->bytes, source->size, source->name, &book, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    if (!format->check && *book_warning(book)) {
        diag_set(&diag, 0, 0, "%s", book_warning(book));
        take_fault(check, BOOK_FAULT_SYNTAX, &diag, NULL);
    }
    enum exit_status status = sum_up(check, book);
    if (status == EXIT_DONE && command->output)
        status = repair(check, book);
    else if (status == EXIT_DONE && check->sum)
        status = EXIT_FAILED;
    book_close(book);
    return status;
}

static enum exit_status verify_book(const struct verify *command)
{
    const struct source *source = &command->source;
    struct fault_check check = {.command = command};
    struct diag diag = {.text = ""};
    if (loses_comments(command) && outputs_are_one(command->line.operands[0], command->output))
        return refuse_loss(command);
    if (command->format->holds_entries) {
        if (polyglot_refuse_others(source->bytes, source->size, source->name, &diag) != STATUS_OK)
            return command_fail(&command->line, "%s", diag.text);
        if (command->output && check_output(command, find_writer(command)) != EXIT_DONE)
            return EXIT_USAGE;
        check.bad = calloc(source->size / POLYGLOT_ENTRY_SIZE + 1, 2 * sizeof *check.bad);
        if (!check.bad)
            return command_fail(&command->line, "%s: out of memory", source->name);
        check.own = check.bad + source->size / POLYGLOT_ENTRY_SIZE + 1;
    }
    enum exit_status status = check_and_repair(&check);
    book_graph_destroy(&check.reached);
    free(check.bad);
    return status;
}

/* Statistics --------------------------------------------------------------------------------- */

/* Sample games that makebook verify reads along with the statistics that they stand beside. */

struct verify_samples {
    const struct command_line *line;
    struct samples_file *file; /* NULL: there are none, or they cannot be opened */
    struct samples_cursor cursor;
    struct sample_set head; /* the next, unless has_ended */
    bool has_ended;
    bool is_other; /* they belong to other statistics */
    bool is_bad;   /* a fault has been named */
    uint64_t positions;
    uint64_t games;
    size_t most;         /* of one position */
    uint64_t strangers;  /* positions that the statistics do not have, */
    uint64_t first;      /* the first of them, */
    uint64_t first_byte; /* and where it is */
};

static void advance(struct verify_samples *samples)
{
    struct diag diag = {.text = ""};
    enum caxton_status status = samples_cursor_next(&samples->cursor, &samples->head, &diag);
    samples->has_ended = status != STATUS_OK;
    if (status == STATUS_OK) {
        samples->positions++;
        samples->games += samples->head.count;
        samples->most = samples->head.count > samples->most ? samples->head.count : samples->most;
    } else if (status != STATUS_END) {
        samples->is_bad = true;
        (void)command_fail(samples->line, "%s", diag.text);
    }
}

/* Takes the file, which may be NULL. */
static void begin(const struct command_line *line, struct samples_file *file,
                  struct verify_samples *out)
{
    *out = (struct verify_samples){
        .line = line, .file = file, .cursor = {.file = file}, .has_ended = file == NULL};
    if (file)
        advance(out);
}

/* Those beside `source`, if there are any. Faults are named on standard error. */
static void verify_samples_open(const struct command_line *line, const struct source *source,
                                struct verify_samples *out)
{
    struct samples_file *file = NULL;
    struct diag diag = {.text = "out of memory"};
    bool is_bad = false;
    bool is_other = false;
    char *path = source->file ? sample_games_path(source->name) : NULL;
    if (path && file_kind_of(path, NULL) != FILE_ABSENT) {
        is_bad = samples_file_open(path, &file, &diag) != STATUS_OK;
        if (is_bad)
            (void)command_fail(line, "%s", diag.text);
    }
    if (file) {
        const struct wld_identity identity = wld_file_identity(source->file);
        is_other = !samples_file_belongs_to(file, &identity);
        if (is_other)
            (void)command_fail(line, "%s belongs to other statistics than %s", path, source->name);
    }
    free(path);
    begin(line, file, out);
    out->is_other = is_other;
    out->is_bad = out->is_bad || is_bad || is_other;
}

/* The next is of a position that the statistics do not have. */
static void skip(struct verify_samples *samples)
{
    if (samples->strangers++ == 0) {
        samples->first = samples->head.key;
        samples->first_byte = samples->cursor.record;
    }
    advance(samples);
}

/* The statistics have a position with this key; keys ascend, each comes once. */
static void verify_samples_follow(struct verify_samples *samples, uint64_t key)
{
    while (!samples->has_ended && samples->head.key < key)
        skip(samples);
    if (!samples->has_ended && samples->head.key == key)
        advance(samples);
}

/* Reads on to the end, says what was found and closes them. is_whole: all positions of the
 * statistics were read. False: there is a fault. */
static bool verify_samples_end(struct verify_samples *samples, bool is_whole)
{
    while (!samples->has_ended)
        skip(samples);
    if (is_whole && !samples->is_other && samples->strangers) {
        (void)command_fail(samples->line,
                           "%s: byte %llu: games of position %016llx, which the statistics do not "
                           "have: %llu such position%s",
                           samples_file_name(samples->file),
                           (unsigned long long)samples->first_byte,
                           (unsigned long long)samples->first,
                           (unsigned long long)samples->strangers, text_plural(samples->strangers));
        samples->is_bad = true;
    }
    if (samples->file && !samples->is_bad) {
        const struct samples_info *info = samples_file_info(samples->file);
        (void)printf(
            "%s: %llu sample game%s of %llu position%s, at most %zu of one, in %zu file%s\n",
            text_safe(samples_file_name(samples->file)).text, (unsigned long long)samples->games,
            text_plural(samples->games), (unsigned long long)samples->positions,
            text_plural(samples->positions), samples->most, info->names.count,
            text_plural(info->names.count));
    }
    samples_file_close(samples->file);
    samples->file = NULL;
    return !samples->is_bad;
}

/* Sample games that are the operand themselves: *exit is the exit status. False: it is something
 * else. */
static bool verify_samples_alone(const struct verify *verify, int *exit)
{
    const char *path = verify->line.operands[0];
    struct verify_samples samples;
    struct samples_file *file = NULL;
    struct diag diag = {.text = ""};
    enum caxton_status status = samples_file_open(path, &file, &diag);
    if (status == STATUS_NOT_FOUND || status == STATUS_IO)
        return false; /* something else, or nothing that can be read */
    *exit = EXIT_FAILED;
    if (status != STATUS_OK) {
        (void)command_fail(&verify->line, "%s", diag.text);
    } else if (verify->output || verify->fen) {
        (void)command_fail(&verify->line, "%s: sample games go without --repair and --start", path);
        samples_file_close(file);
    } else {
        begin(&verify->line, file, &samples);
        *exit = verify_samples_end(&samples, false) ? EXIT_DONE : EXIT_FAILED;
    }
    return true;
}

/* Writes the options that they were counted with, a line each, as they stand in the file; not the
 * one that only says that there are fingerprints. */
static void print_options(FILE *out, const char *options)
{
    struct span rest = span_of(options);
    struct span line;
    while (span_line(&rest, &line)) {
        if (span_equal(line, WLD_FINGERPRINTS_OPTION))
            continue;
        text_put_safe(out, line);
        (void)fputc('\n', out);
    }
}

/* Reads the fingerprints that stand before the moves. False after naming a fault. */
static bool verify_prints(const struct verify *verify, uint64_t *games)
{
    struct fingerprint print;
    struct diag diag = {.text = ""};
    enum caxton_status status;
    while ((status = wld_reader_next_fingerprint(verify->source.reader, &print, &diag)) ==
           STATUS_OK)
        ++*games;
    return status == STATUS_END || command_refuse(&verify->line, "%s", diag.text);
}

/* What was read. */
struct verify_reading {
    uint64_t records;
    uint64_t positions;
    uint64_t wrong; /* moves that no piece can make */
    uint64_t games; /* fingerprints */
};

/* Reads the moves to the end, which checks everything that can be wrong with them. False after
 * naming a fault. */
static bool read_moves(const struct verify *verify, struct verify_samples *samples,
                       struct verify_reading *reading)
{
    const struct source *source = &verify->source;
    struct tally tally;
    struct diag diag = {.text = ""};
    enum caxton_status status;
    uint64_t key = 0;
    for (; (status = wld_reader_next(source->reader, &tally, &diag)) == STATUS_OK;
         reading->records++) {
        bool is_new = reading->records == 0 || tally.key != key;
        if (is_new)
            verify_samples_follow(samples, tally.key);
        reading->positions += is_new;
        reading->wrong += !polyglot_is_conceivable(tally.move);
        key = tally.key;
    }
    const char *fault = source_input_fault(source);
    if (status != STATUS_END && fault)
        return command_refuse(&verify->line, "%s: %s", source->name, fault);
    return status == STATUS_END || command_refuse(&verify->line, "%s", diag.text);
}

static void print_stats(const struct source *source, const struct verify_reading *reading)
{
    (void)printf("%s: statistics, %llu move%s in %llu position%s\n", text_safe(source->name).text,
                 (unsigned long long)reading->records, text_plural(reading->records),
                 (unsigned long long)reading->positions, text_plural(reading->positions));
    if (reading->games)
        (void)printf("fingerprints of %llu game%s\n", (unsigned long long)reading->games,
                     text_plural(reading->games));
    print_options(stdout, wld_reader_info(source->reader)->options);
}

static enum exit_status verify_stats(struct verify *verify)
{
    struct source *source = &verify->source;
    struct verify_samples samples;
    struct verify_reading reading = {.records = 0};
    if (verify->output)
        return command_fail(&verify->line, "%s: statistics cannot be repaired", source->name);
    if (verify->root)
        return command_fail(&verify->line,
                            "%s: these are statistics (.wld), which have no lines for --start: "
                            "makebook convert makes a book of them",
                            source->name);
    source_skip_damaged(&verify->line, source); /* to name all of them */
    verify_samples_open(&verify->line, source, &samples);
    bool good_prints = verify_prints(verify, &reading.games);
    bool is_read = read_moves(verify, &samples, &reading);
    if (is_read)
        print_stats(source, &reading);
    bool good_samples = verify_samples_end(&samples, is_read && !source->damaged);
    if (!is_read)
        return EXIT_FAILED;
    uint64_t faults = source->damaged + reading.wrong + !good_prints + !good_samples;
    (void)printf("%s: %llu fault%s\n", text_safe(source->name).text, (unsigned long long)faults,
                 text_plural(faults));
    if (source->damaged)
        return command_fail(&verify->line, "%s: %zu block%s damaged", source->name, source->damaged,
                            source->damaged == 1 ? " is" : "s are");
    if (reading.wrong)
        return command_fail(&verify->line, "%s: %llu moves that no piece can make", source->name,
                            (unsigned long long)reading.wrong);
    return faults ? EXIT_FAILED : EXIT_DONE;
}

/* The command -------------------------------------------------------------------------------- */

static enum exit_status verify_source(struct verify *verify)
{
    struct position root;
    struct diag diag = {.text = ""};
    const struct source *source = &verify->source;
    if (verify->fen && command_position(&verify->line, verify->fen, &root, &diag) != STATUS_OK)
        return command_misuse(&verify->line, "--start: %s", diag.text);
    verify->root = verify->fen ? &root : NULL;
    if (verify->peer >= 0 &&
        (source->reader ||
         (source->size > 0 &&
          !formats_find(source->bytes, source->size, source->name)->holds_entries)))
        return command_fail(&verify->line,
                            "%s: --for looks at Polyglot books: makebook convert "
                            "--for writes one",
                            source->name);
    if (source->reader)
        return verify_stats(verify);
    if (source->size == 0)
        return command_fail(&verify->line, "%s: the file is empty", source->name);
    verify->format = formats_find(source->bytes, source->size, source->name);
    return verify_book(verify);
}

static enum exit_status run(void *context)
{
    struct verify *verify = context;
    enum exit_status status = EXIT_DONE;
    if (verify_samples_alone(verify, &status))
        return command_end(&verify->line, status);
    if (!source_read(&verify->line, verify->line.operands[0], &verify->source))
        return EXIT_FAILED;
    verify->report = outputs_report(verify->output);
    status = verify_source(verify);
    source_close(&verify->source);
    return command_end(&verify->line, status);
}

static const char about[] =
    "Names each fault of a book of any kind, with its place. In a Polyglot book: a cut entry, "
    "keys\n"
    "out of order, a move twice in one position, moves that no piece can make, moves that are\n"
    "illegal in the positions that lines of the book reach, and castling written e1g1. In the\n"
    "others: what is cut, no move, illegal, ambiguous, or there twice, and links that lead "
    "nowhere\n"
    "or round. Remarks are lines that come back to an earlier position, positions that no line\n"
    "reaches, and moves of weight 0, which are known and never played. BOOK is a file, \"-\" or\n"
    "\"builtin\". Statistics are checked together with the sample games beside them; these may be\n"
    "BOOK themselves. The exit status is 1 when there is a fault; remarks are none.\n\n"
    "--repair -o OUT writes a copy of the same kind without the faults: a Polyglot book sorted,\n"
    "each move once (their weights added), castling as the format wants it, without the entries\n"
    "that are cut or illegal. A file is a Polyglot book when half of its entries hold a possible\n"
    "move; of others none is made. In White's lines, lines at fault become comments and similar\n"
    "lines come together; missing rewrites are offered, not written. EPD and PGN are written\n"
    "anew: comments, names and marks are not kept, so OUT is another file. Then the exit status\n"
    "is 0.\n\n"
    "--for NAME also names each entry of a Polyglot book that this program would misread or "
    "never\n"
    "play; makebook convert --for writes a book without them. docs/PEERS.md tells what each "
    "does.\n" POLYGLOT_PEERS_ABOUT;

static enum exit_status command_main(int argc, char **argv)
{
    struct verify command = {.repair = false};
    const struct option_row rows[] = {
        FLAG_ROW("repair", 0, "write a sound copy", &command.repair, .needs = "output"),
        TEXT_ROW("output", 'o', "OUT", "where it goes; \"-\" is standard output", &command.output,
                 .needs = "repair"),
        FLAG_ROW("all", 0, "name every fault, not 20 of a kind", &command.all),
        TEXT_ROW("start", 0, "FEN|MOVES|ECO|NAME", "lines begin here, not at the usual start",
                 &command.fen, .old = "fen"),
        CHOICE_ROW("for", POLYGLOT_PEERS, "also name what this program would misread",
                   &command.peer, USUAL(-1), .without = "repair"),
    };
    command.line =
        COMMAND_LINE("verify", "BOOK [--repair -o OUT]", about, rows, ROW_COUNT(rows), 1, 1);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_verify = {"verify", "name every fault of a book, repair it",
                                       command_main};
