#include "book/build/slot.h"

static bool goes_before(const struct slot *a, const struct slot *b)
{
    return a->key != b->key ? a->key < b->key : a->move < b->move;
}

static void insertion_sort(struct slot *slots, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct slot current = slots[i];
        size_t j = i;
        for (; j > 0 && goes_before(&current, &slots[j - 1]); j--)
            slots[j] = slots[j - 1];
        slots[j] = current;
    }
}

/* Sorts in place, for qsort() may take as much memory again: by the byte of the key at `shift`,
 * each slot swapped straight to its bucket, then every bucket by the next byte. Keys are random
 * numbers, so that three or four bytes suffice. Source: McIlroy, Bostic and McIlroy, "Engineering
 * Radix Sort", Computing Systems 6(1), 1993 (American flag sort). */
static void radix_sort(struct slot *slots, size_t count, int shift)
{
    if (count < 48 || shift < 0) {
        insertion_sort(slots, count);
        return;
    }
    size_t next[256] = {0};
    size_t end[256];
    for (size_t i = 0; i < count; i++)
        next[slots[i].key >> shift & 255]++;
    size_t sum = 0;
    for (int b = 0; b < 256; b++) {
        size_t size = next[b];
        next[b] = sum;
        sum += size;
        end[b] = sum;
    }
    for (int b = 0; b < 256; b++)
        while (next[b] < end[b]) {
            struct slot current = slots[next[b]];
            for (unsigned to; (to = current.key >> shift & 255) != (unsigned)b;) {
                struct slot displaced = slots[next[to]];
                slots[next[to]++] = current;
                current = displaced;
            }
            slots[next[b]++] = current;
        }
    for (int b = 0; b < 256; b++) {
        size_t start = b ? end[b - 1] : 0;
        radix_sort(slots + start, end[b] - start, shift - 8);
    }
}

void slots_sort(struct slot *slots, size_t count)
{
    radix_sort(slots, count, 56);
}
