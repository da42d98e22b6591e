/* makebook verify: every fault of a book by name and place, and a copy without them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "book/makebook/command.h"
#include "book/makebook/entries.h"
#include "book/makebook/source.h"
#include "book/makebook/tree.h"
#include "chess/fen.h"
#include "chess/notation.h"

enum fault {
    FAULT_SIZE,
    FAULT_UNSORTED,
    FAULT_DUPLICATE,
    FAULT_ZERO,
    FAULT_MOVE,
    FAULT_ILLEGAL,
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
    [REMARK_ORDER] = "moves behind a lighter one (a remark)",
};

enum { SHOWN = 20 };

struct verify_command {
    bool repair;
    bool all;
    const char *output;
    const char *fen;
    struct command_line line;
    struct source source;
    size_t count; /* of whole entries */
    struct tree tree;
    bool *bad; /* by index in the file: an entry that a repair leaves out */
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
        const struct polyglot_entry *entry = &entries[i].entry;
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

static void check_legality(void *context, const struct tree_stop *stop)
{
    struct verify_command *command = context;
    for (size_t i = 0; i < stop->node->count; i++) {
        const struct tree_entry *entry = &command->tree.entries[stop->node->first + i];
        if (polyglot_to_move(stop->pos, entry->entry.move) != MOVE_NONE)
            continue;
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
    uint64_t faults = count_faults(command);
    (void)fprintf(command->report,
                  "%s: %zu entries, %zu positions, %zu reached from the start in up to %u plies, "
                  "%zu not reached: %llu fault%s\n",
                  command->source.name, command->count, tree->node_count, tree->reached,
                  (unsigned)tree->deepest, tree->node_count - tree->reached,
                  (unsigned long long)faults, faults == 1 ? "" : "s");
}

static int repair(const struct verify_command *command)
{
    struct entries entries = {0};
    struct combine_report combined;
    struct diag diag = {.text = "out of memory"};
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < command->count && status == STATUS_OK; i++) {
        struct polyglot_entry entry =
            polyglot_decode(command->source.bytes + i * POLYGLOT_ENTRY_SIZE);
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
        (void)fprintf(command->report, "%s: %zu entries written\n", command->output, entries.count);
    entries_free(&entries);
    return status == STATUS_OK ? EXIT_DONE : command_fail(&command->line, "%s", diag.text);
}

static int verify(struct verify_command *command)
{
    struct position root;
    struct diag diag = {.text = ""};
    position_start(&root);
    if (command->fen && fen_parse(span_of(command->fen), &root, &diag) != STATUS_OK)
        return command_fail(&command->line, "FEN, column %zu: %s", diag.column, diag.text);
    command->count = command->source.size / POLYGLOT_ENTRY_SIZE;
    command->bad = calloc(command->count + 1, sizeof *command->bad);
    if (!command->bad ||
        tree_create(command->source.bytes, command->count, &root, &command->tree) != STATUS_OK)
        return command_fail(&command->line, "out of memory");
    if (command->source.size % POLYGLOT_ENTRY_SIZE != 0)
        name_fault(command, FAULT_SIZE, command->count,
                   "the file ends within an entry, which has 16 bytes");
    check_entries(command);
    if (!check_duplicates(command) ||
        tree_visit(&command->tree, check_legality, command) != STATUS_OK)
        return command_fail(&command->line, "out of memory");
    print_summary(command);
    if (command->repair)
        return repair(command);
    return count_faults(command) ? EXIT_FAILED : EXIT_DONE;
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
    (void)printf("%s: statistics, %llu moves in %llu positions\n%s", command->source.name,
                 (unsigned long long)records, (unsigned long long)positions,
                 wld_reader_options(reader));
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
    tree_destroy(&command->tree);
    source_close(&command->source);
    return command_end(&command->line, status);
}

static const char about[] =
    "Looks for faults in a Polyglot book and names each with its byte offset: a cut entry, keys "
    "out\n"
    "of order, a move twice in one position, weights of 0, moves that no piece can make, and "
    "moves\n"
    "that are illegal in the positions that lines of the book reach. BOOK is a file, \"-\" or\n"
    "\"builtin\". The exit status is 1 when there is a fault.\n\n"
    "--repair -o OUT writes a copy: sorted, each move once (their weights added), without the\n"
    "entries that are cut, illegal or never played. Then the exit status is 0.";

int command_verify(int argc, char **argv)
{
    struct verify_command command = {.repair = false};
    const struct option_row rows[] = {
        {"repair", 0, OPTION_FLAG, NULL, "write a sound copy", &command.repair, 0, 0},
        {"output", 'o', OPTION_TEXT, "OUT", "where it goes; \"-\" is standard output",
         &command.output, 0, 0},
        {"all", 0, OPTION_FLAG, NULL, "name every fault, not 20 of a kind", &command.all, 0, 0},
        {"fen", 0, OPTION_TEXT, "FEN", "lines begin here, not at the start position", &command.fen,
         0, 0},
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
