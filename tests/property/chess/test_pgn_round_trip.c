/* Random games, standard and Chess960, survive writing and reading, whatever pieces the source
 * cuts the text into. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "tests/unit/chess/pgn_transcript.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static void play_randomly(struct game *game, struct rng *rng, size_t plies)
{
    while (game_plies(game) < plies) {
        move moves[MOVES_MAX];
        int count = movegen_legal(game_position(game), moves);
        if (!count)
            return;
        move m = moves[rng_below(rng, (uint64_t)count)];
        assert_int_equal(game_play(game, m), STATUS_OK);
    }
}

static const char *random_comment(void *context, size_t ply)
{
    static const char *const texts[] = {NULL,
                                        NULL,
                                        "a comment",
                                        "{ ( ; % [ 1-0 *",
                                        "%eval 1\n\n2",
                                        "[Event \"none\"]",
                                        "x\n\n[White \"y\"]\n1. e4 1-0"};
    uint64_t *seed = context;
    return texts[(*seed + ply * ply) % (sizeof texts / sizeof texts[0])];
}

/* Writes a game's text, and the transcript that reading it must give. */
static void write_both(const struct game *game, enum pgn_result result, uint64_t seed, int number,
                       FILE *pgn, FILE *wanted)
{
    const struct pgn_tag tags[] = {{span_of("Event"), span_of("a \"b\" \\")}};
    bool chess960 = fen_is_chess960(game_start(game));
    assert_int_equal(pgn_write(pgn, game, tags, 1, result, random_comment, &seed), STATUS_OK);
    (void)fprintf(wanted, "%d ", number);
    for (size_t i = 0; i < game_plies(game); i++) {
        char text[UCI_MAX];
        move_to_uci(game_move(game, i), chess960, text);
        (void)fprintf(wanted, "%s ", text);
    }
    (void)fprintf(wanted, "%s\n", pgn_result_text(result));
}

static void check_reading(const char *pgn, const char *wanted, size_t piece)
{
    struct pieces pieces = {span_of(pgn), piece};
    struct pgn_reader *reader = pgn_create(read_piece, &pieces);
    assert_non_null(reader);
    char *got = transcribe(reader, false);
    assert_string_equal(got, wanted);
    free(got);
    pgn_destroy(reader);
}

static void games_survive_writing_and_reading(void **state)
{
    (void)state;
    struct rng rng;
    struct game *game = game_create();
    char *pgn;
    char *wanted;
    size_t size;
    FILE *pgn_file = open_memstream(&pgn, &size);
    FILE *wanted_file = open_memstream(&wanted, &size);
    assert_non_null(game);
    assert_non_null(pgn_file);
    assert_non_null(wanted_file);
    rng_seed(&rng, 2024);
    for (int number = 1; number <= 400; number++) {
        struct position start;
        position_start(&start);
        if (number % 2)
            fen_chess960((unsigned)rng_below(&rng, 960), &start);
        game_reset(game, &start);
        if (number % 5 == 0) {
            /* from the middle of another game */
            play_randomly(game, &rng, 30);
            struct position middle = *game_position(game);
            game_reset(game, &middle);
        }
        play_randomly(game, &rng, rng_below(&rng, number % 50 ? 200 : 3000));
        write_both(game, (enum pgn_result)rng_below(&rng, 4), rng_next(&rng), number, pgn_file,
                   wanted_file);
    }
    assert_int_equal(fclose(pgn_file), 0);
    assert_int_equal(fclose(wanted_file), 0);
    const size_t sizes[] = {SIZE_MAX, 1, 7, 511, 4096, 65537};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        check_reading(pgn, wanted, sizes[i]);
    free(pgn);
    free(wanted);
    game_destroy(game);
}

/* Fragments whose random succession exercises every rule of the grammar, and breaks most. */
static const char *const fragments[] = {
    "[Event \"x\"]\n",
    "[White \"a \\\" b\"]\n",
    "[Result \"1-0\"]\n",
    "[FEN \"bad\"]\n",
    "[",
    "]",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "1. ",
    "e4 ",
    "e5 ",
    "2. Nf3 ",
    "Nc6 ",
    "{",
    "}",
    "{ c }",
    "(",
    ")",
    ";",
    "%",
    "$1 ",
    "$",
    "!?",
    "1-0",
    "0-1 ",
    "1/2-1/2\n",
    "*",
    "-- ",
    "0-0 ",
    "d4 ",
    "\"",
    "\\",
    "prose ",
    "\xEF\xBB\xBF",
    "[%clk 1]",
    "\n[Event \"y\"]\n\n1. d4 d5 1-0\n",
    "\n\n[White \"z\"]\n",
    "e.p. ",
    "8(Q) ",
    "...",
    "\x01",
    "[Variant \"Atomic\"]\n",
};

static void the_pieces_of_the_source_do_not_matter(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 99);
    enum { FRAGMENTS = sizeof fragments / sizeof fragments[0], CAPACITY = 200000 };
    char *text = malloc(CAPACITY);
    assert_non_null(text);
    for (int round = 0; round < 300; round++) {
        /* Some inputs are longer than the buffer; blank stretches move the pieces' borders. */
        size_t wanted_size = round % 10 ? rng_below(&rng, 3000) : 100000 + rng_below(&rng, 90000);
        size_t size = 0;
        while (size < wanted_size) {
            const char *fragment = fragments[rng_below(&rng, FRAGMENTS)];
            size_t length = strlen(fragment);
            memcpy(text + size, fragment, length);
            size += length;
            if (rng_below(&rng, 40) == 0 && size + 1100 < wanted_size) {
                size_t gap = rng_below(&rng, 1000);
                memset(text + size, "  x{"[rng_below(&rng, 4)], gap);
                size += gap;
            }
        }
        text[size] = '\0';
        struct pgn_reader *reader = pgn_create_memory(text, size);
        assert_non_null(reader);
        char *wanted = transcribe(reader, true);
        pgn_destroy(reader);
        const size_t pieces_sizes[] = {1, 13, 600, 1 + rng_below(&rng, 70000)};
        for (size_t i = 0; i < 4; i++) {
            struct pieces pieces = {span_make(text, size), pieces_sizes[i]};
            reader = pgn_create(read_piece, &pieces);
            assert_non_null(reader);
            char *got = transcribe(reader, true);
            assert_string_equal(got, wanted);
            free(got);
            pgn_destroy(reader);
        }
        free(wanted);
    }
    free(text);
}

/* Wherever one byte of a collection is lost or changed, few games suffer. */
static void damage_stays_local(void **state)
{
    (void)state;
    struct rng rng;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    enum { GAMES = 200 };
    for (int i = 0; i < GAMES; i++)
        (void)fprintf(out,
                      "[Event \"game %d\"]\n[Site \"?\"]\n[Result \"1-0\"]\n\n"
                      "1. e4 {a comment} e5 (1... c5 {another} 2. Nf3) 2. Nf3 Nc6\n3. Bb5 1-0\n\n",
                      i);
    assert_int_equal(fclose(out), 0);
    rng_seed(&rng, 5);
    for (int round = 0; round < 2000; round++) {
        size_t where = rng_below(&rng, size);
        char kept = text[where];
        text[where] = "{}()[]\";%x \n\r\\"[rng_below(&rng, 14)];
        struct pgn_reader *reader = pgn_create_memory(text, size);
        struct pgn_game game;
        assert_non_null(reader);
        int good = 0;
        for (enum caxton_status status; (status = pgn_next(reader, &game, NULL)) != STATUS_END;)
            good += status == STATUS_OK && game.ply_count == 5;
        assert_in_range(good, GAMES - 2, GAMES);
        pgn_destroy(reader);
        text[where] = kept;
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_survive_writing_and_reading),
        cmocka_unit_test(the_pieces_of_the_source_do_not_matter),
        cmocka_unit_test(damage_stays_local),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
