#include "book/uci/position.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/notation.h"

void position_memory_free(struct position_memory *memory)
{
    free(memory->text);
    *memory = (struct position_memory){0};
}

static void remember(struct position_memory *memory, struct span arguments, bool has_moves)
{
    memory->valid = false;
    char *text = array_reserve(memory->text, &memory->capacity, arguments.size, 1);
    if (!text)
        return; /* the next command is read as a whole */
    memory->text = text;
    memcpy(text, arguments.data, arguments.size);
    memory->size = arguments.size;
    memory->has_moves = has_moves;
    memory->valid = true;
}

static bool starts_with_moves(struct span text)
{
    return span_equal(span_token(&text), "moves");
}

/* Is the command the last one with something added? `rest` is then what was added. */
static bool continues(const struct position_memory *memory, struct span arguments,
                      struct span *rest)
{
    if (!memory->valid || arguments.size < memory->size ||
        memcmp(arguments.data, memory->text, memory->size) != 0)
        return false;
    struct span added = span_from(arguments, memory->size);
    if (added.size && (added.data[0] != ' ' || (!memory->has_moves && !starts_with_moves(added))))
        return false;
    *rest = added;
    return true;
}

/* False after an illegal move. */
static bool play_moves(struct game *game, struct span rest, struct output *out)
{
    for (struct span token; (token = span_token(&rest)).size;) {
        move m;
        if (move_from_uci(game_position(game), token, &m) != STATUS_OK) {
            report_string(
                out, "position: move %zu, \"%.*s\", is not legal; the %zu before it are played",
                game_plies(game) + 1, report_quote_size(token), token.data, game_plies(game));
            return false;
        }
        if (game_play(game, m) != STATUS_OK) {
            report_string(out, "position: no memory after %zu moves", game_plies(game));
            return false;
        }
    }
    return true;
}

/* Takes the text up to the token `moves` off `rest`. */
static struct span take_fen(struct span *rest)
{
    struct span fen = span_make(rest->data, 0);
    while (rest->size) {
        struct span after = *rest;
        struct span token = span_token(&after);
        if (!token.size || span_equal(token, "moves"))
            break;
        fen.size = (size_t)(token.data + token.size - fen.data);
        *rest = after;
    }
    return span_trim(fen);
}

static bool read_start(struct span *rest, struct position *start, struct output *out)
{
    struct span kind = span_token(rest);
    if (span_equal(kind, "startpos")) {
        position_start(start);
        return true;
    }
    if (!span_equal(kind, "fen")) {
        report_string(out, "position: expected startpos or fen%s%.*s%s",
                      kind.size ? ", not \"" : "", report_quote_size(kind), kind.data,
                      kind.size ? "\"" : "");
        return false;
    }
    struct diag diag;
    if (fen_parse_lenient(take_fen(rest), start, &diag) == STATUS_OK) {
        if (diag.text[0])
            report_string(out, "position: FEN, column %zu: %s; left out", diag.column, diag.text);
        return true;
    }
    report_string(out, "position: bad FEN, column %zu: %s; the position stays as it was",
                  diag.column, diag.text);
    return false;
}

/* A new game from `rest`, which is left at the moves; false and no change when it is faulty. */
static bool start_anew(struct game *game, struct span *rest, struct output *out)
{
    struct position start;
    if (!read_start(rest, &start, out))
        return false;
    if (rest->size && !starts_with_moves(*rest)) {
        struct span token = span_token(rest);
        report_string(out, "position: expected moves, not \"%.*s\"; the position stays as it was",
                      report_quote_size(token), token.data);
        return false;
    }
    game_reset(game, &start);
    return true;
}

bool position_command(struct game *game, struct position_memory *memory, struct span arguments,
                      struct output *out)
{
    arguments = span_trim(arguments);
    struct span rest = arguments;
    bool has_moves = false;
    if (continues(memory, arguments, &rest))
        has_moves = memory->has_moves;
    else if (!start_anew(game, &rest, out))
        return false;
    if (!has_moves && rest.size) {
        (void)span_token(&rest);
        has_moves = true;
    }
    memory->valid = false;
    if (!play_moves(game, rest, out))
        return false;
    remember(memory, arguments, has_moves);
    return true;
}
