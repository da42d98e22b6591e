/* Which games and which of their moves count.
 *
 * A filter is a plain value: set it up once, then any number of threads may judge games by it. The
 * filter_read_*() functions understand the text of an option; on failure the filter is untouched
 * and `diag`, which may be NULL, says what is wrong. They borrow nothing. */
#ifndef CAXTON_BOOK_BUILD_FILTER_FILTER_H
#define CAXTON_BOOK_BUILD_FILTER_FILTER_H

#include "book/build/filter/amount.h"
#include "chess/pgn.h"

/* Why a game was left out. A game with several reasons is counted under the first of them. */
enum left_out {
    LEFT_BAD,
    LEFT_UNFINISHED,
    LEFT_VARIANT,
    LEFT_SET_UP,
    LEFT_RESULT,
    LEFT_PLAYER,
    LEFT_ELO,
    LEFT_ELO_DIFF,
    LEFT_DATE,
    LEFT_TIME_CONTROL,
    LEFT_UNDATED,
    LEFT_UNRATED,
    LEFT_OLD,
    LEFT_EMPTY,
    LEFT_SHORT,
    LEFT_START,
    LEFT_ECO,
    LEFT_DUPLICATE,
    LEFT_REASONS
};
/* In a few words, to follow a number; and a name for machines. Static storage. */
const char *left_out_text(enum left_out reason);
const char *left_out_name(enum left_out reason);

/* What a game gets that cannot be read to its end. */
enum bad_games {
    BAD_GAMES_AUTO, /* as KEEP_PREFIX when the fault lies beyond the book's depth, else as DROP */
    BAD_GAMES_KEEP_PREFIX, /* its moves before the fault count, if it has any */
    BAD_GAMES_DROP
};

/* The classes of Lichess (lichess.org/faq, "time controls"): by the seconds that a game of 40 moves
 * may take each side, base + 40 * increment. */
enum time_class {
    TIME_UNKNOWN,
    TIME_BULLET,         /* up to 179 s */
    TIME_BLITZ,          /* up to 479 s */
    TIME_RAPID,          /* up to 1499 s */
    TIME_CLASSICAL,      /* up to a day */
    TIME_CORRESPONDENCE, /* more, or no clock at all ("-") */
    TIME_CLASSES
};

enum { FILTER_ECO_CODES = 500 };

struct filter {
    bool colors[2];           /* whose moves count */
    const char *player;       /* only this player's own moves, see player.h; NULL = everybody */
    const char *player_as[2]; /* likewise with White, with Black; any name that fits will do */
    bool unfinished;          /* count games without a result, as draws */
    bool fen_games;           /* count games that begin elsewhere */
    bool chess960;            /* only Chess960 games count, wherever they begin; else only others */
    bool no_blunders;         /* moves marked ? or ?? do not count; the rest of their game does */
    enum bad_games bad_games;
    unsigned results;     /* bits 1 << enum pgn_result; 0 = all */
    unsigned times;       /* bits 1 << enum time_class; 0 = all */
    int64_t min_elo;      /* of both players; 0 = off. A missing Elo is too little */
    int64_t max_elo_diff; /* -1 = off; unknown when an Elo is missing, and thus too much */
    int64_t since;        /* YYYYMMDD; 0 = off */
    int64_t until;        /* likewise */
    size_t min_plies;     /* in the whole game */
    bool has_eco;
    bool eco[FILTER_ECO_CODES]; /* A00 = 0 .. E99 */
    bool has_start;
    uint64_t start;             /* key: only games through this position, and only from there on */
    struct position start_pos;  /* with has_start */
    struct amount_rule amounts; /* how much a game counts */
};

/* Every finished game of standard chess from its usual start position. */
struct filter filter_default(void);

/* "YYYY", "YYYY.MM" or "YYYY.MM.DD" ('-' and '/' part as well): from its first day, to its last.
 * Errors: STATUS_SYNTAX. */
MUST_CHECK enum caxton_status filter_read_since(struct filter *filter, const char *text,
                                                struct diag *diag);
MUST_CHECK enum caxton_status filter_read_until(struct filter *filter, const char *text,
                                                struct diag *diag);
/* The day that games are aged to, as in filter_read_until(). */
MUST_CHECK enum caxton_status filter_read_as_of(struct filter *filter, const char *text,
                                                struct diag *diag);
/* Lists parted by commas: results; "bullet" ..; codes and ranges as in "B20-B99,C42".
 * Errors: STATUS_SYNTAX. */
MUST_CHECK enum caxton_status filter_read_results(struct filter *filter, const char *text,
                                                  struct diag *diag);
MUST_CHECK enum caxton_status filter_read_times(struct filter *filter, const char *text,
                                                struct diag *diag);
MUST_CHECK enum caxton_status filter_read_eco(struct filter *filter, const char *text,
                                              struct diag *diag);
/* A FEN, or moves from the usual start position: see position_from_text().
 * Errors: STATUS_SYNTAX, STATUS_ILLEGAL, STATUS_AMBIGUOUS. */
MUST_CHECK enum caxton_status filter_read_start(struct filter *filter, const char *text,
                                                struct diag *diag);

/* How far games have to be read when moves count up to ply `depth`. */
size_t filter_plies_needed(const struct filter *filter, size_t depth);

/* What counts of a game. */
struct verdict {
    enum left_out reason; /* LEFT_REASONS: it counts */
    bool colors[2];
    size_t first;    /* ply */
    size_t end;      /* ply behind the last */
    uint32_t amount; /* what each counts, in units of amount_unit(); not 0 when the game counts */
};

/* Judges a game that was read as far as filter_plies_needed() says. Knows nothing of other games:
 * never LEFT_DUPLICATE. `bad`: pgn_next() found a fault in it. */
struct verdict filter_judge(const struct filter *filter, const struct pgn_game *game, bool bad,
                            size_t depth);

/* Does the move at `ply`, which lies between first and end, count? That its position did not occur
 * before in the game is not asked here. */
bool filter_takes_ply(const struct filter *filter, const struct pgn_game *game,
                      const struct verdict *verdict, size_t ply);

/* What makes a game the same as another one: White, Black, Date and result, the start position, the
 * whole main line, which of its moves count, and how much, so that it does not matter which of two
 * equal games is counted. Moves beyond the depth are compared as they are written, see
 * pgn_set_fingerprints(); a bad game ends with its fault, `fault` describes it (NULL: none). */
struct fingerprint filter_fingerprint(const struct filter *filter, const struct pgn_game *game,
                                      const struct verdict *verdict, const struct diag *fault);

/* The class of a TimeControl tag. "40/7200:3600" is 7200 s for 40 moves, "1/86400" a day a move. */
enum time_class time_class_of(struct span control);

/* What decides about counting and is not as in filter_default(), one line "NAME VALUE" each. */
void filter_describe(const struct filter *filter, struct text_buffer *out);

#endif
