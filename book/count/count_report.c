#include "book/count/count_report.h"

static void add_bad_games(struct count_report *sum, const struct chunk_report *chunk,
                          const struct chunk_start *start, const char *name)
{
    uint64_t at = sum->bad_games;
    for (uint64_t i = 0; i < chunk->counts.bad_games && at < BAD_GAMES_SHOWN; i++, at++) {
        struct bad_game *bad = &sum->bad[at];
        *bad = chunk->counts.bad[i];
        bad->number += start->games;
        bad->diag.line += start->lines;
        bad->diag.offset += start->bytes;
        text_copy(bad->file, sizeof bad->file, span_of(name));
    }
    sum->bad_games += chunk->counts.bad_games;
    sum->bad_used += chunk->counts.bad_used;
}

static void add_notes(struct count_report *sum, const struct chunk_report *chunk,
                      const struct chunk_start *start, const char *name)
{
    for (int i = 0; i < PGN_NOTES; i++) {
        struct noted_games *to = &sum->notes[i];
        const struct noted_games *more = &chunk->counts.notes[i];
        if (more->games && !to->games) {
            to->number = start->games + more->number;
            to->line = start->lines + more->line;
            text_copy(to->file, sizeof to->file, span_of(name));
        }
        to->games += more->games;
    }
}

void count_report_add(struct count_report *sum, const struct chunk_report *chunk,
                      struct chunk_start *start, const char *name)
{
    const struct count_report *more = &chunk->counts;
    add_bad_games(sum, chunk, start, name);
    add_notes(sum, chunk, start, name);
    near_names_merge(&sum->near_players, &more->near_players);
    sum->games += more->games;
    sum->used += more->used;
    sum->amount += more->amount;
    sum->plies += more->plies;
    for (int i = 0; i <= PGN_DRAW; i++)
        sum->early[i] += more->early[i];
    for (int i = 0; i < FILTER_ROWS_MAX; i++)
        sum->left_out[i] += more->left_out[i];
    start->games += more->games;
    start->lines += chunk->lines;
    start->bytes += chunk->bytes;
}
