/* makebook dump: a whole book as text. */
#include <stdio.h>
#include <stdlib.h>

#include "book/book.h"
#include "book/format.h"
#include "book/graph/graph_visit.h"
#include "book/makebook/cli/entries.h"
#include "book/makebook/cli/moves.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "book/polyglot_entry.h"
#include "chess/fen.h"
#include "chess/notation.h"

struct dump_command {
    bool raw;
    const char *start;
    struct command_line line;
    struct entry_table table; /* of all entries, each position's heaviest first */
    struct book_graph graph;
};

static void dump_raw(const struct entry_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        struct book_entry entry = entry_table_at(table, i);
        char text[8];
        polyglot_move_text(entry.move, text);
        (void)printf("%016llx %s %lu %lu\n", (unsigned long long)entry.key, text,
                     (unsigned long)entry.weight, (unsigned long)entry.learn);
    }
}

/* The moves to a position, behind the FEN of another start than the first. */
static void print_line(const struct position *root, const struct book_node *node, const move *moves)
{
    char fen[FEN_MAX];
    fen_format(root, fen);
    if (node->root > 0)
        (void)printf("%s%s", fen, node->ply > 0 ? " " : "");
    else if (node->ply == 0)
        (void)printf("start");
    moves_print(stdout, root, moves, node->ply);
}

/* A book_graph_visitor: one line for each move of a position. */
static void dump_position(void *context, const struct book_node *node, const struct position *pos,
                          const move *moves)
{
    struct dump_command *command = context;
    const struct book_entry *entries =
        command->table.entries + entry_table_find(&command->table, node->key);
    size_t count = entries_of_position(&command->table, (size_t)(entries - command->table.entries));
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        if (polyglot_to_move(pos, entries[i].move) != MOVE_NONE)
            sum += entries[i].weight;
    for (size_t i = 0; i < count; i++) {
        const struct book_entry *entry = &entries[i];
        move m = polyglot_to_move(pos, entry->move);
        char move_text[SAN_MAX];
        print_line(&command->graph.roots[node->root], node, moves);
        if (m == MOVE_NONE) {
            polyglot_move_text(entry->move, move_text);
            (void)printf(": %s %lu illegal\n", move_text, (unsigned long)entry->weight);
            continue;
        }
        move_to_san(pos, m, move_text);
        uint64_t share = sum ? (entry->weight * UINT64_C(1000) + sum / 2) / sum : 0;
        (void)printf(": %s %lu %u.%u%%\n", move_text, (unsigned long)entry->weight,
                     (unsigned)share / 10, (unsigned)share % 10);
    }
}

static int compare_keys(const void *left, const void *right)
{
    const struct position *const *a = left;
    const struct position *const *b = right;
    return ((*a)->key > (*b)->key) - ((*a)->key < (*b)->key);
}

/* All roots, sorted by key; to be freed. NULL: out of memory. */
static const struct position **list_named(const struct book *book)
{
    const struct position **list = calloc(book->root_count + 1, sizeof *list);
    for (size_t i = 0; list && i < book->root_count; i++)
        list[i] = &book->roots[i];
    if (list)
        qsort(list, book->root_count, sizeof *list, compare_keys);
    return list;
}

/* pos: NULL when only the key is known. */
static void print_unreached(const struct book_entry *entry, const struct position *pos)
{
    char where[FEN_MAX];
    char text[SAN_MAX];
    move m = pos ? polyglot_to_move(pos, entry->move) : MOVE_NONE;
    if (pos)
        fen_format(pos, where);
    else
        (void)snprintf(where, sizeof where, "%016llx", (unsigned long long)entry->key);
    if (m != MOVE_NONE)
        move_to_san(pos, m, text);
    else
        polyglot_move_text(entry->move, text);
    (void)printf("%s: %s %lu\n", where, text, (unsigned long)entry->weight);
}

static bool dump_unreached(const struct dump_command *command, const struct book *book)
{
    const struct entry_table *table = &command->table;
    size_t unreached = command->graph.positions - command->graph.known;
    if (!unreached)
        return true;
    const struct position **list = list_named(book);
    if (!list)
        return false;
    (void)printf("# %zu position%s that no line of the book reaches:\n", unreached,
                 text_plural(unreached));
    for (size_t first = 0, end; first < table->count; first = end) {
        const struct position wanted = {.key = table->entries[first].key};
        const struct position *key = &wanted;
        end = first + entries_of_position(table, first);
        if (book_graph_find(&command->graph, wanted.key) != BOOK_GRAPH_NONE)
            continue;
        const struct position *const *found =
            bsearch(&key, list, book->root_count, sizeof *list, compare_keys);
        for (size_t i = first; i < end; i++)
            print_unreached(&table->entries[i], found ? *found : NULL);
    }
    free(list);
    return true;
}

static enum exit_status dump_lines(struct dump_command *command, const struct book *book,
                                   const struct entry_table *table)
{
    struct position root;
    struct entry_list list = {0};
    struct diag diag = {.text = ""};
    position_start(&root);
    if (command->start &&
        command_position(&command->line, command->start, &root, &diag) != STATUS_OK)
        return command_misuse(&command->line, "--start: %s", diag.text);
    enum caxton_status status = entries_list(table, &list);
    entries_sort_by_weight(&list);
    command->table = entries_table(&list);
    if (status == STATUS_OK)
        status = book_graph_create_shortest(&command->table, &root, &command->graph);
    if (status == STATUS_OK)
        status = book_graph_visit(&command->graph, dump_position, command);
    if (status == STATUS_OK && !dump_unreached(command, book))
        status = STATUS_NO_MEMORY;
    book_graph_destroy(&command->graph);
    entry_list_free(&list);
    return status == STATUS_OK ? EXIT_DONE : command_fail(&command->line, "out of memory");
}

/* Of a Polyglot book the entries are shown as they stand in the file, faults included. */
static enum exit_status dump(struct dump_command *command, const struct source *source)
{
    struct entry_list list = {0};
    struct diag diag = {.text = ""};
    struct entry_table table = {.bytes = source->bytes,
                                .count = source->size / POLYGLOT_ENTRY_SIZE};
    if (!source->book->format->holds_entries) {
        struct book_losses losses = {0};
        char text[BOOK_LOSSES_TEXT_MAX];
        if (book_graph_entries(source->book, &list, &losses, &diag) != STATUS_OK) {
            entry_list_free(&list);
            return command_fail(&command->line, "%s", diag.text);
        }
        if (*book_losses_text(&losses, text))
            (void)command_fail(&command->line, "warning: %s: %s", source->name, text);
        table = entry_table_from_list(&list);
    }
    enum exit_status status = EXIT_DONE;
    if (command->raw)
        dump_raw(&table);
    else
        status = dump_lines(command, source->book, &table);
    entry_table_free(&table);
    return status;
}

static enum exit_status run(void *context)
{
    struct dump_command *command = context;
    struct source source;
    if (!source_open_weighed(&command->line, command->line.operands[0], &source))
        return command_end(&command->line, EXIT_FAILED);
    enum exit_status status = dump(command, &source);
    source_close(&source);
    return command_end(&command->line, status);
}

static const char about[] =
    "Every move of a book, one a line: the line that leads to its position, the move, its weight\n"
    "and its share of the position's weight. A position that several lines reach is shown once,\n"
    "after the shortest. What no line reaches comes last, by key. BOOK is a book of any\n"
    "kind but statistics, \"-\" or \"builtin\".";

static enum exit_status command_main(int argc, char **argv)
{
    struct dump_command command = {.raw = false};
    const struct option_row rows[] = {
        FLAG_ROW("raw", 0, "entries as in the file: key, move, weight, learn", &command.raw,
                 .without = "start", .why = "--raw shows all entries: no --start"),
        TEXT_ROW("start", 0, "FEN|MOVES|ECO|NAME", "lines from there, not from the usual start",
                 &command.start, .old = "fen"),
    };
    command.line = COMMAND_LINE("dump", "BOOK", about, rows, ROW_COUNT(rows), 1, 1);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_dump = {"dump", "a whole book as text", command_main};
