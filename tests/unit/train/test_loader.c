/* The trainer's reader of samples: which positions it gives, how often, and as which inputs. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "eval/relations.h"
#include "eval/train/loader.h"
#include "eval/train/sample_file.h"

enum { GAMES = 500, GAME_LENGTH = 4, SAMPLES = GAMES * GAME_LENGTH, PADDING = 9999 };

/* Sample i has score i - SAMPLES / 2, so every position of a batch can be told from its score. */
static uint8_t samples[SAMPLES][SAMPLE_SIZE];
static char path[] = "/tmp/caxton_loader_XXXXXX";

static void pack(const char *fen, int score, int result, bool first, uint8_t *out)
{
    struct position pos;
    struct sample_label label = {.score = score, .result = result, .first = first};
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    sample_pack(&pos, &label, out);
}

static void write_samples(const uint8_t *data, size_t count)
{
    struct sample_file *file;
    uint64_t before;
    assert_int_equal(sample_file_open(path, &file, &before, NULL), STATUS_OK);
    assert_int_equal(sample_file_append(file, data, count, NULL), STATUS_OK);
    assert_int_equal(sample_file_close(file, NULL), STATUS_OK);
}

static int setup(void **state)
{
    (void)state;
    chess_init();
    int fd = mkstemp(path);
    for (int i = 0; i < SAMPLES; i++)
        pack("4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1", i - SAMPLES / 2, 1, i % GAME_LENGTH == 0,
             samples[i]);
    return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state)
{
    (void)state;
    return unlink(path);
}

static int start_file(void **state)
{
    (void)state;
    return truncate(path, 0);
}

static const struct loader_options all_positions = {
    .seed = 1,
    .order = 1,
    .validation_permille = 100,
    .max_score = 32000,
    .max_pieces = 32,
    .max_surprise = 1,
    .score_unit = 400,
};

static struct loader *open_path(const struct loader_options *options, float weight, float scale,
                                struct loader_report *report)
{
    struct loader *loader = loader_create(options);
    assert_non_null(loader);
    assert_null(loader_add(loader, path, weight, 1, scale, report));
    (void)loader_finish(loader);
    return loader;
}

struct room {
    uint16_t features[SAMPLES][2][LOADER_PIECES];
    uint8_t pieces[SAMPLES];
    uint16_t relations[SAMPLES][2][LOADER_RELATED];
    uint8_t related[SAMPLES][2];
    float score[SAMPLES];
    float result[SAMPLES];
    float lambda[SAMPLES];
};

static struct room room;
static const struct loader_batch batch = {room.features[0][0], room.pieces, room.relations[0][0],
                                          room.related[0],     room.score,  room.result,
                                          room.lambda};

static void count_scores(size_t count, int *seen)
{
    for (size_t i = 0; i < count; i++)
        seen[(int)room.score[i] + SAMPLES / 2]++;
}

static void test_each_pass_gives_every_position_once_and_splits_by_game(void **state)
{
    (void)state;
    struct loader_report report;
    int seen[SAMPLES] = {0};
    write_samples(samples[0], SAMPLES);
    struct loader *loader = open_path(&all_positions, 1, 1, &report);
    size_t held_out = (size_t)loader_validation_size(loader);
    size_t training = SAMPLES - held_out;
    assert_int_equal(report.positions, SAMPLES);
    assert_int_equal(report.games, GAMES);
    assert_in_range(held_out, SAMPLES / 20, SAMPLES / 5);
    float first = 0;
    bool another_order = false;
    for (int pass = 0; pass < 3; pass++) {
        assert_null(loader_next(loader, training, PADDING, &batch));
        count_scores(training, seen);
        another_order = another_order || (pass && room.score[0] != first);
        first = room.score[0];
    }
    assert_true(another_order);
    loader_validation(loader, 0, held_out, PADDING, &batch);
    count_scores(held_out, seen);
    for (int i = 0; i < SAMPLES; i++) {
        assert_true(seen[i] == 3 || seen[i] == 1);
        assert_int_equal(seen[i], seen[i - i % GAME_LENGTH]);
    }
    loader_destroy(loader);
}

static void test_weights_repeat_and_thin_out(void **state)
{
    (void)state;
    struct loader_report report;
    write_samples(samples[0], SAMPLES);
    struct loader *loader = open_path(&all_positions, 1, 1, &report);
    uint64_t once = loader_finish(loader);
    loader_destroy(loader);
    loader = open_path(&all_positions, 2, 1, &report);
    assert_int_equal(loader_finish(loader), 2 * once);
    loader_destroy(loader);
    loader = open_path(&all_positions, 0.5f, 1, &report);
    assert_in_range(loader_finish(loader), once * 2 / 5, once * 3 / 5);
    loader_destroy(loader);
}

static void test_filters_drop_what_they_name(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "4k3/8/8/8/8/8/8/4K2R w - - 0 1",  "4k3/8/8/8/8/8/8/4K2R b - - 0 1",
        "4k2R/8/8/8/8/8/8/4K3 b - - 0 1",  "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/q7/4K2R w K - 0 1",
    };
    static const int scores[] = {500, 900, 100, 0, -600};
    static const int results[] = {2, 2, 2, 1, 2};
    uint8_t packed[5][SAMPLE_SIZE];
    for (int i = 0; i < 5; i++)
        pack(fens[i], scores[i], results[i], true, packed[i]);
    write_samples(packed[0], 5);
    struct loader_options options = all_positions;
    struct loader_report report;
    options.drop_check = 1;
    options.max_score = 800;
    options.max_pieces = 9;
    options.max_surprise = 0.7f;
    loader_destroy(open_path(&options, 1, 1, &report));
    assert_int_equal(report.dropped_score, 1);
    assert_int_equal(report.dropped_check, 1);
    assert_int_equal(report.dropped_pieces, 1);
    assert_int_equal(report.dropped_surprise, 1);
    assert_int_equal(report.kept, 1);
}

/* Row of a piece in the first king bucket. */
static uint16_t row(bool enemy, int type, int square)
{
    return (uint16_t)(enemy * 384 + type * 64 + square);
}

static void test_inputs_are_seen_from_both_sides(void **state)
{
    (void)state;
    uint8_t packed[SAMPLE_SIZE];
    struct loader_options options = all_positions;
    struct loader_report report;
    options.validation_permille = 1000;
    options.king_buckets[2] = 3; /* c1 */
    /* Black to move. Seen from its own side and mirrored, the black king is on c1, the white one on
     * b1. */
    pack("5k2/8/8/8/8/8/r6P/RK6 b - - 0 1", 120, 0, true, packed);
    write_samples(packed, 1);
    struct loader *loader = open_path(&options, 1, 0.5f, &report);
    loader_validation(loader, 0, 1, PADDING, &batch);
    const uint16_t *us = room.features[0][0];
    const uint16_t *them = room.features[0][1];
    assert_int_equal(room.pieces[0], 5);
    assert_int_equal(us[0], 3 * 768 + row(true, ROOK, square_make(7, 7)));
    assert_int_equal(us[1], 3 * 768 + row(true, KING, square_make(6, 7)));
    assert_int_equal(us[2], 3 * 768 + row(false, ROOK, square_make(7, 6)));
    assert_int_equal(us[3], 3 * 768 + row(true, PAWN, square_make(0, 6)));
    assert_int_equal(us[4], 3 * 768 + row(false, KING, square_make(2, 0)));
    assert_int_equal(them[0], row(false, ROOK, A1));
    assert_int_equal(them[2], row(true, ROOK, square_make(0, 1)));
    assert_int_equal(them[4], row(true, KING, square_make(5, 7)));
    assert_int_equal(us[5], PADDING);
    assert_int_equal(them[31], PADDING);
    assert_true(room.score[0] == -60 && room.result[0] == 1 && room.lambda[0] == 1);
    loader_destroy(loader);
}

/* Which relations a position has is tested in test_teacher.c, and against Stockfish's own values by
 * eval/train/teacher/check.py. */
static void test_relations_are_seen_from_both_sides(void **state)
{
    (void)state;
    static const char fen[] = "r3k3/8/2n5/8/1Q3p2/5N2/6P1/RN2K2R b Q - 0 1";
    static struct relation_table table;
    uint8_t packed[SAMPLE_SIZE];
    struct loader_options options = all_positions;
    struct loader_report report;
    struct position pos;
    options.validation_permille = 1000;
    pack(fen, 0, 0, true, packed);
    write_samples(packed, 1);
    struct loader *loader = open_path(&options, 1, 1, &report);
    loader_validation(loader, 0, 1, PADDING, &batch);
    assert_int_equal(fen_parse(span_of(fen), &pos, NULL), STATUS_OK);
    relations_init(&table);
    for (int side = 0; side < 2; side++) {
        struct relations wanted;
        relations_list(&table, &pos, side == 0 ? BLACK : WHITE, &wanted);
        assert_true(wanted.count > 3);
        assert_int_equal(room.related[0][side], wanted.count);
        assert_memory_equal(room.relations[0][side], wanted.numbers,
                            (size_t)wanted.count * sizeof wanted.numbers[0]);
        assert_int_equal(room.relations[0][side][wanted.count], RELATIONS);
    }
    loader_destroy(loader);
}

static void test_fitted_scale_finds_the_unit_of_the_scores(void **state)
{
    (void)state;
    /* 3 : 1 odds at 220 centipawns: logistic(220 s / 400) = 0.75, so s = 400 ln 3 / 220 = 1.9975.
     */
    uint8_t packed[4][SAMPLE_SIZE];
    struct loader_report report;
    for (int i = 0; i < 4; i++)
        pack("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 220, i ? 2 : 0, true, packed[i]);
    write_samples(packed[0], 4);
    loader_destroy(open_path(&all_positions, 1, 0, &report));
    assert_in_range((int)(report.scale * 1000), 1996, 1999);
}

static void test_torn_end_is_left_out_and_damage_refused(void **state)
{
    (void)state;
    struct loader_report report;
    write_samples(samples[0], 1000);
    write_samples(samples[1000], 1000);
    assert_int_equal(truncate(path, 32 * (1001 + 500)), 0);
    loader_destroy(open_path(&all_positions, 1, 1, &report));
    assert_int_equal(report.positions, 1000);
    assert_int_equal(report.torn_bytes, 32 * 500);

    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 100, SEEK_SET), 0);
    assert_int_equal(fputc(255, file), 255);
    assert_int_equal(fclose(file), 0);
    struct loader *loader = loader_create(&all_positions);
    assert_non_null(loader_add(loader, path, 1, 1, 1, &report));
    assert_non_null(loader_add(loader, "/nowhere/at/all", 1, 1, 1, &report));
    loader_destroy(loader);
}

/* Opens the file as two programs that write the same. */
static struct loader *open_streams(const char **fault, int files[2], struct loader_report *report)
{
    static const uint32_t kept = SAMPLES / 4;
    struct loader_options options = all_positions;
    options.validation_permille = 200;
    struct loader *loader = loader_create(&options);
    assert_non_null(loader);
    for (int i = 0; i < 2; i++)
        files[i] = open(path, O_RDONLY);
    struct loader_streams streams = {files, 2, kept, kept, 20, 2, 0.5f, 3};
    *fault = loader_open_streams(loader, &streams, report);
    return loader;
}

static void close_streams(struct loader *loader, const int files[2])
{
    loader_destroy(loader);
    for (int i = 0; i < 2; i++)
        assert_int_equal(close(files[i]), 0);
}

static void test_positions_of_streams_are_drawn_as_often_as_asked(void **state)
{
    (void)state;
    const char *fault;
    int files[2];
    struct loader_report report;
    int seen[SAMPLES] = {0};
    static float scores[SAMPLES / 2];
    for (int i = 0; i < 8; i++)
        write_samples(samples[i * SAMPLES / 8], SAMPLES / 8);
    for (int round = 0; round < 2; round++) {
        struct loader *loader = open_streams(&fault, files, &report);
        assert_null(fault);
        assert_int_equal(loader_validation_size(loader), 20);
        assert_int_equal(loader_finish(loader), SAMPLES / 4);
        for (int i = 0; i < 4; i++) {
            assert_null(loader_next(loader, SAMPLES / 2, PADDING, &batch));
            for (int j = 0; j < SAMPLES / 2 && round == 0; j++)
                seen[(int)room.score[j] / 3 + SAMPLES / 2]++;
        }
        if (round == 0)
            memcpy(scores, room.score, sizeof scores);
        else /* the same programs give the same */
            assert_memory_equal(scores, room.score, sizeof scores);
        /* Half of what was drawn has been replaced, and the room was filled before. */
        assert_in_range(report.kept, SAMPLES + SAMPLES / 4, SAMPLES + SAMPLES / 4 + 200);
        const char *end = NULL;
        while (!end)
            end = loader_next(loader, SAMPLES / 2, PADDING, &batch);
        assert_string_equal(end, "has ended");
        close_streams(loader, files);
    }
    int unseen = 0;
    for (int i = 0; i < SAMPLES / 2; i++)
        unseen += seen[i] == 0;
    assert_in_range(unseen, 0, SAMPLES / 2 / 4);
}

/* A room of which only a part is filled at first: what comes later joins it, so each position is
 * drawn several times, the first ones most often, and none is replaced. */
static void test_room_of_streams_grows_until_it_is_full(void **state)
{
    (void)state;
    enum { BEGIN = SAMPLES / 8, ROOM = SAMPLES / 2, DRAWN = 9 * SAMPLES / 8 };
    int seen[SAMPLES] = {0};
    int files[1];
    struct loader_report report;
    write_samples(samples[0], SAMPLES);
    files[0] = open(path, O_RDONLY);
    struct loader_options options = all_positions;
    options.validation_permille = 0;
    struct loader *loader = loader_create(&options);
    assert_non_null(loader);
    struct loader_streams streams = {files, 1, ROOM, BEGIN, 1, 3, 1, 1};
    assert_null(loader_open_streams(loader, &streams, &report));
    assert_int_equal(loader_finish(loader), BEGIN);
    for (int drawn = 0; drawn < DRAWN; drawn += BEGIN) {
        assert_null(loader_next(loader, BEGIN, PADDING, &batch));
        for (int i = 0; i < BEGIN; i++)
            seen[(int)room.score[i] + SAMPLES / 2]++;
    }
    assert_int_equal(report.kept, BEGIN + DRAWN / 3); /* the room is full */
    assert_int_equal(loader_finish(loader), ROOM);
    int most = 0, seen_now = 0;
    for (int i = 0; i < SAMPLES; i++) {
        most = seen[i] > most ? seen[i] : most;
        seen_now += seen[i] > 0;
    }
    assert_in_range(most, 3, 6);
    assert_in_range(seen_now, ROOM - BEGIN, ROOM);
    loader_destroy(loader);
    assert_int_equal(close(files[0]), 0);
}

static void test_streams_that_are_none_are_refused(void **state)
{
    (void)state;
    const char *fault;
    int files[2];
    struct loader_report report;
    write_samples(samples[0], 100);
    close_streams(open_streams(&fault, files, &report), files);
    assert_string_equal(fault, "has ended");
    assert_int_equal(truncate(path, 100), 0);
    close_streams(open_streams(&fault, files, &report), files);
    assert_string_equal(fault, "has ended");
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fputc('X', file), 'X');
    assert_int_equal(fclose(file), 0);
    close_streams(open_streams(&fault, files, &report), files);
    assert_string_equal(fault, "does not write samples");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_positions_of_streams_are_drawn_as_often_as_asked, start_file),
        cmocka_unit_test_setup(test_room_of_streams_grows_until_it_is_full, start_file),
        cmocka_unit_test_setup(test_streams_that_are_none_are_refused, start_file),
        cmocka_unit_test_setup(test_each_pass_gives_every_position_once_and_splits_by_game,
                               start_file),
        cmocka_unit_test_setup(test_weights_repeat_and_thin_out, start_file),
        cmocka_unit_test_setup(test_filters_drop_what_they_name, start_file),
        cmocka_unit_test_setup(test_inputs_are_seen_from_both_sides, start_file),
        cmocka_unit_test_setup(test_relations_are_seen_from_both_sides, start_file),
        cmocka_unit_test_setup(test_fitted_scale_finds_the_unit_of_the_scores, start_file),
        cmocka_unit_test_setup(test_torn_end_is_left_out_and_damage_refused, start_file),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
