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
#include "chess/pgn_internal.h"
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

/* Games of few openings, with faults and signs among the moves. */
static char *games_alike(struct rng *rng, int count)
{
    static const char *const lines[] = {
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O",
        "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be2 e5 Nb3 Be7 O-O O-O",
        "Nf3 Nf6 Ng1 Ng8 e4 e5 Nf3 Nf6 Ng1 Ng8 d4 exd4 c4 dxc3 Nxc3 Nc6",
        "d4 f5 g3 f4 g4 f3 a4 fxe2 Nf3 exd1=Q+ Kxd1 h5 g5 h4 a5 b5 axb6",
        "e4 d5 e5 f5 exf6 Nxf6 Bb5+ c6 Be2 Qc7 O-O e5"};
    static const char *const signs[] = {
        "Nd3",       "e4!",  "{x}",     "(Nf3 (d4))", "$3",    "0-0",
        "g1f3",      "e4+",  "1-0",     "; Nf3 x\n",  "\te5",  "--",
        "Ngf3",      "[x]",  "Nf3?!",   "{[%clk 1]}", "Nf3\t", "[Event \"x\"]",
        "exd1=Q\n+", "e.p.", "axb6 ep", "e8=Q",       "+=",    "\r\n12..."};
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*", ""};
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    for (int i = 0; i < count; i++) {
        struct span rest = span_of(lines[rng_below(rng, sizeof lines / sizeof *lines)]);
        uint64_t faults = rng_below(rng, 4) ? 40 : 8; /* one in so many moves */
        static const char *const tags[] = {"",
                                           "[White \"A\\\"b, C\"]\r\n",
                                           "[Result \"1-0\"]\n[White \"A\"]\n",
                                           "[Event \"twice\"]\n",
                                           "[ Site  \"x\" ]\n",
                                           "[Site \"broken\nover lines\"]\n",
                                           "[Site \"never closed\n",
                                           "[Result \"0-1\"] [Result \"1-0\"]\n"};
        (void)fprintf(out, "[Event \"%d\"]\n%s%s\n", i, tags[rng_below(rng, 8)],
                      rng_below(rng, 8) ? "" : "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n");
        uint64_t plies = rng_below(rng, 18);
        for (uint64_t ply = 0; ply < plies; ply++) {
            struct span word = span_token(&rest);
            if (ply % 2 == 0)
                (void)fprintf(out, "%d.%s", (int)ply / 2 + 1, rng_below(rng, 2) ? " " : "");
            if (rng_below(rng, faults) == 0)
                (void)fprintf(out, "%s%s", signs[rng_below(rng, sizeof signs / sizeof *signs)],
                              rng_below(rng, 2) ? " " : "");
            (void)fprintf(out, "%.*s%c", (int)word.size, word.data, rng_below(rng, 5) ? ' ' : '\n');
        }
        (void)fprintf(out, "%s\n\n", results[rng_below(rng, 5)]);
    }
    assert_int_equal(fclose(out), 0);
    return text;
}

/* The moves and keys up to the game's node are those of the way to it. */
static void check_node(const struct pgn_reader *reader, const struct pgn_game *game)
{
    size_t count;
    const struct pgn_node *nodes = pgn_nodes(reader, &count);
    assert_true(game->node < count);
    for (uint32_t node = game->node; node > 1; node = nodes[node].parent) {
        size_t ply = nodes[node].ply;
        assert_true(nodes[node].parent < node && ply <= game->plies_read && ply > 0);
        assert_int_equal(nodes[node].key, game->keys[ply]);
        assert_int_equal(nodes[node].played, game->moves[ply - 1]);
    }
}

static void check_tags(const struct pgn_game *game, const struct pgn_game *wanted)
{
    assert_int_equal(game->tag_count, wanted->tag_count);
    for (size_t i = 0; i < wanted->tag_count; i++) {
        const struct span got[2] = {game->tags[i].name, game->tags[i].value};
        const struct span good[2] = {wanted->tags[i].name, wanted->tags[i].value};
        for (int part = 0; part < 2; part++) {
            assert_int_equal(got[part].size, good[part].size);
            if (good[part].size)
                assert_memory_equal(got[part].data, good[part].data, good[part].size);
        }
    }
}

/* A reader that knows openings gives what one gives that knows none. piece: as the other one gets
 * the text, 0: where it lies. */
static void check_known(const char *text, size_t nodes, size_t piece, size_t limit, bool whole)
{
    size_t size = strlen(text);
    char *lying = malloc(size + 2 * PGN_MARGIN);
    assert_non_null(lying);
    memcpy(lying + PGN_MARGIN, text, size);
    struct pieces inputs[2] = {{span_of(text), 1 << 16}, {span_of(text), piece}};
    struct pgn_reader *readers[2];
    struct pgn_game games[2];
    struct diag diags[2];
    enum caxton_status status[2] = {STATUS_OK, STATUS_OK};
    for (int i = 0; i < 2; i++) {
        readers[i] = pgn_create(read_piece, &inputs[i]);
        assert_non_null(readers[i]);
        pgn_set_ply_limit(readers[i], limit);
        pgn_set_whole_games(readers[i], whole);
    }
    assert_int_equal(pgn_set_nodes(readers[1], nodes), STATUS_OK);
    if (!piece)
        pgn_restart_text(readers[1], lying + PGN_MARGIN, size);
    while (status[0] != STATUS_END) {
        for (int i = 0; i < 2; i++) {
            diags[i] = (struct diag){.text = ""};
            status[i] = pgn_next(readers[i], &games[i], &diags[i]);
        }
        assert_int_equal(status[1], status[0]);
        if (status[0] == STATUS_END)
            break;
        assert_string_equal(diags[1].text, diags[0].text);
        assert_int_equal(diags[1].offset, diags[0].offset);
        assert_int_equal(diags[1].line, diags[0].line);
        assert_int_equal(games[1].notes, games[0].notes);
        assert_int_equal(games[1].result, games[0].result);
        assert_int_equal(games[1].ply_count, games[0].ply_count);
        assert_int_equal(games[1].plies_read, games[0].plies_read);
        check_tags(&games[1], &games[0]);
        assert_string_equal(games[1].beyond_fault, games[0].beyond_fault);
        size_t plies = games[0].plies_read;
        assert_memory_equal(games[1].moves, games[0].moves, plies * sizeof(move));
        assert_memory_equal(games[1].marks, games[0].marks, plies);
        if (plies)
            assert_memory_equal(games[1].keys, games[0].keys, (plies + 1) * sizeof(uint64_t));
        check_node(readers[1], &games[1]);
    }
    pgn_destroy(readers[0]);
    pgn_destroy(readers[1]);
    free(lying);
}

/* Writes signs over some bytes. */
static void damage(struct rng *rng, char *text)
{
    static const char signs[] = "[]\"\\{}()\n\r%;*-/.\xBD\xE2\x01 ";
    size_t size = strlen(text);
    for (uint64_t i = rng_below(rng, 60); i > 0; i--)
        text[rng_below(rng, size)] = signs[rng_below(rng, sizeof signs - 1)];
}

static void blocks_find_what_bytes_find(void **state)
{
    (void)state;
    char text[400 + PGN_MARGIN] = {0};
    struct rng rng;
    rng_seed(&rng, 50);
    for (int round = 0; round < 20000; round++) {
        size_t size = rng_below(&rng, 400);
        memset(text, 'a', sizeof text);
        for (uint64_t i = rng_below(&rng, 4); i > 0 && size; i--)
            text[rng_below(&rng, size)] = (char)rng_below(&rng, 256);
        text[size] = '\0';
        const char *at = text + rng_below(&rng, size + 1);
        const char *stop = at;
        while (!pgn_is(*stop, PGN_STOP))
            stop++;
        assert_ptr_equal(scan_find_stop(at), stop);
        assert_ptr_equal(scan_find_special(at), at + strcspn(at, "\"\\\n\r"));
    }
}

static void known_openings_change_nothing(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 49);
    for (int round = 0; round < 60; round++) {
        char *text = games_alike(&rng, 200);
        check_known(text, 1 << 12, round % 2 ? 1 << 16 : 0, SIZE_MAX, false);
        damage(&rng, text);
        check_known(text, 1 << 12, 0, rng_below(&rng, 18), round % 3 == 0);
        check_known(text, 16 + rng_below(&rng, 300), 1 + rng_below(&rng, 700), rng_below(&rng, 18),
                    rng_below(&rng, 2) != 0);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_survive_writing_and_reading),
        cmocka_unit_test(known_openings_change_nothing),
        cmocka_unit_test(blocks_find_what_bytes_find),
        cmocka_unit_test(the_pieces_of_the_source_do_not_matter),
        cmocka_unit_test(damage_stays_local),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
