#include "book/makebook/commands/show_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/terminal.h"
#include "eval/eval.h"
#include "search/score.h"

enum { SCORE_TEXT_MAX = 16, GAMES_COLUMN_MAX = 80, PERCENT = 100 };

/* "0.31", or "#3" and "#-3": mate in so many moves. */
static const char *score_text(int score, char out[SCORE_TEXT_MAX])
{
    int moves = (SCORE_MATE - abs(score) + 1) / 2;
    if (score_is_mate(score))
        (void)snprintf(out, SCORE_TEXT_MAX, "#%s%d", score < 0 ? "-" : "", moves);
    else
        (void)snprintf(out, SCORE_TEXT_MAX, "%.2f", eval_centipawns(score) / 100.0);
    return out;
}

static bool has_games(const struct book_move_facts *facts)
{
    return facts->wins + facts->draws + facts->losses > 0;
}

/* Does the book have numbers as Arena's, and nothing of a search? */
static bool has_records(const struct show *show)
{
    for (int i = 0; i < show->count; i++)
        if (show->facts.moves[i].has_record)
            return true;
    return false;
}

static bool any_games(const struct show *show)
{
    for (int i = 0; i < show->count; i++)
        if (has_games(&show->facts.moves[i]) || show->facts.moves[i].chosen)
            return true;
    return false;
}

void show_facts_position(const struct show *show)
{
    const struct book_facts *facts = &show->facts;
    if (facts->state)
        (void)printf("%s, %s to move; games reach it with %.4g %%, in %u pl%s\n", facts->state,
                     facts->own ? "the side with the book" : "the opponent",
                     facts->probability * PERCENT, facts->ply, facts->ply == 1 ? "y" : "ies");
}

void show_facts_heads(const struct show *show)
{
    if (has_records(show)) {
        (void)printf(" %10s %10s %10s %8s", "games", "won", "lost", "priority");
        return;
    }
    (void)printf(" %8s %5s %15s %8s", "score", "depth", "nodes", "chance");
    if (any_games(show))
        (void)printf("  %-18s", "games");
}

void show_facts_move(const struct show *show, int i)
{
    const struct book_move_facts *facts = &show->facts.moves[i];
    char score[SCORE_TEXT_MAX];
    char nodes[THOUSANDS_MAX];
    if (has_records(show)) {
        (void)printf(" %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %8d", facts->games, facts->won,
                     facts->lost, facts->priority);
        return;
    }
    if (facts->searched)
        (void)printf(" %8s %5d %15s", score_text(facts->score, score), facts->depth,
                     terminal_thousands(facts->nodes, nodes));
    else
        (void)printf(" %8s %5s %15s", "", "", "");
    if (facts->probability >= 0)
        (void)printf(" %6.2f %%", facts->probability * PERCENT);
    else
        (void)printf(" %8s", "");
    if (!any_games(show))
        return;
    char games[GAMES_COLUMN_MAX] = "";
    if (has_games(facts))
        (void)snprintf(games, sizeof games, "+%" PRIu64 " =%" PRIu64 " -%" PRIu64, facts->wins,
                       facts->draws, facts->losses);
    (void)printf("  %-10s%8s", games, facts->chosen ? " chosen" : "");
}

void show_facts_position_json(struct json *json, const struct show *show)
{
    const struct book_facts *facts = &show->facts;
    char text[32];
    if (!facts->state)
        return;
    json_text(json, "state", facts->state);
    json_literal(json, "own", facts->own ? "true" : "false");
    (void)snprintf(text, sizeof text, "%.9g", facts->probability);
    json_literal(json, "probability", text);
    json_unsigned(json, "ply", facts->ply);
}

void show_facts_move_json(struct json *json, const struct show *show, int i)
{
    const struct book_move_facts *facts = &show->facts.moves[i];
    char text[32];
    if (facts->searched && score_is_mate(facts->score)) {
        json_text(json, "score", score_text(facts->score, text));
    } else if (facts->searched) {
        json_number(json, "score", eval_centipawns(facts->score));
    }
    if (facts->searched) {
        json_number(json, "depth", facts->depth);
        json_unsigned(json, "nodes", facts->nodes);
    }
    if (facts->probability >= 0) {
        (void)snprintf(text, sizeof text, "%.9g", facts->probability);
        json_literal(json, "probability", text);
    }
    if (facts->chosen)
        json_literal(json, "chosen", "true");
    if (facts->has_record) {
        json_unsigned(json, "games", facts->games);
        json_unsigned(json, "won", facts->won);
        json_unsigned(json, "lost", facts->lost);
        json_number(json, "priority", facts->priority);
    }
    if (has_games(facts)) {
        json_unsigned(json, "wins", facts->wins);
        json_unsigned(json, "draws", facts->draws);
        json_unsigned(json, "losses", facts->losses);
    }
}
