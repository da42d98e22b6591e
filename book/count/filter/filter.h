/* Which games and which of their moves count.
 *
 * A filter is a plain value: set it up once, then any number of threads may judge games by it. What
 * filters there are stands in filter_table.c. */
#pragma once

#include "base/fingerprint.h"
#include "book/count/filter/filter_table.h"
#include "book/count/filter/player.h"

/* Every finished game of standard chess from its usual start position. */
struct filter filter_default(void);

/* The option of a row that has one, as a row of a table of options, whose value goes into
 * `setting`.
 */
struct option_row filter_option(const struct filter_row *row, struct filter_setting *setting);

/* Sets what the option `name` sets, which is one of the table. Texts are borrowed. A setting that
 * is all zero changes nothing. Errors: STATUS_NOT_FOUND (no such option), STATUS_SYNTAX,
 * STATUS_ILLEGAL, STATUS_AMBIGUOUS; the filter is untouched then and `diag`, which may be NULL,
 * says what is wrong. */
MUST_CHECK enum caxton_status filter_set(struct filter *filter, const char *name,
                                         const struct filter_setting *setting, struct diag *diag);

/* Errors: STATUS_RANGE (two settings exclude each other, so that no game can count, or one says
 * nothing without another); `diag`, which may be NULL, names them. */
MUST_CHECK enum caxton_status filter_check(const struct filter *filter, struct diag *diag);

/* Why games were left out: reason number `index` < FILTER_ROWS_MAX. NULL where there is none. A
 * game with several reasons is counted under the first of them. Static storage. */
const struct filter_row *filter_reason(size_t index);

/* The number of the reason that a game equals one counted before. */
size_t filter_reason_duplicate(void);

/* What a whole game counts: TALLY_UNIT, or 1 where no game counts for more than another. */
uint64_t filter_unit(const struct filter *filter);

/* Counts the players of a game that was left out for its players (verdict.reason), as far as their
 * names are near those that were asked for. Does nothing for other reasons. */
void filter_note_names(const struct filter *filter, const struct pgn_game *game,
                       const struct verdict *verdict, struct near_names *names);

/* How far games have to be read when moves count up to ply `depth`. */
size_t filter_plies_needed(const struct filter *filter, size_t depth);

/* Judges a game that was read as far as filter_plies_needed() says. Knows nothing of other games:
 * the reason is never filter_reason_duplicate(). `bad`: pgn_next() found a fault in it. */
struct verdict filter_judge(const struct filter *filter, const struct pgn_game *game, bool bad,
                            size_t depth);

/* Does the move at `ply`, which lies between first and end, count? That its position did not occur
 * before in the game is not asked here. */
bool filter_takes_ply(const struct filter *filter, const struct pgn_game *game,
                      const struct verdict *verdict, size_t ply);

/* What makes a game the same as another one: White, Black, Date and result, the start position, the
 * whole main line, which of its moves count, and how much, so that it does not matter which of two
 * equal games is counted. Moves beyond the depth are told apart with pgn_set_whole_games() only. A
 * bad game ends with its fault, `fault` describes it (NULL: none). facets: a number of what the
 * statistics tell apart of the game beside, 0: nothing.
 * Statistics keep them: see base/fingerprint.h before changing what is told apart. */
struct fingerprint filter_fingerprint(const struct filter *filter, const struct pgn_game *game,
                                      const struct verdict *verdict, const struct diag *fault,
                                      uint64_t facets);

/* What decides about counting and is not as in filter_default(), one line "NAME VALUE" each. */
void filter_describe(const struct filter *filter, struct text_buffer *out);
