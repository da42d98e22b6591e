#include "search/tb_file.h"

#include <string.h>

#include "base/file.h"
#include "base/raw_file.h"

/* A header has, for each file that the leading pawn may stand on (one part in all without pawns)
 * and each side to move: the order of the pieces; then the sizes and the code of the packed values.
 * Behind it come an index, the sizes of the blocks and the blocks; a checksum ends the file. */
enum {
    PARTS_MAX = 4,
    CHECKSUM_SIZE = 16,
    SYMBOLS_MAX = 4095,
    LEAF = 4095,
    CODE_LENGTH_MAX = 32,
    LOG2_MAX = 31
};

/* One side's packed values of one part. */
struct packed {
    uint64_t indices; /* entries of 6 bytes */
    uint64_t blocks;  /* with their sizes of 2 bytes */
    uint64_t bytes;
    bool is_mapped; /* DTZ: stored through a map .. */
    bool is_wide;   /* .. of 16 bits */
};

struct tb_reader {
    enum caxton_status (*read)(void *context, char *buffer, size_t capacity, size_t *size);
    void *context;
    char bytes[4096];
    size_t size;
    size_t next;
    uint64_t offset; /* in the file, of the next byte */
    bool is_over;    /* the file ended or could not be read */
};

struct tb_table {
    const struct tb_material *material;
    enum tb_file_kind kind;
    int pawns[2];
    int parts;
    int sides;
    struct packed packed[PARTS_MAX][2];
};

static unsigned get_byte(struct tb_reader *reader)
{
    if (reader->next == reader->size && !reader->is_over) {
        reader->next = 0;
        if (reader->read(reader->context, reader->bytes, sizeof reader->bytes, &reader->size) !=
            STATUS_OK)
            reader->size = 0;
        reader->is_over = reader->size == 0;
    }
    reader->offset++;
    return reader->is_over ? 0 : (uint8_t)reader->bytes[reader->next++];
}

static uint32_t get_number(struct tb_reader *reader, int size)
{
    uint32_t value = 0;
    for (int i = 0; i < size; i++)
        value |= (uint32_t)get_byte(reader) << 8 * i;
    return value;
}

static void skip_bytes(struct tb_reader *reader, uint64_t count)
{
    while (count-- > 0 && !reader->is_over)
        (void)get_byte(reader);
}

static void skip_to_even(struct tb_reader *reader)
{
    skip_bytes(reader, reader->offset & 1);
}

static uint64_t binomial(int n, int k)
{
    uint64_t value = 1;
    for (int i = 0; i < k; i++)
        value = value * (uint64_t)(n - i) / (uint64_t)(i + 1);
    return value;
}

static int count_pieces(const struct tb_material *material, int color, int type)
{
    int count = type == KING;
    for (int i = 0; i < material->count[color]; i++)
        count += material->pieces[color][i] == type;
    return count;
}

/* Placings of the leading pawns where the first of them is on the part-th file: it has the highest
 * number of all, and the squares of a file are numbered in steps of two. */
static uint64_t leading_pawn_placings(int pawns, int part)
{
    uint64_t sum = 0;
    for (int rank = 0; rank < 6; rank++)
        sum += binomial(47 - 12 * part - 2 * rank, pawns - 1);
    return sum;
}

/* Placings of the leading pieces of a table without pawns: three that are alone of their kind, or
 * the kings. *squares: the squares left. */
static uint64_t leading_piece_placings(const struct tb_material *material, int *squares,
                                       int *singles_taken)
{
    int singles = 0;
    for (int color = WHITE; color <= BLACK; color++)
        for (int type = PAWN; type <= KING; type++)
            singles += count_pieces(material, color, type) == 1;
    *singles_taken = singles > 2 ? 3 : 2;
    *squares = 64 - *singles_taken;
    return singles > 2 ? 31332 : 462;
}

/* How many positions one part of the table has a value for. */
static uint64_t part_placings(const struct tb_table *table, int part)
{
    uint64_t placings;
    int squares;
    int singles_taken = 0;
    if (table->pawns[0]) {
        placings = leading_pawn_placings(table->pawns[0], part) *
                   binomial(48 - table->pawns[0], table->pawns[1]);
        squares = 64 - table->pawns[0] - table->pawns[1];
    } else {
        placings = leading_piece_placings(table->material, &squares, &singles_taken);
    }
    /* The others, kind by kind, on the squares that are left. */
    for (int color = WHITE; color <= BLACK; color++)
        for (int type = KNIGHT; type <= KING; type++) {
            int count = count_pieces(table->material, color, type);
            if (count == 1 && singles_taken > 0) {
                singles_taken--;
                continue;
            }
            placings *= binomial(squares, count);
            squares -= count;
        }
    return placings;
}

/* The pieces of one part: four bits each, for one side to move and for the other. */
static bool read_pieces(struct tb_reader *reader, const struct tb_table *table)
{
    int seen[2][16] = {{0}};
    skip_bytes(reader, table->pawns[1] ? 2 : 1); /* the order of the groups */
    for (int i = 0; i < tb_material_pieces(table->material); i++) {
        unsigned both = get_byte(reader);
        seen[0][both & 15]++;
        seen[1][both >> 4]++;
    }
    for (int side = 0; side < table->sides; side++)
        for (int color = WHITE; color <= BLACK; color++)
            for (int type = PAWN; type <= KING; type++)
                if (seen[side][color * 8 + type + 1] != count_pieces(table->material, color, type))
                    return false;
    return true;
}

/* How many values each symbol stands for, less one: itself, or what its two parts stand for. Zeros
 * at first: not known. */
struct symbols {
    unsigned count;
    uint16_t parts[SYMBOLS_MAX][2]; /* the second LEAF: it stands for one value */
    uint8_t length[SYMBOLS_MAX];
    bool is_known[SYMBOLS_MAX];
};

/* Could a reader of values go from symbol to symbol without end, or beyond the last one? Symbols
 * whose parts are known become known, until all are. */
static bool symbols_are_sound(struct symbols *symbols)
{
    bool grows = true;
    unsigned known = 0;
    while (grows && known < symbols->count) {
        grows = false;
        for (unsigned i = 0; i < symbols->count; i++) {
            const uint16_t *parts = symbols->parts[i];
            bool is_leaf = parts[1] == LEAF;
            if (symbols->is_known[i])
                continue;
            if (!is_leaf && (parts[0] >= symbols->count || parts[1] >= symbols->count))
                return false;
            if (!is_leaf && !(symbols->is_known[parts[0]] && symbols->is_known[parts[1]]))
                continue;
            int length = is_leaf ? 0 : symbols->length[parts[0]] + symbols->length[parts[1]] + 1;
            if (length > UINT8_MAX)
                return false;
            symbols->length[i] = (uint8_t)length;
            symbols->is_known[i] = grows = true;
            known++;
        }
    }
    return known == symbols->count;
}

/* The code of the packed values. Those of `bits` bits are for the symbols from first[bits] on, up
 * to those of codes that are a bit shorter; the shortest go up to the last symbol. */
static bool read_code(struct tb_reader *reader, unsigned longest, unsigned shortest)
{
    uint32_t first[CODE_LENGTH_MAX + 1] = {0};
    uint64_t used = 0; /* codes of so many bits that belong to longer ones */
    struct symbols symbols = {0};
    for (unsigned bits = shortest; bits <= longest; bits++) {
        first[bits] = get_number(reader, 2);
        if (bits > shortest && first[bits] > first[bits - 1])
            return false;
    }
    for (unsigned bits = longest; bits > shortest; bits--)
        used = (used + first[bits - 1] - first[bits]) / 2;
    symbols.count = get_number(reader, 2);
    if (symbols.count == 0 || symbols.count > SYMBOLS_MAX || used > UINT64_C(1) << shortest ||
        first[shortest] + (UINT64_C(1) << shortest) - used > symbols.count)
        return false;
    for (unsigned i = 0; i < symbols.count; i++) {
        uint32_t both = get_number(reader, 3);
        symbols.parts[i][0] = (uint16_t)(both & 0xFFF);
        symbols.parts[i][1] = (uint16_t)(both >> 12);
    }
    skip_bytes(reader, symbols.count & 1);
    return reader->is_over || symbols_are_sound(&symbols);
}

/* The head of one side's packed values. */
static bool read_packed(struct tb_reader *reader, uint64_t placings, struct packed *packed)
{
    enum { MAPPED = 2, WIDE = 16, CONSTANT = 128 };
    *packed = (struct packed){0};
    unsigned flags = get_byte(reader);
    packed->is_mapped = (flags & MAPPED) != 0;
    packed->is_wide = (flags & WIDE) != 0;
    unsigned block_log2 = get_byte(reader);
    if (flags & CONSTANT) /* the value stood in the byte after the flags */
        return true;
    unsigned index_log2 = get_byte(reader);
    unsigned padding = get_byte(reader);
    uint32_t blocks = get_number(reader, 4);
    unsigned longest = get_byte(reader);
    unsigned shortest = get_byte(reader);
    if (block_log2 > LOG2_MAX || index_log2 == 0 || index_log2 > LOG2_MAX ||
        longest > CODE_LENGTH_MAX || shortest == 0 || shortest > longest)
        return false;
    if (!read_code(reader, longest, shortest))
        return false;
    packed->indices = (placings + (UINT64_C(1) << index_log2) - 1) >> index_log2;
    packed->blocks = (uint64_t)blocks + padding;
    packed->bytes = (uint64_t)blocks << block_log2;
    return true;
}

/* The maps of a DTZ table: for each of four results the values that occur. */
static void skip_maps(struct tb_reader *reader, const struct tb_table *table)
{
    for (int part = 0; part < table->parts; part++) {
        const struct packed *packed = &table->packed[part][0];
        if (!packed->is_mapped)
            continue;
        if (packed->is_wide)
            skip_to_even(reader);
        for (int result = 0; result < 4; result++)
            skip_bytes(reader,
                       packed->is_wide ? 2 * (uint64_t)get_number(reader, 2) : get_byte(reader));
    }
    skip_to_even(reader);
}

static uint64_t wanted_size(const struct tb_reader *reader, const struct tb_table *table)
{
    uint64_t end = reader->offset;
    for (int part = 0; part < table->parts; part++)
        for (int side = 0; side < table->sides; side++)
            end += 6 * table->packed[part][side].indices + 2 * table->packed[part][side].blocks;
    for (int part = 0; part < table->parts; part++)
        for (int side = 0; side < table->sides; side++)
            end = ((end + 63) & ~UINT64_C(63)) + table->packed[part][side].bytes;
    return ((end + 63) & ~UINT64_C(63)) + CHECKSUM_SIZE;
}

static void describe(struct tb_table *table, enum tb_file_kind kind,
                     const struct tb_material *material)
{
    int white = count_pieces(material, WHITE, PAWN);
    int black = count_pieces(material, BLACK, PAWN);
    bool black_leads = black && (!white || white > black);
    table->material = material;
    table->kind = kind;
    table->pawns[0] = black_leads ? black : white;
    table->pawns[1] = black_leads ? white : black;
    table->parts = table->pawns[0] ? PARTS_MAX : 1;
}

/* NULL, or what is wrong. */
static const char *find_fault(struct tb_reader *reader, struct tb_table *table, uint64_t size)
{
    static const uint32_t magic[] = {0x5d23e871, 0xa50c66d7};
    static const char foreign[] = "is not a table of this name";
    static const char broken[] = "has a broken header";
    if (get_number(reader, 4) != magic[table->kind])
        return foreign;
    table->sides = (get_byte(reader) & 1) && table->kind == TB_FILE_WDL ? 2 : 1;
    for (int part = 0; part < table->parts; part++)
        if (!read_pieces(reader, table))
            return foreign;
    skip_to_even(reader);
    for (int part = 0; part < table->parts; part++)
        for (int side = 0; side < table->sides; side++)
            if (!read_packed(reader, part_placings(table, part), &table->packed[part][side]))
                return broken;
    if (table->kind == TB_FILE_DTZ)
        skip_maps(reader, table);
    if (reader->is_over)
        return "is cut off in its header";
    return size >= wanted_size(reader, table) ? NULL : "is cut off";
}

const char *tb_bytes_fault(enum caxton_status (*read)(void *context, char *buffer, size_t capacity,
                                                      size_t *size),
                           void *context, uint64_t size, enum tb_file_kind kind,
                           const struct tb_material *material)
{
    struct tb_reader reader = {.read = read, .context = context};
    struct tb_table table;
    describe(&table, kind, material);
    return find_fault(&reader, &table, size);
}

static enum caxton_status read_file(void *context, char *buffer, size_t capacity, size_t *size)
{
    return raw_file_read(context, buffer, capacity, size, NULL);
}

enum caxton_status tb_file_check(const char *path, enum tb_file_kind kind,
                                 const struct tb_material *material, struct diag *diag)
{
    struct raw_file file;
    struct diag why;
    enum file_kind what = file_kind_of(path, NULL);
    if (what == FILE_ABSENT)
        return STATUS_NOT_FOUND;
    if (what == FILE_OTHER) /* a pipe would keep us waiting */
        return diag_fail(STATUS_FORMAT, diag, "%s: is a pipe or a device", path);
    if (raw_file_open(path, &file, &why) != STATUS_OK)
        return diag_fail(STATUS_FORMAT, diag, "%s: %s", path, why.text);
    const char *fault = tb_bytes_fault(read_file, &file, file.size, kind, material);
    raw_file_close(&file);
    return fault ? diag_fail(STATUS_FORMAT, diag, "%s: %s", path, fault) : STATUS_OK;
}

/* Which tables there are ---------------------------------------------------------------------- */

/* The strongest pieces again: the first in the order of the names. */
static void fill(uint8_t *pieces, int count)
{
    memset(pieces, QUEEN, (size_t)count);
}

/* The next weaker set of so many pieces; false when all are pawns. */
static bool weaken(uint8_t *pieces, int count)
{
    int i = count - 1;
    while (i >= 0 && pieces[i] == PAWN)
        i--;
    if (i < 0)
        return false;
    memset(pieces + i, pieces[i] - 1, (size_t)(count - i));
    return true;
}

void tb_material_first(struct tb_material *material)
{
    material->count[WHITE] = 1;
    material->count[BLACK] = 0;
    fill(material->pieces[WHITE], 1);
}

bool tb_material_next(struct tb_material *material)
{
    uint8_t(*pieces)[TB_PIECES_MAX - 2] = material->pieces;
    int *count = material->count;
    if (weaken(pieces[BLACK], count[BLACK]))
        return true;
    if (weaken(pieces[WHITE], count[WHITE])) {
        /* With as many pieces White has the stronger set. */
        if (count[WHITE] == count[BLACK])
            memcpy(pieces[BLACK], pieces[WHITE], sizeof pieces[BLACK]);
        else
            fill(pieces[BLACK], count[BLACK]);
        return true;
    }
    if (count[WHITE] - count[BLACK] >= 2) {
        count[WHITE]--;
        count[BLACK]++;
    } else {
        count[WHITE] += count[BLACK] + 1;
        count[BLACK] = 0;
        if (tb_material_pieces(material) > TB_PIECES_MAX)
            return false;
    }
    fill(pieces[WHITE], count[WHITE]);
    fill(pieces[BLACK], count[BLACK]);
    return true;
}

int tb_material_pieces(const struct tb_material *material)
{
    return 2 + material->count[WHITE] + material->count[BLACK];
}

void tb_material_name(const struct tb_material *material, char out[TB_NAME_MAX])
{
    static const char letters[] = "PNBRQ";
    for (int color = WHITE; color <= BLACK; color++) {
        if (color == BLACK)
            *out++ = 'v';
        *out++ = 'K';
        for (int i = 0; i < material->count[color]; i++)
            *out++ = letters[material->pieces[color][i]];
    }
    *out = '\0';
}
