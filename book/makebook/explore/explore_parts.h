/* The files of the page (HTML, style, scripts), which are part of the program. */
#pragma once

#include <stdint.h>

struct explore_part {
    const uint8_t *start;
    const uint8_t *end;
};

/* The scripts in the order in which the page has them. */
enum {
    EXPLORE_PART_PAGE,
    EXPLORE_PART_STYLE,
    EXPLORE_PART_PIECES,
    EXPLORE_PART_SCRIPT,
    EXPLORE_PARTS_COUNT = EXPLORE_PART_SCRIPT + 8,
};

extern const struct explore_part explore_parts[EXPLORE_PARTS_COUNT];
