#include "book/makebook/commands/plan_report.h"

#include <inttypes.h>

#include "base/terminal.h"
#include "base/text.h"

/* What a search costs a queue on a Redis server: measured, see book/plan/README.md. */
enum { QUEUE_COMMANDS = 10, QUEUE_BYTES = 1700 };

enum { TIME_MAX = 24 };

/* As enum simulation_ahead. */
static const char *const aheads[] = {"none", "queue", "answers"};

#define SECOND_US 1e6
#define DAY_US    86400e6

/* "12 s", "3.4 min", "5.0 h", "12 d". Returns `out`. */
static const char *time_text(int64_t us, char out[TIME_MAX])
{
    static const struct {
        double us;
        const char *name;
    } units[] = {{DAY_US, "d"}, {3600e6, "h"}, {60e6, "min"}};
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

void plan_report_heading(FILE *out, bool tsv, const struct plan_heading *heading,
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

void plan_report_row(FILE *out, bool tsv, const struct simulation_options *options,
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

void plan_report_end(FILE *out, bool tsv)
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
