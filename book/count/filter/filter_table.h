/* The table of filters: a row for each rule that can leave games out. */
#pragma once

#include "base/command_line.h"
#include "base/text.h"
#include "book/count/filter/amount.h"
#include "chess/pgn.h"

struct name_set {
    const char *const *names; /* names[1..count) */
    int count;
    const char *what; /* what a name is, for a message */
};

enum { ECO_CODES = 500, ECO_WORDS = (ECO_CODES + 63) / 64 };

struct eco_codes {
    uint64_t words[ECO_WORDS]; /* bit i: the code of number i, A00 = 0, E99 = 499 */
};

enum { FILTER_ROWS_MAX = 32 };

/* What the command line says for one option; the member depends on its kind. All zero: nothing. */
struct filter_setting {
    bool flag;
    int choice;
    int64_t number;
    const char *text; /* borrowed */
};

/* What a row keeps of its setting, as it needs it. */
struct filter_value {
    bool is_set;
    union {
        int64_t number;
        const char *text;
        unsigned bits;
        struct eco_codes codes;
    };
};

/* What a game gets that cannot be read to its end. */
enum bad_games {
    BAD_GAMES_AUTO, /* as KEEP_PREFIX when the fault lies beyond the book's depth, else as DROP */
    BAD_GAMES_KEEP_PREFIX, /* its moves before the fault count, if it has any */
    BAD_GAMES_DROP
};

/* Which games count. Made by filter_default(), changed by filter_set(). */
struct filter {
    struct filter_value values[FILTER_ROWS_MAX]; /* of each row */
    uint32_t judges;                             /* bits 1 << row: the rows that judge */
    /* What is asked for outside its row. */
    const char *player;       /* only the moves of this player, see player.h; NULL = of everybody */
    const char *player_as[2]; /* the same with White, with Black; a move counts if any name fits */
    bool colors[2];           /* whose moves count */
    bool opponents;           /* of a game in which a move counts so, all do */
    bool needs_elo;           /* of both players */
    bool no_blunders;         /* moves marked ? or ?? do not count; the rest of their game does */
    size_t min_plies;         /* in the whole game */
    bool has_start;           /* only games through `start` count, and only from there on */
    struct position start;
    struct amount_rule amounts; /* how much a game counts */
};

/* What counts of a game. */
struct verdict {
    bool counts;
    size_t reason; /* why not: a row, see filter_reason() */
    bool colors[2];
    size_t first;    /* ply */
    size_t end;      /* ply behind the last */
    uint32_t amount; /* what each counts, in units of filter_unit(); not 0 when the game counts */
};

/* A game before its judges. */
struct filter_case {
    const struct filter *filter;
    const struct filter_value *value; /* of the row that judges */
    const struct pgn_game *game;
    bool bad; /* pgn_next() found a fault in it */
    size_t depth;
    int64_t halvings; /* of the game's amount, so far */
    struct verdict *verdict;
};

struct filter_row {
    /* The option, as in struct option_row; a row without name has none. */
    const char *name;
    enum option_kind kind;
    const char *argument;
    const char *help;
    int64_t min;
    int64_t max;
    int help_place;      /* options are listed in this order, equal ones as in the table */
    const char *example; /* for a text: one that changes what is counted */

    /* Stores the option's value; value->number has the number or the choice already. May be NULL.
     * Errors: STATUS_SYNTAX, STATUS_ILLEGAL, STATUS_AMBIGUOUS, STATUS_NOT_FOUND, `diag` says what
     * is wrong. On success its text may be a remark on how the value was understood. */
    enum caxton_status (*set)(struct filter *filter, const struct filter_row *row,
                              struct filter_value *value, const struct filter_setting *setting,
                              struct diag *diag);
    int choice; /* which of several similar things a function that rows share sets */
    const struct name_set *names; /* likewise: of which names it takes some */

    /* The option as a line of a statistics file: this text, or what the function appends. Neither:
     * the option's name with its number or choice. */
    const char *line;
    void (*describe)(const struct filter_row *row, const struct filter_value *value,
                     struct text_buffer *out);

    /* May the game count? NULL: the row decides nothing. */
    bool (*judge)(struct filter_case *now);
    bool always; /* judge without the option, too */

    /* What is said of the games that the row leaves out. A row without reason_name shares that of
     * the row before. */
    const char *reason_name; /* in JSON */
    const char *reason;      /* "12 games without a result" */
    const char *hint;        /* "12 of 12 games had no result (--unfinished counts them)" */
};

/* All rows in the order in which they judge. The first one is about bad games, the last one about
 * duplicates. */
extern const struct filter_row filter_rows[];

extern const size_t filter_row_count; /* at most FILTER_ROWS_MAX */
