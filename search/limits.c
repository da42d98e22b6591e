#include "search/limits.h"

#include <string.h>

#include "search/table_material.h"

void search_request_init(struct search_request *request)
{
    memset(request, 0, sizeof *request);
    position_start(&request->root);
    request->time_ms[WHITE] = request->time_ms[BLACK] = -1;
    request->movetime_ms = -1;
    request->multipv = 1;
    request->slow_percent = 100;
    request->table_men = TABLE_MEN_MAX;
    request->table_depth = 1;
    request->table_rule50 = true;
}
