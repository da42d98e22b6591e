/* The entries of a book by position: one array sorted by position key, searched by halves, as in a
 * Polyglot file. Every kind of file that holds positions, not lines, becomes such a table in
 * memory.
 */
#pragma once

#include "book/book_move.h"

/* A move of the position with this key. */
struct book_entry {
    uint64_t key;
    uint32_t weight;
    uint32_t learn;
    uint32_t place; /* where in the file it stands: line, record or move, as the format counts */
    uint16_t move;  /* as book/polyglot_entry.h stores it */
    bool stated;    /* the file says the weight; else it counts how often the move occurs */
    uint8_t styles; /* as struct book_move's */
};

struct entry_table {
    const uint8_t *bytes;       /* Polyglot entries sorted by key, borrowed; or, when NULL, */
    struct book_entry *entries; /* these, owned, sorted by key, then move */
    size_t count;
    bool ordered;   /* of equal moves, the one that the file has first is preferred */
    bool unchecked; /* moves may be illegal: nobody has seen their positions */
};

/* Entries in the making. {0} is an empty list. */
struct entry_list {
    struct book_entry *entries;
    size_t count;
    size_t capacity;
    bool separate;  /* entries are not joined to save memory: they are to be looked at one by one */
    bool ordered;   /* as struct entry_table's */
    bool unchecked; /* likewise */
};

/* Adds a legal move of `pos`. Entries of the same move become one whenever that saves memory: the
 * list never needs more than a small multiple of what is different. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status entry_list_add(struct entry_list *list, const struct position *pos,
                                             move m, struct book_entry entry);
/* The same of an entry that has its key and move already. */
MUST_CHECK enum caxton_status entry_list_append(struct entry_list *list,
                                                const struct book_entry *entry);
void entry_list_free(struct entry_list *list);

/* Sorts by key, move, place; nothing is joined. */
void entry_list_sort(struct entry_list *list);

/* Joins the later entry to the first one of the same move: the heavier weight of those that state
 * theirs; when none does, their sum, at most UINT32_MAX; the larger learn; the styles of both; the
 * place of the first. */
void entry_join(struct book_entry *first, const struct book_entry *later);

/* Sorts and joins: one entry for each move of each position. */
void entry_list_join(struct entry_list *list);

/* Joins and takes the entries over: the list is empty afterwards. */
struct entry_table entry_table_from_list(struct entry_list *list);
void entry_table_free(struct entry_table *table);

/* The index-th entry; index < count. place and stated are 0 for Polyglot entries. */
struct book_entry entry_table_at(const struct entry_table *table, size_t index);

/* The first entry whose key is not below `key`; table->count when there is none. */
size_t entry_table_find(const struct entry_table *table, uint64_t key);

/* As struct book_format.probe. Entries of the same move are added up, illegal ones skipped. A
 * position that the table does not have is looked for under its key with, or without, the file of
 * an en passant capture that is illegal. */
int entry_table_probe(const struct entry_table *table, const struct position *pos,
                      struct book_move *out);

/* Appends all entries of the table; `place` of each is its number there, from 0. The caller frees
 * the list. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status entries_list(const struct entry_table *table, struct entry_list *out);
/* By key, the heaviest first, then by move and place. */
void entries_sort_by_weight(struct entry_list *list);

/* A list that is sorted by key, as a table; borrowed. */
struct entry_table entries_table(const struct entry_list *list);

/* How many entries, from the one at `first` on, belong to the same position. */
size_t entries_of_position(const struct entry_table *table, size_t first);
