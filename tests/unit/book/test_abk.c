/* Arena's books. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/book.h"
#include "book/format.h"
#include "book/formats/arena/abk.h"
#include "book/open/open.h"
#include "chess/attacks.h"
#include "tests/support/any_book.h"

enum { RECORDS_MAX = 400, FIRST = ABK_FIRST_RECORD };

static uint8_t file[(FIRST + RECORDS_MAX) * ABK_RECORD_SIZE];
static size_t records;

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static void begin(void)
{
    memset(file, 0, sizeof file);
    memcpy(file, "\3ABK", 4);
    records = 0;
}

static void put(uint8_t *at, int value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)((unsigned)value >> 8 * i);
}

/* Links are counted from the first record; -1 = none. */
static void add(const char *uci, int priority, int games, int child, int sibling)
{
    assert_true(records < RECORDS_MAX);
    uint8_t *at = file + (FIRST + records++) * ABK_RECORD_SIZE;
    at[0] = (uint8_t)square_make(uci[0] - 'a', uci[1] - '1');
    at[1] = (uint8_t)square_make(uci[2] - 'a', uci[3] - '1');
    at[3] = (uint8_t)priority;
    put(at + 4, games);
    put(at + 20, child < 0 ? -1 : FIRST + child);
    put(at + 24, sibling < 0 ? -1 : FIRST + sibling);
}

static size_t file_size(void)
{
    return (FIRST + records) * ABK_RECORD_SIZE;
}

static struct any_faults check(void)
{
    return any_check(&abk_format, file, file_size());
}

static void both_marks_are_known(void **state)
{
    (void)state;
    static const char *const marks[] = {"\3ABK", "\3AB2"};
    for (int i = 0; i < 2; i++) {
        begin();
        memcpy(file, marks[i], 4);
        add("e2e4", 9, 3, 1, -1);
        add("e7e5", 5, 2, -1, -1);
        struct book *book = any_open(file, file_size());
        assert_string_equal(book_format_name(book), "Arena");
        assert_int_equal(any_weight(book, "", "e2e4"), 5);
        assert_int_equal(any_weight(book, "e2e4", "e7e5"), 2);
        book_close(book);
    }
}

static void weights_come_from_games_and_priority(void **state)
{
    (void)state;
    begin();
    add("e2e4", 5, 100, 4, 1);
    add("d2d4", 9, 50, -1, 2);
    add("c2c4", 0, 70, -1, 3);
    add("g1f3", 5, 0, -1, -1);
    add("e7e5", 3, 0, -1, 5); /* a list without games */
    add("c7c5", 7, 0, -1, 6);
    add("e7e6", 0, 0, -1, -1); /* only leads through */
    struct book *book = any_open(file, file_size());
    assert_string_equal(book_format_name(book), "Arena");
    assert_string_equal(book_warning(book), "");
    assert_int_equal(book_entry_count(book), 6);
    assert_int_equal(any_weight(book, "", "e2e4"), 100);
    assert_int_equal(any_weight(book, "", "d2d4"), 90);
    assert_int_equal(any_weight(book, "", "c2c4"), 0);
    assert_int_equal(any_weight(book, "", "g1f3"), 1);
    assert_int_equal(any_weight(book, "e2e4", "e7e5"), 3);
    assert_int_equal(any_weight(book, "e2e4", "c7c5"), 7);
    assert_int_equal(any_weight(book, "e2e4", "e7e6"), -1);
    book_close(book);
}

static void ways_into_a_position_add_up(void **state)
{
    (void)state;
    begin();
    add("g1f3", 5, 6, 2, 1);
    add("g2g3", 5, 4, 4, -1);
    add("g8f6", 5, 6, 3, -1);
    add("g2g3", 5, 6, 6, -1);
    add("g8f6", 5, 4, 5, -1);
    add("g1f3", 5, 4, 7, -1);
    add("g7g6", 5, 6, -1, -1);
    add("g7g6", 5, 4, -1, -1);
    struct book *book = any_open(file, file_size());
    assert_int_equal(any_weight(book, "g2g3 g8f6 g1f3", "g7g6"), 10);
    assert_int_equal(check().sum, 0);
    book_close(book);
}

static void check_one(enum book_fault fault, const char *part)
{
    struct any_faults faults = check();
    assert_true(faults.counts[fault] > 0);
    if (!strstr(faults.first.text, part))
        fail_msg("no \"%s\" in \"%s\"", part, faults.first.text);
}

static void faults_name_the_record(void **state)
{
    (void)state;
    begin();
    add("e2e5", 5, 1, 1, 2);
    add("e7e5", 5, 1, -1, -1);
    add("d2d4", 5, 1, -1, -1);
    check_one(BOOK_FAULT_ILLEGAL, "record 900: e2e5 is illegal in rnbqkbnr/");
    assert_int_equal(check().counts[BOOK_FAULT_ORDER], 1); /* record 901 */

    begin();
    add("e2e4", 5, 1, 77, -1);
    check_one(BOOK_FAULT_LINK, "record 900: the answer is no record of the file: 977");

    begin();
    add("e2e4", 5, 1, -1, 77);
    check_one(BOOK_FAULT_LINK, "record 900: the next choice is no record of the file: 977");

    begin();
    add("e2e4", 5, 1, -1, 1);
    add("e2e4", 5, 1, -1, -1);
    check_one(BOOK_FAULT_DUPLICATE, "record 901: the same move as in record 900");

    begin();
    add("e2e4", 5, 1, -1, -1);
    file[FIRST * ABK_RECORD_SIZE] = 200;
    check_one(BOOK_FAULT_SYNTAX, "record 900: ? is no move");
}

static void castling_is_the_kings_journey(void **state)
{
    (void)state;
    static const char *const moves[] = {"g1f3", "g8f6", "g2g3", "g7g6", "f1g2", "f8g7", "e1h1"};
    begin();
    for (int i = 0; i < 7; i++)
        add(moves[i], 5, 1, i < 6 ? i + 1 : -1, -1);
    check_one(BOOK_FAULT_CASTLING, "record 906: castling is the king's journey here, not e1h1");
    struct book *book = any_open(file, file_size());
    assert_int_equal(any_weight(book, "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7", "e1g1"), 1);
    book_close(book);
}

static void loops_end(void **state)
{
    (void)state;
    begin();
    add("e2e4", 5, 1, 0, 0);
    struct any_faults faults = check();
    assert_int_equal(faults.counts[BOOK_FAULT_LOOP], 2); /* choices, and its own answer */

    /* The knights go round and come back to the start: the same position, so nothing is wrong. */
    begin();
    add("g1f3", 5, 1, 1, -1);
    add("g8f6", 5, 1, 2, -1);
    add("f3g1", 5, 1, 3, -1);
    add("f6g8", 5, 1, 0, -1);
    assert_int_equal(check().sum, 0);
    struct book *book = any_open(file, file_size());
    assert_int_equal(book_entry_count(book), 4);
    book_close(book);
}

/* Two ways on from every list, both to the next one: 2^90 lines in 180 records. */
static void shared_lists_do_not_multiply(void **state)
{
    (void)state;
    static const char *const ways[4][2] = {
        {"g1f3", "b1c3"}, {"g8f6", "b8c6"}, {"f3g1", "c3b1"}, {"f6g8", "c6b8"}};
    begin();
    for (int i = 0; i < 90; i++) {
        int child = i < 89 ? 2 * i + 2 : -1;
        add(ways[i % 4][0], 5, 1, child, 2 * i + 1);
        add(ways[i % 4][1], 5, 1, child, -1);
    }
    struct any_faults faults = check();
    assert_true(faults.counts[BOOK_FAULT_LOOP] > 0);
    struct book *book = any_open(file, file_size());
    assert_true(book_entry_count(book) <= 180);
    book_close(book);
}

/* Many positions whose choices all end in the choices of one of them: each record is read once. */
static void shared_ends_do_not_multiply(void **state)
{
    (void)state;
    enum { ENDS = 15, HEADS = 15 };
    const char *const ends[] = {"a7a6", "b7b6", "c7c6", "d7d6", "e7e6", "f7f6", "g7g6", "h7h6",
                                "a7a5", "b7b5", "c7c5", "d7d5", "e7e5", "f7f5", "g7g5"};
    const char *const firsts[] = {"a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3", "g2g3", "h2h3",
                                  "a2a4", "b2b4", "c2c4", "d2d4", "e2e4", "f2f4", "g2g4"};
    begin();
    for (int i = 0; i < HEADS; i++) /* White's moves, each with an answer of its own .. */
        add(firsts[i], 5, 1, HEADS + i, i + 1 < HEADS ? i + 1 : -1);
    for (int i = 0; i < HEADS; i++) /* .. which goes on with those of all */
        add("b8c6", 5, 1, -1, 2 * HEADS);
    for (int i = 0; i < ENDS; i++)
        add(ends[i], 5, 1, -1, i + 1 < ENDS ? 2 * HEADS + i + 1 : -1);
    assert_int_equal(check().counts[BOOK_FAULT_LOOP], HEADS - 1);
    struct book *book = any_open(file, file_size());
    assert_true(book_entry_count(book) <= records);
    book_close(book);
}

static void a_cut_file_is_named(void **state)
{
    (void)state;
    struct diag diag;
    struct book *book = NULL;
    begin();
    add("e2e4", 5, 1, -1, -1);
    struct any_faults faults = any_check(&abk_format, file, file_size() + 5);
    assert_int_equal(faults.counts[BOOK_FAULT_SIZE], 1);
    assert_int_equal(faults.first.offset, file_size());
    for (size_t size = 4; size < file_size(); size += 1000)
        assert_int_equal(book_open_memory(file, size, "cut.abk", &book, &diag), STATUS_FORMAT);
}

static void written_and_read_again(void **state)
{
    (void)state;
    static const char text[] =
        "[Event \"x\"]\n\n1. e4 {[%weight 70000]} (1. Nf3 {[%weight 3]} Nf6 {[%weight 1]} 2. g3 "
        "{[%weight 9]}) (1. f3 {[%weight 0]}) (1. g3 {[%weight -]} Nf6 {[%weight 4]} 2. Nf3 "
        "{[%weight 8]} g6 {[%weight 7]}) 1... e5 {[%weight 2]} 2. Nf3 {[%weight 1]} Nc6 "
        "{[%weight 1]} 3. Bc4 {[%weight 5]} Bc5 {[%weight 5]} 4. O-O {[%weight 6]} *\n";
    struct book *book = any_open_text(text);
    size_t size;
    char *bytes = any_write(book, "abk", &size);
    struct any_faults faults = any_check(&abk_format, bytes, size);
    assert_int_equal(faults.sum, 0);
    struct book *again = any_open(bytes, size);
    any_assert_equal(book, again);
    assert_int_equal(any_weight(again, "", "e2e4"), 70000);
    assert_int_equal(any_weight(again, "", "f2f3"), 0);
    assert_int_equal(any_weight(again, "", "g2g3"), -1);
    assert_int_equal(any_weight(again, "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "e1g1"), 6);
    book_close(again);
    free(bytes);
    book_close(book);
}

static void results_and_priorities_are_kept(void **state)
{
    (void)state;
    begin();
    add("e2e4", 9, 100, -1, 1);
    add("d2d4", 0, 50, -1, -1);
    put(file + FIRST * ABK_RECORD_SIZE + 8, 60);
    put(file + FIRST * ABK_RECORD_SIZE + 12, 15);
    struct book *book = any_open(file, file_size());
    size_t size = 0;
    char *written = any_write(book, "abk", &size);
    book_close(book);
    book = any_open(written, size);
    struct position start = any_position("");
    const move moves[] = {move_make(square_make(4, 1), square_make(4, 3)),
                          move_make(square_make(3, 1), square_make(3, 3)), move_make(G1, F1 + 16)};
    struct book_facts facts;
    book_facts_clear(&facts);
    for (int i = 0; i < 3; i++)
        (void)book_facts_add(&facts, polyglot_from_move(moves[i]), moves[i]);
    assert_int_equal(book->format->facts(book->state, start.key, &start, &facts, NULL), STATUS_OK);
    assert_int_equal(facts.moves[0].games, 100);
    assert_int_equal(facts.moves[0].won, 60);
    assert_int_equal(facts.moves[0].lost, 15);
    assert_int_equal(facts.moves[0].priority, 9);
    assert_int_equal(facts.moves[1].games, 50);
    assert_int_equal(facts.moves[1].priority, 0);
    assert_false(facts.moves[2].has_record);
    book_close(book);
    free(written);
}

/* Two ways into a position whose moves have other priorities there, with and without games. */
static void weights_of_two_ways_are_kept(void **state)
{
    (void)state;
    for (int games = 0; games <= 1; games++) {
        begin();
        add("g1f3", 5, 6, 2, 1);
        add("g2g3", 5, 4, 4, -1);
        add("g8f6", 5, 6, 3, -1);
        add("g2g3", 5, 6, 6, -1);
        add("g8f6", 5, 4, 5, -1);
        add("g1f3", 5, 4, 8, -1);
        add("g7g6", 5, 10 * games, -1, 7);
        add("d7d6", 5, 60 * games, -1, -1);
        add("g7g6", games ? 0 : 9, 90 * games, -1, 9);
        add("d7d6", 7, 40 * games, -1, -1);
        struct book *book = any_open(file, file_size());
        assert_int_equal(any_weight(book, "g2g3 g8f6 g1f3", "g7g6"), games ? 10 : 14);
        assert_int_equal(any_weight(book, "g2g3 g8f6 g1f3", "d7d6"), games ? 116 : 12);
        size_t size = 0;
        char *written = any_write(book, "abk", &size);
        struct book *again = any_open(written, size);
        any_assert_equal(book, again);
        book_close(again);
        book_close(book);
        free(written);
    }
}

static void promotions_are_kept(void **state)
{
    (void)state;
    static const char text[] =
        "[Event \"x\"]\n\n1. a4 b5 2. axb5 a6 3. bxa6 Nc6 4. a7 Nb8 5. axb8=R "
        "(5. axb8=Q) (5. axb8=N) (5. axb8=B) *\n";
    struct book *book = any_open_text(text);
    assert_string_equal(book_warning(book), "");
    size_t size;
    char *bytes = any_write(book, "abk", &size);
    struct book *again = any_open(bytes, size);
    any_assert_equal(book, again);
    book_close(again);
    free(bytes);
    book_close(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_marks_are_known),
        cmocka_unit_test(weights_come_from_games_and_priority),
        cmocka_unit_test(ways_into_a_position_add_up),
        cmocka_unit_test(faults_name_the_record),
        cmocka_unit_test(castling_is_the_kings_journey),
        cmocka_unit_test(loops_end),
        cmocka_unit_test(shared_lists_do_not_multiply),
        cmocka_unit_test(shared_ends_do_not_multiply),
        cmocka_unit_test(a_cut_file_is_named),
        cmocka_unit_test(written_and_read_again),
        cmocka_unit_test(results_and_priorities_are_kept),
        cmocka_unit_test(weights_of_two_ways_are_kept),
        cmocka_unit_test(promotions_are_kept),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
