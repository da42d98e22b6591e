/* Stores opened as books: which moves they have, and what they tell of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "book/format.h"
#include "book/scoring/record.h"
#include "book/scoring/score_store.h"
#include "chess/attacks.h"
#include "tests/support/any_book.h"

static const struct searcher_identity usual = {.name = "Tester 1.0", .hash_mb = 16};

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static struct score_store *new_store(void)
{
    struct score_store *store = NULL;
    assert_int_equal(score_store_open(NULL, &usual, &store, NULL), STATUS_OK);
    return store;
}

static struct packed_position packed(const char *moves)
{
    struct packed_position out;
    const struct position pos = any_position(moves);
    position_pack(&pos, &out);
    return out;
}

static move move_of(const char *moves, const char *uci)
{
    const struct position pos = any_position(moves);
    move m = MOVE_NONE;
    assert_int_equal(move_from_uci(&pos, span_of(uci), &m), STATUS_OK);
    return m;
}

static void answer(struct score_store *store, const char *moves, int depth, uint64_t nodes,
                   const char *best, int score)
{
    const struct packed_position pos = packed(moves);
    const struct search_answer answer = {
        .best = move_of(moves, best), .score = score, .depth = depth, .nodes = nodes};
    const struct search_limit limit = {SEARCH_NODES, nodes};
    assert_int_equal(score_store_add(store, &pos, limit, &answer, NULL), STATUS_OK);
}

/* A node of White's book (side) with up to three moves, all as probable as each other. */
static void node(struct score_store *store, int side, const char *moves, double probability,
                 const char *const next[3])
{
    struct store_node node = {.pos = packed(moves),
                              .side = side,
                              .state = STORE_EXPANDED,
                              .probability = probability,
                              .ply = (int)(strlen(moves) + 1) / 5};
    while (node.count < 3 && next[node.count])
        node.count++;
    for (int i = 0; i < node.count; i++)
        node.moves[i] = (struct store_move){1 / (double)node.count, move_of(moves, next[i])};
    assert_int_equal(score_store_add_node(store, &node, NULL), STATUS_OK);
}

#define NODE(store, side, moves, probability, ...)                                                 \
    node(store, side, moves, probability, (const char *const[3]){__VA_ARGS__})

/* White: 1. e4, against e5 or c5, which are answered, and a6, which is not. Black: against 1. e4 he
 * plays c6. */
static struct score_store *grown(void)
{
    struct score_store *store = new_store();
    assert_int_equal(score_store_begin_graph(store, NULL), STATUS_OK);
    NODE(store, WHITE, "", 1, "e2e4");
    NODE(store, WHITE, "e2e4", 1, "e7e5", "c7c5", "a7a6");
    NODE(store, WHITE, "e2e4 e7e5", 0.33, "g1f3");
    NODE(store, WHITE, "e2e4 c7c5", 0.33, "b1c3", "g1f3");
    NODE(store, BLACK, "", 1, "e2e4", "d2d4");
    NODE(store, BLACK, "d2d4", 0.5, "g8f6");
    assert_int_equal(score_store_end_graph(store, NULL), STATUS_OK);
    answer(store, "", 12, 1000, "e2e4", 30);
    answer(store, "", 11, 900, "d2d4", 35);
    answer(store, "e2e4 e7e5", 10, 500, "g1f3", 40);
    answer(store, "e2e4 c7c5", 9, 400, "b1c3", -32);
    return store;
}

/* The book of the compact file; the store is closed. Its bytes are freed with *bytes. */
static size_t book_size;

static struct book *as_book(struct score_store *store, char **bytes)
{
    FILE *out = open_memstream(bytes, &book_size);
    assert_non_null(out);
    assert_int_equal(score_store_write(store, out, NULL), STATUS_OK);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(score_store_close(store, NULL), STATUS_OK);
    return any_open(*bytes, book_size);
}

static void close_book(struct book *book, char *bytes)
{
    book_close(book);
    free(bytes);
}

static void moves_of_a_graph(void **state)
{
    (void)state;
    char *bytes;
    struct book *book = as_book(grown(), &bytes);
    assert_string_equal(book_format_name(book), "store of searches");
    assert_string_equal(book_warning(book), "");
    assert_int_equal(any_weight(book, "", "e2e4"), 1);  /* White's own, */
    assert_int_equal(any_weight(book, "", "d2d4"), -1); /* not what Black expects */
    assert_int_equal(any_weight(book, "e2e4", "e7e5"), 21845);
    assert_int_equal(any_weight(book, "e2e4", "c7c5"), 21845);
    assert_int_equal(any_weight(book, "e2e4", "a7a6"), -1); /* has no answer */
    assert_int_equal(any_weight(book, "e2e4 e7e5", "g1f3"), 1);
    assert_int_equal(any_weight(book, "e2e4 c7c5", "b1c3"), 32768); /* one of two */
    assert_int_equal(any_weight(book, "e2e4 c7c5", "g1f3"), 32768);
    assert_int_equal(any_weight(book, "d2d4", "g8f6"), 1);
    assert_int_equal(book_entry_count(book), 7);
    close_book(book, bytes);
}

static void a_chosen_move_goes_before_the_graph(void **state)
{
    (void)state;
    char *bytes;
    struct score_store *store = grown();
    const struct packed_position first = packed("e2e4 c7c5");
    const struct packed_position new = packed("e2e4 a7a6");
    assert_int_equal(
        score_store_choose(store, &first, move_of("e2e4 c7c5", "c2c3"), CHOSEN_BY_LOSSES, 2, NULL),
        STATUS_OK);
    assert_int_equal(
        score_store_choose(store, &new, move_of("e2e4 a7a6", "d2d4"), CHOSEN_BY_HAND, 0, NULL),
        STATUS_OK);
    struct book *book = as_book(store, &bytes);
    assert_int_equal(any_weight(book, "e2e4 c7c5", "b1c3"), -1);
    assert_int_equal(any_weight(book, "e2e4 c7c5", "c2c3"), 1);
    assert_int_equal(any_weight(book, "e2e4 a7a6", "d2d4"), 1);
    assert_int_equal(any_weight(book, "e2e4", "a7a6"), 21845); /* it has an answer now */
    close_book(book, bytes);
}

/* Without a graph: by depth, then nodes; a chosen move all the same. */
static void the_deepest_answers(void **state)
{
    (void)state;
    char *bytes;
    struct score_store *store = new_store();
    const struct packed_position chosen = packed("d2d4");
    answer(store, "", 10, 5000, "d2d4", 1);
    answer(store, "", 12, 3000, "c2c4", 1);
    answer(store, "", 12, 4000, "g1f3", 1);
    answer(store, "", 11, 9000, "e2e4", 1);
    answer(store, "d2d4", 8, 100, "d7d5", 1);
    answer(store, "e2e4", 8, 100, "c7c5", 1);
    assert_int_equal(
        score_store_choose(store, &chosen, move_of("d2d4", "g8f6"), CHOSEN_BY_HAND, 0, NULL),
        STATUS_OK);
    struct book *book = as_book(store, &bytes);
    assert_int_equal(any_weight(book, "", "g1f3"), 1);
    assert_int_equal(any_weight(book, "d2d4", "g8f6"), 1);
    assert_int_equal(any_weight(book, "e2e4", "c7c5"), 1);
    assert_int_equal(book_entry_count(book), 3);
    close_book(book, bytes);
}

/* What it knows of these moves, whatever it plays. */
static void look_up(const struct book *book, const struct position *pos, const move *moves,
                    int count, struct book_facts *out)
{
    book_facts_clear(out);
    for (int i = 0; i < count; i++)
        (void)book_facts_add(out, polyglot_from_move(moves[i]), moves[i]);
    assert_int_equal(book->format->facts(book->state, pos->key, pos, out, NULL), STATUS_OK);
}

static void facts_of_a_position(void **state)
{
    (void)state;
    static struct book_facts facts;
    char *bytes;
    struct score_store *store = grown();
    const struct packed_position pos = packed("e2e4");
    const struct played_games games = {1, 2, 3};
    move replies[3] = {move_of("e2e4", "e7e5"), move_of("e2e4", "c7c5"), move_of("e2e4", "a7a6")};
    assert_int_equal(score_store_add_played(store, &pos, replies[1], 7, &games, NULL, NULL),
                     STATUS_OK);
    assert_int_equal(score_store_choose(store, &pos, replies[2], CHOSEN_BY_WINS, 1, NULL),
                     STATUS_OK);
    answer(store, "e2e4 a7a6", 5, 77, "d2d4", 31998); /* mate in 2 plies */
    struct book *book = as_book(store, &bytes);
    struct position after = any_position("e2e4");
    look_up(book, &after, replies, 3, &facts);
    assert_string_equal(facts.state, "expanded");
    assert_false(facts.own); /* it is White's graph that has it */
    assert_true(facts.probability == 1 && facts.ply == 1);
    assert_true(facts.moves[0].searched && facts.moves[1].searched && facts.moves[2].searched);
    assert_int_equal(facts.moves[0].score, -40);
    assert_int_equal(facts.moves[0].depth, 11); /* a ply more than behind it */
    assert_int_equal(facts.moves[0].nodes, 500);
    assert_int_equal(facts.moves[1].score, 32);
    assert_int_equal(facts.moves[2].score, -31997); /* mated in 3 */
    assert_true(facts.moves[0].probability == 1 / 3.0);
    assert_false(facts.moves[0].chosen);
    assert_true(facts.moves[2].chosen);
    assert_true(facts.moves[1].wins == 1 && facts.moves[1].draws == 2 &&
                facts.moves[1].losses == 3);
    assert_true(facts.moves[0].wins + facts.moves[0].draws + facts.moves[0].losses == 0);

    const struct position start = any_position("");
    move first[2] = {move_of("", "e2e4"), move_of("", "d2d4")};
    look_up(book, &start, first, 2, &facts);
    assert_true(facts.own && facts.ply == 0);
    assert_int_equal(facts.moves[0].score, 30); /* its own search's, not that of a reply */
    assert_int_equal(facts.moves[0].depth, 12);
    assert_false(facts.moves[1].searched); /* the deepest search did not find it */
    assert_true(facts.moves[1].probability < 0);
    close_book(book, bytes);
}

static void other_roots(void **state)
{
    (void)state;
    char *bytes;
    struct score_store *store = new_store();
    struct store_node root = {.pos = packed("e2e4 e7e5"),
                              .side = WHITE,
                              .state = STORE_EXPANDED,
                              .probability = 1,
                              .count = 1,
                              .moves = {{1, move_of("e2e4 e7e5", "f2f4")}}};
    assert_int_equal(score_store_begin_graph(store, NULL), STATUS_OK);
    assert_int_equal(score_store_add_node(store, &root, NULL), STATUS_OK);
    assert_int_equal(score_store_end_graph(store, NULL), STATUS_OK);
    struct book *book = as_book(store, &bytes);
    const struct position pos = any_position("e2e4 e7e5");
    assert_int_equal(book->root_count, 1);
    assert_true(book->roots[0].key == pos.key);
    close_book(book, bytes);
}

static void refused(const char *bytes, size_t size, const char *why)
{
    struct book *book;
    struct diag diag = {.text = ""};
    assert_int_equal(book_open_memory(bytes, size, "x.store", &book, &diag), STATUS_FORMAT);
    if (!strstr(diag.text, why))
        fail_msg("no \"%s\" in: %s", why, diag.text);
    assert_non_null(strstr(diag.text, "x.store: "));
}

struct faults {
    int count;
    enum book_fault last;
    size_t offset;
};

static void take_fault(void *context, enum book_fault fault, const struct diag *diag,
                       const char *offer)
{
    struct faults *faults = context;
    (void)offer;
    faults->count++;
    faults->last = fault;
    faults->offset = diag->offset;
}

/* One remark; the rest is a book. */
static void damaged_stores(void **state)
{
    (void)state;
    enum { FIRST = STORE_HEADER_SIZE };
    char *bytes;
    struct book *book = as_book(grown(), &bytes);
    size_t size = book_size;
    const struct book_format *format = book->format;
    struct faults faults = {.count = 0};
    book_close(book);
    book = any_open(bytes, size - 1);
    assert_string_equal(book_warning(book), "test: the last record is cut: run again what made it");
    book_close(book);
    assert_int_equal(format->check(format, (uint8_t *)bytes, size - 1, NULL, take_fault, &faults),
                     STATUS_OK);
    assert_int_equal(faults.count, 1);
    assert_int_equal(faults.last, BOOK_FAULT_SIZE);
    assert_int_equal(faults.offset, size - STORE_RECORD_SIZE);

    bytes[FIRST + 5 * STORE_RECORD_SIZE] ^= 1;
    faults = (struct faults){.count = 0};
    assert_int_equal(format->check(format, (uint8_t *)bytes, size, NULL, take_fault, &faults),
                     STATUS_OK);
    assert_int_equal(faults.count, 1);
    assert_int_equal(faults.last, BOOK_FAULT_DAMAGE);
    assert_int_equal(faults.offset, FIRST + 5 * STORE_RECORD_SIZE);
    book = any_open(bytes, size); /* the graph is lost, the searches are not */
    assert_string_equal(book_warning(book),
                        "test: 1 damaged record left out: run again what made it");
    assert_int_equal(any_weight(book, "", "e2e4"), 1);
    assert_int_equal(any_weight(book, "d2d4", "g8f6"), -1);
    book_close(book);

    refused(bytes, STORE_HEADER_SIZE, "without a move");
    refused(bytes, STORE_HEADER_SIZE - 1, "ends in its header");
    bytes[9] ^= 1;
    refused(bytes, size, "of version 258, known are 1 to 2");
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_of_a_graph),
        cmocka_unit_test(a_chosen_move_goes_before_the_graph),
        cmocka_unit_test(the_deepest_answers),
        cmocka_unit_test(facts_of_a_position),
        cmocka_unit_test(other_roots),
        cmocka_unit_test(damaged_stores),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
