/* The store that grow leaves, as a book: every command that takes a book takes it, and so does the
 * engine. Stores are added up and made compact. */
#include "engine.h"

#include "book/scoring/record.h"
#include "chess/attacks.h"
#include "makebook.h"
#include "tests/support/book_file.h"

static const struct book_line given[] = {
    {"e2e4 e7e5", 3}, {"e2e4 c7c5", 1}, {"d2d4 d7d5", 1},           {"d2d4 g8f6", 1},
    {"g1f3 d7d5", 1}, {"c2c4 e7e5", 1}, {"e2e4 e7e5 g1f3 b8c6", 1}, {"d2d4 d7d5 c2c4 e7e6", 1},
};

static int grow(const char *name, const char *depth, const char *side)
{
    return RUN("grow", "--against", path_of("given.bin"), "-o", path_of(name), "--depth", depth,
               "--min-depth", "4", "--color", side, "--replies", "--threads", "1", "-q");
}

static int set_up(void **state)
{
    (void)state;
    chess_init();
    if (create_folder() != 0 ||
        !book_write(path_of("given.bin"), given, sizeof given / sizeof *given))
        return -1;
    return grow("white.bin", "8", "white") | grow("both.bin", "7", "both");
}

static int64_t size_of(const char *name)
{
    struct stat info;
    assert_int_equal(stat(path_of(name), &info), 0);
    return (int64_t)info.st_size;
}

/* The book of the store is the book that was grown. */
static void a_store_is_the_book(void **state)
{
    (void)state;
    static const char *const names[] = {"white", "both"};
    for (int i = 0; i < 2; i++) {
        char book[32];
        char store[32];
        (void)snprintf(book, sizeof book, "%s.bin", names[i]);
        (void)snprintf(store, sizeof store, "%s.bin.store", names[i]);
        assert_int_equal(RUN("convert", path_of(store), path_of("copy.bin")), 0);
        assert_says(result.output, "store of searches, ");
        assert_string_equal(result.errors, "");
        assert_same_files("copy.bin", book);
        assert_int_equal(RUN("diff", path_of(store), path_of(book)), 0);
        assert_int_equal(RUN("verify", path_of(store)), 0);
        assert_says(result.output, ": 0 faults");
    }
}

/* The same of a book that both sides of are searched; its replies have other weights. */
static void a_store_of_dropout_is_the_book(void **state)
{
    (void)state;
    assert_int_equal(RUN("dropout", "-o", path_of("drop.bin"), "--depth", "5", "--max-positions",
                         "60", "--margin", "10", "-q"),
                     0);
    const char *store = path_of("drop.bin.store");
    assert_int_equal(RUN("convert", store, path_of("copy.bin"), "--color", "white"), 0);
    assert_string_equal(result.errors, "");
    assert_same_files("copy.bin", "drop.bin");
    assert_int_equal(RUN("verify", store), 0);
    assert_int_equal(RUN("show", store), 0);
    assert_says(result.output,
                "expanded, the side with the book to move; games reach it with 100 ");
    /* Written once: the same run leaves the file as it is. */
    int64_t size = size_of("drop.bin.store");
    assert_int_equal(RUN("dropout", "-o", path_of("drop.bin"), "--depth", "5", "--max-positions",
                         "60", "--margin", "10", "-q"),
                     0);
    assert_int_equal(size_of("drop.bin.store"), size);
}

static void commands_that_look(void **state)
{
    (void)state;
    const char *store = path_of("white.bin.store");
    assert_int_equal(RUN("show", store), 0);
    assert_says(result.output, "expanded, the side with the book to move; games reach it with 100 "
                               "%, in 0 plies\n");
    assert_says(result.output, "   score depth           nodes   chance");
    assert_says(result.output, " 100.00 %");
    assert_int_equal(RUN("show", "--json", store), 0);
    assert_says(result.output, "\"state\": \"expanded\", \"own\": true, \"probability\": 1, ");
    assert_says(result.output, "\"depth\": 8, \"nodes\": ");
    assert_int_equal(RUN("stats", store), 0);
    assert_says(result.output, ": store of searches\n");
    assert_int_equal(RUN("dump", store), 0);
    assert_says(result.output, "start: ");
    assert_int_equal(RUN("explore", store, "-o", path_of("page.html")), 0);
    assert_true(size_of("page.html") > 10000);
    assert_int_equal(RUN("convert", store, path_of("lines.pgn")), 0);
    assert_int_equal(RUN("verify", path_of("lines.pgn")), 0);
}

static void the_engine_plays_from_it(void **state)
{
    (void)state;
    char wanted[64];
    assert_int_equal(RUN("show", "--json", path_of("white.bin.store")), 0);
    const char *uci = strstr(result.output, "\"uci\": \"");
    assert_non_null(uci);
    (void)snprintf(wanted, sizeof wanted, "bestmove %.4s", uci + strlen("\"uci\": \""));
    struct process *engine = engine_start();
    engine_set(engine, "OwnBook", "true");
    engine_set(engine, "BookFile", path_of("white.bin.store"));
    process_write(engine, "go depth 1");
    assert_non_null(strstr(process_read_until(engine, "info string book "), "white.bin.store"));
    assert_int_equal(strncmp(process_read_until(engine, "bestmove"), wanted, strlen(wanted)), 0);
    engine_quit(engine);
}

/* A torn tail costs one remark. */
static void a_torn_tail(void **state)
{
    (void)state;
    static char bytes[FILE_MAX];
    size_t size = read_bytes("white.bin.store", bytes);
    FILE *file = fopen(path_of("torn.store"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size - 7, file), size - 7);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(RUN("stats", path_of("torn.store")), 0);
    assert_says(result.errors, "torn.store: the last record is cut: run again what made it\n");
    assert_int_equal(strcspn(result.errors, "\n") + 1, strlen(result.errors));
    assert_int_equal(RUN("verify", path_of("torn.store")), 1);
    assert_says(result.output, ": the last record is cut\n");
}

/* A run that was killed at any byte of its store goes on to the same book and the same contents. */
static void runs_go_on_from_any_byte(void **state)
{
    (void)state;
    int64_t all = size_of("white.bin.store");
    assert_int_equal(RUN("convert", path_of("white.bin.store"), path_of("x.store"), "-q"), 0);
    assert_int_equal(grow("again.bin", "8", "white"), 0);
    assert_same_files("again.bin.store", "white.bin.store"); /* one thread */
    for (int64_t size = all - 1; size > STORE_HEADER_SIZE; size -= all / 9) {
        assert_int_equal(truncate(path_of("again.bin.store"), size), 0);
        assert_int_equal(grow("again.bin", "8", "white"), 0);
        assert_same_files("again.bin", "white.bin");
        assert_int_equal(RUN("convert", path_of("again.bin.store"), path_of("y.store"), "-q"), 0);
        assert_same_files("x.store", "y.store");
    }
}

/* Runs of other depths leave the last graph, and the file does not grow without end. */
static void other_runs_replace_the_graph(void **state)
{
    (void)state;
    static const char *const depths[] = {"6", "7", "6", "7", "8"};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        assert_int_equal(grow("turns.bin", depths[i], "white"), 0);
    assert_same_files("turns.bin", "white.bin");
    assert_int_equal(RUN("convert", path_of("turns.bin.store"), path_of("copy.bin"), "-q"), 0);
    assert_same_files("copy.bin", "white.bin");
    assert_int_equal(RUN("convert", path_of("turns.bin.store"), path_of("z.store")), 0);
    assert_says(result.output, " records read; ");
    assert_true(size_of("turns.bin.store") <= 2 * size_of("z.store"));
}

static void sums(void **state)
{
    (void)state;
    const char *white = path_of("white.bin.store");
    const char *both = path_of("both.bin.store");
    assert_int_equal(RUN("merge", white, both, "-o", path_of("sum.store")), 0);
    assert_says(result.output, " of them scores\n");
    assert_null(strstr(result.output, "differ"));
    assert_int_equal(RUN("merge", white, both, both, white, "-o", path_of("sums.store"), "-q"), 0);
    assert_string_equal(result.output, "");
    assert_same_files("sum.store", "sums.store");
    assert_int_equal(RUN("convert", path_of("sum.store"), path_of("copy.bin"), "-q"), 0);
    assert_same_files("copy.bin", "white.bin"); /* the first graph */

    /* All searches are known to a run on the sum. */
    assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "-o", path_of("new.bin"),
                         "--depth", "7", "--min-depth", "4", "--color", "both", "--replies",
                         "--store", path_of("sum.store")),
                     0);
    assert_says(result.output, "searches made now: 0");
    assert_same_files("new.bin", "both.bin");
}

static void fails(const char *why)
{
    assert_int_not_equal(result.status, 0);
    assert_says(result.errors, why);
    assert_int_equal(strcspn(result.errors, "\n") + 1, strlen(result.errors)); /* one line */
}

static void bad_input(void **state)
{
    (void)state;
    const char *white = path_of("white.bin.store");
    (void)RUN("merge", white, path_of("white.bin"), "-o", path_of("bad.store"));
    fails("white.bin: is no store of scores");
    (void)RUN("convert", path_of("white.bin"), path_of("bad.store"));
    fails("white.bin: is no store of scores");
    (void)RUN("convert", white, path_of("bad.store"), "--color", "black");
    fails("a store is written whole: no --color and no option about weights");
    (void)RUN("convert", white, path_of("bad.store"), "--uniform");
    fails("a store is written whole: no --color and no option about weights");
    (void)RUN("convert", white, white);
    fails("white.bin.store is read: it would be lost");
    (void)RUN("merge", white, path_of("both.bin.store"), "-o", white);
    fails("white.bin.store is read: it would be lost");
    assert_int_equal(RUN("grow", "--against", path_of("given.bin"), "-o", path_of("hash.bin"),
                         "--depth", "5", "--min-depth", "4", "--hash", "4", "-q"),
                     0);
    (void)RUN("merge", white, path_of("hash.bin.store"), "-o", path_of("bad.store"));
    fails("hash.bin.store: scores of Caxton");
    assert_says(result.errors, " 4 MB), not of Caxton");
    assert_false(exists("bad.store"));
    (void)RUN("add", white, "startpos", "e4", "5");
    fails("white.bin.store: this kind of book (store of searches) is only read: makebook convert");
    (void)RUN("verify", white, "--repair", "-o", path_of("bad.bin"));
    fails("white.bin.store: this kind of book cannot be repaired");
    (void)RUN("grow", "--against", path_of("given.bin"), "-o", path_of("bad.store"));
    fails("no book that can be written ends in .store");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_is_the_book),
        cmocka_unit_test(a_store_of_dropout_is_the_book),
        cmocka_unit_test(commands_that_look),
        cmocka_unit_test(the_engine_plays_from_it),
        cmocka_unit_test(a_torn_tail),
        cmocka_unit_test(runs_go_on_from_any_byte),
        cmocka_unit_test(other_runs_replace_the_graph),
        cmocka_unit_test(sums),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
