#include "book/adapter/adapter.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/program.h"
#include "base/thread.h"
#include "book/adapter/peer.h"
#include "book/uci/go.h"
#include "book/uci/player.h"
#include "book/uci/position.h"
#include "book/uci/wdl.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "eval/eval.h"

/* Our options; the default of BookFile is what the command line says. */
#define ROW_CHECK(FIELD, ...)  OPTION_CHECK_ROW(struct book_options, FIELD, __VA_ARGS__)
#define ROW_SPIN(FIELD, ...)   OPTION_SPIN_ROW(struct book_options, FIELD, __VA_ARGS__)
#define ROW_COMBO(FIELD, ...)  OPTION_COMBO_ROW(struct book_options, FIELD, __VA_ARGS__)
#define ROW_STRING(FIELD, ...) OPTION_STRING_ROW(struct book_options, FIELD, __VA_ARGS__)

static const struct option book_rows[] = {
    BOOK_OPTION_ROWS(ROW_CHECK, ROW_SPIN, ROW_COMBO, ROW_STRING, NULL){0}};

enum {
    ROW_MAX = sizeof book_rows / sizeof *book_rows,
    POLL_MS = 100,   /* how often the clock is looked at */
    SLOW_FACTOR = 6, /* so many times longer may isready and the start take */
    GO_MAX = 4096,   /* of a `go` whose times are changed */
};

/* A copy of a line of the interface. */
struct kept_line {
    char *data; /* owned */
    size_t size;
    size_t capacity;
};

struct adapter {
    struct adapter_settings settings;
    struct output out;
    struct option rows[ROW_MAX];
    struct monitor monitor; /* guards all below */
    atomic_bool stop;       /* atomic: adapter_stop() was called, or there is nothing to wait for */

    /* The books. */
    struct book_options options;
    struct book_set *books;
    struct rng rng;
    struct eval *eval;

    /* What the interface has said. */
    struct span line;      /* the last, with its newline; borrowed */
    struct span arguments; /* behind its first word */
    struct game *game;
    struct position_memory memory;
    struct kept_line position;
    bool is_known;        /* the game is that of `position` */
    bool is_sent;         /* the engine has it, too */
    bool has_other_rules; /* UCI_Variant */
    bool chess960;
    bool analyse;
    bool show_wdl;
    int multipv;

    /* The last `go`. */
    struct kept_line words;
    struct go go;
    struct position root; /* of a known game */
    bool root_is_known;
    int64_t start_ms; /* when its clock began to run; 0: it ponders */
    bool is_stopped;
    bool is_disturbed;      /* something came since that may end a search: any word but isready */
    bool is_asked;          /* the engine owes its bestmove, */
    int64_t due_ms;         /* at this time; INT64_MAX: it may think as long as it likes */
    struct kept_line early; /* its bestmove, come too soon: for ponderhit or stop; size 0: none */
    bool is_from_book;
    bool waits; /* a book move does, for ponderhit or stop */
    struct book_answer answer;
    struct book_info info;

    /* The engine. The thread that reads from it starts and kills it. */
    struct peer peer;
    bool is_ready;    /* it has been introduced: it may be sent something */
    bool is_wanted;   /* it is to be started */
    int failures;     /* since the last `go` */
    int ready_count;  /* isready without readyok */
    int64_t ready_ms; /* when it was asked first */
    char fault[200];  /* why it could not be sent something; "": it could */
    int64_t end_ms;   /* when it must have ended; 0: it goes on */
    bool has_ended;   /* the thread that reads from it has */
    pthread_t reader; /* that thread */
    bool is_joined;   /* somebody waits for its end */
};

static bool keep(struct kept_line *kept, struct span line)
{
    kept->size = 0;
    if (!ARRAY_GROW(kept->data, kept->capacity, line.size + 1))
        return false;
    memcpy(kept->data, line.data, line.size);
    kept->data[line.size] = '\n';
    kept->size = line.size + 1;
    return true;
}

static struct report_style style_of(const struct adapter *adapter)
{
    return (struct report_style){
        .chess960 = adapter->chess960 || fen_is_chess960(game_start(adapter->game)),
        .wdl = adapter->show_wdl,
        .material = wdl_material(game_position(adapter->game)),
    };
}

/* To the engine. */

/* A line with its end. What fails is for the thread that reads. */
static void send(struct adapter *adapter, struct span line)
{
    struct diag diag;
    if (!adapter->is_ready || adapter->fault[0] ||
        child_send(adapter->peer.child, line, adapter->settings.patience_ms, &diag) == STATUS_OK)
        return;
    text_copy(adapter->fault, sizeof adapter->fault, span_of(diag.text));
}

static void send_kept(struct adapter *adapter, const struct kept_line *line)
{
    if (line->size)
        send(adapter, span_make(line->data, line->size));
}

static void send_position(struct adapter *adapter)
{
    if (!adapter->is_sent)
        send_kept(adapter, &adapter->position);
    adapter->is_sent = true;
}

/* The last `go` with the time that has passed since taken off. */
static void send_go_again(struct adapter *adapter)
{
    char data[GO_MAX];
    struct text_buffer line = text_buffer_on(data, sizeof data);
    struct span rest = span_make(adapter->words.data, adapter->words.size);
    int64_t spent_ms = adapter->start_ms ? clock_ms() - adapter->start_ms : 0;
    bool is_clock = false;
    for (struct span word; (word = span_token(&rest)).size;) {
        int64_t ms;
        if (is_clock && span_to_int(word, 1, INT64_MAX, &ms) == STATUS_OK)
            text_append(&line, "%lld ", (long long)(ms > spent_ms ? ms - spent_ms : 1));
        else
            text_append(&line, "%.*s ", (int)word.size, word.data);
        is_clock = span_equal(word, "movetime") ||
                   (adapter->root_is_known &&
                    span_equal(word, adapter->root.turn == WHITE ? "wtime" : "btime"));
    }
    text_append(&line, "\n");
    if (line.cut)
        send_kept(adapter, &adapter->words);
    else
        send(adapter, span_make(data, line.size));
}

/* The bestmove of the last `go`. */

/* It has been asked, stopped, or told that its clock runs: when would its move be much too late? */
static void set_due(struct adapter *adapter)
{
    const struct search_request *request = &adapter->go.request;
    int64_t limit_ms =
        request->movetime_ms >= 0 ? request->movetime_ms : request->time_ms[request->root.turn];
    int64_t now_ms = clock_ms();
    int64_t end_ms = adapter->start_ms + limit_ms;
    bool is_free = !adapter->start_ms || limit_ms < 0 || request->infinite;
    if (adapter->is_stopped || end_ms < now_ms) /* or a new run has no time left */
        end_ms = now_ms;
    adapter->due_ms =
        is_free && !adapter->is_stopped ? INT64_MAX : end_ms + adapter->settings.patience_ms;
}

static void end_go(struct adapter *adapter)
{
    adapter->is_asked = false;
    adapter->early.size = 0;
    adapter->ready_ms = clock_ms(); /* some answer isready only then */
    monitor_wake(&adapter->monitor);
}

/* Instead of an engine that has failed twice: without a thought, so that it gains nothing by it. */
static void play_any_move(struct adapter *adapter)
{
    move moves[MOVES_MAX];
    if (!adapter->root_is_known)
        report_line(&adapter->out, "bestmove 0000");
    else
        report_best(&adapter->out, style_of(adapter),
                    movegen_legal(&adapter->root, moves) ? moves[0] : MOVE_NONE, MOVE_NONE);
    end_go(adapter);
}

/* Is it a move of the position that was asked about? `why` says what is wrong. */
static bool is_good_answer(const struct adapter *adapter, struct span word, struct text_buffer *why)
{
    move m;
    if (!adapter->root_is_known || movegen_count(&adapter->root) == 0 ||
        move_from_uci(&adapter->root, word, &m) == STATUS_OK)
        return true;
    text_append(why, "%s answers with %s %.*s", child_name(adapter->peer.child),
                word.size ? "the illegal move" : "no move", report_quote_size(word), word.data);
    return false;
}

/* Its failures. */

static bool is_ending(const struct adapter *adapter)
{
    return adapter->end_ms || atomic_load(&adapter->stop);
}

static void give_up(struct adapter *adapter)
{
    for (; adapter->ready_count > 0; adapter->ready_count--)
        report_line(&adapter->out, "readyok");
    if (adapter->is_asked)
        play_any_move(adapter);
}

/* Kills it. The first time after a `go` it is to be started again. */
static void fail(struct adapter *adapter, const char *why)
{
    char text[sizeof adapter->fault];
    text_copy(text, sizeof text, span_of(why));
    peer_end(&adapter->peer);
    adapter->is_ready = false;
    adapter->fault[0] = '\0';
    if (is_ending(adapter))
        return;
    adapter->is_wanted = adapter->failures++ == 0;
    report_string(&adapter->out, "%s; %s", text,
                  adapter->is_wanted  ? "it is started again"
                  : adapter->is_asked ? "a legal move is played without it"
                                      : "the next go starts it again");
    if (!adapter->is_wanted)
        give_up(adapter);
}

/* A new run learns what the interface has said so far. */
static void tell_all(struct adapter *adapter)
{
    struct diag diag;
    adapter->is_ready = true;
    adapter->is_wanted = false;
    if (peer_send_options(&adapter->peer, adapter->settings.patience_ms, &diag) != STATUS_OK)
        text_copy(adapter->fault, sizeof adapter->fault, span_of(diag.text));
    adapter->is_sent = false;
    if (adapter->is_asked) {
        send_position(adapter);
        send_go_again(adapter);
        if (adapter->go.request.ponder && adapter->start_ms)
            send(adapter, span_of("ponderhit\n"));
        if (adapter->is_stopped)
            send(adapter, span_of("stop\n"));
    }
    set_due(adapter);
    for (int i = 0; i < adapter->ready_count; i++)
        send(adapter, span_of("isready\n"));
    adapter->ready_ms = clock_ms();
}

static void start_again(struct adapter *adapter)
{
    struct diag diag;
    adapter->is_wanted = false;
    monitor_unlock(&adapter->monitor);
    enum caxton_status status = peer_start(&adapter->peer, &adapter->stop, &diag);
    monitor_lock(&adapter->monitor);
    if (status == STATUS_OK)
        tell_all(adapter);
    else
        fail(adapter, diag.text);
}

/* It does not answer: it is silent, or writes something else. */
static void look_at_clock(struct adapter *adapter)
{
    char text[160];
    struct text_buffer why = text_buffer_on(text, sizeof text);
    int64_t now_ms = clock_ms();
    if (adapter->fault[0])
        text_append(&why, "%s", adapter->fault);
    else if (adapter->is_asked && now_ms > adapter->due_ms)
        text_append(&why, "%s gives no move, %lld s after its time",
                    child_name(adapter->peer.child),
                    (long long)adapter->settings.patience_ms / 1000);
    else if (!adapter->is_asked && adapter->ready_count &&
             now_ms > adapter->ready_ms + SLOW_FACTOR * adapter->settings.patience_ms)
        text_append(&why, "%s does not answer isready", child_name(adapter->peer.child));
    if (why.size)
        fail(adapter, text);
}

/* From the engine. */

static bool is_answer(struct span line)
{
    struct span word = span_token(&line);
    return span_equal(word, "bestmove") || span_equal(word, "readyok");
}

/* An analysis ends with stop, pondering with that or ponderhit; engines that have found a mate end
 * by themselves. */
static bool is_early(const struct adapter *adapter)
{
    return !adapter->is_disturbed && (adapter->go.request.infinite || !adapter->start_ms);
}

/* line: a bestmove that the engine owed. */
static void pass_answer(struct adapter *adapter, struct span line)
{
    if (adapter->root_is_known && movegen_count(&adapter->root) == 0)
        report_best(&adapter->out, style_of(adapter), MOVE_NONE, MOVE_NONE); /* they write any */
    else
        report_raw(&adapter->out, line);
    end_go(adapter);
}

static void take_answer(struct adapter *adapter, struct span line)
{
    char text[160];
    struct text_buffer why = text_buffer_on(text, sizeof text);
    struct span rest = line;
    if (span_equal(span_token(&rest), "readyok")) {
        adapter->ready_count -= adapter->ready_count > 0;
        adapter->ready_ms = clock_ms();
        report_raw(&adapter->out, line);
    } else if (!adapter->is_asked) {
        report_raw(&adapter->out, line);
    } else if (!is_good_answer(adapter, span_token(&rest), &why)) {
        fail(adapter, text);
    } else if (!is_early(adapter) || !keep(&adapter->early, line)) {
        pass_answer(adapter, line);
    }
}

/* A line of the engine, or none. */
static void take_line(struct adapter *adapter, enum caxton_status status, struct span line,
                      const char *why)
{
    if (status == STATUS_OK && is_answer(line))
        take_answer(adapter, line);
    else if (status == STATUS_OK || status == STATUS_NOT_FOUND)
        look_at_clock(adapter);
    else
        fail(adapter, why);
    if (status == STATUS_OK && !adapter->is_asked && adapter->end_ms) /* a bench goes on */
        adapter->end_ms = clock_ms() + adapter->settings.patience_ms;
    if (adapter->end_ms && (clock_ms() > adapter->end_ms || atomic_load(&adapter->stop)))
        peer_end(&adapter->peer);
}

/* The thread that reads what the engine writes, until the adapter ends. */
static void *read_engine(void *context)
{
    struct adapter *adapter = context;
    monitor_lock(&adapter->monitor);
    for (;;) {
        if (!adapter->peer.child) {
            if (is_ending(adapter))
                break;
            if (adapter->is_wanted)
                start_again(adapter);
            else
                (void)pthread_cond_wait(&adapter->monitor.changed, &adapter->monitor.mutex);
            continue;
        }
        struct span line;
        struct diag diag = {.text = ""};
        monitor_unlock(&adapter->monitor);
        enum caxton_status status =
            child_read_line_within(adapter->peer.child, POLL_MS, &line, &diag);
        /* Without the lock: an interface that does not read it may be writing to us. */
        if (status == STATUS_OK && !is_answer(line))
            report_raw(&adapter->out, line);
        monitor_lock(&adapter->monitor);
        take_line(adapter, status, line, diag.text);
    }
    adapter->has_ended = true;
    monitor_wake(&adapter->monitor);
    monitor_unlock(&adapter->monitor);
    return NULL;
}

/* From the interface. */

/* The bestmove that waits for its time. False: none does. */
static bool give_answer(struct adapter *adapter)
{
    if (adapter->early.size) {
        pass_answer(adapter, span_make(adapter->early.data, adapter->early.size - 1));
        return true;
    }
    if (!adapter->waits)
        return false;
    adapter->waits = false;
    report_info(&adapter->out, style_of(adapter), &adapter->info.info); /* again */
    report_best(&adapter->out, style_of(adapter), adapter->answer.move, adapter->answer.ponder);
    return true;
}

static void answer_from_book(struct adapter *adapter)
{
    struct report_style style = style_of(adapter);
    player_report(adapter->books, adapter->eval, adapter->game, &adapter->answer, style,
                  &adapter->out, &adapter->info);
    adapter->waits = adapter->go.request.ponder;
    if (!adapter->waits)
        report_best(&adapter->out, style, adapter->answer.move, adapter->answer.ponder);
}

static bool ask_book(struct adapter *adapter)
{
    bool is_analysis = adapter->analyse || adapter->multipv > 1 || adapter->go.perft_depth > 0;
    return adapter->is_known && !adapter->has_other_rules &&
           player_ask(adapter->books, adapter->game, &adapter->options, &adapter->go.request,
                      is_analysis, adapter->options.depth_plies, &adapter->rng, &adapter->answer);
}

/* Ends what an interface that does not wait for a bestmove has asked before. */
static void end_last_go(struct adapter *adapter)
{
    (void)give_answer(adapter);
    if (adapter->is_asked && !adapter->is_stopped) {
        send(adapter, span_of("stop\n"));
        adapter->is_stopped = true;
        set_due(adapter);
    }
    while (adapter->is_asked)
        (void)pthread_cond_wait(&adapter->monitor.changed, &adapter->monitor.mutex);
}

static void take_go(struct adapter *adapter)
{
    end_last_go(adapter);
    const struct position *pos = game_position(adapter->game);
    go_parse(adapter->arguments, pos, NULL, &adapter->go);
    adapter->start_ms = adapter->go.request.ponder ? 0 : clock_ms();
    adapter->is_stopped = adapter->is_disturbed = false;
    adapter->failures = 0;
    adapter->is_from_book = ask_book(adapter);
    if (adapter->is_from_book) {
        answer_from_book(adapter);
        return;
    }
    adapter->root = *pos;
    adapter->root_is_known = adapter->is_known && !adapter->has_other_rules;
    adapter->is_asked =
        adapter->go.perft_depth == 0 && keep(&adapter->words, span_trim(adapter->line));
    set_due(adapter);
    if (adapter->is_ready || !adapter->is_asked) {
        send_position(adapter);
        send(adapter, adapter->line);
    } else {
        adapter->is_wanted = true;
        monitor_wake(&adapter->monitor);
    }
}

static void take_position(struct adapter *adapter)
{
    (void)give_answer(adapter);
    adapter->is_sent = false;
    adapter->is_known = keep(&adapter->position, span_trim(adapter->line)) &&
                        position_command(adapter->game, &adapter->memory, adapter->arguments, NULL);
    if (!adapter->is_known) /* it may say what is wrong */
        send_position(adapter);
}

static void take_stop(struct adapter *adapter)
{
    if (give_answer(adapter))
        return; /* the engine does not search */
    if (adapter->is_asked) {
        adapter->is_stopped = true;
        set_due(adapter);
    }
    if (!adapter->is_from_book)
        send(adapter, adapter->line);
}

static void take_ponderhit(struct adapter *adapter)
{
    if (give_answer(adapter))
        return;
    if (adapter->is_asked && !adapter->start_ms) {
        adapter->start_ms = clock_ms();
        set_due(adapter);
    }
    if (!adapter->is_from_book)
        send(adapter, adapter->line);
}

static void take_isready(struct adapter *adapter)
{
    if (!adapter->is_ready && !adapter->is_wanted && adapter->failures > 1) {
        report_line(&adapter->out, "readyok");
        return;
    }
    if (adapter->ready_count++ == 0)
        adapter->ready_ms = clock_ms();
    send(adapter, adapter->line);
}

static void take_ucinewgame(struct adapter *adapter)
{
    end_last_go(adapter);      /* engines wait for the end of their search before they obey */
    adapter->is_known = false; /* engines differ in whether this sets up the pieces */
    player_report_faults(adapter->books, true, &adapter->out);
    send(adapter, adapter->line);
}

static void take_uci(struct adapter *adapter)
{
    peer_introduce(&adapter->peer, &adapter->out);
    player_report_books(adapter->books, &adapter->out);
}

/* What the engine's options say that concerns the books. */
static void note_option(struct adapter *adapter, struct span name, struct span text)
{
    int64_t number;
    bool is_true = span_equal_nocase(text, "true");
    if (span_equal_nocase(name, "UCI_Chess960"))
        adapter->chess960 = is_true;
    else if (span_equal_nocase(name, "UCI_AnalyseMode"))
        adapter->analyse = is_true;
    else if (span_equal_nocase(name, "UCI_ShowWDL"))
        adapter->show_wdl = is_true;
    else if (span_equal_nocase(name, "UCI_Variant"))
        adapter->has_other_rules = !span_equal_nocase(text, "chess") &&
                                   !span_equal_nocase(text, "chess960") &&
                                   !span_equal_nocase(text, "fischerandom");
    else if (span_equal_nocase(name, "MultiPV") &&
             span_to_int(text, 0, INT32_MAX, &number) == STATUS_OK)
        adapter->multipv = (int)number;
}

static void set_own_option(struct adapter *adapter, const struct option *option, struct span text)
{
    struct option_value value;
    if (!option_read(&adapter->out, option, text, &value))
        return;
    option_store(&adapter->options, option, &value);
    if (option->type == TYPE_STRING)
        player_open(adapter->options.file, &adapter->books, &adapter->out);
}

static void set_peer_option(struct adapter *adapter, struct span name, struct span value)
{
    struct span own = peer_option_name(&adapter->peer, name);
    struct span line = adapter->line;
    line = span_make(own.data, (size_t)(line.data + line.size - own.data));
    note_option(adapter, own, value);
    if (value.data && peer_keep_option(&adapter->peer, own, line) != STATUS_OK)
        report_string(&adapter->out, "out of memory");
    send(adapter, span_of(peer_setoption));
    send(adapter, line);
}

static void take_setoption(struct adapter *adapter)
{
    bool has_value;
    struct span name = option_take_name(&adapter->arguments, &has_value);
    struct span value = span_trim(adapter->arguments);
    const struct option *option = name.data ? option_find(adapter->rows, name) : NULL;
    (void)give_answer(adapter);
    if (option && !has_value)
        report_string(&adapter->out, "setoption: %s needs a value", option->name);
    else if (option)
        set_own_option(adapter, option, value);
    else if (name.data)
        set_peer_option(adapter, name, has_value ? value : span_make(NULL, 0));
    else
        send(adapter, adapter->line);
}

static void take_quit(struct adapter *adapter)
{
    (void)give_answer(adapter);
    adapter->end_ms = clock_ms() + adapter->settings.patience_ms;
    if (!adapter->is_ready)
        atomic_store(&adapter->stop, true); /* it is being started */
    send(adapter, span_of("quit\n"));
    monitor_wake(&adapter->monitor);
}

static const struct {
    const char *name;
    void (*take)(struct adapter *adapter);
} commands[] = {
    {"uci", take_uci},
    {"isready", take_isready},
    {"ucinewgame", take_ucinewgame},
    {"setoption", take_setoption},
    {"position", take_position},
    {"go", take_go},
    {"stop", take_stop},
    {"ponderhit", take_ponderhit},
    {"quit", take_quit},
};

/* line: with a newline. */
static void take_command(struct adapter *adapter, struct span line)
{
    adapter->line = adapter->arguments = line;
    struct span name = span_token(&adapter->arguments);
    adapter->is_disturbed |= !span_equal(name, "isready");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (span_equal(name, commands[i].name)) {
            commands[i].take(adapter);
            return;
        }
    if (!name.size)
        return;
    adapter->is_from_book = false; /* stop may be about this */
    send_position(adapter);        /* and this about the position */
    send(adapter, line);
}

/* Its life. */

static enum caxton_status open_books(struct adapter *adapter, struct diag *diag)
{
    text_copy(adapter->options.file, OPTION_TEXT_MAX, span_of(adapter->settings.books));
    if (book_set_open(adapter->options.file, &adapter->books) != STATUS_OK)
        return STATUS_NO_MEMORY;
    for (int i = 0; i < book_set_remark_count(adapter->books); i++)
        if (book_set_is_failure(adapter->books, i))
            return diag_fail(STATUS_NOT_FOUND, diag, "%s", book_set_remark(adapter->books, i));
    return STATUS_OK;
}

static void set_rows(struct adapter *adapter)
{
    memcpy(adapter->rows, book_rows, sizeof book_rows);
    for (struct option *row = adapter->rows; row->name; row++) {
        row->alias = NULL; /* the engine may have an option of that name */
        if (row->type == TYPE_STRING)
            row->text = adapter->settings.books;
    }
    option_init(&adapter->options, adapter->rows);
}

enum caxton_status adapter_create(const struct adapter_settings *settings, struct adapter **out,
                                  struct diag *diag)
{
    struct adapter *adapter = calloc(1, sizeof *adapter);
    diag_set(diag, 0, 0, "out of memory");
    if (!adapter || monitor_init(&adapter->monitor) != STATUS_OK) {
        free(adapter);
        return STATUS_NO_MEMORY;
    }
    adapter->settings = *settings;
    adapter->out.stream = settings->out;
    adapter->multipv = 1;
    adapter->is_known = true; /* the start: engines begin with it */
    adapter->game = game_create();
    adapter->eval = eval_create();
    rng_seed(&adapter->rng, settings->seed);
    set_rows(adapter);
    adapter->peer = (struct peer){.command = settings->command,
                                  .start_ms = SLOW_FACTOR * settings->patience_ms,
                                  .ours = adapter->rows};
    enum caxton_status status =
        adapter->game && adapter->eval ? open_books(adapter, diag) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = peer_start(&adapter->peer, &adapter->stop, diag);
    if (status == STATUS_OK)
        *out = adapter;
    else
        adapter_destroy(adapter);
    return status;
}

void adapter_destroy(struct adapter *adapter)
{
    if (!adapter)
        return;
    peer_free(&adapter->peer);
    position_memory_free(&adapter->memory);
    free(adapter->position.data);
    free(adapter->words.data);
    free(adapter->early.data);
    book_set_close(adapter->books);
    eval_destroy(adapter->eval);
    game_destroy(adapter->game);
    monitor_destroy(&adapter->monitor);
    free(adapter);
}

/* Its end and a newline: what programs send. */
static bool end_line(struct program_line *line)
{
    while (line->size && strchr("\r\n", line->data[line->size - 1]))
        line->size--;
    if (!ARRAY_GROW(line->data, line->capacity, line->size + 1))
        return false;
    line->data[line->size++] = '\n';
    return true;
}

static void listen(struct adapter *adapter, FILE *in)
{
    struct program_line line = {0};
    bool has_ended = false;
    while (!has_ended) {
        has_ended = !program_read_line(in, &line) || ferror(adapter->out.stream);
        monitor_lock(&adapter->monitor);
        if (has_ended)
            take_quit(adapter);
        else if (line.is_cut || !end_line(&line))
            report_string(&adapter->out, "a line of more than %d bytes is skipped",
                          PROGRAM_LINE_MAX);
        else
            take_command(adapter, span_make(line.data, line.size));
        has_ended = adapter->end_ms != 0;
        monitor_unlock(&adapter->monitor);
    }
    free(line.data);
}

/* With the monitor locked; leaves it unlocked. A thread can be joined only once. */
static void join_reader(struct adapter *adapter)
{
    bool is_mine = !adapter->is_joined;
    adapter->is_joined = true;
    monitor_unlock(&adapter->monitor);
    if (is_mine)
        (void)pthread_join(adapter->reader, NULL);
}

enum caxton_status adapter_converse(struct adapter *adapter, FILE *in)
{
    monitor_lock(&adapter->monitor);
    tell_all(adapter);
    enum caxton_status status = thread_start(&adapter->reader, read_engine, adapter);
    adapter->has_ended = adapter->is_joined = status != STATUS_OK;
    monitor_unlock(&adapter->monitor);
    if (status != STATUS_OK)
        return status;
    listen(adapter, in);
    monitor_lock(&adapter->monitor);
    join_reader(adapter);
    return ferror(adapter->out.stream) ? STATUS_IO : STATUS_OK;
}

void adapter_stop(struct adapter *adapter)
{
    atomic_store(&adapter->stop, true);
    monitor_lock(&adapter->monitor);
    adapter->end_ms = clock_ms();
    monitor_wake(&adapter->monitor);
    int64_t deadline_ms = clock_ms() + adapter->settings.patience_ms;
    while (!adapter->has_ended && monitor_wait_until(&adapter->monitor, deadline_ms))
        continue;
    if (adapter->has_ended)
        join_reader(adapter);
    else
        monitor_unlock(&adapter->monitor);
}
