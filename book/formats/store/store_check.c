#include "book/formats/store/store_check.h"

#include <string.h>

#include "base/bytes.h"
#include "book/store/record.h"
#include "chess/movegen.h"

static bool is_legal(const struct position *pos, move m)
{
    move legal[MOVES_MAX];
    int count = movegen_legal(pos, legal);
    for (int i = 0; i < count; i++)
        if (legal[i] == m)
            return true;
    return m == MOVE_NONE;
}

/* Where a record has moves; 0: none. */
static void find_moves(const uint8_t *record, size_t places[MOVES_EACH])
{
    places[0] = places[1] = 0;
    switch (record_kind(record)) {
    case RECORD_TO_DEPTH:
    case RECORD_NODES:
        places[0] = ANSWER_MOVE_AT;
        break;
    case RECORD_CHOSEN:
        places[0] = CHOSEN_MOVE_AT;
        break;
    case RECORD_PLAYED:
        places[0] = PLAYED_MOVE_AT;
        break;
    case RECORD_NODE_WHITE:
    case RECORD_NODE_BLACK:
        places[0] = NODE_MOVE_AT;
        break;
    case RECORD_MOVES_WHITE:
    case RECORD_MOVES_BLACK:
        places[0] = MOVES_AT;
        places[1] = MOVES_AT + MOVES_SIZE;
        break;
    default:
        break;
    }
}

static bool keeps_rules(const uint8_t *record)
{
    struct packed_position packed;
    struct position pos;
    size_t places[MOVES_EACH];
    find_moves(record, places);
    if (places[0] == 0)
        return true; /* begin and end have no position */
    memcpy(packed.bytes, record, sizeof packed.bytes);
    if (!position_unpack(&packed, &pos))
        return false;
    for (int i = 0; i < MOVES_EACH; i++)
        if (places[i] > 0 && !is_legal(&pos, bytes_get_u16le(record + places[i])))
            return false;
    return true;
}

enum caxton_status store_check(const struct book_format *format, const uint8_t *bytes, size_t size,
                               book_fault_sink sink, void *context)
{
    (void)format;
    struct diag diag = {.text = ""};
    size_t at = STORE_HEADER_SIZE;
    if (store_header_check(bytes, size, &diag) != STATUS_OK)
        return STATUS_OK; /* opening says it */
    uint64_t header_sum = store_header_sum(bytes);
    for (; size - at >= STORE_RECORD_SIZE; at += STORE_RECORD_SIZE) {
        bool sound = record_is_sound(header_sum, bytes + at);
        if (sound && keeps_rules(bytes + at))
            continue;
        diag_set(&diag, 0, 0, "%s",
                 sound ? "a position or a move in it that the rules forbid" : "a damaged record");
        diag.offset = at;
        sink(context, sound ? BOOK_FAULT_ILLEGAL : BOOK_FAULT_DAMAGE, &diag, NULL);
    }
    if (at == size)
        return STATUS_OK;
    diag_set(&diag, 0, 0, "the last record is cut");
    diag.offset = at;
    sink(context, BOOK_FAULT_SIZE, &diag, NULL);
    return STATUS_OK;
}
