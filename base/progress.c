#include "base/progress.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/file.h"

enum { INTERVAL_MS = 200 };

void progress_start(struct progress *progress, bool quiet, uint64_t total_bytes)
{
    *progress = (struct progress){.shown = !quiet && file_is_terminal(stderr),
                                  .start_ms = clock_ms(),
                                  .total_bytes = total_bytes};
}

int64_t progress_elapsed_ms(const struct progress *progress)
{
    return clock_ms() - progress->start_ms;
}

bool progress_is_due(struct progress *progress)
{
    if (!progress->shown)
        return false;
    int64_t elapsed = progress_elapsed_ms(progress);
    if (elapsed - progress->last_ms < INTERVAL_MS)
        return false;
    progress->last_ms = elapsed;
    return true;
}

void progress_update(struct progress *progress, uint64_t bytes, uint64_t games)
{
    if (!progress_is_due(progress))
        return;
    double seconds = (double)progress->last_ms / 1000;
    double megabytes = (double)bytes / 1e6;
    (void)fprintf(stderr, "\r%llu games, %.1f MB", (unsigned long long)games, megabytes);
    if (progress->total_bytes)
        (void)fprintf(stderr, " of %.1f", (double)progress->total_bytes / 1e6);
    (void)fprintf(stderr, ", %.1f MB/s", megabytes / seconds);
    if (progress->total_bytes > bytes && bytes > 0) {
        double left = seconds * (double)(progress->total_bytes - bytes) / (double)bytes;
        (void)fprintf(stderr, ", %d:%02d left", (int)left / 60, (int)left % 60);
    }
    (void)fprintf(stderr, "\033[K");
    (void)fflush(stderr);
}

void progress_stage(struct progress *progress, const char *what)
{
    if (!progress->shown || progress->stage == what)
        return;
    progress->stage = what;
    (void)fprintf(stderr, "\r%s ...\033[K", what);
    (void)fflush(stderr);
}

void progress_share(struct progress *progress, const char *what, uint64_t done, uint64_t total)
{
    if (!progress->shown)
        return;
    if (progress->stage != what) {
        progress->stage = what;
        progress->stage_ms = progress_elapsed_ms(progress);
    }
    if (!progress_is_due(progress))
        return;
    double share = total ? (double)done / (double)total : 1;
    (void)fprintf(stderr, "\r%s: %.0f %%", what, share * 100);
    if (share > 0 && share < 1) {
        double left = (double)(progress->last_ms - progress->stage_ms) * (1 - share) / share / 1000;
        (void)fprintf(stderr, ", %d:%02d left", (int)(left / 60), (int)left % 60);
    }
    (void)fprintf(stderr, "\033[K");
    (void)fflush(stderr);
}

void progress_text(struct progress *progress, const char *text)
{
    if (!progress->shown)
        return;
    (void)fprintf(stderr, "\r%s\033[K", text);
    (void)fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->shown)
        (void)fprintf(stderr, "\r\033[K");
}
