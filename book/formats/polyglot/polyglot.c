#include "book/formats/polyglot/polyglot.h"
#include "book/book_move.h"
#include "book/polyglot_entry.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "book/entry_table.h"
#include "book/graph/graph_visit.h"
#include "chess/fen.h"
#include "chess/zobrist.h"

enum { TEXT_LOOKED_AT = 256 }; /* bytes that tell whether it is text */

static uint64_t key_at(const uint8_t *entries, size_t index)
{
    return polyglot_key(entries + index * POLYGLOT_ENTRY_SIZE);
}

static bool is_sorted(const uint8_t *entries, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (key_at(entries, i) < key_at(entries, i - 1))
            return false;
    return true;
}

/* Big-endian bytes compare as the numbers they stand for: by key, then move. */
static int compare_entries(const void *a, const void *b)
{
    return memcmp(a, b, POLYGLOT_ENTRY_SIZE);
}

/* A sorted copy of the entries, when they are not sorted in the file, is the state of the book. */
static enum caxton_status sort_entries(struct book *book)
{
    size_t size = book->table.count * POLYGLOT_ENTRY_SIZE;
    if (is_sorted(book->table.bytes, book->table.count))
        return STATUS_OK;
    book->state = malloc(size);
    if (!book->state)
        return STATUS_NO_MEMORY;
    memcpy(book->state, book->table.bytes, size);
    qsort(book->state, book->table.count, POLYGLOT_ENTRY_SIZE, compare_entries);
    book->table.bytes = book->state;
    return STATUS_OK;
}

/* Nothing in the format says "book", and its keys could be any numbers. But the moves of a book
 * look like moves, while in other data hardly one in thirty does. */
static size_t count_inconceivable(const uint8_t *entries, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += !polyglot_is_conceivable(polyglot_decode(entries + i * POLYGLOT_ENTRY_SIZE).move);
    return found;
}

/* The first byte that no text has, of a beginning that is mostly text; `size` for none. */
static size_t find_odd_byte(const uint8_t *bytes, size_t size)
{
    size_t odd = 0;
    size_t first = size;
    for (size_t i = size; i > 0; i--) {
        bool is_odd = !span_is_text(span_make((const char *)bytes + i - 1, 1));
        odd += is_odd;
        first = is_odd ? i - 1 : first;
    }
    return odd <= size / 10 ? first : size;
}

/* Of other programs' books that nobody can read here, by the ending of their name: what to say.
 * NULL: it is none. */
static const char *foreign_book(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (dot && span_equal_nocase(span_of(dot), ".bkt"))
        return "a Shredder book (.bkt), whose layout is not public: take the same book as .bin, "
               ".abk or .ctg";
    if (dot && span_equal_nocase(span_of(dot), ".obk"))
        return "a Chessmaster book (.obk) of a layout that is not public";
    return NULL;
}

enum caxton_status polyglot_refuse_others(const uint8_t *bytes, size_t size, const char *name,
                                          struct diag *diag)
{
    size_t count = size / POLYGLOT_ENTRY_SIZE;
    size_t looked_at = size < TEXT_LOOKED_AT ? size : TEXT_LOOKED_AT;
    bool is_text = span_is_text(span_make((const char *)bytes, looked_at));
    size_t inconceivable = is_text ? 0 : count_inconceivable(bytes, count);
    if (!is_text && count > 0 && inconceivable <= count / 2)
        return STATUS_OK;
    size_t odd = find_odd_byte(bytes, looked_at);
    const char *type = file_type_name(bytes, size);
    const char *foreign = foreign_book(name);
    if (size == 0)
        diag_set(diag, 0, 0, "%s: the file is empty", name);
    else if (is_text)
        diag_set(diag, 0, 0,
                 "%s: a text of no kind that is known: EPD begins with a board, White's lines with "
                 "\"lines san\" or a move, PGN with a tag",
                 name);
    else if (foreign)
        diag_set(diag, 0, 0, "%s: %s", name, foreign);
    else if (type)
        diag_set(diag, 0, 0, "%s: not a book: it is %s", name, type);
    else if (odd < looked_at)
        diag_set(diag, 0, 0, "%s: not a book: a text with a byte that no text has, byte %zu", name,
                 odd);
    else if (count == 0)
        diag_set(diag, 0, 0, "%s: not a Polyglot book: %zu bytes, and an entry has 16", name, size);
    else
        diag_set(diag, 0, 0, "%s: not a Polyglot book: %zu of %zu entries hold no possible move",
                 name, inconceivable, count);
    return STATUS_FORMAT;
}

static enum caxton_status polyglot_open(struct book *book, const uint8_t *bytes, size_t size,
                                        struct diag *diag)
{
    size_t whole = size / POLYGLOT_ENTRY_SIZE * POLYGLOT_ENTRY_SIZE;
    enum caxton_status status = polyglot_refuse_others(bytes, size, book->name, diag);
    if (status != STATUS_OK)
        return status;
    book->move_count = size / POLYGLOT_ENTRY_SIZE;
    book->table =
        (struct entry_table){.bytes = bytes, .count = book->move_count, .unchecked = true};
    status = sort_entries(book);
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "%s: out of memory", book->name);
    struct text_buffer warning = text_buffer_on(book->warning, sizeof book->warning);
    if (size > whole || book->state)
        text_append(&warning, "%.120s: ", book->name);
    if (size > whole)
        text_append(&warning,
                    "the file ends within an entry, at byte %zu; the others are used (makebook "
                    "verify --repair leaves it out)%s",
                    whole, book->state ? "; " : "");
    if (book->state)
        text_append(&warning, "entries are not sorted by key; sorted in memory");
    return status;
}

/* Beyond doubt, though the format has no mark. */
static bool polyglot_recognises(const uint8_t *bytes, size_t size)
{
    size_t count = size / POLYGLOT_ENTRY_SIZE;
    return count > 0 && is_sorted(bytes, count) && count_inconceivable(bytes, count) == 0 &&
           !span_is_text(span_make((const char *)bytes, size));
}

/* Castling --------------------------------------------------------------------------------- */

/* A king's journey to the c or g file, or another piece's move? From the e file, or from any. */
static bool may_be_castling(uint16_t stored, bool any_file)
{
    int from = stored >> 6;
    int to = stored & 63;
    return (from < 8 || (from >= 56 && from < 64)) && square_rank(to) == square_rank(from) &&
           square_file(to) % 4 == 2 && abs(to - from) >= 2 && (any_file || square_file(from) == 4);
}

static bool has_key(const struct entry_table *table, uint64_t key)
{
    size_t at = entry_table_find(table, key);
    return at < table->count && entry_table_at(table, at).key == key;
}

/* Is e1g1 or the like castling where no line leads? Then the key behind it differs by what king and
 * rook do, by both rights and by an en passant file that ends: is it in the book? */
static bool leads_to_castled(const struct entry_table *table, uint64_t key, int from, int rook)
{
    int side = rook < from ? -1 : 1;
    int right = (from < 8 ? 0 : 2) + (side < 0);
    int king = piece_make(from < 8 ? WHITE : BLACK, KING);
    int own = piece_make(from < 8 ? WHITE : BLACK, ROOK);
    key ^= zobrist_piece(king, from) ^ zobrist_piece(king, from + 2 * side) ^ zobrist_turn();
    key ^= zobrist_piece(own, rook) ^ zobrist_piece(own, from + side) ^ zobrist_castling(right);
    for (int file = 0; file <= 8; file++) { /* 8: no en passant */
        uint64_t behind = key ^ (file < 8 ? zobrist_en_passant(file) : 0);
        if (has_key(table, behind) || has_key(table, behind ^ zobrist_castling(right ^ 1)))
            return true;
    }
    return false;
}

/* The same, if the squares of the position's moves do not tell it: a move to `rook`, from where
 * another one takes a piece of our own, is castling. */
bool polyglot_is_castling(const struct entry_table *table, uint64_t key, int from, int rook)
{
    bool takes = false;
    bool is_own = false;
    for (size_t i = entry_table_find(table, key); i < table->count && table->entries[i].key == key;
         i++) {
        takes |= table->entries[i].move == (from << 6 | rook);
        is_own |= (table->entries[i].move >> 6 & 63) == rook;
    }
    return (takes && is_own) || leads_to_castled(table, key, from, rook);
}

/* How the format wants an entry's move that no line reaches; 0: no piece makes it anywhere. */
static uint16_t unreached_move(const struct entry_table *table, const struct book_entry *entry,
                               bool any_file, size_t *doubtful)
{
    int from = entry->move >> 6;
    int rook = (entry->move & 63) > from ? from + 3 : from - 4;
    if (!polyglot_is_conceivable(entry->move))
        return 0;
    if (!may_be_castling(entry->move, any_file))
        return entry->move;
    if (polyglot_is_castling(table, entry->key, from, rook))
        return (uint16_t)(from << 6 | rook);
    *doubtful += square_file(from) == 4;
    return entry->move;
}

static void remove_illegal(struct entry_list *list, struct book_losses *losses)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->entries[i].move)
            list->entries[kept++] = list->entries[i];
    losses->illegal += list->count - kept;
    list->count = kept;
}

/* Leaves illegal moves out and writes castling as king takes rook where the king's journey is
 * meant: in positions that are reached, and elsewhere as far as the list, sorted by key, tells.
 * *changed: something was, or a move is there twice. */
static enum caxton_status mend(struct entry_list *list, const struct position *root, bool *changed,
                               struct book_losses *losses)
{
    const struct entry_table table = {.entries = list->entries, .count = list->count};
    struct book_graph graph = {0};
    enum caxton_status status = book_graph_create_shortest(&table, root, &graph);
    bool any_file = false;
    for (unsigned i = 0; i < 960 && !any_file; i++) {
        struct position start;
        fen_chess960(i, &start);
        any_file = i != 518 && has_key(&table, start.key); /* 518: the standard one */
    }
    if (status == STATUS_RANGE) {
        losses->unfollowed = list->count;
        status = STATUS_OK;
    }
    for (size_t i = 0; i < list->count && status == STATUS_OK; i++) {
        struct book_entry *entry = &list->entries[i];
        uint32_t at = graph.node_count ? book_graph_find(&graph, entry->key) : BOOK_GRAPH_NONE;
        uint16_t wanted = at == BOOK_GRAPH_NONE
                              ? unreached_move(&table, entry, any_file, &losses->castlings)
                              : book_graph_stored_move(&graph, at, entry->move);
        *changed |= wanted != entry->move || !wanted;
        entry->move = wanted;
        /* No position has many moves that pieces make and that are not there twice. */
        for (size_t j = i; !*changed && j-- > 0 && list->entries[j].key == entry->key;)
            *changed = list->entries[j].move == entry->move;
    }
    book_graph_destroy(&graph);
    if (status == STATUS_OK)
        remove_illegal(list, losses);
    return status;
}

/* Writing ---------------------------------------------------------------------------------- */

static int compare_weights(const void *a, const void *b)
{
    const struct book_entry *x = a;
    const struct book_entry *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return (x->move > y->move) - (x->move < y->move);
}

/* Puts the entries of one position in order, heaviest first, and makes their weights fit. Returns
 * whether they had to be scaled. */
static bool order_position(struct book_entry *entries, size_t count)
{
    qsort(entries, count, sizeof *entries, compare_weights);
    const uint64_t limit = POLYGLOT_WEIGHT_MAX;
    uint64_t largest = entries[0].weight;
    for (size_t i = 0; i < count && largest > limit; i++) {
        uint64_t scaled = (entries[i].weight * limit + largest / 2) / largest;
        entries[i].weight = scaled == 0 && entries[i].weight ? 1 : (uint32_t)scaled;
    }
    return largest > limit;
}

enum caxton_status polyglot_write_entries(const struct book_entry *entries, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[POLYGLOT_ENTRY_SIZE];
        const struct polyglot_entry entry = {.key = entries[i].key,
                                             .move = entries[i].move,
                                             .weight = (uint16_t)entries[i].weight,
                                             .learn = entries[i].learn};
        polyglot_encode(&entry, bytes);
        if (fwrite(bytes, sizeof bytes, 1, out) != 1)
            return STATUS_IO;
    }
    return STATUS_OK;
}

enum caxton_status polyglot_write(struct entry_list *list, const struct position *root, bool keep,
                                  FILE *out, struct polyglot_report *report, struct diag *diag)
{
    bool changed = false;
    enum caxton_status status = STATUS_OK;
    if (!keep)
        entry_list_sort(list);
    if (list->unchecked)
        status = mend(list, root, &changed, &report->losses);
    keep = keep && !changed;
    if (!keep)
        entry_list_join(list);
    if (status == STATUS_OK && report->losses.illegal > 0 && list->count == 0)
        return diag_fail(STATUS_NOT_FOUND, diag, "no move is legal: nothing to write");
    for (size_t first = 0, end; status == STATUS_OK && first < list->count; first = end) {
        for (end = first + 1; end < list->count; end++)
            if (list->entries[end].key != list->entries[first].key)
                break;
        report->positions++;
        report->scaled += !keep && order_position(list->entries + first, end - first);
        status = polyglot_write_entries(list->entries + first, end - first, out);
    }
    if (status != STATUS_OK)
        diag_set(diag, 0, 0,
                 status == STATUS_NO_MEMORY ? "out of memory" : "cannot write the book");
    return status;
}

/* Every entry, reached by lines or not. */
static enum caxton_status write_book(const struct book *book, const struct book_writer *self,
                                     FILE *out, struct book_losses *losses, struct diag *diag)
{
    (void)self;
    struct entry_list list = {0};
    struct polyglot_report report = {.losses = {0}};
    enum caxton_status status = book_graph_entries(book, &list, &report.losses, diag);
    if (status == STATUS_OK)
        status = polyglot_write(&list, NULL, false, out, &report, diag);
    *losses = report.losses;
    entry_list_free(&list);
    return status;
}

/* Faults ----------------------------------------------------------------------------------- */

struct entry_check {
    const uint8_t *bytes;
    size_t count; /* of whole entries */
    struct entry_list list;
    book_fault_sink sink;
    void *context;
};

__attribute__((format(printf, 4, 5))) static void name_fault(const struct entry_check *check,
                                                             enum book_fault fault, size_t index,
                                                             const char *format, ...)
{
    struct diag diag = {.offset = index * POLYGLOT_ENTRY_SIZE};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(diag.text, sizeof diag.text, format, arguments);
    va_end(arguments);
    check->sink(check->context, fault, &diag, NULL);
}

static void check_entries(const struct entry_check *check)
{
    struct polyglot_entry before = {0};
    for (size_t i = 0; i < check->count; i++) {
        struct polyglot_entry entry = polyglot_decode(check->bytes + i * POLYGLOT_ENTRY_SIZE);
        char move_text[8];
        polyglot_move_text(entry.move, move_text);
        if (i && entry.key < before.key) {
            name_fault(check, BOOK_FAULT_UNSORTED, i, "key %016llx after %016llx",
                       (unsigned long long)entry.key, (unsigned long long)before.key);
        } else if (i && entry.key == before.key && entry.weight > before.weight) {
            name_fault(check, BOOK_REMARK_LIGHTER, i, "%s of weight %u after one of %u", move_text,
                       entry.weight, before.weight);
        }
        if (entry.weight == 0)
            name_fault(check, BOOK_REMARK_UNPLAYED, i, "%s has weight 0", move_text);
        if (!polyglot_is_conceivable(entry.move))
            name_fault(check, BOOK_FAULT_NO_MOVE, i, "%s (%04x) is no move of any piece", move_text,
                       entry.move);
        before = entry;
    }
}

static void check_duplicates(const struct entry_check *check)
{
    for (size_t i = 1; i < check->count; i++) {
        const struct book_entry *entry = &check->list.entries[i];
        if (entry->key != entry[-1].key || entry->move != entry[-1].move)
            continue;
        char move_text[8];
        polyglot_move_text(entry->move, move_text);
        name_fault(check, BOOK_FAULT_DUPLICATE, entry->place,
                   "%s of key %016llx stands already at byte %zu", move_text,
                   (unsigned long long)entry->key, (size_t)entry[-1].place * POLYGLOT_ENTRY_SIZE);
    }
}

/* e1g1 stands for e1h1, which the format wants. */
static void check_castling(const struct entry_check *check, const struct book_entry *entry,
                           const struct position *pos, move m)
{
    if (polyglot_from_move(m) == entry->move)
        return;
    char move_text[8];
    char right_text[8];
    char fen[FEN_MAX];
    polyglot_move_text(entry->move, move_text);
    polyglot_move_text(polyglot_from_move(m), right_text);
    fen_format(pos, fen);
    name_fault(check, BOOK_FAULT_JOURNEY, entry->place, "%s should be %s in %s", move_text,
               right_text, fen);
}

/* A book_graph_visitor. */
static void check_legality(void *context, const struct book_node *node, const struct position *pos,
                           const move *line)
{
    const struct entry_check *check = context;
    const struct entry_table table = entries_table(&check->list);
    (void)line;
    size_t first = entry_table_find(&table, node->key);
    size_t end = first + entries_of_position(&table, first);
    for (size_t i = first; i < end; i++) {
        const struct book_entry *entry = &table.entries[i];
        move m = polyglot_to_move(pos, entry->move);
        if (m != MOVE_NONE) {
            check_castling(check, entry, pos, m);
            continue;
        }
        if (!polyglot_is_conceivable(entry->move))
            continue; /* named already */
        char move_text[8];
        char fen[FEN_MAX];
        polyglot_move_text(entry->move, move_text);
        fen_format(pos, fen);
        name_fault(check, BOOK_FAULT_ILLEGAL, entry->place, "%s is illegal in %s", move_text, fen);
    }
}

enum caxton_status polyglot_check(const uint8_t *bytes, size_t size, const struct position *root,
                                  book_fault_sink sink, void *context, struct book_graph *reached)
{
    struct entry_check check = {bytes, size / POLYGLOT_ENTRY_SIZE, {0}, sink, context};
    const struct entry_table file = {.bytes = bytes, .count = check.count, .unchecked = true};
    enum caxton_status status = entries_list(&file, &check.list);
    if (status == STATUS_OK) {
        if (size % POLYGLOT_ENTRY_SIZE != 0)
            name_fault(&check, BOOK_FAULT_REST, check.count,
                       "the file ends within an entry, which has 16 bytes");
        check_entries(&check);
        entry_list_sort(&check.list);
        check_duplicates(&check);
        entries_sort_by_weight(&check.list);
        const struct entry_table table = entries_table(&check.list);
        status = book_graph_create_shortest(&table, root, reached);
    }
    if (status == STATUS_OK)
        status = book_graph_visit(reached, check_legality, &check);
    entry_list_free(&check.list);
    return status;
}

/* As struct book_format.check. */
static enum caxton_status check(const struct book_format *format, const uint8_t *bytes, size_t size,
                                const struct position *root, book_fault_sink sink, void *context)
{
    (void)format;
    struct book_graph reached = {0};
    enum caxton_status status = polyglot_check(bytes, size, root, sink, context, &reached);
    book_graph_destroy(&reached);
    return status;
}

static const struct book_writer writer = {
    .name = "bin",
    .about = "Polyglot",
    .keeps = BOOK_WEIGHTS | BOOK_UNPLAYED | BOOK_LEARN | BOOK_UNREACHED,
    .weight_max = POLYGLOT_WEIGHT_MAX,
    .writes_entries = true,
    .write = write_book,
};

const struct book_format polyglot_format = {
    .name = "Polyglot",
    .extension = "bin",
    .holds_entries = true,
    .writers = &writer,
    .writer_count = 1,
    .recognises = polyglot_recognises,
    .open = polyglot_open,
    .close = free,
    .check = check,
};
