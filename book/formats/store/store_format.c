#include "book/formats/store/store_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/key_table.h"
#include "book/book.h"
#include "book/entry_table.h"
#include "book/format.h"
#include "book/polyglot_entry.h"
#include "book/scoring/deepest_answers.h"
#include "book/scoring/record.h"
#include "book/scoring/score_store.h"
#include "chess/movegen.h"
#include "eval/eval.h"

/* What a store knows of a position and its moves. */

/* So much worse than the best a move is no good, as `makebook vet` has it. */
enum { REFUTED_LOSS_CP = 120 };

/* Searches against games: the move scored half of the points or more, and loses all the same. */
static bool is_refuted(const struct book_move_facts *facts, int best)
{
    uint64_t games = book_move_games(facts);
    return facts->searched && games > 0 && book_move_points(facts) >= games && facts->score < 0 &&
           eval_centipawns(best) - eval_centipawns(facts->score) >= REFUTED_LOSS_CP;
}

void store_format_scores(const struct deepest_answers *answers, const struct position *pos,
                         struct book_facts *out)
{
    struct search_answer answer;
    int best = deepest_answers_best(answers, pos);
    for (int i = 0; i < out->count; i++) {
        struct book_move_facts *facts = &out->moves[i];
        if (deepest_answers_of_move(answers, pos, facts->move, &answer)) {
            facts->searched = true;
            facts->score = answer.score;
            facts->depth = answer.depth;
            facts->nodes = answer.nodes;
        }
        best = facts->searched && facts->score > best ? facts->score : best;
    }
    for (int i = 0; i < out->count; i++)
        out->moves[i].refuted = is_refuted(&out->moves[i], best);
}

/* By the answers to this position and those behind its moves alone. */
static enum caxton_status take_searches(const struct score_store *store, const struct position *pos,
                                        struct book_facts *out)
{
    struct packed_position wanted[MOVES_MAX + 1];
    struct deepest_answers answers;
    position_pack(pos, &wanted[out->count]);
    for (int i = 0; i < out->count; i++) {
        const struct position behind = position_after(pos, out->moves[i].move);
        position_pack(&behind, &wanted[i]);
    }
    if (deepest_answers_take(store, wanted, (size_t)out->count + 1, &answers) != STATUS_OK)
        return STATUS_NO_MEMORY;
    store_format_scores(&answers, pos, out);
    deepest_answers_free(&answers);
    return STATUS_OK;
}

/* What the graph says, of the own side's book where there is one. */
static void take_graph(const struct score_store *store, const struct packed_position *pos, int turn,
                       struct store_node *node, struct book_facts *out)
{
    static const char *const states[] = {"queued", "searched", "expanded", "ended"};
    out->own = score_store_find_node(store, pos, turn, node);
    if (!out->own && !score_store_find_node(store, pos, !turn, node))
        return;
    out->state = states[node->state];
    out->probability = node->probability;
    out->ply = (unsigned)node->ply;
    for (int i = 0; i < out->count; i++)
        for (int j = 0; j < node->count; j++)
            if (node->moves[j].move == out->moves[i].move)
                out->moves[i].probability = node->moves[j].probability;
}

static void take_games(const struct score_store *store, const struct packed_position *pos,
                       struct book_facts *out)
{
    struct chosen_move chosen = {.move = MOVE_NONE};
    (void)score_store_chosen(store, pos, &chosen);
    for (int i = 0; i < out->count; i++) {
        struct played_games games;
        (void)score_store_played(store, pos, out->moves[i].move, &games);
        out->moves[i].chosen = out->moves[i].move == chosen.move;
        out->moves[i].wins = games.wins;
        out->moves[i].draws = games.draws;
        out->moves[i].losses = games.losses;
    }
}

enum caxton_status store_format_facts(const struct score_store *store,
                                      const struct deepest_answers *answers,
                                      const struct position *pos, struct book_facts *out)
{
    struct packed_position packed;
    struct store_node *node = malloc(sizeof *node);
    enum caxton_status status = node ? STATUS_OK : STATUS_NO_MEMORY;
    position_pack(pos, &packed);
    if (status == STATUS_OK) {
        take_graph(store, &packed, pos->turn, node, out);
        take_games(store, &packed, out);
    }
    if (answers)
        store_format_scores(answers, pos, out);
    else if (status == STATUS_OK)
        status = take_searches(store, pos, out);
    free(node);
    return status;
}

/* The moves that a store makes as a book. */

/* A move of an own position has this weight when it is the only one: grow gives the same. */
enum { WEIGHT_ONLY = 1 };

static enum caxton_status append(struct entry_list *list, uint64_t key, move m, uint32_t weight)
{
    return entry_list_append(
        list, &(struct book_entry){
                  .key = key, .weight = weight, .move = polyglot_from_move(m), .stated = true});
}

static bool has_key(const struct entry_table *table, uint64_t key)
{
    size_t at = entry_table_find(table, key);
    return at < table->count && entry_table_at(table, at).key == key;
}

/* Searches alone. ----------------------------------------------------------------------------- */

/* An answer, by the key of its position. */
struct answer_place {
    uint64_t key;
    uint32_t number; /* cursor of score_store_next_answer() */
    move best;
};

static int compare_places(const void *a, const void *b)
{
    const struct answer_place *x = a;
    const struct answer_place *y = b;
    if (x->key != y->key)
        return x->key > y->key ? 1 : -1;
    return x->number > y->number ? 1 : -1;
}

/* All answers with a move, sorted; to be freed. NULL: out of memory. */
static struct answer_place *sort_answers(const struct score_store *store, size_t *count)
{
    struct answer_place *list = calloc(score_store_count(store) + 1, sizeof *list);
    struct packed_position pos;
    struct search_limit limit;
    struct search_answer answer;
    size_t cursor = 0;
    *count = 0;
    while (list && score_store_next_answer(store, &cursor, &pos, &limit, &answer))
        if (answer.best != MOVE_NONE)
            list[(*count)++] = (struct answer_place){.key = packed_position_key(&pos),
                                                     .number = (uint32_t)cursor - 1,
                                                     .best = answer.best};
    if (list)
        qsort(list, *count, sizeof *list, compare_places);
    return list;
}

/* The move of the deepest of these answers to one position. */
static move deepest_move(const struct score_store *store, const struct answer_place *places,
                         size_t count)
{
    struct packed_position pos;
    struct search_limit limit;
    struct search_limit best_limit = {SEARCH_TO_DEPTH, 0};
    struct search_answer answer;
    struct search_answer best = {.best = places[0].best, .depth = -1};
    for (size_t i = 0; i < count && count > 1; i++) {
        size_t cursor = places[i].number;
        if (score_store_next_answer(store, &cursor, &pos, &limit, &answer) &&
            answer_is_deeper(limit, &answer, best_limit, &best)) {
            best = answer;
            best_limit = limit;
        }
    }
    return best.best;
}

/* But where a move is chosen. */
static enum caxton_status add_answers(const struct score_store *store,
                                      const struct entry_table *chosen, struct entry_list *list)
{
    size_t count;
    struct answer_place *places = sort_answers(store, &count);
    enum caxton_status status = places ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = 0, end; i < count && status == STATUS_OK; i = end) {
        for (end = i + 1; end < count && places[end].key == places[i].key;)
            end++;
        if (!has_key(chosen, places[i].key))
            status =
                append(list, places[i].key, deepest_move(store, &places[i], end - i), WEIGHT_ONLY);
    }
    free(places);
    return status;
}

/* Graphs. ------------------------------------------------------------------------------------- */

static enum caxton_status add_own(const struct score_store *store, const struct store_node *node,
                                  struct entry_list *list)
{
    enum caxton_status status = STATUS_OK;
    if (score_store_chosen(store, &node->pos, NULL))
        return STATUS_OK; /* that one is added instead */
    for (int i = 0; i < node->count && status == STATUS_OK; i++) {
        const struct store_move *own = &node->moves[i];
        uint32_t weight = node->count == 1 ? WEIGHT_ONLY : store_weight(own->probability);
        status = append(list, packed_position_key(&node->pos), own->move, weight);
    }
    return status;
}

static enum caxton_status add_chosen(const struct score_store *store, struct entry_list *list)
{
    struct packed_position pos;
    struct chosen_move chosen;
    size_t cursor = 0;
    enum caxton_status status = STATUS_OK;
    while (status == STATUS_OK && score_store_next_chosen(store, &cursor, &pos, &chosen))
        status = append(list, packed_position_key(&pos), chosen.move, WEIGHT_ONLY);
    return status;
}

/* The positions with own moves: replies are looked up by the million. */
struct own_positions {
    const struct book_entry *entries;
    struct key_table table;
};

static bool is_own(const struct own_positions *own, uint64_t key)
{
    return *key_table_slot(&own->table, own->entries, key) != 0;
}

static enum caxton_status add_replies(const struct store_node *node,
                                      const struct own_positions *own, struct entry_list *list)
{
    struct position pos;
    move legal[MOVES_MAX];
    enum caxton_status status = STATUS_OK;
    if (!position_unpack(&node->pos, &pos))
        return STATUS_OK;
    int count = movegen_legal(&pos, legal);
    for (int i = 0; i < node->count && status == STATUS_OK; i++) {
        move m = node->moves[i].move;
        int at = 0;
        while (at < count && legal[at] != m)
            at++;
        if (at == count)
            continue;
        const struct position behind = position_after(&pos, m);
        if (is_own(own, behind.key))
            status = append(list, pos.key, m, store_weight(node->moves[i].probability));
    }
    return status;
}

static enum caxton_status add_all_replies(const struct score_store *store, struct store_node *node,
                                          struct entry_list *list)
{
    struct entry_list replies = {.separate = true};
    struct own_positions own = {list->entries, {.item_size = sizeof *list->entries}};
    size_t cursor = 0;
    enum caxton_status status =
        key_table_reserve(&own.table, list->count, list->entries, 0, list->count);
    while (status == STATUS_OK && score_store_next_node(store, &cursor, node))
        if (!store_node_is_own(node) && !is_own(&own, packed_position_key(&node->pos)))
            status = add_replies(node, &own, &replies);
    for (size_t i = 0; i < replies.count && status == STATUS_OK; i++)
        status = entry_list_append(list, &replies.entries[i]);
    entry_list_free(&replies);
    free(own.table.slots);
    return status;
}

static enum caxton_status add_graph(const struct score_store *store, struct store_node *node,
                                    struct entry_list *list)
{
    size_t cursor = 0;
    enum caxton_status status = add_chosen(store, list);
    while (status == STATUS_OK && score_store_next_own(store, &cursor, node))
        status = add_own(store, node, list);
    return status == STATUS_OK ? add_all_replies(store, node, list) : status;
}

/* Answers, and the chosen moves instead where there are some. */
static enum caxton_status add_searches(const struct score_store *store, struct entry_list *list)
{
    struct entry_list chosen = {.separate = true};
    enum caxton_status status = add_chosen(store, &chosen);
    entry_list_sort(&chosen);
    const struct entry_table table = {.entries = chosen.entries, .count = chosen.count};
    if (status == STATUS_OK)
        status = add_answers(store, &table, list);
    for (size_t i = 0; i < chosen.count && status == STATUS_OK; i++)
        status = entry_list_append(list, &chosen.entries[i]);
    entry_list_free(&chosen);
    return status;
}

/* Errors: STATUS_NO_MEMORY. */
static enum caxton_status store_moves(const struct score_store *store, struct entry_list *out)
{
    if (!score_store_has_graph(store))
        return add_searches(store, out);
    struct store_node *node = malloc(sizeof *node);
    enum caxton_status status = node ? add_graph(store, node, out) : STATUS_NO_MEMORY;
    free(node);
    return status;
}

/* The faults of a store by the place of their record. */

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

/* As struct book_format.check: damage, and moves or positions that are against the rules. */
static enum caxton_status store_check(const struct book_format *format, const uint8_t *bytes,
                                      size_t size, const struct position *root,
                                      book_fault_sink sink, void *context)
{
    (void)format;
    (void)root;
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

struct store_book {
    struct score_store *store; /* on the bytes of the book */
    struct position *roots;
    size_t root_count;
    size_t root_capacity;
};

static void store_close(void *state)
{
    struct store_book *self = state;
    if (!self)
        return;
    /* Without a file nothing can go wrong. */
    if (score_store_close(self->store, NULL) == STATUS_OK)
        free(self->roots);
    free(self);
}

/* The roots of the graph but the standard start. */
static enum caxton_status find_roots(struct store_book *self)
{
    struct position start;
    struct position pos;
    struct packed_position packed;
    size_t cursor = 0;
    position_start(&start);
    while (score_store_next_root(self->store, &cursor, &packed)) {
        if (!position_unpack(&packed, &pos) || pos.key == start.key)
            continue;
        if (self->root_count > 0 && self->roots[self->root_count - 1].key == pos.key)
            continue; /* of both sides' books */
        if (!ARRAY_GROW(self->roots, self->root_capacity, self->root_count + 1))
            return STATUS_NO_MEMORY;
        self->roots[self->root_count++] = pos;
    }
    return STATUS_OK;
}

static enum caxton_status fill(struct book *book, struct store_book *self, struct diag *diag)
{
    struct entry_list list = {.separate = true}; /* few are the same */
    enum caxton_status status = find_roots(self);
    if (status == STATUS_OK)
        status = store_moves(self->store, &list);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: out of memory", book->name);
    if (status == STATUS_OK && list.count == 0)
        status = diag_fail(STATUS_FORMAT, diag, "%s: a store of scores without a move", book->name);
    if (status == STATUS_OK) {
        book->table = entry_table_from_list(&list);
        book->move_count = book->table.count;
        book->roots = self->roots;
        book->root_count = self->root_count;
    }
    entry_list_free(&list);
    return status;
}

static enum caxton_status store_open(struct book *book, const uint8_t *bytes, size_t size,
                                     struct diag *diag)
{
    struct diag why = {.text = ""};
    struct store_book *self = calloc(1, sizeof *self);
    enum caxton_status status = STATUS_NO_MEMORY;
    diag_set(&why, 0, 0, "out of memory");
    if (self)
        status = score_store_parse(bytes, size, NULL, &self->store, &why);
    if (status != STATUS_OK) {
        diag_set(diag, 0, 0, "%s: %s", book->name, why.text);
        free(self);
        return status;
    }
    const char *remark = score_store_remark(self->store);
    if (*remark)
        (void)snprintf(book->warning, sizeof book->warning, "%.200s: %s", book->name, remark);
    status = fill(book, self, diag);
    if (status == STATUS_OK)
        book->state = self;
    else
        store_close(self);
    return status;
}

const struct score_store *store_format_store(const struct book *book)
{
    const struct store_book *self = book->format == &store_format ? book->state : NULL;
    return self ? self->store : NULL;
}

/* As struct book_format.facts. */
static enum caxton_status look_up(const void *state, uint64_t key, const struct position *pos,
                                  struct book_facts *out, struct diag *diag)
{
    const struct store_book *self = state;
    (void)key;
    if (!pos || store_format_facts(self->store, NULL, pos, out) == STATUS_OK)
        return STATUS_OK;
    return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
}

const struct book_format store_format = {
    .name = "store of searches",
    .extension = "store",
    .recognises = store_is_magic,
    .open = store_open,
    .close = store_close,
    .check = store_check,
    .facts = look_up,
};
