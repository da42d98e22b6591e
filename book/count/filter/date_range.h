/* Dates of games: all days that an incomplete date can mean. */
#pragma once

#include "base/text.h"
#include "chess/pgn.h"

/* Days as YYYYMMDD. */
struct date_range {
    int64_t first;
    int64_t last;
};

/* The days that the value of a tag can mean: what is missing behind the year or has question marks,
 * in the year too, can be any. False when it is no date. */
bool date_range_of_tag(struct span text, struct date_range *out);

/* By the Date tag; games of some servers have UTCDate only. What tells games apart uses it, so it
 * must stay the same for statistics of old. */
struct span date_of_game(const struct pgn_game *game);

/* The same, but UTCDate also where the year of Date is not known ("????.??.??"). */
struct span date_known_of_game(const struct pgn_game *game);

/* Reads "YYYY", "YYYY.MM" or "YYYY.MM.DD" ('-' and '/' part as well) as a user writes it: without
 * question marks. Errors: STATUS_SYNTAX, *out untouched. */
MUST_CHECK enum caxton_status date_range_read(const char *text, struct date_range *out,
                                              struct diag *diag);
