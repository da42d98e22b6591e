#include "book/count/item.h"

#include <stdlib.h>

enum {
    INDEX_BITS = 5,
    FEW = 1 << INDEX_BITS,
    SPREAD_BITS = 13, /* at most; the places written to then lie in the second-level cache */
    SHARE_BITS = 3,   /* 2^3 to 2^4 items to a bucket, if keys are random */
};

/* Plain ------------------------------------------------------------------------------------ */

static inline uint32_t item_facet(const struct item *item)
{
    (void)item;
    return 0;
}

static inline void item_add_to(const struct item *item, struct tally *tally)
{
    tally->counts[item->rest >> ITEM_AMOUNT_BITS & 3] += item_amount(item);
}

#define ITEM    struct item
#define NAME(x) x
#include "book/count/item_sort.inc"
#undef ITEM
#undef NAME

const struct item_kind item_plain = {sizeof(struct item), items_combine, items_prune, items_next};

/* With facets ------------------------------------------------------------------------------- */

static inline uint32_t facet_item_facet(const struct facet_item *item)
{
    return (uint32_t)(item->rest >> (FACET_ITEM_AMOUNT_BITS + 2)) & ((1u << FACET_BITS) - 1);
}

static inline void facet_item_add_to(const struct facet_item *item, struct tally *tally)
{
    tally->counts[item->rest >> FACET_ITEM_AMOUNT_BITS & 3] += facet_item_amount(item);
    for (int i = 0; i < 2; i++)
        tally->ratings[i] += item->ratings[i];
}

#define ITEM    struct facet_item
#define NAME(x) facet_##x
#include "book/count/item_sort.inc"
#undef ITEM
#undef NAME

const struct item_kind item_with_facets = {sizeof(struct facet_item), facet_items_combine,
                                           facet_items_prune, facet_items_next};
