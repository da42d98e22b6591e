#include "book/formats/thompson/tree_coder.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/formats/thompson/tree_unit.h"

/* What is known of a position when the weights of its choices are coded. */
struct tree_level {
    uint32_t own;   /* of the same side's move before; 0: none */
    uint32_t other; /* of the other side's move before */
    uint32_t own_earlier;
    uint32_t other_earlier;
    uint32_t previous; /* of the choice before this one */
    uint64_t sum;      /* of all choices before */
    uint32_t index;    /* of the choice */
};

/* A choice in the shape of the tree. */
struct tree_shape {
    uint32_t lines; /* ends behind it; its own end counts */
    uint32_t rest;  /* behind the choices after it */
    uint32_t after; /* choices after it */
    bool last;      /* ')' */
};

enum {
    MODELS = 8,
    SLOT_BITS = 16,
    MIXERS = 64,
    PROBABILITY_BITS = 16, /* of the models; 12 in the mixer and the coder's */
    LENGTH_MAX = 33,
};

struct coder_slot {
    uint16_t chance; /* of a 1, less half: so that zeroed memory means even */
    uint16_t seen;
};

struct tree_coder {
    uint32_t low;
    uint32_t high;
    uint32_t value; /* decoding */
    const uint8_t *input;
    size_t input_size;
    size_t at;
    uint8_t *output; /* encoding */
    size_t capacity;
    bool decodes;
    bool failed;
    uint32_t contexts[MODELS]; /* of the weight at hand */
    int32_t mix[MIXERS][MODELS];
    int16_t stretched[4096];
    struct coder_slot slots[MODELS][1 << SLOT_BITS];
};

/* The logistic function: 4096 / (1 + exp(-x / 256)), in straight pieces. */
static int squash(int x)
{
    static const int16_t table[33] = {1,    2,    3,    6,    10,   16,   27,   45,   73,
                                      120,  194,  310,  488,  747,  1101, 1546, 2047, 2549,
                                      2994, 3348, 3607, 3785, 3901, 3975, 4024, 4050, 4068,
                                      4079, 4085, 4089, 4092, 4093, 4094};
    if (x > 2047)
        return 4095;
    if (x < -2047)
        return 1;
    int weight = x & 127;
    int index = (x >> 7) + 16;
    return (table[index] * (128 - weight) + table[index + 1] * weight + 64) >> 7;
}

/* The inverse of squash(). */
static void fill_stretched(int16_t *table)
{
    int from = 0;
    for (int x = -2047; x <= 2047; x++) {
        int to = squash(x);
        for (int i = from; i <= to; i++)
            table[i] = (int16_t)x;
        from = to + 1 > from ? to + 1 : from;
    }
    for (int i = from; i < 4096; i++)
        table[i] = 2047;
}

struct tree_coder *tree_coder_create(const uint8_t *bytes, size_t size)
{
    struct tree_coder *coder = calloc(1, sizeof *coder);
    if (!coder)
        return NULL;
    coder->high = UINT32_MAX;
    coder->decodes = bytes != NULL;
    coder->input = bytes;
    coder->input_size = size;
    fill_stretched(coder->stretched);
    for (int i = 0; i < MIXERS; i++)
        for (int j = 0; j < MODELS; j++)
            coder->mix[i][j] = (1 << 16) / MODELS;
    for (int i = 0; i < 4 && coder->decodes; i++)
        coder->value = coder->value << 8 | (coder->at < size ? bytes[coder->at++] : 0);
    return coder;
}

void tree_coder_destroy(struct tree_coder *coder)
{
    if (coder)
        free(coder->output);
    free(coder);
}

static void put_byte(struct tree_coder *coder, uint32_t byte)
{
    if (ARRAY_GROW(coder->output, coder->capacity, coder->at + 1))
        coder->output[coder->at++] = (uint8_t)byte;
    else
        coder->failed = true;
}

/* Narrows the interval to the part of `bit`, whose chance to be 1 is chance/65536. */
static int code_in_interval(struct tree_coder *coder, int bit, uint32_t chance)
{
    uint32_t range = coder->high - coder->low;
    uint32_t middle = coder->low + (uint32_t)((uint64_t)range * chance >> 16);
    if (coder->decodes)
        bit = coder->value <= middle;
    if (bit)
        coder->high = middle;
    else
        coder->low = middle + 1;
    while ((coder->low ^ coder->high) >> 24 == 0) {
        if (coder->decodes) {
            uint8_t next = coder->at < coder->input_size ? coder->input[coder->at++] : 0;
            coder->value = coder->value << 8 | next;
        } else {
            put_byte(coder, coder->high >> 24);
        }
        coder->low <<= 8;
        coder->high = coder->high << 8 | 255;
    }
    return bit;
}

static uint32_t hash(uint32_t a, uint32_t b)
{
    uint32_t x = (a ^ 0x9E3779B9u) * 0x85EBCA6Bu + b * 0xC2B2AE35u;
    x ^= x >> 15;
    x *= 0x2C1B3C6Du;
    return x ^ x >> 13;
}

/* Faster at first, then steadier. */
static void learn(struct coder_slot *slot, int bit)
{
    int32_t chance = slot->chance ^ 0x8000;
    int32_t goal = bit ? 65535 : 0;
    chance += (goal - chance) * 2 / (2 * slot->seen + 3);
    slot->chance = (uint16_t)(chance ^ 0x8000);
    if (slot->seen < 250)
        slot->seen++;
}

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* One digit. node: which of the number's digits it is. */
static int code_bit(struct tree_coder *coder, uint32_t node, int mixer, int bit)
{
    struct coder_slot *slots[MODELS];
    int inputs[MODELS];
    int32_t *mix = coder->mix[mixer];
    int64_t sum = 0;
    for (int i = 0; i < MODELS; i++) {
        slots[i] = &coder->slots[i][hash(coder->contexts[i], node) >> (32 - SLOT_BITS)];
        inputs[i] = coder->stretched[(slots[i]->chance ^ 0x8000) >> (PROBABILITY_BITS - 12)];
        sum += (int64_t)inputs[i] * mix[i];
    }
    int mixed = squash(clamp((int)(sum / 65536), -2047, 2047));
    bit = code_in_interval(coder, bit, (uint32_t)clamp(mixed, 1, 4095) << 4);
    int error = ((bit << 12) - mixed) * 20;
    for (int i = 0; i < MODELS; i++) {
        mix[i] = clamp(mix[i] + (inputs[i] * error + 131072) / 262144, -(1 << 20), 1 << 20);
        learn(slots[i], bit);
    }
    return bit;
}

static int length_of(uint64_t value)
{
    int length = 0;
    for (; value; value >>= 1)
        length++;
    return length;
}

/* Elias gamma of value + 1: how many digits follow the first, then those. Only the highest digits
 * have a context; the others are noise. */
static uint32_t code_number(struct tree_coder *coder, uint32_t base, uint32_t value)
{
    uint64_t number = (uint64_t)value + 1;
    int length = coder->decodes ? LENGTH_MAX - 1 : length_of(number) - 1;
    int mixer = (int)(base & 3) * 16;
    for (int i = 0; i < LENGTH_MAX - 1; i++) {
        int longer = i < length;
        if (!code_bit(coder, hash(base, (uint32_t)i), mixer + clamp(i, 0, 11), longer)) {
            length = i;
            break;
        }
    }
    uint64_t read = 1;
    for (int i = length - 1; i >= 0; i--) {
        uint32_t known = length - i <= 4 ? (uint32_t)read : 1u << 20 | (uint32_t)i;
        uint32_t node = hash(base + 16, known << 6 | (uint32_t)length);
        int bit =
            code_bit(coder, node, mixer + 12 + clamp(length - 1 - i, 0, 3), (int)(number >> i & 1));
        read = read << 1 | (uint64_t)bit;
    }
    return (uint32_t)(read - 1);
}

/* Small weights as they are, large ones about. */
static uint32_t about(uint64_t weight)
{
    int length = length_of(weight);
    return length <= 5 ? (uint32_t)weight
                       : (uint32_t)(weight >> (length - 3)) + 8 * (uint32_t)length;
}

static void set_contexts(struct tree_coder *coder, const struct tree_level *level,
                         const struct tree_shape *shape)
{
    uint32_t index = level->index < 3 ? level->index : 3;
    uint32_t kind = index << 2 | (uint32_t)(shape->after > 0) << 1 | shape->last;
    uint64_t left = level->own > level->sum ? level->own - level->sum : 0;
    uint32_t own = about(level->own);
    uint32_t other = about(level->other);
    uint32_t lost = level->own_earlier > level->own ? about(level->own_earlier - level->own) : 0;
    uint32_t previous = about(level->previous);
    uint32_t lines = about(shape->lines);
    uint32_t share = about(left * shape->lines / ((uint64_t)shape->lines + shape->rest));
    uint32_t after = shape->after < 7 ? shape->after : 7;
    bool alone = index == 0 && shape->after == 0;
    const uint32_t contexts[MODELS] = {
        hash(kind, lines),
        hash(kind, after),
        hash(kind, own << 8 | (lost < 8 ? lost : 8)),
        hash(kind, about(left) << 8 | (index ? previous : other)),
        hash(kind, index ? previous << 8 | lines : other << 8 | lines),
        hash(kind, alone ? own << 16 | other << 8 | lost : share << 16 | previous << 8 | after),
        hash(kind, alone ? about((uint64_t)level->own + level->other) << 8 | lines : share),
        hash(kind, share << 8 | previous),
    };
    for (uint32_t i = 0; i < MODELS; i++)
        coder->contexts[i] = hash(contexts[i], i);
}

/* Encodes `weight`, or decodes and returns it. */
static uint32_t code_exact(struct tree_coder *coder, const struct tree_level *level,
                           const struct tree_shape *shape, uint32_t weight)
{
    set_contexts(coder, level, shape);
    if (level->index > 0 || shape->after > 0)
        return code_number(coder, 0, weight);
    uint32_t own = level->own;
    if (code_bit(coder, 1, 1 + (own == 0), weight == own))
        return own;
    if (code_bit(coder, 2, 17, weight > own))
        return own + 1 + code_number(coder, 2, weight - own - 1);
    return own - 1 - code_number(coder, 1, own - weight - 1);
}

const uint8_t *tree_coder_finish(struct tree_coder *coder, size_t *size)
{
    /* The highest bytes of both ends differ: this one, followed by zeros, lies between. */
    put_byte(coder, (coder->low >> 24) + 1);
    *size = coder->at;
    return coder->failed ? NULL : coder->output;
}

/* The weights of a whole tree ---------------------------------------------------------------- */

#define NONE SIZE_MAX

/* What stands behind a '('. */
struct shape {
    uint32_t end;   /* lines that end before its branch does */
    uint32_t after; /* choices after it */
    size_t next;    /* the next choice, where that has a '(' */
};

/* A '(' whose branch is not over. */
struct branch {
    struct tree_level level; /* of the next choice */
    size_t index;            /* among all '(' */
};

struct packing {
    struct tree_coder *coder;
    enum tree_weights packed;
    uint32_t *weights;
    struct shape *shapes; /* of each '(', in the order of the body */
    size_t shape_capacity;
    size_t shape_count; /* of those that are coded */
    struct branch *stack;
    size_t stack_capacity;
    size_t depth;
    uint32_t lines; /* that have ended */
    uint32_t all_lines;
    struct tree_level level;
};

/* False without memory. Afterwards the stack has room for as many open '(' as there ever are. */
static bool find_shapes(struct packing *packing, const uint8_t *body, size_t size)
{
    struct tree_unit unit = {.end = 0};
    size_t before = NONE; /* the choice before this one */
    size_t count = 0;
    while (tree_unit_next(body, size, &unit)) {
        if (unit.kind == TREE_MOVE && unit.more) {
            if (!ARRAY_GROW(packing->shapes, packing->shape_capacity, count + 1) ||
                !ARRAY_GROW(packing->stack, packing->stack_capacity, packing->depth + 1))
                return false;
            if (before != NONE)
                packing->shapes[before].next = count;
            packing->shapes[count].next = NONE;
            packing->stack[packing->depth++].index = count++;
        }
        before = NONE;
        if (unit.kind != TREE_JUMP && !unit.last)
            continue;
        packing->all_lines++;
        if (packing->depth > 0) {
            before = packing->stack[--packing->depth].index;
            packing->shapes[before].end = packing->all_lines;
        }
    }
    for (size_t i = count; i-- > 0;) {
        struct shape *shape = &packing->shapes[i];
        shape->after = shape->next == NONE ? 1 : packing->shapes[shape->next].after + 1;
    }
    return true;
}

/* What the moves behind are to know of the weight; an estimate where none is written. */
static uint32_t code_weight(struct packing *packing, const struct tree_unit *unit,
                            const struct tree_shape *shape)
{
    const struct tree_level *level = &packing->level;
    uint32_t *weight = &packing->weights[unit->at];
    if (unit->unplayed || unit->non_book)
        return 0;
    if (unit->weighted)
        return unit->weight;
    if (packing->packed == TREE_WEIGHTS_CHOICES && level->index == 0 && !unit->more) {
        *weight = 1;
        return level->own;
    }
    return *weight = code_exact(packing->coder, level, shape, *weight);
}

static void code_move(struct packing *packing, const struct tree_unit *unit)
{
    const struct branch *top = packing->depth ? &packing->stack[packing->depth - 1] : NULL;
    uint32_t all = (top ? packing->shapes[top->index].end : packing->all_lines) - packing->lines;
    const struct shape *own = unit->more ? &packing->shapes[packing->shape_count] : NULL;
    uint32_t lines = own ? own->end - packing->lines : all;
    const struct tree_shape shape = {
        .lines = lines, .rest = all - lines, .after = own ? own->after : 0, .last = unit->last};
    uint32_t weight = code_weight(packing, unit, &shape);
    struct tree_level *level = &packing->level;
    const struct tree_level behind = {.own = level->other,
                                      .other = weight,
                                      .own_earlier = level->other_earlier,
                                      .other_earlier = level->own};
    level->previous = weight;
    level->sum += weight;
    level->index++;
    if (unit->more)
        packing->stack[packing->depth++] = (struct branch){*level, packing->shape_count++};
    packing->level = behind;
}

static void code_units(struct packing *packing, const uint8_t *body, size_t size)
{
    struct tree_unit unit = {.end = 0};
    while (tree_unit_next(body, size, &unit)) {
        if (unit.kind == TREE_NEW)
            packing->level = (struct tree_level){0};
        if (unit.kind == TREE_MOVE)
            code_move(packing, &unit);
        if (unit.kind != TREE_JUMP && !unit.last)
            continue;
        packing->lines++;
        if (packing->depth > 0)
            packing->level = packing->stack[--packing->depth].level;
    }
}

enum caxton_status tree_code_weights(struct tree_coder *coder, const uint8_t *body, size_t size,
                                     enum tree_weights packed, uint32_t *weights)
{
    struct packing packing = {.coder = coder, .packed = packed, .weights = weights};
    bool found = find_shapes(&packing, body, size);
    if (found)
        code_units(&packing, body, size);
    free(packing.shapes);
    free(packing.stack);
    return found ? STATUS_OK : STATUS_NO_MEMORY;
}
