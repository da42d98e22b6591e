#include "book/uci/report.h"

#include <stdarg.h>

#include "book/uci/wdl.h"
#include "chess/notation.h"
#include "eval/eval.h"

static void write_line(struct output *out, struct text_buffer *line)
{
    text_make_safe(line->data); /* what a user typed, or a name, must leave it one line */
    if (!ferror(out->stream) && fprintf(out->stream, "%s\n", line->data) >= 0)
        (void)fflush(out->stream); /* what fails is for ferror() */
    if (out->copy)
        out->copy(out->context, line->data);
}

void report_line(struct output *out, const char *format, ...)
{
    if (!out)
        return;
    char data[REPORT_LINE_MAX];
    struct text_buffer line = text_buffer_on(data, sizeof data);
    va_list args;
    va_start(args, format);
    int wanted = vsnprintf(data, sizeof data, format, args);
    va_end(args);
    if (wanted < 0)
        return;
    line.size = (size_t)wanted < sizeof data ? (size_t)wanted : sizeof data - 1;
    write_line(out, &line);
}

void report_raw(struct output *out, struct span line)
{
    if (!ferror(out->stream) && fprintf(out->stream, "%.*s\n", (int)line.size, line.data) >= 0)
        (void)fflush(out->stream);
}

int report_quote_size(struct span text)
{
    enum { QUOTE_MAX = 80 };
    return text.size < QUOTE_MAX ? (int)text.size : QUOTE_MAX;
}

/* A win by an endgame table in n plies is shown as this many centipawns less n, as in Stockfish:
 * more than any evaluation. */
enum { TB_WIN_CP = 20000 };

void report_score(struct text_buffer *text, int score)
{
    if (score >= SCORE_MATE_IN_MAX)
        text_append(text, "mate %d", (SCORE_MATE - score + 1) / 2);
    else if (score <= -SCORE_MATE_IN_MAX)
        text_append(text, "mate %d", -((SCORE_MATE + score) / 2));
    else if (score >= SCORE_TB_WIN_IN_MAX)
        text_append(text, "cp %d", TB_WIN_CP - (SCORE_TB_WIN - score));
    else if (score <= -SCORE_TB_WIN_IN_MAX)
        text_append(text, "cp %d", (SCORE_TB_WIN + score) - TB_WIN_CP);
    else
        text_append(text, "cp %d", eval_centipawns(score));
}

static void append_move(struct text_buffer *line, struct report_style style, move m)
{
    char text[UCI_MAX];
    move_to_uci(m, style.chess960, text);
    text_append(line, " %s", text);
}

void report_info(struct output *out, struct report_style style, const struct search_info *info)
{
    static const char *const bounds[] = {"", " lowerbound", " upperbound"};
    char data[REPORT_LINE_MAX];
    struct text_buffer line = text_buffer_on(data, sizeof data);
    text_append(&line, "info depth %d seldepth %d multipv %d score ", info->depth, info->seldepth,
                info->multipv);
    report_score(&line, info->score);
    text_append(&line, "%s", bounds[info->bound]);
    if (style.wdl) {
        struct wdl wdl = wdl_estimate(info->score, style.material);
        text_append(&line, " wdl %d %d %d", wdl.win, wdl.draw, wdl.loss);
    }
    text_append(&line, " nodes %llu nps %llu hashfull %d tbhits %llu time %lld pv",
                (unsigned long long)info->nodes, (unsigned long long)info->nps, info->hashfull,
                (unsigned long long)info->tbhits, (long long)info->time_ms);
    for (int i = 0; i < info->pv_length; i++)
        append_move(&line, style, info->pv[i]);
    write_line(out, &line);
}

void report_current(struct output *out, struct report_style style, int depth, move m, int number)
{
    char text[UCI_MAX];
    move_to_uci(m, style.chess960, text);
    report_line(out, "info depth %d currmove %s currmovenumber %d", depth, text, number);
}

void report_best(struct output *out, struct report_style style, move best, move ponder)
{
    char data[64];
    struct text_buffer line = text_buffer_on(data, sizeof data);
    text_append(&line, "bestmove");
    if (best == MOVE_NONE)
        text_append(&line, " (none)");
    else
        append_move(&line, style, best);
    if (best != MOVE_NONE && ponder != MOVE_NONE) {
        text_append(&line, " ponder");
        append_move(&line, style, ponder);
    }
    write_line(out, &line);
}

void report_pawns(struct text_buffer *text, int score)
{
    int size = score < 0 ? -score : score;
    int shown = eval_centipawns(size);
    if (size >= SCORE_MATE_IN_MAX)
        text_append(text, "%cM%d", score < 0 ? '-' : '+', (SCORE_MATE - size + 1) / 2);
    else
        text_append(text, "%c%d.%02d", score < 0 ? '-' : '+', shown / 100, shown % 100);
}
