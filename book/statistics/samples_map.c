#include "book/statistics/samples_map.h"

#include <stdlib.h>

struct samples_map {
    uint16_t *numbers; /* by those of the file */
    struct samples_cursor cursor;
};

enum caxton_status samples_map_create(const struct samples_file *file,
                                      const struct sample_names *names, struct samples_map **out)
{
    const struct sample_names *own = &samples_file_info(file)->names;
    struct samples_map *map = calloc(1, sizeof *map);
    if (!map)
        return STATUS_NO_MEMORY;
    map->cursor.file = file;
    map->numbers = calloc(own->count, sizeof *map->numbers);
    if (!map->numbers) {
        free(map);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < own->count; i++)
        map->numbers[i] = (uint16_t)sample_names_find(names, own->list[i]);
    *out = map;
    return STATUS_OK;
}

void samples_map_destroy(struct samples_map *map)
{
    if (!map)
        return;
    free(map->numbers);
    free(map);
}

/* Both lists are in the order of their names, so that the games stay in order. */
enum caxton_status samples_map_next(void *context, struct sample_set *out, struct diag *diag)
{
    struct samples_map *map = context;
    enum caxton_status status = samples_cursor_next(&map->cursor, out, diag);
    for (size_t i = 0; status == STATUS_OK && i < out->count; i++)
        out->games[i].file = map->numbers[out->games[i].file];
    return status;
}
