/* Any text as a position and as a line: both are understood or neither, the moves are legal, and
 * they lead from the root to the position. */
#include <stdint.h>
#include <stdlib.h>

#include "chess/attacks.h"
#include "chess/movegen.h"
#include "chess/position_text.h"

enum { PLIES = 40 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    chess_init();
    struct span text = span_make((const char *)data, size);
    struct position pos;
    struct position root;
    move moves[PLIES];
    size_t count = 0;
    struct diag diag = {.text = ""};
    enum caxton_status whole = position_from_text(text, &pos, &diag);
    enum caxton_status status = line_from_text(text, &root, moves, PLIES, &count, &diag);
    if (status == STATUS_RANGE)
        return 0;
    if (status != whole || (status != STATUS_OK && !*diag.text))
        abort();
    if (status != STATUS_OK)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (!movegen_is_legal(&root, moves[i]))
            abort();
        position_play(&root, moves[i]);
    }
    if (root.key != pos.key)
        abort();
    return 0;
}
