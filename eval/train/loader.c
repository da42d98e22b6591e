#define _DEFAULT_SOURCE /* MAP_ANON, madvise() */
/* Files of samples in, batches of features out. It is long because adding, filtering, shuffling and
 * unpacking share the numbers that stand for positions. */
#include "eval/train/loader.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/checksum.h"
#include "base/rng.h"
#include "chess/attacks.h"
#include "eval/relations.h"
#include "eval/train/sample_file.h"

/* A unit is a sample or the header of a block: 32 bytes both. */
enum { UNIT = SAMPLE_SIZE, MAX_FILES = 256, ROOK_WITH_RIGHT = 6, GROUP = 64 };

_Static_assert((int)SAMPLE_HEADER_SIZE == (int)SAMPLE_SIZE, "headers are units, too");

struct packed_samples {
    const uint8_t *data;
    size_t size;
    uint32_t first; /* number of its first 32-byte unit, over all files */
    float lambda;
    float scale;
};

/* A growing array of unit numbers. Block headers are units too, so a number is a place. */
struct list {
    uint32_t *items;
    size_t count;
    size_t capacity;
};

/* What a stream of samples needs besides. */
struct stream {
    const int *files;
    size_t count;
    size_t turn;    /* whose block is read next */
    uint8_t *block; /* owned: the samples of one block */
    size_t block_count;
    size_t block_at;     /* the next of them */
    bool for_validation; /* the game that it is of */
    uint32_t room;       /* places for training positions; those of the list are in use */
    float reuse;         /* draws for a new position */
    float credit;        /* draws since the last one */
    struct loader_report *report;
};

struct loader {
    struct loader_options options;
    struct packed_samples sources[MAX_FILES];
    size_t source_count;
    uint32_t units;
    struct list training;
    struct list validation;
    size_t drawn; /* of the current pass over `training` */
    uint64_t random;
    struct stream stream; /* count 0: there is none */
    struct relation_table relations;
};

/* Is the game that begins with this sample for validation? */
static bool loader_is_validation(const struct loader_options *options, const uint8_t *first);

/* The counter in `report` for this position: `kept`, or the reason why it is dropped. */
static uint64_t *loader_judge(const struct loader_options *options, float scale,
                              const uint8_t *packed, struct loader_report *report);

/* Adds a unit number. False when there is no memory. */
static bool loader_list_add(struct list *list, uint32_t item);

/* Samples of programs that never end: a room for them is kept, from which training positions are
 * drawn. New ones join them until the room is full, then take the places of those that were drawn.
 */

static const char *read_bytes(int file, uint8_t *to, size_t size)
{
    while (size > 0) {
        ssize_t got = read(file, to, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0 ? "has ended" : "cannot be read";
        to += got;
        size -= (size_t)got;
    }
    return NULL;
}

/* The block of the program whose turn it is. */
static const char *read_block(struct stream *stream)
{
    uint8_t header[SAMPLE_HEADER_SIZE];
    const int file = stream->files[stream->turn];
    stream->turn = (stream->turn + 1) % stream->count;
    stream->block_at = stream->block_count = 0;
    const char *fault = read_bytes(file, header, sizeof header);
    if (fault != NULL)
        return fault;
    const size_t count = bytes_get_u32le(header + SAMPLE_COUNT_AT);
    if (memcmp(header, SAMPLE_MAGIC, SAMPLE_MAGIC_SIZE) != 0 || count == 0 ||
        count > SAMPLE_BLOCK_MAX)
        return "does not write samples";
    fault = read_bytes(file, stream->block, count * SAMPLE_SIZE);
    if (fault != NULL)
        return fault;
    if (checksum_add(CHECKSUM_EMPTY, stream->block, count * SAMPLE_SIZE) !=
        bytes_get_u64le(header + SAMPLE_SUM_AT))
        return "writes a damaged block";
    stream->block_count = count;
    return NULL;
}

/* The next sample that the options keep. *for_validation: its game is for validation. */
static const char *next_sample(struct loader *loader, const uint8_t **out, bool *for_validation)
{
    struct stream *stream = &loader->stream;
    struct loader_report *report = stream->report;
    for (;;) {
        if (stream->block_at == stream->block_count) {
            const char *fault = read_block(stream);
            if (fault != NULL)
                return fault;
        }
        const uint8_t *packed = stream->block + stream->block_at++ * SAMPLE_SIZE;
        if (stream->block_at == 1 || (packed[SAMPLE_FLAGS_AT] & SAMPLE_FIRST)) {
            stream->for_validation = loader_is_validation(&loader->options, packed);
            ++report->games;
        }
        ++report->positions;
        uint64_t *counter =
            loader_judge(&loader->options, loader->sources[0].scale, packed, report);
        ++*counter;
        if (counter == &report->kept) {
            *out = packed;
            *for_validation = stream->for_validation;
            return NULL;
        }
    }
}

static uint8_t *place_of(const struct loader *loader, uint32_t unit)
{
    return (uint8_t *)(uintptr_t)loader->sources[0].data + (size_t)unit * UNIT;
}

/* The beginning of the room; the places of the validation positions are behind it. */
static const char *fill(struct loader *loader, const struct loader_streams *streams)
{
    uint32_t validation = 0;
    for (uint32_t unit = 0; unit < streams->begin;) {
        const uint8_t *packed;
        bool for_validation;
        const char *fault = next_sample(loader, &packed, &for_validation);
        if (fault != NULL)
            return fault;
        if (for_validation && validation == streams->validation)
            continue;
        const uint32_t place = for_validation ? streams->room + validation++ : unit++;
        memcpy(place_of(loader, place), packed, SAMPLE_SIZE);
        if (!loader_list_add(for_validation ? &loader->validation : &loader->training, place))
            return "needs more memory than there is";
    }
    return NULL;
}

const char *loader_open_streams(struct loader *loader, const struct loader_streams *streams,
                                struct loader_report *report)
{
    struct packed_samples *source = &loader->sources[0];
    const size_t size = ((size_t)streams->room + streams->validation) * UNIT;
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (room == MAP_FAILED)
        return "needs more memory than there is";
    (void)madvise(room, size, MADV_HUGEPAGE); /* drawn from at random: fewer misses, if it works */
    *source = (struct packed_samples){room, size, 0, streams->lambda, streams->scale};
    loader->source_count = 1;
    memset(report, 0, sizeof *report);
    report->scale = streams->scale;
    loader->stream = (struct stream){
        .files = streams->files,
        .count = streams->count,
        .block = malloc((size_t)SAMPLE_BLOCK_MAX * SAMPLE_SIZE),
        .room = streams->room,
        .reuse = streams->reuse,
        .report = report,
    };
    return loader->stream.block != NULL ? fill(loader, streams) : "needs more memory than there is";
}

/* After `unit` was drawn: takes the next sample of the streams when it is due, into a free place or
 * into that of `unit`. Returns NULL, or what is wrong. */
static const char *loader_stream_replace(struct loader *loader, uint32_t unit)
{
    struct stream *stream = &loader->stream;
    stream->credit += 1;
    if (stream->credit < stream->reuse)
        return NULL;
    stream->credit -= stream->reuse;
    const uint8_t *packed;
    bool for_validation;
    const char *fault = next_sample(loader, &packed, &for_validation);
    if (fault != NULL)
        return fault;
    const bool is_full = loader->training.count == stream->room;
    const uint32_t place = is_full ? unit : (uint32_t)loader->training.count;
    memcpy(place_of(loader, place), packed, SAMPLE_SIZE);
    return is_full || loader_list_add(&loader->training, place) ? NULL
                                                                : "needs more memory than there is";
}

static uint64_t hash_sample(const uint8_t *packed, uint64_t seed)
{
    for (int i = 0; i < UNIT; i += 8)
        seed = rng_mix(seed ^ bytes_get_u64le(packed + i));
    return seed;
}

static bool loader_is_validation(const struct loader_options *options, const uint8_t *first)
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
        attacks_init();
        relations_init(&loader->relations);
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

static bool loader_list_add(struct list *list, uint32_t item)
{
    if (!ARRAY_GROW(list->items, list->capacity, list->count + 1))
        return false;
    list->items[list->count++] = item;
    return true;
}

/* The block at `at`: its number of positions, 0 when it is torn, -1 when it is no block. */
static int64_t block_count(const struct packed_samples *source, size_t at)
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

static uint64_t *loader_judge(const struct loader_options *options, float scale,
                              const uint8_t *packed, struct loader_report *report)
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
static float fit_scale(const struct loader_options *options, const struct packed_samples *source)
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

static const char *map_file(const char *path, struct packed_samples *source)
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
static bool add_block(struct loader *loader, const struct packed_samples *source, size_t at,
                      int64_t count, double weight, struct loader_report *report)
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
    struct packed_samples *source = &loader->sources[loader->source_count];
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

static const struct packed_samples *find_source(const struct loader *loader, uint32_t unit)
{
    const struct packed_samples *source = &loader->sources[loader->source_count - 1];
    while (source->first > unit)
        --source;
    return source;
}

static const uint8_t *find_packed(const struct loader *loader, uint32_t unit)
{
    const struct packed_samples *source = find_source(loader, unit);
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

/* The relations that `color` sees. */
static void put_relations(const struct relation_table *table, const struct position *pos, int color,
                          uint16_t *relations, uint8_t *related)
{
    struct relations list;
    relations_list(table, pos, color, &list);
    const int count = list.count < LOADER_RELATED ? list.count : LOADER_RELATED;
    memcpy(relations, list.numbers, (size_t)count * sizeof *relations);
    for (int i = count; i < LOADER_RELATED; ++i)
        relations[i] = RELATIONS;
    *related = (uint8_t)count;
}

static void list_relations(const struct loader *loader, const uint8_t *squares,
                           const uint8_t *codes, int count, int color, uint16_t *relations,
                           uint8_t *related)
{
    struct position pos = {0};
    memset(pos.board, NO_PIECE, sizeof pos.board);
    for (int i = 0; i < count; ++i)
        position_put(&pos,
                     codes[i] >= 2 * ROOK_WITH_RIGHT ? piece_make(codes[i] & 1, ROOK) : codes[i],
                     squares[i]);
    put_relations(&loader->relations, &pos, color, relations, related);
    put_relations(&loader->relations, &pos, !color, relations + LOADER_RELATED, related + 1);
}

static void unpack(const struct loader *loader, uint32_t unit, uint16_t padding, size_t slot,
                   const struct loader_batch *batch)
{
    const struct packed_samples *source = find_source(loader, unit);
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
    if (batch->relations != NULL)
        list_relations(loader, squares, codes, count, color,
                       batch->relations + slot * 2 * LOADER_RELATED, batch->related + slot * 2);
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
