/* makebook stats: a book in numbers. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/command_line.h"
#include "base/rng.h"
#include "base/terminal.h"
#include "base/text.h"
#include "book/book.h"
#include "book/book_move.h"
#include "book/graph/graph.h"
#include "book/graph/stats.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/moves.h"
#include "book/makebook/cli/report.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "chess/game.h"
#include "chess/notation.h"

/* How long a book takes to answer. */

/* Nanoseconds of one book_probe_game(); the game is at hand, as in an engine. */
struct probe_time {
    double known_ns;   /* in positions of the book, drawn at random */
    double unknown_ns; /* in positions that it does not know: those behind its leaves */
    double spread_ns;  /* the difference of the two fastest rounds in positions of the book */
    int samples;       /* different positions */
};

/* Enough positions that they do not all stay in the processor's caches together with the book. */
enum { SAMPLES_MAX = 2000, ROUNDS = 7, LONG_ROUND_NS = 300000000 };

struct samples {
    struct game *games[SAMPLES_MAX];
    int count;
};

static void destroy(struct samples *samples)
{
    for (int i = 0; i < samples->count; i++)
        game_destroy(samples->games[i]);
    free(samples);
}

/* The game to a node, with the move `m` added unless that is MOVE_NONE. NULL: out of memory. */
static struct game *game_to(const struct book_graph *graph, uint32_t node, move m)
{
    move line[BOOK_GRAPH_PLIES_MAX];
    struct position pos;
    struct game *game = game_create();
    if (!game)
        return NULL;
    enum caxton_status status = STATUS_OK;
    book_graph_position(graph, node, &pos, line);
    game_reset(game, &graph->roots[graph->nodes[node].root]);
    for (uint32_t ply = 0; ply < graph->nodes[node].ply && status == STATUS_OK; ply++)
        status = game_play(game, line[ply]);
    if (status == STATUS_OK && m != MOVE_NONE)
        status = game_play(game, m);
    if (status == STATUS_OK)
        return game;
    game_destroy(game);
    return NULL;
}

/* Random positions of the book, or of those behind its leaves. NULL: out of memory. */
static struct samples *draw(const struct book_graph *graph, bool known)
{
    struct samples *samples = calloc(1, sizeof *samples);
    struct rng rng;
    rng_seed(&rng, 1);
    for (int tries = 0; samples && tries < 20 * SAMPLES_MAX && samples->count < SAMPLES_MAX;
         tries++) {
        uint32_t at = (uint32_t)rng_below(&rng, graph->node_count);
        const struct book_node *node = &graph->nodes[at];
        if (!node->known || node->count == 0)
            continue;
        const struct book_edge *edge = &graph->edges[node->first + rng_below(&rng, node->count)];
        if (!known && edge->to != BOOK_GRAPH_NONE)
            continue;
        struct game *game = game_to(graph, at, known ? MOVE_NONE : edge->move);
        if (!game) {
            destroy(samples);
            return NULL;
        }
        samples->games[samples->count++] = game;
    }
    return samples;
}

/* Nanoseconds of a probe, as the mean of one round. *found keeps the compiler from removing the
 * probes. */
static double time_round(const struct book *book, const struct samples *samples, uint64_t *found)
{
    int64_t start = clock_ns();
    for (int i = 0; i < samples->count; i++) {
        struct book_move moves[MOVES_MAX];
        *found += (uint64_t)book_probe_game(book, samples->games[i], moves, MOVES_MAX);
    }
    return (double)(clock_ns() - start) / samples->count;
}

/* The fastest rounds are those that other programs disturbed least. */
static double time_samples(const struct book *book, const struct samples *samples, double *spread)
{
    double best = 0;
    double second = 0;
    uint64_t found = 0;
    for (int round = 0; round < ROUNDS && samples->count > 0; round++) {
        double ns = time_round(book, samples, &found);
        if (round == 0 || ns < best) {
            second = round == 0 ? ns : best;
            best = ns;
        } else if (round == 1 || ns < second)
            second = ns;
        if (ns * samples->count > LONG_ROUND_NS)
            break; /* long enough that what disturbs it is small */
    }
    *spread = second - best;
    return best;
}

/* All zero when the book has no position. Errors: STATUS_NO_MEMORY. */
static enum caxton_status probe_time_take(const struct book_graph *graph, struct probe_time *out)
{
    double spread;
    struct samples *known = draw(graph, true);
    struct samples *unknown = known ? draw(graph, false) : NULL;
    if (!unknown) {
        if (known)
            destroy(known);
        return STATUS_NO_MEMORY;
    }
    struct probe_time time = {.samples = known->count};
    time.unknown_ns = time_samples(graph->book, unknown, &spread);
    time.known_ns = time_samples(graph->book, known, &time.spread_ns);
    destroy(known);
    destroy(unknown);
    *out = time;
    return STATUS_OK;
}

/* What `makebook stats --counts` says of statistics: numbers that one pass over them tells. */

/* What --min-games of these numbers keeps. */
static const uint64_t least[] = {1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000};

enum { ROWS = sizeof least / sizeof *least, LABEL_WIDTH = 18 };

struct least_counts {
    uint64_t unit; /* of what is counted makes one game */
    uint64_t positions;
    uint64_t moves;
    uint64_t row_positions[ROWS];
    uint64_t row_moves[ROWS];
    uint64_t key;  /* of the position at hand */
    uint64_t most; /* games of one of its moves, in units */
};

/* The position at hand has no more moves. */
static void end_position(struct least_counts *counts)
{
    for (int i = 0; i < ROWS; i++)
        counts->row_positions[i] += counts->most >= least[i] * counts->unit;
    counts->most = 0;
}

static void take(struct least_counts *counts, const struct tally *tally)
{
    uint64_t games = tally_games(tally);
    if (counts->moves == 0 || tally->key != counts->key) {
        end_position(counts);
        counts->positions++;
        counts->key = tally->key;
    }
    counts->moves++;
    for (int i = 0; i < ROWS; i++)
        counts->row_moves[i] += games >= least[i] * counts->unit;
    if (games > counts->most)
        counts->most = games;
}

static void counts_report(const struct least_counts *counts, const struct source *source,
                          bool as_json)
{
    char texts[3][THOUSANDS_MAX];
    struct report to = report_begin(stdout, as_json);
    to.label_width = LABEL_WIDTH;
    to.thousands = true;
    report_say(&to, "%s: statistics%s\n\n", text_safe(source->name).text,
               source->book->counts->mirrored ? ", mirrored" : "");
    json_object(&to.json, NULL);
    json_text(&to.json, "book", source->name);
    report_number(&to, "positions", "positions", counts->positions, "");
    report_number(&to, "moves", "moves", counts->moves, "");
    report_say(&to, "\n%-18s %12s %12s\n", "moves of games", "positions", "moves");
    json_array(&to.json, "counts");
    for (int i = 0; i < ROWS; i++) {
        report_say(&to, "at least %9s %12s %12s\n", terminal_thousands(least[i], texts[0]),
                   terminal_thousands(counts->row_positions[i], texts[1]),
                   terminal_thousands(counts->row_moves[i], texts[2]));
        json_object(&to.json, NULL);
        json_unsigned(&to.json, "min_games", least[i]);
        json_unsigned(&to.json, "positions", counts->row_positions[i]);
        json_unsigned(&to.json, "moves", counts->row_moves[i]);
        json_end(&to.json);
    }
    json_end(&to.json);
    json_end(&to.json);
    if (as_json)
        (void)putchar('\n');
}

/* Prints what is in the statistics of `source`, as text or JSON. Little memory, whatever their
 * size. Returns the exit status. */
static enum exit_status stats_counts(const struct command_line *line, struct source *source,
                                     bool json)
{
    struct least_counts counts = {.unit = source->book->counts->unit};
    struct diag diag = {.text = ""};
    struct tally tally;
    enum caxton_status status;
    while ((status = wld_reader_next(source->reader, &tally, &diag)) == STATUS_OK)
        take(&counts, &tally);
    if (status != STATUS_END) {
        const char *fault = source_input_fault(source);
        return fault ? command_fail(line, "%s: %s", source->name, fault)
                     : command_fail(line, "%s", diag.text);
    }
    end_position(&counts);
    counts_report(&counts, source, json);
    return EXIT_DONE;
}

struct stats_command {
    bool json;
    bool probe;
    bool counts;
    struct command_line line;
    struct source source;
    struct book_graph graph;
    struct book_stats stats;
    struct probe_time time;
};

enum { BAR_CELLS = 30 };

static const char *const volume_names[BOOK_VOLUMES] = {"A", "B", "C", "D", "E", "-"};

static uint64_t sum_weights(const struct book_stats *stats)
{
    uint64_t sum = 0;
    for (int i = 0; i < stats->first_count; i++)
        sum += stats->first[i].weight;
    return sum;
}

static uint64_t reached(const struct book_stats *stats)
{
    return stats->own + stats->passed;
}

/* Moves a position, in hundredths. */
static uint64_t branching(const struct book_stats *stats)
{
    uint64_t positions = reached(stats);
    return positions ? (stats->moves * 100 + positions / 2) / positions : 0;
}

/* The plies of the line to the deepest position and its heaviest move, if any is legal there. */
static uint32_t longest_line(const struct stats_command *command)
{
    const struct book_node *node = &command->graph.nodes[command->stats.longest];
    return node->ply + (node->count > 0);
}

static void put_longest(struct report *to, const struct stats_command *command)
{
    move line[BOOK_GRAPH_PLIES_MAX + 1];
    struct position pos;
    const struct book_graph *graph = &command->graph;
    const struct book_node *node = &graph->nodes[command->stats.longest];
    const struct position *root = &graph->roots[node->root];
    book_graph_position(graph, command->stats.longest, &pos, line);
    if (node->count)
        line[node->ply] = graph->edges[node->first].move;
    report_number(to, NULL, "longest line", longest_line(command), "plies");
    report_say(to, "  ");
    if (to->text)
        moves_print(to->text, root, line, longest_line(command));
    else
        moves_json(&to->json, root, line, longest_line(command));
    report_say(to, "\n");
}

static void put_numbers(struct report *to, const struct stats_command *command)
{
    const struct book_stats *stats = &command->stats;
    char text[THOUSANDS_MAX];
    char unreached[80];
    (void)snprintf(unreached, sizeof unreached, "on no line, with %s move%s",
                   terminal_thousands(stats->unreached_moves, text),
                   text_plural(stats->unreached_moves));
    report_say(to, "%s: %s\n\n", text_safe(command->source.name).text,
               book_format_name(command->source.book));
    json_text(&to->json, "book", command->source.name);
    json_text(&to->json, "format", book_format_name(command->source.book));
    report_number(to, "positions", "positions", stats->positions, "");
    report_number(to, "positions_by_own_moves", "  by own moves", stats->own,
                  "that the book's own moves lead to");
    report_nonzero(to, "positions_by_others", "  by others", stats->passed,
                   "behind moves that the book does not play");
    report_nonzero(to, "positions_unreached", "  unreached", stats->unreached, unreached);
    report_number(to, "moves_unreached", NULL, stats->unreached_moves, "");
    report_number(to, "moves", "moves", stats->moves + stats->unreached_moves,
                  stats->unreached ? "with those; all that follows is without them" : "");
    report_nonzero(to, "moves_never_played", "  never played", stats->never, "their weight is 0");
    bool apart = stats->passed && !stats->one_side;
    uint64_t leaves = apart ? stats->own_leaves : stats->leaves;
    report_number(to, "leaves", NULL, stats->leaves, "");
    report_number(to, "leaves_by_own_moves", NULL, stats->own_leaves, "");
    report_number(to, NULL, "leaves", leaves, "moves that end lines from the start");
    if (apart)
        report_number(to, NULL, "  by others", stats->leaves - leaves, "behind those moves");
    report_number(to, "transpositions", "transpositions", stats->transpositions,
                  "moves to positions that have a line already");
    uint64_t hundredths = branching(stats);
    json_decimal(&to->json, "branching", (double)hundredths / 100, 2);
    report_say(to, "%-18s %9llu.%02llu  moves a position\n", "branching",
               (unsigned long long)hundredths / 100, (unsigned long long)hundredths % 100);
    json_array(&to->json, "longest_line");
    if (stats->longest != BOOK_GRAPH_NONE)
        put_longest(to, command);
    json_end(&to->json);
}

static uint64_t largest_depth(const struct book_stats *stats)
{
    uint64_t largest = 0;
    for (uint32_t ply = 0; ply <= stats->deepest; ply++)
        if (stats->depths[ply] > largest)
            largest = stats->depths[ply];
    return largest;
}

/* Beside a row of a table. */
static void say_share(const struct report *to, uint64_t part, uint64_t whole)
{
    char bar[BAR_TEXT_MAX];
    int share = terminal_permille(part, whole);
    terminal_bar(terminal_bars_of(stdout), part, whole, BAR_CELLS, bar);
    report_say(to, " %5d.%d%%%s%s\n", share / 10, share % 10, *bar ? "  " : "", bar);
}

/* In an object of JSON; as text the beginning of a row. */
static void put_sizes(struct report *to, const char *name, uint64_t positions, uint64_t moves)
{
    char texts[2][THOUSANDS_MAX];
    json_unsigned(&to->json, "positions", positions);
    json_unsigned(&to->json, "moves", moves);
    report_say(to, "%-10s %12s %12s", name, terminal_thousands(positions, texts[0]),
               terminal_thousands(moves, texts[1]));
}

static void put_first_moves(struct report *to, const struct stats_command *command)
{
    const struct book_stats *stats = &command->stats;
    uint64_t weights = sum_weights(stats);
    uint64_t unit = command->source.book->counts ? command->source.book->counts->unit : 1;
    if (stats->first_count)
        report_say(to, "\n%-10s %12s %12s %8s\n", "first move", "positions", "moves", "share");
    json_array(&to->json, "first_moves");
    for (int i = 0; i < stats->first_count; i++) {
        const struct book_first_move *first = &stats->first[i];
        char san[SAN_MAX];
        move_to_san(&command->graph.roots[0], first->move, san);
        json_object(&to->json, NULL);
        json_text(&to->json, "san", san);
        json_unsigned(&to->json, "weight", (first->weight + unit - 1) / unit);
        json_number(&to->json, "share_permille", terminal_permille(first->weight, weights));
        put_sizes(to, san, first->positions, first->moves);
        say_share(to, first->weight, weights);
        json_end(&to->json);
    }
    json_end(&to->json);
}

static void put_tables(struct report *to, const struct book_stats *stats)
{
    char text[THOUSANDS_MAX];
    char bar[BAR_TEXT_MAX];
    report_say(to, "\n%-10s %12s %12s %8s\n", "ECO", "positions", "moves", "share");
    json_object(&to->json, "eco");
    for (int i = 0; i < BOOK_VOLUMES; i++) {
        json_object(&to->json, volume_names[i]);
        put_sizes(to, volume_names[i], stats->volume_positions[i], stats->volume_moves[i]);
        say_share(to, stats->volume_positions[i], reached(stats));
        json_end(&to->json);
    }
    json_end(&to->json);
    report_say(to, "\n%-10s %12s\n", "plies", "positions");
    json_array(&to->json, "depths");
    uint64_t most = largest_depth(stats);
    for (uint32_t ply = 0; ply <= stats->deepest; ply++) {
        if (reached(stats))
            json_unsigned(&to->json, NULL, stats->depths[ply]);
        terminal_bar(terminal_bars_of(stdout), stats->depths[ply], most, BAR_CELLS, bar);
        report_say(to, "%-10u %12s%s%s\n", (unsigned)ply,
                   terminal_thousands(stats->depths[ply], text), *bar ? "  " : "", bar);
    }
    json_end(&to->json);
}

static void put_probe(struct report *to, const struct probe_time *time)
{
    report_say(to, "\n%-18s %12.0f  ns in a position of the book (%s, %.1f ns each way)\n", "probe",
               time->known_ns, "the best of several rounds", time->spread_ns);
    report_say(to, "%-18s %12.0f  ns in others\n", "", time->unknown_ns);
    json_decimal(&to->json, "probe_ns", time->known_ns, 1);
    json_decimal(&to->json, "probe_unknown_ns", time->unknown_ns, 1);
}

static enum exit_status report(const struct stats_command *command)
{
    struct report to = report_begin(stdout, command->json);
    to.label_width = LABEL_WIDTH;
    to.thousands = true;
    json_object(&to.json, NULL);
    put_numbers(&to, command);
    put_first_moves(&to, command);
    put_tables(&to, &command->stats);
    if (command->probe)
        put_probe(&to, &command->time);
    json_end(&to.json);
    if (command->json)
        (void)putchar('\n');
    else if (command->graph.cut)
        (void)command_fail(&command->line, "warning: lines of more than %d plies were not followed",
                           BOOK_GRAPH_PLIES_MAX);
    return EXIT_DONE;
}

/* Without lines. */
static enum exit_status run_counts(struct stats_command *command)
{
    if (!source_open(&command->line, command->line.operands[0], &command->source))
        return EXIT_FAILED;
    enum exit_status result =
        command->source.book->counts
            ? stats_counts(&command->line, &command->source, command->json)
            : command_misuse(&command->line, "%s: --counts is for statistics (.wld)",
                             command->source.name);
    source_close(&command->source);
    return command_end(&command->line, result);
}

static enum exit_status run(void *context)
{
    struct stats_command *command = context;
    if (command->counts)
        return run_counts(command);
    struct diag diag = {.text = "out of memory"};
    if (!source_open_walk(&command->line, command->line.operands[0], WLD_WEIGHTS_UNITS,
                          &command->source))
        return EXIT_FAILED;
    enum caxton_status status =
        book_graph_create(command->source.book, NULL, &command->graph, &diag);
    if (status == STATUS_OK)
        status = book_stats_take(&command->graph, &command->stats);
    if (status == STATUS_OK && command->probe)
        status = probe_time_take(&command->graph, &command->time);
    enum exit_status result =
        status == STATUS_OK ? report(command) : command_fail(&command->line, "%s", diag.text);
    book_graph_destroy(&command->graph);
    source_close(&command->source);
    return command_end(&command->line, result);
}

static const char about[] =
    "What a book of any kind consists of: positions (transpositions are one), moves, leaves "
    "(moves\n"
    "after which the book has nothing more to say), what each first move and each volume of the "
    "ECO\n"
    "hold, how many positions lie how deep by their shortest line. The share of a first move is "
    "that\n"
    "of the weight, of statistics (.wld) of the games; that of a volume is of the positions. BOOK "
    "is\n"
    "a file, \"-\" or \"builtin\".\n\n"
    "A book of positions is searched for lines along its own moves, and where they do not reach\n"
    "everything along all others that lead back into it. Statistics that are mirrored (makebook\n"
    "build --mirror) are counted with the positions of both colours.\n\n"
    "Lines are found in memory, 0.3 GB for a million moves. With --counts statistics of any size\n"
    "are read once, in little memory: how many positions and moves there are, and how many of at\n"
    "least so many games, which is what --min-games of merge and convert keeps.";

static enum exit_status command_main(int argc, char **argv)
{
    struct stats_command command = {.json = false};
    const struct option_row rows[] = {
        FLAG_ROW("json", 0, "as JSON", &command.json),
        FLAG_ROW("counts", 0, "of statistics: only what one pass over them tells", &command.counts,
                 .without = "probe", .why = "--counts looks nothing up: without --probe"),
        FLAG_ROW("probe", 0, "also the time that looking a position up takes", &command.probe),
    };
    command.line =
        COMMAND_LINE("stats", "BOOK [--counts] [--json]", about, rows, ROW_COUNT(rows), 1, 1);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_stats = {
    "stats", "a book in numbers: positions, leaves, depths, openings", command_main};
