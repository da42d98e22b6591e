/* Books of lines for the tests of book/formats/white. */
#pragma once

#include "book/book_move.h"
#include "book/formats/white/lines.h"
#include "book/formats/white/lines_format.h"
#include "book/formats/white/lines_read.h"
#include "book/formats/white/lines_write.h"
#include "chess/notation.h"
#include "tests/support/book_entries.h"

/* Reads a text without faults; else *diag is the first. */
static inline enum caxton_status parse_sound(const char *text, size_t size, struct lines **out,
                                             struct diag *diag)
{
    struct lines *lines;
    assert_int_equal(lines_parse(text, size, NULL, NULL, &lines), STATUS_OK);
    if (!lines->faults) {
        *out = lines;
        return STATUS_OK;
    }
    enum caxton_status status = lines->fault_status;
    *diag = lines->fault;
    lines_destroy(lines);
    return status;
}

/* Proof-reads. */
static inline void verify_text(const char *text, size_t size, book_fault_sink sink, void *context)
{
    assert_int_equal(
        lines_format.check(&lines_format, (const uint8_t *)text, size, NULL, sink, context),
        STATUS_OK);
}

static inline struct lines *read_lines(const char *text)
{
    struct lines *lines = NULL;
    struct diag diag = {.text = ""};
    if (parse_sound(text, strlen(text), &lines, &diag) != STATUS_OK)
        fail_msg("%s", diag.text);
    return lines;
}

/* The text that lines_write() gives; the caller frees it. */
static inline char *text_of(const struct lines *lines)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    assert_int_equal(lines_write(lines, file), STATUS_OK);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(strlen(text), size);
    return text;
}

static inline void check_text(const struct lines *lines, const char *expected)
{
    char *text = text_of(lines);
    assert_string_equal(text, expected);
    free(text);
}

static inline void check_round_trip(const char *text)
{
    struct lines *lines = read_lines(text);
    check_text(lines, text);
    lines_destroy(lines);
}

/* A game of moves in UCI notation from the standard start; the caller destroys it. */
static inline struct game *game_of(const char *moves)
{
    struct game *game = game_create();
    assert_non_null(game);
    struct span rest = span_of(moves);
    for (struct span token; (token = span_token(&rest)).size;) {
        move m;
        assert_int_equal(move_from_uci(game_position(game), token, &m), STATUS_OK);
        assert_int_equal(game_play(game, m), STATUS_OK);
    }
    return game;
}

static inline void answers_text(const struct position *pos, const struct book_move *moves,
                                int count, char *out, size_t capacity)
{
    struct text_buffer text = text_buffer_on(out, capacity);
    for (int i = 0; i < count; i++) {
        char san[SAN_MAX];
        move_to_san(pos, moves[i].move, san);
        text_append(&text, "%s%s:%lu", i ? " " : "", san, (unsigned long)moves[i].weight);
    }
    assert_false(text.cut);
}

/* expected: "e4:6000 d4:4000". */
static inline void check_game(const struct lines *lines, const char *moves, const char *expected)
{
    struct game *game = game_of(moves);
    struct book_move found[MOVES_MAX];
    char text[2048];
    int count = lines_probe(lines, game_position(game), game, found);
    answers_text(game_position(game), found, count, text, sizeof text);
    assert_string_equal(text, expected);
    game_destroy(game);
}

static inline void check_position(const struct lines *lines, const char *moves,
                                  const char *expected)
{
    struct position pos = position_by_moves(moves);
    struct book_move found[MOVES_MAX];
    char text[2048];
    int count = lines_probe(lines, &pos, NULL, found);
    answers_text(&pos, found, count, text, sizeof text);
    assert_string_equal(text, expected);
}

/* White's Table 1, with the slip of its fourth line ("e4e4") put right, and Table 2. */
static const char table_1[] = "e2e4e7e5g1f3b8c6f1b5a7a6\n"
                              "e2e4e7e5g1f3b8c6f1c4\n"
                              "e2e4e7e5g1f3g8f6\n"
                              "e2e4e7e5f2f4\n"
                              "e2e4c7c5g1f3d7d6d2d4\n"
                              "e2e4c7c5g1f3b8c6\n"
                              "e2e4e7e6\n";
static const char table_2[] = "e2e4e7e5g1f3b8c6f1b5a7a6\n"
                              "*8f1c4\n"
                              "*6g8f6\n"
                              "*4f2f4\n"
                              "*2c7c5g1f3d7d6d2d4\n"
                              "*6b8c6\n"
                              "*2e7e6\n";
