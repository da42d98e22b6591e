/* makebook show, dump, merge and verify, on small books that are written here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "book/polyglot.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "process.h"

enum { BOOK_MAX = 64, ENTRY = POLYGLOT_ENTRY_SIZE };

/* A book under construction. */
struct text_book {
    uint8_t bytes[BOOK_MAX * ENTRY];
    size_t size;
};

static char folder[64];

/* Good until eight more are asked for. */
static const char *path_of(const char *name)
{
    static char paths[8][160];
    static unsigned next;
    char *path = paths[next++ % 8];
    (void)snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void add_raw(struct text_book *book, uint64_t key, uint16_t stored, unsigned weight)
{
    const struct polyglot_entry entry = {key, stored, (uint16_t)weight, 0};
    assert_true(book->size + ENTRY <= sizeof book->bytes);
    polyglot_encode(&entry, book->bytes + book->size);
    book->size += ENTRY;
}

static uint16_t stored_move(const char *uci)
{
    static const char promotions[] = "nbrq";
    int from = square_make(uci[0] - 'a', uci[1] - '1');
    int to = square_make(uci[2] - 'a', uci[3] - '1');
    int promotion = uci[4] ? (int)(strchr(promotions, uci[4]) - promotions) + 1 : 0;
    return (uint16_t)(to | from << 6 | promotion << 12);
}

static uint64_t key_after(const char *moves)
{
    struct position pos;
    position_start(&pos);
    struct span rest = span_of(moves);
    for (struct span word; (word = span_token(&rest)).size;) {
        move m;
        struct undo undo;
        assert_int_equal(move_from_uci(&pos, word, &m), STATUS_OK);
        position_make(&pos, m, &undo);
    }
    return pos.key;
}

/* The move `uci` after `moves` from the start. */
static void add(struct text_book *book, const char *moves, const char *uci, unsigned weight)
{
    add_raw(book, key_after(moves), stored_move(uci), weight);
}

static int compare_bytes(const void *a, const void *b)
{
    return memcmp(a, b, ENTRY);
}

static const char *write_bytes(const char *name, const void *bytes, size_t size)
{
    const char *path = path_of(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static const char *write_book(const char *name, const struct text_book *book)
{
    return write_bytes(name, book->bytes, book->size);
}

static const char *write_sorted(const char *name, struct text_book *book)
{
    qsort(book->bytes, book->size / ENTRY, ENTRY, compare_bytes);
    return write_book(name, book);
}

static struct text_book read_book(const char *path)
{
    struct text_book book = {.size = 0};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    book.size = fread(book.bytes, 1, sizeof book.bytes, file);
    assert_int_equal(fclose(file), 0);
    return book;
}

/* The weight of `uci` after `moves`, -1 when the book has no such entry. */
static int weight_of(const struct text_book *book, const char *moves, const char *uci)
{
    for (size_t i = 0; i < book->size; i += ENTRY) {
        struct polyglot_entry entry = polyglot_decode(book->bytes + i);
        if (entry.key == key_after(moves) && entry.move == stored_move(uci))
            return entry.weight;
    }
    return -1;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static int count_files(bool remove)
{
    DIR *listing = opendir(folder);
    assert_non_null(listing);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        count++;
        if (remove)
            assert_int_equal(unlinkat(dirfd(listing), entry->d_name, 0), 0);
    }
    assert_int_equal(closedir(listing), 0);
    return count;
}

static int set_up(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/caxton-makebook-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    (void)count_files(true);
    return rmdir(folder);
}

/* Runs makebook with `words` up to NULL and asserts its exit status. */
static struct process_result makebook(int status, const char *const *words)
{
    const char *arguments[16] = {process_binary("MAKEBOOK_BINARY")};
    int count = 1;
    for (; *words; words++)
        arguments[count++] = *words;
    assert_true(count < 16);
    struct process_result result = process_run(arguments, NULL);
    if (result.status != status)
        fail_msg("exit status %d, not %d\n%s%s", result.status, status, result.output,
                 result.errors);
    return result;
}

#define MAKEBOOK(status, ...) makebook(status, (const char *const[]){__VA_ARGS__, NULL})

static void assert_line(const char *text, const char *line)
{
    size_t size = strlen(line);
    for (const char *at = text; (at = strstr(at, line)) != NULL; at++)
        if ((at == text || at[-1] == '\n') && at[size] == '\n')
            return;
    fail_msg("no line \"%s\" in:\n%s", line, text);
}

static void assert_holds(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no \"%s\" in:\n%s", part, text);
}

/* Runs makebook, which fails with one line that holds `part` and prints nothing. */
static void fails(int status, const char *part, const char *const *words)
{
    struct process_result result = makebook(status, words);
    assert_string_equal(result.output, "");
    assert_holds(result.errors, part);
    assert_memory_equal(result.errors, "makebook", 8);
    assert_ptr_equal(strchr(result.errors, '\n'), result.errors + strlen(result.errors) - 1);
    process_result_free(&result);
}

#define FAILS(status, part, ...) fails(status, part, (const char *const[]){__VA_ARGS__, NULL})

/* 1.e4 3, 1.d4 1; 1.e4 e5 2, c5 2; 1.e4 e5 2.Nf3 5 and, by transposition, the line 1.Nf3. */
static struct text_book small_book(void)
{
    struct text_book book = {.size = 0};
    add(&book, "", "e2e4", 30);
    add(&book, "", "d2d4", 10);
    add(&book, "e2e4", "e7e5", 2);
    add(&book, "e2e4", "c7c5", 2);
    add(&book, "e2e4 e7e5", "g1f3", 5);
    add(&book, "e2e4 e7e5 g1f3", "b8c6", 7);
    return book;
}

static void general_help(void **state)
{
    (void)state;
    struct process_result result = MAKEBOOK(0, "--help");
    static const char *const names[] = {"build", "merge", "show", "dump", "verify"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_holds(result.output, names[i]);
        struct process_result help = MAKEBOOK(0, names[i], "--help");
        assert_holds(help.output, names[i]);
        assert_string_equal(help.errors, "");
        process_result_free(&help);
    }
    process_result_free(&result);
    result = MAKEBOOK(0, "--version");
    assert_string_equal(result.output, "makebook " CAXTON_VERSION "\n");
    process_result_free(&result);
}

static void wrong_use(void **state)
{
    (void)state;
    const char *arguments[] = {process_binary("MAKEBOOK_BINARY"), NULL};
    struct process_result result = process_run(arguments, NULL);
    assert_int_equal(result.status, 2);
    assert_holds(result.errors, "no command");
    process_result_free(&result);
    FAILS(2, "unknown command sow", "sow");
    FAILS(2, "unknown option --frobnicate", "show", "builtin", "--frobnicate");
    FAILS(2, "no value is wanted", "show", "builtin", "--json=yes");
    FAILS(2, "wanted: BOOK", "show");
    FAILS(2, "wanted: BOOK", "dump", "builtin", "builtin");
    FAILS(2, "a value is missing after --fen", "dump", "builtin", "--fen");
    FAILS(2, "no output given", "merge", "builtin");
    FAILS(2, "wanted: BOOKS", "merge", "-o", "x");
    FAILS(2, "--repair and -o", "verify", "builtin", "--repair");
    FAILS(2, "--repair and -o", "verify", "builtin", "-o", path_of("x"));
    assert_int_equal(count_files(false), 0);
}

/* What every command that reads a book answers to what is none. */
static void bad_books(void **state)
{
    (void)state;
    static const char *const commands[] = {"show", "dump", "merge", "verify"};
    char output[160];
    (void)snprintf(output, sizeof output, "%s", path_of("out.bin"));
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        bool merge = strcmp(commands[i], "merge") == 0;
        const char *words[] = {commands[i], NULL, merge ? "-o" : NULL, output, NULL};
        words[1] = path_of("missing.bin");
        fails(1, "missing.bin: No such file", words);
        words[1] = folder;
        fails(1, folder, words);
        words[1] = write_bytes("empty.bin", "", 0);
        fails(1, "empty.bin: the file is empty", words);
        words[1] = "-"; /* nothing arrives */
        fails(1, "standard input: the file is empty", words);
        if (strcmp(commands[i], "verify") != 0) {
            words[1] = write_bytes("short.bin", "0123456789abcdef01234", 21);
            fails(1, "byte 16", words);
        }
        assert_false(exists(output));
    }
}

static void show_table(void **state)
{
    (void)state;
    struct text_book book = small_book();
    const char *path = write_sorted("a.bin", &book);
    struct process_result result = MAKEBOOK(0, "show", path);
    assert_holds(result.output, "key 463b96181691fc9c, 2 moves in ");
    const char *e4 = strstr(result.output, "\ne4 ");
    const char *d4 = strstr(result.output, "\nd4 ");
    assert_true(e4 && d4 && e4 < d4);
    assert_holds(e4, " 30 ");
    assert_holds(e4, " 75.0%");
    assert_holds(e4, "B00 King's Pawn Game");
    assert_holds(d4, " 25.0%");
    assert_string_equal(result.errors, "");
    process_result_free(&result);

    /* The ways to say where. */
    static const char *const ways[][8] = {
        {"e4", "e5"},
        {"1.e4", "e5"},
        {"1. e4 e5"},
        {"e2e4", "e7e5"},
        {"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"},
        {"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", "w", "KQkq", "-", "0", "2"},
        {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "moves", "e7e5"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const char *words[12] = {"show", path};
        memcpy(words + 2, ways[i], sizeof ways[i]);
        result = makebook(0, words);
        assert_holds(result.output, "C20 King's Pawn Game\n");
        assert_holds(result.output, "1 move in ");
        assert_holds(result.output, "\nNf3 ");
        process_result_free(&result);
    }
}

static void show_json(void **state)
{
    (void)state;
    struct text_book book = small_book();
    const char *path = write_sorted("a\"b.bin", &book);
    struct process_result result = MAKEBOOK(0, "show", "--json", path, "e4");
    assert_holds(result.output, "/a\\\"b.bin\"");
    assert_holds(result.output, "\"key\": \"823c9b50fd114196\"");
    assert_holds(result.output, "{\"san\": \"c5\", \"uci\": \"c7c5\", \"weight\": 2, "
                                "\"share_permille\": 500, \"learn\": 0, \"eco\": \"B20\", "
                                "\"opening\": \"Sicilian Defense\"}");
    process_result_free(&result);
    result = MAKEBOOK(1, "show", "--json", path, "a4");
    assert_holds(result.output, "\"moves\": []}");
    process_result_free(&result);
}

static void show_refuses(void **state)
{
    (void)state;
    struct text_book book = small_book();
    const char *path = write_sorted("a.bin", &book);
    FAILS(1, "knows no move here", "show", path, "a4");
    FAILS(1, "ply 2: Nf3 is not legal here", "show", path, "e4", "Nf3");
    FAILS(1, "ply 1: hello is no move", "show", path, "hello");
    FAILS(1, "FEN, column", "show", path, "8/8/8/8/8/8/8/8 w - - 0 1");
    struct process_result result = MAKEBOOK(0, "show", "builtin");
    assert_holds(result.output, "\ne4 ");
    process_result_free(&result);
}

static void dump_lines(void **state)
{
    (void)state;
    struct text_book book = small_book();
    add(&book, "", "g1f3", 1); /* 1.Nf3 e5 2.e4 is a position of 1.e4 */
    add(&book, "g1f3", "e7e5", 1);
    add(&book, "g1f3 e7e5", "e2e4", 1);
    add(&book, "a2a3", "h7h6", 4);
    add(&book, "e2e4", "e7e4", 9);
    add(&book, "b2b3 b7b6", "h2h3", 4); /* two moves that the book does not know */
    const char *path = write_book("unsorted.bin", &book);
    struct process_result result = MAKEBOOK(0, "dump", path);
    assert_holds(result.errors, "not sorted");
    char expected[1000];
    (void)snprintf(expected, sizeof expected,
                   "start: e4 30 73.2%%\n"
                   "start: d4 10 24.4%%\n"
                   "start: Nf3 1 2.4%%\n"
                   "1. e4: e7e4 9 illegal\n"
                   "1. e4: c5 2 50.0%%\n"
                   "1. e4: e5 2 50.0%%\n"
                   "1. e4 e5: Nf3 5 100.0%%\n"
                   "1. e4 e5 2. Nf3: Nc6 7 100.0%%\n"
                   "1. Nf3: e5 1 100.0%%\n"
                   "1. Nf3 e5: e4 1 100.0%%\n"
                   "1. a3: h6 4 100.0%%\n"
                   "# 1 position that no line of the book reaches:\n"
                   "%016llx: h2h3 4\n",
                   (unsigned long long)key_after("b2b3 b7b6"));
    assert_string_equal(result.output, expected);
    process_result_free(&result);

    result = MAKEBOOK(0, "dump", "--fen",
                      "rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1", path);
    assert_memory_equal(result.output, "start: h6 4 100.0%\n", 19);
    process_result_free(&result);
    FAILS(1, "FEN, column", "dump", "builtin", "--fen", "nonsense");
}

/* A book of Black's moves knows no move of White's, not even the first. */
static void dump_of_one_color(void **state)
{
    (void)state;
    struct text_book book = {.size = 0};
    add(&book, "e2e4", "c7c5", 3);
    add(&book, "e2e4 c7c5 g1f3", "d7d6", 2);
    add(&book, "e2e4 c7c5 b1c3", "b8c6", 1);
    struct process_result result = MAKEBOOK(0, "dump", write_sorted("black.bin", &book));
    assert_string_equal(result.output, "1. e4: c5 3 100.0%\n"
                                       "1. e4 c5 2. Nc3: Nc6 1 100.0%\n"
                                       "1. e4 c5 2. Nf3: d6 2 100.0%\n");
    process_result_free(&result);
    add(&book, "e2e4 c7c5 d2d4", "d7d4", 1);
    result = MAKEBOOK(1, "verify", write_sorted("black.bin", &book));
    assert_holds(result.output, "d7d4 is illegal in rnbqkbnr/pp1ppppp/8/2p5/3PP3/8/PPP2PPP/RNBQKBNR"
                                " b KQkq - 0 2\n");
    assert_holds(result.output, "0 not reached: 1 fault\n");
    process_result_free(&result);
}

static void dump_goes_round(void **state)
{
    (void)state;
    struct text_book book = {.size = 0};
    add(&book, "", "g1f3", 1);
    add(&book, "g1f3", "g8f6", 1);
    add(&book, "g1f3 g8f6", "f3g1", 1);
    add(&book, "g1f3 g8f6 f3g1", "f6g8", 1); /* the start again */
    struct process_result result = MAKEBOOK(0, "dump", write_sorted("round.bin", &book));
    assert_string_equal(result.output, "start: Nf3 1 100.0%\n"
                                       "1. Nf3: Nf6 1 100.0%\n"
                                       "1. Nf3 Nf6: Ng1 1 100.0%\n"
                                       "1. Nf3 Nf6 2. Ng1: Ng8 1 100.0%\n");
    process_result_free(&result);
}

static void dump_raw(void **state)
{
    (void)state;
    struct text_book book = {.size = 0};
    add_raw(&book, 9, stored_move("e7e8q"), 65535);
    add_raw(&book, 3, stored_move("e1h1"), 0);
    struct process_result result = MAKEBOOK(0, "dump", "--raw", write_book("raw.bin", &book));
    assert_string_equal(result.output, "0000000000000009 e7e8q 65535 0\n"
                                       "0000000000000003 e1h1 0 0\n");
    process_result_free(&result);
}

static void merge_adds(void **state)
{
    (void)state;
    struct text_book a = small_book();
    struct text_book b = {.size = 0};
    add(&b, "e2e4", "e7e5", 3);
    add(&b, "", "e2e4", 65535);
    add(&b, "", "c2c4", 1);
    add(&b, "", "a2a3", 0);
    const char *first = write_sorted("a.bin", &a);
    const char *second = write_book("b.bin", &b); /* not sorted */
    const char *forth = path_of("forth.bin");
    const char *back = path_of("back.bin");
    struct process_result result = MAKEBOOK(0, "merge", first, second, "-o", forth);
    assert_holds(result.output, "10 entries read, 8 written for 4 positions; 1 positions scaled");
    process_result_free(&result);
    result = MAKEBOOK(0, "merge", "-o", back, "-q", second, first);
    assert_string_equal(result.output, "");
    process_result_free(&result);

    struct text_book merged = read_book(forth);
    struct text_book other = read_book(back);
    assert_int_equal(merged.size, other.size);
    assert_memory_equal(merged.bytes, other.bytes, merged.size);
    assert_int_equal(weight_of(&merged, "", "e2e4"), 65535);
    assert_int_equal(weight_of(&merged, "", "d2d4"), 10);
    assert_int_equal(weight_of(&merged, "", "c2c4"), 1);
    assert_int_equal(weight_of(&merged, "", "a2a3"), 0);
    assert_int_equal(weight_of(&merged, "e2e4", "e7e5"), 5);
    assert_int_equal(weight_of(&merged, "e2e4", "c7c5"), 2);
    assert_int_equal(weight_of(&merged, "e2e4 e7e5", "g1f3"), 5);
    assert_int_equal(count_files(false), 4);
}

static void merge_scales(void **state)
{
    (void)state;
    struct text_book book = {.size = 0};
    add(&book, "", "e2e4", 60000);
    add(&book, "", "d2d4", 30000);
    add(&book, "", "a2a3", 1);
    add(&book, "e2e4", "e7e5", 20000);
    const char *path = write_book("a.bin", &book);
    const char *output = path_of("out.bin");
    struct process_result result = MAKEBOOK(0, "merge", path, path, path, "-o", output);
    process_result_free(&result);
    struct text_book merged = read_book(output);
    assert_int_equal(weight_of(&merged, "", "e2e4"), 65535);
    assert_in_range(weight_of(&merged, "", "d2d4"), 32767, 32768);
    assert_int_equal(weight_of(&merged, "", "a2a3"), 1);
    assert_int_equal(weight_of(&merged, "e2e4", "e7e5"), 60000);
    /* Into its own input, and to standard output. */
    result = MAKEBOOK(0, "merge", output, "-o", output);
    process_result_free(&result);
    struct text_book again = read_book(output);
    assert_memory_equal(again.bytes, merged.bytes, merged.size);
    result = MAKEBOOK(0, "merge", path, "-o", "-");
    assert_holds(result.errors, "4 entries read, 4 written");
    process_result_free(&result);
}

static void outputs_that_fail(void **state)
{
    (void)state;
    struct text_book book = small_book();
    const char *path = write_sorted("a.bin", &book);
    FAILS(1, "nowhere/out.bin", "merge", path, "-o", path_of("nowhere/out.bin"));
    FAILS(1, folder, "merge", path, "-o", folder);
    /* One bad book: the output is neither there in part nor touched. */
    const char *old = write_bytes("old.bin", "old", 3);
    FAILS(1, "missing.bin", "merge", path, path_of("missing.bin"), "-o", old);
    assert_int_equal(read_book(old).size, 3);
    if (access("/dev/full", W_OK) == 0) {
        FAILS(1, "/dev/full", "merge", path, "-q", "-o", "/dev/full");
        struct stat info;
        assert_int_equal(stat("/dev/full", &info), 0);
        assert_true(S_ISCHR(info.st_mode));
    }
    assert_int_equal(count_files(false), 2);
}

static void verify_sound(void **state)
{
    (void)state;
    struct text_book book = small_book();
    add(&book, "b2b3 b7b6", "h2h3", 4);
    struct process_result result = MAKEBOOK(0, "verify", write_sorted("a.bin", &book));
    assert_holds(result.output, "a.bin: 7 entries, 5 positions, 4 reached from the start in up to "
                                "3 plies, 1 not reached: 0 faults\n");
    assert_string_equal(result.errors, "");
    process_result_free(&result);
    result = MAKEBOOK(0, "verify", "builtin");
    assert_holds(result.output, ": 0 faults\n");
    process_result_free(&result);
}

static void verify_names_faults(void **state)
{
    (void)state;
    struct text_book book = {.size = 0};
    add(&book, "", "e2e4", 30);
    add(&book, "", "e2e4", 5);          /* byte 16 */
    add(&book, "", "e2e5", 5);          /* byte 32 */
    add(&book, "", "d2d4", 0);          /* byte 48 */
    add(&book, "", "c2c4", 7);          /* byte 64: a remark */
    add_raw(&book, 5, 0, 1);            /* byte 80: a1a1, and out of order */
    add_raw(&book, 6, 5 << 12 | 63, 1); /* byte 96: promotion to a king */
    add_raw(&book, 7, stored_move("a1c4"), 1);
    memcpy(book.bytes + book.size, "cut", 3);
    book.size += 3;
    const char *path = write_book("bad.bin", &book);
    struct process_result result = MAKEBOOK(1, "verify", path);
    assert_line(result.output, "byte 16: e2e4 of key 463b96181691fc9c stands already at byte 0");
    assert_line(result.output, "byte 32: e2e5 is illegal in "
                               "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_line(result.output, "byte 48: d2d4 has weight 0");
    assert_line(result.output, "byte 64: c2c4 of weight 7 after one of 0");
    assert_line(result.output, "byte 80: key 0000000000000005 after 463b96181691fc9c");
    assert_line(result.output, "byte 80: a1a1 (0000) is no move of any piece");
    assert_holds(result.output, "byte 96: ");
    assert_line(result.output, "byte 112: a1c4 (001a) is no move of any piece");
    assert_line(result.output, "byte 128: the file ends within an entry, which has 16 bytes");
    assert_holds(result.output, "8 entries, 4 positions, 1 reached from the start in up to 0 plies,"
                                " 3 not reached: 8 faults\n");
    process_result_free(&result);

    const char *output = path_of("repaired.bin");
    result = MAKEBOOK(0, "verify", path, "--repair", "-o", output);
    assert_holds(result.output, "repaired.bin: 2 entries written\n");
    process_result_free(&result);
    struct text_book repaired = read_book(output);
    assert_int_equal(repaired.size, 2 * ENTRY);
    assert_int_equal(weight_of(&repaired, "", "e2e4"), 35);
    assert_int_equal(weight_of(&repaired, "", "c2c4"), 7);
    result = MAKEBOOK(0, "verify", output);
    process_result_free(&result);
}

static void verify_noise(void **state)
{
    (void)state;
    uint8_t noise[60 * ENTRY];
    uint32_t seed = 12345;
    for (size_t i = 0; i < sizeof noise; i++) {
        seed = seed * 1664525u + 1013904223u;
        noise[i] = (uint8_t)(seed >> 24);
    }
    const char *path = write_bytes("noise.bin", noise, sizeof noise);
    struct process_result few = MAKEBOOK(1, "verify", path);
    struct process_result all = MAKEBOOK(1, "verify", "--all", path);
    assert_holds(few.output, "(--all shows each)");
    assert_null(strstr(all.output, "(--all"));
    assert_true(strlen(all.output) > strlen(few.output));
    assert_holds(all.output, "60 not reached");
    process_result_free(&few);
    process_result_free(&all);
    FAILS(1, "not a Polyglot book", "show", write_bytes("zeros.bin", (uint8_t[ENTRY]){0}, ENTRY));
    FAILS(1, "59 of 60 entries hold no possible move", "dump", path);

    /* Nothing sound to write: no output. */
    struct process_result repair =
        MAKEBOOK(1, "verify", path_of("zeros.bin"), "--repair", "-o", path_of("out.bin"));
    assert_holds(repair.errors, "no entry is sound");
    assert_false(exists(path_of("out.bin")));
    process_result_free(&repair);
}

static int start_chess(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(general_help),      TEST(wrong_use),       TEST(bad_books),
        TEST(show_table),        TEST(show_json),       TEST(show_refuses),
        TEST(dump_lines),        TEST(dump_goes_round), TEST(dump_of_one_color),
        TEST(dump_raw),          TEST(merge_adds),      TEST(merge_scales),
        TEST(outputs_that_fail), TEST(verify_sound),    TEST(verify_names_faults),
        TEST(verify_noise),
    };
    return cmocka_run_group_tests(tests, start_chess, NULL);
}
