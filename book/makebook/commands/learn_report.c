#include "book/makebook/commands/learn_report.h"

#include <stdlib.h>
#include <string.h>

#include "book/makebook/cli/moves.h"
#include "book/makebook/cli/weighing.h"
#include "book/makebook/commands/build_report.h"
#include "chess/notation.h"
#include "search/score.h"

/* " (+0.30)", " (mate in 3)", or nothing. */
static void put_score(FILE *out, int score)
{
    if (score == LEARN_NO_SCORE)
        return;
    int plies = SCORE_MATE - abs(score);
    if (score_is_mate(score))
        (void)fprintf(out, " (%s in %d)", score > 0 ? "mate" : "mated", (plies + 1) / 2);
    else
        (void)fprintf(out, " (%c%d.%02d)", score < 0 ? '-' : '+', abs(score) / 100,
                      abs(score) % 100);
}

static void put_game(FILE *out, const struct learn_line *line)
{
    text_put_safe(out, span_of(line->game->file));
    (void)fprintf(out, ":%llu: game %llu: %s lost", (unsigned long long)line->game->line,
                  (unsigned long long)line->game->number, line->side == WHITE ? "White" : "Black");
    if (line->exit_score != LEARN_NO_SCORE) {
        (void)fprintf(out, ", score out of the book");
        put_score(out, line->exit_score);
    }
    (void)fprintf(out, "\n");
}

static const char *reason(enum learn_kind kind)
{
    static const char *const reasons[LEARN_KINDS] = {
        [LEARN_BETTER] = "better by a search",
        [LEARN_DEVIATED] = "instead: no search explains the loss",
        [LEARN_SILENCED] = "and other moves of the book instead: no search explains the loss",
        [LEARN_LEFT_OUT] = "not played any more: the engine thinks",
        [LEARN_AVOIDED] = "the book does not play this line any more",
        [LEARN_NEVER] = "no move of the game is the book's",
    };
    return reasons[kind];
}

static void put_event(FILE *out, const struct learn_line *line, const struct learn_event *event)
{
    char san[SAN_MAX];
    struct position pos = line->game->start;
    if (event->from == MOVE_NONE) {
        (void)fprintf(out, "  %s\n", reason(event->kind));
        return;
    }
    for (size_t i = 0; i < event->ply; i++)
        position_play(&pos, line->game->moves[i]);
    (void)fprintf(out, "  ");
    moves_print(out, &line->game->start, line->game->moves, event->ply + 1);
    put_score(out, event->from_score);
    if (event->to != MOVE_NONE) {
        move_to_san(&pos, event->to, san);
        (void)fprintf(out, " -> %s", san);
        put_score(out, event->to_score);
    }
    (void)fprintf(out, ": %s\n", reason(event->kind));
}

/* An event, and what it is shown by. */
struct shown {
    const struct learn_event *event;
    const struct learn_line *line;
    size_t number;
};

/* By file, game and side, then as they happened. */
static int compare(const void *a, const void *b)
{
    const struct shown *x = a;
    const struct shown *y = b;
    int order = strcmp(x->line->game->file, y->line->game->file);
    if (order == 0)
        order = (x->line->game->number > y->line->game->number) -
                (x->line->game->number < y->line->game->number);
    if (order == 0)
        order = x->line->side - y->line->side;
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

enum caxton_status learn_report_events(FILE *out, const struct learnt *learnt)
{
    struct shown *shown = calloc(learnt->event_count + 1, sizeof *shown);
    if (!shown)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < learnt->event_count; i++)
        shown[i] = (struct shown){.event = &learnt->events[i],
                                  .line = &learnt->lines[learnt->events[i].line],
                                  .number = i};
    qsort(shown, learnt->event_count, sizeof *shown, compare);
    for (size_t i = 0; i < learnt->event_count; i++) {
        if (i == 0 || shown[i - 1].line != shown[i].line)
            put_game(out, shown[i].line);
        put_event(out, shown[i].line, shown[i].event);
    }
    free(shown);
    return STATUS_OK;
}

void learn_report_counts(FILE *out, const struct learn_games *games, const struct learnt *learnt)
{
    report_count(out, "games read", games->read, "");
    report_part(out, "  left out", games->bad, "bad");
    report_part(out, "  left out", games->unfinished, "without a result");
    report_part(out, "  left out", games->forfeited, "lost on time or by a forfeit");
    report_part(out, "  left out", games->other, "of others, or not standard chess");
    report_part(out, "  left out", games->twice, "equal to another one");
    report_part(out, "known", learnt->known, "sides of games that were learnt before");
    report_count(out, "won", learnt->won, "");
    report_count(out, "drawn", learnt->drawn, "");
    report_count(out, "lost", learnt->lost, "");
    report_part(out, "  surprising", learnt->lost_good, "with a good score out of the book");
    report_part(out, "better moves", learnt->kinds[LEARN_BETTER], "found by searches");
    report_part(out, "other moves", learnt->kinds[LEARN_DEVIATED], "to leave lost lines");
    report_part(out, "silenced", learnt->kinds[LEARN_SILENCED], "where the book has other moves");
    report_part(out, "left to think", learnt->kinds[LEARN_LEFT_OUT], "no other move was as good");
    report_part(out, "avoided", learnt->kinds[LEARN_AVOIDED], "lost lines that were left already");
    report_part(out, "no book", learnt->kinds[LEARN_NEVER],
                "lost games without a move of the book");
    report_part(out, "raised", learnt->raised, "weights of moves that scored");
}

void learn_report_bad(FILE *out, const struct learn_games *games)
{
    for (uint64_t i = 0; i < games->bad && i < BAD_GAMES_SHOWN; i++) {
        build_report_bad_game(out, &games->bad_shown[i]);
        (void)fprintf(out, "\n");
    }
}
