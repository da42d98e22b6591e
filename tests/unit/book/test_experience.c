/* Experience files of Stockfish's forks: keys, moves and layouts against what the programs write,
 * damage and repair, sums by depth, and both ways between them and stores. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "base/file.h"
#include "base/rng.h"
#include "book/format.h"
#include "book/formats/experience/experience.h"
#include "book/scoring/score_store.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "eval/eval.h"
#include "search/score.h"
#include "tests/support/any_book.h"

#define SUGAR_FILE TEST_DATA_DIR "/experience/sugar_ai_230.exp"
#define BRAIN_FILE TEST_DATA_DIR "/experience/brainlearn_30.exp"
#define F          "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R "
#define G          "r3k2r/pppqbppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R3K2R "

static const char mark[] = "SugaR Experience version 2";

enum { MARK = sizeof mark - 1, RECORD = 24, FILE_BYTES = 4000 };

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static struct position position_of(const char *fen)
{
    struct position pos;
    if (*fen != 'r' && !strchr(fen, '/'))
        return any_position(fen);
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    return pos;
}

/* Of the programs, by their own output; the last two were computed. */
static void keys_of_both_families(void **state)
{
    (void)state;
    static const struct {
        const char *position; /* moves from the start, or a FEN */
        uint64_t a;
        uint64_t b;
    } rows[] = {
        {"", 0xB4D30CD15A43432D, 0x8F8F01D4562F59FB},
        {"e2e4", 0x6BDFF9FE4592E7A4, 0xB46022469E3DD31B},
        {"e2e4 e7e5", 0x2A80F6B24B7DC88B, 0x11DCFBB74711D25D},
        {"g1f3 g8f6 b1c3", 0xAFD9B17B64705B4F, 0x70666AC3BFDF6FF0},
        {"b1c3 g8f6 g1f3", 0xAFD9B17B64705B4F, 0x70666AC3BFDF6FF0},
        {"e2e4 a7a6 e4e5 d7d5", 0x52F5B9DF3E46B85B, 0x69A9B4DA322AA28D},
        {"rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3", 0x3E1A82CC23336419,
         0x05468FC92F5F7ECF},
        {F "w KQkq - 6 12", 0x554A9056BC023F45, 0x6E169D53B06E2593},
        {F "w KQkq - 13 12", 0x554A9056BC023F45, 0x6E169D53B06E2593},
        {F "w KQ - 6 12", 0xE9A2F6341876C832, 0x5CB6D7AA4B8E9596},
        {F "w - - 6 12", 0x02F91CE7856B1055, 0x651142A325A31FCC},
        {F "w KQkq - 14 12", 0x414FEB284B65BE0A, 0x7A13E62D4709A4DC},
        {F "w KQkq - 21 12", 0x414FEB284B65BE0A, 0x7A13E62D4709A4DC},
        {F "w KQkq - 22 12", 0x391DFFFAFFFF3F39, 0x0241F2FFF39325EF},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0x407A48FDE2803A33, 0x279216B9424835AA},
        {"4k3/8/8/8/8/8/8/4K3 b - - 0 1", 0x046CBEE4FCB94F96, 0x8767361D8BB26E66},
    };
    struct experience_keys a;
    struct experience_keys b;
    experience_keys_make(EXPERIENCE_KEYS_A, &a);
    experience_keys_make(EXPERIENCE_KEYS_B, &b);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct position pos = position_of(rows[i].position);
        assert_true(experience_key(&a, &pos) == rows[i].a);
        assert_true(experience_key(&b, &pos) == rows[i].b);
    }
}

/* Files that a test writes. -------------------------------------------------------------------- */

struct file {
    uint8_t bytes[FILE_BYTES];
    size_t size;
};

static struct file sugar_file(void)
{
    struct file file = {.size = MARK};
    memcpy(file.bytes, mark, MARK);
    return file;
}

/* In the layout and with the keys that the file has. */
static void put_key(struct file *file, uint64_t key, uint32_t code, int score, int depth,
                    uint32_t last)
{
    uint8_t *at = file->bytes + file->size;
    bool is_sugar = memcmp(file->bytes, mark, MARK) == 0;
    assert_true(file->size + RECORD <= FILE_BYTES);
    bytes_put_le(at, key, 8);
    bytes_put_le(at + (is_sugar ? 8 : 16), code, 4);
    bytes_put_le(at + 12, (uint64_t)(int64_t)score, 4);
    bytes_put_le(at + (is_sugar ? 16 : 8), (uint64_t)(int64_t)depth, 4);
    bytes_put_le(at + 20, last, 4);
    file->size += RECORD;
}

static void put(struct file *file, const char *position, uint32_t code, int score, int depth,
                uint32_t last)
{
    bool is_sugar = memcmp(file->bytes, mark, MARK) == 0;
    struct experience_keys keys;
    const struct position pos = position_of(position);
    experience_keys_make(is_sugar ? EXPERIENCE_KEYS_A : EXPERIENCE_KEYS_B, &keys);
    put_key(file, experience_key(&keys, &pos), code, score, depth, last);
}

static struct book *open_file(const struct file *file)
{
    return any_open(file->bytes, file->size);
}

/* What the book knows of a move: "weight score depth", "" for nothing. */
static const char *known(const struct book *book, const char *position, const char *uci)
{
    static char text[80];
    static struct book_facts facts;
    const struct position pos = position_of(position);
    move m;
    *text = '\0';
    assert_int_equal(move_from_uci(&pos, span_of(uci), &m), STATUS_OK);
    assert_int_equal(book_look_up(book, &pos, &facts, NULL), STATUS_OK);
    for (int i = 0; i < facts.count; i++)
        if (facts.moves[i].move == m)
            (void)snprintf(text, sizeof text, "%u %d %d", (unsigned)facts.moves[i].weight,
                           score_is_mate(facts.moves[i].score)
                               ? facts.moves[i].score
                               : eval_centipawns(facts.moves[i].score),
                           facts.moves[i].depth);
    return text;
}

enum { E2E4 = 0x031C, D2D4 = 0x02DB, E7E5 = 0x0D24, G1F3 = 0x0195 };

/* The data of the tests --------------------------------------------------------------------- */

/* The searches that both files were made of, and what SugaR showed for each. The later searches of
 * a position are joined: 23, 24 and 27, 28 are two moves each. */
static void files_of_two_programs(void **state)
{
    (void)state;
    static const struct {
        const char *position;
        const char *uci;
        int sugar; /* centipawns or a mate */
    } rows[] = {
        {"", "e2e4", 53},
        {"8/P6k/8/8/8/8/7K/8 w - - 0 1", "a7a8q", 5662},
        {"8/P6k/8/8/8/8/7K/8 w - - 0 1", "a7a8n", 0},
        {"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", 31999},
        {"e2e4 a7a6 e4e5 d7d5", "e5d6", -53},
        {G "w KQkq - 6 8", "e1h1", 60},
        {G "w KQkq - 6 8", "e1a1", 53},
    };
    struct book *sugar = any_open_file(SUGAR_FILE);
    struct book *brain = any_open_file(BRAIN_FILE);
    assert_string_equal(book_format_name(sugar), "experience file");
    assert_int_equal(book_entry_count(sugar), 22);
    assert_int_equal(book_entry_count(brain), 25);
    assert_int_equal(sugar->position_count, 18);
    assert_int_equal(brain->position_count, 18);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char wanted[40];
        (void)snprintf(wanted, sizeof wanted, "1 %d 10", rows[i].sugar);
        assert_string_equal(known(sugar, rows[i].position, rows[i].uci), wanted);
        if (i > 0)
            assert_true(*known(brain, rows[i].position, rows[i].uci));
    }
    assert_true(*known(brain, "", "g1f3"));
    book_close(sugar);
    book_close(brain);
}

/* Written as it was, and by way of the other family and back. */
static void written_and_read_back(void **state)
{
    (void)state;
    static const char *const names[] = {"exp-sugar", "exp-brainlearn"};
    for (int i = 0; i < 2; i++) {
        size_t sizes[3];
        struct book *book = any_open_file(i ? BRAIN_FILE : SUGAR_FILE);
        char *first = any_write(book, "exp", &sizes[0]);
        struct book *again = any_open(first, sizes[0]);
        char *second = any_write(again, names[i], &sizes[1]);
        assert_int_equal(sizes[0], (i ? 0 : MARK) + (size_t)RECORD * book_entry_count(book));
        assert_int_equal(sizes[0], sizes[1]);
        assert_memory_equal(first, second, sizes[0]);
        assert_string_equal(book_warning(again), "");
        /* Of the other family what lines reach. */
        char *other = any_write(again, names[!i], &sizes[2]);
        struct book *there = any_open(other, sizes[2]);
        assert_int_equal(sizes[2], i ? MARK + 3 * RECORD : 2 * RECORD);
        assert_true(*known(there, "", i ? "g1f3" : "e2e4"));
        book_close(there);
        book_close(again);
        book_close(book);
        free(other);
        free(second);
        free(first);
    }
}

/* Records ------------------------------------------------------------------------------------ */

static void both_layouts_say_the_same(void **state)
{
    (void)state;
    struct file sugar = sugar_file();
    struct file brain = {.size = 0};
    struct file old = {.bytes = "SugaR", .size = 5};
    put(&sugar, "", E2E4, 104, 20, 3);
    put(&sugar, "e2e4", E7E5, -208, 18, 1);
    put(&brain, "", 0x30300000 | E2E4, 164, 20, 100);
    put(&brain, "e2e4", 0x98000000 | E7E5, -328, 18, 47);
    for (size_t at = MARK; at < sugar.size; at += RECORD, old.size += RECORD) {
        memcpy(old.bytes + old.size, sugar.bytes + at, RECORD);
        memcpy(old.bytes + old.size + 20, "\0\xFF\0\xFF", 4);
    }
    const struct file *const files[] = {&sugar, &brain, &old};
    for (int i = 0; i < 3; i++) {
        struct book *book = open_file(files[i]);
        assert_string_equal(book_warning(book), "");
        assert_string_equal(known(book, "", "e2e4"), i == 0 ? "3 50 20" : "1 50 20");
        assert_string_equal(known(book, "e2e4", "e7e5"), "1 -100 18");
        size_t size;
        char *bytes = any_write(book, "exp-brainlearn", &size);
        struct book *again = any_open(bytes, size);
        assert_string_equal(known(again, "", "e2e4"), "1 50 20");
        assert_string_equal(known(again, "e2e4", "e7e5"), "1 -100 18");
        assert_int_equal(bytes_get_u32le((uint8_t *)bytes + 16) >> 16, 0);
        book_close(again);
        book_close(book);
        free(bytes);
    }
}

/* SugaR adds counts up, takes the deepest search, the mean of those as deep; BrainLearn 25 the
 * higher score. Mates are no numbers to take a mean of. A record without a score says nothing. */
static void the_deepest_search_stands(void **state)
{
    (void)state;
    struct file sugar = sugar_file();
    struct file brain = {.size = 0};
    put(&sugar, "", E2E4, 500, 19, 2);
    put(&sugar, "", E2E4, 10, 20, 5);
    put(&sugar, "", E2E4, 32, 20, 4);
    put(&sugar, "", D2D4, 31991, 20, 1);
    put(&sugar, "", D2D4, 100, 20, 1);
    put(&sugar, "e2e4", E7E5, 32002, 0, 1);
    put(&brain, "", E2E4, 500, 19, 100);
    put(&brain, "", E2E4, 32, 20, 30);
    put(&brain, "", E2E4, 328, 20, 60);
    put(&brain, "e2e4", E7E5, 32002, 0, 100);
    struct book *book = open_file(&sugar);
    assert_string_equal(known(book, "", "e2e4"), "11 10 20");
    assert_string_equal(known(book, "", "d2d4"), "2 31991 20");
    assert_string_equal(known(book, "e2e4", "e7e5"), "");
    book_close(book);
    book = open_file(&brain);
    assert_string_equal(known(book, "", "e2e4"), "3 100 20");
    book_close(book);
    struct any_faults faults = any_check(&experience_format, brain.bytes, brain.size);
    assert_int_equal(faults.counts[BOOK_REMARK_UNSCORED], 1);
}

/* Moves that are not in the book lead on when the position behind them is. A line from a start of
 * Chess960 is looked up as any other. */
static void lines_through_other_moves(void **state)
{
    (void)state;
    struct file file = sugar_file();
    struct book_graph graph = {0};
    put(&file, "", E2E4, 0, 20, 1);
    put(&file, "e2e4 e7e5", G1F3, 20, 20, 1);
    put(&file, "d2d4", 0x0CE3, 20, 20, 1);
    put(&file, F "w KQkq - 6 12", 0xC107, 20, 20, 1);
    struct book *book = open_file(&file);
    assert_int_equal(book_graph_create(book, NULL, &graph, NULL), STATUS_OK);
    assert_int_equal(graph.known, 3);
    assert_int_equal(graph.positions, 4);
    book_graph_destroy(&graph);
    assert_string_equal(known(book, F "w KQkq - 6 12", "e1g1"), "1 9 20");
    /* Another clock than the file's is the position all the same. */
    assert_string_equal(known(book, F "w KQkq - 30 12", "e1g1"), "1 9 20");
    book_close(book);
}

/* Damage ------------------------------------------------------------------------------------- */

/* Ten positions: three first moves of White, a reply to each, and so on. */
static struct file sound_file(bool is_sugar)
{
    struct file file = {.size = 0};
    static const char *const lines[] = {"", "e2e4", "d2d4", "g1f3", "e2e4 e7e5"};
    static const uint16_t moves[] = {E2E4, E7E5, E7E5, E7E5, G1F3};
    if (is_sugar)
        file = sugar_file();
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        put(&file, lines[i], moves[i], (int)i, 10 + (int)i, is_sugar ? 1 : 100);
    return file;
}

static size_t repaired_moves(const struct file *file)
{
    size_t size;
    char *bytes = NULL;
    struct book *book = open_file(file);
    FILE *out = open_memstream(&bytes, &size);
    assert_non_null(out);
    assert_int_equal(book_repair(book, NULL, out, NULL, NULL), STATUS_OK);
    assert_int_equal(fclose(out), 0);
    struct book *again = any_open(bytes, size);
    assert_string_equal(book_warning(again), "");
    assert_int_equal(any_check(&experience_format, bytes, size).sum, 0);
    size_t moves = book_entry_count(again);
    book_close(again);
    book_close(book);
    free(bytes);
    return moves;
}

static void check_fault(const struct file *file, enum book_fault fault, size_t offset,
                        size_t repaired)
{
    const struct any_faults faults = any_check(&experience_format, file->bytes, file->size);
    assert_int_equal(faults.counts[fault], 1);
    assert_int_equal(faults.sum, 1);
    assert_int_equal(faults.first.offset, offset);
    assert_int_equal(repaired_moves(file), repaired);
}

/* A file of `from` without the bytes [begin, end). */
static struct file without(const struct file *from, size_t begin, size_t end)
{
    struct file file = *from;
    memmove(file.bytes + begin, file.bytes + end, file.size - end);
    file.size -= end - begin;
    return file;
}

/* The programs append to what they cannot read, so that all that follows stands askew. */
static void records_behind_damage(void **state)
{
    (void)state;
    for (int is_sugar = 0; is_sugar < 2; is_sugar++) {
        const struct file sound = sound_file(is_sugar);
        size_t begin = is_sugar ? MARK : 0;
        size_t second = begin + RECORD;
        assert_int_equal(any_check(&experience_format, sound.bytes, sound.size).sum, 0);
        assert_int_equal(repaired_moves(&sound), 5);
        for (size_t cut = 1; cut < RECORD; cut++) {
            struct file file = without(&sound, sound.size - cut, sound.size);
            check_fault(&file, BOOK_FAULT_SIZE, begin + 4 * RECORD, 4);
            file = without(&sound, second + cut, second + RECORD);
            const struct any_faults faults = any_check(&experience_format, file.bytes, file.size);
            assert_true(faults.sum == 1 && faults.first.offset <= second + RECORD);
            assert_true(repaired_moves(&file) >= 4);
        }
        struct file file = sound;
        bytes_put_le(file.bytes + second + (is_sugar ? 16 : 8), 300, 4);
        check_fault(&file, BOOK_FAULT_DAMAGE, second, 4);
        file = sound;
        bytes_put_le(file.bytes + second + 12, 40000, 4);
        check_fault(&file, BOOK_FAULT_DAMAGE, second, 4);
        file = sound;
        bytes_put_le(file.bytes + second, 0, 8);
        check_fault(&file, BOOK_FAULT_DAMAGE, second, 4);
        file = sound;
        bytes_put_le(file.bytes + second + (is_sugar ? 8 : 16), E2E4, 2); /* not Black's */
        check_fault(&file, BOOK_FAULT_ILLEGAL, second, 4);
        file = sound; /* the last one, which nothing follows */
        bytes_put_le(file.bytes + begin + 4 * RECORD + (is_sugar ? 8 : 16), E7E5, 2);
        check_fault(&file, BOOK_FAULT_ILLEGAL, begin + 4 * RECORD, 4);
    }
}

/* A move that nobody can make does not hide those that the position has by another clock. */
static void illegal_moves_hide_no_others(void **state)
{
    (void)state;
    struct file file = sugar_file();
    put(&file, "", E2E4, 0, 20, 1);
    put(&file, "e2e4", E2E4, 0, 20, 1);
    put(&file, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 14 8", E7E5, 0, 20, 1);
    struct book *book = open_file(&file);
    assert_string_equal(known(book, "e2e4", "e7e5"), "1 0 20");
    book_close(book);
    check_fault(&file, BOOK_FAULT_ILLEGAL, MARK + RECORD, 2);
}

/* HypnoS on a new file writes the heading from two threads. */
static void two_headings(void **state)
{
    (void)state;
    struct file sound = sound_file(true);
    struct file file = sugar_file();
    memcpy(file.bytes + MARK, sound.bytes, sound.size);
    file.size += sound.size;
    check_fault(&file, BOOK_FAULT_SIZE, MARK, 5);
}

static void not_such_files(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 51);
    struct diag diag = {.text = ""};
    struct book *book = NULL;
    struct file file = sugar_file();
    assert_int_equal(book_open_memory(file.bytes, file.size, "x.exp", &book, &diag), STATUS_FORMAT);
    assert_non_null(strstr(diag.text, "x.exp: "));
    put(&file, "", E2E4, 1, 10, 1);
    for (int i = 0; i < 600; i++)
        file.bytes[file.size++] = (uint8_t)rng_next(&rng);
    assert_int_equal(book_open_memory(file.bytes, file.size, "x.exp", &book, &diag), STATUS_FORMAT);
    /* Sound records in any order are the same file. */
    const struct file sound = sound_file(false);
    size_t size;
    size_t other_size;
    struct file shuffled = sound;
    for (size_t i = 0; i < 5; i++)
        memcpy(shuffled.bytes + i * RECORD, sound.bytes + (i * 3 % 5) * RECORD, RECORD);
    book = open_file(&sound);
    char *bytes = any_write(book, "exp", &size);
    book_close(book);
    book = open_file(&shuffled);
    char *other = any_write(book, "exp", &other_size);
    book_close(book);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, other, size);
    free(bytes);
    free(other);
}

/* Sums and stores ---------------------------------------------------------------------------- */

static struct book *merged(const struct book *a, const struct book *b, const char *writer,
                           char **bytes)
{
    size_t size;
    struct diag diag = {.text = ""};
    struct book_losses losses = {0};
    const struct book *books[] = {a, b};
    FILE *out = open_memstream(bytes, &size);
    assert_non_null(out);
    assert_int_equal(experience_write(books, 2, formats_writer(writer), out, &losses, &diag),
                     STATUS_OK);
    assert_int_equal(fclose(out), 0);
    return any_open(*bytes, size);
}

static void a_sum_by_depth(void **state)
{
    (void)state;
    struct file sugar = sugar_file();
    struct file brain = {.size = 0};
    put(&sugar, "", E2E4, 208, 20, 7);
    put(&sugar, "", D2D4, 416, 12, 1);
    put(&sugar, F "w KQkq - 6 12", 0xC107, 208, 20, 1);
    put(&brain, "", E2E4, 656, 19, 60);
    put(&brain, "", D2D4, -328, 13, 40);
    put(&brain, "e2e4", E7E5, 328, 13, 50);
    struct book *a = open_file(&sugar);
    struct book *b = open_file(&brain);
    for (int i = 0; i < 4; i++) {
        char *bytes = NULL;
        static const char *const writers[] = {"exp", "exp-brainlearn"};
        struct book *book = merged(i & 1 ? b : a, i & 1 ? a : b, writers[i / 2], &bytes);
        bool is_sugar = i == 0;
        assert_string_equal(known(book, "", "e2e4"), is_sugar ? "8 100 20" : "1 100 20");
        assert_string_equal(known(book, "", "d2d4"), is_sugar ? "2 -100 13" : "1 -100 13");
        assert_string_equal(known(book, "e2e4", "e7e5"), "1 100 13");
        /* No line reaches it: nobody knows its other key. */
        assert_string_equal(known(book, F "w KQkq - 6 12", "e1h1"), is_sugar ? "1 100 20" : "");
        book_close(book);
        free(bytes);
    }
    book_close(a);
    book_close(b);
}

static void to_a_store_and_back(void **state)
{
    (void)state;
    struct file file = sugar_file();
    struct score_store *store = NULL;
    struct book_losses losses = {0};
    struct searcher_identity identity;
    put(&file, "", E2E4, 104, 20, 7);
    put(&file, "", D2D4, 208, 20, 1); /* as deep and better */
    put(&file, "", G1F3, 416, 12, 1);
    put(&file, "d2d4", 0x0CE3, 31000, 9, 1);
    put(&file, "d2d4 d7d5", G1F3, -31994, 9, 1);
    put(&file, F "w KQkq - 6 12", 0xC107, 208, 20, 1);
    struct book *book = open_file(&file);
    assert_int_equal(experience_to_store(book, &store, &losses, NULL), STATUS_OK);
    book_close(book);
    score_store_identity(store, &identity);
    assert_non_null(strstr(identity.name, "SugaR"));
    assert_int_equal(score_store_count(store), 4); /* two of the start: by depth */
    assert_int_equal(losses.unreached, 1);
    char *bytes = NULL;
    size_t size;
    FILE *out = open_memstream(&bytes, &size);
    assert_non_null(out);
    assert_int_equal(score_store_write(store, out, NULL), STATUS_OK);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(score_store_close(store, NULL), STATUS_OK);
    struct book *of_store = any_open(bytes, size);
    assert_string_equal(known(of_store, "", "d2d4"), "1 100 20");
    assert_string_equal(known(of_store, "d2d4 d7d5", "g1f3"), "1 -31994 9");
    static const char *const writers[] = {"exp-sugar", "exp-brainlearn"};
    for (int i = 0; i < 2; i++) {
        size_t again_size;
        char *again_bytes = any_write(of_store, writers[i], &again_size);
        struct book *again = any_open(again_bytes, again_size);
        assert_string_equal(known(again, "", "d2d4"), "1 100 20");
        assert_string_equal(known(again, "", "e2e4"), ""); /* the deepest of each position */
        assert_string_equal(known(again, "d2d4 d7d5", "g1f3"), "1 -31994 9");
        book_close(again);
        free(again_bytes);
    }
    book_close(of_store);
    free(bytes);
}

/* Nobody searched the moves of a book of weights. */
static void only_scores_are_written(void **state)
{
    (void)state;
    struct diag diag = {.text = ""};
    struct book *book = any_open_text("lines san\ne4:30 e5:20 Nf3:10\n");
    FILE *out = tmpfile();
    assert_non_null(out);
    assert_int_equal(book_convert(book, formats_writer("exp"), out, NULL, &diag), STATUS_NOT_FOUND);
    assert_non_null(strstr(diag.text, "no scores"));
    assert_int_equal(fclose(out), 0);
    book_close(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_both_families),
        cmocka_unit_test(files_of_two_programs),
        cmocka_unit_test(written_and_read_back),
        cmocka_unit_test(both_layouts_say_the_same),
        cmocka_unit_test(the_deepest_search_stands),
        cmocka_unit_test(lines_through_other_moves),
        cmocka_unit_test(records_behind_damage),
        cmocka_unit_test(illegal_moves_hide_no_others),
        cmocka_unit_test(two_headings),
        cmocka_unit_test(not_such_files),
        cmocka_unit_test(a_sum_by_depth),
        cmocka_unit_test(to_a_store_and_back),
        cmocka_unit_test(only_scores_are_written),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
