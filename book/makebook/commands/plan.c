/* makebook plan: how long a book of grow would take with how many workers, by simulation. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/terminal.h"
#include "base/text.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/commands.h"
#include "book/plan/simulation.h"

/* What makebook plan prints. */

struct plan_heading {
    const char *side; /* "White" */
    const char *against;
    int depth;
    int min_depth;
    const char *store; /* that times are measured by; NULL: none */
    int64_t speed;     /* nodes a second */
};

/* What a search costs a queue on a Redis server: measured, see book/plan/README.md. */
enum { QUEUE_COMMANDS = 10, QUEUE_BYTES = 1700 };

enum { TIME_MAX = 24 };

/* As enum simulation_ahead. */
static const char *const aheads[] = {"none", "queue", "answers"};

#define SECOND_US 1e6

#define DAY_US (86400 * INT64_C(1000000))

/* "12 s", "3.4 min", "5.0 h", "12 d". Returns `out`. */
static const char *time_text(int64_t us, char out[TIME_MAX])
{
    static const struct {
        double us;
        const char *name;
    } units[] = {{(double)DAY_US, "d"}, {3600e6, "h"}, {60e6, "min"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if ((double)us >= 2 * units[i].us) {
            (void)snprintf(out, TIME_MAX, "%.1f %s", (double)us / units[i].us, units[i].name);
            return out;
        }
    (void)snprintf(out, TIME_MAX, "%.1f s", (double)us / SECOND_US);
    return out;
}

static void print_depths(FILE *out, const struct question_trace *trace,
                         const struct search_time *time)
{
    int64_t sums[SEARCH_DEPTH_MAX + 1] = {0};
    size_t counts[SEARCH_DEPTH_MAX + 1] = {0};
    for (size_t i = 0; i < trace->ask_count; i++) {
        const struct trace_ask *ask = &trace->asks[i];
        sums[ask->depth] += search_time_us(time, ask->key, ask->depth);
        counts[ask->depth]++;
    }
    (void)fprintf(out, "%8s %12s %12s %12s\n", "depth", "searches", "each", "together");
    for (int depth = SEARCH_DEPTH_MAX; depth > 0; depth--) {
        char number[THOUSANDS_MAX];
        char each[TIME_MAX];
        char all[TIME_MAX];
        if (counts[depth])
            (void)fprintf(
                out, "%8d %12s %12s %12s\n", depth, terminal_thousands(counts[depth], number),
                time_text(sums[depth] / (int64_t)counts[depth], each), time_text(sums[depth], all));
    }
}

/* tsv: a table of tabs with a line of names, else text for people. */
static void plan_report_heading(FILE *out, bool tsv, const struct plan_heading *heading,
                                const struct question_trace *trace, const struct search_time *time)
{
    char searches[THOUSANDS_MAX];
    char positions[THOUSANDS_MAX];
    char speed[THOUSANDS_MAX];
    if (tsv) {
        (void)fprintf(
            out, "ahead\tworkers\twall_s\tspeedup\tbusy_s\toverhead_s\tidle_s\tsearches\twasted\t"
                 "wasted_s\tfull_s\tfull_depth\tfull_probability\tdrained_s\t"
                 "drained_depth\tdrained_probability\tidle_before_s\tidle_after_s\t"
                 "commands_per_s\tmost_commands_per_s\tbytes_per_s\n");
        return;
    }
    (void)fprintf(out, "%s against ", heading->side);
    text_put_safe(out, span_of(heading->against));
    (void)fprintf(out, ", --depth %d --min-depth %d: %s searches, %s positions%s\n", heading->depth,
                  heading->min_depth, terminal_thousands(trace->ask_count, searches),
                  terminal_thousands(trace->counts.positions, positions),
                  trace->counts.full ? " (--max-positions was reached)" : "");
    (void)fprintf(out, "times by ");
    text_put_safe(out, span_of(heading->store ? heading->store : "searches of this program"));
    (void)fprintf(out, ", %s nodes a second\n\n",
                  terminal_thousands((uint64_t)heading->speed, speed));
    print_depths(out, trace, time);
    (void)fprintf(out, "\n%-8s %8s %10s %9s %6s %7s %7s %8s %7s  %-30s  %-30s %10s %10s %10s\n",
                  "ahead", "workers", "time", "speed-up", "idle", "before", "after", "searches",
                  "wasted", "all busy from", "until", "commands/s", "most", "bytes/s");
}

static double percent(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* "2.1 min, depth 30, p 0.012". */
static void print_moment(FILE *out, bool there, const struct simulation_moment *moment)
{
    char text[64] = "never";
    char at[TIME_MAX];
    if (there)
        (void)snprintf(text, sizeof text, "%s, depth %d, p %.2g", time_text(moment->at_us, at),
                       moment->depth, moment->probability);
    (void)fprintf(out, "  %-30s", text);
}

static void print_tsv(FILE *out, const struct simulation_options *options,
                      const struct simulation_result *result, int64_t total_us)
{
    double wall = (double)result->wall_us / SECOND_US;
    (void)fprintf(out, "%s\t%zu\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%zu\t%zu\t%.3f",
                  aheads[options->ahead], options->workers, wall,
                  (double)total_us / (double)result->wall_us, (double)result->busy_us / SECOND_US,
                  (double)result->overhead_us / SECOND_US, (double)result->idle_us / SECOND_US,
                  result->searches, result->wasted, (double)result->wasted_us / SECOND_US);
    if (result->filled)
        (void)fprintf(out, "\t%.3f\t%d\t%.3g\t%.3f\t%d\t%.3g",
                      (double)result->full.at_us / SECOND_US, result->full.depth,
                      result->full.probability, (double)result->drained.at_us / SECOND_US,
                      result->drained.depth, result->drained.probability);
    else
        (void)fprintf(out, "\t\t\t\t\t\t");
    (void)fprintf(
        out, "\t%.3f\t%.3f\t%.3f\t%zu\t%.1f\n", (double)result->idle_before_us / SECOND_US,
        (double)result->idle_after_us / SECOND_US, (double)result->searches * QUEUE_COMMANDS / wall,
        result->per_second * QUEUE_COMMANDS, (double)result->searches * QUEUE_BYTES / wall);
}

/* total_us: of all searches that are asked for. */
static void plan_report_row(FILE *out, bool tsv, const struct simulation_options *options,
                            const struct simulation_result *result, int64_t total_us)
{
    char count[THOUSANDS_MAX];
    char searches[THOUSANDS_MAX];
    char most[THOUSANDS_MAX];
    char bytes[THOUSANDS_MAX];
    char wall[TIME_MAX];
    if (tsv) {
        print_tsv(out, options, result, total_us);
        return;
    }
    int64_t all = (int64_t)options->workers * result->wall_us;
    double seconds = (double)result->wall_us / SECOND_US;
    (void)fprintf(out, "%-8s %8s %10s %9.1f %5.1f%% %6.1f%% %6.1f%% %8s %6.1f%%",
                  aheads[options->ahead], terminal_thousands(options->workers, count),
                  time_text(result->wall_us, wall), (double)total_us / (double)result->wall_us,
                  percent(result->idle_us, all), percent(result->idle_before_us, all),
                  percent(result->idle_after_us, all),
                  terminal_thousands(result->searches, searches),
                  percent(result->wasted_us, result->busy_us));
    print_moment(out, result->filled, &result->full);
    print_moment(out, result->filled, &result->drained);
    (void)fprintf(out, " %10.1f %10s %10s\n", (double)result->searches * QUEUE_COMMANDS / seconds,
                  terminal_thousands(result->per_second * QUEUE_COMMANDS, most),
                  terminal_thousands(
                      (uint64_t)((double)result->searches * QUEUE_BYTES / seconds + 0.5), bytes));
}

static void plan_report_end(FILE *out, bool tsv)
{
    if (!tsv)
        (void)fprintf(
            out,
            "\nidle: share of the workers' time; before: until all were busy for the first "
            "time; after: since\nthey were for the last time. wasted: share of the time "
            "of searches. Without searching ahead the time\nwould be that of one worker. "
            "commands, bytes: of a Redis server, %d and %d a search.\n",
            QUEUE_COMMANDS, QUEUE_BYTES);
}

enum { BRANCH_DECIMALS = 2, BRANCH_UNIT = 100, BRANCH_MAX = 1000 * BRANCH_UNIT };

enum { DAYS_DECIMALS = 3, DAYS_UNIT = 1000, DAYS_MAX = 1000000 * DAYS_UNIT };

enum { OVERHEAD_DECIMALS = 3, OVERHEAD_MAX = 1000000 * 1000 };

enum { AHEAD_ALL = AHEAD_ANSWERS + 1 };

enum { WORKERS_MAX = 1000000, COUNTS_MAX = 16 };

#define STORE_MAX ((uint64_t)1 << 32)

struct plan_command {
    int side; /* WHITE, BLACK */
    struct option_texts against_names;
    const char *against; /* the one of these */
    int64_t branch;      /* in units of 1 / BRANCH_UNIT */
    int64_t budget;      /* days, in units of 1 / DAYS_UNIT */
    const char *workers;
    const char *store_name;
    int64_t depth; /* 0: as the budget allows */
    int64_t min_depth;
    int64_t speed;
    int ahead; /* enum simulation_ahead, or AHEAD_ALL */
    int64_t ahead_max;
    int64_t seed;
    int64_t max_positions;
    bool tsv;
    struct command_line line;

    size_t counts[COUNTS_MAX]; /* of workers */
    size_t count_count;
    int64_t budget_us;
    int64_t overhead_us;
    struct source source;
    struct score_store *store;
    uint8_t *store_bytes;
    struct grow_options options;
    struct search_time time;
    struct question_trace trace;
};

/* "1,16,256". Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status read_workers(struct plan_command *command)
{
    struct span rest = span_of(command->workers);
    for (bool more = true; more;) {
        size_t size = 0;
        int64_t number;
        while (size < rest.size && rest.data[size] != ',')
            size++;
        if (command->count_count == COUNTS_MAX ||
            span_to_int(span_make(rest.data, size), 1, WORKERS_MAX, &number) != STATUS_OK)
            return command_misuse(&command->line, "--workers %s is no list of at most %d numbers",
                                  command->workers, COUNTS_MAX);
        command->counts[command->count_count++] = (size_t)number;
        more = size < rest.size;
        rest = span_from(rest, size + more);
    }
    return EXIT_DONE;
}

/* Returns EXIT_DONE or EXIT_USAGE. */
static enum exit_status read_options(struct plan_command *command)
{
    const struct command_line *line = &command->line;
    if (command->against_names.count > 1)
        return command_misuse(line, "a plan is against one book: --against once");
    command->against = command->against_names.items[0];
    if (command->depth && command->depth < command->min_depth)
        return command_misuse(line, "--depth %" PRId64 " is less than --min-depth, %" PRId64 "%s",
                              command->depth, command->min_depth,
                              options_given(line, "min-depth") ? "" : " unless given");
    command->budget_us = command->budget * (DAY_US / DAYS_UNIT);
    command->options = (struct grow_options){.side = command->side,
                                             .min_depth = (int)command->min_depth,
                                             .branch = (double)command->branch / BRANCH_UNIT,
                                             .max_positions = (size_t)command->max_positions};
    position_start(&command->options.root);
    return read_workers(command);
}

/* How long searches take. Returns EXIT_DONE or EXIT_FAILED. */
static enum exit_status find_times(struct plan_command *command)
{
    struct diag diag = {.text = ""};
    size_t size;
    double speed = (double)command->speed * 1000;
    uint64_t seed = (uint64_t)command->seed;
    search_time_usual(speed, seed, &command->time);
    if (!command->store_name)
        return EXIT_DONE;
    if (file_read(command->store_name, STORE_MAX, &command->store_bytes, &size, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s", diag.text);
    if (score_store_parse(command->store_bytes, size, NULL, &command->store, &diag) != STATUS_OK)
        return command_fail(&command->line, "%s: %s", command->store_name, diag.text);
    if (!search_time_of_store(command->store, speed, seed, &command->time))
        return command_fail(&command->line, "%s: too few searches of a depth to measure by",
                            command->store_name);
    return EXIT_DONE;
}

static enum caxton_status make_trace(struct plan_command *command, int depth,
                                     struct question_trace *out, struct diag *diag)
{
    const struct trace_answers answers = {.store = command->store,
                                          .book = command->source.book,
                                          .seed = (uint64_t)command->seed,
                                          .root_depth = depth};
    command->options.root_depth = depth;
    return question_trace_make(&command->options, &answers, out, diag);
}

/* The questions of the depth that was asked for, or of the largest within the budget. */
static enum caxton_status find_questions(struct plan_command *command, struct diag *diag)
{
    if (command->depth)
        return make_trace(command, (int)command->depth, &command->trace, diag);
    for (int depth = (int)command->min_depth; depth <= SEARCH_DEPTH_MAX; depth++) {
        struct question_trace larger;
        enum caxton_status status = make_trace(command, depth, &larger, diag);
        if (status != STATUS_OK)
            return status;
        bool within = simulation_total_us(&larger, &command->time) <= command->budget_us;
        bool full = larger.counts.full;
        if (!within) {
            question_trace_free(&larger);
            return STATUS_OK;
        }
        question_trace_free(&command->trace);
        command->trace = larger;
        command->depth = depth;
        if (full)
            return STATUS_OK;
    }
    return STATUS_OK;
}

/* Do the sums fit 64 bits? With workers that are idle they are many times the searches. */
static bool is_countable(const struct plan_command *command)
{
    enum { RESERVE = 4 };
    double alone = (double)simulation_total_us(&command->trace, &command->time) +
                   (double)command->trace.ask_count * (double)command->overhead_us;
    size_t workers = 0;
    for (size_t i = 0; i < command->count_count; i++)
        workers = command->counts[i] > workers ? command->counts[i] : workers;
    return alone * RESERVE * (double)workers < (double)INT64_MAX;
}

/* Returns EXIT_DONE or EXIT_FAILED. */
static enum exit_status simulate(struct plan_command *command)
{
    const struct plan_heading heading = {
        .side = command->side == BLACK ? "Black" : "White",
        .against = command->against,
        .depth = (int)command->depth,
        .min_depth = (int)command->min_depth,
        .store = command->store_name,
        .speed = command->speed * 1000,
    };
    plan_report_heading(stdout, command->tsv, &heading, &command->trace, &command->time);
    int first = command->ahead == AHEAD_ALL ? AHEAD_FRONTIER : command->ahead;
    int last = command->ahead == AHEAD_ALL ? AHEAD_ANSWERS : command->ahead;
    for (size_t i = 0; i < command->count_count * (size_t)(last - first + 1); i++) {
        struct simulation_result result;
        const struct simulation_options options = {
            .workers = command->counts[i % command->count_count],
            .ahead = (enum simulation_ahead)(first + (int)(i / command->count_count)),
            .ahead_max = (size_t)command->ahead_max,
            .overhead_us = command->overhead_us};
        if (simulation_run(&command->trace, &command->time, &options, &result) != STATUS_OK)
            return command_fail(&command->line, "out of memory");
        plan_report_row(stdout, command->tsv, &options, &result,
                        simulation_total_us(&command->trace, &command->time));
    }
    plan_report_end(stdout, command->tsv);
    return EXIT_DONE;
}

static enum exit_status run(void *context)
{
    struct plan_command *command = context;
    struct diag diag = {.text = ""};
    enum exit_status answer = read_options(command);
    if (answer != EXIT_DONE)
        return answer;
    if (!source_open_walk(&command->line, command->against, WLD_WEIGHTS_UNITS, &command->source))
        return EXIT_FAILED;
    const struct opponent_source source = {.book = command->source.book, .share = 1};
    command->options.opponent = (struct opponent){.sources = &source, .source_count = 1};
    answer = find_times(command);
    if (answer == EXIT_DONE && find_questions(command, &diag) != STATUS_OK)
        answer = command_fail(&command->line, "%s", diag.text);
    if (answer == EXIT_DONE && command->trace.ask_count == 0)
        answer = command_fail(&command->line, "nothing is searched within that: a smaller "
                                              "--min-depth, a larger --budget or --depth");
    if (answer == EXIT_DONE && !is_countable(command))
        answer = command_fail(&command->line, "that takes longer than can be simulated: a smaller "
                                              "--depth, or fewer --workers");
    if (answer == EXIT_DONE)
        answer = simulate(command);
    question_trace_free(&command->trace);
    if (score_store_close(command->store, &diag) != STATUS_OK) /* it has no file */
        answer = command_fail(&command->line, "%s", diag.text);
    free(command->store_bytes);
    source_close(&command->source);
    return command_end(&command->line, answer);
}

static const char about[] =
    "Tells how long grow would take with how many workers, without searching: its algorithm is "
    "run\n"
    "with answers that come at once, and then the queue of searches with its workers is simulated\n"
    "on a clock of its own. The times of searches are measured ones: of this program, or by the\n"
    "nodes of the searches in --store. Moves are those of --store where it knows the position,\n"
    "else the most played ones of BOOK as often as searches find them, else any: in 16 tries\n"
    "without a store grow made from 29 % fewer searches to 40 % more than that.\n\n"
    "Without --depth it is the largest for which all searches together take no more than --budget\n"
    "days of one processor. Searches are made ahead while fewer are asked for than there are\n"
    "workers; \"wasted\" are those that nobody asked for in the end. The same command prints the\n"
    "same plan.";

static enum exit_status command_main(int argc, char **argv)
{
    struct plan_command command = {.ahead_max = INT32_MAX};
    const struct option_row rows[] = {
        TEXTS_ROW("against", 0, "BOOK", "what the opponent plays: a book of any kind, statistics",
                  &command.against_names, .required = "against what? --against says it"),
        CHOICE_ROW("color", "white|black", "who has the book", &command.side, .old = "side"),
        DECIMAL_ROW("budget", "DAYS", "of one processor, for all searches", &command.budget,
                    DAYS_DECIMALS, 1, DAYS_MAX, USUAL(12 * DAYS_UNIT), .wants = "a number of days"),
        NUMBER_ROW("depth", 0, "PLIES", "of the search at the start (by --budget)", &command.depth,
                   1, SEARCH_DEPTH_MAX, .without = "budget"),
        NUMBER_ROW("min-depth", 0, "PLIES", "of the last searches of a line", &command.min_depth, 1,
                   SEARCH_DEPTH_MAX, USUAL(16)),
        DECIMAL_ROW("branch", "N", "how much less probable is a ply less", &command.branch,
                    BRANCH_DECIMALS, BRANCH_UNIT + 1, BRANCH_MAX, USUAL(3 * BRANCH_UNIT),
                    .wants = "a number above 1"),
        TEXT_ROW("workers", 0, "LIST", "numbers of workers", &command.workers,
                 .usual_text = "1,16,256,4096"),
        TEXT_ROW("store", 0, "FILE", "searches of grow, for times and moves", &command.store_name),
        NUMBER_ROW("speed", 0, "KNPS", "thousand nodes a second of a worker", &command.speed, 1,
                   1000000, USUAL(2180)),
        DECIMAL_ROW("overhead", "MS", "what a worker loses between two searches",
                    &command.overhead_us, OVERHEAD_DECIMALS, 0, OVERHEAD_MAX, USUAL(1000),
                    .wants = "a number of milliseconds"),
        CHOICE_ROW("ahead", "none|queue|answers|all", "what is searched before it is asked for",
                   &command.ahead, USUAL(AHEAD_ALL)),
        NUMBER_ROW("ahead-max", 0, "N", "positions of that at most (no limit)", &command.ahead_max,
                   1, INT32_MAX),
        NUMBER_ROW("seed", 0, "N", "of moves and times that are drawn", &command.seed, 0, INT64_MAX,
                   USUAL(0)),
        NUMBER_ROW("max-positions", 0, "N", "end the book when it has so many",
                   &command.max_positions, 1, INT32_MAX),
        FLAG_ROW("tsv", 0, "print the table for other programs", &command.tsv),
    };
    command.line =
        COMMAND_LINE("plan", "--against BOOK [options]", about, rows, ROW_COUNT(rows), 0, 0);
    return command_run(&command.line, argc, argv, run, &command);
}

const struct command command_plan = {"plan", "tell how long a book by search would take",
                                     command_main};
