#include "book/formats/arena/abk_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "book/format.h"
#include "book/formats/arena/abk_record.h"
#include "book/formats/arena/abk_said.h"
#include "book/graph/graph.h"

enum { HEADER_SIZE = ABK_FIRST_RECORD * ABK_RECORD_SIZE };

struct writer {
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
static bool is_held(const struct writer *writer, uint32_t node)
{
    return writer->graph->nodes[node].root == 0;
}

static uint32_t list_size(const struct writer *writer, uint32_t at)
{
    const struct book_node *node = &writer->graph->nodes[at];
    uint32_t size = node->count;
    for (uint32_t i = node->child; i != BOOK_GRAPH_NONE; i = writer->graph->nodes[i].next)
        size++;
    return size;
}

/* Numbers all records; returns how many there are. */
static uint32_t number_lists(struct writer *writer)
{
    uint32_t next = ABK_FIRST_RECORD;
    for (uint32_t i = 0; i < writer->graph->node_count; i++) {
        uint32_t size = is_held(writer, i) ? list_size(writer, i) : 0;
        writer->lists[i] = size ? next : 0;
        next += size;
    }
    return next - ABK_FIRST_RECORD;
}

static void write_header(const struct writer *writer, uint32_t records)
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

struct record {
    move move;
    int priority;
    int64_t games;
    int64_t won;
    int64_t lost;
    uint32_t to; /* a node, or BOOK_GRAPH_NONE */
    uint32_t sibling;
};

static void write_record(const struct writer *writer, const struct record *record)
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
static const struct abk_said *said_of(const struct writer *writer, const struct book_node *node,
                                      const struct book_edge *edge)
{
    const struct book *book = writer->graph->book;
    const struct book *arena = book && book->origin ? book->origin : book;
    if (!arena || arena->format->writers != writer->as)
        return NULL;
    return abk_said_find(arena->state, node->key, edge->move);
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

static enum list_numbers choose_numbers(const struct writer *writer, const struct book_node *node)
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

static void set_numbers(const struct writer *writer, const struct book_node *node,
                        const struct book_edge *edge, enum list_numbers numbers,
                        struct record *record)
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

static void write_list(const struct writer *writer, uint32_t at)
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
        struct record record = {.move = edge->move,
                                .to = own ? edge->to : BOOK_GRAPH_NONE,
                                .sibling = number < end ? number : 0};
        set_numbers(writer, node, edge, numbers, &record);
        write_record(writer, &record);
    }
    for (uint32_t i = node->child; i != BOOK_GRAPH_NONE; i = graph->nodes[i].next) {
        number++;
        write_record(writer, &(struct record){.move = graph->nodes[i].via,
                                              .to = i,
                                              .sibling = number < end ? number : 0});
    }
}

enum caxton_status abk_write(struct book_graph *graph, const struct book_writer *as, FILE *out,
                             struct book_losses *losses, struct diag *diag)
{
    struct writer writer = {.graph = graph,
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
