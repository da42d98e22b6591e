/* A build without the library fathom: no tablebase can be opened. */
#include "search/tablebase.h"

enum caxton_status tablebase_open(const char *folders, struct tablebase **out, struct diag *diag)
{
    (void)folders;
    (void)out;
    return diag_fail(STATUS_NOT_FOUND, diag,
                     "this program was built without the library fathom, which reads tables");
}

void tablebase_close(struct tablebase *tables)
{
    (void)tables;
}

struct tablebase_size tablebase_size(const struct tablebase *tables)
{
    (void)tables;
    return (struct tablebase_size){0};
}

bool tablebase_probe(const struct tablebase *tables, const struct position *pos,
                     enum table_result *out)
{
    (void)tables;
    (void)pos;
    (void)out;
    return false;
}

bool tablebase_probe_distance(const struct tablebase *tables, const struct position *pos, int *out)
{
    (void)tables;
    (void)pos;
    (void)out;
    return false;
}

int tablebase_probe_moves(const struct tablebase *tables, const struct position *pos,
                          struct table_move out[MOVES_MAX])
{
    (void)tables;
    (void)pos;
    (void)out;
    return 0;
}
