#include "book/statistics/wld_merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

struct head {
    struct tally tally;
    struct wld_reader *reader;
};

/* Restores the heap order below the top: the smallest is heads[0]. */
static void sift(struct head *heads, size_t count, size_t at)
{
    struct head moving = heads[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && tally_compare(&heads[child + 1].tally, &heads[child].tally) < 0)
            child++;
        if (tally_compare(&moving.tally, &heads[child].tally) <= 0)
            break;
        heads[at] = heads[child];
    }
    heads[at] = moving;
}

static enum caxton_status advance(struct head *heads, size_t *count, struct diag *diag)
{
    enum caxton_status status = wld_reader_next(heads[0].reader, &heads[0].tally, diag);
    if (status == STATUS_END) {
        heads[0] = heads[--*count];
        status = STATUS_OK;
    }
    if (status == STATUS_OK && *count > 0)
        sift(heads, *count, 0);
    return status;
}

/* Takes the sum of the least (key, move) off the heap. */
static enum caxton_status take_sum(struct head *heads, size_t *count, struct tally *sum,
                                   struct diag *diag)
{
    *sum = heads[0].tally;
    enum caxton_status status = advance(heads, count, diag);
    while (status == STATUS_OK && *count > 0 && tally_compare(&heads[0].tally, sum) == 0) {
        for (int i = 0; i < OUTCOMES; i++)
            sum->counts[i] += heads[0].tally.counts[i];
        if (tally_games(sum) > WLD_GAMES_MAX) { /* of two terms no larger: no overflow */
            diag_set(diag, 0, 0, "a move of position %016llx has more games than can be counted",
                     (unsigned long long)sum->key);
            return STATUS_RANGE;
        }
        status = advance(heads, count, diag);
    }
    return status;
}

enum caxton_status wld_merge(struct wld_reader *const *readers, size_t count, tally_sink sink,
                             void *context, struct diag *diag)
{
    struct head *heads = calloc(count ? count : 1, sizeof *heads);
    if (!heads) {
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    size_t live = 0;
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        heads[live].reader = readers[i];
        status = wld_reader_next(readers[i], &heads[live].tally, diag);
        if (status == STATUS_OK)
            live++;
        else if (status == STATUS_END)
            status = STATUS_OK;
    }
    for (size_t i = live / 2; i-- > 0;)
        sift(heads, live, i);
    while (live > 0 && status == STATUS_OK) {
        struct tally sum;
        status = take_sum(heads, &live, &sum, diag);
        if (status == STATUS_OK)
            status = sink(context, &sum);
    }
    free(heads);
    return status;
}

static int compare_spans(struct span a, struct span b)
{
    size_t size = a.size < b.size ? a.size : b.size;
    int order = size ? memcmp(a.data, b.data, size) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

/* Puts `line` where it belongs among the lines of united[]. */
static enum caxton_status insert_line(char *united, struct span line)
{
    size_t size = strlen(united);
    struct span rest = span_make(united, size);
    size_t at = 0;
    for (struct span other; span_line(&rest, &other);) {
        int order = compare_spans(line, other);
        if (order == 0)
            return STATUS_OK;
        if (order < 0)
            break;
        at = size - rest.size;
    }
    if (size + line.size + 1 > WLD_OPTIONS_MAX)
        return STATUS_RANGE;
    memmove(united + at + line.size + 1, united + at, size - at + 1);
    memcpy(united + at, line.data, line.size);
    united[at + line.size] = '\n';
    return STATUS_OK;
}

enum caxton_status wld_unite_options(char *united, const char *more)
{
    char result[WLD_OPTIONS_MAX + 1];
    enum caxton_status status = STATUS_OK;
    (void)snprintf(result, sizeof result, "%s", united);
    struct span rest = span_of(more);
    for (struct span line; status == STATUS_OK && span_line(&rest, &line);)
        if (line.size)
            status = insert_line(result, line);
    if (status == STATUS_OK)
        memcpy(united, result, strlen(result) + 1);
    return status;
}
