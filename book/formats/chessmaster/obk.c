#include "book/formats/chessmaster/obk.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "book/position_book.h"
#include "chess/fen.h"
#include "chess/notation.h"

enum {
    MAGIC_SIZE = 4,
    HEADER_SIZE = 12,
    OLD_HEADER_SIZE = 8, /* without the number of notes */
    MOVE_SIZE = 2,
    NOTE_SIZE = 6, /* and its text */
    LAST_CHOICE = 1 << 6,
    LINE_ENDS = 1 << 7,
    SQUARE = 63,
    MARK_SHIFT = 6,
};

static const char magic[] = "BOO!";
static const char old_magic[] = "UGWS";

/* Where a line is. */
struct place {
    struct position pos;
    unsigned ply;
    bool lost; /* behind a move that is not followed: there is no position */
};

struct reader {
    const uint8_t *moves;
    size_t begin; /* of the moves, in the file */
    size_t count;
    bool marked; /* some move has a mark */
    struct book_input *input;
    struct place places[OBK_PLIES_MAX + 1]; /* that have another choice, the deepest last */
    size_t place_count;
};

static void fault(struct reader *reader, enum book_fault kind, size_t at, const char *text)
{
    book_input_fault(reader->input, kind, 0, 0, reader->begin + at * MOVE_SIZE, "move %zu: %s", at,
                     text);
}

static enum caxton_status to_move(const struct position *pos, const uint8_t *bytes, char text[8],
                                  move *out)
{
    int from = bytes[0] & SQUARE;
    int to = bytes[1] & SQUARE;
    bool promotes = (pos->board[from] == piece_make(WHITE, PAWN) && square_rank(to) == 7) ||
                    (pos->board[from] == piece_make(BLACK, PAWN) && square_rank(to) == 0);
    (void)snprintf(text, 8, "%c%d%c%d%s", 'a' + square_file(from), 1 + square_rank(from),
                   'a' + square_file(to), 1 + square_rank(to), promotes ? "q" : "");
    return move_from_uci(pos, span_of(text), out);
}

/* Takes the move at `at` and goes on behind it. */
static enum caxton_status take_move(struct reader *reader, size_t at, struct place *place)
{
    const uint8_t *bytes = reader->moves + at * MOVE_SIZE;
    char text[8];
    move m;
    if (place->lost)
        return STATUS_OK;
    enum caxton_status status = to_move(&place->pos, bytes, text, &m);
    if (status != STATUS_OK) {
        char fen[FEN_MAX];
        char what[FEN_MAX + 64];
        fen_format(&place->pos, fen);
        (void)snprintf(what, sizeof what, "%s %s %s", text, book_fault_text(status), fen);
        fault(reader, book_fault_of(status), at, what);
        place->lost = true;
        return STATUS_OK;
    }
    const struct book_entry entry = {.weight =
                                         reader->marked ? (uint32_t)(bytes[1] >> MARK_SHIFT) : 1,
                                     .place = (uint32_t)at,
                                     .stated = true};
    status = entry_list_add(&reader->input->list, &place->pos, m, entry);
    position_play(&place->pos, m);
    place->ply++;
    if (place->ply == OBK_PLIES_MAX && !(bytes[0] & LINE_ENDS)) {
        fault(reader, BOOK_FAULT_LOOP, at, "the line is too long to be followed any further");
        place->lost = true;
    }
    return status;
}

static enum caxton_status read_moves(struct reader *reader)
{
    struct place place = {.ply = 0};
    position_start(&place.pos);
    for (size_t at = 0; at < reader->count; at++) {
        const uint8_t *bytes = reader->moves + at * MOVE_SIZE;
        /* Choices behind a move that is not followed are counted, so that what comes after them is
         * found again. */
        if (!(bytes[0] & LAST_CHOICE)) {
            if (reader->place_count > OBK_PLIES_MAX) {
                fault(reader, BOOK_FAULT_LOOP, at, "choices are nested too deep");
                return STATUS_OK;
            }
            reader->places[reader->place_count++] = place;
        }
        enum caxton_status status = take_move(reader, at, &place);
        if (status != STATUS_OK)
            return status;
        if (!(bytes[0] & LINE_ENDS))
            continue;
        if (reader->place_count == 0) {
            if (at + 1 < reader->count)
                fault(reader, BOOK_FAULT_CUT_OFF, at + 1, "no line comes here");
            return STATUS_OK;
        }
        place = reader->places[--reader->place_count];
    }
    fault(reader, BOOK_FAULT_SIZE, reader->count, "is missing: the line does not end");
    return STATUS_OK;
}

/* Counts the notes, which no other kind of book keeps in this way. */
static void count_notes(struct book_input *input, const uint8_t *bytes, size_t size, size_t at,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (size - at < NOTE_SIZE || size - at - NOTE_SIZE < bytes[at + 4]) {
            book_input_fault(input, BOOK_FAULT_SIZE, 0, 0, at, "the file ends within note %zu", i);
            return;
        }
        at += NOTE_SIZE + bytes[at + 4];
        input->comments++;
    }
}

static bool obk_recognises(const uint8_t *bytes, size_t size)
{
    return size >= MAGIC_SIZE &&
           (memcmp(bytes, magic, MAGIC_SIZE) == 0 || memcmp(bytes, old_magic, MAGIC_SIZE) == 0);
}

static enum caxton_status obk_read(const uint8_t *bytes, size_t size, struct book_input *input)
{
    bool is_old = size >= MAGIC_SIZE && memcmp(bytes, old_magic, MAGIC_SIZE) == 0;
    size_t begin = is_old ? OLD_HEADER_SIZE : HEADER_SIZE;
    if (size < begin) {
        book_input_fault(input, BOOK_FAULT_SIZE, 0, 0, size, "the file ends within its header");
        return STATUS_OK;
    }
    size_t said = bytes_get_u32le(bytes + MAGIC_SIZE);
    size_t room = (size - begin) / MOVE_SIZE;
    struct reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return STATUS_NO_MEMORY;
    reader->moves = bytes + begin;
    reader->begin = begin;
    reader->count = said < room ? said : room;
    reader->input = input;
    for (size_t i = 0; i < reader->count; i++)
        reader->marked |= bytes[begin + i * MOVE_SIZE + 1] >> MARK_SHIFT > 0;
    enum caxton_status status = reader->count ? read_moves(reader) : STATUS_OK;
    if (said > room)
        book_input_fault(input, BOOK_FAULT_SIZE, 0, 0, size, "the file ends after %zu of %zu moves",
                         room, said);
    else if (!is_old && status == STATUS_OK)
        count_notes(input, bytes, size, begin + said * MOVE_SIZE,
                    bytes_get_u32le(bytes + OLD_HEADER_SIZE));
    free(reader);
    return status;
}

const struct book_format obk_format = {.name = "Chessmaster",
                                       .extension = "obk",
                                       .recognises = obk_recognises,
                                       .read = obk_read,
                                       POSITION_BOOK_FUNCTIONS};
