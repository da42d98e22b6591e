/* The commands that read most: each line is taken as the arguments of `position` and of `go`. The
 * position must stay sound whatever they say. */
#include <stdlib.h>

#include "book/uci/position.h"
#include "chess/attacks.h"
#include "chess/game.h"
#include "engine/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everything is created once: what one input leaves behind must not hurt the next. */
struct fixture {
    FILE *out;
    struct session *session;
    struct position_memory memory;
};

static struct fixture *fixture(void)
{
    static struct fixture one;
    if (one.session)
        return &one;
    chess_init();
    one.out = fopen("/dev/null", "w");
    if (!one.out)
        abort();
    one.session = session_create(one.out, 1);
    if (!one.session)
        abort();
    return &one;
}

static void take_line(struct fixture *one, struct span line)
{
    struct go go;
    (void)position_command(session_game(one->session), &one->memory, line,
                           session_out(one->session));
    const struct position *pos = game_position(session_game(one->session));
    if (position_compute_key(pos) != pos->key)
        abort();
    go_parse(line, pos, session_out(one->session), &go);
    if (go.request.move_count < 0 || go.request.move_count > MOVES_MAX)
        abort();
    for (int i = 0; i < go.request.move_count; i++)
        if (!movegen_is_legal(pos, go.request.moves[i]))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fixture *one = fixture();
    size_t start = 0;
    for (size_t i = 0; i <= size; i++) {
        if (i < size && data[i] != '\n')
            continue;
        take_line(one, span_make((const char *)data + start, i - start));
        start = i + 1;
    }
    return 0;
}
