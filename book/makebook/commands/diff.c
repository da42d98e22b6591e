/* makebook diff: what two books know differently. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/json.h"
#include "base/terminal.h"
#include "book/book.h"
#include "book/format.h"
#include "book/graph/diff.h"
#include "book/graph/difference.h"
#include "book/graph/graph.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/cli/moves.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "book/polyglot_entry.h"
#include "chess/fen.h"

/* The numbers of `makebook diff --counts`: two files of statistics compared in one pass. */

/* The moves of one position in one of the files, which is read in the order of keys. */
struct moves {
    struct wld_reader *reader;
    struct tally next; /* the first that is of a later position */
    bool has_ended;
    struct tally *list; /* in the order of moves */
    size_t count;
    size_t capacity;
    uint64_t sum; /* of their games */
};

static enum caxton_status advance(struct moves *moves, struct diag *diag)
{
    enum caxton_status status = wld_reader_next(moves->reader, &moves->next, diag);
    moves->has_ended = status == STATUS_END;
    return moves->has_ended ? STATUS_OK : status;
}

/* Takes the moves of the position with this key; there may be none. */
static enum caxton_status take(struct moves *moves, uint64_t key, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    moves->count = 0;
    moves->sum = 0;
    while (status == STATUS_OK && !moves->has_ended && moves->next.key == key) {
        if (!ARRAY_GROW(moves->list, moves->capacity, moves->count + 1))
            return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
        moves->list[moves->count++] = moves->next;
        moves->sum += tally_games(&moves->next);
        status = advance(moves, diag);
    }
    return status;
}

/* How far numbers up to `sum` are shifted, for book_diff_shares_differ(). */
static int shift_of(uint64_t sum)
{
    int shift = 0;
    while (sum >> shift >> 52)
        shift++;
    return shift;
}

static void counts_compare(const struct moves sides[2], uint32_t threshold_ppm,
                           struct book_diff *out)
{
    size_t at[2] = {0, 0};
    int a = shift_of(sides[0].sum);
    int b = shift_of(sides[1].sum);
    out->positions_both++;
    while (at[0] < sides[0].count && at[1] < sides[1].count) {
        const struct tally *x = &sides[0].list[at[0]];
        const struct tally *y = &sides[1].list[at[1]];
        if (x->move != y->move) {
            int which = x->move > y->move;
            out->moves_only[which]++;
            at[which]++;
            continue;
        }
        bool changed =
            book_diff_shares_differ(tally_games(x) >> a, sides[0].sum >> a, tally_games(y) >> b,
                                    sides[1].sum >> b, threshold_ppm);
        out->moves_changed += changed;
        out->moves_same += !changed;
        at[0]++;
        at[1]++;
    }
    for (int which = 0; which < 2; which++)
        out->moves_only[which] += sides[which].count - at[which];
}

static enum caxton_status take_position(struct moves sides[2], uint32_t threshold_ppm,
                                        struct book_diff *out, struct diag *diag)
{
    bool first =
        sides[1].has_ended || (!sides[0].has_ended && sides[0].next.key <= sides[1].next.key);
    uint64_t key = sides[first ? 0 : 1].next.key;
    for (int which = 0; which < 2; which++) {
        enum caxton_status status = take(&sides[which], key, diag);
        if (status != STATUS_OK)
            return status;
    }
    if (sides[0].count && sides[1].count) {
        counts_compare(sides, threshold_ppm, out);
        return STATUS_OK;
    }
    int which = sides[0].count ? 0 : 1;
    out->positions_only[which]++;
    out->moves_only[which] += sides[which].count;
    return STATUS_OK;
}

/* Compares by keys, so in little memory whatever the size: fills all numbers of `out` but those of
 * lines, and no list. Both sources are statistics, mirrored both or neither. Errors: those of
 * wld_reader_next(), STATUS_NO_MEMORY; diag->text is set. */
static enum caxton_status diff_counts_take(const struct source sources[2], uint32_t threshold_ppm,
                                           struct book_diff *out, struct diag *diag)
{
    struct moves sides[2] = {{.reader = sources[0].reader}, {.reader = sources[1].reader}};
    struct book_diff diff = {.count = 0};
    enum caxton_status status = advance(&sides[0], diag);
    if (status == STATUS_OK)
        status = advance(&sides[1], diag);
    while (status == STATUS_OK && (!sides[0].has_ended || !sides[1].has_ended))
        status = take_position(sides, threshold_ppm, &diff, diag);
    free(sides[0].list);
    free(sides[1].list);
    if (status == STATUS_OK)
        *out = diff;
    return status;
}

/* Which of two books is deeper, broader, and scores better: the last lines of diff. */

enum { DIFF_SOURCES = 3 }; /* the two books; statistics about them, or {0} */

struct diff_verdict {
    double plies[2];   /* from the start to a position, the mean */
    uint64_t compared; /* positions that lines of both books reach */
    double moves[2];   /* in one of them, the mean; those of weight 0 are not played */
    /* For White and Black: of the compared positions, those where the results of moves of both are
     * known; the mean share of the points there, by the shares of the moves, where a position
     * counts as often as games came to it; and the 95 % confidence of the difference. With shares a
     * and b, and the variance v of a result in n games of a move, a position's difference has the
     * variance sum (a - b)^2 v / n. Positions of one game share its result, so the variance of the
     * whole is multiplied by how many of them a game has, at most: the design effect of samples
     * that come in clusters, for a correlation of 1. Source: L. Kish, "Survey Sampling" (1965). */
    uint64_t scored[2];
    double score[2][2];
    double error[2];
};

#define CONFIDENCE 1.96 /* standard errors: 95 % */

/* What is known of the games of one position's moves. */
static enum caxton_status find_results(const struct source sources[DIFF_SOURCES], uint64_t key,
                                       struct book_facts *out, struct diag *diag)
{
    struct book_facts facts;
    enum caxton_status status = STATUS_OK;
    book_facts_clear(out);
    for (int which = 0; which < DIFF_SOURCES && status == STATUS_OK; which++) {
        const struct book *book = sources[which].book;
        if (!book || !book->counts || book->counts->mirrored)
            continue;
        book_facts_clear(&facts);
        status = book->format->facts(book->state, key, NULL, &facts, diag);
        book_facts_merge(out, &facts);
    }
    return status;
}

/* The shares of a position's moves in the book, of those with results. Returns whether any has. */
static bool shares_of(const struct book_graph *graph, const struct book_node *node,
                      const struct book_facts *results, double shares[MOVES_MAX])
{
    double weights = 0;
    for (int k = 0; k < results->count; k++) {
        shares[k] = 0;
        for (uint32_t i = 0; i < node->count; i++) {
            const struct book_edge *edge = &graph->edges[node->first + i];
            if (polyglot_from_move(edge->move) == results->moves[k].stored)
                shares[k] += edge->weight;
        }
        weights += shares[k];
    }
    for (int k = 0; k < results->count; k++)
        shares[k] /= weights > 0 ? weights : 1;
    return weights > 0;
}

static unsigned moves_played(const struct book_graph *graph, const struct book_node *node)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < node->count; i++)
        count += graph->edges[node->first + i].weight > 0;
    return count;
}

static double mean_plies(const struct book_graph *graph)
{
    double sum = 0;
    for (size_t i = 0; i < graph->node_count; i++)
        sum += graph->nodes[i].known ? graph->nodes[i].ply : 0;
    return graph->known ? sum / (double)graph->known : 0;
}

/* The sums of what is a mean at last, for either colour. */
struct sums {
    double moves[2];
    double games[2];
    double most[2]; /* games of one position */
    double points[2][2];
    double variance[2]; /* of the difference of points */
};

static double games_of(const struct book_facts *results, int i)
{
    return (double)book_move_games(&results->moves[i]) / (double)results->unit;
}

static void add_scores(const struct book_facts *results, const double a[MOVES_MAX],
                       const double b[MOVES_MAX], int turn, struct sums *sums)
{
    double games = 0;
    double variance = 0;
    for (int i = 0; i < results->count; i++)
        games += games_of(results, i);
    for (int i = 0; i < results->count; i++) {
        const struct book_move_facts *facts = &results->moves[i];
        double n = games_of(results, i);
        if (n <= 0)
            continue;
        double score = ((double)facts->wins + (double)facts->draws / 2) / (double)results->unit / n;
        double squares = ((double)facts->wins + (double)facts->draws / 4) / (double)results->unit;
        sums->points[turn][0] += games * a[i] * score;
        sums->points[turn][1] += games * b[i] * score;
        variance += (a[i] - b[i]) * (a[i] - b[i]) * (squares / n - score * score) / n;
    }
    sums->games[turn] += games;
    sums->variance[turn] += games * games * variance;
    sums->most[turn] = games > sums->most[turn] ? games : sums->most[turn];
}

static enum caxton_status compare_nodes(const struct book_graph graphs[2],
                                        const struct source sources[DIFF_SOURCES],
                                        const struct book_node *const nodes[2],
                                        struct diff_verdict *verdict, struct sums *sums,
                                        struct diag *diag)
{
    struct book_facts results;
    double shares[2][MOVES_MAX];
    enum caxton_status status = find_results(sources, nodes[0]->key, &results, diag);
    if (status != STATUS_OK)
        return status;
    verdict->compared++;
    for (int which = 0; which < 2; which++)
        sums->moves[which] += moves_played(&graphs[which], nodes[which]);
    int turn = graphs[0].roots[nodes[0]->root].turn ^ (int)(nodes[0]->ply & 1);
    if (!shares_of(&graphs[0], nodes[0], &results, shares[0]) ||
        !shares_of(&graphs[1], nodes[1], &results, shares[1]))
        return STATUS_OK;
    verdict->scored[turn]++;
    add_scores(&results, shares[0], shares[1], turn, sums);
    return STATUS_OK;
}

/* Results are those of statistics in files, taken of all. Errors: as wld_file_find_facets(). */
static enum caxton_status diff_verdict_take(const struct book_graph graphs[2],
                                            const struct source sources[DIFF_SOURCES],
                                            struct diff_verdict *out, struct diag *diag)
{
    struct diff_verdict verdict = {.compared = 0};
    struct sums sums = {.games = {0}};
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < graphs[0].node_count && status == STATUS_OK; i++) {
        const struct book_node *a = &graphs[0].nodes[i];
        uint32_t at = a->known ? book_graph_find(&graphs[1], a->key) : BOOK_GRAPH_NONE;
        if (at == BOOK_GRAPH_NONE || !graphs[1].nodes[at].known)
            continue;
        const struct book_node *const nodes[2] = {a, &graphs[1].nodes[at]};
        status = compare_nodes(graphs, sources, nodes, &verdict, &sums, diag);
    }
    for (int which = 0; which < 2; which++) {
        verdict.plies[which] = mean_plies(&graphs[which]);
        if (verdict.compared)
            verdict.moves[which] = sums.moves[which] / (double)verdict.compared;
    }
    for (int turn = 0; turn < 2; turn++) {
        const double games = sums.games[turn];
        if (games <= 0)
            continue;
        for (int which = 0; which < 2; which++)
            verdict.score[turn][which] = sums.points[turn][which] / games;
        verdict.error[turn] =
            CONFIDENCE * sqrt(sums.variance[turn] * games / sums.most[turn]) / games;
    }
    if (status == STATUS_OK)
        *out = verdict;
    return status;
}

/* Which has more, to the precision that is printed: 0, 1 or, of equal ones, -1. */
static int larger(const double values[2], int parts)
{
    double a = (double)(int64_t)(values[0] * parts + 0.5);
    double b = (double)(int64_t)(values[1] * parts + 0.5);
    return a > b ? 0 : b > a ? 1 : -1;
}

static void diff_verdict_print(FILE *out, const struct diff_verdict *verdict)
{
    enum { TENTHS = 10, HUNDREDTHS = 100 };
    static const char *const deeper[] = {"The books are equally deep", "A is deeper",
                                         "B is deeper"};
    static const char *const broader[] = {"they are equally broad", "A is broader", "B is broader"};
    (void)fprintf(out, "%s: positions are %.1f and %.1f plies from the start on average",
                  deeper[larger(verdict->plies, TENTHS) + 1], verdict->plies[0], verdict->plies[1]);
    if (verdict->compared)
        (void)fprintf(out, "; %s: %.2f and %.2f moves in a position of both",
                      broader[larger(verdict->moves, HUNDREDTHS) + 1], verdict->moves[0],
                      verdict->moves[1]);
    (void)fprintf(out, " (A, B).\n");
    for (int turn = WHITE; turn <= BLACK; turn++) {
        const double *score = verdict->score[turn];
        double more = score[1] - score[0];
        if (!verdict->scored[turn])
            continue;
        (void)fprintf(
            out,
            "%s: %s: %.1f%% and %.1f%% of the points in %llu position%s of known results, "
            "%+.1f +- %.1f for B.\n",
            turn == WHITE ? "White" : "Black",
            more > verdict->error[turn]    ? "B scores better"
            : -more > verdict->error[turn] ? "A scores better"
                                           : "neither scores better for certain",
            score[0] * 100, score[1] * 100, (unsigned long long)verdict->scored[turn],
            verdict->scored[turn] == 1 ? "" : "s", more * 100, verdict->error[turn] * 100);
    }
}

static void verdict_put_pair(struct json *json, const char *name, const double values[2],
                             int digits)
{
    json_array(json, name);
    json_decimal(json, NULL, values[0], digits);
    json_decimal(json, NULL, values[1], digits);
    json_end(json);
}

static void diff_verdict_json(struct json *json, const struct diff_verdict *verdict)
{
    enum { DIGITS = 4 };
    verdict_put_pair(json, "plies_mean", verdict->plies, DIGITS);
    if (verdict->compared)
        verdict_put_pair(json, "moves_mean", verdict->moves, DIGITS);
    for (int turn = WHITE; turn <= BLACK; turn++)
        if (verdict->scored[turn]) {
            verdict_put_pair(json, turn == WHITE ? "score_white" : "score_black",
                             verdict->score[turn], DIGITS);
            json_decimal(json, turn == WHITE ? "error_white" : "error_black", verdict->error[turn],
                         DIGITS);
        }
    json_unsigned(json, "positions_scored", verdict->scored[WHITE] + verdict->scored[BLACK]);
}

/* Exit status, as of diff(1). Trouble stands for failure and wrong use. */
#define DIFF_SAME      EXIT_DONE
#define DIFF_DIFFERENT EXIT_FAILED
#define DIFF_TROUBLE   EXIT_USAGE

struct diff_command {
    bool json;
    struct asked_facets facets;
    bool quiet;
    bool counts;
    int64_t threshold_ppm;
    int64_t limit;
    struct command_line line;
    struct source sources[DIFF_SOURCES];
    struct book_graph graphs[2];
    struct book_diff diff;
    struct diff_verdict verdict;
};

static const char names[2] = {'A', 'B'};

static size_t shown(const struct diff_command *command)
{
    size_t limit = (size_t)command->limit;
    return limit && limit < command->diff.count ? limit : command->diff.count;
}

/* Lines -------------------------------------------------------------------------------------- */

/* Writes the FEN of the line's root. Returns whether that is another position than the start. */
static bool root_fen(const struct book_graph *graph, uint32_t node, char fen[FEN_MAX])
{
    struct position start;
    const struct position *root = &graph->roots[graph->nodes[node].root];
    position_start(&start);
    fen_format(root, fen);
    return root->key != start.key;
}

/* The moves to the difference, its own included, for JSON or (NULL) as text. */
static void print_line(const struct diff_command *command, const struct book_difference *difference,
                       struct json *json)
{
    move line[BOOK_GRAPH_PLIES_MAX + 1];
    struct position pos;
    const struct book_graph *graph = &command->graphs[difference->side];
    const struct book_node *node = &graph->nodes[difference->node];
    uint32_t plies = node->ply;
    book_graph_position(graph, difference->node, &pos, line);
    if (difference->move != MOVE_NONE)
        line[plies++] = difference->move;
    if (json)
        moves_json(json, &graph->roots[node->root], line, plies);
    else if (plies)
        moves_print(stdout, &graph->roots[node->root], line, plies);
    else
        (void)printf("(the start)");
}

/* Text --------------------------------------------------------------------------------------- */

static void print_share(const struct book_difference *difference, int which)
{
    bool has = difference->kind == DIFFERENCE_SHARE || difference->owner == which;
    uint32_t hundredths = (difference->share[which] + 50) / 100;
    if (has)
        (void)printf(" %4u.%02u%%", (unsigned)hundredths / 100, (unsigned)hundredths % 100);
    else
        (void)printf(" %8s", "-");
}

static void print_difference(const struct diff_command *command,
                             const struct book_difference *difference)
{
    char fen[FEN_MAX];
    char text[THOUSANDS_MAX];
    bool is_position = difference->kind == DIFFERENCE_POSITION;
    char sign = difference->kind == DIFFERENCE_SHARE ? '~' : difference->owner == 0 ? '<' : '>';
    (void)putchar(sign);
    if (is_position)
        (void)printf(" %-17s", "position");
    else
        for (int which = 0; which < 2; which++)
            print_share(difference, which);
    (void)printf("  ");
    if (root_fen(&command->graphs[difference->side], difference->node, fen))
        (void)printf("[%s] ", fen);
    print_line(command, difference, NULL);
    uint64_t more = difference->behind - (is_position && difference->behind ? 1 : 0);
    if (more)
        (void)printf("  (%s%s position%s)", terminal_thousands(more, text),
                     is_position ? " more" : "", more == 1 ? "" : "s");
    (void)putchar('\n');
}

static void print_count(const char *name, uint64_t both, uint64_t changed, const uint64_t only[2])
{
    char texts[4][THOUSANDS_MAX];
    (void)printf("%-10s %12s %12s %12s %12s\n", name, terminal_thousands(both, texts[0]),
                 terminal_thousands(changed, texts[1]), terminal_thousands(only[0], texts[2]),
                 terminal_thousands(only[1], texts[3]));
}

static void print_text(const struct diff_command *command)
{
    const struct book_diff *diff = &command->diff;
    for (int which = 0; which < 2; which++)
        (void)printf("%c  %s: %s\n", names[which], text_safe(command->sources[which].name).text,
                     command->counts ? "statistics"
                                     : book_format_name(command->sources[which].book));
    (void)printf("\n%-10s %12s %12s %12s %12s\n", "", "alike", "other share", "only in A",
                 "only in B");
    print_count("positions", diff->positions_both, 0, diff->positions_only);
    print_count("moves", diff->moves_same, diff->moves_changed, diff->moves_only);
    if (diff->unreached[0] || diff->unreached[1])
        (void)printf("\n%llu positions of A and %llu of B that no line reaches differ\n",
                     (unsigned long long)diff->unreached[0],
                     (unsigned long long)diff->unreached[1]);
    if (diff->count)
        (void)putchar('\n');
    for (size_t i = 0; i < shown(command); i++)
        print_difference(command, &diff->list[i]);
    if (shown(command) < diff->count)
        (void)printf("... and %zu more; --limit 0 shows all\n", diff->count - shown(command));
    if (!book_diff_is_empty(diff) && !command->counts) {
        (void)putchar('\n');
        diff_verdict_print(stdout, &command->verdict);
    }
}

/* JSON --------------------------------------------------------------------------------------- */

static void put_pair(struct json *json, const char *name, uint64_t a, uint64_t b)
{
    json_array(json, name);
    json_unsigned(json, NULL, a);
    json_unsigned(json, NULL, b);
    json_end(json);
}

static void put_difference(struct json *json, const struct diff_command *command,
                           const struct book_difference *difference)
{
    static const char *const kinds[] = {"share", "move", "position"};
    const char owner[] = {names[difference->owner], '\0'};
    char fen[FEN_MAX];
    json_line(json);
    json_object(json, NULL);
    json_text(json, "kind", kinds[difference->kind]);
    if (difference->kind != DIFFERENCE_SHARE)
        json_text(json, "only_in", owner);
    if (difference->kind != DIFFERENCE_POSITION)
        put_pair(json, "share_ppm", difference->share[0], difference->share[1]);
    if (difference->behind)
        json_unsigned(json, "positions", difference->behind);
    if (root_fen(&command->graphs[difference->side], difference->node, fen))
        json_text(json, "fen", fen);
    json_array(json, "line");
    print_line(command, difference, json);
    json_end(json);
    json_end(json);
}

static void print_json(const struct diff_command *command)
{
    const struct book_diff *diff = &command->diff;
    struct json json = json_start(stdout);
    json_object(&json, NULL);
    json_array(&json, "books");
    for (int which = 0; which < 2; which++)
        json_text(&json, NULL, command->sources[which].name);
    json_end(&json);
    json_unsigned(&json, "positions_both", diff->positions_both);
    put_pair(&json, "positions_only", diff->positions_only[0], diff->positions_only[1]);
    json_unsigned(&json, "moves_alike", diff->moves_same);
    json_unsigned(&json, "moves_changed", diff->moves_changed);
    put_pair(&json, "moves_only", diff->moves_only[0], diff->moves_only[1]);
    if (command->counts) {
        json_end(&json);
        (void)putchar('\n');
        return;
    }
    put_pair(&json, "unreached", diff->unreached[0], diff->unreached[1]);
    json_array(&json, "differences");
    for (size_t i = 0; i < shown(command); i++)
        put_difference(&json, command, &diff->list[i]);
    if (diff->count)
        json_line(&json);
    json_end(&json);
    json_unsigned(&json, "differences_all", diff->count);
    diff_verdict_json(&json, &command->verdict);
    json_end(&json);
    (void)putchar('\n');
}

/* The command -------------------------------------------------------------------------------- */

static bool open_books(struct diff_command *command)
{
    for (int which = 0; which < 2; which++) {
        struct diag diag = {.text = ""};
        struct source *source = &command->sources[which];
        if (!source_open_walk(&command->line, command->line.operands[which], WLD_WEIGHTS_UNITS,
                              source))
            return false;
        if (book_graph_create(source->book, NULL, &command->graphs[which], &diag) != STATUS_OK)
            return command_refuse(&command->line, "%s", diag.text);
    }
    struct source *judge = &command->sources[2];
    if (command->line.operand_count < DIFF_SOURCES)
        return true;
    if (!source_open(&command->line, command->line.operands[2], judge))
        return false;
    return judge->file ||
           command_refuse(&command->line, "%s: these are no statistics (.wld) in a file",
                          command->line.operands[2]);
}

static bool compare(struct diff_command *command, uint32_t threshold)
{
    struct diag diag = {.text = "out of memory"};
    enum caxton_status status =
        book_diff_create(&command->graphs[0], &command->graphs[1], threshold, &command->diff);
    if (status == STATUS_OK && !command->quiet)
        status = diff_verdict_take(command->graphs, command->sources, &command->verdict, &diag);
    return status == STATUS_OK || command_refuse(&command->line, "%s", diag.text);
}

/* The numbers alone, of statistics as they are read. */
static bool compare_counts(struct diff_command *command, uint32_t threshold)
{
    struct diag diag = {.text = ""};
    bool mirrored[2];
    for (int which = 0; which < 2; which++) {
        struct source *source = &command->sources[which];
        if (!source_open(&command->line, command->line.operands[which], source))
            return false;
        if (!source->book->counts)
            return command_refuse(&command->line, "%s: --counts is for statistics (.wld)",
                                  source->name);
        mirrored[which] = source->book->counts->mirrored;
    }
    if (mirrored[0] != mirrored[1])
        return command_refuse(&command->line, "only one of the two is mirrored");
    if (diff_counts_take(command->sources, threshold, &command->diff, &diag) == STATUS_OK)
        return true;
    for (int which = 0; which < 2; which++) {
        const char *fault = source_input_fault(&command->sources[which]);
        if (fault)
            return command_refuse(&command->line, "%s: %s", command->sources[which].name, fault);
    }
    return command_refuse(&command->line, "%s", diag.text);
}

static bool compare_all(struct diff_command *command, uint32_t threshold)
{
    if (command->counts)
        return compare_counts(command, threshold);
    return open_books(command) && compare(command, threshold);
}

static enum exit_status run(void *context)
{
    struct diff_command *command = context;
    enum exit_status status = DIFF_TROUBLE;
    if (command->counts && command->line.operand_count == DIFF_SOURCES)
        return command_misuse(&command->line, "--counts is for two files of statistics");
    if (source_is_read_once(&command->line) != EXIT_DONE)
        return DIFF_TROUBLE;
    if (compare_all(command, (uint32_t)command->threshold_ppm))
        status = book_diff_is_empty(&command->diff) ? DIFF_SAME : DIFF_DIFFERENT;
    if (status != DIFF_TROUBLE && !command->quiet)
        (command->json ? print_json : print_text)(command);
    book_diff_destroy(&command->diff);
    for (int which = 0; which < 2; which++)
        book_graph_destroy(&command->graphs[which]);
    for (int which = 0; which < DIFF_SOURCES; which++)
        source_close(&command->sources[which]);
    return command_end(&command->line, EXIT_DONE) == EXIT_DONE ? status : DIFF_TROUBLE;
}

static const char about[] =
    "Compares two books of any kinds, position by position, whatever lines lead there: moves that\n"
    "only one has, and moves whose share of their position's weight differs. Each difference is "
    "a\n"
    "line of the shortest way to it; those that games by the book most likely meet come first:\n"
    "  <   only in A, with its share, and how many positions only A has behind it\n"
    "  >   only in B\n"
    "  ~   in both, with the share in A and in B\n"
    "A position that only one book has stands by itself where both play the move to it. BOOK is a\n"
    "file, \"-\" or \"builtin\"; of statistics (.wld) shares are of the games.\n\n"
    "The last lines say which book is deeper, which is broader, and, where one of the three is\n"
    "statistics, which scores better for White and for Black: over the positions of both, each as\n"
    "often as games came there, by the results of the moves, each by its share; +- is 95 %.\n\n"
    "All this is found in memory, 0.3 GB for a million moves. With --counts two files of "
    "statistics\n"
    "of any size are read once, in little memory, and only the numbers are printed.\n\n"
    "The exit status is that of diff: 0 alike, 1 different, 2 trouble.";

static enum exit_status command_main(int argc, char **argv)
{
    struct diff_command command = {.json = false};
    const struct option_row rows[] = {
        PERCENT_ROW("threshold", "shares are alike that differ by no more; 0 compares exactly",
                    &command.threshold_ppm, 4, USUAL(1000)),
        NUMBER_ROW("limit", 'n', "N", "show so many differences; 0 shows all", &command.limit, 0,
                   INT32_MAX, USUAL(40)),
        FLAG_ROW("counts", 0, "of statistics: only the numbers, by one pass over both",
                 &command.counts),
        FACET_ROWS(command.facets),
        FLAG_ROW("json", 0, "as JSON", &command.json),
        FLAG_ROW("quiet", 'q', "only the exit status", &command.quiet),
    };
    command.line = COMMAND_LINE("diff", "A B [STATISTICS] [--threshold PERCENT] [--counts]", about,
                                rows, ROW_COUNT(rows), 2, DIFF_SOURCES);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_diff = {"diff", "what two books of any kinds know differently",
                                     command_main};
