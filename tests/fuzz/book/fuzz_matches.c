/* Any bytes as games of matches: exits, players, pairs, what they say of a suite. */
#include <stdlib.h>

#include "book/graph/expected.h"
#include "book/suite/matches.h"
#include "chess/attacks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct matches matches = {.read = 0};
    struct span text = span_make((const char *)data, size);
    struct span again = text;
    uint64_t games = 0;
    uint64_t pairs = 0;
    chess_init();
    if (matches_read(&matches, span_read, &text) != STATUS_OK ||
        matches_read(&matches, span_read, &again) != STATUS_OK ||
        matches_pair(&matches, size % 4) != STATUS_OK)
        abort();
    for (size_t i = 0; i < matches.exits.count; i++) {
        const struct match_exit *exit = &matches.counts[i];
        double low;
        double high;
        games += exit->results[PGN_WHITE_WINS] + exit->results[PGN_BLACK_WINS];
        games += exit->results[PGN_DRAW] + exit->apart;
        pairs += match_score_of(exit->pairs).pairs;
        wilson_interval((double)exit->results[PGN_DRAW], (double)games, &low, &high);
        if (!(low <= high))
            abort();
    }
    if (games + matches.bad != matches.read || 2 * pairs + matches.alone != matches.ends[0])
        abort();
    matches_free(&matches);
    return 0;
}
