#include "book/formats/white/lines_path.h"

#include <stdlib.h>

struct lines_path *lines_path_create(const struct lines *lines)
{
    struct lines_path *path = malloc(sizeof *path);
    if (!path)
        return NULL;
    path->plies = 0;
    path->nodes[0] = 0;
    path->positions[0] = lines->start;
    return path;
}

int lines_path_seek(struct lines_path *path, const struct lines *lines, uint32_t node)
{
    int plies = lines->nodes[node].plies;
    int kept = plies;
    while (kept > path->plies || path->nodes[kept] != node) {
        path->nodes[kept--] = node;
        node = lines->nodes[node].parent;
    }
    for (int i = kept + 1; i <= plies; i++) {
        struct undo undo;
        path->positions[i] = path->positions[i - 1];
        position_make(&path->positions[i], lines->nodes[path->nodes[i]].m, &undo);
    }
    path->plies = plies;
    return kept;
}
