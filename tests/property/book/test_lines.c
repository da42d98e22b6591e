/* White's lines over many random books: the text reads back as what was written, the tools change
 * no answer, and the tree answers what a plain walk over the lines does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/book_move.h"
#include "book/formats/white/lines.h"
#include "book/formats/white/lines_format.h"
#include "book/formats/white/lines_read.h"
#include "book/formats/white/lines_write.h"
#include "chess/attacks.h"
#include "chess/movegen.h"
#include "chess/notation.h"

enum { BOOKS = 300, LINES_MAX = 40, PLIES_MAX = 12, TEXT_MAX = 1 << 16 };

/* The lines as they are, moves and no tree. */
struct plain {
    move moves[LINES_MAX][PLIES_MAX];
    int plies[LINES_MAX];
    int count;
};

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

/* Few moves to choose from, so that lines meet. */
static move random_move(const struct position *pos, struct rng *rng)
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    return count ? moves[rng_below(rng, (uint64_t)(count < 3 ? count : 3))] : MOVE_NONE;
}

static struct plain random_lines(struct rng *rng)
{
    struct plain plain = {.count = 1 + (int)rng_below(rng, LINES_MAX)};
    for (int i = 0; i < plain.count; i++) {
        struct position pos;
        int plies = 1 + (int)rng_below(rng, PLIES_MAX);
        position_start(&pos);
        for (int ply = 0; ply < plies; ply++) {
            struct undo undo;
            move m = random_move(&pos, rng);
            if (m == MOVE_NONE)
                break;
            position_make(&pos, m, &undo);
            plain.moves[i][plain.plies[i]++] = m;
        }
    }
    return plain;
}

static void write_plain(const struct plain *plain, enum lines_style style, struct text_buffer *out)
{
    static const char *const names[] = {"san", "coordinate", "white"};
    text_append(out, "lines %s\nprefer earlier 60%%\ntranspose listed\n", names[style]);
    for (int i = 0; i < plain->count; i++) {
        struct position pos;
        position_start(&pos);
        for (int ply = 0; ply < plain->plies[i]; ply++) {
            char text[SAN_MAX];
            struct undo undo;
            if (style == LINES_SAN)
                move_to_san(&pos, plain->moves[i][ply], text);
            else
                move_to_uci(plain->moves[i][ply], false, text);
            text_append(out, "%s%s", ply && style != LINES_WHITE ? " " : "", text);
            position_make(&pos, plain->moves[i][ply], &undo);
        }
        text_append(out, i % 3 ? "\n" : " ; remark %d\n", i);
    }
    assert_false(out->cut);
}

/* What lines that begin with the game's moves go on with, each once, in the order of the file. */
static int walk(const struct plain *plain, const struct game *game, move *out)
{
    int count = 0;
    int plies = (int)game_plies(game);
    for (int i = 0; i < plain->count; i++) {
        bool matches = plain->plies[i] > plies;
        for (int ply = 0; matches && ply < plies; ply++)
            matches = plain->moves[i][ply] == game_move(game, (size_t)ply);
        int at = 0;
        while (matches && at < count && out[at] != plain->moves[i][plies])
            at++;
        if (matches && at == count)
            out[count++] = plain->moves[i][plies];
    }
    return count;
}

/* Games along the lines, and off them now and then. */
static void check_answers(const struct plain *plain, const struct lines *lines, struct rng *rng)
{
    struct game *game = game_create();
    assert_non_null(game);
    for (int round = 0; round < 20; round++) {
        struct position start;
        position_start(&start);
        game_reset(game, &start);
        for (int ply = 0; ply < PLIES_MAX; ply++) {
            move expected[LINES_MAX];
            struct book_move found[MOVES_MAX];
            int count = walk(plain, game, expected);
            assert_int_equal(lines_probe(lines, game_position(game), game, found), count);
            for (int i = 0; i < count; i++) {
                assert_int_equal(found[i].move, expected[i]);
                assert_true(i == 0 || found[i].weight <= found[i - 1].weight);
            }
            move m = count && rng_below(rng, 8) ? expected[rng_below(rng, (uint64_t)count)]
                                                : random_move(game_position(game), rng);
            if (m == MOVE_NONE)
                break;
            assert_int_equal(game_play(game, m), STATUS_OK);
        }
    }
    game_destroy(game);
}

static void check_text(const struct lines *lines, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_int_equal(lines_write(lines, file), STATUS_OK);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(text, expected);
    free(text);
}

static char buffer[TEXT_MAX];

static void random_books(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1986);
    for (int i = 0; i < BOOKS; i++) {
        struct plain plain = random_lines(&rng);
        struct text_buffer text = text_buffer_on(buffer, sizeof buffer);
        struct lines *lines;
        write_plain(&plain, (enum lines_style)(i % 3), &text);
        assert_int_equal(lines_parse(text.data, text.size, NULL, NULL, &lines), STATUS_OK);
        check_text(lines, text.data);
        check_answers(&plain, lines, &rng);
        lines_share(lines);
        check_answers(&plain, lines, &rng);
        assert_int_equal(lines_sort(lines), STATUS_OK);
        check_answers(&plain, lines, &rng);
        lines_destroy(lines);
    }
}

struct faults {
    int apart;
    int other;
};

static void count_fault(void *context, enum book_fault fault, const struct diag *diag,
                        const char *offer)
{
    struct faults *faults = context;
    (void)diag;
    (void)offer;
    faults->apart += fault == BOOK_REMARK_APART;
    faults->other += fault < BOOK_REMARKS && fault != BOOK_FAULT_DUPLICATE;
}

static struct faults count_faults(const char *text, size_t size)
{
    struct faults faults = {0};
    assert_int_equal(
        lines_format.check(&lines_format, (const uint8_t *)text, size, NULL, count_fault, &faults),
        STATUS_OK);
    return faults;
}

/* After sorting, no line stands apart from one like it. */
static void sorted_lines_are_neighbours(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1987);
    int apart = 0;
    for (int i = 0; i < BOOKS; i++) {
        struct plain plain = random_lines(&rng);
        struct text_buffer text = text_buffer_on(buffer, sizeof buffer);
        struct lines *lines;
        write_plain(&plain, LINES_SAN, &text);
        struct faults faults = count_faults(text.data, text.size);
        assert_int_equal(faults.other, 0);
        apart += faults.apart;
        assert_int_equal(lines_parse(text.data, text.size, NULL, NULL, &lines), STATUS_OK);
        assert_int_equal(lines_sort(lines), STATUS_OK);
        char *sorted = NULL;
        size_t size;
        FILE *file = open_memstream(&sorted, &size);
        assert_non_null(file);
        assert_int_equal(lines_write(lines, file), STATUS_OK);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(size, text.size);
        faults = count_faults(sorted, size);
        assert_int_equal(faults.apart + faults.other, 0);
        free(sorted);
        lines_destroy(lines);
    }
    assert_true(apart > BOOKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_books),
        cmocka_unit_test(sorted_lines_are_neighbours),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
