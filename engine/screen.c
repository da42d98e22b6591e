#include "engine/screen.h"

#include <errno.h>
#include <stdarg.h>

#include "chess/notation.h"

/* CLOCK_ROW: the line of the screen that screen_draw() puts the clocks on. */
enum { SCREEN_MAX = 16384, BAR_CELLS = 24, CLOCK_ROW = 12 };

static void append_clock(struct text_buffer *text, const char *name, int64_t ms)
{
    int64_t tenths = ms > 0 ? ms / 100 : 0;
    text_append(text, "   %s %lld:%02lld.%lld", name, (long long)(tenths / 600),
                (long long)(tenths / 10 % 60), (long long)(tenths % 10));
}

static void append_clocks(struct text_buffer *text, const struct screen_state *state)
{
    append_clock(text, state->names[WHITE], state->clock_ms[WHITE]);
    append_clock(text, state->names[BLACK], state->clock_ms[BLACK]);
}

/* As wide as the board, White's part on the left. */
static void append_bar(struct text_buffer *text, int white_permille, struct board_style style)
{
    int white = (white_permille * BAR_CELLS + 500) / 1000;
    text_append(text, "   ");
    if (style.color)
        text_append(text, "\033[48;5;231m%*s\033[48;5;238m%*s\033[0m", white, "", BAR_CELLS - white,
                    "");
    for (int i = 0; !style.color && i < BAR_CELLS; i++)
        text_append(text, "%s", style.unicode ? (i < white ? "█" : "░") : i < white ? "#" : ".");
    text_append(text, "  White %d %%", (white_permille + 5) / 10);
}

static void append_last_move(struct text_buffer *text, const struct game *game)
{
    size_t plies = game_plies(game);
    if (!plies)
        return;
    struct position before = *game_start(game);
    for (size_t ply = 0; ply + 1 < plies; ply++)
        position_play(&before, game_move(game, ply));
    char san[SAN_MAX];
    move_to_san(&before, game_move(game, plies - 1), san);
    text_append(text, "%u%s %s", (unsigned)before.fullmove, before.turn == WHITE ? "." : "...",
                san);
}

/* Every line is cleared to its end when something older may stand there. */
static void end_line(const struct screen *screen, struct text_buffer *text)
{
    text_append(text, screen->redraw ? "\033[K\n" : "\n");
}

static void put(struct screen *screen, const char *data)
{
    if (fputs(data, screen->out) < 0 || fflush(screen->out) != 0)
        screen->failed = errno;
}

void screen_draw(struct screen *screen, const struct game *game, const struct screen_state *state)
{
    char data[SCREEN_MAX];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    size_t plies = game_plies(game);
    if (screen->redraw) /* the first time the whole screen is cleared */
        text_append(&text, screen->drawn ? "\033[H" : "\033[2J\033[H");
    append_last_move(&text, game);
    text_append(&text, "%s%s", plies ? "   " : "", state->thought);
    end_line(screen, &text);
    board_draw(&text, game_position(game), plies ? game_move(game, plies - 1) : MOVE_NONE,
               screen->style);
    append_bar(&text, state->white_permille, screen->style);
    end_line(screen, &text);
    append_clocks(&text, state);
    end_line(screen, &text);
    text_append(&text, "   %s", state->opening);
    end_line(screen, &text);
    end_line(screen, &text);
    if (screen->redraw) /* what was said below */
        text_append(&text, "\033[J");
    screen->drawn = true;
    put(screen, data);
}

void screen_draw_clocks(struct screen *screen, const struct screen_state *state)
{
    char data[512];
    struct text_buffer text = text_buffer_on(data, sizeof data);
    if (!screen->redraw || !screen->drawn)
        return;
    /* The cursor may stand in what a person is typing: it returns there. */
    text_append(&text, "\0337\033[%d;1H", CLOCK_ROW);
    append_clocks(&text, state);
    text_append(&text, "\033[K\0338");
    put(screen, data);
}

void screen_say(struct screen *screen, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (vfprintf(screen->out, format, args) < 0)
        screen->failed = errno;
    va_end(args);
    put(screen, screen->redraw ? "\033[K\n" : "\n");
}

void screen_ask(struct screen *screen, const char *question)
{
    put(screen, question);
}
