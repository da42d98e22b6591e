/* How long does one position take to look up in a book, above all in statistics on disk?
 *   lookup BOOK COUNT SEED >POSITIONS   draws positions that the book knows, a FEN a line
 *   lookup BOOK <POSITIONS              times them, each once, in the order of the file
 * Positions are drawn by walks from the start position that choose moves by their weight and end at
 * a random depth, so that most are rare. For a cold disk drop the system's caches in between. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "book/book.h"
#include "book/open/open.h"
#include "chess/attacks.h"
#include "chess/fen.h"

enum { DEPTH_MAX = 60, TIMES_MAX = 1 << 20 };

/* The last position of a random walk that the book knows; false when it knows none. */
static bool walk(const struct book *book, struct rng *rng, struct position *out)
{
    struct position pos;
    struct undo undo;
    uint64_t depth = rng_below(rng, DEPTH_MAX);
    bool known = false;
    if (fen_parse(span_of(fen_start), &pos, NULL) != STATUS_OK)
        return false;
    for (uint64_t ply = 0; ply <= depth; ply++) {
        struct book_move moves[MOVES_MAX];
        int count = book_probe(book, &pos, moves, MOVES_MAX);
        if (count == 0)
            break;
        *out = pos;
        known = true;
        int chosen = book_choose(moves, count, BOOK_WEIGHTED, 0, rng);
        if (chosen < 0)
            break;
        position_make(&pos, moves[chosen].move, &undo);
    }
    return known;
}

static int draw(const struct book *book, uint64_t count, uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (uint64_t i = 0; i < count; i++) {
        struct position pos;
        char fen[FEN_MAX];
        if (!walk(book, &rng, &pos)) {
            (void)fprintf(stderr, "the book does not know the start position\n");
            return 1;
        }
        fen_format(&pos, fen);
        (void)puts(fen);
    }
    return fflush(stdout) == 0 ? 0 : 1;
}

static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a;
    int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Prints the median, the 99th percentile and the most. */
static int time_all(const struct book *book)
{
    char line[FEN_MAX + 1];
    size_t count = 0;
    size_t unknown = 0;
    int64_t *times = calloc(TIMES_MAX, sizeof *times);
    if (!times)
        return 1;
    while (count < TIMES_MAX && fgets(line, sizeof line, stdin)) {
        struct position pos;
        struct book_move moves[MOVES_MAX];
        line[strcspn(line, "\r\n")] = '\0';
        if (fen_parse(span_of(line), &pos, NULL) != STATUS_OK) {
            (void)fprintf(stderr, "position %zu is no FEN\n", count + 1);
            free(times);
            return 1;
        }
        int64_t start = clock_ns();
        unknown += book_probe(book, &pos, moves, MOVES_MAX) == 0;
        times[count++] = clock_ns() - start;
    }
    if (count > 0) {
        qsort(times, count, sizeof *times, compare);
        (void)printf("%zu positions, %zu unknown: median %.1f us, 99th percentile %.1f us, "
                     "most %.1f us\n",
                     count, unknown, (double)times[count / 2] / 1e3,
                     (double)times[count * 99 / 100] / 1e3, (double)times[count - 1] / 1e3);
    }
    free(times);
    return 0;
}

int main(int argc, char **argv)
{
    struct book *book;
    struct diag diag;
    if (argc != 2 && argc != 4) {
        (void)fprintf(stderr, "usage: lookup BOOK COUNT SEED >POSITIONS; lookup BOOK <POSITIONS\n");
        return 2;
    }
    chess_init();
    if (book_open(argv[1], &book, &diag) != STATUS_OK) {
        (void)fprintf(stderr, "%s: %s\n", argv[1], diag.text);
        return 1;
    }
    int status = argc == 2 ? time_all(book)
                           : draw(book, strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    book_close(book);
    return status;
}
