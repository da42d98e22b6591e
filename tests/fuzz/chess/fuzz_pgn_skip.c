/* Any bytes: what is looked for in blocks of bytes is found where one byte after the other finds
 * it, and lines are counted alike, whether text is skipped from one buffer or arrives in pieces. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "chess/attacks.h"
#include "chess/pgn_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static const char *find_stop(const char *at)
{
    while (!pgn_is(*at, PGN_STOP))
        at++;
    return at;
}

static const char *find_special(const char *at)
{
    while (*at != '"' && *at != '\\' && *at != '\n' && *at != '\r' && *at != '\0')
        at++;
    return at;
}

/* Line ends up to `size`: CR, LF, or both of them. */
static uint64_t count_lines(const uint8_t *data, size_t size)
{
    uint64_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += data[i] == '\r' || (data[i] == '\n' && (i == 0 || data[i - 1] != '\r'));
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    chess_init();
    char *text = calloc(size + (size_t)2 * PGN_MARGIN, 1);
    require(text != NULL);
    char *start = text + PGN_MARGIN;
    if (size)
        memcpy(start, data, size);
    const char *stop = start;
    const char *special = start;
    for (const char *at = start; at <= start + size; at++) {
        stop = stop < at ? at : stop;
        special = special < at ? at : special;
        stop = find_stop(stop);
        special = find_special(special);
        require(scan_find_stop(at) == stop && scan_find_special(at) == special);
    }
    struct pgn_reader *reader = pgn_create_memory("", 0);
    require(reader != NULL);
    pgn_set_ply_limit(reader, 0);
    pgn_restart_text(reader, start, size);
    struct pgn_game game;
    while (pgn_next(reader, &game, NULL) != STATUS_END)
        require(game.line <= count_lines(data, size) + 1 && game.offset < size);
    require(pgn_lines(reader) == count_lines(data, size));
    pgn_destroy(reader);
    free(text);
    return 0;
}
