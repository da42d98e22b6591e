/* makebook diff: what two books know differently. */
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
#include "book/makebook/cli/verdict.h"
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
    struct compared books;
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
    const struct book_graph *graph = &command->books.graphs[difference->side];
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
    if (root_fen(&command->books.graphs[difference->side], difference->node, fen))
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
        (void)printf(
            "%c  %s: %s\n", names[which], text_safe(command->books.sources[which].name).text,
            command->counts ? "statistics" : book_format_name(command->books.sources[which].book));
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
    if (root_fen(&command->books.graphs[difference->side], difference->node, fen))
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
        json_text(&json, NULL, command->books.sources[which].name);
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

/* Of experience files nothing tells what other positions look like. */
static void warn_of_unreached(const struct diff_command *command)
{
    for (int which = 0; which < 2; which++) {
        const struct source *source = &command->books.sources[which];
        const struct book_graph *graph = &command->books.graphs[which];
        if (source->book->position_count > graph->known)
            (void)command_fail(&command->line,
                               "warning: %s: %zu of %zu positions are not compared: no line "
                               "reaches them",
                               source->name, graph->positions - graph->known, graph->positions);
    }
}

static bool compare(struct diff_command *command, uint32_t threshold)
{
    struct diag diag = {.text = "out of memory"};
    warn_of_unreached(command);
    enum caxton_status status = book_diff_create(
        &command->books.graphs[0], &command->books.graphs[1], threshold, &command->diff);
    if (status == STATUS_OK && !command->quiet)
        status = diff_verdict_take(&command->books, &command->verdict, &diag);
    return status == STATUS_OK || command_refuse(&command->line, "%s", diag.text);
}

/* The numbers alone, of statistics as they are read. */
static bool compare_counts(struct diff_command *command, uint32_t threshold)
{
    struct diag diag = {.text = ""};
    bool mirrored[2];
    for (int which = 0; which < 2; which++) {
        struct source *source = &command->books.sources[which];
        if (!source_open(&command->line, command->line.operands[which], source))
            return false;
        if (!source->book->counts)
            return command_refuse(&command->line, "%s: --counts is for statistics (.wld)",
                                  source->name);
        mirrored[which] = source->book->counts->mirrored;
    }
    if (mirrored[0] != mirrored[1])
        return command_refuse(&command->line, "only one of the two is mirrored");
    if (diff_counts_take(command->books.sources, threshold, &command->diff, &diag) == STATUS_OK)
        return true;
    for (int which = 0; which < 2; which++) {
        const char *fault = source_input_fault(&command->books.sources[which]);
        if (fault)
            return command_refuse(&command->line, "%s: %s", command->books.sources[which].name,
                                  fault);
    }
    return command_refuse(&command->line, "%s", diag.text);
}

static bool compare_all(struct diff_command *command, uint32_t threshold)
{
    if (command->counts)
        return compare_counts(command, threshold);
    return compared_open(&command->line, command->line.operands, command->line.operand_count,
                         &command->books) &&
           compare(command, threshold);
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
    compared_close(&command->books);
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
