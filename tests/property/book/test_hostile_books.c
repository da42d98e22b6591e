/* Book files that are cut, damaged, random or made to do harm, of every kind: each is opened for
 * what is sound in it, with one line that says what is not, or refused with one line; the moves
 * that it gives are legal; and it is walked to its end, in time and memory that its size bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/rng.h"
#include "book/book.h"
#include "book/formats/arena/abk.h"
#include "book/open/open.h"
#include "book/polyglot_entry.h"
#include "chess/attacks.h"
#include "tests/support/any_book.h"
#include "tests/support/built.h"

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - "

/* As many as a kind of book might be broken by; far fewer than would take long. */
enum { MANY = 1000, ROUNDS = 100, KINDS = 8 };

static const char *const kinds[KINDS] = {"bin", "abk", "epd", "fen", "lines", "pgn", "wld", "exp"};

struct file {
    char *bytes;
    size_t size;
};

static struct file samples[KINDS];

static struct file sample_of(const struct book *book, const char *kind)
{
    struct file file;
    if (strcmp(kind, "exp") == 0) {
        struct diag diag;
        uint8_t *bytes = NULL;
        assert_int_equal(file_read(TEST_DATA_DIR "/experience/sugar_ai_230.exp", BOOK_BYTES_MAX,
                                   &bytes, &file.size, &diag),
                         STATUS_OK);
        file.bytes = (char *)bytes;
        return file;
    }
    if (strcmp(kind, "wld") != 0) {
        file.bytes = any_write(book, kind, &file.size);
        return file;
    }
    static const char games[] = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n"
                                "[Result \"0-1\"]\n\n1. d4 d5 2. c4 e6 0-1\n";
    struct build_options options = build_options_default();
    options.count.memory_bytes = 1 << 20;
    struct built built = built_make(&options, (struct pieces){span_of(games), SIZE_MAX});
    file = (struct file){built.wld, built.wld_size};
    free(built.book);
    return file;
}

static int set_up(void **state)
{
    (void)state;
    chess_init();
    struct book *book = any_open_text(
        "lines san\ne4:30 e5:20 Nf3:10 Nc6:4 Bb5:3 a6:2\n*4 Bc4:1\n*1 c5:9 Nf3:8 (d6) d4:7\n"
        "d4:12 d5:11 c4:10 e6:5\nc4:2 e6:1 d4:3\nc4 e6 d4 = d4 d5 c4 e6\n");
    for (int i = 0; i < KINDS; i++)
        samples[i] = sample_of(book, kinds[i]);
    book_close(book);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++)
        free(samples[i].bytes);
    return 0;
}

static void check_sentence(const char *text)
{
    assert_true(*text);
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ')
            fail_msg("byte %d in \"%s\"", *c, text);
}

/* Opens, checks and walks it; true when it was opened. */
static bool survives(const void *bytes, size_t size)
{
    /* A copy of its own, so that a sanitizer sees reads beyond the end. */
    void *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    if (size)
        memcpy(copy, bytes, size);
    struct book *book = NULL;
    struct diag diag = {.text = ""};
    const struct book_format *format = formats_find(copy, size, "hostile");
    if (format->check)
        (void)any_check(format, copy, size);
    enum caxton_status status = book_open_memory(copy, size, "hostile", &book, &diag);
    if (status == STATUS_OK) {
        struct book_graph graph = {0};
        if (*book_warning(book))
            check_sentence(book_warning(book));
        assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
        for (uint32_t i = 0; i < graph.node_count; i++) {
            struct position pos;
            book_graph_position(&graph, i, &pos, NULL);
            for (uint32_t k = 0; k < graph.nodes[i].count; k++)
                assert_true(movegen_is_legal(&pos, graph.edges[graph.nodes[i].first + k].move));
        }
        book_graph_destroy(&graph);
        book_close(book);
    } else {
        assert_int_equal(status, STATUS_FORMAT);
        check_sentence(diag.text);
    }
    free(copy);
    return status == STATUS_OK;
}

static void cut_anywhere(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        assert_true(survives(samples[i].bytes, samples[i].size));
        /* The header of an .abk means nothing and is long. */
        size_t from = samples[i].size > 4000 ? ABK_FIRST_RECORD * ABK_RECORD_SIZE - 20 : 0;
        for (size_t size = from; size < samples[i].size; size++)
            (void)survives(samples[i].bytes, size);
    }
}

static void damaged_anywhere(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1986);
    for (int i = 0; i < KINDS; i++) {
        size_t from = samples[i].size > 4000 ? ABK_FIRST_RECORD * ABK_RECORD_SIZE : 0;
        char *bytes = malloc(samples[i].size);
        assert_non_null(bytes);
        for (int round = 0; round < ROUNDS; round++) {
            memcpy(bytes, samples[i].bytes, samples[i].size);
            for (uint64_t n = 1 + rng_below(&rng, 8); n > 0; n--)
                bytes[from + rng_below(&rng, samples[i].size - from)] =
                    (char)(rng_below(&rng, 2) ? rng_next(&rng) : ' ' + rng_below(&rng, 95));
            (void)survives(bytes, samples[i].size);
        }
        free(bytes);
    }
}

/* What announces each kind, then noise. */
static void nothing_but_noise(void **state)
{
    (void)state;
    static const char *const begins[] = {"",
                                         "\3ABK",
                                         START,
                                         "lines san\n",
                                         "[Event \"x\"]\n\n",
                                         "CAXWLD\r\n",
                                         "SugaR Experience version 2"};
    static const char letters[] = "e4 d5()*{}[]:;=/1-8NbBQKq\n\t";
    enum { NOISE = 2000 };
    struct rng rng;
    rng_seed(&rng, 7);
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        for (int round = 0; round < ROUNDS / 10; round++) {
            char bytes[100 + NOISE];
            size_t size = strlen(begins[i]);
            memcpy(bytes, begins[i], size);
            for (int n = 0; n < NOISE; n++)
                bytes[size++] =
                    round % 2 ? (char)rng_next(&rng) : letters[rng_below(&rng, sizeof letters - 1)];
            (void)survives(bytes, size);
        }
}

struct text {
    char *data;
    size_t size;
    FILE *file;
};

static void check_repeated(const char *before, const char *again, const char *after)
{
    struct text text;
    text.file = open_memstream(&text.data, &text.size);
    assert_non_null(text.file);
    (void)fputs(before, text.file);
    for (int i = 0; i < MANY; i++)
        (void)fputs(again, text.file);
    (void)fputs(after, text.file);
    assert_int_equal(fclose(text.file), 0);
    (void)survives(text.data, text.size);
    free(text.data);
}

/* Nesting, repetition, numbers and words without end. */
static void texts_without_end(void **state)
{
    (void)state;
    static const char games[] = "[Event \"x\"]\n\n1. e4 e5 ";
    check_repeated(games, "(1... c5 ", "");
    check_repeated(games, "(1... c5) ", "*");
    check_repeated(games, "(", "*");
    check_repeated(games, ")", "*");
    check_repeated(games, "{", "*");
    check_repeated(games, "{[%weight 9", "9]} *");
    check_repeated("[Event \"x\"]\n\n", "1. Nf3 Nf6 2. Ng1 Ng8 ", "*");
    check_repeated("[Event \"x\"]\n\n1. e4 {[%weight ", "9", "]} *");
    check_repeated("[", "Event", " \"x\"]\n\n1. e4 *");
    check_repeated("", "[FEN \"" START "0 1\"]\n\n1. e4 *\n\n", "");
    check_repeated(START "bm e4", " e4", ";");
    check_repeated(START "bm e4; c0 \"e4=", "9", "\";");
    check_repeated(START "bm e4; ", "id ", "");
    check_repeated("", START "bm e4;\n", "");
    check_repeated("rnbqkbnr", "/8", " w KQkq - bm e4;");
    check_repeated("e4 ", "/", "");
    check_repeated("e4", " e5", "");
    check_repeated("e4\n", "*1 e5 Nf3\n", "");
    check_repeated("e4\n*", "9", " e5\n");
    check_repeated("e4:", "9", " e5\n");
    check_repeated("e4 ", "(", "\n");
    check_repeated("lines white\n", "e2e4e7e5", "\n");
    check_repeated("lines san\n", " = ", "\n");
    check_repeated("lines san\ne4\n; ", "x", "\n");
    check_repeated("lines san\ne4", "    ", "e5\n");
}

static void put(uint8_t *at, int64_t value)
{
    for (int i = 0; i < 4; i++, value >>= 8)
        at[i] = (uint8_t)value;
}

/* .abk records of knights that go out and back: each one answered, and beside each other, by
 * whatever `child` and `sibling` lead to. */
static void check_links(int count, int (*child)(int), int (*sibling)(int))
{
    enum { HEADER = ABK_FIRST_RECORD * ABK_RECORD_SIZE };
    static const uint8_t squares[4][2] = {{6, 21}, {62, 45}, {21, 6}, {45, 62}};
    size_t size = HEADER + (size_t)count * ABK_RECORD_SIZE;
    uint8_t *bytes = calloc(size, 1);
    assert_non_null(bytes);
    memcpy(bytes, "\3ABK", 4);
    for (int i = 0; i < count; i++) {
        uint8_t *record = bytes + HEADER + (size_t)i * ABK_RECORD_SIZE;
        record[0] = squares[i % 4][0];
        record[1] = squares[i % 4][1];
        record[3] = 5;
        put(record + 4, INT32_MAX);
        put(record + 20, child(i));
        put(record + 24, sibling(i));
    }
    (void)survives(bytes, size);
    free(bytes);
}

static int to_itself(int index)
{
    return ABK_FIRST_RECORD + index;
}

static int to_the_first(int index)
{
    (void)index;
    return ABK_FIRST_RECORD;
}

static int to_the_next(int index)
{
    return ABK_FIRST_RECORD + index + 1; /* of the last one: out of the file */
}

static int to_four_on(int index)
{
    return ABK_FIRST_RECORD + index + 4;
}

static int far_out(int index)
{
    return index % 2 ? INT32_MAX : INT32_MIN;
}

static int nowhere(int index)
{
    (void)index;
    return -1;
}

static void links_without_end(void **state)
{
    (void)state;
    int (*const links[])(int) = {to_itself,  to_the_first, to_the_next,
                                 to_four_on, far_out,      nowhere};
    enum { LINKS = sizeof links / sizeof *links };
    for (int i = 0; i < LINKS; i++)
        for (int j = 0; j < LINKS; j++)
            check_links(MANY, links[i], links[j]);
}

/* All entries in one position, or in one that knights come back to. */
static void a_crowd_of_entries(void **state)
{
    (void)state;
    struct position pos;
    position_start(&pos);
    uint8_t *bytes = malloc((size_t)MANY * POLYGLOT_ENTRY_SIZE);
    assert_non_null(bytes);
    for (int i = 0; i < MANY; i++)
        polyglot_encode(&(struct polyglot_entry){.key = pos.key,
                                                 .move = (uint16_t)(i * 7),
                                                 .weight = UINT16_MAX,
                                                 .learn = UINT32_MAX},
                        bytes + (size_t)i * POLYGLOT_ENTRY_SIZE);
    (void)survives(bytes, (size_t)MANY * POLYGLOT_ENTRY_SIZE);
    struct book *round = any_open_text("[Event \"x\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 *\n");
    for (int i = 0; i < KINDS - 2; i++) { /* others are made of games and searches */
        size_t size;
        char *written = any_write(round, kinds[i], &size);
        assert_true(survives(written, size));
        free(written);
    }
    book_close(round);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_anywhere),      cmocka_unit_test(damaged_anywhere),
        cmocka_unit_test(nothing_but_noise), cmocka_unit_test(texts_without_end),
        cmocka_unit_test(links_without_end), cmocka_unit_test(a_crowd_of_entries),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
