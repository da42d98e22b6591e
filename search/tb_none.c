/* A build without the library fathom: no tablebase can be opened. */
#include "search/tb.h"

enum caxton_status tb_open(const char *folders, struct tb **out, struct diag *diag)
{
    (void)folders;
    (void)out;
    return diag_fail(STATUS_NOT_FOUND, diag,
                     "this program was built without the library fathom, which reads tables");
}

void tb_close(struct tb *tb)
{
    (void)tb;
}

struct tb_size tb_size(const struct tb *tb)
{
    (void)tb;
    return (struct tb_size){0};
}

bool tb_find_wdl(const struct tb *tb, const struct position *pos, enum tb_wdl *out)
{
    (void)tb;
    (void)pos;
    (void)out;
    return false;
}

bool tb_find_dtz(const struct tb *tb, const struct position *pos, int *out)
{
    (void)tb;
    (void)pos;
    (void)out;
    return false;
}

int tb_find_moves(const struct tb *tb, const struct position *pos, struct tb_move out[MOVES_MAX])
{
    (void)tb;
    (void)pos;
    (void)out;
    return 0;
}
