/* Which games of PGN files come to a position: the part of makebook show behind --where. */
#pragma once

#include "book/makebook/cli/listed_game.h"
#include "book/statistics/sample.h"
#include "chess/position.h"

enum { WHERE_PLAYERS = 5, WHERE_SAMPLES_MAX = 100 };

struct where_sample {
    struct sample rank; /* its place in the order of sample_compare() */
    struct listed_game game;
};

/* Begins with `wanted` and `plies`. */
struct where {
    size_t wanted;                    /* sample games, 1..WHERE_SAMPLES_MAX */
    uint64_t plies;                   /* of a game, by which equal ones are known: game_mark() */
    uint64_t read;                    /* games of all files, */
    uint64_t games;                   /* and those of them that come to the position */
    char first_date[LISTED_DATE_MAX]; /* "" where no game has a date */
    char last_date[LISTED_DATE_MAX];
    int64_t first_day; /* YYYYMMDD, of these */
    int64_t last_day;
    struct listed_player best[WHERE_PLAYERS]; /* with different names, by Elo */
    size_t best_count;
    struct where_sample samples[WHERE_SAMPLES_MAX]; /* in their order, each mark once */
    size_t sample_count;
};

/* Reads all games of `paths`, which are borrowed. False after one line on standard error. */
bool where_find(const struct command_line *line, const struct option_texts *paths,
                const struct position *pos, struct where *where);

/* To standard output. */
void where_print(const struct where *where);
void where_print_json(struct json *json, const struct where *where);

/* The text of sample game `number`, from 1. False after one line on standard error. */
bool where_print_game(const struct command_line *line, const struct where *where, int64_t number);
