/* Any text as a move in SAN: "FEN newline move newline move ..". A move that is understood is
 * legal, and its own SAN means the same move. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/san_plain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct span take_line(struct span *rest)
{
    const char *end = rest->size ? memchr(rest->data, '\n', rest->size) : NULL;
    size_t size = end ? (size_t)(end - rest->data) : rest->size;
    struct span line = span_make(rest->data, size);
    size_t taken = end ? size + 1 : size;
    rest->data += taken;
    rest->size -= taken;
    return line;
}

static void check_text(const struct position *pos, move m)
{
    char san[SAN_MAX];
    char uci[UCI_MAX];
    move again;
    move_to_san(pos, m, san);
    if (move_from_san(pos, span_of(san), &again) != STATUS_OK || again != m)
        abort();
    move_to_uci(m, true, uci);
    if (move_from_uci(pos, span_of(uci), &again) != STATUS_OK || again != m)
        abort();
}

/* What the fast reader takes for a move is one, and the same. */
static void check_plain(const struct position *pos, struct span text)
{
    char copy[UCI_MAX + SAN_MAX + SAN_PLAIN_AHEAD] = "";
    move plain;
    move m = MOVE_NONE;
    text_copy(copy, UCI_MAX + SAN_MAX, text);
    const char *end = san_plain(pos, copy, &plain);
    if (end &&
        (move_from_san(pos, span_make(copy, (size_t)(end - copy)), &m) != STATUS_OK || m != plain))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    chess_init();
    struct span rest = span_make((const char *)data, size);
    struct position pos;
    struct undo undo;
    if (fen_parse(take_line(&rest), &pos, NULL) != STATUS_OK)
        position_start(&pos);
    while (rest.size) {
        move m;
        struct span text = take_line(&rest);
        check_plain(&pos, text);
        if (move_from_san(&pos, text, &m) != STATUS_OK &&
            move_from_uci(&pos, text, &m) != STATUS_OK)
            continue;
        if (!movegen_is_legal(&pos, m))
            abort();
        check_text(&pos, m);
        position_make(&pos, m, &undo);
        if (pos.key != position_compute_key(&pos))
            abort();
    }
    return 0;
}
