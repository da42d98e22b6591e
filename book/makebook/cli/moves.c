#include "book/makebook/cli/moves.h"

#include "chess/notation.h"

void moves_print(FILE *out, const struct position *root, const move *line, size_t plies)
{
    struct position pos = *root;
    for (size_t ply = 0; ply < plies; ply++) {
        char san[SAN_MAX];
        move_to_san(&pos, line[ply], san);
        if (ply > 0)
            (void)fputc(' ', out);
        if (pos.turn == WHITE || ply == 0)
            (void)fprintf(out, "%u%s ", (unsigned)pos.fullmove, pos.turn == WHITE ? "." : "...");
        (void)fputs(san, out);
        position_play(&pos, line[ply]);
    }
}

void moves_json(struct json *json, const struct position *root, const move *line, size_t plies)
{
    struct position pos = *root;
    for (size_t ply = 0; ply < plies; ply++) {
        char san[SAN_MAX];
        move_to_san(&pos, line[ply], san);
        json_text(json, NULL, san);
        position_play(&pos, line[ply]);
    }
}

void moves_report(struct report *report, const struct position *root, const move *line,
                  size_t plies)
{
    json_array(&report->json, "line");
    moves_json(&report->json, root, line, plies);
    json_end(&report->json);
    if (report->text && plies > 0)
        moves_print(report->text, root, line, plies);
    report_say(report, plies > 0 ? "\n" : "the start\n");
}
