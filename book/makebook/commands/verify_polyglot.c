/* makebook verify, of Polyglot books: every entry, and what lines show. */
#include <stdarg.h>
#include <stdlib.h>

#include "base/text.h"
#include "book/book.h"
#include "book/formats/polyglot/polyglot.h"
#include "book/graph/graph_visit.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/entries.h"
#include "book/makebook/commands/verify.h"
#include "book/open/open.h"
#include "book/polyglot_entry.h"
#include "chess/fen.h"

enum fault {
    FAULT_SIZE,
    FAULT_UNSORTED,
    FAULT_DUPLICATE,
    FAULT_MOVE,
    FAULT_ILLEGAL,
    FAULT_CASTLING,
    REMARK_ZERO, /* from here on: not worth a failure */
    REMARK_ORDER,
    FAULTS,
};

static const char *const fault_names[FAULTS] = {
    [FAULT_SIZE] = "size that is no multiple of 16",
    [FAULT_UNSORTED] = "keys that are smaller than the key before",
    [FAULT_DUPLICATE] = "moves that their position has already",
    [FAULT_MOVE] = "moves that no piece can make anywhere",
    [FAULT_ILLEGAL] = "moves that are illegal in their position",
    [FAULT_CASTLING] = "castlings written as the king's journey, such as e1g1",
    [REMARK_ZERO] = "weights of 0: moves that are known and never played (a remark)",
    [REMARK_ORDER] = "moves behind a lighter one (a remark)",
};

struct check {
    const struct verify *verify;
    size_t count; /* of whole entries */
    struct entry_list list;
    struct book_graph graph;
    bool *bad; /* by index in the file: an entry that a repair leaves out */
    struct verify_lines lines;
    uint64_t found[FAULTS];
};

/* Counts the fault; prints it unless enough of its kind were. */
__attribute__((format(printf, 4, 5))) static void name_fault(struct check *check, enum fault fault,
                                                             size_t index, const char *format, ...)
{
    FILE *report = check->verify->report;
    va_list arguments;
    if (++check->found[fault] > VERIFY_SHOWN && !check->verify->all)
        return;
    (void)fprintf(report, "byte %zu: ", index * POLYGLOT_ENTRY_SIZE);
    va_start(arguments, format);
    (void)vfprintf(report, format, arguments);
    va_end(arguments);
    (void)fputc('\n', report);
}

static void check_entries(struct check *check)
{
    struct polyglot_entry before = {0};
    for (size_t i = 0; i < check->count; i++) {
        struct polyglot_entry entry =
            polyglot_decode(check->verify->source.bytes + i * POLYGLOT_ENTRY_SIZE);
        char move_text[8];
        polyglot_move_text(entry.move, move_text);
        if (i && entry.key < before.key) {
            name_fault(check, FAULT_UNSORTED, i, "key %016llx after %016llx",
                       (unsigned long long)entry.key, (unsigned long long)before.key);
        } else if (i && entry.key == before.key && entry.weight > before.weight) {
            name_fault(check, REMARK_ORDER, i, "%s of weight %u after one of %u", move_text,
                       entry.weight, before.weight);
        }
        if (entry.weight == 0)
            name_fault(check, REMARK_ZERO, i, "%s has weight 0", move_text);
        if (!polyglot_is_conceivable(entry.move)) {
            name_fault(check, FAULT_MOVE, i, "%s (%04x) is no move of any piece", move_text,
                       entry.move);
            check->bad[i] = true;
        }
        before = entry;
    }
}

static void check_duplicates(struct check *check)
{
    entry_list_sort(&check->list);
    for (size_t i = 1; i < check->count; i++) {
        const struct book_entry *entry = &check->list.entries[i];
        if (entry->key != entry[-1].key || entry->move != entry[-1].move)
            continue;
        char move_text[8];
        polyglot_move_text(entry->move, move_text);
        name_fault(check, FAULT_DUPLICATE, entry->place,
                   "%s of key %016llx stands already at byte %zu", move_text,
                   (unsigned long long)entry->key, (size_t)entry[-1].place * POLYGLOT_ENTRY_SIZE);
    }
}

/* e1g1 stands for e1h1, which the format wants. */
static void check_castling(struct check *check, const struct book_entry *entry,
                           const struct position *pos, move m)
{
    if (polyglot_from_move(m) == entry->move)
        return;
    char move_text[8];
    char right_text[8];
    char fen[FEN_MAX];
    polyglot_move_text(entry->move, move_text);
    polyglot_move_text(polyglot_from_move(m), right_text);
    fen_format(pos, fen);
    name_fault(check, FAULT_CASTLING, entry->place, "%s should be %s in %s", move_text, right_text,
               fen);
}

/* A book_graph_visitor. */
static void check_legality(void *context, const struct book_node *node, const struct position *pos,
                           const move *line)
{
    struct check *check = context;
    const struct entry_table table = entries_table(&check->list);
    (void)line;
    size_t first = entry_table_find(&table, node->key);
    size_t end = first + entries_of_position(&table, first);
    for (size_t i = first; i < end; i++) {
        const struct book_entry *entry = &table.entries[i];
        move m = polyglot_to_move(pos, entry->move);
        if (m != MOVE_NONE) {
            check_castling(check, entry, pos, m);
            continue;
        }
        check->bad[entry->place] = true;
        if (!polyglot_is_conceivable(entry->move))
            continue; /* named already */
        char move_text[8];
        char fen[FEN_MAX];
        polyglot_move_text(entry->move, move_text);
        fen_format(pos, fen);
        name_fault(check, FAULT_ILLEGAL, entry->place, "%s is illegal in %s", move_text, fen);
    }
}

static uint64_t count_faults(const struct check *check)
{
    uint64_t sum = 0;
    for (int i = 0; i < REMARK_ZERO; i++)
        sum += check->found[i];
    return sum;
}

/* The shortest lines also come from those starts of Chess960 that the book has. */
static void tell_starts(const struct check *check, struct text_buffer *out)
{
    const struct book_graph *graph = &check->graph;
    size_t others = graph->root_count - 1;
    if (check->verify->fen)
        text_append(out, "the position of --start");
    else if (others == 0 || graph->nodes[0].known)
        text_append(out, "the start");
    if (others > 0)
        text_append(out, "%s%zu start%s of %s", out->size ? " and " : "", others,
                    text_plural(others), check->verify->fen ? "games" : "Chess960");
}

static void print_summary(const struct check *check)
{
    const struct book_graph *graph = &check->graph;
    FILE *report = check->verify->report;
    char starts[80];
    struct text_buffer text = text_buffer_on(starts, sizeof starts);
    bool any = false;
    for (int i = 0; i < FAULTS; i++)
        any = any || check->found[i];
    if (any)
        (void)fputc('\n', report);
    for (int i = 0; i < FAULTS; i++)
        if (check->found[i])
            (void)fprintf(
                report, "%12llu  %s%s\n", (unsigned long long)check->found[i], fault_names[i],
                check->found[i] > VERIFY_SHOWN && !check->verify->all ? " (--all shows each)" : "");
    verify_lines_summary(&check->lines, report);
    uint64_t faults = count_faults(check);
    tell_starts(check, &text);
    (void)fprintf(report,
                  "%s: %zu %s, %zu position%s, %zu reached from %s in up to %u pl%s, "
                  "%zu not reached: %llu fault%s\n",
                  text_safe(check->verify->source.name).text, check->count,
                  check->count == 1 ? "entry" : "entries", graph->positions,
                  text_plural(graph->positions), graph->known, starts, (unsigned)graph->deepest,
                  graph->deepest == 1 ? "y" : "ies", graph->positions - graph->known,
                  (unsigned long long)faults, text_plural(faults));
}

/* Last of all: the list holds what was written afterwards. */
static int repair(struct check *check)
{
    struct entry_list *list = &check->list;
    struct polyglot_report written = {0};
    size_t sound = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (!check->bad[list->entries[i].place])
            list->entries[sound++] = list->entries[i];
    }
    list->count = sound;
    if (sound == 0)
        return command_fail(&check->verify->line, "%s: no entry is sound: nothing to write",
                            check->verify->source.name);
    if (!entries_save(&check->verify->line, list, check->verify->root, false, check->verify->output,
                      &written))
        return EXIT_FAILED;
    (void)fprintf(check->verify->report, "%s: %zu %s written\n",
                  text_safe(check->verify->output).text, list->count,
                  list->count == 1 ? "entry" : "entries");
    return EXIT_DONE;
}

/* What lines show; of a file that is too damaged to be opened nothing is said. */
static enum caxton_status check_lines(struct check *check)
{
    const struct source *source = &check->verify->source;
    struct book *book = NULL;
    struct book_graph graph = {0};
    if (book_open_memory(source->bytes, source->size, source->name, &book, NULL) != STATUS_OK)
        return STATUS_OK;
    enum caxton_status status = book_graph_create(book, check->verify->root, &graph, NULL);
    if (status == STATUS_OK)
        status = verify_lines(check->verify, &graph, &check->lines);
    check->lines.zeros = 0; /* named by their entries */
    book_graph_destroy(&graph);
    book_close(book);
    return status;
}

static enum caxton_status check_all(struct check *check)
{
    const struct source *source = &check->verify->source;
    const struct entry_table file = {
        .bytes = source->bytes, .count = check->count, .unchecked = true};
    enum caxton_status status = entries_list(&file, &check->list);
    if (status != STATUS_OK)
        return status;
    if (source->size % POLYGLOT_ENTRY_SIZE != 0)
        name_fault(check, FAULT_SIZE, check->count,
                   "the file ends within an entry, which has 16 bytes");
    check_entries(check);
    check_duplicates(check);
    entries_sort_by_weight(&check->list);
    const struct entry_table table = entries_table(&check->list);
    status = book_graph_create_shortest(&table, check->verify->root, &check->graph);
    if (status == STATUS_OK)
        status = book_graph_visit(&check->graph, check_legality, check);
    if (status == STATUS_OK)
        status = check_lines(check);
    if (status == STATUS_OK)
        verify_unreached(check->verify, &table, &check->graph, &check->lines);
    return status;
}

int verify_polyglot(const struct verify *verify)
{
    struct check check = {.verify = verify, .count = verify->source.size / POLYGLOT_ENTRY_SIZE};
    int result = verify->output ? verify_check_output(verify, "bin") : EXIT_DONE;
    if (result != EXIT_DONE)
        return result;
    check.bad = calloc(check.count + 1, sizeof *check.bad);
    enum caxton_status status = check.bad ? check_all(&check) : STATUS_NO_MEMORY;
    if (status != STATUS_OK) {
        result = command_fail(&verify->line, "%s: %s", verify->source.name,
                              status == STATUS_RANGE ? "more moves than can be walked through"
                                                     : "out of memory");
    } else {
        print_summary(&check);
        result = verify->output ? repair(&check) : count_faults(&check) ? EXIT_FAILED : EXIT_DONE;
    }
    free(check.bad);
    book_graph_destroy(&check.graph);
    entry_list_free(&check.list);
    return result;
}
