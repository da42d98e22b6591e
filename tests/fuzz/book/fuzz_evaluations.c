/* Any bytes as lines of evaluations: what is kept is legal, and as deep as it says. */
#include <stdlib.h>

#include "book/scoring/evaluations.h"
#include "chess/attacks.h"
#include "chess/fen.h"
#include "search/score.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct score_store *store)
{
    struct packed_position packed;
    struct search_limit limit;
    struct search_answer answer;
    move legal[MOVES_MAX];
    size_t cursor = 0;
    while (score_store_next_answer(store, &cursor, &packed, &limit, &answer)) {
        struct position pos;
        if (!position_unpack(&packed, &pos) || abs(answer.score) > SCORE_MATE ||
            limit.value != (uint64_t)answer.depth)
            abort();
        int count = movegen_legal(&pos, legal);
        while (count > 0 && legal[count - 1] != answer.best)
            count--;
        if (answer.best != MOVE_NONE && count == 0)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct searcher_identity others = {.name = "fuzz"};
    struct evaluations evaluations = {.most = 1 << 16};
    struct span rest = span_make((const char *)data, size);
    struct span line;
    struct position start;
    chess_init();
    position_start(&start);
    if (score_store_open(NULL, &others, &evaluations.store, NULL) != STATUS_OK ||
        (size % 2 && evaluations_want(&evaluations, start.key) != STATUS_OK))
        abort();
    while (span_line(&rest, &line)) {
        struct diag diag;
        enum caxton_status status = evaluations_read_line(&evaluations, line, &diag);
        if (status == STATUS_NO_MEMORY || status == STATUS_IO)
            abort();
    }
    check(evaluations.store);
    free(evaluations.wanted);
    free(evaluations.table.slots);
    return score_store_close(evaluations.store, NULL) == STATUS_OK ? 0 : 1;
}
