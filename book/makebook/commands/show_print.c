/* The moves of a position as a table and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/terminal.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/cli/report.h"
#include "book/makebook/commands/show.h"
#include "chess/eco.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "eval/eval.h"
#include "search/score.h"

/* What searches and games say, as a part of makebook show. */

enum { SCORE_TEXT_MAX = 16, FACTS_GAMES_COLUMN_MAX = 80, PERCENT = 100 };

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

/* The same of a move that was searched, with "??" where searches refute it; "" for others. */
static const char *move_score(const struct book_move_facts *facts, char out[SCORE_TEXT_MAX])
{
    char score[SCORE_TEXT_MAX];
    (void)snprintf(out, SCORE_TEXT_MAX, "%.9s%s",
                   facts->searched ? score_text(facts->score, score) : "",
                   facts->refuted ? "??" : "");
    return out;
}

/* Does the book have numbers as Arena's, and nothing of a search? */
static bool has_records(const struct show *show)
{
    for (int i = 0; i < show->facts.count && !show->scores_of; i++)
        if (show->facts.moves[i].has_record)
            return true;
    return false;
}

static bool any_games(const struct show *show)
{
    for (int i = 0; i < show->facts.count; i++)
        if (book_move_games(&show->facts.moves[i]) || show->facts.moves[i].chosen)
            return true;
    return false;
}

/* A line about the position. */
static void show_facts_position(const struct show *show)
{
    const struct book_facts *facts = &show->facts;
    if (facts->state)
        (void)printf("%s, %s to move; games reach it with %.4g %%, in %u pl%s\n", facts->state,
                     facts->own ? "the side with the book" : "the opponent",
                     facts->probability * PERCENT, facts->ply, facts->ply == 1 ? "y" : "ies");
}

/* The heads of the columns, and those of one move. */
static void show_facts_heads(const struct show *show)
{
    if (has_records(show)) {
        (void)printf(" %10s %10s %10s %8s", "games", "won", "lost", "priority");
        return;
    }
    (void)printf(" %8s %5s %15s %8s", "score", "depth", "nodes", "chance");
    if (any_games(show))
        (void)printf("  %-18s", "games");
}

static void show_facts_move(const struct show *show, int i)
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
        (void)printf(" %8s %5d %15s", move_score(facts, score), facts->depth,
                     terminal_thousands(facts->nodes, nodes));
    else
        (void)printf(" %8s %5s %15s", "", "", "");
    if (facts->probability >= 0)
        (void)printf(" %6.2f %%", facts->probability * PERCENT);
    else
        (void)printf(" %8s", "");
    if (!any_games(show))
        return;
    char games[FACTS_GAMES_COLUMN_MAX] = "";
    if (book_move_games(facts))
        (void)snprintf(games, sizeof games, "+%" PRIu64 " =%" PRIu64 " -%" PRIu64, facts->wins,
                       facts->draws, facts->losses);
    (void)printf("  %-10s%8s", games, facts->chosen ? " chosen" : "");
}

static void show_facts_position_json(struct json *json, const struct show *show)
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

static void put_score_json(struct json *json, const struct book_move_facts *facts)
{
    char text[SCORE_TEXT_MAX];
    if (!facts->searched)
        return;
    if (score_is_mate(facts->score))
        json_text(json, "score", score_text(facts->score, text));
    else
        json_number(json, "score", eval_centipawns(facts->score));
    json_number(json, "depth", facts->depth);
    json_unsigned(json, "nodes", facts->nodes);
    if (facts->refuted)
        json_literal(json, "refuted", "true");
}

static void show_facts_move_json(struct json *json, const struct show *show, int i)
{
    const struct book_move_facts *facts = &show->facts.moves[i];
    char text[32];
    put_score_json(json, facts);
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
    if (book_move_games(facts)) {
        json_unsigned(json, "wins", facts->wins);
        json_unsigned(json, "draws", facts->draws);
        json_unsigned(json, "losses", facts->losses);
    }
}

enum { BAR_CELLS = 20, GAMES_COLUMN_MAX = 56 };

static const struct eco *name_after(const struct position *pos, move m)
{
    struct position after = *pos;
    position_play(&after, m);
    return eco_find(after.key);
}

/* Of the games in statistics, of the weight in a book. */
static int share_permille(const struct show *show, int i)
{
    const struct book_facts *facts = &show->facts;
    uint64_t sum = 0;
    uint64_t part = 0;
    for (int k = 0; k < facts->count; k++) {
        uint64_t one = show->counts ? book_move_games(&facts->moves[k]) : facts->moves[k].weight;
        sum += one;
        part = k == i ? one : part;
    }
    return terminal_permille(part, sum);
}

/* Is anything known of the players or the dates? */
static bool has_facets(const struct show *show)
{
    for (int i = 0; i < show->facts.count; i++)
        if (show->facts.moves[i].rated || show->facts.moves[i].last_month)
            return true;
    return false;
}

static void print_facets(const struct book_move_facts *facts)
{
    char first[MONTH_TEXT_MAX];
    char last[MONTH_TEXT_MAX];
    char ratings[2][MONTH_TEXT_MAX] = {"", ""};
    for (int side = 0; side < 2 && facts->rated; side++)
        (void)snprintf(ratings[side], MONTH_TEXT_MAX, "%" PRIu64, book_move_rating(facts, side));
    (void)printf(" %7s %8s %8s %8s", ratings[0], ratings[1], month_text(facts->first_month, first),
                 month_text(facts->last_month, last));
}

/* The share of the points, (2w + d) / 2n. */
static int score_permille(const struct book_move_facts *facts)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t games = book_move_games(facts);
    return (int)(((wide)book_move_points(facts) * 1000 + games) / 2 / games);
}

/* Tables ------------------------------------------------------------------------------------- */

/* Appends a number of games with commas between the thousands. */
static void append_games(struct text_buffer *text, uint64_t games, uint64_t unit)
{
    enum { DECIMALS = 2 };
    char plain[GAMES_TEXT_MAX];
    char whole[THOUSANDS_MAX];
    ageing_games_text(games, unit, DECIMALS, plain);
    int64_t number = 0;
    size_t size = strcspn(plain, ".");
    if (span_to_int(span_make(plain, size), 0, INT64_MAX, &number) != STATUS_OK)
        return;
    text_append(text, "%s%s", terminal_thousands((uint64_t)number, whole), plain + size);
}

/* How the games ended, in cells of three kinds. */
static void print_results_bar(const struct book_move_facts *facts, enum terminal_bars bars)
{
    static const char *const signs[2][3] = {{"#", "=", "."},
                                            {"\xE2\x96\x88", "\xE2\x96\x92", "\xE2\x96\x91"}};
    const uint64_t counts[] = {facts->wins, facts->draws, facts->losses};
    uint64_t games = book_move_games(facts);
    uint64_t before = 0;
    if (bars == BARS_NONE)
        return;
    (void)printf("  ");
    for (int outcome = 0; outcome < 3; outcome++) {
        uint64_t behind = before + counts[outcome];
        int first = (terminal_permille(before, games) * BAR_CELLS + 500) / 1000;
        int end = (terminal_permille(behind, games) * BAR_CELLS + 500) / 1000;
        for (int cell = first; cell < end; cell++)
            (void)printf("%s", signs[bars == BARS_BLOCKS][outcome]);
        before = behind;
    }
}

static void print_share_bar(int permille, enum terminal_bars bars)
{
    char bar[BAR_TEXT_MAX];
    if (bars == BARS_NONE)
        return;
    terminal_bar(bars, (uint64_t)permille, 1000, BAR_CELLS, bar);
    /* All bars get the same width: a cell is one character, of one byte or three. */
    int cells = (int)strlen(bar) / (bars == BARS_BLOCKS ? 3 : 1);
    (void)printf("  %s%*s", bar, BAR_CELLS - cells, "");
}

static void print_opening(const struct eco *eco)
{
    if (eco)
        (void)printf("  %s %s", eco->code, eco->name);
    (void)putchar('\n');
}

static void print_percent(int permille)
{
    (void)printf(" %4d.%d%%", permille / 10, permille % 10);
}

static void print_statistics(const struct show *show, enum terminal_bars bars)
{
    char games[MOVES_MAX][GAMES_COLUMN_MAX];
    char san[SAN_MAX];
    char search[SCORE_TEXT_MAX];
    int width = (int)sizeof "games" - 1;
    for (int i = 0; i < show->facts.count; i++) {
        struct text_buffer text = text_buffer_on(games[i], GAMES_COLUMN_MAX);
        append_games(&text, book_move_games(&show->facts.moves[i]), show->facts.unit);
        width = (int)text.size > width ? (int)text.size : width;
    }
    bool facets = has_facets(show);
    (void)printf("%-8s %*s %7s  %7s %7s %7s %7s", "move", width, "games", "share", "win", "draw",
                 "loss", "score");
    if (show->scores_of)
        (void)printf(" %9s %5s", "search", "depth");
    if (facets)
        (void)printf(" %7s %8s %8s %8s", "rating", "opponent", "first", "last");
    (void)printf("%*s  opening\n", bars ? BAR_CELLS + 2 : 0, "");
    for (int i = 0; i < show->facts.count; i++) {
        const struct book_move_facts *facts = &show->facts.moves[i];
        uint64_t all = book_move_games(facts);
        move_to_san(&show->pos, facts->move, san);
        (void)printf("%-8s %*s", san, width, games[i]);
        print_percent(share_permille(show, i));
        (void)putchar(' ');
        print_percent(terminal_permille(facts->wins, all));
        print_percent(terminal_permille(facts->draws, all));
        print_percent(terminal_permille(facts->losses, all));
        print_percent(score_permille(facts));
        if (show->scores_of)
            (void)printf(" %9s %5.0d", move_score(facts, search), facts->depth);
        if (facets)
            print_facets(facts);
        print_results_bar(facts, bars);
        print_opening(name_after(&show->pos, facts->move));
    }
}

static void print_weights(const struct show *show, enum terminal_bars bars)
{
    (void)printf("%-8s %10s %8s%*s", "move", "weight", "share", bars ? BAR_CELLS + 2 : 0, "");
    if (show->has_facts)
        show_facts_heads(show);
    (void)printf("  opening\n");
    for (int i = 0; i < show->facts.count; i++) {
        char san[SAN_MAX];
        int share = share_permille(show, i);
        move_to_san(&show->pos, show->facts.moves[i].move, san);
        (void)printf("%-8s %10u %6d.%d%%", san, (unsigned)show->facts.moves[i].weight, share / 10,
                     share % 10);
        print_share_bar(share, bars);
        if (show->has_facts)
            show_facts_move(show, i);
        print_opening(name_after(&show->pos, show->facts.moves[i].move));
    }
}

void show_print(const struct show *show)
{
    char fen[FEN_MAX];
    char text[THOUSANDS_MAX];
    const struct eco *eco = eco_find(show->pos.key);
    enum terminal_bars bars = terminal_bars_of(stdout);
    fen_format(&show->pos, fen);
    if (eco)
        (void)printf("%s %s\n", eco->code, eco->name);
    (void)printf("%s\nkey %016llx, %d move%s in %s%s\n", fen, (unsigned long long)show->pos.key,
                 show->facts.count, show->facts.count == 1 ? "" : "s", text_safe(show->name).text,
                 show->counts && show->counts->mirrored ? ", of both colours" : "");
    if (show->has_leaves)
        (void)printf("leaves %s: moves that end lines from here\n",
                     terminal_thousands(show->leaves, text));
    if (show->has_facts)
        show_facts_position(show);
    if (show->scores_of)
        (void)printf("scores of %s\n", text_safe(show->scores_of).text);
    (void)putchar('\n');
    if (show->counts)
        print_statistics(show, bars);
    else
        print_weights(show, bars);
    if (show->has_where)
        where_print(&show->where);
    else
        show_samples_print(&show->samples, show->wanted);
}

/* JSON --------------------------------------------------------------------------------------- */

static void put_opening(struct json *json, const struct eco *eco)
{
    json_text(json, "eco", eco ? eco->code : NULL);
    json_text(json, "opening", eco ? eco->name : NULL);
}

static void put_games(struct json *json, const char *name, uint64_t count, uint64_t unit)
{
    enum { DECIMALS = 5 }; /* so that no count but 0 is 0 */
    char text[GAMES_TEXT_MAX];
    json_literal(json, name, ageing_games_text(count, unit, DECIMALS, text));
}

static void put_numbers(struct json *json, const struct show *show, int i)
{
    const struct book_move_facts *facts = &show->facts.moves[i];
    uint64_t unit = show->facts.unit;
    if (!show->counts) {
        json_unsigned(json, "weight", facts->weight);
        json_number(json, "share_permille", share_permille(show, i));
        json_unsigned(json, "learn", facts->learn);
        if (show->has_facts)
            show_facts_move_json(json, show, i);
        return;
    }
    put_games(json, "games", book_move_games(facts), unit);
    put_games(json, "wins", facts->wins, unit);
    put_games(json, "draws", facts->draws, unit);
    put_games(json, "losses", facts->losses, unit);
    json_number(json, "share_permille", share_permille(show, i));
    json_number(json, "score_permille", score_permille(facts));
    put_score_json(json, facts);
    if (facts->rated) {
        json_unsigned(json, "rating", book_move_rating(facts, 0));
        json_unsigned(json, "opponent_rating", book_move_rating(facts, 1));
    }
    if (facts->last_month) {
        char month[MONTH_TEXT_MAX];
        json_text(json, "first", month_text(facts->first_month, month));
        json_text(json, "last", month_text(facts->last_month, month));
    }
}

static void put_move(struct json *json, const struct show *show, int i)
{
    char san[SAN_MAX];
    char uci[UCI_MAX];
    move m = show->facts.moves[i].move;
    move_to_san(&show->pos, m, san);
    move_to_uci(m, fen_is_chess960(&show->pos), uci);
    json_line(json);
    json_object(json, NULL);
    json_text(json, "san", san);
    json_text(json, "uci", uci);
    put_numbers(json, show, i);
    put_opening(json, name_after(&show->pos, m));
    json_end(json);
}

void show_print_json(const struct show *show)
{
    char fen[FEN_MAX];
    char key[17];
    struct json json = json_start(stdout);
    fen_format(&show->pos, fen);
    (void)snprintf(key, sizeof key, "%016llx", (unsigned long long)show->pos.key);
    json_object(&json, NULL);
    json_text(&json, "book", show->name);
    json_text(&json, "fen", fen);
    json_text(&json, "key", key);
    if (show->counts && show->counts->mirrored)
        json_literal(&json, "mirrored", "true");
    if (show->has_leaves)
        json_unsigned(&json, "leaves", show->leaves);
    if (show->has_facts)
        show_facts_position_json(&json, show);
    put_opening(&json, eco_find(show->pos.key));
    if (show->scores_of)
        json_text(&json, "scores_of", show->scores_of);
    json_array(&json, "moves");
    for (int i = 0; i < show->facts.count; i++)
        put_move(&json, show, i);
    if (show->facts.count)
        json_line(&json);
    json_end(&json);
    if (show->has_where)
        where_print_json(&json, &show->where);
    if (show->samples.file)
        show_samples_print_json(&json, &show->samples, show->wanted);
    json_end(&json);
    (void)putchar('\n');
}

/* Expected scores ---------------------------------------------------------------------------- */

/* A share of one as a percent. */
static void put_expected(struct report *to, const char *name, int width, double share)
{
    json_decimal(&to->json, name, share * PERCENT, 6);
    report_say(to, " %*.1f %%", width, share * PERCENT);
}

static void put_expected_move(const struct show *show, const struct expected_graph *graph,
                              struct report *to, uint32_t edge, double share)
{
    char san[SAN_MAX];
    const struct expected *expected = &graph->moves[edge];
    const struct expected *games = &graph->games[edge];
    move m = graph->graph.edges[edge].move;
    const struct eco *eco = name_after(&show->pos, m);
    move_to_san(&show->pos, m, san);
    json_line(&to->json);
    json_object(&to->json, NULL);
    json_text(&to->json, "san", san);
    report_say(to, "%-8s", san);
    put_expected(to, "share", 6, share);
    put_expected(to, "expected", 8, expected->score);
    put_expected(to, "at_least", 8, expected_at_least(*expected));
    json_decimal(&to->json, "worth", expected->games, 6);
    json_decimal(&to->json, "games", games->games, 2);
    report_say(to, " %10.0f %10.0f", expected->games, games->games);
    if (games->games > 0)
        put_expected(to, "score", 5, games->score);
    else
        report_say(to, " %7s", "");
    put_opening(&to->json, eco);
    report_say(to, "  %s %s\n", eco ? eco->code : "", eco ? eco->name : "");
    json_end(&to->json);
}

bool show_print_expected(const struct show *show, const struct expecting *expecting, bool as_json)
{
    const struct expected_graph *graph = &expecting->graph;
    uint32_t at = book_graph_find(&graph->graph, show->pos.key);
    const struct book_node *node = at == BOOK_GRAPH_NONE ? NULL : &graph->graph.nodes[at];
    if (!node || node->count == 0)
        return false;
    struct report to = report_begin(stdout, as_json);
    const struct eco *eco = eco_find(show->pos.key);
    const struct expected *expected = &graph->nodes[at];
    char fen[FEN_MAX];
    double sum = 0;
    for (uint32_t e = node->first; e < node->first + node->count; e++)
        sum += graph->graph.edges[e].weight;
    fen_format(&show->pos, fen);
    json_object(&to.json, NULL);
    json_text(&to.json, "book", show->name);
    json_text(&to.json, "replies", expecting->database.name);
    json_text(&to.json, "fen", fen);
    json_text(&to.json, "color", graph->own == WHITE ? "white" : "black");
    put_opening(&to.json, eco);
    report_say(&to, "%s%s%s%s%s\n", eco ? eco->code : "", eco ? " " : "", eco ? eco->name : "",
               eco ? "\n" : "", fen);
    report_say(&to, "expected score of %s with %s", graph->own == WHITE ? "White" : "Black",
               text_safe(show->name).text);
    report_say(&to, " against %s:", text_safe(expecting->database.name).text);
    put_expected(&to, "expected", 0, expected->score);
    report_say(&to, ", at least");
    put_expected(&to, "at_least", 0, expected_at_least(*expected));
    json_decimal(&to.json, "worth", expected->games, 6);
    report_say(&to, ", as of %.0f games\n\n%-8s %8s %10s %10s %10s %10s %7s  opening\n",
               expected->games, "move", "share", "expected", "at least", "as of", "games", "score");
    json_array(&to.json, "moves");
    for (uint32_t e = node->first; e < node->first + node->count; e++)
        put_expected_move(show, graph, &to, e, graph->graph.edges[e].weight / sum);
    json_end(&to.json);
    json_end(&to.json);
    if (as_json)
        (void)putchar('\n');
    return true;
}
