#include "engine/commands.h"

#include "chess/eco.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "chess/notation.h"
#include "engine/board.h"
#include "engine/thinker.h"
#include "eval/eval.h"

enum { TEXT_MAX = 8192 };

static void report_lines(struct report *report, const char *text)
{
    while (*text) {
        size_t size = 0;
        while (text[size] && text[size] != '\n')
            size++;
        report_line(report, "%.*s", (int)size, text);
        text += size + (text[size] == '\n');
    }
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
    struct report *report = session_report(session);
    char data[TEXT_MAX];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    size_t plies = game_plies(game);
    board_draw(&text, pos, plies ? game_move(game, plies - 1) : MOVE_NONE,
               (struct board_style){false, false});
    report_lines(report, data);

    char fen[FEN_MAX];
    fen_format(pos, fen);
    report_line(report, "FEN:     %s", fen);
    report_line(report, "Key:     %016llx", (unsigned long long)pos->key);
    report_line(report, "Moves:   %d legal, %zu played", movegen_count(pos), plies);
    report_line(report, "State:   %s%s", game_state_name(game_state(game)),
                position_in_check(pos) ? ", check" : "");
    const struct eco *eco = opening(game);
    if (eco)
        report_line(report, "Opening: %s %s", eco->code, eco->name);
}

void command_eval(struct session *session)
{
    char data[TEXT_MAX];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    eval_explain(game_position(session_game(session)), &text);
    report_lines(session_report(session), data);
}

void command_book(struct session *session)
{
    (void)session;
}
