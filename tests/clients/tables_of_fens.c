/* What the search's reader of endgame tablebases says: for tests/clients/tables.py, which compares.
 * Usage: tables_of_fens FOLDERS < FENS. Prints "RESULT DISTANCE" for each line (-2 to 2, plies), or
 * "- -" where the tables say nothing. Exit 1: the tables cannot be opened. */
#include <stdio.h>

#include "chess/attacks.h"
#include "chess/fen.h"
#include "search/tablebase.h"

static void answer(const struct tablebase *tables, const char *fen)
{
    struct position pos;
    enum table_result result;
    int distance;
    if (fen_parse(span_trim(span_of(fen)), &pos, NULL) == STATUS_OK &&
        tablebase_probe(tables, &pos, &result) && tablebase_probe_distance(tables, &pos, &distance))
        (void)printf("%d %d\n", result, distance);
    else
        (void)puts("- -");
}

int main(int argc, char **argv)
{
    struct tablebase *tables;
    struct diag diag;
    if (argc != 2) {
        (void)fputs("usage: tables_of_fens FOLDERS < FENS\n", stderr);
        return 2;
    }
    chess_init();
    if (tablebase_open(argv[1], &tables, &diag) != STATUS_OK) {
        (void)fprintf(stderr, "tables_of_fens: %s\n", diag.text);
        return 1;
    }
    char line[256];
    while (fgets(line, sizeof line, stdin))
        answer(tables, line);
    tablebase_close(tables);
    return ferror(stdout) || fflush(stdout) != 0;
}
