/* Tables read by the library fathom, as Debian 12 packages it. What it does not do is done here:
 *
 * - it maps a file at the first probe, without a lock: tb_open() makes one probe of each;
 * - it trusts files, and ends the program or crashes on a broken one: they are checked first;
 * - a path that ends with a separator makes it read beyond the text: empty folders are left out;
 * - it cannot be freed and used again: its tables are kept until others are opened;
 * - when it lets a table go it says "munmap: .." on standard error, though nothing failed: the same
 *   tables are not opened twice. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <tbprobe.h>

#include "base/rng.h"
#include "chess/fen.h"
#include "search/tb.h"
#include "search/tb_file.h"

enum { MATERIALS = 1511 };

struct tb {
    struct tb_size size;
    bool is_there[MATERIALS]; /* the table that says who wins, in the order of tb_material_next() */
};

/* What the library holds. Its state is global, so this is, too. */
static struct {
    atomic_flag is_open; /* a tablebase is open, and guards the rest */
    char *folders;       /* owned, until others are opened; NULL: none yet */
    struct tb_size size;
} library = {.is_open = ATOMIC_FLAG_INIT};

/* A copy of `folders` without empty ones. NULL: no memory. */
static char *without_empty(const char *folders)
{
    size_t size = strlen(folders);
    char *out = malloc(size + 1);
    size_t length = 0;
    if (!out)
        return NULL;
    for (size_t i = 0; i < size; i++)
        if (folders[i] != TB_FOLDER_SEPARATOR || (length && out[length - 1] != TB_FOLDER_SEPARATOR))
            out[length++] = folders[i];
    while (length && out[length - 1] == TB_FOLDER_SEPARATOR)
        length--;
    out[length] = '\0';
    return out;
}

/* Checks one table in all folders: a damaged copy counts even if another one would be used.
 * STATUS_NOT_FOUND: there is none. */
static enum caxton_status check_table(const char *folders, const struct tb_material *material,
                                      enum tb_file_kind kind, struct diag *diag)
{
    enum { PATH_MAX_BYTES = 4096 };
    enum caxton_status found = STATUS_NOT_FOUND;
    char name[TB_NAME_MAX];
    tb_material_name(material, name);
    for (size_t size; *folders; folders += size + (folders[size] != '\0')) {
        const char *end = strchr(folders, TB_FOLDER_SEPARATOR);
        size = end ? (size_t)(end - folders) : strlen(folders);
        char data[PATH_MAX_BYTES];
        struct text_buffer path = text_buffer_on(data, sizeof data);
        text_append(&path, "%.*s/%s.%s", (int)size, folders, name,
                    kind == TB_FILE_WDL ? "rtbw" : "rtbz");
        enum caxton_status status = tb_file_check(data, kind, material, diag);
        if (status == STATUS_OK)
            found = STATUS_OK;
        else if (status != STATUS_NOT_FOUND)
            return status;
    }
    return found;
}

static enum caxton_status check_tables(const char *folders, struct tb *tb, struct diag *diag)
{
    struct tb_material material;
    tb_material_first(&material);
    int i = 0;
    do {
        enum caxton_status results = check_table(folders, &material, TB_FILE_WDL, diag);
        enum caxton_status distances =
            results == STATUS_OK ? check_table(folders, &material, TB_FILE_DTZ, diag) : results;
        if (distances != STATUS_OK && distances != STATUS_NOT_FOUND)
            return distances;
        tb->is_there[i] = results == STATUS_OK;
        tb->size.results += results == STATUS_OK;
        tb->size.distances += distances == STATUS_OK;
        if (results == STATUS_OK)
            tb->size.pieces_max = tb_material_pieces(&material);
        i++;
    } while (i < MATERIALS && tb_material_next(&material));
    return STATUS_OK;
}

/* A legal position of these pieces where nothing can be captured: such a probe looks into no other
 * table. Searched at random; false when none was found. */
static bool quiet_position(const struct tb_material *material, struct rng *rng,
                           struct position *out)
{
    struct position pos;
    position_clear(&pos);
    for (int color = WHITE; color <= BLACK; color++)
        for (int i = -1; i < material->count[color]; i++) {
            int square;
            do
                square = (int)rng_below(rng, 64);
            while (pos.board[square] != NO_PIECE);
            position_put(&pos, piece_make(color, i < 0 ? KING : material->pieces[color][i]),
                         square);
        }
    char data[FEN_MAX];
    struct text_buffer fen = text_buffer_on(data, sizeof data);
    fen_format_board(&pos, &fen);
    text_append(&fen, " %c - -", rng_below(rng, 2) ? 'w' : 'b');
    if (fen_parse(span_of(data), out, NULL) != STATUS_OK)
        return false;
    move moves[MOVES_MAX];
    for (int count = movegen_legal(out, moves); count-- > 0;)
        if (position_is_capture(out, moves[count]))
            return false;
    return true;
}

/* Lets the library map and set up every table of results. */
static enum caxton_status load_tables(const struct tb *tb, struct diag *diag)
{
    enum { ATTEMPTS = 100000, SEED = 1 };
    struct rng rng;
    rng_seed(&rng, SEED);
    struct tb_material material;
    tb_material_first(&material);
    int i = 0;
    do {
        struct position pos;
        enum tb_wdl result;
        int attempts = ATTEMPTS;
        if (!tb->is_there[i])
            continue;
        while (attempts > 0 && !quiet_position(&material, &rng, &pos))
            attempts--;
        if (attempts == 0 || !tb_find_wdl(tb, &pos, &result)) {
            char name[TB_NAME_MAX];
            tb_material_name(&material, name);
            return diag_fail(STATUS_IO, diag, "the table %s cannot be read", name);
        }
    } while (++i < MATERIALS && tb_material_next(&material));
    return STATUS_OK;
}

static bool library_holds(const char *folders, struct tb_size size)
{
    return library.folders && strcmp(library.folders, folders) == 0 &&
           library.size.results == size.results && library.size.distances == size.distances;
}

static enum caxton_status open_folders(const char *folders, struct tb *tb, struct diag *diag)
{
    enum caxton_status status = check_tables(folders, tb, diag);
    if (status != STATUS_OK || !tb->size.results)
        return status;
    if (!library_holds(folders, tb->size)) {
        char *copy = span_duplicate(span_of(folders));
        if (!copy)
            return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
        free(library.folders);
        library.folders = copy;
        library.size = tb->size;
        (void)tb_init(folders); /* it never fails */
    }
    return load_tables(tb, diag);
}

enum caxton_status tb_open(const char *folders, struct tb **out, struct diag *diag)
{
    if (atomic_flag_test_and_set(&library.is_open))
        return diag_fail(STATUS_RANGE, diag, "this program has tables open already");
    char *clean = without_empty(folders);
    struct tb *tb = calloc(1, sizeof *tb);
    enum caxton_status status = STATUS_NO_MEMORY;
    if (clean && tb)
        status = open_folders(clean, tb, diag);
    else
        diag_set(diag, 0, 0, "out of memory");
    free(clean);
    if (status == STATUS_OK) {
        *out = tb;
    } else {
        free(tb);
        atomic_flag_clear(&library.is_open);
    }
    return status;
}

void tb_close(struct tb *tb)
{
    if (tb)
        atomic_flag_clear(&library.is_open);
    free(tb);
}

struct tb_size tb_size(const struct tb *tb)
{
    return tb->size;
}

static bool is_covered(const struct tb *tb, const struct position *pos)
{
    return !pos->castling && bb_count(position_occupied(pos)) <= tb->size.pieces_max;
}

static unsigned ep_square(const struct position *pos)
{
    return pos->ep == NO_SQUARE ? 0 : pos->ep;
}

bool tb_find_wdl(const struct tb *tb, const struct position *pos, enum tb_wdl *out)
{
    if (!is_covered(tb, pos))
        return false;
    unsigned result =
        tb_probe_wdl(pos->colors[WHITE], pos->colors[BLACK], pos->types[KING], pos->types[QUEEN],
                     pos->types[ROOK], pos->types[BISHOP], pos->types[KNIGHT], pos->types[PAWN], 0,
                     0, ep_square(pos), pos->turn == WHITE);
    if (result == TB_RESULT_FAILED)
        return false;
    *out = (enum tb_wdl)((int)result - TB_DRAW);
    return true;
}

/* The distance with its sign. */
static int distance_of(unsigned result)
{
    int distance = (int)TB_GET_DTZ(result);
    return TB_GET_WDL(result) < TB_DRAW ? -distance : distance;
}

/* One answer for each legal move in answers[0..TB_MAX_MOVES), ended by TB_RESULT_FAILED; may be
 * NULL. */
static unsigned probe_distances(const struct position *pos, unsigned *answers)
{
    return tb_probe_root(pos->colors[WHITE], pos->colors[BLACK], pos->types[KING],
                         pos->types[QUEEN], pos->types[ROOK], pos->types[BISHOP],
                         pos->types[KNIGHT], pos->types[PAWN], 0, 0, ep_square(pos),
                         pos->turn == WHITE, answers);
}

bool tb_find_dtz(const struct tb *tb, const struct position *pos, int *out)
{
    unsigned result = is_covered(tb, pos) ? probe_distances(pos, NULL) : TB_RESULT_FAILED;
    if (result == TB_RESULT_FAILED)
        return false;
    *out = result == TB_RESULT_CHECKMATE   ? -1
           : result == TB_RESULT_STALEMATE ? 0
                                           : distance_of(result);
    return true;
}

static bool is_answer_for(unsigned answer, move m)
{
    static const int promotions[] = {PAWN, QUEEN, ROOK, BISHOP, KNIGHT};
    int promotion = move_kind(m) == MOVE_PROMOTION ? move_promotion(m) : PAWN;
    return (int)TB_GET_FROM(answer) == move_from(m) && (int)TB_GET_TO(answer) == move_to(m) &&
           promotions[TB_GET_PROMOTES(answer)] == promotion;
}

int tb_find_moves(const struct tb *tb, const struct position *pos, struct tb_move out[MOVES_MAX])
{
    unsigned answers[TB_MAX_MOVES];
    if (!is_covered(tb, pos) || probe_distances(pos, answers) == TB_RESULT_FAILED)
        return 0;
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    for (int i = 0; i < count; i++) {
        const unsigned *answer = answers;
        while (*answer != TB_RESULT_FAILED && !is_answer_for(*answer, moves[i]))
            answer++;
        if (*answer == TB_RESULT_FAILED)
            return 0;
        out[i] = (struct tb_move){moves[i], distance_of(*answer)};
    }
    return count;
}
