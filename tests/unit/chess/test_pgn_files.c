/* Real collections, where the shared data is there: every game is read, none is bad. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "chess/attacks.h"
#include "chess/game.h"
#include "chess/pgn.h"
#include "tests/support/shared_data.h"

static int set_up(void **state)
{
    (void)state;
    chess_init();
    return 0;
}

static enum caxton_status read_file(void *context, char *buffer, size_t capacity, size_t *size)
{
    *size = fread(buffer, 1, capacity, context);
    return *size == 0 && ferror((FILE *)context) ? STATUS_IO : STATUS_OK;
}

/* What a collection holds. */
struct totals {
    size_t games;
    size_t plies;
    size_t unfinished;
    size_t chess960;
};

static void check(const char *name, struct totals wanted)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/pgn/%s", SHARED_DATA_DIR, name);
    shared_data_want(path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    struct pgn_reader *reader = pgn_create(read_file, file);
    struct pgn_game game;
    struct diag diag;
    struct totals got = {0, 0, 0, 0};
    assert_non_null(reader);
    for (enum caxton_status status; (status = pgn_next(reader, &game, &diag)) != STATUS_END;) {
        if (status != STATUS_OK)
            fail_msg("%s: game %d, line %d, column %d: %s", path, (int)game.number, (int)diag.line,
                     (int)diag.column, diag.text);
        got.games++;
        got.plies += game.ply_count;
        got.unfinished += game.unfinished;
        got.chess960 += game.chess960;
    }
    pgn_destroy(reader);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(got.games, wanted.games);
    assert_int_equal(got.plies, wanted.plies);
    assert_int_equal(got.unfinished, wanted.unfinished);
    assert_int_equal(got.chess960, wanted.chess960);
}

/* The plies were compared, game by game, with those of pgn-extract 19.04. */
static void master_games(void **state)
{
    (void)state;
    check("masters_small.pgn", (struct totals){7286, 562814, 76, 0});
}

static void online_games(void **state)
{
    (void)state;
    check("lichess_2025-05.pgn", (struct totals){438, 28538, 0, 0});
}

/* 55 games begin on a line of their own, one right behind the result before it. */
static void engine_games(void **state)
{
    (void)state;
    check("tcec_sample.pgn", (struct totals){56, 6587, 0, 9});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(master_games),
        cmocka_unit_test(online_games),
        cmocka_unit_test(engine_games),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
