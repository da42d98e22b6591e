#include <stdarg.h>

#include "chess/fen.h"
#include "chess/notation.h"
#include "engine/play_internal.h"

/* QUOTE_SIZE: a message with a word of it stays within 80 columns. */
enum { TICK_MS = 1000, QUOTE_SIZE = 16 };

static void say(struct play *play, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct play *play, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(play->message, sizeof play->message, format, args);
    va_end(args);
}

/* Commands --------------------------------------------------------------------------------- */

/* Each is given the words after its name, and says whether the turn is over. */

static bool give_hint(struct play *play, struct span rest)
{
    (void)rest;
    struct match_record record;
    char san[SAN_MAX];
    match_advise(&play->match, clock_ms() - play->turn_ms, &record);
    if (record.move == MOVE_NONE) /* interrupted */
        return false;
    move_to_san(game_position(play->match.game), record.move, san);
    struct text_buffer text = text_buffer_on(play->message, sizeof play->message);
    text_append(&text, "Caxton would play %s", san);
    if (record.from_book) {
        text_append(&text, ", a book move.");
    } else {
        text_append(&text, " (");
        match_append_score(&text, record.score);
        text_append(&text, " for you, depth %d).", record.depth);
    }
    return false;
}

static bool take_back(struct play *play, struct span rest)
{
    (void)rest;
    if (game_plies(play->match.game) < 2 || !match_take_back(&play->match) ||
        !match_take_back(&play->match)) {
        say(play, "There is no move of yours to take back.");
        return false;
    }
    play->shown.thought[0] = '\0';
    play_show(play);
    say(play, "Your last move and the answer to it are taken back.");
    return true;
}

static bool set_level(struct play *play, struct span rest)
{
    int64_t elo;
    struct span word = span_token(&rest);
    if (span_equal_nocase(word, "full")) {
        play->options.limit_strength = false;
    } else if (span_to_int(word, ELO_MIN, ELO_MAX, &elo) == STATUS_OK) {
        play->options.limit_strength = true;
        play->options.elo = (int)elo;
    } else {
        say(play, "level wants a number of Elo, %d to %d, or full.", ELO_MIN, ELO_MAX);
        return false;
    }
    play_name_sides(play);
    if (play->options.limit_strength)
        say(play, "Caxton plays at about %d Elo from now on.", play->options.elo);
    else
        say(play, "Caxton plays at full strength from now on.");
    return false;
}

static bool switch_sides(struct play *play, struct span rest)
{
    (void)rest;
    play->person = !play->person;
    play_name_sides(play);
    return true;
}

static bool watch(struct play *play, struct span rest)
{
    (void)rest;
    play->person = PLAY_NOBODY;
    play_name_sides(play);
    return true;
}

static bool show_board(struct play *play, struct span rest)
{
    (void)rest;
    play_show(play);
    return false;
}

static bool show_fen(struct play *play, struct span rest)
{
    (void)rest;
    char fen[FEN_MAX];
    fen_format(game_position(play->match.game), fen);
    say(play, "%s", fen);
    return false;
}

static bool resign(struct play *play, struct span rest)
{
    (void)rest;
    play->match.end = MATCH_RESIGNED;
    return true;
}

static bool quit(struct play *play, struct span rest)
{
    (void)rest;
    play->match.end = MATCH_LEFT;
    return true;
}

/* With the position it fits on a terminal of 24 lines. */
static const char help[] = "hint          what Caxton would play for you\n"
                           "back          take back your last move\n"
                           "level 1500    how strong Caxton plays, in Elo; or level full\n"
                           "switch        change sides: Caxton moves for you now\n"
                           "watch         let Caxton play both sides from here on\n"
                           "board, fen    show the board again; the position as FEN\n"
                           "resign, quit  give up; leave. The game is saved\n"
                           "A move is typed as e4, exd5, Nf3, O-O, e8=Q or g1f3.";

static bool give_help(struct play *play, struct span rest)
{
    (void)rest;
    say(play, "%s", help);
    return false;
}

static const struct command {
    const char *name;
    bool (*run)(struct play *play, struct span rest);
} commands[] = {
    {"hint", give_hint},      {"back", take_back}, {"undo", take_back},   {"level", set_level},
    {"switch", switch_sides}, {"watch", watch},    {"board", show_board}, {"fen", show_fen},
    {"resign", resign},       {"quit", quit},      {"exit", quit},        {"help", give_help},
    {"?", give_help},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

/* Moves ------------------------------------------------------------------------------------ */

/* As much of it as fits on the line of a fault, without what a terminal would obey. */
static const char *quote(struct span text, char out[QUOTE_SIZE])
{
    text_copy(out, QUOTE_SIZE, text);
    for (char *c = out; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
            *c = '?';
    return out;
}

/* False, and said why, when the line is no move. */
static bool read_move(struct play *play, struct span line, move *out)
{
    const struct position *pos = game_position(play->match.game);
    char quoted[QUOTE_SIZE];
    struct span text = span_trim(span_from(line, move_number_size(line)));
    enum caxton_status status = move_from_text(pos, text, out);
    if (status == STATUS_OK)
        return true;
    (void)quote(line, quoted);
    if (status == STATUS_AMBIGUOUS)
        say(play, "%s: several pieces can do that; name the square it comes from, as in Nbd2.",
            quoted);
    else if (status == STATUS_ILLEGAL)
        say(play, "%s is not legal here%s.", quoted,
            position_in_check(pos) ? ": the king is in check" : "");
    else
        say(play, "%s is neither a move nor a command; try e4, Nf3, g1f3 or help.", quoted);
    return false;
}

/* A line of the person; says whether the turn is over. *record: a move, or MOVE_NONE. */
static bool obey(struct play *play, struct span line, struct match_record *record)
{
    struct span rest = line;
    struct span word = span_token(&rest);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (span_equal_nocase(word, commands[i].name))
            return commands[i].run(play, rest);
    return read_move(play, line, &record->move);
}

/* The turn ----------------------------------------------------------------------------------- */

/* The message is shown once. On a terminal it replaces the one before. */
static void prompt(struct play *play)
{
    if (play->screen.redraw)
        play_show(play);
    if (*play->message)
        screen_say(&play->screen, "%s", play->message);
    play->message[0] = '\0';
    screen_ask(&play->screen, play->is_echoed ? "Your move: " : "Your move:\n");
}

static void show_clock(struct play *play, int64_t spent_ms)
{
    struct screen_state shown = play->shown;
    shown.clock_ms[play->person] = match_clock_after(&play->match, spent_ms);
    screen_draw_clocks(&play->screen, &shown);
}

/* Waits for a line while the clock runs; false when the match ends instead. */
static bool next_line(struct play *play, struct span *line)
{
    bool is_timed = play->control.base_ms > 0;
    int64_t end_ms = play->turn_ms + play->match.clock_ms[play->person];
    for (;;) {
        int64_t now_ms = clock_ms();
        if (is_timed && now_ms >= end_ms) {
            play->match.end = MATCH_TIME_UP;
            return false;
        }
        int64_t tick_ms = now_ms + TICK_MS;
        int64_t until_ms = is_timed && end_ms < tick_ms ? end_ms : tick_ms;
        switch (line_input_next(play->input, until_ms, line)) {
        case LINE_READ:
            return true;
        case LINE_LATE:
            show_clock(play, clock_ms() - play->turn_ms);
            break;
        case LINE_WOKEN:
            play->match.end = MATCH_INTERRUPTED;
            return false;
        case LINE_END:
            play->match.end = MATCH_LEFT;
            return false;
        }
    }
}

enum caxton_status play_person_turn(struct play *play)
{
    bool is_over = false;
    play->turn_ms = clock_ms();
    struct match_record record = {.by_person = true};
    while (!is_over) {
        struct span line;
        prompt(play);
        if (play->screen.failed || !next_line(play, &line))
            return STATUS_OK;
        line = span_trim(line);
        is_over = line.size > 0 && obey(play, line, &record);
    }
    if (record.move == MOVE_NONE) { /* another plays on with the same clock */
        match_run_clock(&play->match, clock_ms() - play->turn_ms);
        return STATUS_OK;
    }
    record.spent_ms = clock_ms() - play->turn_ms;
    enum caxton_status status = match_play(&play->match, &record);
    play->shown.thought[0] = '\0';
    if (status == STATUS_OK && (play->screen.redraw || match_is_over(&play->match)))
        play_show(play);
    return status;
}
