/* A book whose entries belong to positions: one array sorted by position key, searched by halves.
 * The kinds of file that hold positions, not lines, all become one of these in memory. */
#ifndef CAXTON_BOOK_KEYED_H
#define CAXTON_BOOK_KEYED_H

#include "book/book.h"
#include "book/book_move.h"

/* A move of the position with this key. */
struct keyed_entry {
    uint64_t key;
    uint32_t weight;
    uint32_t learn;
    uint32_t place; /* where in the file it stands: line, record or move, as the format counts */
    uint16_t move;  /* as book/polyglot.h stores it */
    bool stated;    /* the file says the weight; else it counts how often the move occurs */
    uint8_t styles; /* as struct book_move's */
};

struct keyed {
    const uint8_t *bytes;        /* Polyglot entries sorted by key, borrowed; or, when NULL, */
    struct keyed_entry *entries; /* these, owned, sorted by key, then move */
    size_t count;
    bool ordered; /* of equal moves, the one that the file has first is preferred */
};

/* Entries in the making. {0} is an empty list. */
struct keyed_list {
    struct keyed_entry *entries;
    size_t count;
    size_t capacity;
    bool separate; /* entries are not joined to save memory: they are to be looked at one by one */
    bool ordered;  /* as struct keyed's */
};

/* Adds a legal move of `pos`. Entries of the same move become one whenever that saves memory: the
 * list never needs more than a small multiple of what is different. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status keyed_list_add(struct keyed_list *list, const struct position *pos,
                                             move m, struct keyed_entry entry);
/* The same of an entry that has its key and move already. */
MUST_CHECK enum caxton_status keyed_list_append(struct keyed_list *list,
                                                const struct keyed_entry *entry);
void keyed_list_free(struct keyed_list *list);

/* Sorts by key, move, place; nothing is joined. */
void keyed_list_sort(struct keyed_list *list);

/* One entry for each move of each position: the heaviest of those that state their weight; when
 * none does, their sum, at most UINT32_MAX. Learn and place are those of the first place; styles
 * are those of all. */
void keyed_list_join(struct keyed_list *list);

/* Joins and takes the entries over: the list is empty afterwards. */
struct keyed keyed_from_list(struct keyed_list *list);
void keyed_free(struct keyed *keyed);

/* The index-th entry; index < count. place and stated are 0 for Polyglot entries. */
struct keyed_entry keyed_at(const struct keyed *keyed, size_t index);

/* The first entry whose key is not below `key`; keyed->count when there is none. */
size_t keyed_find(const struct keyed *keyed, uint64_t key);

/* As struct book_format.probe. Entries of the same move are added up, illegal ones skipped. */
int keyed_probe(const struct keyed *keyed, const struct position *pos, struct book_move *out);

#endif
