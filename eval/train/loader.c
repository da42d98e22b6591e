/* Files of samples in, batches of features out. It is long because adding, filtering, shuffling and
 * unpacking share the numbers that stand for positions. */
#include "eval/train/loader_internal.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/checksum.h"
#include "base/rng.h"

static uint64_t hash_sample(const uint8_t *packed, uint64_t seed)
{
    for (int i = 0; i < UNIT; i += 8)
        seed = rng_mix(seed ^ bytes_get_u64le(packed + i));
    return seed;
}

bool loader_is_validation(const struct loader_options *options, const uint8_t *first)
{
    return hash_sample(first, options->seed) % 1000 < (uint64_t)options->validation_permille;
}

static int count_pieces(const uint8_t *packed)
{
    return bb_count(bytes_get_u64le(packed));
}

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

struct loader *loader_create(const struct loader_options *options)
{
    struct loader *loader = calloc(1, sizeof *loader);
    if (loader != NULL) {
        loader->options = *options;
        loader->random = rng_mix(options->order);
    }
    return loader;
}

void loader_destroy(struct loader *loader)
{
    if (loader == NULL)
        return;
    for (size_t i = 0; i < loader->source_count; ++i)
        munmap((void *)(uintptr_t)loader->sources[i].data, loader->sources[i].size);
    free(loader->training.items);
    free(loader->validation.items);
    free(loader->stream.block);
    free(loader);
}

bool loader_list_add(struct list *list, uint32_t item)
{
    if (!ARRAY_GROW(list->items, list->capacity, list->count + 1))
        return false;
    list->items[list->count++] = item;
    return true;
}

/* The block at `at`: its number of positions, 0 when it is torn, -1 when it is no block. */
static int64_t block_count(const struct source *source, size_t at)
{
    const uint8_t *header = source->data + at;
    const uint64_t count = bytes_get_u32le(header + SAMPLE_COUNT_AT);
    if (memcmp(header, SAMPLE_MAGIC, SAMPLE_MAGIC_SIZE) != 0 || count == 0 ||
        count > SAMPLE_BLOCK_MAX)
        return -1;
    if (source->size - at < UNIT * (count + 1))
        return 0;
    if (checksum_add(CHECKSUM_EMPTY, header + UNIT, UNIT * count) !=
        bytes_get_u64le(header + SAMPLE_SUM_AT))
        return source->size - at == UNIT * (count + 1) ? 0 : -1;
    return (int64_t)count;
}

uint64_t *loader_judge(const struct loader_options *options, float scale, const uint8_t *packed,
                       struct loader_report *report)
{
    const int score = sample_score(packed);
    const int pieces = count_pieces(packed);
    if (options->drop_check && (packed[SAMPLE_FLAGS_AT] & SAMPLE_CHECK))
        return &report->dropped_check;
    if (options->drop_capture && (packed[SAMPLE_FLAGS_AT] & SAMPLE_NOISY))
        return &report->dropped_capture;
    if (abs(score) > options->max_score)
        return &report->dropped_score;
    if (pieces < 2 || pieces > LOADER_PIECES || pieces < options->min_pieces ||
        pieces > options->max_pieces)
        return &report->dropped_pieces;
    if (options->max_surprise < 1 && packed[SAMPLE_RESULT_AT] != SAMPLE_NO_RESULT &&
        fabs(packed[SAMPLE_RESULT_AT] / 2.0 -
             logistic((double)score * scale / options->score_unit)) > options->max_surprise)
        return &report->dropped_surprise;
    return &report->kept;
}

/* Newton's method for the factor with which logistic(factor * score / unit) makes the results of
 * the file most likely. The factor is bounded, because large scores say little about it. */
static float fit_scale(const struct loader_options *options, const struct source *source)
{
    double *games = calloc(2 * LOADER_SCORES, sizeof *games);
    if (games == NULL)
        return 1;
    double *points = games + LOADER_SCORES;
    for (size_t at = 0; at + UNIT <= source->size; at += UNIT) {
        const uint8_t *packed = source->data + at;
        const int score = sample_score(packed);
        if (memcmp(packed, SAMPLE_MAGIC, SAMPLE_MAGIC_SIZE) != 0 &&
            abs(score) <= options->max_score && packed[SAMPLE_RESULT_AT] != SAMPLE_NO_RESULT) {
            games[score + LOADER_SCORES / 2] += 1;
            points[score + LOADER_SCORES / 2] += packed[SAMPLE_RESULT_AT] / 2.0;
        }
    }
    double factor = 1;
    for (int round = 0; round < 50; ++round) {
        double slope = 0;
        double bend = 1e-9;
        for (int i = 0; i < LOADER_SCORES; ++i) {
            const double x = (double)(i - LOADER_SCORES / 2) / options->score_unit;
            const double expected = logistic(factor * x);
            slope += x * (points[i] - games[i] * expected);
            bend += x * x * games[i] * expected * (1 - expected);
        }
        factor = fmin(fmax(factor + slope / bend, factor / 2), factor * 2);
    }
    free(games);
    return (float)fmin(fmax(factor, 0.1), 10);
}

static const char *map_file(const char *path, struct source *source)
{
    struct stat status;
    const int file = open(path, O_RDONLY);
    if (file < 0)
        return "cannot be opened";
    const bool known = fstat(file, &status) == 0 && status.st_size >= UNIT;
    void *data = MAP_FAILED;
    if (known) {
        source->size = (size_t)status.st_size;
        data = mmap(NULL, source->size, PROT_READ, MAP_SHARED, file, 0);
    }
    close(file);
    if (!known)
        return "is shorter than one block";
    if (data == MAP_FAILED)
        return "cannot be mapped";
    source->data = data;
    return NULL;
}

/* Adds the positions of one block, `weight` times each. False when there is no memory. */
static bool add_block(struct loader *loader, const struct source *source, size_t at, int64_t count,
                      double weight, struct loader_report *report)
{
    bool for_validation = false;
    for (int64_t i = 0; i < count; ++i) {
        const size_t place = at + UNIT * (size_t)(i + 1);
        const uint8_t *packed = source->data + place;
        const uint32_t unit = source->first + (uint32_t)(place / UNIT);
        if (i == 0 || (packed[SAMPLE_FLAGS_AT] & SAMPLE_FIRST)) {
            for_validation = loader_is_validation(&loader->options, packed);
            ++report->games;
        }
        ++report->positions;
        uint64_t *counter = loader_judge(&loader->options, source->scale, packed, report);
        ++*counter;
        if (counter != &report->kept)
            continue;
        const double dice = (double)(rng_mix(loader->options.seed ^ unit) >> 11) * 0x1p-53;
        const int copies = for_validation ? weight > 0 : (int)(weight + dice);
        for (int copy = 0; copy < copies; ++copy)
            if (!loader_list_add(for_validation ? &loader->validation : &loader->training, unit))
                return false;
    }
    return true;
}

const char *loader_add(struct loader *loader, const char *path, float weight, float lambda,
                       float scale, struct loader_report *report)
{
    if (loader->source_count == MAX_FILES)
        return "is one file too many";
    struct source *source = &loader->sources[loader->source_count];
    const char *fault = map_file(path, source);
    if (fault != NULL)
        return fault;
    ++loader->source_count;
    if (source->size / UNIT > UINT32_MAX - loader->units)
        return "is too large";
    memset(report, 0, sizeof *report);
    source->first = loader->units;
    loader->units += (uint32_t)(source->size / UNIT);
    source->lambda = lambda;
    source->scale = scale > 0 ? scale : fit_scale(&loader->options, source);
    report->scale = source->scale;
    size_t at = 0;
    while (source->size - at >= UNIT) {
        const int64_t count = block_count(source, at);
        if (count < 0)
            return "has a damaged block";
        if (count == 0)
            break;
        if (!add_block(loader, source, at, count, weight, report))
            return "needs more memory than there is";
        at += UNIT * (size_t)(count + 1);
    }
    report->torn_bytes = source->size - at;
    return NULL;
}

static const struct source *find_source(const struct loader *loader, uint32_t unit)
{
    const struct source *source = &loader->sources[loader->source_count - 1];
    while (source->first > unit)
        --source;
    return source;
}

static const uint8_t *find_packed(const struct loader *loader, uint32_t unit)
{
    const struct source *source = find_source(loader, unit);
    return source->data + (size_t)(unit - source->first) * UNIT;
}

/* Drops positions at random so that no piece count is more frequent than a target between the
 * largest count (flatten 0) and the average count (flatten 1). */
static void flatten(struct loader *loader)
{
    double counts[LOADER_PIECES + 1] = {0};
    double most = 0;
    struct list *list = &loader->training;
    for (size_t i = 0; i < list->count; ++i) {
        double *count = &counts[count_pieces(find_packed(loader, list->items[i]))];
        *count += 1;
        most = *count > most ? *count : most;
    }
    const double even = (double)list->count / (LOADER_PIECES - 1);
    const double target = most + (even - most) * (double)loader->options.flatten;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; ++i) {
        const double count = counts[count_pieces(find_packed(loader, list->items[i]))];
        if ((double)(rng_splitmix(&loader->random) >> 11) * 0x1p-53 * count < target)
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

/* Moves a random one of the items from `at` on to place `at`. */
static void draw(struct list *list, size_t at, uint64_t *random)
{
    const uint64_t left = list->count - at;
    const size_t other = at + (size_t)((rng_splitmix(random) >> 32) * left >> 32);
    const uint32_t item = list->items[at];
    list->items[at] = list->items[other];
    list->items[other] = item;
}

uint64_t loader_finish(struct loader *loader)
{
    uint64_t fixed = rng_mix(loader->options.seed + 1);
    for (size_t i = 0; i < loader->validation.count; ++i)
        draw(&loader->validation, i, &fixed);
    if (loader->options.flatten > 0)
        flatten(loader);
    return loader->training.count;
}

uint64_t loader_validation_size(const struct loader *loader)
{
    return loader->validation.count;
}

/* Rows of the inputs that the pieces set, seen by `color`: eval/network.h defines them. All 32
 * places are computed, needed or not: loops of fixed length become vector instructions. */
static void list_features(const struct loader_options *options, const uint8_t *restrict squares,
                          const uint8_t *restrict codes, int color, uint16_t *restrict features)
{
    int king = 0;
    for (int i = 0; i < LOADER_PIECES; i++)
        king |= codes[i] == 2 * KING + color ? squares[i] : 0;
    const int turn = (color == WHITE ? 0 : 56) ^ ((king & 7) >= 4 ? 7 : 0);
    const int seat = king ^ turn;
    const int base = options->king_buckets[(seat >> 3) * 4 + (seat & 7)] * 768;
    for (int i = 0; i < LOADER_PIECES; i++) {
        const int type = codes[i] >= 2 * ROOK_WITH_RIGHT ? ROOK : codes[i] >> 1;
        const int enemy = (codes[i] & 1) ^ color;
        features[i] = (uint16_t)(base + enemy * 384 + type * 64 + (squares[i] ^ turn));
    }
}

static void unpack(const struct loader *loader, uint32_t unit, uint16_t padding, size_t slot,
                   const struct loader_batch *batch)
{
    const struct source *source = find_source(loader, unit);
    const uint8_t *packed = source->data + (size_t)(unit - source->first) * UNIT;
    const int color = packed[24] & 1;
    uint8_t squares[LOADER_PIECES];
    uint8_t codes[LOADER_PIECES];
    int count = 0;
    for (int i = 0; i < LOADER_PIECES / 2; i++) {
        codes[2 * i] = packed[8 + i] & 15;
        codes[2 * i + 1] = packed[8 + i] >> 4;
    }
    for (uint64_t occupied = bytes_get_u64le(packed); occupied && count < LOADER_PIECES; count++)
        squares[count] = (uint8_t)bb_pop(&occupied);
    memset(squares + count, 0, (size_t)(LOADER_PIECES - count));
    uint16_t *features = batch->features + slot * 2 * LOADER_PIECES;
    list_features(&loader->options, squares, codes, color, features);
    list_features(&loader->options, squares, codes, !color, features + LOADER_PIECES);
    for (int i = count; i < LOADER_PIECES; ++i)
        features[i] = features[LOADER_PIECES + i] = padding;
    const float sign = color == 0 ? 1 : -1;
    batch->pieces[slot] = (uint8_t)count;
    batch->score[slot] = sign * source->scale * (float)sample_score(packed);
    if (packed[SAMPLE_RESULT_AT] == SAMPLE_NO_RESULT) {
        batch->result[slot] = (float)logistic(batch->score[slot] / loader->options.score_unit);
        batch->lambda[slot] = 1;
    } else {
        batch->result[slot] = 0.5f + sign * ((float)packed[SAMPLE_RESULT_AT] / 2 - 0.5f);
        batch->lambda[slot] = source->lambda;
    }
}

/* Positions are read at random places in memory. The places of a group are drawn and prefetched
 * first, so that many reads are under way at a time. */
const char *loader_next(struct loader *loader, size_t count, uint16_t padding,
                        const struct loader_batch *batch)
{
    const bool is_stream = loader->stream.count > 0;
    const char *fault = NULL;
    uint32_t group[GROUP];
    for (size_t start = 0; start < count && !fault; start += GROUP) {
        const size_t size = count - start < GROUP ? count - start : GROUP;
        for (size_t i = 0; i < size; i++) {
            if (loader->drawn == loader->training.count)
                loader->drawn = 0;
            draw(&loader->training, loader->drawn, &loader->random);
            group[i] = loader->training.items[loader->drawn++];
            __builtin_prefetch(find_packed(loader, group[i]));
        }
        for (size_t i = 0; i < size; i++) {
            unpack(loader, group[i], padding, start + i, batch);
            if (is_stream && !fault)
                fault = loader_stream_replace(loader, group[i]);
        }
    }
    return fault;
}

void loader_validation(const struct loader *loader, size_t start, size_t count, uint16_t padding,
                       const struct loader_batch *batch)
{
    for (size_t i = 0; i < count; ++i)
        unpack(loader, loader->validation.items[start + i], padding, i, batch);
}

const uint8_t *loader_packed(const struct loader *loader, size_t number)
{
    return find_packed(loader, loader->validation.items[number]);
}
