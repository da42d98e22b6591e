/* makebook dump: a whole book as text; statistics as a table for databases. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "book/book.h"
#include "book/format.h"
#include "book/graph/graph_visit.h"
#include "book/makebook/cli/entries.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/cli/moves.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "book/polyglot_entry.h"
#include "chess/fen.h"
#include "chess/mirror.h"
#include "chess/notation.h"

struct dump_command {
    bool raw;
    bool csv;
    bool tsv;
    int schema; /* index into schemas[]; -1: none */
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

/* Statistics as a table --------------------------------------------------------------------- */

/* What the rows at hand have in common. */
struct table_dump {
    char separator;
    uint64_t unit;
    bool mirrored;
    const struct entry_table *moves; /* of the graph's book */
    const struct book_graph *graph;
    uint32_t *nodes; /* by the first move of each position: its node + 1, 0: no line leads there.
                        NULL: no lines are known at all */
    size_t at;       /* in `moves` */
    uint64_t key;
    uint16_t move;       /* 0: none yet */
    struct position pos; /* where a line leads to it, with its FEN; else that is "" */
    char fen[FEN_MAX];
    char uci[8];
    char san[SAN_MAX];
};

static void enter_position(struct table_dump *dump, uint64_t key)
{
    dump->key = key;
    dump->move = 0;
    dump->fen[0] = '\0';
    if (!dump->nodes)
        return;
    while (dump->at < dump->moves->count && entry_table_at(dump->moves, dump->at).key < key)
        dump->at++;
    if (dump->at == dump->moves->count || !dump->nodes[dump->at])
        return;
    struct position pos;
    book_graph_position(dump->graph, dump->nodes[dump->at] - 1, &pos, NULL);
    if (dump->mirrored && pos.turn == BLACK)
        position_mirror(&pos, &dump->pos);
    else
        dump->pos = pos;
    fen_format(&dump->pos, dump->fen);
}

/* Castling is king takes rook with and without a line, which alone tells it from a rook's move. */
static void enter_move(struct table_dump *dump, uint16_t stored)
{
    dump->move = stored;
    dump->san[0] = '\0';
    polyglot_move_text(stored, dump->uci);
    move m = dump->fen[0] ? polyglot_to_move(&dump->pos, stored) : MOVE_NONE;
    if (m != MOVE_NONE)
        move_to_san(&dump->pos, m, dump->san);
}

static void print_count(const struct table_dump *dump, uint64_t count)
{
    enum { DECIMALS = TALLY_UNIT_BITS }; /* all that a part of TALLY_UNIT has */
    char text[GAMES_TEXT_MAX];
    size_t size = strlen(ageing_games_text(count, dump->unit, DECIMALS, text));
    if (dump->unit > 1)
        while (text[size - 1] == '0')
            size--;
    if (text[size - 1] == '.')
        size--;
    (void)printf("%c%.*s", dump->separator, (int)size, text);
}

static void print_row(struct table_dump *dump, const struct tally *tally)
{
    const char *const turns[] = {"white", "black"};
    char c = dump->separator;
    if (!dump->move || dump->key != tally->key)
        enter_position(dump, tally->key);
    if (!dump->move || dump->move != tally->move)
        enter_move(dump, tally->move);
    (void)printf("%016llx%c%s%c%s%c%s%c%s", (unsigned long long)dump->key, c, dump->fen, c,
                 dump->fen[0] ? turns[dump->pos.turn] : "", c, dump->uci, c, dump->san);
    print_count(dump, tally_games(tally));
    for (int i = 0; i < OUTCOMES; i++)
        print_count(dump, tally->counts[i]);
    print_count(dump, tally_rated(tally));
    for (int i = 0; i < 2; i++)
        print_count(dump, tally->ratings[i]);
    (void)printf("%c%s%c", c, speed_names[facet_speed(tally->facet)], c);
    int group = facet_group(tally->facet);
    if (group > 0)
        (void)printf("%u", (unsigned)rating_group_starts[group]);
    char month[MONTH_TEXT_MAX];
    (void)printf("%c%s\n", c, month_text(facet_month(tally->facet), month));
}

static enum caxton_status print_rows(struct table_dump *dump, struct wld_reader *reader,
                                     struct diag *diag)
{
    static const char columns[] =
        "key,fen,turn,uci,san,games,wins,draws,losses,rated,ratings,opponent_ratings,speed,"
        "rating_group,month\n";
    struct tally tally;
    enum caxton_status status;
    for (const char *c = columns; *c; c++)
        (void)putchar(*c == ',' ? dump->separator : *c);
    while ((status = wld_reader_next_facet(reader, &tally, diag)) == STATUS_OK && !ferror(stdout))
        print_row(dump, &tally);
    return status == STATUS_END ? STATUS_OK : status;
}

/* Which node each position of the table is. False: out of memory. */
static bool find_nodes(struct table_dump *dump)
{
    const struct book_graph *graph = dump->graph;
    dump->nodes = calloc(dump->moves->count + 1, sizeof *dump->nodes);
    for (size_t i = 0; dump->nodes && i < graph->node_count; i++) {
        uint64_t key = graph->nodes[i].key;
        struct position pos;
        if (!graph->nodes[i].known)
            continue;
        if (dump->mirrored) {
            book_graph_position(graph, (uint32_t)i, &pos, NULL);
            key = book_key(graph->book, &pos);
        }
        size_t at = entry_table_find(dump->moves, key);
        if (at < dump->moves->count)
            dump->nodes[at] = (uint32_t)i + 1;
    }
    return dump->nodes;
}

/* Finds the positions by lines, then reads the file again. */
static enum caxton_status print_with_lines(struct table_dump *dump, const struct source *source,
                                           struct diag *diag)
{
    struct book_graph graph = {0};
    struct wld_reader *reader = NULL;
    enum caxton_status status = book_graph_create(source->book, NULL, &graph, diag);
    if (status != STATUS_OK)
        return status;
    dump->graph = &graph;
    dump->moves = book_table(source->book);
    status = find_nodes(dump) ? STATUS_OK : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = wld_reader_create_range(source->file, 0, UINT64_MAX, &reader, diag);
    if (status == STATUS_OK)
        status = print_rows(dump, reader, diag);
    wld_reader_destroy(reader);
    free(dump->nodes);
    book_graph_destroy(&graph);
    return status;
}

static enum exit_status dump_table(struct dump_command *command, struct source *source)
{
    const struct wld_book_options options = {.weights = WLD_WEIGHTS_GAMES};
    struct table_dump dump = {.separator = command->tsv ? '\t' : ',',
                              .unit = source->book->counts->unit,
                              .mirrored = source->book->counts->mirrored};
    struct diag diag = {.text = "out of memory"};
    enum caxton_status status;
    if (source_can_walk(source, sizeof *dump.nodes)) {
        if (!source_walk(&command->line, source, &options, NULL))
            return EXIT_FAILED;
        status = print_with_lines(&dump, source, &diag);
    } else {
        (void)command_fail(
            &command->line, "warning: %s: %s: the columns fen, turn and san stay empty",
            source->name,
            source->file ? "too many moves to walk through" : "it can only be read in order");
        status = print_rows(&dump, source->reader, &diag);
    }
    const char *fault = source_input_fault(source);
    if (status != STATUS_OK && fault)
        return command_fail(&command->line, "%s: %s", source->name, fault);
    return status == STATUS_OK ? EXIT_DONE : command_fail(&command->line, "%s", diag.text);
}

/* The table as databases want it, and a question to it: what is played in the start position. */
#define SCHEMA(group, engine, load)                                                                \
    "-- makebook dump all.wld --csv >moves.csv\n"                                                  \
    "CREATE TABLE moves (\n"                                                                       \
    "    key TEXT, fen TEXT, turn TEXT, uci TEXT, san TEXT,\n"                                     \
    "    games BIGINT, wins BIGINT, draws BIGINT, losses BIGINT, -- of aged games: DOUBLE\n"       \
    "    rated BIGINT, ratings BIGINT, opponent_ratings BIGINT, -- likewise\n"                     \
    "    speed TEXT, rating_group " group ", month TEXT\n"                                         \
    ")" engine ";\n" load "SELECT rating_group, san, sum(games) AS played,\n"                      \
    "       round(100.0 * (sum(wins) + sum(draws) / 2.0) / sum(games), 1) AS score,\n"             \
    "       round(1.0 * sum(ratings) / sum(rated)) AS mean_rating\n"                               \
    "FROM moves\n"                                                                                 \
    "WHERE key = '463b96181691fc9c' AND speed IN ('blitz', 'rapid') AND month >= '2024-01'\n"      \
    "      AND rated > 0\n"                                                                        \
    "GROUP BY rating_group, san ORDER BY rating_group, played DESC;\n"

static const char *const schemas[] = {
    SCHEMA("SMALLINT", "", "COPY moves FROM 'moves.csv' (HEADER);\n"),
    SCHEMA("Nullable(SMALLINT)", " ENGINE = MergeTree ORDER BY key",
           "INSERT INTO moves FROM INFILE 'moves.csv' FORMAT CSVWithNames;\n"),
    SCHEMA("SMALLINT", "",
           ".import --csv --skip 1 moves.csv moves\n"
           "CREATE INDEX moves_by_key ON moves (key);\n"),
};

static enum exit_status dump_source(struct dump_command *command, struct source *source)
{
    bool is_table = command->csv || command->tsv;
    if (source->book->counts && is_table)
        return dump_table(command, source);
    if (is_table)
        return command_misuse(&command->line, "--csv and --tsv are for statistics (.wld)");
    if (source->book->counts)
        return command_fail(&command->line,
                            "%s: these are statistics (.wld): --csv or --tsv writes them; makebook "
                            "convert makes a book of them",
                            source->name);
    return dump(command, source);
}

static enum exit_status run(void *context)
{
    struct dump_command *command = context;
    struct source source;
    if (command->schema >= 0) {
        (void)fputs(schemas[command->schema], stdout);
        return command_end(&command->line, EXIT_DONE);
    }
    if (command->line.operand_count == 0)
        return command_misuse(&command->line, "wanted: BOOK");
    if (!source_open(&command->line, command->line.operands[0], &source))
        return command_end(&command->line, EXIT_FAILED);
    enum exit_status status = dump_source(command, &source);
    source_close(&source);
    return command_end(&command->line, status);
}

static const char about[] =
    "Every move of a book, one a line: the line that leads to its position, the move, its weight\n"
    "and its share of the position's weight. A position that several lines reach is shown once,\n"
    "after the shortest. What no line reaches comes last, by key. BOOK is a book of any\n"
    "kind, \"-\" or \"builtin\".\n\n"
    "Statistics (.wld) become a table, by --csv or --tsv: a row for each move of a position and\n"
    "each month, speed and rating group that are kept, in the order of the file. Results and\n"
    "ratings are seen from the side that moves; ratings are sums over the games in `rated`, of\n"
    "which both are known. Castling is e1h1. Positions have no FEN where no line from the start\n"
    "leads, and all have none where the file is too large to walk through, or a stream.";

static enum exit_status command_main(int argc, char **argv)
{
    struct dump_command command = {.raw = false};
    const struct option_row rows[] = {
        FLAG_ROW("raw", 0, "entries as in the file: key, move, weight, learn", &command.raw,
                 .without = "start", .why = "--raw shows all entries: no --start"),
        TEXT_ROW("start", 0, "FEN|MOVES|ECO|NAME", "lines from there, not from the usual start",
                 &command.start, .old = "fen"),
        FLAG_ROW("csv", 0, "statistics as a table, with commas", &command.csv,
                 .without = "raw|start|tsv"),
        FLAG_ROW("tsv", 0, "the same with tabs", &command.tsv, .without = "raw|start"),
        CHOICE_ROW("schema", "duckdb|clickhouse|sqlite",
                   "only print SQL for the table, and a query", &command.schema, USUAL(-1),
                   .without = "raw|start|csv|tsv"),
    };
    command.line = COMMAND_LINE("dump", "BOOK", about, rows, ROW_COUNT(rows), 0, 1);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_dump = {"dump", "a whole book as text", command_main};
