/* makebook vet: a planted blunder is found and taken out, all else stays; the same report with any
 * number of threads and after kills; marks; one line for what cannot be. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/scoring/record.h"
#include "chess/attacks.h"
#include "makebook.h"
#include "tests/support/book_file.h"

/* Short searches. */
#define SHORT "--depth", "8", "--scan", "8", "--confirm", "10"

enum { POLL_MS = 1 };

#define KNIGHTS "e2e4 e7e5 g1f3 b8c6"
#define GAMBIT  "d2d4 d7d5 c2c4"

static const struct book_line sound[] = {
    {"e2e4", 5},
    {"d2d4", 4},
    {"e2e4 e7e5", 1},
    {"e2e4 e7e5 g1f3", 1},
    {KNIGHTS, 1},
    {KNIGHTS " f1b5", 6},
    {KNIGHTS " f1c4", 3},
    {KNIGHTS " f1b5 a7a6", 2},
    {KNIGHTS " f1b5 a7a6 b5a4", 2},
    {KNIGHTS " f1c4 g8f6", 2},
    {"d2d4 d7d5", 1},
    {GAMBIT, 1},
    {GAMBIT " e7e6", 3},
    {GAMBIT " c7c6", 2},
    {GAMBIT " e7e6 b1c3", 1},
    {GAMBIT " e7e6 b1c3 g8f6", 1},
};

enum { SOUND = sizeof sound / sizeof *sound };

/* A knight for a pawn; what follows hangs on it. */
static const struct book_line planted[] = {
    {KNIGHTS " f3e5", 2},
    {KNIGHTS " f3e5 c6e5", 1},
    {KNIGHTS " f3e5 c6e5 d2d4", 1},
};

enum { PLANTED = sizeof planted / sizeof *planted };

static int set_up(void **state)
{
    (void)state;
    struct book_line all[SOUND + PLANTED];
    chess_init();
    for (int i = 0; i < SOUND + PLANTED; i++)
        all[i] = i < SOUND ? sound[i] : planted[i - SOUND];
    if (create_folder() != 0 || !book_write(path_of("sound.bin"), sound, SOUND) ||
        !book_write(path_of("planted.bin"), all, SOUND + PLANTED))
        return -1;
    return MAKEBOOK("vet", "planted.bin", SHORT, "--drop", "-o", "one.bin", "--threads", "1",
                    "--json");
}

static void a_planted_blunder_falls(void **state)
{
    (void)state;
    assert_same_files("one.bin", "sound.bin");
    assert_int_equal(MAKEBOOK("vet", "planted.bin", SHORT, "--drop", "-o", "two.bin", "--store",
                              path_of("one.bin.store")),
                     0);
    assert_string_equal(result.errors, "");
    assert_says(result.output, "planted.bin: Polyglot, 19 moves looked at in ");
    assert_says(result.output, "moves that lose 120 centipawns or more at once: 1\n");
    assert_says(result.output, "  18.2%");
    assert_says(result.output, "  1. e4 e5 2. Nf3 Nc6 3. Nxe5\n");
    assert_says(result.output, "positions that fall with them: 2\n    1 move   1. e4 e5 2. Nf3 Nc6 "
                               "3. Nxe5\n    1 move   1. e4 e5 2. Nf3 Nc6 3. Nxe5 Nxe5\n");
    assert_says(result.output, "two.bin: Polyglot, 3 entries left out\n");
    assert_says(result.output, "searches made now: 0, 0 nodes");
    assert_same_files("two.bin", "sound.bin");
    /* A book without blunders stays as it is. */
    assert_int_equal(MAKEBOOK("vet", "sound.bin", SHORT, "--drop", "-o", "same.bin", "--store",
                              path_of("one.bin.store"), "-q"),
                     0);
    assert_string_equal(result.output, "");
    assert_same_files("same.bin", "sound.bin");
}

/* Every kind of book is looked at alike; what another kind holds is the same. */
static void any_kind(void **state)
{
    (void)state;
    static const char *const kinds[] = {"k.abk", "k.epd", "k.pgn", "k.lines", "k.tree"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        assert_int_equal(RUN("convert", path_of("planted.bin"), path_of(kinds[i]), "-q"), 0);
        assert_int_equal(RUN("vet", path_of(kinds[i]), SHORT, "--drop", "-o", path_of("kind.bin"),
                             "--store", path_of("one.bin.store"), "-q"),
                         0);
        assert_same_files("kind.bin", "sound.bin");
        assert_int_equal(RUN("vet", path_of("planted.bin"), SHORT, "--drop", "-o",
                             path_of(kinds[i]), "--store", path_of("one.bin.store"), "-q"),
                         0);
        assert_int_equal(RUN("convert", path_of(kinds[i]), path_of("back.bin"), "-q"), 0);
        assert_same_files("back.bin", "sound.bin");
    }
}

/* 7... Bxc5 8. Nxc5 Qa5+ gets the bishop back: captures alone do not see it. */
static void a_combination_is_no_blunder(void **state)
{
    (void)state;
    write_text("fork.txt", "r1bqkbnr/pp3ppp/2n5/2P5/N2p4/5N2/PP2PPPP/R1BQKB1R b KQkq - bm Bxc5;\n");
    assert_int_equal(MAKEBOOK("vet", "fork.txt", SHORT), 0);
    assert_says(result.output, "no move loses 120 centipawns or more");
    assert_says(result.output, "and no line ends so far down");
}

static void sides_and_giveaways(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("vet", "planted.bin", SHORT, "--color", "black", "--store",
                              path_of("one.bin.store")),
                     0);
    assert_says(result.output, " 9 moves looked at");
    assert_says(result.output, "no move loses 120 centipawns or more");
    assert_int_equal(MAKEBOOK("vet", "planted.bin", SHORT, "--color", "white", "--giveaways",
                              "--store", path_of("one.bin.store")),
                     0);
    assert_says(result.output, "or more at once: 1\n");
    assert_null(strstr(result.output, "bad leaves:"));
    assert_says(result.output, "        1       -  ");
    assert_int_equal(MAKEBOOK("vet", "planted.bin", SHORT, "--color", "white", "--giveaways",
                              "--store", path_of("one.bin.store"), "--json"),
                     0);
    assert_says(result.output, "\"bad_leaves\": null, \"bad_leaves_unblamed\": null, ");
    assert_says(result.output, "\"lines\": null, ");
    assert_says(result.output, "\"leaves\": 1, \"bad_leaves\": null, \"share_permille\"");
    assert_int_equal(MAKEBOOK("vet", "planted.bin", "--nodes", "20000", "--scan", "20000",
                              "--confirm", "40000", "--threads", "2"),
                     0);
    assert_says(result.output, "or more at once: 1\n");
}

/* The first look is deep enough for it, whatever --depth is. */
static void the_usual_first_look_sees_it(void **state)
{
    (void)state;
    static const char *const depths[] = {"8", "10"};
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        assert_int_equal(MAKEBOOK("vet", "planted.bin", "--giveaways", "--depth", depths[i],
                                  "--confirm", "10", "--store", path_of("one.bin.store")),
                         0);
        assert_says(result.output, "or more at once: 1\n");
    }
}

static void weights_are_divided(void **state)
{
    (void)state;
    assert_int_equal(MAKEBOOK("vet", "planted.bin", SHORT, "--down-weight", "2", "-o", "less.bin",
                              "--store", path_of("one.bin.store")),
                     0);
    assert_says(result.output, ", 1 weights divided by 2\n");
    assert_int_equal(MAKEBOOK("diff", "planted.bin", "less.bin"), 1);
    assert_says(result.output, "18.18%   10.00%  1. e4 e5 2. Nf3 Nc6 3. Nxe5");
}

static void mates_are_shown_as_mates(void **state)
{
    (void)state;
    write_text("mate.pgn", "[White \"Me\"]\n\n1. f3 e5 2. g4 d5 (2... Qh4#) *\n");
    assert_int_equal(MAKEBOOK("vet", "mate.pgn", "--scan", "4", "--confirm", "8", "--depth", "8"),
                     0);
    assert_says(result.output, "    #-1 ");
    assert_says(result.output, "     #1  Qh4# ");
    assert_int_equal(
        MAKEBOOK("vet", "mate.pgn", "--scan", "4", "--confirm", "8", "--depth", "8", "--json"), 0);
    assert_says(result.output, "\"score_mate\": -1, \"better_cp\": ");
    assert_says(result.output, "\"better_mate\": 1, ");
}

static void moves_are_marked(void **state)
{
    (void)state;
    static char text[FILE_MAX];
    assert_int_equal(MAKEBOOK("vet", "planted.bin", SHORT, "--mark", "-o", "marked.pgn", "--store",
                              path_of("one.bin.store"), "-q"),
                     0);
    text[read_bytes("marked.pgn", text)] = '\0';
    assert_says(text, "3. Nxe5 $4 {[%weight 2]}");
    assert_int_equal(MAKEBOOK("convert", "marked.pgn", "marked.bin", "-q"), 0);
    assert_same_files("marked.bin", "planted.bin");
    assert_int_equal(RUN("vet", path_of("planted.bin"), SHORT, "--mark", "-o",
                         path_of("marked.epd"), "--store", path_of("one.bin.store"), "-q"),
                     0);
    text[read_bytes("marked.epd", text)] = '\0';
    assert_says(text, " c1 \"Nxe5??\";\n");
    assert_int_equal(RUN("convert", path_of("marked.epd"), path_of("marked.bin"), "-q"), 0);
    assert_same_files("marked.bin", "planted.bin");
}

/* Starts a vet and kills it when its store has so many bytes, unless it is done before. */
static void kill_at(int64_t bytes)
{
    const struct {
        const char *words[20];
    } start = {{process_binary("MAKEBOOK_BINARY"), "vet", path_of("planted.bin"), SHORT, "--drop",
                "-o", path_of("killed.bin"), "--json", "--threads", "3", NULL}};
    struct process *process = process_start(start.words);
    struct stat info, done;
    (void)unlink(path_of("killed.bin"));
    while ((stat(path_of("killed.bin.store"), &info) != 0 || info.st_size < bytes) &&
           stat(path_of("killed.bin"), &done) != 0)
        (void)process_is_silent(process, "-", POLL_MS);
    process_signal(process, SIGKILL);
    int status = process_wait(process);
    assert_true(status == 128 + SIGKILL || status == 0);
    process_destroy(process);
}

/* A report as JSON in a file; the name of the book is the same. */
static void keep_report(const char *name, const char *threads, const char *output)
{
    assert_int_equal(RUN("vet", path_of("planted.bin"), SHORT, "--drop", "-o", path_of(output),
                         "--json", "--threads", threads),
                     0);
    write_text(name, result.output);
}

static void threads_and_kills_do_not_matter(void **state)
{
    (void)state;
    static const int records[] = {1, 9, 20, 25};
    keep_report("by_one.txt", "1", "by_one.bin");
    keep_report("by_four.txt", "4", "by_four.bin");
    assert_same_files("by_one.txt", "by_four.txt");
    assert_same_files("by_one.bin", "by_four.bin");
    for (size_t i = 0; i < sizeof records / sizeof *records; i++)
        kill_at(STORE_HEADER_SIZE + records[i] * STORE_RECORD_SIZE);
    keep_report("killed.txt", "2", "killed.bin");
    assert_same_files("by_one.txt", "killed.txt");
    assert_same_files("by_one.bin", "killed.bin");
}

static void a_book_without_order(void **state)
{
    (void)state;
    /* A move that is illegal, one that no line leads to, and one that comes back to the start. */
    static const struct book_line lines[] = {{"g1f3", 1},
                                             {"g1f3 g8f6", 1},
                                             {"g1f3 g8f6 f3g1", 1},
                                             {"g1f3 g8f6 f3g1 f6g8", 1},
                                             {"a2a3 a7a6 b2b3 b7b6", 1}};
    assert_true(book_write(path_of("odd.bin"), lines, 5));
    char bytes[FILE_MAX];
    struct position pos;
    position_start(&pos);
    size_t size = read_bytes("odd.bin", bytes);
    for (size_t i = 0; i < size; i += BOOK_ENTRY_SIZE) { /* e2e5 before 1. Nf3: the same key */
        unsigned char key[8];
        book_put_number(key, pos.key, 8);
        if (memcmp(bytes + i, key, 8) != 0)
            continue;
        memmove(bytes + i + BOOK_ENTRY_SIZE, bytes + i, size - i);
        bytes[i + 8] = 12 << 6 >> 8;
        bytes[i + 9] = (char)(12 << 6 | 36);
        size += BOOK_ENTRY_SIZE;
        break;
    }
    FILE *file = fopen(path_of("odd.bin"), "wb");
    assert_non_null(file);
    assert_true(fwrite(bytes, size, 1, file) == 1);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(
        MAKEBOOK("vet", "odd.bin", SHORT, "--margin", "500", "--drop", "-o", "even.bin"), 0);
    assert_says(result.errors, "1 of 5 positions are not looked at: no line leads there, as "
                               "where rare moves were left out\n");
    assert_says(result.output, "4 moves looked at in 4 positions, 0 leaves");
    assert_says(result.errors, "even.bin: 1 illegal move left out");
    assert_int_equal(MAKEBOOK("verify", "even.bin"), 0);
}

/* One line each, nothing written. */
static void bad_input(void **state)
{
    (void)state;
    static const struct book_line lost[] = {{"a2a3 a7a6 b2b3 b7b6", 1}};
    static const struct book_line one[] = {{"g2g4", 1}};
    static const struct {
        const char *words[WORDS_MAX];
        int status;
        const char *errors;
    } cases[] = {
        {{"vet", "none.bin"}, 1, "none.bin: No such file or directory\n"},
        {{"vet"}, 2, "makebook vet"},
        {{"vet", "lost.bin"}, 1, "lost.bin: no line leads to a move of it\n"},
        {{"vet", "planted.bin", "--drop"}, 2, "-o OUT goes with one of --drop"},
        {{"vet", "planted.bin", "-o", "x.bin"}, 2, "-o OUT goes with one of --drop"},
        {{"vet", "planted.bin", "-o", "x.bin", "--drop", "--mark"}, 2, "one of --drop, "},
        {{"vet", "planted.bin", "-o", "x.bin", "--mark"}, 2, "marks can stand in .pgn and .epd"},
        {{"vet", "planted.bin", "-o", "x.wld", "--drop"}, 2, "not statistics (.wld)"},
        {{"vet", "planted.bin", "-o", "planted.bin", "--drop"}, 2, "it would be lost"},
        {{"vet", "planted.bin", "--store", "planted.bin"}, 2, "it would be lost"},
        {{"vet", "planted.bin", "-o", "x.bin", "--drop", "--store", "x.bin"}, 2, "another name"},
        {{"vet", "planted.bin", "--margin", "801"}, 2, "--margin"},
        {{"vet", "planted.bin", "--depth", "6", "--nodes", "6"}, 2, "--nodes: not with --depth"},
        {{"vet", "planted.bin", "--scan", "999999"}, 2, "no search goes deeper than "},
        {{"vet", "planted.bin", "--scan", "11"}, 2, "--scan is larger than --depth, 10;"},
        {{"vet", "planted.bin", "--nodes", "8", "--scan", "9"}, 2, "larger than --nodes, 8;"},
        {{"vet", "planted.bin", "--confirm", "7"}, 2, "--confirm is less than --scan, 8;"},
        {{"vet", "planted.bin", "--depth", "6", "--confirm", "5"}, 2, "less than --scan, 6;"},
        {{"vet", "one.bin.store"}, 1, "one.bin.store: "},
        {{"vet", "g4.bin", SHORT, "--margin", "60", "--drop", "-o", "x.bin"}, 1, "no move is left"},
    };
    assert_true(book_write(path_of("lost.bin"), lost, 1));
    assert_true(book_write(path_of("g4.bin"), one, 1));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status = makebook(cases[i].words);
        if (status != cases[i].status)
            fail_msg("case %zu: status %d: %s", i, status, result.errors);
        assert_says(result.errors, cases[i].errors);
        assert_false(exists("x.bin"));
        assert_false(exists("x.wld"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planted_blunder_falls),
        cmocka_unit_test(any_kind),
        cmocka_unit_test(a_combination_is_no_blunder),
        cmocka_unit_test(sides_and_giveaways),
        cmocka_unit_test(the_usual_first_look_sees_it),
        cmocka_unit_test(weights_are_divided),
        cmocka_unit_test(mates_are_shown_as_mates),
        cmocka_unit_test(moves_are_marked),
        cmocka_unit_test(threads_and_kills_do_not_matter),
        cmocka_unit_test(a_book_without_order),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
