/* makebook verify --giveaways. */
#include "book/makebook/commands/verify.h"

#include "book/graph/blunder_check.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "search/search.h"

static void name_move(void *context, const struct blunder *found)
{
    FILE *report = context;
    char san[SAN_MAX];
    char fen[FEN_MAX];
    move_to_san(&found->pos, found->move, san);
    fen_format(&found->pos, fen);
    (void)fprintf(report, "%s in %s gives %d centipawns away (search: %d)\n", san, fen,
                  found->loss_cp, found->score_cp);
}

enum caxton_status verify_blunders(const struct verify *verify, const struct book_graph *graph)
{
    struct search *search = search_create();
    if (!search)
        return STATUS_NO_MEMORY;
    size_t count = blunder_check(graph, verify->blunder_cp, search, name_move, verify->report);
    (void)fprintf(verify->report, "%12zu  moves that give %d centipawns or more away (a remark)\n",
                  count, verify->blunder_cp);
    search_destroy(search);
    return STATUS_OK;
}
