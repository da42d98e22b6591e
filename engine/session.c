#include "engine/session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/append_file.h"
#include "base/file.h"
#include "base/thread_pool.h"
#include "book/uci/wdl.h"
#include "chess/fen.h"
#include "chess/game.h"
#include "engine/thinker.h"
#include "eval/network.h"
#include "search/tb.h"

/* The file of the option Debug Log File: each line that the engine reads, after ">> ", and each
 * that it writes, after "<< ". Any thread may add lines. */
struct debug_log {
    pthread_mutex_t mutex;
    struct append_file *file; /* under `mutex`; NULL after a failure */
};

struct session {
    struct output out;
    struct debug_log *log; /* from Debug Log File; NULL: none */
    /* These seven belong to the input thread while idle, to the search thread while busy. */
    struct options options;
    struct game *game;
    struct thinker thinker;
    struct go go;
    struct search *bench;   /* what to do instead of `go`, owned; NULL: none */
    struct bench_task task; /* of `bench` */
    bool task_failed;

    struct book_set *books;
    struct tb *tb;              /* from SyzygyPath; NULL: none */
    struct network *network;    /* from EvalFile; NULL: the built-in one is used */
    atomic_bool stopped;        /* for perft and bench, which the search does not know */
    struct thread_pool *thread; /* one, which answers; NULL until it is made */
};

/* The debug log ------------------------------------------------------------------------------ */

/* NULL is allowed. */
static void debug_log_close(struct debug_log *log)
{
    if (!log)
        return;
    append_file_close(log->file);
    (void)pthread_mutex_destroy(&log->mutex);
    free(log);
}

/* Opens `path`, or makes it; what it holds stays, lines are added. Nobody else can log into it
 * until debug_log_close(). Errors: STATUS_IO, STATUS_NO_MEMORY; `diag` says "PATH: why". */
static enum caxton_status debug_log_open(const char *path, struct debug_log **out,
                                         struct diag *diag)
{
    struct debug_log *log = calloc(1, sizeof *log);
    if (!log || pthread_mutex_init(&log->mutex, NULL) != 0) {
        free(log);
        diag_set(diag, 0, 0, "%s: out of memory", path);
        return STATUS_NO_MEMORY;
    }
    enum caxton_status status = append_file_open(path, &log->file, diag);
    if (status == STATUS_OK)
        *out = log;
    else
        debug_log_close(log);
    return status;
}

static bool is_newline(char c)
{
    return c == '\r' || c == '\n';
}

/* Adds a line; `mark` begins it, and newlines at its end are left out. After the first failure
 * nothing more is written and every line is fine. Errors: STATUS_IO; `diag` as above. */
static enum caxton_status debug_log_add(struct debug_log *log, const char *mark, struct span line,
                                        struct diag *diag)
{
    enum { PARTS = 3 };
    while (line.size && is_newline(line.data[line.size - 1]))
        line.size--;
    const struct span parts[PARTS] = {span_of(mark), line, span_of("\n")};
    enum caxton_status status = STATUS_OK;
    (void)pthread_mutex_lock(&log->mutex);
    for (int i = 0; i < PARTS && log->file && status == STATUS_OK; i++)
        status = append_file_add(log->file, parts[i].data, parts[i].size, diag);
    if (status != STATUS_OK) {
        append_file_close(log->file);
        log->file = NULL;
    }
    (void)pthread_mutex_unlock(&log->mutex);
    return status;
}

/* Both threads ----------------------------------------------------------------------------- */

static void log_line(struct session *session, const char *mark, struct span line)
{
    struct diag diag;
    if (debug_log_add(session->log, mark, line, &diag) == STATUS_OK)
        return;
    struct output interface_only = {.stream = session->out.stream};
    report_string(&interface_only, "Debug Log File: %s; nothing more is logged", diag.text);
}

static void on_line_written(void *context, const char *line)
{
    log_line(context, "<< ", span_of(line));
}

/* The search thread ------------------------------------------------------------------------ */

static void on_info(void *context, const struct search_info *info)
{
    struct session *session = context;
    report_info(&session->out, session_style(session), info);
}

static void on_current(void *context, int depth, move m, int number)
{
    struct session *session = context;
    report_current(&session->out, session_style(session), depth, m, number);
}

static void answer_from_book(struct session *session, const struct book_answer *answer)
{
    struct report_style style = session_style(session);
    struct book_info info;
    player_report(session->books, session->thinker.eval, session->game, answer, style,
                  &session->out, &info);
    search_wait(session->thinker.search);
    if (session->go.request.ponder) /* programs record what comes after the ponderhit only */
        report_info(&session->out, style, &info.info);
    report_best(&session->out, style, answer->move, answer->ponder);
}

/* What the thread does for each session_go() or session_bench(). */
static void answer(void *context, int index)
{
    struct session *session = context;
    const struct search_request *request = &session->go.request;
    (void)index;
    if (session->bench) {
        session->task_failed =
            !session->task.run(&session->task, session->bench, &session->out, &session->stopped);
        return;
    }
    if (session->go.perft_depth > 0) {
        perft_divide(game_position(session->game), session->go.perft_depth,
                     session_style(session).chess960, &session->out, &session->stopped);
        return;
    }
    struct book_answer found;
    if (thinker_ask_book(&session->thinker, session->game, &session->options, request, &found)) {
        answer_from_book(session, &found);
        return;
    }
    if (movegen_count(&request->root) == 0) { /* now: the search may wait for a signal */
        char data[32];
        struct text_buffer text = text_buffer_on(data, sizeof data);
        report_score(&text, position_in_check(&request->root) ? score_mated_in(0) : 0);
        report_line(&session->out, "info depth 0 score %s", data);
    }
    struct search_reporter reporter = {session, on_info, on_current};
    struct search_result result;
    thinker_search(&session->thinker, &session->options, request, &reporter, &result);
    report_best(&session->out, session_style(session), result.best, result.ponder);
}

/* The input thread ------------------------------------------------------------------------- */

struct session *session_create(FILE *out, uint64_t seed)
{
    struct session *session = calloc(1, sizeof *session);
    if (!session)
        return NULL;
    session->out = (struct output){.stream = out, .context = session};
    session->game = game_create();
    options_init(&session->options);
    if (session->game && thinker_init(&session->thinker, seed) == STATUS_OK &&
        session_set_book(session, "") &&
        thread_pool_create(1, answer, session, &session->thread) == STATUS_OK)
        return session;
    session_destroy(session);
    return NULL;
}

void session_destroy(struct session *session)
{
    if (!session)
        return;
    if (session->thread)
        session_finish(session);
    thread_pool_destroy(session->thread);
    thinker_free(&session->thinker);
    tb_close(session->tb);
    network_free(session->network);
    book_set_close(session->books);
    debug_log_close(session->log);
    game_destroy(session->game);
    free(session);
}

struct output *session_out(struct session *session)
{
    return &session->out;
}

struct options *session_options(struct session *session)
{
    return &session->options;
}

struct report_style session_style(const struct session *session)
{
    /* Where king and rook do not start on their usual squares, e1g1 may mean two things. */
    bool chess960 = session->options.chess960 || fen_is_chess960(game_start(session->game));
    return (struct report_style){.chess960 = chess960,
                                 .wdl = session->options.show_wdl,
                                 .material = wdl_material(game_position(session->game))};
}

struct game *session_game(struct session *session)
{
    return session->game;
}

struct book_set *session_books(struct session *session)
{
    return session->books;
}

const struct network *session_network(struct session *session)
{
    return session->network ? session->network : network_builtin();
}

bool session_wait(struct session *session)
{
    thread_pool_wait(session->thread);
    search_destroy(session->bench);
    session->bench = NULL;
    free(session->task.starts);
    session->task.starts = NULL;
    return !session->task_failed;
}

bool session_will_end(const struct session *session)
{
    const struct go *go = &session->go;
    return session->bench || thread_pool_is_parked(session->thread, 0) || go->perft_depth > 0 ||
           !(go->request.infinite || go->request.ponder);
}

void session_wait_for_count(struct session *session)
{
    if (session->bench || session->go.perft_depth > 0)
        (void)session_wait(session);
}

void session_stop(struct session *session)
{
    atomic_store(&session->stopped, true);
    search_stop(session->bench ? session->bench : session->thinker.search);
}

void session_finish(struct session *session)
{
    session_stop(session);
    (void)session_wait(session);
}

void session_ponderhit(struct session *session)
{
    search_ponderhit(session->thinker.search);
}

void session_go(struct session *session, const struct go *go, int64_t start_ms)
{
    session_finish(session);
    session->go = *go;
    thinker_prepare(session->game, &session->options, &session->go.request);
    atomic_store(&session->stopped, false);
    search_arm(session->thinker.search, go->request.ponder, start_ms);
    thread_pool_start(session->thread);
}

void session_bench(struct session *session, const struct bench_task *task)
{
    session_finish(session);
    session->bench = search_create();
    session->task = *task;
    if (!session->bench) {
        report_string(&session->out, "%s", status_name(STATUS_NO_MEMORY));
        session->task_failed = true;
        return;
    }
    search_set_network(session->bench, session_network(session));
    atomic_store(&session->stopped, false);
    thread_pool_start(session->thread);
}

void session_new_game(struct session *session)
{
    session_finish(session);
    /* Again: a line at the start of the program is easily missed. */
    player_report_faults(session->books, true, &session->out);
    struct position start;
    position_start(&start);
    game_reset(session->game, &start);
    thinker_new_game(&session->thinker);
}

bool session_set_hash(struct session *session, int megabytes)
{
    enum caxton_status status = search_set_hash(session->thinker.search, megabytes);
    if (status != STATUS_OK)
        report_string(&session->out, "no %d MB for the hash table: %s; it stays at %d MB",
                      megabytes, status_name(status), session->options.hash_mb);
    return status == STATUS_OK;
}

bool session_set_threads(struct session *session, int count)
{
    enum caxton_status status = search_set_threads(session->thinker.search, count);
    if (status != STATUS_OK)
        report_string(&session->out, "no %d threads: %s; there are still %d", count,
                      status_name(status), session->options.threads);
    return status == STATUS_OK;
}

bool session_set_network(struct session *session, const char *file)
{
    struct network *network = NULL;
    struct diag diag;
    if (*file && network_load(file, &network, &diag) != STATUS_OK) {
        report_string(&session->out, "EvalFile: %s; the evaluation stays as it is", diag.text);
        return false;
    }
    struct network *old = session->network;
    session->network = network;
    thinker_set_network(&session->thinker, session_network(session));
    network_free(old);
    return true;
}

bool session_set_tb(struct session *session, const char *folders)
{
    search_set_tb(session->thinker.search, NULL);
    tb_close(session->tb);
    session->tb = NULL;
    /* Debian's xboard sends this path at every start, whether or not it is there. */
    bool is_absent_default =
        strcmp(folders, "/EGT/Syzygy") == 0 && file_kind_of(folders, NULL) == FILE_ABSENT;
    if (!*folders || is_absent_default)
        return true;
    struct diag diag;
    if (tb_open(folders, &session->tb, &diag) != STATUS_OK) {
        report_string(&session->out, "SyzygyPath: %s; no tables are used", diag.text);
        return true;
    }
    struct tb_size size = tb_size(session->tb);
    if (size.results)
        report_string(&session->out,
                      "SyzygyPath: %d tables of results and %d of distances, up to %d men",
                      size.results, size.distances, size.pieces_max);
    else
        report_string(&session->out, "SyzygyPath: there are no tables in %s", folders);
    search_set_tb(session->thinker.search, session->tb);
    return true;
}

bool session_set_book(struct session *session, const char *files)
{
    player_open(files, &session->books, &session->out);
    session->thinker.books = session->books;
    return true;
}

void session_clear_hash(struct session *session)
{
    search_clear(session->thinker.search);
}

bool session_set_log(struct session *session, const char *file)
{
    struct diag diag;
    session->out.copy = NULL;
    debug_log_close(session->log); /* first: it may be the same file */
    session->log = NULL;
    if (*file && debug_log_open(file, &session->log, &diag) != STATUS_OK) {
        report_string(&session->out, "Debug Log File: %s; nothing is logged", diag.text);
        return false;
    }
    if (session->log)
        session->out.copy = on_line_written;
    return true;
}

void session_log_input(struct session *session, struct span line)
{
    if (session->log)
        log_line(session, ">> ", line);
}
