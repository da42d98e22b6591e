#include "book/formats/arena/abk.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "book/format.h"
#include "book/graph/graph.h"
#include "book/polyglot_entry.h"
#include "book/position_book.h"
#include "chess/fen.h"
#include "chess/notation.h"

/* What records say of a move beside the weight, all records of the move in a position together. */
struct abk_said {
    uint64_t key;
    uint64_t games;
    uint64_t won;
    uint64_t lost;
    uint16_t move; /* as book/polyglot_entry.h stores it */
    uint8_t priority;
};

struct abk_said_list {
    struct abk_said *items;
    size_t count;
    size_t capacity;
};

/* The weight that a record gives its move, by the rule of abk.h. games_count: a move of its list
 * has games. */
static uint32_t abk_weight(int64_t games, int priority, bool games_count)
{
    if (priority == 0)
        return 0;
    if (!games_count)
        return (uint32_t)priority;
    games = games > 0 ? games : 0;
    int64_t weight = (games * priority + ABK_NEUTRAL_PRIORITY / 2) / ABK_NEUTRAL_PRIORITY;
    if (weight > UINT32_MAX)
        return UINT32_MAX;
    return weight ? (uint32_t)weight : 1;
}

/* {0} is an empty list. One record more; errors: STATUS_NO_MEMORY. */
static enum caxton_status abk_said_add(struct abk_said_list *list, struct abk_said said)
{
    if (!ARRAY_GROW(list->items, list->capacity, list->count + 1))
        return STATUS_NO_MEMORY;
    list->items[list->count++] = said;
    return STATUS_OK;
}

static int compare(const void *a, const void *b)
{
    const struct abk_said *x = a;
    const struct abk_said *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->move > y->move) - (x->move < y->move);
}

/* Adds up the records of the same move, whose priority is the largest; before abk_said_find(). */
static void abk_said_join(struct abk_said_list *list)
{
    size_t kept = 0;
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, compare);
    for (size_t i = 0; i < list->count; i++) {
        const struct abk_said *next = &list->items[i];
        struct abk_said *last = kept ? &list->items[kept - 1] : NULL;
        if (!last || compare(last, next) != 0) {
            list->items[kept++] = *next;
            continue;
        }
        last->games += next->games;
        last->won += next->won;
        last->lost += next->lost;
        if (last->priority < next->priority)
            last->priority = next->priority;
    }
    list->count = kept;
}

/* NULL: there is no such move. */
static const struct abk_said *abk_said_find(const struct abk_said_list *list, uint64_t key,
                                            uint16_t stored)
{
    const struct abk_said wanted = {.key = key, .move = stored};
    if (!list->count)
        return NULL;
    return bsearch(&wanted, list->items, list->count, sizeof wanted, compare);
}

/* Arena's books written: the moves of each position beside each other, positions in the order in
 * which lines reach them. */

enum { HEADER_SIZE = ABK_FIRST_RECORD * ABK_RECORD_SIZE };

struct abk_writer {
    const struct book_graph *graph;
    const struct book_writer *as;
    uint32_t *lists; /* by node: the number of its first record, 0 = it has none */
    FILE *out;
};

static void put(uint8_t *bytes, int64_t value)
{
    bytes_put_le(bytes, (uint64_t)value, 4);
}

/* Only lines from the standard start. */
static bool is_held(const struct abk_writer *writer, uint32_t node)
{
    return writer->graph->nodes[node].root == 0;
}

static uint32_t list_size(const struct abk_writer *writer, uint32_t at)
{
    const struct book_node *node = &writer->graph->nodes[at];
    uint32_t size = node->count;
    for (uint32_t i = node->child; i != BOOK_GRAPH_NONE; i = writer->graph->nodes[i].next)
        size++;
    return size;
}

/* Numbers all records; returns how many there are. */
static uint32_t number_lists(struct abk_writer *writer)
{
    uint32_t next = ABK_FIRST_RECORD;
    for (uint32_t i = 0; i < writer->graph->node_count; i++) {
        uint32_t size = is_held(writer, i) ? list_size(writer, i) : 0;
        writer->lists[i] = size ? next : 0;
        next += size;
    }
    return next - ABK_FIRST_RECORD;
}

static void write_header(const struct abk_writer *writer, uint32_t records)
{
    static const uint8_t magic[] = {3, 'A', 'B', 'K'};
    enum { SETTINGS_END = 254 };
    uint8_t header[HEADER_SIZE];
    memset(header, 'x', sizeof header); /* as the real file has it */
    memset(header, 0, SETTINGS_END);
    memcpy(header, magic, sizeof magic);
    put(header + 4, HEADER_SIZE);
    put(header + 8, ABK_RECORD_SIZE);
    /* Not described anywhere; in the real file: the longest line, the number of moves, 1 and the
     * longest line again. */
    put(header + 214, writer->graph->deepest + 1);
    put(header + 218, records);
    put(header + 242, 1);
    put(header + 250, writer->graph->deepest + 1);
    (void)fwrite(header, sizeof header, 1, writer->out);
}

struct written_record {
    move move;
    int priority;
    int64_t games;
    int64_t won;
    int64_t lost;
    uint32_t to; /* a node, or BOOK_GRAPH_NONE */
    uint32_t sibling;
};

static void write_record(const struct abk_writer *writer, const struct written_record *record)
{
    static const uint8_t promotions[PIECE_TYPES] = {
        [ROOK] = 1, [KNIGHT] = 2, [BISHOP] = 3, [QUEEN] = 4};
    uint8_t bytes[ABK_RECORD_SIZE] = {0};
    int from = move_from(record->move);
    int to = move_to(record->move);
    if (move_kind(record->move) == MOVE_CASTLING)
        to = castling_king_to(square_rank(from) == 0 ? WHITE : BLACK, to > from);
    bytes[0] = (uint8_t)from;
    bytes[1] = (uint8_t)to;
    if (move_kind(record->move) == MOVE_PROMOTION)
        bytes[2] = promotions[move_promotion(record->move)];
    bytes[3] = (uint8_t)record->priority;
    put(bytes + 4, record->games);
    put(bytes + 8, record->won);
    put(bytes + 12, record->lost);
    uint32_t child = record->to == BOOK_GRAPH_NONE ? 0 : writer->lists[record->to];
    put(bytes + 20, child ? (int64_t)child : -1);
    put(bytes + 24, record->sibling ? (int64_t)record->sibling : -1);
    (void)fwrite(bytes, sizeof bytes, 1, writer->out);
}

static int64_t as_number(uint64_t count)
{
    return count < INT32_MAX ? (int64_t)count : INT32_MAX;
}

/* What Arena's book that is written again, or was changed, says of the move. NULL: nothing. */
static const struct abk_said *said_of(const struct abk_writer *writer, const struct book_node *node,
                                      const struct book_edge *edge)
{
    const struct book *book = writer->graph->book;
    const struct book *arena = book && book->origin ? book->origin : book;
    if (!arena || arena->format->writers != writer->as)
        return NULL;
    return abk_said_find(arena->state, node->key, polyglot_from_move(edge->move));
}

/* What is written of a list's moves; see abk.h for what is read from it. */
enum list_numbers {
    NUMBERS_SAID,     /* priorities alone, as they were */
    NUMBERS_SAID_FIT, /* what was said, where it gives the weight; else games */
    NUMBERS_GAMES,    /* the weight as games */
};

/* Does what was said of the move give its weight? */
static bool fits(const struct abk_said *said, uint32_t weight, bool games_count)
{
    return said && abk_weight(as_number(said->games), said->priority, games_count) == weight;
}

static enum list_numbers choose_numbers(const struct abk_writer *writer,
                                        const struct book_node *node)
{
    bool priorities = true; /* nothing has games, and all priorities are the weights */
    bool games = false;     /* something would have games, with what fits */
    for (uint32_t i = 0; i < node->count; i++) {
        const struct book_edge *edge = &writer->graph->edges[node->first + i];
        const struct abk_said *said = said_of(writer, node, edge);
        priorities &= fits(said, edge->weight, false) && said->games == 0;
        games |= !fits(said, edge->weight, true) || said->games > 0;
    }
    return priorities ? NUMBERS_SAID : games ? NUMBERS_SAID_FIT : NUMBERS_GAMES;
}

static void set_numbers(const struct abk_writer *writer, const struct book_node *node,
                        const struct book_edge *edge, enum list_numbers numbers,
                        struct written_record *record)
{
    const struct abk_said *said = said_of(writer, node, edge);
    if (numbers == NUMBERS_GAMES ||
        (numbers == NUMBERS_SAID_FIT && !fits(said, edge->weight, true)))
        said = NULL;
    record->priority = said ? said->priority : edge->weight ? ABK_NEUTRAL_PRIORITY : 0;
    record->games = said ? as_number(said->games) : as_number(edge->weight ? edge->weight : 1);
    record->won = said ? as_number(said->won) : 0;
    record->lost = said ? as_number(said->lost) : 0;
}

static void write_list(const struct abk_writer *writer, uint32_t at)
{
    const struct book_graph *graph = writer->graph;
    const struct book_node *node = &graph->nodes[at];
    uint32_t number = writer->lists[at];
    uint32_t end = number + list_size(writer, at);
    enum list_numbers numbers = choose_numbers(writer, node);
    for (uint32_t i = 0; i < node->count; i++) {
        const struct book_edge *edge = &graph->edges[node->first + i];
        /* Other ways into a position end here. */
        bool own = edge->to != BOOK_GRAPH_NONE && graph->nodes[edge->to].parent == at &&
                   graph->nodes[edge->to].via == edge->move;
        number++;
        struct written_record record = {.move = edge->move,
                                        .to = own ? edge->to : BOOK_GRAPH_NONE,
                                        .sibling = number < end ? number : 0};
        set_numbers(writer, node, edge, numbers, &record);
        write_record(writer, &record);
    }
    for (uint32_t i = node->child; i != BOOK_GRAPH_NONE; i = graph->nodes[i].next) {
        number++;
        write_record(writer, &(struct written_record){.move = graph->nodes[i].via,
                                                      .to = i,
                                                      .sibling = number < end ? number : 0});
    }
}

/* As struct book_writer.write_graph. */
static enum caxton_status abk_write(struct book_graph *graph, const struct book_writer *as,
                                    FILE *out, struct book_losses *losses, struct diag *diag)
{
    struct abk_writer writer = {.graph = graph,
                                .as = as,
                                .lists = calloc(graph->node_count, sizeof *writer.lists),
                                .out = out};
    enum caxton_status status = STATUS_OK;
    bool has_moves = false; /* non-book moves alone are no book */
    if (!writer.lists) {
        diag_set(diag, 0, 0, "out of memory");
        return STATUS_NO_MEMORY;
    }
    uint32_t records = number_lists(&writer);
    write_header(&writer, records);
    for (uint32_t i = 0; i < graph->node_count; i++) {
        losses->other_starts += graph->nodes[i].known && !is_held(&writer, i);
        has_moves |= is_held(&writer, i) && graph->nodes[i].count > 0;
        if (writer.lists[i])
            write_list(&writer, i);
    }
    if (!has_moves) {
        diag_set(diag, 0, 0, "no line from the standard start: nothing that an .abk can hold");
        status = STATUS_ILLEGAL;
    }
    free(writer.lists);
    return status;
}

/* Both are as common; what follows is the same. */
static const char *const magics[] = {"\3ABK", "\3AB2"};

enum { MAGIC_SIZE = 4 };

struct abk_record {
    uint8_t from;
    uint8_t to;
    int promotion;
    int priority;
    int64_t games;
    int64_t won;
    int64_t lost;
    int64_t child;
    int64_t sibling;
};

/* What is known of a record. */
struct mark {
    uint64_t key;  /* the position whose list begins there */
    uint32_t seen; /* the list that it belongs to, the first that came to it; 0 = none */
    bool head;     /* a list begins there */
};

/* A list of moves still to be read, and the position that they are moves of. */
struct pending_list {
    uint32_t first;
    struct position pos;
};

struct abk_reader {
    const uint8_t *bytes;
    size_t count; /* of whole records in the file, those of the header included */
    struct book_input *input;
    struct mark *marks; /* by record */
    struct pending_list *waiting;
    size_t waiting_count;
    size_t waiting_capacity;
    uint32_t lists;             /* read */
    struct abk_said_list *said; /* filled beside the entries; NULL: not wanted */
};

static int64_t read_number(const uint8_t *bytes)
{
    uint32_t value = bytes_get_u32le(bytes);
    return value < UINT32_C(1) << 31 ? (int64_t)value : (int64_t)value - (INT64_C(1) << 32);
}

static struct abk_record read_record(const struct abk_reader *reader, size_t index)
{
    const uint8_t *at = reader->bytes + index * ABK_RECORD_SIZE;
    return (struct abk_record){.from = at[0],
                               .to = at[1],
                               .promotion = at[2] < 128 ? at[2] : at[2] - 256,
                               .priority = at[3] < 128 ? at[3] : 0,
                               .games = read_number(at + 4),
                               .won = read_number(at + 8),
                               .lost = read_number(at + 12),
                               .child = read_number(at + 20),
                               .sibling = read_number(at + 24)};
}

static void fault(struct abk_reader *reader, enum book_fault kind, size_t index, const char *text,
                  int64_t number)
{
    book_input_fault(reader->input, kind, 0, 0, index * ABK_RECORD_SIZE, "record %zu: %s %lld",
                     index, text, (long long)number);
}

/* Is there another record, as a link says? Any number below 1 stands for none. */
static bool is_link(struct abk_reader *reader, size_t from, int64_t to, const char *what)
{
    if (to <= 0)
        return false;
    if (to >= ABK_FIRST_RECORD && (uint64_t)to < reader->count)
        return true;
    fault(reader, BOOK_FAULT_LINK, from, what, to);
    return false;
}

/* The records of one list, those[0..MOVES_MAX): returns how many. A record belongs to one list: a
 * file whose lists share their ends would else cost the square of its size. */
static int collect(struct abk_reader *reader, uint32_t first, uint32_t *those)
{
    int count = 0;
    uint32_t list = ++reader->lists;
    if (reader->marks[first].seen) {
        fault(reader, BOOK_FAULT_LOOP, first, "is the first of a list, and within list",
              reader->marks[first].seen);
        return 0;
    }
    for (uint32_t at = first;;) {
        struct abk_record record = read_record(reader, at);
        reader->marks[at].seen = list;
        those[count++] = at;
        if (!is_link(reader, at, record.sibling, "the next choice is no record of the file:"))
            return count;
        uint32_t seen = reader->marks[record.sibling].seen;
        if (seen || count == MOVES_MAX) {
            fault(reader, BOOK_FAULT_LOOP, at,
                  seen && seen != list
                      ? "the choices go on with those of another position, at record"
                      : "the choices go on without end at record",
                  record.sibling);
            return count;
        }
        at = (uint32_t)record.sibling;
    }
}

static enum caxton_status to_move(const struct position *pos, const struct abk_record *record,
                                  char text[8], move *out)
{
    static const char promotions[] = " rnbq";
    int promotion = record->promotion < 0 ? -record->promotion : record->promotion;
    (void)snprintf(text, 8, "?");
    if (record->from > 63 || record->to > 63 || promotion > 4)
        return STATUS_SYNTAX;
    text[0] = (char)('a' + square_file(record->from));
    text[1] = (char)('1' + square_rank(record->from));
    text[2] = (char)('a' + square_file(record->to));
    text[3] = (char)('1' + square_rank(record->to));
    text[4] = promotion ? promotions[promotion] : '\0';
    text[5] = '\0';
    return move_from_uci(pos, span_of(text), out);
}

/* Puts the list on the list of those to be read, unless it is known. */
static enum caxton_status wait_for(struct abk_reader *reader, size_t from, uint32_t first,
                                   const struct position *pos)
{
    struct mark *mark = &reader->marks[first];
    if (mark->head) {
        if (mark->key != pos->key)
            fault(reader, BOOK_FAULT_LOOP, from,
                  "goes on with the moves of another position, at record", first);
        return STATUS_OK;
    }
    if (!ARRAY_GROW(reader->waiting, reader->waiting_capacity, reader->waiting_count + 1))
        return STATUS_NO_MEMORY;
    mark->head = true;
    mark->key = pos->key;
    reader->waiting[reader->waiting_count++] = (struct pending_list){first, *pos};
    return STATUS_OK;
}

static void name_illegal(struct abk_reader *reader, const struct position *pos, uint32_t at,
                         const char *text, enum caxton_status status)
{
    char fen[FEN_MAX];
    fen_format(pos, fen);
    book_input_fault(reader->input, book_fault_of(status), 0, 0, at * (size_t)ABK_RECORD_SIZE,
                     "record %u: %s %s %s", (unsigned)at, text, book_fault_text(status), fen);
}

/* Numbers below 0 say nothing. */
static uint64_t not_below_zero(int64_t number)
{
    return number > 0 ? (uint64_t)number : 0;
}

/* Takes the legal move of one record that is a move of the book. */
static enum caxton_status take_move(struct abk_reader *reader, const struct position *pos,
                                    uint32_t at, move m, bool games_count)
{
    struct abk_record record = read_record(reader, at);
    const struct book_entry entry = {
        .weight = abk_weight(record.games, record.priority, games_count), .place = at};
    enum caxton_status status = entry_list_add(&reader->input->list, pos, m, entry);
    if (status != STATUS_OK || !reader->said)
        return status;
    return abk_said_add(reader->said, (struct abk_said){.key = pos->key,
                                                        .move = polyglot_from_move(m),
                                                        .games = not_below_zero(record.games),
                                                        .won = not_below_zero(record.won),
                                                        .lost = not_below_zero(record.lost),
                                                        .priority = (uint8_t)record.priority});
}

/* The move of one record and what follows it. */
static enum caxton_status read_move(struct abk_reader *reader, const struct position *pos,
                                    uint32_t at, bool games_count)
{
    struct abk_record record = read_record(reader, at);
    char text[8];
    move m;
    enum caxton_status status = to_move(pos, &record, text, &m);
    if (status != STATUS_OK) {
        name_illegal(reader, pos, at, text, status);
        return STATUS_OK;
    }
    if (move_kind(m) == MOVE_CASTLING && record.to == move_to(m)) /* the rook's square */
        book_input_fault(reader->input, BOOK_FAULT_CASTLING, 0, 0, at * (size_t)ABK_RECORD_SIZE,
                         "record %u: castling is the king's journey here, not %s", (unsigned)at,
                         text);
    if (record.priority > 0 || record.games > 0)
        status = take_move(reader, pos, at, m, games_count);
    if (status != STATUS_OK ||
        !is_link(reader, at, record.child, "the answer is no record of the file:"))
        return status;
    struct position after = *pos;
    position_play(&after, m);
    return wait_for(reader, at, (uint32_t)record.child, &after);
}

static enum caxton_status read_list(struct abk_reader *reader, uint32_t first,
                                    const struct position *pos)
{
    uint32_t those[MOVES_MAX];
    int count = collect(reader, first, those);
    bool games_count = false;
    enum caxton_status status = STATUS_OK;
    for (int i = 0; i < count; i++)
        games_count |= read_record(reader, those[i]).games > 0;
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        const uint8_t *record = reader->bytes + those[i] * (size_t)ABK_RECORD_SIZE;
        int j = 0;
        while (j < i && memcmp(record, reader->bytes + those[j] * (size_t)ABK_RECORD_SIZE, 3) != 0)
            j++;
        if (j < i)
            fault(reader, BOOK_FAULT_DUPLICATE, those[i], "the same move as in record", those[j]);
        status = read_move(reader, pos, those[i], games_count);
    }
    return status;
}

static enum caxton_status read_lists(struct abk_reader *reader)
{
    struct position start;
    position_start(&start);
    enum caxton_status status = wait_for(reader, 0, ABK_FIRST_RECORD, &start);
    while (status == STATUS_OK && reader->waiting_count > 0) {
        struct pending_list next = reader->waiting[--reader->waiting_count];
        status = read_list(reader, next.first, &next.pos);
    }
    return status;
}

/* Names records that no line comes to: one fault for all. */
static void name_unreached(struct abk_reader *reader)
{
    size_t count = 0;
    size_t first = 0;
    for (size_t i = reader->count; i > ABK_FIRST_RECORD; i--) {
        if (reader->marks[i - 1].seen)
            continue;
        count++;
        first = i - 1;
    }
    if (count)
        fault(reader, BOOK_FAULT_ORDER, first,
              "no line comes here; records that none comes to:", (int64_t)count);
}

/* The input's extra: NULL, or a struct abk_said_list to fill. */
static enum caxton_status abk_read(const uint8_t *bytes, size_t size, struct book_input *input)
{
    struct abk_reader reader = {
        .bytes = bytes, .count = size / ABK_RECORD_SIZE, .input = input, .said = input->extra};
    if (size % ABK_RECORD_SIZE != 0)
        book_input_fault(input, BOOK_FAULT_SIZE, 0, 0, reader.count * ABK_RECORD_SIZE,
                         "the file ends within record %zu", reader.count);
    if (reader.count <= ABK_FIRST_RECORD)
        return STATUS_OK;
    input->comments += bytes[ABK_COMMENT] > 0;
    input->comments += bytes[ABK_AUTHOR] > 0;
    if (reader.count >= UINT32_MAX)
        return STATUS_NO_MEMORY;
    reader.marks = calloc(reader.count, sizeof *reader.marks);
    enum caxton_status status = reader.marks ? read_lists(&reader) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        name_unreached(&reader);
    free(reader.marks);
    free(reader.waiting);
    return status;
}

static void abk_close(void *state)
{
    struct abk_said_list *said = state;
    if (said)
        free(said->items);
    free(said);
}

/* Opens it as any book of positions, which has no state here for want of roots, and keeps what else
 * the records say. */
static enum caxton_status abk_open(struct book *book, const uint8_t *bytes, size_t size,
                                   struct diag *diag)
{
    struct abk_said_list *said = calloc(1, sizeof *said);
    if (!said)
        return diag_fail(STATUS_NO_MEMORY, diag, "%s: out of memory", book->name);
    enum caxton_status status = position_book_open_with(book, bytes, size, said, diag);
    if (status != STATUS_OK) {
        abk_close(said);
        return status;
    }
    abk_said_join(said);
    book->state = said;
    return STATUS_OK;
}

static enum caxton_status abk_facts(const void *state, uint64_t key, const struct position *pos,
                                    struct book_facts *out, struct diag *diag)
{
    (void)pos;
    (void)diag;
    for (int i = 0; i < out->count; i++) {
        struct book_move_facts *facts = &out->moves[i];
        const struct abk_said *said = abk_said_find(state, key, facts->stored);
        facts->has_record = said != NULL;
        if (!said)
            continue;
        facts->games = said->games;
        facts->won = said->won;
        facts->lost = said->lost;
        facts->priority = said->priority;
    }
    return STATUS_OK;
}

static bool abk_recognises(const uint8_t *bytes, size_t size)
{
    return size >= MAGIC_SIZE &&
           (memcmp(bytes, magics[0], MAGIC_SIZE) == 0 || memcmp(bytes, magics[1], MAGIC_SIZE) == 0);
}

static const struct book_writer writer = {.name = "abk",
                                          .about = "Arena",
                                          .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED,
                                          .weight_max = INT32_MAX,
                                          .write_graph = abk_write};

const struct book_format abk_format = {.name = "Arena",
                                       .extension = "abk",
                                       .writers = &writer,
                                       .writer_count = 1,
                                       .recognises = abk_recognises,
                                       .read = abk_read,
                                       .open = abk_open,
                                       .close = abk_close,
                                       .check = position_book_check,
                                       .facts = abk_facts};
