/* Any bytes as the lines of a UCI engine: what is understood of them is within its bounds. */
#include <stdlib.h>

#include "book/scoring/uci_searcher.h"
#include "search/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take_line(struct span line)
{
    struct uci_info info;
    struct uci_option option;
    if (uci_read_info(line, &info)) {
        if (abs(info.score) > SCORE_MATE || (!info.has_score && info.score != 0))
            abort();
        if (info.depth < 0 || info.depth > SEARCH_DEPTH_MAX)
            abort();
        if (uci_read_option(line, &option))
            abort(); /* it is one of both */
    } else if (uci_read_option(line, &option)) {
        if (option.name.size == 0 || option.name.data < line.data ||
            option.name.data + option.name.size > line.data + line.size)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span rest = span_make((const char *)data, size);
    for (struct span line; span_line(&rest, &line);)
        take_line(line);
    return 0;
}
