#include "search/worker_report.h"

enum { SLOW_MS = 3000, CURRENT_MIN_NODES = 100000 };

bool worker_report_is_slow(const struct worker *worker)
{
    return worker_elapsed_ms(worker) >= SLOW_MS;
}

int worker_report_lines(const struct worker *worker)
{
    int wanted = worker->shared->request.multipv;
    return wanted < worker->root_count ? wanted : worker->root_count;
}

void worker_report_line(const struct worker *worker, int line)
{
    struct shared *shared = worker->shared;
    const struct root_move *root = &worker->root_moves[line];
    enum score_bound bound;
    int score = root_move_shown_score(root, &bound);
    if (!shared->reporter.info || score == -SCORE_INFINITE)
        return;
    shared->reported_pondering = signals_pondering(&shared->signals);
    int64_t time = worker_elapsed_ms(worker);
    uint64_t nodes = shared_nodes(shared);
    bool is_new = root->score != -SCORE_INFINITE || worker->root_depth <= 1;
    struct search_info info = {
        .depth = is_new ? worker->root_depth : worker->root_depth - 1,
        .seldepth = root->seldepth,
        .multipv = line + 1,
        .score = score,
        .bound = bound,
        .nodes = nodes,
        .nps = nodes * 1000 / (uint64_t)(time > 0 ? time : 1),
        .time_ms = time,
        .hashfull = tt_hashfull(&shared->tt),
        .tbhits = shared_tb_hits(shared),
        .pv = root->pv,
        .pv_length = root->pv_length,
    };
    shared->reporter.info(shared->reporter.context, &info);
}

void worker_report_all(const struct worker *worker)
{
    int lines = worker_report_lines(worker);
    for (int line = 0; line < lines; line++)
        worker_report_line(worker, line);
}

void worker_report_current(const struct worker *worker, int depth, move m, int number)
{
    const struct shared *shared = worker->shared;
    if (worker->index == 0 && shared->reporter.current &&
        worker_nodes(worker) > CURRENT_MIN_NODES && worker_report_is_slow(worker))
        shared->reporter.current(shared->reporter.context, depth, m, number + worker->pv_index);
}
