/* The moves of a position as a table and as JSON. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/terminal.h"
#include "book/book_move.h"
#include "book/makebook/cli/ageing.h"
#include "book/makebook/commands/show.h"
#include "book/makebook/commands/show_facts.h"
#include "chess/eco.h"
#include "chess/fen.h"
#include "chess/notation.h"

enum { BAR_CELLS = 20, GAMES_COLUMN_MAX = 56 };

static const struct eco *name_after(const struct position *pos, move m)
{
    struct position after = *pos;
    position_play(&after, m);
    return eco_find(after.key);
}

static uint64_t all_games(const struct show *show)
{
    uint64_t sum = 0;
    for (int i = 0; i < show->count; i++)
        sum += tally_games(&show->tallies[i]);
    return sum;
}

/* Of the games in statistics, of the weight in a book. */
static int share_permille(const struct show *show, int i)
{
    if (!show->counts)
        return book_share_permille(show->moves, show->count, i);
    return terminal_permille(tally_games(&show->tallies[i]), all_games(show));
}

/* The share of the points, (2w + d) / 2n. */
static int score_permille(const struct tally *tally)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t games = tally_games(tally);
    wide points = (wide)2 * tally->counts[OUTCOME_WIN] + tally->counts[OUTCOME_DRAW];
    return (int)((points * 1000 + games) / 2 / games);
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
static void print_results_bar(const struct tally *tally, enum terminal_bars bars)
{
    static const char *const signs[2][OUTCOMES] = {
        {"#", "=", "."}, {"\xE2\x96\x88", "\xE2\x96\x92", "\xE2\x96\x91"}};
    uint64_t games = tally_games(tally);
    uint64_t before = 0;
    if (bars == BARS_NONE)
        return;
    (void)printf("  ");
    for (int outcome = 0; outcome < OUTCOMES; outcome++) {
        uint64_t behind = before + tally->counts[outcome];
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
    int width = (int)sizeof "games" - 1;
    for (int i = 0; i < show->count; i++) {
        struct text_buffer text = text_buffer_on(games[i], GAMES_COLUMN_MAX);
        append_games(&text, tally_games(&show->tallies[i]), show->unit);
        width = (int)text.size > width ? (int)text.size : width;
    }
    (void)printf("%-8s %*s %7s  %7s %7s %7s %7s%*s  opening\n", "move", width, "games", "share",
                 "win", "draw", "loss", "score", bars ? BAR_CELLS + 2 : 0, "");
    for (int i = 0; i < show->count; i++) {
        const struct tally *tally = &show->tallies[i];
        move_to_san(&show->pos, show->moves[i].move, san);
        (void)printf("%-8s %*s", san, width, games[i]);
        print_percent(share_permille(show, i));
        (void)putchar(' ');
        for (int outcome = 0; outcome < OUTCOMES; outcome++)
            print_percent(terminal_permille(tally->counts[outcome], tally_games(tally)));
        print_percent(score_permille(tally));
        print_results_bar(tally, bars);
        print_opening(name_after(&show->pos, show->moves[i].move));
    }
}

static void print_weights(const struct show *show, enum terminal_bars bars)
{
    (void)printf("%-8s %10s %8s%*s", "move", "weight", "share", bars ? BAR_CELLS + 2 : 0, "");
    if (show->has_facts)
        show_facts_heads(show);
    (void)printf("  opening\n");
    for (int i = 0; i < show->count; i++) {
        char san[SAN_MAX];
        int share = share_permille(show, i);
        move_to_san(&show->pos, show->moves[i].move, san);
        (void)printf("%-8s %10u %6d.%d%%", san, (unsigned)show->moves[i].weight, share / 10,
                     share % 10);
        print_share_bar(share, bars);
        if (show->has_facts)
            show_facts_move(show, i);
        print_opening(name_after(&show->pos, show->moves[i].move));
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
                 show->count, show->count == 1 ? "" : "s", text_safe(show->name).text,
                 show->mirrored ? ", of both colours" : "");
    if (show->has_leaves)
        (void)printf("leaves %s: moves that end lines from here\n",
                     terminal_thousands(show->leaves, text));
    if (show->has_facts)
        show_facts_position(show);
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
    const struct tally *tally = &show->tallies[i];
    if (!show->counts) {
        json_unsigned(json, "weight", show->moves[i].weight);
        json_number(json, "share_permille", share_permille(show, i));
        json_unsigned(json, "learn", show->moves[i].learn);
        if (show->has_facts)
            show_facts_move_json(json, show, i);
        return;
    }
    put_games(json, "games", tally_games(tally), show->unit);
    put_games(json, "wins", tally->counts[OUTCOME_WIN], show->unit);
    put_games(json, "draws", tally->counts[OUTCOME_DRAW], show->unit);
    put_games(json, "losses", tally->counts[OUTCOME_LOSS], show->unit);
    json_number(json, "share_permille", share_permille(show, i));
    json_number(json, "score_permille", score_permille(tally));
}

static void put_move(struct json *json, const struct show *show, int i)
{
    char san[SAN_MAX];
    char uci[UCI_MAX];
    move m = show->moves[i].move;
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
    if (show->mirrored)
        json_literal(&json, "mirrored", "true");
    if (show->has_leaves)
        json_unsigned(&json, "leaves", show->leaves);
    if (show->has_facts)
        show_facts_position_json(&json, show);
    put_opening(&json, eco_find(show->pos.key));
    json_array(&json, "moves");
    for (int i = 0; i < show->count; i++)
        put_move(&json, show, i);
    if (show->count)
        json_line(&json);
    json_end(&json);
    if (show->has_where)
        where_print_json(&json, &show->where);
    if (show->samples.file)
        show_samples_print_json(&json, &show->samples, show->wanted);
    json_end(&json);
    (void)putchar('\n');
}
