/* Who sits opposite in makebook grow: books, statistics, games that are counted as build does. */
#pragma once

#include "book/count/builder.h"
#include "book/grow/opponent.h"
#include "book/grow/own_choice.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/cli/source.h"

enum { GROW_AGAINST_ROWS = 4, GROW_GAMES_ROWS_MAX = 5 + FILTER_ROWS_MAX };

/* One of --against. */
struct grow_opponent {
    struct source source;
    struct book *counted; /* of games */
    uint64_t games;       /* that counted, of */
    uint64_t games_read;
};

/* Begins as {0}. */
struct grow_against {
    struct option_texts names;
    const char *shares;
    int64_t shallow;     /* plies; 0: not given */
    int64_t temperature; /* centipawns */
    struct filtering filtering;
    struct asked_facets facets;
    int64_t max_ply;
    int64_t min_games;
    int64_t memory_mb;
    bool wants_results; /* before grow_against_open(); so the next */
    bool quiet;

    struct build_options build; /* after grow_against_read() */

    /* After grow_against_open(). */
    struct grow_opponent *opponents; /* as names */
    struct opponent_source sources[OPTION_TEXTS_MAX];
    bool has_results; /* some source has a move that games are known of */
};

/* Fills rows[0..GROW_AGAINST_ROWS) with the options about opponents. */
void grow_against_rows(struct grow_against *against, struct option_row *rows);

/* Fills rows[0..GROW_GAMES_ROWS_MAX) with those about games. Returns how many they are. */
size_t grow_against_game_rows(struct grow_against *against, struct option_row *rows);

/* Reads the options into `out`, whose sources are to be opened. Returns EXIT_DONE or EXIT_USAGE. */
enum exit_status grow_against_read(const struct command_line *line, struct grow_against *against,
                                   struct opponent *out);

/* Opens and counts what the options name. Returns the exit status of a fault, which is named on
 * standard error, or EXIT_DONE. */
enum exit_status grow_against_open(const struct command_line *line, struct grow_against *against);

/* How many games of each file counted, as lines of the closing report. */
void grow_against_report(FILE *out, const struct grow_against *against);

void grow_against_close(struct grow_against *against);
