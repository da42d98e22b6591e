/* makebook serve: statistics to programs that ask as they ask Lichess's opening explorer, and a
 * page for a browser. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory_stream.h"
#include "book/book.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/cli/sample_games.h"
#include "book/makebook/cli/stores.h"
#include "book/makebook/commands/commands.h"
#include "book/makebook/explore/explore_book.h"
#include "book/makebook/serve/site.h"
#include "chess/fen.h"

struct serve_command {
    struct option_texts lichess;
    struct option_texts masters;
    struct option_texts players;
    struct asked_facets facets;
    const char *host;
    int64_t port;
    bool cors;
    bool log;
    const char *start;
    const char *title;
    const char *engine;
    int64_t min_games;
    struct command_line line;
    struct source source;         /* of the page, where it is no file of the site */
    struct samples_file *samples; /* beside it */
    const char *store;
    struct store_reading searches;
    struct serve_site site;
};

static enum caxton_status write_page(const struct serve_command *command, const char *fen,
                                     struct span engine, struct memory_stream *out)
{
    struct explore_sizes sizes[2];
    const struct book *book = command->site.lookup.book;
    const char *title = file_name_of(book_name(book));
    const struct explore_page page = {
        .title = command->title ? command->title : title,
        .book = {.title = title,
                 .book = book,
                 .searches = command->store ? &command->searches : NULL},
        .served = fen,
        .engine = engine};
    enum caxton_status status =
        memory_stream_open(out) ? explore_page_write(&page, out->file, sizes) : STATUS_NO_MEMORY;
    return memory_stream_close(out) || status != STATUS_OK ? status : STATUS_NO_MEMORY;
}

static enum exit_status serve(struct serve_command *command, const struct position *root,
                              struct span engine)
{
    char fen[FEN_MAX];
    struct memory_stream page;
    struct diag diag = {.text = ""};
    fen_format(root, fen);
    if (!http_is_local(command->host))
        (void)command_fail(&command->line,
                           "warning: other machines can ask %s; what is served is for all of them",
                           command->host);
    enum caxton_status status = write_page(command, fen, engine, &page);
    command->site.page = span_make(page.bytes, page.size);
    const struct http_server server = {.host = command->host,
                                       .port = (unsigned)command->port,
                                       .cors = command->cors,
                                       .log = command->log,
                                       .routes = site_routes,
                                       .route_count = site_route_count,
                                       .answer = site_answer,
                                       .context = &command->site};
    if (status == STATUS_OK)
        status = http_serve(&server, &diag);
    free(page.bytes);
    if (status == STATUS_OK)
        return EXIT_DONE;
    return command_fail(&command->line, "%s", *diag.text ? diag.text : status_name(status));
}

/* A book without counts has a page alone. */
static bool open_operand(struct serve_command *command, const char *path, unsigned kinds)
{
    struct serve_site *site = &command->site;
    if (!source_open(&command->line, path, &command->source))
        return false;
    if (!command->source.book->counts || command->source.book->counts->mirrored) {
        site->lookup.book = command->source.book;
        return true;
    }
    if (strcmp(path, "-") == 0)
        return command_refuse(&command->line,
                              "standard input: statistics are looked up in a file: name one");
    source_close(&command->source);
    command->source = (struct source){.name = NULL};
    return site_add(&command->line, path, kinds, site);
}

/* All files; a FILE without an option is for what no option has. */
static bool open_files(struct serve_command *command)
{
    const struct command_line *line = &command->line;
    struct serve_site *site = &command->site;
    unsigned kinds = (command->lichess.count ? 0 : EXPLORER_LICHESS | EXPLORER_HISTORY) |
                     (command->masters.count ? 0 : EXPLORER_MASTERS);
    bool done = true;
    for (int i = 0; i < line->operand_count && done; i++)
        done = i == 0 ? open_operand(command, line->operands[i], kinds)
                      : site_add(line, line->operands[i], kinds, site);
    for (size_t i = 0; i < command->lichess.count && done; i++)
        done = site_add(line, command->lichess.items[i], EXPLORER_LICHESS | EXPLORER_HISTORY, site);
    for (size_t i = 0; i < command->masters.count && done; i++)
        done = site_add(line, command->masters.items[i], EXPLORER_MASTERS, site);
    for (size_t i = 0; i < command->players.count && done; i++)
        done = site_add_player(line, command->players.items[i], site);
    if (done && !site->lookup.book) {
        site->lookup.book = site->files[0].source.book;
        site->lookup.samples = site->files[0].samples;
        site->lookup.file = site->files[0].source.file;
    }
    return done;
}

static enum exit_status run(void *context)
{
    struct serve_command *command = context;
    struct command_line *line = &command->line;
    struct position root;
    struct diag diag = {.text = ""};
    uint8_t *engine = NULL;
    size_t engine_size = 0;
    if (!http_can_serve())
        return command_misuse(line, "there is no server in this build: it was made without "
                                    "libmicrohttpd (Debian: libmicrohttpd-dev)");
    if (!line->operand_count && !options_given(line, "lichess|masters|player"))
        return command_misuse(line, "no file given: FILE, --lichess, --masters or --player");
    if (source_is_read_once(line) != EXIT_DONE)
        return EXIT_USAGE;
    position_start(&root);
    if (command->start && command_position(line, command->start, &root, &diag) != STATUS_OK)
        return command_misuse(line, "--start: %s", diag.text);
    if (explore_engine_read(command->engine, &engine, &engine_size, &diag) != STATUS_OK)
        return command_fail(line, "%s", diag.text);
    enum exit_status status = EXIT_FAILED;
    if (open_files(command) && store_reading_open(line, command->store, &command->searches)) {
        command->site.lookup.scores = command->store ? &command->searches.answers : NULL;
        command->site.lookup.min_games = (uint64_t)command->min_games;
        if (command->min_games && !command->site.lookup.book->counts)
            status = command_misuse(line, "--min-games is for statistics (.wld)");
        else
            status = serve(command, &root, span_make((const char *)engine, engine_size));
    }
    site_close(&command->site);
    store_reading_close(&command->searches);
    if (command->source.book)
        source_close(&command->source);
    free(engine);
    return command_end(line, status);
}

static const char about[] =
    "Answers programs that ask Lichess's opening explorer, from statistics (.wld) on this "
    "machine:\n"
    "/lichess, /lichess/history, /masters, /player, /masters/pgn/ID, with the same parameters and\n"
    "the same JSON; and a browser, with the page of explore. Statistics with facets (build) can "
    "be\n"
    "asked by rating, speed and month. FILE answers /lichess and /masters, where no option names\n"
    "others; several files are added up. A book of another kind has the page alone. Games that\n"
    "build --samples kept beside statistics are listed.\n\n"
    "/healthz answers \"ok\", /metrics in the form of Prometheus. It prints its address; Ctrl-C\n"
    "ends it. Who can reach it can read what it serves: by default programs of this machine.";

static enum exit_status command_main(int argc, char **argv)
{
    struct serve_command *command = calloc(1, sizeof *command);
    if (!command)
        return EXIT_FAILED;
    const struct option_row rows[] = {
        TEXTS_ROW("lichess", 0, "FILE", "statistics for /lichess", &command->lichess),
        TEXTS_ROW("masters", 0, "FILE", "statistics for /masters", &command->masters),
        TEXTS_ROW("player", 0, "NAME=FILE",
                  "for /player: of this player's moves; NAME:white=FILE, NAME:black=FILE: of all "
                  "moves of games that the player had this colour in",
                  &command->players),
        TEXT_ROW("host", 0, "ADDRESS", "listen there; 0.0.0.0: other machines can ask",
                 &command->host, .has_usual = true, .usual_text = "127.0.0.1"),
        NUMBER_ROW("port", 0, "N", "listen there; 0 takes a free one", &command->port, 0,
                   UINT16_MAX, USUAL(8064)),
        FLAG_ROW("cors", 0, "let pages of any site ask", &command->cors),
        FLAG_ROW("log", 0, "each request to standard error", &command->log),
        FACET_ROWS(command->facets),
        TEXT_ROW("start", 0, "FEN|MOVES|ECO|NAME", "the page begins there", &command->start),
        NUMBER_ROW("min-games", 0, "N", "leave moves with fewer games out of the page",
                   &command->min_games, 1, INT32_MAX),
        TEXT_ROW("title", 0, "TEXT", "the page's heading (the file's name)", &command->title),
        TEXT_ROW("store", 0, "FILE", "scores by searches, as of makebook import, for each move",
                 &command->store),
        TEXT_ROW("engine", 0, "FILE", "caxton.wasm: the page analyses with it, and plays",
                 &command->engine),
    };
    command->line =
        COMMAND_LINE("serve", "FILE...", about, rows, ROW_COUNT(rows), 0, SITE_FILES_MAX);
    enum exit_status status = command_run(&command->line, argc, argv, run, command);
    free(command);
    return status;
}

const struct command command_serve = {"serve", "statistics to browsers and other programs",
                                      command_main};
