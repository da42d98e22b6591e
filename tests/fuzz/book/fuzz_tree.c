/* Any bytes as a tree: refused, or every move it gives is legal, by lines and by positions, and it
 * can be written again with all its moves. The first byte chooses how. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "book/book.h"
#include "book/book_move.h"
#include "book/formats/thompson/tree_book.h"
#include "book/formats/thompson/tree_format.h"
#include "chess/attacks.h"
#include "tests/support/tree_writing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition))                                                                          \
            abort();                                                                               \
    } while (0)

static void take_fault(void *context, enum book_fault fault, const struct diag *diag,
                       const char *offer)
{
    (void)offer;
    size_t *count = context;
    REQUIRE((int)fault >= 0 && fault < BOOK_FAULTS && *diag->text);
    ++*count;
}

/* A game along the first, or another, choice. */
static void play(const struct book *book, uint8_t which)
{
    struct game *game = game_create();
    REQUIRE(game);
    for (int ply = 0; ply < 24; ply++) {
        struct book_move moves[MOVES_MAX];
        int count = book_probe_game(book, game, moves, MOVES_MAX);
        for (int i = 0; i < count; i++)
            REQUIRE(movegen_is_legal(game_position(game), moves[i].move));
        if (count == 0 || game_play(game, moves[which % count].move) != STATUS_OK)
            break;
    }
    game_destroy(game);
}

/* Writes the book and reads it again: the same number of moves, no fault. */
static void write_again(const struct book *book, const struct tree_options *options)
{
    struct book_graph before = {0};
    struct book_graph after = {0};
    char *bytes = NULL;
    size_t size = 0;
    size_t faults = 0;
    struct book *again = NULL;
    struct diag diag;
    FILE *file = open_memstream(&bytes, &size);
    REQUIRE(file);
    enum caxton_status status = tree_write_with(book, options, file, &diag);
    REQUIRE(fclose(file) == 0);
    if (status == STATUS_OK) {
        const uint8_t *written = (const uint8_t *)bytes;
        REQUIRE(tree_format.check(&tree_format, written, size, NULL, take_fault, &faults) ==
                    STATUS_OK &&
                !faults);
        REQUIRE(book_create(&tree_format, written, NULL, size, "again", &again, &diag) ==
                STATUS_OK);
        REQUIRE(book_graph_create(book, NULL, &before, &diag) == STATUS_OK);
        REQUIRE(book_graph_create(again, NULL, &after, &diag) == STATUS_OK);
        REQUIRE(before.edge_count == after.edge_count && before.known == after.known);
        book_graph_destroy(&before);
        book_graph_destroy(&after);
        book_close(again);
    } else {
        REQUIRE(status == STATUS_ILLEGAL);
    }
    free(bytes);
}

/* The bytes as packed weights of a body that is sound: the header is made to fit. */
static uint8_t *with_header(const uint8_t *body, size_t size, size_t packed, uint8_t kind)
{
    uint8_t *file = calloc(TREE_HEADER_SIZE + size, 1);
    const struct tree_header header = {.packed = (enum tree_weights)(kind % 3),
                                       .body_size = (uint32_t)(size - packed),
                                       .packed_size = (uint32_t)packed};
    REQUIRE(file);
    memcpy(file + TREE_HEADER_SIZE, body, size);
    tree_header_write(&header, body, file);
    return file;
}

static void try_file(const uint8_t *bytes, size_t size, uint8_t how)
{
    size_t faults = 0;
    struct book *book = NULL;
    struct diag diag = {.text = ""};
    bool pure = tree_format.recognises(bytes, size) && !tree_has_header(bytes, size);
    REQUIRE(tree_format.check(&tree_format, bytes, size, NULL, take_fault, &faults) == STATUS_OK);
    if (book_create(&tree_format, bytes, NULL, size, "fuzz", &book, &diag) != STATUS_OK) {
        REQUIRE(*diag.text && faults == 1 && !pure);
        return;
    }
    const struct tree_options options = {.weights = (enum tree_weights)((how & 3) % 3),
                                         .jumps = how >> 2 & 1,
                                         .non_book_moves = true,
                                         .styles = how & 16};
    play(book, how >> 5);
    write_again(book, &options);
    book_close(book);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    chess_init();
    if (size < 2)
        return 0;
    try_file(data + 1, size - 1, data[0]);
    size_t packed = data[1] % (size - 1);
    uint8_t *file = with_header(data + 1, size - 1, packed, data[0] >> 1);
    try_file(file, TREE_HEADER_SIZE + size - 1, data[0]);
    free(file);
    return 0;
}
