#include "chess/pgn.h"

#include <stdlib.h>
#include <string.h>

#include "chess/pgn_internal.h"

enum { BUFFER_SIZE = 1 << 16 };

/* Create, destroy -------------------------------------------------------------------------- */

struct pgn_reader *pgn_create(pgn_source source, void *context)
{
    struct pgn_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    /* More zero bytes than the one promised let comparisons run past the end. */
    reader->buffer = calloc(PGN_BEHIND + BUFFER_SIZE + PGN_MARGIN, 1);
    reader->tag_text = malloc(PGN_TAG_TEXT_MAX);
    if (!reader->buffer || !reader->tag_text) {
        pgn_destroy(reader);
        return NULL;
    }
    reader->ply_limit = SIZE_MAX;
    position_start(&reader->standard);
    pgn_restart(reader, source, context);
    return reader;
}

void pgn_restart(struct pgn_reader *reader, pgn_source source, void *context)
{
    struct pgn_reader old = *reader;
    char *start = old.buffer + PGN_BEHIND;
    memset(old.buffer, '\n', PGN_BEHIND);
    *start = '\0';
    *reader = (struct pgn_reader){
        .source = source,
        .context = context,
        .buffer = old.buffer,
        .limit = start + BUFFER_SIZE,
        .at = start,
        .end = start,
        .counted = start,
        .line = 1,
        .ply_limit = old.ply_limit,
        .whole_games = old.whole_games,
        .keeps_comments = old.keeps_comments,
        .standard = old.standard,
        .tag_text = old.tag_text,
        .tags = old.tags,
        .tag_capacity = old.tag_capacity,
        .moves = old.moves,
        .marks = old.marks,
        .keys = old.keys,
        .comments = old.comments,
        .ply_capacity = old.ply_capacity,
        .tree = old.tree,
    };
}

void pgn_restart_text(struct pgn_reader *reader, char *text, size_t size)
{
    pgn_restart(reader, NULL, NULL);
    memset(text - PGN_BEHIND, '\n', PGN_BEHIND);
    memset(text + size, '\0', PGN_MARGIN);
    reader->at = reader->counted = text;
    reader->end = reader->limit = text + size;
    reader->end_offset = size;
    reader->at_eof = true;
}

uint64_t pgn_lines(struct pgn_reader *reader)
{
    scan_count_lines(reader);
    return reader->line - 1;
}

static enum caxton_status read_memory(void *context, char *buffer, size_t capacity, size_t *size)
{
    struct span *memory = context;
    *size = memory->size < capacity ? memory->size : capacity;
    if (*size)
        memcpy(buffer, memory->data, *size);
    memory->data += *size;
    memory->size -= *size;
    return STATUS_OK;
}

struct pgn_reader *pgn_create_memory(const char *data, size_t size)
{
    struct pgn_reader *reader = pgn_create(read_memory, NULL);
    if (!reader)
        return NULL;
    reader->memory = span_make(data, size);
    reader->context = &reader->memory;
    return reader;
}

void pgn_destroy(struct pgn_reader *reader)
{
    if (!reader)
        return;
    free(reader->buffer);
    free(reader->tag_text);
    free(reader->tags);
    free(reader->moves);
    free(reader->marks);
    free(reader->keys);
    free(reader->comments);
    pgn_tree_free(&reader->tree);
    free(reader);
}

void pgn_set_ply_limit(struct pgn_reader *reader, size_t plies)
{
    reader->ply_limit = plies;
}

void pgn_set_whole_games(struct pgn_reader *reader, bool wanted)
{
    reader->whole_games = wanted;
}

void pgn_set_comments(struct pgn_reader *reader, bool wanted)
{
    reader->keeps_comments = wanted;
}

/* Between games ---------------------------------------------------------------------------- */

enum found {
    FOUND_NOTHING, /* go on looking */
    FOUND_END,
    FOUND_TAGS,
    FOUND_MOVES,        /* a game without tags */
    FOUND_STRAY_MOVES,  /* moves that belong to no game */
    FOUND_OPEN_COMMENT, /* to the next game or the end of the input */
};

/* Words between games are moves, if they look like moves; otherwise they are prose and skipped.
 * A game without tags begins with move number 1, or with a move on a line of its own. */
static enum found judge_word(struct pgn_reader *reader)
{
    struct span word = scan_word(reader->at);
    enum pgn_result ignored;
    size_t digits = 0;
    if (scan_is_result(word, &ignored)) {
        reader->at += word.size;
        reader->result_on_line = true;
        return FOUND_NOTHING;
    }
    while (digits < word.size && pgn_is(word.data[digits], PGN_DIGIT))
        digits++;
    if (digits && scan_is_move(word))
        digits = 0; /* castling with zeros */
    bool is_first = digits == 1 && *word.data == '1';
    struct span next = span_from(word, digits);
    if (digits && !next.size) {
        const char *p = word.data + digits;
        const char *stop = p + PGN_WORD_MAX;
        while (p < stop && (*p == '.' || pgn_is(*p, PGN_BLANK)))
            p++;
        if (is_first && word.data[1] == '.' && *p == '{')
            return FOUND_MOVES;
        is_first = is_first && strncmp(word.data + 1, "..", 2) != 0;
        next = scan_word(p);
    }
    if (scan_is_move(next)) {
        if (digits)
            return is_first ? FOUND_MOVES : FOUND_STRAY_MOVES;
        return reader->result_on_line ? FOUND_STRAY_MOVES : FOUND_MOVES;
    }
    scan_skip_line(reader);
    return FOUND_NOTHING;
}

/* An open comment ends where the next game follows; what it holds may have been a game. */
static enum found skip_comment_between(struct pgn_reader *reader)
{
    return scan_skip_comment(reader) == SCAN_CLOSED ? FOUND_NOTHING : FOUND_OPEN_COMMENT;
}

static enum found judge(struct pgn_reader *reader)
{
    const char *at = reader->at;
    if (pgn_is(*at, PGN_BLANK)) {
        if (pgn_is(*at, PGN_BREAK))
            reader->result_on_line = false;
        reader->at++;
    } else if (*at == '[') {
        const char *name = scan_over_blanks(at + 1, at + PGN_TAG_NAME_MAX);
        if ((scan_is_line_start(at) && pgn_is(*name, PGN_NAME)) || scan_is_tag(at))
            return FOUND_TAGS;
        scan_skip_line(reader);
    } else if (*at == '{') {
        return skip_comment_between(reader);
    } else if (*at == '(') {
        (void)scan_skip_variation(reader);
        scan_forget_marks(reader);
    } else if (strncmp(at, "\xEF\xBB\xBF", 3) == 0) {
        reader->at += 3;
    } else if (*at == '$') {
        do {
            reader->at++;
        } while (pgn_is(*reader->at, PGN_DIGIT));
    } else if (*at == '!' || *at == '?' || *at == '.' || *at == '*' || *at == ')') {
        reader->at++;
    } else if (pgn_is(*at, PGN_WORD)) {
        return judge_word(reader);
    } else if (*at == '\0') {
        if (scan_at_end(reader))
            return FOUND_END;
        reader->at++;
    } else {
        scan_skip_line(reader);
    }
    return FOUND_NOTHING;
}

static enum found find_game(struct pgn_reader *reader)
{
    enum found found = FOUND_NOTHING;
    while (found == FOUND_NOTHING) {
        scan_ensure(reader);
        found = judge(reader);
    }
    return found;
}

/* One game --------------------------------------------------------------------------------- */

static void recover(struct pgn_reader *reader)
{
    enum pgn_result ignored;
    if (reader->recovery == RECOVER_IN_TAGS)
        pgn_recover_tags(reader);
    else if (reader->recovery == RECOVER_IN_MOVES)
        reader->result_on_line = scan_skip_moves(reader, &ignored) == SCAN_RESULT;
    reader->recovery = RECOVER_NOTHING;
    scan_forget_marks(reader);
}

static void begin_game(struct pgn_reader *reader, struct pgn_game *game)
{
    scan_count_lines(reader);
    reader->tag_text_size = 0;
    reader->tag_count = 0;
    reader->ply_count = 0;
    reader->node = 0;
    reader->notes = 0;
    reader->names_seen = 0;
    reader->beyond.text[0] = '\0';
    reader->fen = reader->set_up = reader->variant = reader->result = span_make(NULL, 0);
    *game = (struct pgn_game){
        .number = ++reader->games,
        .line = reader->line,
        .offset = scan_offset(reader, reader->at),
        .start = reader->standard,
    };
}

static enum caxton_status read_game(struct pgn_reader *reader, enum found found,
                                    struct pgn_game *game, struct diag *diag)
{
    enum caxton_status status;
    if (found == FOUND_OPEN_COMMENT) {
        struct pgn_place place = scan_mark_place(reader, &reader->comment);
        game->line = place.line;
        game->offset = place.offset;
        return pgn_fail_open_comment(reader, diag);
    }
    if (found == FOUND_STRAY_MOVES) {
        pgn_fault(diag, scan_place(reader, reader->at), "moves outside a game: %s",
                  reader->result_on_line ? "a result stands before them"
                                         : "they do not begin with move 1");
        reader->recovery = RECOVER_IN_MOVES;
        return STATUS_SYNTAX;
    }
    if (found == FOUND_TAGS) {
        status = pgn_read_tags(reader, diag);
        if (status != STATUS_OK) {
            reader->recovery = RECOVER_IN_TAGS;
            return status;
        }
    }
    if (!scan_is_result(span_trim(reader->result), &game->result))
        game->result = PGN_UNKNOWN;
    enum pgn_result by_tag = game->result;
    status = pgn_set_up(reader, game, diag);
    if (status != STATUS_OK) {
        reader->recovery = RECOVER_IN_MOVES;
        return status;
    }
    if (game->other_variant)
        reader->result_on_line = scan_skip_moves(reader, &game->result) == SCAN_RESULT;
    else
        status = pgn_read_moves(reader, game, diag);
    if (status != STATUS_OK)
        return status;
    if (!reader->result_on_line)
        reader->notes |= 1u << PGN_NOTE_NO_TERMINATOR;
    else if (game->result != by_tag && reader->result.data)
        reader->notes |= 1u << PGN_NOTE_RESULT;
    if (game->result == PGN_UNKNOWN) /* "*" says that it was not known yet */
        game->result = by_tag;
    return STATUS_OK;
}

static void finish_game(const struct pgn_reader *reader, struct pgn_game *game)
{
    game->tags = reader->tags;
    game->tag_count = reader->tag_count;
    game->moves = reader->moves;
    game->marks = reader->marks;
    game->keys = reader->keys;
    game->comments = reader->comments;
    game->node = reader->node;
    game->plies_read = reader->ply_count;
    game->ply_count = reader->ply_count < reader->ply_limit ? reader->ply_count : reader->ply_limit;
    game->beyond_fault = reader->beyond.text;
    game->notes = reader->notes;
    game->unfinished = game->result == PGN_UNKNOWN;
}

enum caxton_status pgn_next(struct pgn_reader *reader, struct pgn_game *game, struct diag *diag)
{
    if (reader->over != STATUS_OK)
        return reader->over;
    recover(reader);
    enum found found = find_game(reader);
    if (found == FOUND_END)
        return reader->over = reader->failure != STATUS_OK ? reader->failure : STATUS_END;
    begin_game(reader, game);
    enum caxton_status status = read_game(reader, found, game, diag);
    finish_game(reader, game);
    if (status != STATUS_OK && !pgn_is_game_fault(status))
        reader->over = status;
    return status;
}

static const struct {
    const char *name;
    const char *text;
} notes[PGN_NOTES] = {
    [PGN_NOTE_TAG_TWICE] = {"tag_twice", "with a tag given twice; the first counts"},
    [PGN_NOTE_BAD_TAG] = {"bad_tag", "with a line among the tags that is no tag, left out"},
    [PGN_NOTE_FEN] = {"odd_fen", "whose FEN has castling rights, or an en passant square, that its "
                                 "board forbids"},
    [PGN_NOTE_RESULT] =
        {"result_differs",
         "whose Result tag differs from that of the moves, which counts unless it is *"},
    [PGN_NOTE_NO_TERMINATOR] = {"no_terminator", "without a result behind the moves"},
    [PGN_NOTE_OPEN_VARIATION] = {"open_variation", "with '(' without ')' beyond the depth"},
    [PGN_NOTE_STRAY_PARENTHESIS] = {"stray_parenthesis", "with ')' without '(' beyond the depth"},
};

const char *pgn_note_text(enum pgn_note note)
{
    return notes[note].text;
}

const char *pgn_note_name(enum pgn_note note)
{
    return notes[note].name;
}

struct span pgn_tag_value(const struct pgn_game *game, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i < game->tag_count; i++) {
        struct span other = game->tags[i].name;
        if (other.size == size && other.data[0] == name[0] && memcmp(other.data, name, size) == 0)
            return game->tags[i].value;
    }
    return span_make(NULL, 0);
}

enum pgn_end pgn_end_of(const struct pgn_game *game)
{
    static const struct {
        const char *text;
        enum pgn_end end;
    } ends[] = {
        {"unterminated", PGN_END_UNFINISHED}, {"time forfeit", PGN_END_TIME},
        {"abandoned", PGN_END_CRASH},         {"stalled connection", PGN_END_CRASH},
        {"illegal move", PGN_END_ILLEGAL},    {"rules infraction", PGN_END_ILLEGAL},
    };
    struct span termination = pgn_tag_value(game, "Termination");
    if (game->unfinished)
        return PGN_END_UNFINISHED;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (span_equal_nocase(termination, ends[i].text))
            return ends[i].end;
    return PGN_END_PLAYED;
}
