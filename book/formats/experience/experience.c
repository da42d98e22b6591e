#include "book/formats/experience/experience.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "book/book.h"
#include "book/formats/store/store_format.h"
#include "book/graph/graph.h"
#include "book/polyglot_entry.h"
#include "book/position_book.h"
#include "book/scoring/deepest_answers.h"
#include "eval/eval.h"
#include "search/score.h"

/* Moves --------------------------------------------------------------------------------------- */

static move move_of(uint16_t stored)
{
    return (move)((stored >> 6 & 63) | (stored & 63) << 6 | stored >> 14 << 12 |
                  (stored >> 12 & 3) << 14);
}

static uint16_t stored_of(move m)
{
    return (uint16_t)(move_to(m) | move_from(m) << 6 | (m >> 14) << 12 | (int)move_kind(m) << 14);
}

enum layout { LAYOUT_BRAINLEARN, LAYOUT_SUGAR, LAYOUT_SUGAR_OLD };

static const char sugar_mark[] = "SugaR Experience version 2"; /* the older one is its first word */
enum { RECORD = 24, DEPTH_MAX = 255, PERFORMANCE_USUAL = 100, OLD_MARK = 5 };

struct record {
    uint64_t key;
    int score;
    int depth;
    uint32_t count;
    uint32_t performance;
    uint32_t at; /* the byte of the file */
    uint16_t move;
};

/* What is wrong with the bytes as a record; NULL: nothing, *out has it. */
static const char *read_record(enum layout layout, const uint8_t *bytes, struct record *out)
{
    static const uint8_t filling[] = {0, 0xFF, 0, 0xFF};
    bool is_sugar = layout != LAYOUT_BRAINLEARN;
    *out = (struct record){.key = bytes_get_u64le(bytes),
                           .score = (int)(int32_t)bytes_get_u32le(bytes + 12),
                           .depth = (int)(int32_t)bytes_get_u32le(bytes + (is_sugar ? 16 : 8)),
                           .count = 1,
                           .performance = PERFORMANCE_USUAL,
                           .move = bytes_get_u16le(bytes + (is_sugar ? 8 : 16))};
    move m = move_of(out->move);
    if (layout == LAYOUT_SUGAR && bytes_get_u16le(bytes + 20))
        out->count = bytes_get_u16le(bytes + 20);
    if (!is_sugar)
        out->performance = bytes_get_u32le(bytes + 20);
    if (!out->key)
        return "its key is 0";
    if (!polyglot_is_conceivable(polyglot_from_move(m)) ||
        (move_kind(m) != MOVE_PROMOTION && m >> 14))
        return "no piece can make its move";
    if (out->depth < (out->score != SCORE_NONE) || out->depth > DEPTH_MAX)
        return "its depth is none";
    if (out->score < -SCORE_MATE || (out->score > SCORE_MATE && out->score != SCORE_NONE))
        return "its score is none";
    if (out->performance > 100 || (layout == LAYOUT_SUGAR && bytes_get_u16le(bytes + 22)) ||
        (layout == LAYOUT_SUGAR_OLD && memcmp(bytes + 20, filling, sizeof filling) != 0))
        return "its last bytes are not such a record's";
    return NULL;
}

static void write_record(enum layout layout, const struct record *record, FILE *out)
{
    uint8_t bytes[RECORD] = {0};
    bool is_sugar = layout != LAYOUT_BRAINLEARN;
    bytes_put_le(bytes, record->key, 8);
    bytes_put_le(bytes + (is_sugar ? 8 : 16), record->move, 4);
    bytes_put_le(bytes + 12, (uint64_t)(int64_t)record->score, 4);
    bytes_put_le(bytes + (is_sugar ? 16 : 8), (uint64_t)record->depth, 4);
    uint32_t count = record->count < UINT16_MAX ? record->count : UINT16_MAX;
    bytes_put_le(bytes + 20, is_sugar ? count : record->performance, 4);
    (void)fwrite(bytes, sizeof bytes, 1, out);
}

/* Of all programs known; nothing in the file says it. */
static enum experience_family family_of(enum layout layout)
{
    return layout == LAYOUT_BRAINLEARN ? EXPERIENCE_KEYS_B : EXPERIENCE_KEYS_A;
}

/* Centipawns by what the programs show; all later BrainLearns have about as much. */
static int units(enum layout layout)
{
    return layout == LAYOUT_BRAINLEARN ? 328 : 208;
}

enum { MATE = SCORE_MATE - 246, WIN = MATE - 247 }; /* from here on scores count plies */

/* A score of pawns in units of another size; `up` of `from` is added before it is cut. */
static int rescale(int score, int from, int to, int up)
{
    int size = (abs(score) * to + up) / from;
    size = size < WIN ? size : WIN - 1;
    return abs(score) >= WIN ? score : score < 0 ? -size : size;
}

/* As search/score.h; a win by an endgame table is the largest score that is no mate. */
static int score_in(enum layout layout, int stored)
{
    int score = eval_of_centipawns(stored * 100 / units(layout));
    if (abs(stored) >= MATE)
        return stored;
    return score > EVAL_MAX ? EVAL_MAX : score < -EVAL_MAX ? -EVAL_MAX : score;
}

/* The smallest that is shown as so many centipawns. */
static int score_out(enum layout layout, int score)
{
    return score_is_decisive(score) ? score
                                    : rescale(eval_centipawns(score), 100, units(layout), 99);
}

struct experience {
    struct experience_keys keys;
    enum layout layout;
    struct record *records; /* by key, the best of the deepest first; each move once */
    size_t count;
    size_t capacity;
    size_t unscored; /* records without a score are no use */
};

static enum caxton_status add_record(struct experience *to, const struct record *record)
{
    if (record->score == SCORE_NONE) {
        to->unscored++;
        return STATUS_OK;
    }
    if (!ARRAY_GROW(to->records, to->capacity, to->count + 1))
        return STATUS_NO_MEMORY;
    to->records[to->count++] = *record;
    return STATUS_OK;
}

static int compare_records(const void *left, const void *right)
{
    const struct record *a = left;
    const struct record *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->depth != b->depth)
        return a->depth > b->depth ? -1 : 1;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->move != b->move ? (a->move > b->move) - (a->move < b->move)
                              : (a->at > b->at) - (a->at < b->at);
}

static int compare_moves(const void *left, const void *right)
{
    const struct record *a = left;
    const struct record *b = right;
    if (a->key != b->key || a->move == b->move)
        return compare_records(a, b);
    return a->move < b->move ? -1 : 1;
}

/* Of the same move the greatest depth stands; of searches as deep SugaR takes the mean of scores,
 * BrainLearn 25 the higher one. */
static void join_records(struct experience *self)
{
    struct record *records = self->records;
    size_t kept = 0;
    if (self->count)
        qsort(records, self->count, sizeof *records, compare_moves);
    for (size_t i = 0, end; i < self->count; i = end) {
        struct record first = records[i];
        uint64_t sum = first.count;
        int64_t scores = first.score;
        int64_t equals = 1;
        for (end = i + 1;
             end < self->count && records[end].key == first.key && records[end].move == first.move;
             end++) {
            sum += records[end].count;
            equals += records[end].depth == first.depth;
            scores += records[end].depth == first.depth ? records[end].score : 0;
        }
        if (self->layout != LAYOUT_BRAINLEARN && abs(first.score) < WIN)
            first.score = (int)(scores / equals);
        first.count = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
        records[kept++] = first;
    }
    self->count = kept;
    if (kept)
        qsort(records, kept, sizeof *records, compare_records);
}

/* The first record of the position and how many it has. */
static size_t find_key(const struct experience *self, uint64_t key, size_t *count)
{
    size_t at;
    ARRAY_SEARCH(at, 0, self->count, self->records[at].key < key);
    *count = 0;
    while (at + *count < self->count && self->records[at + *count].key == key)
        ++*count;
    return at;
}

/* Those of the first of its keys by which a move is legal. */
static size_t find_position(const struct experience *self, const struct position *pos,
                            size_t *count)
{
    uint64_t keys[EXPERIENCE_KEYS_MAX];
    int key_count = experience_possible_keys(&self->keys, pos, keys);
    for (int i = 0; i < key_count; i++) {
        size_t at = find_key(self, keys[i], count);
        for (size_t k = at; k < at + *count; k++)
            if (movegen_is_legal(pos, move_of(self->records[k].move)))
                return at;
    }
    *count = 0;
    return 0;
}

static const struct record *find_move(const struct experience *self, const struct position *pos,
                                      move m)
{
    size_t count;
    const struct record *records = self->records + find_position(self, pos, &count);
    for (size_t i = 0; i < count; i++)
        if (move_of(records[i].move) == m)
            return &records[i];
    return NULL;
}

/* Reading ------------------------------------------------------------------------------------- */

struct reading {
    const uint8_t *bytes;
    size_t size;
    enum layout layout;
    struct experience *out;
    struct book_input input; /* for its sink */
    size_t sound;            /* records */
};

static bool has_mark(const uint8_t *bytes, size_t size)
{
    return size >= sizeof sugar_mark - 1 && memcmp(bytes, sugar_mark, sizeof sugar_mark - 1) == 0;
}

static bool is_sound(const struct reading *reading, size_t at)
{
    struct record record;
    return at <= reading->size && reading->size - at >= RECORD &&
           !read_record(reading->layout, reading->bytes + at, &record);
}

/* Where records go on behind the byte `at`, where none is sound: where two are or the last one,
 * else where one is. A record may be cut within bytes that are always 0: the next begins before
 * `at`. */
static size_t find_next(const struct reading *reading, size_t at)
{
    size_t size = reading->size;
    size_t alone = size;
    for (size_t next = at > RECORD ? at - 3 : at + 1; next < size && next < alone + RECORD;
         next++) {
        bool sound = is_sound(reading, next);
        if (has_mark(reading->bytes + next, size - next) ||
            (sound && (is_sound(reading, next + RECORD) || size - next < 2 * RECORD)))
            return next;
        if (sound && next > at && alone == size)
            alone = next;
    }
    return alone;
}

static void tell_damage(struct reading *reading, size_t at, size_t next)
{
    struct record record;
    if (has_mark(reading->bytes + at, reading->size - at))
        book_input_fault(&reading->input, BOOK_FAULT_SIZE, 0, 0, at,
                         "the heading of the file once more");
    else if (reading->size - at < RECORD)
        book_input_fault(&reading->input, BOOK_FAULT_SIZE, 0, 0, at,
                         "the last record is cut: %zu of %d bytes", reading->size - at, RECORD);
    else if (next == at + RECORD)
        book_input_fault(&reading->input, BOOK_FAULT_DAMAGE, 0, 0, at, "no record: %s",
                         read_record(reading->layout, reading->bytes + at, &record));
    else
        book_input_fault(&reading->input, BOOK_FAULT_SIZE, 0, 0, at, "no record: %s at byte %zu",
                         next < reading->size ? "they go on" : "the file ends", next);
}

static enum caxton_status read_records(struct reading *reading)
{
    static const size_t begins[] = {0, sizeof sugar_mark - 1, OLD_MARK}; /* by layout */
    size_t at = begins[reading->layout];
    struct record record;
    while (at < reading->size) {
        if (reading->size - at >= RECORD &&
            !read_record(reading->layout, reading->bytes + at, &record)) {
            record.at = (uint32_t)at;
            if (reading->out && add_record(reading->out, &record) != STATUS_OK)
                return STATUS_NO_MEMORY;
            reading->sound++;
            at += RECORD;
            continue;
        }
        bool heading = has_mark(reading->bytes + at, reading->size - at);
        size_t next = heading ? at + sizeof sugar_mark - 1 : find_next(reading, at);
        if (reading->out)
            tell_damage(reading, at, next);
        at = next;
    }
    return STATUS_OK;
}

/* All of it but `out` is set; NULL there: nobody wants records and faults. Errors:
 * STATUS_NO_MEMORY, STATUS_FORMAT (less than half of it are records). */
static enum caxton_status read_layout(struct reading *reading)
{
    /* A key may begin as the older mark does. */
    reading->layout = LAYOUT_BRAINLEARN;
    if (has_mark(reading->bytes, reading->size))
        reading->layout = LAYOUT_SUGAR;
    else if (reading->size >= OLD_MARK && memcmp(reading->bytes, sugar_mark, OLD_MARK) == 0 &&
             !is_sound(reading, 0))
        reading->layout = LAYOUT_SUGAR_OLD;
    enum caxton_status status = read_records(reading);
    bool most = reading->sound > 0 && reading->sound * RECORD * 2 + OLD_MARK >= reading->size;
    return status == STATUS_OK && !most ? STATUS_FORMAT : status;
}

static bool experience_recognises(const uint8_t *bytes, size_t size)
{
    struct reading head = {.bytes = bytes, .size = size < 64 * RECORD ? size : 64 * RECORD};
    return has_mark(bytes, size) || read_layout(&head) == STATUS_OK;
}

static void experience_close(void *state)
{
    struct experience *self = state;
    free(self ? self->records : NULL);
    free(self);
}

/* Faults go to reading->input. Errors: STATUS_NO_MEMORY, STATUS_FORMAT. */
static enum caxton_status read_all(struct reading *reading)
{
    reading->out = calloc(1, sizeof *reading->out);
    if (!reading->out)
        return STATUS_NO_MEMORY;
    enum caxton_status status = read_layout(reading);
    reading->out->layout = reading->layout;
    experience_keys_make(family_of(reading->layout), &reading->out->keys);
    join_records(reading->out);
    return status;
}

static enum caxton_status experience_open(struct book *book, const uint8_t *bytes, size_t size,
                                          struct diag *diag)
{
    struct diag first = {.text = ""};
    struct reading reading = {
        .bytes = bytes, .size = size, .input = {.sink = book_fault_take_first, .context = &first}};
    enum caxton_status status = read_all(&reading);
    struct experience *self = reading.out;
    if (status == STATUS_OK && self->count == 0)
        status = STATUS_FORMAT;
    if (status != STATUS_OK) {
        diag_set(diag, 0, 0, "%s: %s", book->name,
                 status == STATUS_NO_MEMORY ? "out of memory"
                 : self->unscored           ? "an experience file without a score"
                                  : "an experience file without sound records, or most are not");
        experience_close(self);
        return status;
    }
    if (reading.input.faults)
        (void)snprintf(book->warning, sizeof book->warning, "%.120s: byte %zu: %s (faults: %zu)",
                       book->name, first.offset, first.text, reading.input.faults);
    for (size_t i = 0; i < self->count; i++)
        book->position_count += i == 0 || self->records[i].key != self->records[i - 1].key;
    book->move_count = self->count;
    book->state = self;
    return STATUS_OK;
}

/* As struct book_format.probe. */
static int experience_probe(const void *state, const struct position *pos, const struct game *game,
                            struct book_move *out)
{
    const struct experience *self = state;
    size_t count;
    int found = 0;
    const struct record *records = self->records + find_position(self, pos, &count);
    (void)game;
    for (size_t i = 0; i < count; i++)
        if (movegen_is_legal(pos, move_of(records[i].move)))
            out[found++] =
                (struct book_move){.move = move_of(records[i].move), .weight = records[i].count};
    return found;
}

/* As struct book_format.non_book_moves: others that lead to a position of the file. */
static int experience_non_book_moves(const void *state, const struct position *pos,
                                     const struct game *game, move *out)
{
    const struct experience *self = state;
    move moves[MOVES_MAX];
    int found = 0;
    int legal = movegen_legal(pos, moves);
    (void)game;
    for (int i = 0; i < legal; i++) {
        const struct position after = position_after(pos, moves[i]);
        struct book_move known[MOVES_MAX];
        if (experience_probe(state, &after, NULL, known) && !find_move(self, pos, moves[i]))
            out[found++] = moves[i];
    }
    return found;
}

/* As struct book_format.facts. */
static enum caxton_status experience_facts(const void *state, uint64_t key,
                                           const struct position *pos, struct book_facts *out,
                                           struct diag *diag)
{
    const struct experience *self = state;
    (void)key;
    (void)diag;
    for (int i = 0; pos && i < out->count; i++) {
        struct book_move_facts *facts = &out->moves[i];
        const struct record *record = find_move(self, pos, facts->move);
        facts->searched = record != NULL;
        facts->score = record ? score_in(self->layout, record->score) : 0;
        facts->depth = record ? record->depth : 0;
    }
    return STATUS_OK;
}

/* pos: of its key in another family; NULL: it stays in its own. */
static enum caxton_status take_record(const struct experience *from, struct record record,
                                      const struct position *pos, struct experience *to)
{
    if (pos && family_of(from->layout) != family_of(to->layout))
        record.key = experience_key(&to->keys, pos);
    if (units(from->layout) != units(to->layout)) {
        record.score =
            rescale(record.score, units(from->layout), units(to->layout), units(from->layout) / 2);
        record.performance = PERFORMANCE_USUAL;
    }
    return add_record(to, &record);
}

/* What lines make of a record. */
enum { NOT_REACHED, TAKEN, NOT_TAKEN };

/* Illegal moves by any key of a position. */
static void find_illegal(const struct experience *from, const struct position *pos, uint8_t *states)
{
    uint64_t keys[EXPERIENCE_KEYS_MAX];
    int key_count = experience_possible_keys(&from->keys, pos, keys);
    for (int i = 0; i < key_count; i++) {
        size_t count;
        size_t first = find_key(from, keys[i], &count);
        for (size_t k = first; k < first + count; k++)
            if (states[k] == NOT_REACHED && !movegen_is_legal(pos, move_of(from->records[k].move)))
                states[k] = NOT_TAKEN;
    }
}

/* A position behind one that lines reach has no node where all its moves are illegal. */
static void look_behind(const struct experience *from, const struct position *pos, uint8_t *states)
{
    move moves[MOVES_MAX];
    int legal = movegen_legal(pos, moves);
    find_illegal(from, pos, states);
    for (int i = 0; i < legal; i++) {
        const struct position after = position_after(pos, moves[i]);
        find_illegal(from, &after, states);
    }
}

/* Follows the lines of a book whose moves `from` has. to: gets those, with the keys of its family;
 * NULL: nobody asks. Errors: as book_graph_create(). */
static enum caxton_status follow(const struct book *book, const struct position *root,
                                 const struct experience *from, struct experience *to,
                                 uint8_t *states, struct book_losses *losses, struct diag *diag)
{
    struct book_graph graph = {0};
    enum caxton_status status = book_graph_create(book, root, &graph, diag);
    for (uint32_t i = 0; status == STATUS_OK && i < graph.node_count; i++) {
        struct position pos;
        size_t count;
        size_t moves = graph.nodes[i].count;
        book_graph_position(&graph, i, &pos, NULL);
        size_t first = find_position(from, &pos, &count);
        for (size_t k = first; k < first + count && status == STATUS_OK; k++) {
            struct record record = from->records[k];
            uint32_t edge = book_graph_edge(&graph, i, move_of(record.move));
            moves -= edge != BOOK_GRAPH_NONE;
            if (states[k] == TAKEN) /* by another position with this key */
                continue;
            states[k] = edge == BOOK_GRAPH_NONE ? NOT_TAKEN : TAKEN;
            record.count = edge == BOOK_GRAPH_NONE ? 0 : graph.edges[edge].weight;
            if (to && states[k] == TAKEN)
                status = take_record(from, record, &pos, to);
        }
        losses->unscored += moves;
        look_behind(from, &pos, states);
    }
    losses->positions += graph.positions;
    losses->unreached += graph.positions - graph.known;
    book_graph_destroy(&graph);
    return status;
}

/* As struct book_format.check: faults of the bytes first. */
static enum caxton_status experience_check(const struct book_format *format, const uint8_t *bytes,
                                           size_t size, const struct position *root,
                                           book_fault_sink sink, void *context)
{
    struct reading reading = {
        .bytes = bytes, .size = size, .input = {.sink = sink, .context = context}};
    enum caxton_status status = read_all(&reading);
    struct experience *self = reading.out;
    struct book book = {.format = format, .name = (char[]){"the file"}, .state = self};
    struct book_losses losses = {0};
    uint8_t *states = self ? calloc(self->count + 1, 1) : NULL;
    if (!states)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK && self->count > 0)
        status = follow(&book, root, self, NULL, states, &losses, NULL);
    for (size_t i = 0; status == STATUS_OK && i < self->count; i++) {
        char text[8];
        polyglot_move_text(polyglot_from_move(move_of(self->records[i].move)), text);
        if (states[i] == NOT_TAKEN)
            book_input_fault(&reading.input, BOOK_FAULT_ILLEGAL, 0, 0, self->records[i].at,
                             "%s is illegal in the position %016llx", text,
                             (unsigned long long)self->records[i].key);
    }
    if (status == STATUS_OK && self->unscored)
        book_input_fault(&reading.input, BOOK_REMARK_UNSCORED, 0, 0, 0,
                         "%zu records without a score", self->unscored);
    free(states);
    experience_close(self);
    return status == STATUS_FORMAT ? STATUS_OK : status; /* opening says it */
}

/* Writing ------------------------------------------------------------------------------------- */

enum { AS_IT_IS, AS_BRAINLEARN, AS_SUGAR }; /* the writers' numbers */

static const struct experience *experience_of(const struct book *book)
{
    const struct book *file = book->origin ? book->origin : book;
    return file->format == &experience_format ? file->state : NULL;
}

/* Also records that no line reaches, as they are, where the family stays. */
static enum caxton_status take_book(const struct book *book, const struct experience *from,
                                    struct experience *to, struct book_losses *losses,
                                    struct diag *diag)
{
    bool is_file = book->format == &experience_format;
    bool stays = is_file && family_of(from->layout) == family_of(to->layout);
    uint8_t *states = calloc(from->count + 1, 1);
    size_t unreached = losses->unreached;
    enum caxton_status status = STATUS_NO_MEMORY;
    diag_set(diag, 0, 0, "out of memory");
    if (states)
        status = follow(book, NULL, from, to, states, losses, diag);
    for (size_t i = 0; i < from->count && is_file && status == STATUS_OK; i++) {
        losses->illegal += states[i] == NOT_TAKEN;
        if (stays && states[i] == NOT_REACHED)
            status = take_record(from, from->records[i], NULL, to);
    }
    if (stays)
        losses->unreached = unreached;
    free(states);
    return status;
}

/* The deepest search of each position of a store. */
static enum caxton_status take_store(const struct score_store *store, struct experience *to,
                                     struct diag *diag)
{
    struct deepest_answers answers;
    struct position pos;
    enum caxton_status status = deepest_answers_take(store, NULL, 0, &answers);
    if (status != STATUS_OK)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    for (size_t i = 0; i < answers.count && status == STATUS_OK; i++) {
        const struct search_answer *answer = &answers.list[i].answer;
        if (!position_unpack(&answers.list[i].pos, &pos) || !movegen_is_legal(&pos, answer->best))
            continue;
        struct record record = {.key = experience_key(&to->keys, &pos),
                                .score = score_out(to->layout, answer->score),
                                .depth = answer->depth < DEPTH_MAX ? answer->depth : DEPTH_MAX,
                                .count = 1,
                                .performance = PERFORMANCE_USUAL,
                                .move = stored_of(answer->best)};
        status = add_record(to, &record);
    }
    deepest_answers_free(&answers);
    return status;
}

enum caxton_status experience_write(const struct book *const *books, size_t count,
                                    const struct book_writer *writer, FILE *out,
                                    struct book_losses *losses, struct diag *diag)
{
    const struct experience *first = experience_of(books[0]);
    ptrdiff_t as = writer - experience_format.writers;
    bool is_sugar =
        as == AS_SUGAR || (as == AS_IT_IS && first && first->layout != LAYOUT_BRAINLEARN);
    struct experience file = {.layout = is_sugar ? LAYOUT_SUGAR : LAYOUT_BRAINLEARN};
    enum caxton_status status = STATUS_OK;
    experience_keys_make(family_of(file.layout), &file.keys);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const struct experience *from = experience_of(books[i]);
        const struct score_store *store = store_format_store(books[i]);
        if (from)
            status = take_book(books[i], from, &file, losses, diag);
        else if (store)
            status = take_store(store, &file, diag);
        else
            status = diag_fail(STATUS_NOT_FOUND, diag,
                               "%s has no scores of searches, which an experience is made of",
                               book_name(books[i]));
    }
    join_records(&file);
    if (status == STATUS_OK && file.count == 0)
        status = diag_fail(STATUS_NOT_FOUND, diag, "no move with a score is left");
    if (status == STATUS_OK && is_sugar)
        (void)fputs(sugar_mark, out);
    for (size_t i = 0; i < file.count && status == STATUS_OK; i++)
        write_record(file.layout, &file.records[i], out);
    free(file.records);
    return status;
}

static enum caxton_status write_one(const struct book *book, const struct book_writer *writer,
                                    FILE *out, struct book_losses *losses, struct diag *diag)
{
    return experience_write(&book, 1, writer, out, losses, diag);
}

static enum caxton_status experience_repair(const struct book *book, FILE *out,
                                            struct book_losses *losses, struct diag *diag)
{
    return write_one(book, experience_format.writers, out, losses, diag);
}

/* Of moves searched as deep the best one answers: it comes first. */
static enum caxton_status store_position(const struct experience *self, const struct position *pos,
                                         struct score_store *store, struct diag *diag)
{
    struct packed_position packed;
    size_t count;
    enum caxton_status status = STATUS_OK;
    const struct record *records = self->records + find_position(self, pos, &count);
    position_pack(pos, &packed);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const struct search_limit limit = {SEARCH_TO_DEPTH, (uint64_t)records[i].depth};
        int score = score_in(self->layout, records[i].score);
        const struct search_answer answer = {
            .best = move_of(records[i].move),
            .score = score_is_decisive(score) ? score : eval_centipawns(score),
            .depth = records[i].depth};
        if (movegen_is_legal(pos, answer.best))
            status = score_store_add(store, &packed, limit, &answer, diag);
    }
    return status;
}

enum caxton_status experience_to_store(const struct book *book, struct score_store **out,
                                       struct book_losses *losses, struct diag *diag)
{
    static const struct searcher_identity searchers[] = {
        [EXPERIENCE_KEYS_A] = {.name = "experience of SugaR, HypnoS or Eman"},
        [EXPERIENCE_KEYS_B] = {.name = "experience of BrainLearn or ShashChess"}};
    struct book_graph graph = {0};
    struct score_store *store = NULL;
    if (book->format != &experience_format)
        return diag_fail(STATUS_FORMAT, diag, "%s: no experience file", book_name(book));
    const struct experience *self = book->state;
    enum caxton_status status =
        score_store_open(NULL, &searchers[family_of(self->layout)], &store, diag);
    if (status == STATUS_OK)
        status = book_graph_create(book, NULL, &graph, diag);
    for (uint32_t i = 0; status == STATUS_OK && i < graph.node_count; i++) {
        struct position pos;
        book_graph_position(&graph, i, &pos, NULL);
        status = store_position(self, &pos, store, diag);
    }
    losses->positions = graph.positions;
    losses->unreached = graph.positions - graph.known;
    book_graph_destroy(&graph);
    if (status == STATUS_OK)
        *out = store;
    else if (score_store_close(store, NULL) != STATUS_OK)
        return STATUS_NO_MEMORY; /* never: it has no file */
    return status;
}

static const struct book_writer writers[] = {
    [AS_IT_IS] = {.name = "exp",
                  .about = "experience file",
                  .keeps = BOOK_WEIGHTS | BOOK_UNREACHED,
                  .weight_max = UINT16_MAX,
                  .write = write_one},
    [AS_BRAINLEARN] = {.name = "exp-brainlearn",
                       .about = "experience file of BrainLearn and ShashChess",
                       .keeps = BOOK_UNREACHED,
                       .write = write_one},
    [AS_SUGAR] = {.name = "exp-sugar",
                  .about = "experience file of SugaR, HypnoS and Eman",
                  .keeps = BOOK_WEIGHTS | BOOK_UNREACHED,
                  .weight_max = UINT16_MAX,
                  .write = write_one},
};

const struct book_format experience_format = {
    .name = "experience file",
    .extension = "exp",
    .is_lines = true,
    .writers = writers,
    .writer_count = sizeof writers / sizeof *writers,
    .repair = experience_repair,
    .recognises = experience_recognises,
    .open = experience_open,
    .close = experience_close,
    .probe = experience_probe,
    .non_book_moves = experience_non_book_moves,
    .facts = experience_facts,
    .check = experience_check,
};
