/* What the search's reader of endgame tablebases says: for tests/clients/tables.py, which compares.
 * Usage: tables_of_fens FOLDERS < FENS. Prints "RESULT DISTANCE" for each line (-2 to 2, plies), or
 * "- -" where the tables say nothing. Exit 1: the tables cannot be opened. */
#include <stdio.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "search/tb.h"

static void answer(const struct tb *tb, const char *fen)
{
    struct position pos;
    enum tb_wdl result;
    int distance;
    if (fen_parse(span_trim(span_of(fen)), &pos, NULL) == STATUS_OK &&
        tb_find_wdl(tb, &pos, &result) && tb_find_dtz(tb, &pos, &distance))
        (void)printf("%d %d\n", result, distance);
    else
        (void)puts("- -");
}

int main(int argc, char **argv)
{
    struct tb *tb;
    struct diag diag;
    if (argc != 2) {
        (void)fputs("usage: tables_of_fens FOLDERS < FENS\n", stderr);
        return 2;
    }
    chess_init();
    if (tb_open(argv[1], &tb, &diag) != STATUS_OK) {
        (void)fprintf(stderr, "tables_of_fens: %s\n", diag.text);
        return 1;
    }
    char line[256];
    while (fgets(line, sizeof line, stdin))
        answer(tb, line);
    tb_close(tb);
    return ferror(stdout) || fflush(stdout) != 0;
}
