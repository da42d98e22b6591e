#include "book/makebook/commands/diff_counts.h"

#include <stdlib.h>

#include "base/array.h"

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

static void compare(const struct moves sides[2], uint32_t threshold_ppm, struct book_diff *out)
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
        compare(sides, threshold_ppm, out);
        return STATUS_OK;
    }
    int which = sides[0].count ? 0 : 1;
    out->positions_only[which]++;
    out->moves_only[which] += sides[which].count;
    return STATUS_OK;
}

enum caxton_status diff_counts_take(const struct source sources[2], uint32_t threshold_ppm,
                                    struct book_diff *out, struct diag *diag)
{
    struct moves sides[2] = {{.reader = sources[0].stats}, {.reader = sources[1].stats}};
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
