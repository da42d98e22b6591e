#include "book/count/input/unpack.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "book/count/input/zip.h"

#ifdef CAXTON_HAVE_ZLIB
#include <zlib.h>

static void *gzip_create(void)
{
    z_stream *stream = calloc(1, sizeof *stream);
    if (stream && inflateInit2(stream, 15 + 16) != Z_OK) { /* 16: gzip wrapping */
        free(stream);
        stream = NULL;
    }
    return stream;
}

static void gzip_destroy(void *state)
{
    (void)inflateEnd(state);
    free(state);
}

static enum caxton_status gzip_step(void *state, struct unpack_buffers *b, bool *frame_end)
{
    z_stream *stream = state;
    stream->next_in = (z_const Bytef *)b->in;
    stream->avail_in = (uInt)b->in_left;
    stream->next_out = b->out;
    stream->avail_out = (uInt)b->out_left;
    int result = inflate(stream, Z_NO_FLUSH);
    unpack_move_marks(b, b->in_left - stream->avail_in, b->out_left - stream->avail_out);
    *frame_end = result == Z_STREAM_END;
    if (result == Z_STREAM_END)
        result = inflateReset(stream);
    b->reason = stream->msg;
    if (result == Z_MEM_ERROR)
        return STATUS_NO_MEMORY;
    return result == Z_OK || result == Z_BUF_ERROR ? STATUS_OK : STATUS_FORMAT;
}
#else
#define gzip_create  NULL
#define gzip_destroy NULL
#define gzip_step    NULL
#define zip_create   NULL
#define zip_destroy  NULL
#define zip_step     NULL
#define zip_member   NULL
#define zip_refusal  NULL
#endif

#ifdef CAXTON_HAVE_BZIP2
#include <bzlib.h>

static void *bzip2_create(void)
{
    bz_stream *stream = calloc(1, sizeof *stream);
    if (stream && BZ2_bzDecompressInit(stream, 0, 0) != BZ_OK) {
        free(stream);
        stream = NULL;
    }
    return stream;
}

static void bzip2_destroy(void *state)
{
    (void)BZ2_bzDecompressEnd(state);
    free(state);
}

static enum caxton_status bzip2_step(void *state, struct unpack_buffers *b, bool *frame_end)
{
    bz_stream *stream = state;
    stream->next_in = (char *)(uintptr_t)b->in; /* the library reads only */
    stream->avail_in = (unsigned)b->in_left;
    stream->next_out = (char *)b->out;
    stream->avail_out = (unsigned)b->out_left;
    int result = BZ2_bzDecompress(stream);
    unpack_move_marks(b, b->in_left - stream->avail_in, b->out_left - stream->avail_out);
    *frame_end = result == BZ_STREAM_END;
    if (result == BZ_STREAM_END) {
        (void)BZ2_bzDecompressEnd(stream);
        memset(stream, 0, sizeof *stream);
        result = BZ2_bzDecompressInit(stream, 0, 0);
    }
    return result == BZ_OK ? STATUS_OK : result == BZ_MEM_ERROR ? STATUS_NO_MEMORY : STATUS_FORMAT;
}
#else
#define bzip2_create  NULL
#define bzip2_destroy NULL
#define bzip2_step    NULL
#endif

#ifdef CAXTON_HAVE_LZMA
#include <lzma.h>

static bool xz_start(lzma_stream *stream)
{
    return lzma_stream_decoder(stream, UINT64_MAX, 0) == LZMA_OK;
}

static void *xz_create(void)
{
    lzma_stream *stream = calloc(1, sizeof *stream);
    if (stream && !xz_start(stream)) {
        free(stream);
        stream = NULL;
    }
    return stream;
}

static void xz_destroy(void *state)
{
    lzma_end(state);
    free(state);
}

static enum caxton_status xz_step(void *state, struct unpack_buffers *b, bool *frame_end)
{
    lzma_stream *stream = state;
    stream->next_in = b->in;
    stream->avail_in = b->in_left;
    stream->next_out = b->out;
    stream->avail_out = b->out_left;
    (void)lzma_memlimit_set(stream, b->memory);
    lzma_ret result = lzma_code(stream, LZMA_RUN);
    unpack_move_marks(b, b->in_left - stream->avail_in, b->out_left - stream->avail_out);
    *frame_end = result == LZMA_STREAM_END;
    if (result == LZMA_STREAM_END)
        return xz_start(stream) ? STATUS_OK : STATUS_NO_MEMORY;
    if (result == LZMA_MEM_ERROR)
        return STATUS_NO_MEMORY;
    b->wanted = result == LZMA_MEMLIMIT_ERROR ? lzma_memusage(stream) : 0;
    b->reason = result == LZMA_OPTIONS_ERROR ? "options that this liblzma does not know" : NULL;
    return result == LZMA_OK || result == LZMA_BUF_ERROR ? STATUS_OK : STATUS_FORMAT;
}
#else
#define xz_create  NULL
#define xz_destroy NULL
#define xz_step    NULL
#endif

#ifdef CAXTON_HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

static void *zstd_create(void)
{
    return ZSTD_createDStream();
}

static void zstd_destroy(void *state)
{
    (void)ZSTD_freeDStream(state);
}

/* Of the frame that begins here, rounded up to what a limit can be; 0: more than any can be, or the
 * header is not all here. Source: RFC 8878, "Window Descriptor". */
static uint64_t zstd_window(const uint8_t *frame, size_t size, int log_max)
{
    enum { LOG_MIN = 10, SINGLE_SEGMENT = 0x20 };
    if (size < 6 || bytes_get_u32le(frame) != ZSTD_MAGICNUMBER)
        return 0;
    uint64_t window = (UINT64_C(8) + (frame[5] & 7)) << (LOG_MIN - 3 + (frame[5] >> 3));
    if (frame[4] & SINGLE_SEGMENT)
        window = ZSTD_getFrameContentSize(frame, size);
    int log = 0;
    while (log <= log_max && UINT64_C(1) << log < window)
        log++;
    return log <= log_max ? UINT64_C(1) << log : 0;
}

static enum caxton_status zstd_step(void *state, struct unpack_buffers *b, bool *frame_end)
{
    const uint8_t *start = b->in;
    ZSTD_inBuffer in = {b->in, b->in_left, 0};
    ZSTD_outBuffer out = {b->out, b->out_left, 0};
    int log_max = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound;
    int log = log_max;
    while (b->memory >> log == 0)
        log--;
    (void)ZSTD_DCtx_setParameter(state, ZSTD_d_windowLogMax, log); /* refused within a frame */
    size_t result = ZSTD_decompressStream(state, &out, &in);
    unpack_move_marks(b, in.pos, out.pos);
    *frame_end = result == 0;
    if (!ZSTD_isError(result))
        return STATUS_OK;
    ZSTD_ErrorCode code = ZSTD_getErrorCode(result);
    b->reason = ZSTD_getErrorString(code);
    if (code == ZSTD_error_frameParameter_windowTooLarge)
        b->wanted = zstd_window(start, in.size, log_max);
    return code == ZSTD_error_memory_allocation ? STATUS_NO_MEMORY : STATUS_FORMAT;
}
#else
#define zstd_create  NULL
#define zstd_destroy NULL
#define zstd_step    NULL
#endif

static const uint8_t gzip_magic[] = {0x1F, 0x8B};
static const uint8_t bzip2_magic[] = {'B', 'Z', 'h'};
static const uint8_t xz_magic[] = {0xFD, '7', 'z', 'X', 'Z', 0x00};
static const uint8_t zstd_magic[] = {0x28, 0xB5, 0x2F, 0xFD};

static const uint8_t zip_magic[] = {'P', 'K', 3, 4};
static const uint8_t empty_zip_magic[] = {'P', 'K', 5, 6};

static const struct unpacker unpackers[] = {
    {"gzip", gzip_magic, sizeof gzip_magic, gzip_create, gzip_destroy, gzip_step, NULL, NULL},
    {"bzip2", bzip2_magic, sizeof bzip2_magic, bzip2_create, bzip2_destroy, bzip2_step, NULL, NULL},
    {"xz", xz_magic, sizeof xz_magic, xz_create, xz_destroy, xz_step, NULL, NULL},
    {"ZIP", zip_magic, sizeof zip_magic, zip_create, zip_destroy, zip_step, zip_member,
     zip_refusal},
    {"ZIP", empty_zip_magic, sizeof empty_zip_magic, zip_create, zip_destroy, zip_step, zip_member,
     zip_refusal},
    {"zstd", zstd_magic, sizeof zstd_magic, zstd_create, zstd_destroy, zstd_step, NULL, NULL},
};

enum { UNPACKERS = sizeof unpackers / sizeof *unpackers };

/* A skippable frame, with which parallel zstd tools begin their files. */
static bool is_zstd_skippable(const uint8_t *start, size_t size)
{
    return size >= 4 && (start[0] & 0xF0) == 0x50 && start[1] == 0x2A && start[2] == 0x4D &&
           start[3] == 0x18;
}

const struct unpacker *unpacker_find(const uint8_t *start, size_t size)
{
    if (is_zstd_skippable(start, size))
        return &unpackers[UNPACKERS - 1];
    for (size_t i = 0; i < UNPACKERS; i++)
        if (size >= unpackers[i].magic_size &&
            memcmp(start, unpackers[i].magic, unpackers[i].magic_size) == 0)
            return &unpackers[i];
    return NULL;
}
