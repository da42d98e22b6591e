/* Opening, probing and choosing. It is long because each kind of bad file is one more test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "book/book.h"
#include "book/book_move.h"
#include "book/open/open.h"
#include "book/polyglot_entry.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "tests/support/book_entries.h"
#include "tests/support/shared_data.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static struct book_move probed[MOVES_MAX];

/* Probes `book` in `pos`; the moves are in probed[]. */
static int probe(const struct book *book, struct position pos)
{
    return book_probe(book, &pos, probed, MOVES_MAX);
}

static void check_move(int index, const char *uci, uint32_t weight)
{
    char got[UCI_MAX];
    move_to_uci(probed[index].move, false, got);
    assert_string_equal(got, uci);
    assert_int_equal(probed[index].weight, weight);
}

static void probing_sums_sorts_and_drops(void **state)
{
    (void)state;
    struct book_bytes bytes = {.size = 0};
    struct position start = position_by_moves("");
    put(&bytes, start.key - 1, "a2a4", 9);
    put(&bytes, start.key, "d2d4", 40);
    put(&bytes, start.key, "e2e4", 60000);
    put(&bytes, start.key, "e2e4", 60000); /* twice: wider than 16 bits */
    put(&bytes, start.key, "e2e5", 50000); /* illegal */
    put(&bytes, start.key, "c2c4", 0);
    put(&bytes, start.key, "b2b4", 40);
    put(&bytes, start.key + 1, "a2a4", 9);
    struct book *book = open_bytes(&bytes);
    assert_int_equal(book_entry_count(book), 8);
    assert_string_equal(book_warning(book), "");
    assert_int_equal(probe(book, start), 4);
    check_move(0, "e2e4", 120000);
    check_move(1, "b2b4", 40);
    check_move(2, "d2d4", 40);
    check_move(3, "c2c4", 0);
    assert_int_equal(book_share_permille(probed, 4, 0), 999);
    assert_int_equal(book_share_permille(probed, 4, 3), 0);
    /* The heaviest where there is room for one only. */
    assert_int_equal(book_probe(book, &start, probed, 1), 1);
    check_move(0, "e2e4", 120000);
    assert_int_equal(book_probe(book, &start, probed, 0), 0);
    assert_int_equal(probe(book, position_by_moves("e2e4")), 0);
    book_close(book);
}

static void both_castlings_are_one_move(void **state)
{
    (void)state;
    struct position pos = position_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    struct book_bytes bytes = {.size = 0};
    put(&bytes, pos.key, "e1g1", 3);
    put(&bytes, pos.key, "e1h1", 4);
    struct book *book = open_bytes(&bytes);
    assert_int_equal(probe(book, pos), 1);
    check_move(0, "e1g1", 7);
    book_close(book);
}

static void sums_do_not_wrap(void **state)
{
    (void)state;
    struct position start = position_by_moves("");
    struct polyglot_entry entry = {
        .key = start.key, .move = stored_move("e2e4"), .weight = POLYGLOT_WEIGHT_MAX};
    enum { COUNT = 65539 };
    uint8_t *bytes = malloc((size_t)COUNT * POLYGLOT_ENTRY_SIZE);
    assert_non_null(bytes);
    for (size_t i = 0; i < COUNT; i++)
        polyglot_encode(&entry, bytes + i * POLYGLOT_ENTRY_SIZE);
    struct book *book = NULL;
    assert_int_equal(
        book_open_memory(bytes, (size_t)COUNT * POLYGLOT_ENTRY_SIZE, "many", &book, NULL),
        STATUS_OK);
    assert_int_equal(probe(book, start), 1);
    assert_true(probed[0].weight == UINT32_MAX);
    book_close(book);
    free(bytes);
}

static void unsorted_books_are_sorted(void **state)
{
    (void)state;
    struct position start = position_by_moves("");
    struct position after = position_by_moves("e2e4");
    bool later = after.key > start.key;
    struct book_bytes bytes = {.size = 0};
    put(&bytes, later ? after.key : start.key, later ? "e7e5" : "e2e4", 1);
    put(&bytes, later ? start.key : after.key, later ? "e2e4" : "e7e5", 1);
    put(&bytes, later ? after.key : start.key, later ? "c7c5" : "d2d4", 2);
    struct book *book = open_bytes(&bytes);
    assert_non_null(strstr(book_warning(book), "not sorted"));
    assert_int_equal(probe(book, later ? after : start), 2);
    check_move(0, later ? "c7c5" : "d2d4", 2);
    assert_int_equal(probe(book, later ? start : after), 1);
    book_close(book);
}

/* Opening must fail as STATUS_FORMAT with `part` in the message. */
static void check_refused(const void *bytes, size_t size, const char *part)
{
    struct book *book = NULL;
    struct diag diag;
    assert_int_equal(book_open_memory(bytes, size, "odd.bin", &book, &diag), STATUS_FORMAT);
    assert_null(book);
    assert_non_null(strstr(diag.text, "odd.bin"));
    assert_non_null(strstr(diag.text, part));
}

static void other_files_are_refused(void **state)
{
    (void)state;
    check_refused("", 0, "empty");
    check_refused("\1\2", 2, "an entry has 16");

    static const char text[] =
        "name,site,year,opening,result\n\"A\",\"Hastings\",1951,\"Ruy Lopez\","
        "1-0\n\"B\",\"Zurich\",1953,\"King's Indian Defence\",1/2-1/2\n";
    check_refused(text, sizeof text - 1, "a text of no kind that is known");

    uint8_t noise[512 * POLYGLOT_ENTRY_SIZE];
    struct rng rng;
    rng_seed(&rng, 1);
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)rng_below(&rng, 256);
    check_refused(noise, sizeof noise, "no possible move");

    struct diag diag;
    struct book *book = NULL;
    assert_int_equal(book_open("/nowhere/at all.bin", &book, &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, "/nowhere/at all.bin"));
    assert_int_equal(book_open("/", &book, &diag), STATUS_IO);
    assert_int_equal(book_open("/dev/zero", &book, &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, "/dev/zero"));
    assert_null(book);
}

/* Other programs use what is whole. */
static void whole_entries_of_a_cut_book_are_used(void **state)
{
    (void)state;
    struct book_bytes bytes = {.size = 0};
    struct position start = position_by_moves("");
    put(&bytes, start.key, "e2e4", 3);
    put(&bytes, UINT64_MAX, "e2e4", 1);
    for (size_t cut = 1; cut < POLYGLOT_ENTRY_SIZE; cut++) {
        struct book *book = NULL;
        struct diag diag;
        assert_int_equal(book_open_memory(bytes.bytes, bytes.size - cut, "cut.bin", &book, &diag),
                         STATUS_OK);
        assert_string_equal(book_warning(book),
                            "cut.bin: the file ends within an entry, at byte 16; the others are "
                            "used (makebook verify --repair leaves it out)");
        assert_int_equal(book_entry_count(book), 1);
        assert_int_equal(probe(book, start), 1);
        check_move(0, "e2e4", 3);
        book_close(book);
    }
    put(&bytes, start.key, "d2d4", 3);
    bytes.bytes[bytes.size++] = '\n';
    struct book *book = open_bytes(&bytes);
    assert_non_null(strstr(book_warning(book), "at byte 48; "));
    assert_non_null(strstr(book_warning(book), "; entries are not sorted by key"));
    assert_int_equal(probe(book, start), 2);
    book_close(book);
}

/* A key is any eight bytes: its first may look like a move number, a move, a tag or a board. */
static void books_that_begin_as_a_text_are_books(void **state)
{
    (void)state;
    static const char *const beginnings[] = {"4.p\xe5\xe5&\x83\xe8",
                                             "1. e4 e5",
                                             "e4 e5 d4",
                                             "1. e4 {a",
                                             "lines sa",
                                             "e2e4\ne7e",
                                             "[Event \"",
                                             "{e4} 1. ",
                                             "# as is\n"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        struct book_bytes bytes = {.size = 0};
        uint64_t key = bytes_get_u64be((const uint8_t *)beginnings[i]);
        put(&bytes, key, "d1d2", 200);
        put(&bytes, key, "f1e2", 123);
        put(&bytes, UINT64_MAX, "e2e4", 1);
        for (size_t size = POLYGLOT_ENTRY_SIZE; size <= bytes.size; size++) {
            struct book *book = NULL;
            assert_int_equal(book_open_memory(bytes.bytes, size, "book", &book, NULL), STATUS_OK);
            assert_string_equal(book_format_name(book), "Polyglot");
            assert_int_equal(book_entry_count(book), size / POLYGLOT_ENTRY_SIZE);
            book_close(book);
        }
        /* With a fault the name decides. */
        put(&bytes, 1, "e2e4", 1);
        struct book *book = NULL;
        assert_int_equal(book_open_memory(bytes.bytes, bytes.size, "a.BIN", &book, NULL),
                         STATUS_OK);
        assert_string_equal(book_format_name(book), "Polyglot");
        book_close(book);
    }
    static const char text[] = "1. e4 e5 2. Nf3\n";
    struct book *book = NULL;
    assert_int_equal(book_open_memory(text, sizeof text - 1, "a.bin", &book, NULL), STATUS_OK);
    assert_string_equal(book_format_name(book), "White's lines");
    book_close(book);
}

/* Whatever comes behind their first bytes. */
static void other_files_are_named_for_what_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *magic;
        size_t size;
        const char *name;
    } others[] = {
        {"\x1F\x8B\x08", 3, "gzip"},
        {"BZh91AY&SY", 10, "bzip2"},
        {"\xFD"
         "7zXZ\0",
         6, "xz"},
        {"\x28\xB5\x2F\xFD", 4, "zstd"},
        {"PK\3\4", 4, "ZIP"},
        {"7z\xBC\xAF\x27\x1C", 6, "7z"},
        {"\x7F"
         "ELF\2\1\1",
         7, "program"},
        {"MZ\x90", 3, "program"},
        {"\xFF\xFE[\0E\0v\0", 8, "UTF-16"},
        {"\xFE\xFF\0[\0E\0v", 8, "UTF-16"},
    };
    uint8_t other[512];
    struct rng dice;
    rng_seed(&dice, 2);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        for (size_t k = 0; k < sizeof other; k++)
            other[k] = (uint8_t)rng_below(&dice, 256);
        memcpy(other, others[i].magic, others[i].size);
        check_refused(other, sizeof other, others[i].name);
        check_refused(other, sizeof other - 3, others[i].name);
    }
    static const char pgn[] = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n";
    for (size_t i = 0; i < sizeof pgn - 1; i++) {
        other[2 * i] = (uint8_t)pgn[i];
        other[2 * i + 1] = 0;
    }
    check_refused(other, 2 * sizeof pgn - 2, "UTF-16");
    char zero[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4; c0 \"e4=2\";\n";
    zero[3] = '\0';
    check_refused(zero, sizeof zero - 1, "byte 3");
}

/* Text with a strange comment that may be an entry of Polyglot's, too. */
static void an_ending_breaks_ties(void **state)
{
    (void)state;
    static const char text[] = "e4;\0e2\0;\0e'2\0\0\0\n";
    struct book *book = NULL;
    assert_int_equal(
        book_open_memory((const uint8_t *)text, sizeof text - 1, "a.lines", &book, NULL),
        STATUS_OK);
    assert_string_equal(book_format_name(book), "White's lines");
    book_close(book);
    assert_int_equal(book_open_memory((const uint8_t *)text, sizeof text - 1, "a.bin", &book, NULL),
                     STATUS_OK);
    assert_string_equal(book_format_name(book), "Polyglot");
    book_close(book);
}

/* Other programs' books that cannot be read are known by their names. */
static void foreign_books_are_refused_by_kind(void **state)
{
    (void)state;
    static const uint8_t bkt[48] = {0x00, 0x0f, 0xda, 0xb7, 0xb5, 0x18, 0xe7, 0x11, 7, 0x0b, 0xc0};
    struct book *book = NULL;
    struct diag diag;
    assert_int_equal(book_open_memory(bkt, sizeof bkt, "a.BKT", &book, &diag), STATUS_FORMAT);
    assert_string_equal(diag.text, "a.BKT: a Shredder book (.bkt), whose layout is not public: "
                                   "take the same book as .bin, .abk or .ctg");
    assert_int_equal(book_open_memory(bkt, sizeof bkt, "a.obk", &book, &diag), STATUS_FORMAT);
    assert_string_equal(diag.text,
                        "a.obk: a Chessmaster book (.obk) of a layout that is not public");
}

/* A pipe that nobody writes to would keep us waiting, a huge file fill the memory. */
static void endless_files_are_refused_at_once(void **state)
{
    (void)state;
    char folder[] = "/tmp/caxton-book.XXXXXX";
    char path[64];
    struct diag diag;
    struct book *book = NULL;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/fifo.bin", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(book_open(path, &book, &diag), STATUS_IO);
    assert_non_null(strstr(diag.text, path));
    assert_int_equal(unlink(path), 0);
    (void)snprintf(path, sizeof path, "%s/huge.bin", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    bool is_huge = ftruncate(fileno(file), (off_t)100 << 30) == 0; /* takes no room on the disk */
    assert_int_equal(fclose(file), 0);
    if (is_huge) {
        assert_int_equal(book_open(path, &book, &diag), STATUS_RANGE);
        assert_non_null(strstr(diag.text, path));
    }
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_null(book);
}

/* How often each of three moves is chosen in 6,000 tries; the last count is "none". */
static void count_choices(const uint32_t weights[3], enum book_selection selection, int threshold,
                          int counts[4])
{
    struct book_move moves[3];
    for (int i = 0; i < 3; i++)
        moves[i] = (struct book_move){.move = move_make(i, i + 8), .weight = weights[i]};
    struct rng rng;
    rng_seed(&rng, 7);
    memset(counts, 0, 4 * sizeof *counts);
    for (int i = 0; i < 6000; i++) {
        int chosen = book_choose(moves, 3, selection, threshold, &rng);
        counts[chosen < 0 ? 3 : chosen]++;
    }
}

static void assert_near(int got, int wanted)
{
    assert_in_range(got, (unsigned)(wanted - 200), (unsigned)(wanted + 200));
}

static void choosing(void **state)
{
    (void)state;
    int counts[4];
    count_choices((uint32_t[]){600, 300, 100}, BOOK_BEST, 0, counts);
    assert_int_equal(counts[0], 6000);
    count_choices((uint32_t[]){600, 300, 100}, BOOK_WEIGHTED, 0, counts);
    assert_near(counts[0], 3600);
    assert_near(counts[1], 1800);
    assert_near(counts[2], 600);
    count_choices((uint32_t[]){600, 300, 100}, BOOK_UNIFORM, 0, counts);
    assert_near(counts[0], 2000);
    assert_near(counts[2], 2000);
    /* A tenth is enough for 100 permille, not for 101. */
    count_choices((uint32_t[]){600, 300, 100}, BOOK_UNIFORM, 100, counts);
    assert_near(counts[2], 2000);
    count_choices((uint32_t[]){600, 300, 100}, BOOK_WEIGHTED, 101, counts);
    assert_near(counts[0], 4000);
    assert_int_equal(counts[2], 0);
    /* Weight 0 is never played; and there may be nothing to play. */
    count_choices((uint32_t[]){5, 0, 0}, BOOK_UNIFORM, 0, counts);
    assert_int_equal(counts[0], 6000);
    count_choices((uint32_t[]){0, 0, 0}, BOOK_WEIGHTED, 0, counts);
    assert_int_equal(counts[3], 6000);
    count_choices((uint32_t[]){4, 3, 3}, BOOK_BEST, 500, counts);
    assert_int_equal(counts[3], 6000);
    /* Sums wider than 32 bits. */
    count_choices((uint32_t[]){UINT32_MAX, UINT32_MAX, UINT32_MAX}, BOOK_WEIGHTED, 333, counts);
    assert_near(counts[0], 2000);
    assert_near(counts[2], 2000);
    struct rng rng;
    rng_seed(&rng, 1);
    assert_int_equal(book_choose(NULL, 0, BOOK_WEIGHTED, 0, &rng), -1);
}

static void builtin_book_opens_every_game(void **state)
{
    (void)state;
    struct book *book = NULL;
    assert_int_equal(book_open_builtin(&book), STATUS_OK);
    assert_string_equal(book_warning(book), "");
    assert_true(book_entry_count(book) > 30000);
    assert_true(probe(book, position_by_moves("")) >= 8);
    check_move(0, "g1f3", probed[0].weight);
    assert_true(probe(book, position_by_moves("e2e4")) >= 1);
    check_move(0, "e7e5", probed[0].weight);
    assert_true(probe(book, position_by_moves("d2d4 g8f6 c2c4 e7e6 b1c3 f8b4")) >= 3);
    book_close(book);
}

/* Debian's GNU Chess book, as `polyglot dump-book` 2.0.4 tells it. */
static void gnuchess_book(void **state)
{
    (void)state;
    static const struct {
        const char *uci;
        uint32_t weight;
    } wanted[] = {
        {"e2e4", 12135}, {"d2d4", 11257}, {"g1f3", 3745}, {"c2c4", 3294}, {"g2g3", 243},
        {"b2b3", 38},    {"f2f4", 35},    {"b2b4", 16},   {"b1c3", 16},   {"e2e3", 7},
        {"d2d3", 5},     {"g2g4", 4},     {"a2a3", 2},
    };
    static const char path[] = SHARED_DATA_DIR "/books/gnuchess.bin";
    struct book *book = NULL;
    struct diag diag;
    shared_data_want(path);
    assert_int_equal(book_open(path, &book, &diag), STATUS_OK);
    assert_int_equal(book_entry_count(book), 180358);
    assert_string_equal(book_warning(book), "");
    int count = probe(book, position_by_moves(""));
    assert_int_equal(count, sizeof wanted / sizeof *wanted);
    for (int i = 0; i < count; i++) {
        char uci[UCI_MAX];
        int j = 0;
        move_to_uci(probed[i].move, false, uci);
        while (j < count && strcmp(uci, wanted[j].uci) != 0)
            j++;
        assert_true(j < count);
        assert_int_equal(probed[i].weight, wanted[j].weight);
    }
    book_close(book);
}

/* Some programs leave the en passant file out of the key, or out of the FEN that they send, where
 * the capture would bare the king: the same position under another key. */
static void pinned_captures_are_found_by_either_key(void **state)
{
    static const char *const pinned[] = {"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
                                         "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1"};
    static const char *const free_pawn[] = {"8/8/8/k7/3Pp2Q/8/8/3K4 b - d3 0 1",
                                            "8/8/8/k7/3Pp2Q/8/8/3K4 b - - 0 1"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        const char *const *fens = i < 2 ? pinned : free_pawn;
        struct position asked;
        struct position kept;
        assert_int_equal(fen_parse(span_of(fens[i % 2]), &asked, NULL), STATUS_OK);
        assert_int_equal(fen_parse(span_of(fens[1 - i % 2]), &kept, NULL), STATUS_OK);
        assert_true(asked.key != kept.key);
        struct book_bytes bytes = {.size = 0};
        put(&bytes, kept.key, i < 2 ? "a4b3" : "a5b5", 1);
        struct book *book = open_bytes(&bytes);
        struct book_move found[1];
        assert_int_equal(book_probe(book, &asked, found, 1), i < 2 ? 1 : 0);
        book_close(book);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pinned_captures_are_found_by_either_key),
        cmocka_unit_test(probing_sums_sorts_and_drops),
        cmocka_unit_test(both_castlings_are_one_move),
        cmocka_unit_test(sums_do_not_wrap),
        cmocka_unit_test(unsorted_books_are_sorted),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(whole_entries_of_a_cut_book_are_used),
        cmocka_unit_test(books_that_begin_as_a_text_are_books),
        cmocka_unit_test(an_ending_breaks_ties),
        cmocka_unit_test(foreign_books_are_refused_by_kind),
        cmocka_unit_test(other_files_are_named_for_what_they_are),
        cmocka_unit_test(endless_files_are_refused_at_once),
        cmocka_unit_test(choosing),
        cmocka_unit_test(builtin_book_opens_every_game),
        cmocka_unit_test(gnuchess_book),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
