/* Any bytes as the parameters of a request; the first says which path is asked. What is read is a
 * position of the rules and a filter; what is not has a reason. */
#include <stdlib.h>

#include "book/explorer/query.h"
#include "chess/attacks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool is_ready;
    struct explorer_query query;
    struct diag diag = {.text = ""};
    if (!is_ready)
        chess_init();
    is_ready = true;
    if (size < 1)
        return 0;
    enum explorer_kind kind = (enum explorer_kind)(1 << data[0] % 4);
    struct span text = span_make((const char *)data + 1, size - 1);
    if (explorer_query_parse(text, kind, &query, &diag) != STATUS_OK) {
        if (!*diag.text)
            abort();
        return 0;
    }
    if (query.pos.key != position_compute_key(&query.pos) || query.recent_games > EXPLORER_RECENT ||
        query.top_games > EXPLORER_TOP || (kind == EXPLORER_PLAYER && !*query.player))
        abort();
    return 0;
}
