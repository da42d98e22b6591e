#include "book/graph/by_hand.h"

#include "base/array.h"

const struct override *by_hand_find(const struct prune_options *options, uint64_t key,
                                    size_t *count)
{
    size_t low;
    ARRAY_SEARCH(low, 0, options->override_count, options->overrides[low].key < key);
    size_t end = low;
    while (end < options->override_count && options->overrides[end].key == key)
        end++;
    *count = end - low;
    return *count > 0 ? options->overrides + low : NULL;
}

static const struct override *find_move(const struct override *list, size_t count, uint16_t stored)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].move == stored || list[i].journey == stored)
            return &list[i];
    return NULL;
}

bool by_hand_falls(const struct override *list, size_t count, uint16_t stored)
{
    const struct override *own = find_move(list, count, stored);
    for (size_t i = 0; i < count; i++)
        if (list[i].kind == OVERRIDE_ALWAYS && (!own || own->kind != OVERRIDE_ALWAYS))
            return true;
    return own && own->kind == OVERRIDE_NEVER;
}

bool by_hand_stays(const struct override *list, size_t count, uint16_t stored)
{
    const struct override *own = find_move(list, count, stored);
    return own && own->kind != OVERRIDE_NEVER;
}

bool by_hand_is_never(const struct prune_options *options, uint64_t key, uint16_t stored)
{
    size_t count;
    const struct override *list = by_hand_find(options, key, &count);
    const struct override *own = find_move(list, count, stored);
    return own && own->kind == OVERRIDE_NEVER;
}

bool by_hand_any_falls(const struct prune_options *options)
{
    for (size_t i = 0; i < options->override_count; i++)
        if (options->overrides[i].kind != OVERRIDE_WEIGHT)
            return true;
    return false;
}
