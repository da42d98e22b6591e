#include "search/limits.h"

#include <string.h>

void search_request_init(struct search_request *request)
{
    memset(request, 0, sizeof *request);
    position_start(&request->root);
    request->time_ms[WHITE] = request->time_ms[BLACK] = -1;
    request->movetime_ms = -1;
    request->multipv = 1;
}
