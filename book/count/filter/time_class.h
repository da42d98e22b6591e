/* Time controls by how long a game may take. */
#pragma once

#include "base/text.h"

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

/* "bullet" ..; "" for TIME_UNKNOWN. */
extern const char *const time_class_names[TIME_CLASSES];

/* The class of a TimeControl tag. "40/7200:3600" is 7200 s for 40 moves, "1/86400" a day a move. */
enum time_class time_class_of(struct span control);
