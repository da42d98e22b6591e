#include "engine/commands.h"

#include "base/program.h"
#include "book/open/book_set.h"
#include "chess/eco.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/notation.h"
#include "engine/board.h"
#include "eval/eval_explain.h"
#include "eval/infer.h"
#include "eval/network.h"

enum { TEXT_MAX = 8192 };

static void report_lines(struct output *out, const char *text)
{
    struct span rest = span_of(text);
    struct span line;
    while (span_line(&rest, &line))
        report_line(out, "%.*s", (int)line.size, line.data);
}

/* The last name that the game has passed through, NULL without any. */
static const struct eco *opening(const struct game *game)
{
    const uint64_t *keys = game_keys(game);
    for (size_t ply = game_plies(game) + 1; ply-- > 0;) {
        const struct eco *eco = eco_find(keys[ply]);
        if (eco)
            return eco;
    }
    return NULL;
}

void command_display(struct session *session)
{
    const struct game *game = session_game(session);
    const struct position *pos = game_position(game);
    struct output *out = session_out(session);
    char data[TEXT_MAX];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    size_t plies = game_plies(game);
    board_draw(&text, pos, plies ? game_move(game, plies - 1) : MOVE_NONE, (struct board_style){0});
    report_lines(out, data);

    char fen[FEN_MAX];
    fen_format(pos, fen);
    report_line(out, "FEN:     %s", fen);
    report_line(out, "Key:     %016llx", (unsigned long long)pos->key);
    report_line(out, "Moves:   %d legal, %zu played", movegen_count(pos), plies);
    report_line(out, "State:   %s%s", game_state_name(game_state(game)),
                position_in_check(pos) ? ", check" : "");
    const struct eco *eco = opening(game);
    if (eco)
        report_line(out, "Opening: %s %s", eco->code, eco->name);
}

void command_eval(struct session *session)
{
    char data[TEXT_MAX];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    eval_explain(session_network(session), game_position(session_game(session)), &text);
    report_lines(session_out(session), data);
}

static void report_book_move(struct session *session, const struct book_move *moves, int count,
                             int index)
{
    const struct position *pos = game_position(session_game(session));
    move m = moves[index].move;
    char uci[UCI_MAX];
    char san[SAN_MAX];
    move_to_uci(m, session_style(session).chess960, uci);
    move_to_san(pos, m, san);
    struct position after = *pos;
    position_play(&after, m);
    const struct eco *eco = eco_find(after.key);
    int share = book_share_permille(moves, count, index);
    report_line(session_out(session), "%-5s %-8s %3d.%d%%  weight %-8lu %s%s%s", uci, san,
                share / 10, share % 10, (unsigned long)moves[index].weight, eco ? eco->code : "",
                eco ? " " : "", eco ? eco->name : "");
}

void command_book(struct session *session)
{
    const struct book_set *books = session_books(session);
    struct output *out = session_out(session);
    struct book_move moves[MOVES_MAX];
    const struct book *book = NULL;
    int count = books ? book_set_probe(books, session_game(session), moves, MOVES_MAX, &book) : 0;
    if (!count) {
        report_line(out, "No book knows this position.");
        return;
    }
    report_line(out, "%s, %zu entries:", book_name(book), book_entry_count(book));
    for (int i = 0; i < count; i++)
        report_book_move(session, moves, count, i);
}

#ifdef __AVX2__
#define LEVEL " with AVX2"
#else
#define LEVEL ""
#endif

void command_compiler(struct session *session)
{
    struct output *out = session_out(session);
    report_line(out, "Program:   Caxton %s", program_version);
    report_line(out, "Compiler:  " CAXTON_COMPILER " for " CAXTON_SYSTEM LEVEL);
    report_line(out, "Network:   %s, by %s", session_network(session)->description,
                infer_kind(0)->name);
}
