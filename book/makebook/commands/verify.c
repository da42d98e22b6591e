/* makebook verify: every fault of a book by name and place, and a copy without them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/terminal.h"
#include "base/text.h"
#include "book/book.h"
#include "book/formats/polyglot/polyglot.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/entries.h"
#include "book/makebook/cli/outputs.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/tree.h"
#include "book/makebook/commands/verify_blunders.h"
#include "book/makebook/commands/verify_format.h"
#include "book/makebook/commands/verify_lines.h"
#include "book/open/formats.h"
#include "book/open/open.h"
#include "book/polyglot_entry.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "chess/position_text.h"

enum fault {
    FAULT_SIZE,
    FAULT_UNSORTED,
    FAULT_DUPLICATE,
    FAULT_ZERO,
    FAULT_MOVE,
    FAULT_ILLEGAL,
    FAULT_CASTLING,
    REMARK_ORDER, /* from here on: not worth a failure */
    FAULTS,
};

static const char *const fault_names[FAULTS] = {
    [FAULT_SIZE] = "size that is no multiple of 16",
    [FAULT_UNSORTED] = "keys that are smaller than the key before",
    [FAULT_DUPLICATE] = "moves that their position has already",
    [FAULT_ZERO] = "weights of 0, which are never played",
    [FAULT_MOVE] = "moves that no piece can make anywhere",
    [FAULT_ILLEGAL] = "moves that are illegal in their position",
    [FAULT_CASTLING] = "castlings written as the king's journey, such as e1g1",
    [REMARK_ORDER] = "moves behind a lighter one (a remark)",
};

enum { SHOWN = 20 };

struct verify_command {
    bool repair;
    bool all;
    const char *output;
    const char *fen;
    int64_t blunder_cp; /* 0: do not look */
    struct command_line line;
    struct source source;
    size_t count; /* of whole entries */
    struct tree tree;
    bool *bad;       /* by index in the file: an entry that a repair leaves out, */
    uint16_t *moves; /* and the move that it writes */
    struct verify_lines lines;
    FILE *report;
    uint64_t found[FAULTS];
};

/* Counts the fault; is it to be printed? */
static bool note(struct verify_command *command, enum fault fault)
{
    return ++command->found[fault] <= SHOWN || command->all;
}

static void name_fault(struct verify_command *command, enum fault fault, size_t index,
                       const char *text)
{
    if (note(command, fault))
        (void)fprintf(command->report, "byte %zu: %s\n", index * POLYGLOT_ENTRY_SIZE, text);
}

static void check_entries(struct verify_command *command)
{
    struct polyglot_entry before = {0};
    for (size_t i = 0; i < command->count; i++) {
        struct polyglot_entry entry =
            polyglot_decode(command->source.bytes + i * POLYGLOT_ENTRY_SIZE);
        char move_text[8];
        char text[160];
        polyglot_move_text(entry.move, move_text);
        if (i && entry.key < before.key) {
            (void)snprintf(text, sizeof text, "key %016llx after %016llx",
                           (unsigned long long)entry.key, (unsigned long long)before.key);
            name_fault(command, FAULT_UNSORTED, i, text);
        } else if (i && entry.key == before.key && entry.weight > before.weight) {
            (void)snprintf(text, sizeof text, "%s of weight %u after one of %u", move_text,
                           entry.weight, before.weight);
            name_fault(command, REMARK_ORDER, i, text);
        }
        if (entry.weight == 0) {
            (void)snprintf(text, sizeof text, "%s has weight 0", move_text);
            name_fault(command, FAULT_ZERO, i, text);
            command->bad[i] = true;
        }
        if (!polyglot_is_conceivable(entry.move)) {
            (void)snprintf(text, sizeof text, "%s (%04x) is no move of any piece", move_text,
                           entry.move);
            name_fault(command, FAULT_MOVE, i, text);
            command->bad[i] = true;
        }
        command->moves[i] = entry.move;
        before = entry;
    }
}

static int compare_for_duplicates(const void *a, const void *b)
{
    const struct tree_entry *x = a;
    const struct tree_entry *y = b;
    if (x->entry.key != y->entry.key)
        return x->entry.key < y->entry.key ? -1 : 1;
    if (x->entry.move != y->entry.move)
        return x->entry.move < y->entry.move ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static bool check_duplicates(struct verify_command *command)
{
    struct tree_entry *entries = calloc(command->count + 1, sizeof *entries);
    if (!entries)
        return false;
    for (size_t i = 0; i < command->count; i++)
        entries[i] = command->tree.entries[i];
    qsort(entries, command->count, sizeof *entries, compare_for_duplicates);
    for (size_t i = 1; i < command->count; i++) {
        const struct book_entry *entry = &entries[i].entry;
        if (entry->key != entries[i - 1].entry.key || entry->move != entries[i - 1].entry.move)
            continue;
        char move_text[8];
        char text[160];
        polyglot_move_text(entry->move, move_text);
        (void)snprintf(text, sizeof text, "%s of key %016llx stands already at byte %zu", move_text,
                       (unsigned long long)entry->key, entries[i - 1].index * POLYGLOT_ENTRY_SIZE);
        name_fault(command, FAULT_DUPLICATE, entries[i].index, text);
    }
    free(entries);
    return true;
}

/* e1g1 stands for e1h1, which the format wants. */
static void check_castling(struct verify_command *command, const struct tree_entry *entry,
                           const struct position *pos, move m)
{
    if (polyglot_from_move(m) == entry->entry.move)
        return;
    char move_text[8];
    char right_text[8];
    char fen[FEN_MAX];
    char text[60 + FEN_MAX];
    polyglot_move_text(entry->entry.move, move_text);
    polyglot_move_text(polyglot_from_move(m), right_text);
    fen_format(pos, fen);
    (void)snprintf(text, sizeof text, "%s should be %s in %s", move_text, right_text, fen);
    name_fault(command, FAULT_CASTLING, entry->index, text);
    command->moves[entry->index] = polyglot_from_move(m);
}

static void check_legality(void *context, const struct tree_stop *stop)
{
    struct verify_command *command = context;
    for (size_t i = 0; i < stop->node->count; i++) {
        const struct tree_entry *entry = &command->tree.entries[stop->node->first + i];
        move m = polyglot_to_move(stop->pos, entry->entry.move);
        if (m != MOVE_NONE) {
            check_castling(command, entry, stop->pos, m);
            continue;
        }
        command->bad[entry->index] = true;
        if (!polyglot_is_conceivable(entry->entry.move))
            continue; /* named already */
        char move_text[8];
        char fen[FEN_MAX];
        char text[40 + FEN_MAX];
        polyglot_move_text(entry->entry.move, move_text);
        fen_format(stop->pos, fen);
        (void)snprintf(text, sizeof text, "%s is illegal in %s", move_text, fen);
        name_fault(command, FAULT_ILLEGAL, entry->index, text);
    }
}

static uint64_t count_faults(const struct verify_command *command)
{
    uint64_t sum = 0;
    for (int i = 0; i < REMARK_ORDER; i++)
        sum += command->found[i];
    return sum;
}

static void print_summary(const struct verify_command *command)
{
    const struct tree *tree = &command->tree;
    bool any = false;
    for (int i = 0; i < FAULTS; i++)
        any = any || command->found[i];
    if (any)
        (void)fputc('\n', command->report);
    for (int i = 0; i < FAULTS; i++)
        if (command->found[i])
            (void)fprintf(command->report, "%12llu  %s%s\n", (unsigned long long)command->found[i],
                          fault_names[i],
                          command->found[i] > SHOWN && !command->all ? " (--all shows each)" : "");
    verify_lines_summary(&command->lines, command->report);
    uint64_t faults = count_faults(command);
    (void)fprintf(command->report,
                  "%s: %zu %s, %zu position%s, %zu reached from the start in up to %u pl%s, "
                  "%zu not reached: %llu fault%s\n",
                  command->source.name, command->count, command->count == 1 ? "entry" : "entries",
                  tree->node_count, text_plural(tree->node_count), tree->reached,
                  (unsigned)tree->deepest, tree->deepest == 1 ? "y" : "ies",
                  tree->node_count - tree->reached, (unsigned long long)faults,
                  text_plural(faults));
}

static int repair(const struct verify_command *command)
{
    const char *name = command->line.operands[0];
    if (!outputs_end_alike(name, command->output) &&
        outputs_are_named(&command->line, command->output, "bin") != EXIT_DONE)
        return EXIT_USAGE;
    struct entries entries = {0};
    struct combine_report combined;
    struct diag diag = {.text = "out of memory"};
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < command->count && status == STATUS_OK; i++) {
        struct polyglot_entry entry =
            polyglot_decode(command->source.bytes + i * POLYGLOT_ENTRY_SIZE);
        entry.move = command->moves[i];
        if (!command->bad[i])
            status = entries_add(&entries, &entry);
    }
    if (status == STATUS_OK)
        status = entries_combine(&entries, &combined);
    if (status == STATUS_OK && entries.count == 0) {
        diag_set(&diag, 0, 0, "%s: no entry is sound: nothing to write", command->source.name);
        status = STATUS_FORMAT;
    }
    if (status == STATUS_OK)
        status = entries_save(&entries, command->output, &diag);
    if (status == STATUS_OK)
        (void)fprintf(command->report, "%s: %zu %s written\n", command->output, entries.count,
                      entries.count == 1 ? "entry" : "entries");
    entries_free(&entries);
    return status == STATUS_OK ? EXIT_DONE : command_fail(&command->line, "%s", diag.text);
}

/* Loops and what no line reaches; of a file that is too damaged to be opened nothing is said. */
static enum caxton_status check_lines(struct verify_command *command, const struct position *root)
{
    struct book *book = NULL;
    struct book_graph graph = {0};
    if (book_open_memory(command->source.bytes, command->source.size, command->source.name, &book,
                         NULL) != STATUS_OK)
        return STATUS_OK;
    enum caxton_status status = book_graph_create(book, root, &graph, NULL);
    if (status == STATUS_OK)
        status = verify_lines(&graph, command->report, command->all, &command->lines);
    if (status == STATUS_OK && command->blunder_cp)
        status = verify_blunders(&graph, (int)command->blunder_cp, command->report);
    command->lines.zeros = 0; /* a fault here, and named */
    book_graph_destroy(&graph);
    book_close(book);
    return status;
}

static int verify_polyglot(struct verify_command *command, const struct position *from)
{
    struct position root = *from;
    command->count = command->source.size / POLYGLOT_ENTRY_SIZE;
    const struct entry_table table = {.bytes = command->source.bytes, .count = command->count};
    command->bad = calloc(command->count + 1, sizeof *command->bad);
    command->moves = calloc(command->count + 1, sizeof *command->moves);
    if (!command->bad || !command->moves || tree_create(&table, &root, &command->tree) != STATUS_OK)
        return command_fail(&command->line, "out of memory");
    if (command->source.size % POLYGLOT_ENTRY_SIZE != 0)
        name_fault(command, FAULT_SIZE, command->count,
                   "the file ends within an entry, which has 16 bytes");
    check_entries(command);
    if (!check_duplicates(command) ||
        tree_visit(&command->tree, check_legality, command) != STATUS_OK ||
        check_lines(command, &root) != STATUS_OK)
        return command_fail(&command->line, "out of memory");
    print_summary(command);
    if (command->repair)
        return repair(command);
    return count_faults(command) ? EXIT_FAILED : EXIT_DONE;
}

static int verify(struct verify_command *command)
{
    struct position root;
    struct diag diag = {.text = ""};
    const struct source *source = &command->source;
    const struct book_format *format = formats_find(source->bytes, source->size);
    position_start(&root);
    if (command->fen && position_from_text(span_of(command->fen), &root, &diag) != STATUS_OK)
        return command_fail(&command->line, "--fen: %s", diag.text);
    if (format == &polyglot_format &&
        polyglot_refuse_text(source->bytes, source->size, source->name, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    if (format == &polyglot_format)
        return verify_polyglot(command, &root);
    return verify_format(&(struct verify_format){.line = &command->line,
                                                 .source = source,
                                                 .format = format,
                                                 .output = command->output,
                                                 .all = command->all,
                                                 .blunder_cp = (int)command->blunder_cp,
                                                 .root = &root,
                                                 .report = command->report});
}

/* Reads statistics to the end, which checks everything that can be wrong with them. */
static int verify_stats(struct verify_command *command)
{
    struct wld_reader *reader = command->source.stats;
    struct tally tally;
    struct diag diag = {.text = ""};
    enum caxton_status status;
    uint64_t key = 0;
    uint64_t positions = 0;
    uint64_t records = 0;
    uint64_t wrong = 0;
    if (command->repair)
        return command_fail(&command->line, "%s: statistics cannot be repaired",
                            command->source.name);
    if (command->blunder_cp || command->fen)
        return command_fail(&command->line,
                            "%s: these are statistics (.wld), which have no lines for --giveaways "
                            "and --fen: makebook convert makes a book of them",
                            command->source.name);
    for (; (status = wld_reader_next(reader, &tally, &diag)) == STATUS_OK; records++) {
        positions += records == 0 || tally.key != key;
        wrong += !polyglot_is_conceivable(tally.move);
        key = tally.key;
    }
    const char *fault = source_input_fault(&command->source);
    if (status != STATUS_END && fault)
        return command_fail(&command->line, "%s: %s", command->source.name, fault);
    if (status != STATUS_END)
        return command_fail(&command->line, "%s", diag.text);
    (void)printf("%s: statistics, %llu move%s in %llu position%s\n%s", command->source.name,
                 (unsigned long long)records, text_plural(records), (unsigned long long)positions,
                 text_plural(positions), wld_reader_options(reader));
    if (wrong)
        return command_fail(&command->line, "%s: %llu moves that no piece can make",
                            command->source.name, (unsigned long long)wrong);
    return EXIT_DONE;
}

static int run(struct verify_command *command)
{
    if (!source_read(&command->line, command->line.operands[0], &command->source))
        return EXIT_FAILED;
    int status;
    if (command->source.stats)
        status = verify_stats(command);
    else if (command->source.size == 0)
        status = command_fail(&command->line, "%s: the file is empty", command->source.name);
    else
        status = verify(command);
    free(command->bad);
    free(command->moves);
    tree_destroy(&command->tree);
    source_close(&command->source);
    return command_end(&command->line, status);
}

static const char about[] =
    "Looks for faults in a book of any kind and names each with its place. In a Polyglot book: a "
    "cut\n"
    "entry, keys out of order, a move twice in one position, weights of 0, moves that no piece "
    "can\n"
    "make, moves that are illegal in the positions that lines of the book reach, and castling\n"
    "written e1g1. In the others: what is cut, no move, illegal, ambiguous, or there twice, and\n"
    "links that lead nowhere or round. Remarks are lines that come back to an earlier position,\n"
    "positions that no line reaches, and in the others moves that are never played. BOOK is a "
    "file,\n"
    "\"-\" or \"builtin\". The exit status is 1 when there is a fault.\n\n"
    "--repair -o OUT writes a copy of the same kind without the faults: a Polyglot book sorted,\n"
    "each move once (their weights added), castling as the format wants it, without the entries\n"
    "that are cut, illegal or never played. In White's lines, lines at fault become comments and\n"
    "similar lines come together; missing rewrites are offered, not written. EPD and PGN are "
    "written\n"
    "anew: comments, names and marks are not kept, so OUT is another file. Then the exit status\n"
    "is 0.";

int command_verify(int argc, char **argv)
{
    struct verify_command command = {.repair = false};
    const struct option_row rows[] = {
        {"repair", 0, OPTION_FLAG, NULL, "write a sound copy", &command.repair, 0, 0},
        {"output", 'o', OPTION_TEXT, "OUT", "where it goes; \"-\" is standard output",
         &command.output, 0, 0},
        {"all", 0, OPTION_FLAG, NULL, "name every fault, not 20 of a kind", &command.all, 0, 0},
        {"fen", 0, OPTION_TEXT, "FEN|MOVES",
         "lines begin here (a FEN, or moves: \"1. e4 e5\"), not at the start", &command.fen, 0, 0},
        {"giveaways", 0, OPTION_NUMBER, "CP",
         "also name moves that lose so many centipawns at once; 200 leaves gambits alone",
         &command.blunder_cp, 1, 20000},
    };
    command.line = (struct command_line){.command = "verify",
                                         .synopsis = "BOOK [--repair -o OUT]",
                                         .about = about,
                                         .rows = rows,
                                         .row_count = sizeof rows / sizeof *rows,
                                         .operands_min = 1,
                                         .operands_max = 1};
    int status;
    if (!command_start(&command.line, argc, argv, &status))
        return status;
    if (command.repair != (command.output != NULL)) {
        status = command_misuse(&command.line, "--repair and -o OUT go together");
    } else {
        command.report = command.output && strcmp(command.output, "-") == 0 ? stderr : stdout;
        status = run(&command);
    }
    free(command.line.operands);
    return status;
}
