/* Files of lines that mean harm: they are refused or read, in time and memory that their size
 * bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "book/formats/white/lines_verify.h"
#include "book/formats/white/lines_write.h"
#include "chess/attacks.h"
#include "tests/unit/book/lines_file.h"

/* Shuffles of knights, one for each number of SHUFFLE_BITS bits: a bit is four plies that lead back
 * to the start. */
enum { SHUFFLE_BITS = 13, SHUFFLES = 1 << SHUFFLE_BITS, BIT_PLIES = 4 };

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

struct text {
    char *data;
    size_t size;
    FILE *file;
};

/* `text` stays where it is until text_end(). */
static void text_begin(struct text *text)
{
    text->file = open_memstream(&text->data, &text->size);
    assert_non_null(text->file);
}

static void text_end(struct text *text)
{
    assert_int_equal(fclose(text->file), 0);
}

/* Bits `from`.. of shuffle `number`, the highest first; `*n` for those before. */
static void put_shuffle(FILE *file, unsigned number, int from)
{
    if (from)
        (void)fprintf(file, "*%d ", from * BIT_PLIES);
    for (int i = from; i < SHUFFLE_BITS; i++)
        (void)fputs(number >> (SHUFFLE_BITS - 1 - i) & 1 ? "Nf3 Nf6 Ng1 Ng8 " : "Na3 Na6 Nb1 Nb8 ",
                    file);
}

/* How many high bits two numbers share. */
static int common_bits(unsigned a, unsigned b)
{
    int count = 0;
    while (count < SHUFFLE_BITS && !((a ^ b) >> (SHUFFLE_BITS - 1 - count) & 1))
        count++;
    return count;
}

static void count_fault(void *context, enum book_fault fault, const struct diag *diag,
                        const char *offer)
{
    size_t *counts = context;
    (void)diag;
    (void)offer;
    counts[fault]++;
}

static size_t count_faults(const size_t counts[BOOK_FAULTS])
{
    size_t sum = 0;
    for (int i = 0; i < BOOK_REMARKS; i++)
        sum += counts[i];
    return sum;
}

static void endless_lines(void **state)
{
    (void)state;
    for (int over = 0; over < 2; over++) {
        struct text text;
        text_begin(&text);
        for (int i = 0; i < LINES_PLIES_MAX / 4; i++)
            (void)fputs("Nf3 Nf6 Ng1 Ng8 ", text.file);
        for (int i = 0; i < over * 100000; i++)
            (void)fputs("e4 ", text.file);
        (void)fputs("\n*1000\n", text.file);
        text_end(&text);
        struct lines *lines = NULL;
        struct diag diag;
        enum caxton_status status = parse_sound(text.data, text.size, &lines, &diag);
        assert_int_equal(status, over ? STATUS_RANGE : STATUS_OK);
        if (over)
            assert_string_equal(diag.text, "line 1, move 1001 `e4`: no line may be so long");
        else
            check_position(lines, "g1f3 g8f6 f3g1 f6g8", "Nf3:10000");
        lines_destroy(lines);
        free(text.data);
    }
}

/* Empty lines keep their places, but a file is not made of them alone. */
static void nothing_but_empty_lines(void **state)
{
    (void)state;
    for (int over = 0; over < 2; over++) {
        struct text text;
        struct lines *lines = NULL;
        struct diag diag;
        text_begin(&text);
        for (int i = 0; i < (over ? 100000 : 30000); i++)
            (void)fputs(i == 9 ? "e4 e5\n" : over ? " \n" : "\n", text.file);
        text_end(&text);
        enum caxton_status status = parse_sound(text.data, text.size, &lines, &diag);
        assert_int_equal(status, over ? STATUS_RANGE : STATUS_OK);
        if (over)
            assert_string_equal(diag.text, "nearly all of its lines are empty");
        else
            check_position(lines, "", "e4:10000");
        lines_destroy(lines);
        free(text.data);
    }
}

/* Very many lines that share very many moves, all of them through the same few positions. */
static void a_crowd_in_few_positions(void **state)
{
    (void)state;
    struct text text;
    text_begin(&text);
    for (unsigned i = 0; i < SHUFFLES; i++) {
        put_shuffle(text.file, i, i ? common_bits(i - 1, i) : 0);
        (void)fputs("\n", text.file);
    }
    text_end(&text);
    struct lines *lines;
    assert_int_equal(lines_parse(text.data, text.size, NULL, NULL, &lines), STATUS_OK);
    assert_int_equal(lines->faults, 0);
    check_position(lines, "", "Na3:6000 Nf3:4000");
    check_position(lines, "g1f3 g8f6 f3g1", "Ng8:10000");
    assert_int_equal(lines_sort(lines), STATUS_OK);
    lines_share(lines);
    size_t counts[BOOK_FAULTS] = {0};
    verify_text(text.data, text.size, count_fault, counts);
    assert_int_equal(count_faults(counts), 0);
    assert_in_range(counts[BOOK_REMARK_ORDER], 1, LINES_OFFERS_MAX);
    lines_destroy(lines);
    free(text.data);
}

/* Each shuffle is rewritten into the next one; the last into the line that is there, or into the
 * first. */
static void chains_and_circles_of_rewrites(void **state)
{
    (void)state;
    for (int circle = 0; circle < 2; circle++) {
        struct text text;
        text_begin(&text);
        (void)fputs("transpose listed\ne4 e5\n", text.file);
        for (unsigned i = 0; i < SHUFFLES; i++) {
            put_shuffle(text.file, i, i ? common_bits(i - 1, i) : 0);
            (void)fputs("e4 = ", text.file);
            unsigned next = (i + 1) % SHUFFLES;
            if (next || circle)
                put_shuffle(text.file, next, common_bits(i, next));
            (void)fputs("e4\n", text.file);
        }
        text_end(&text);
        struct lines *lines = NULL;
        struct diag diag;
        enum caxton_status status = parse_sound(text.data, text.size, &lines, &diag);
        size_t counts[BOOK_FAULTS] = {0};
        verify_text(text.data, text.size, count_fault, counts);
        assert_int_equal(count_faults(counts), circle);
        if (circle) {
            assert_int_equal(status, STATUS_SYNTAX);
            assert_string_equal(diag.text,
                                "line 3, rewrites lead in a circle, this one among them");
        } else {
            assert_int_equal(status, STATUS_OK);
            struct text first;
            text_begin(&first);
            for (int i = 0; i < SHUFFLE_BITS; i++)
                (void)fputs("b1a3 b8a6 a3b1 a6b8 ", first.file);
            (void)fputs("e2e4", first.file);
            text_end(&first);
            check_game(lines, first.data, "e5:10000");
            free(first.data);
        }
        lines_destroy(lines);
        free(text.data);
    }
}

/* Each line is at fault; each is told. */
static void nothing_but_faults(void **state)
{
    (void)state;
    enum { FAULTS = 20000 };
    static const char *const bad[] = {"*999999 e4\n",
                                      "e4 = e4\n",
                                      "Nf3 d5 d4 = d4 d5 Nf3\n",
                                      "otherwise x\n",
                                      "= = =\n",
                                      ":::\n",
                                      "\x01\x02\xFF\n",
                                      "*0=*0\n",
                                      "lines lines\n",
                                      "start x\n",
                                      "e4:9999999999999999999999\n"};
    struct text text;
    text_begin(&text);
    for (int i = 0; i < FAULTS; i++)
        (void)fputs(bad[(size_t)i % (sizeof bad / sizeof *bad)], text.file);
    text_end(&text);
    size_t counts[BOOK_FAULTS] = {0};
    verify_text(text.data, text.size, count_fault, counts);
    /* The first of the good rewrites is none. */
    assert_int_equal(count_faults(counts), FAULTS - 1);
    assert_int_equal(counts[BOOK_REMARK_IDLE], 1);
    free(text.data);
}

/* A file that ends anywhere. */
static void every_front_part_of_a_file(void **state)
{
    (void)state;
    static const char text[] = "lines san ; x\nstart "
                               "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
                               "prefer later 70%\ntranspose listed\ne4:30 e5 Nf3\n*2 f4:5\n"
                               "Nf3 e5 e4 = e4 e5 Nf3\n*1 d5 d4 = *0 d4 d5 Nf3\n"
                               "otherwise e5 except d4, f4\n";
    int good = 0;
    for (size_t size = 0; size <= strlen(text); size++) {
        struct lines *lines = NULL;
        struct diag diag = {.text = ""};
        char *copy = malloc(size ? size : 1); /* so that a sanitizer sees reads beyond it */
        assert_non_null(copy);
        memcpy(copy, text, size);
        if (parse_sound(copy, size, &lines, &diag) == STATUS_OK) {
            char *written = text_of(lines);
            check_round_trip(written);
            free(written);
            good++;
        } else {
            assert_null(lines);
            assert_memory_equal(diag.text, "line ", 5);
        }
        lines_destroy(lines);
        free(copy);
    }
    assert_in_range(good, 20, strlen(text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endless_lines),
        cmocka_unit_test(nothing_but_empty_lines),
        cmocka_unit_test(a_crowd_in_few_positions),
        cmocka_unit_test(chains_and_circles_of_rewrites),
        cmocka_unit_test(nothing_but_faults),
        cmocka_unit_test(every_front_part_of_a_file),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
