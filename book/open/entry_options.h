/* Options of one book in a list of books: "mine.bin?color=white&depth=12". */
#pragma once

#include "base/text.h"
#include "book/book_move.h"

/* Each field that is below 0 was not said. */
struct entry_options {
    int color;              /* the book answers for this side only */
    int depth_plies;        /* it is left after this many plies of the game */
    int selection;          /* enum book_selection */
    int threshold_permille; /* moves with a smaller share are not played */
};

/* None of them said. */
struct entry_options entry_options_none(void);

/* Splits "NAME?NAME=VALUE&..." at the last '?' that has an option behind it. Returns the name;
 * *text: the options, empty when there are none. */
struct span entry_options_split(struct span entry, struct span *text);

/* Takes the next option off the front of `text`, which is not empty. Errors: STATUS_SYNTAX (`diag`
 * names the option and what is known; *options keeps what it had). */
MUST_CHECK enum caxton_status entry_options_next(struct span *text, struct entry_options *options,
                                                 struct diag *diag);
