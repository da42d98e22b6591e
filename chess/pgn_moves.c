/* The move text of a game. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "chess/annotation.h"
#include "chess/notation.h"
#include "chess/pgn_internal.h"
#include "chess/san_plain.h"

static enum caxton_status fail(struct pgn_reader *reader, enum caxton_status status)
{
    reader->recovery = RECOVER_IN_MOVES;
    return status;
}

static bool is_square(const char *text)
{
    return text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8';
}

/* The square that a move in coordinates (e1g1, e2-e4) leaves; NO_SQUARE for other notations. */
static int square_left(const char *quote)
{
    if (!is_square(quote) || !is_square(quote + 2 + (quote[2] == '-' || quote[2] == 'x')))
        return NO_SQUARE;
    return square_make(quote[0] - 'a', quote[1] - '1');
}

/* Says why `word` is no move here. */
static void explain(const struct position *pos, struct span word, enum caxton_status status,
                    struct pgn_place place, struct diag *diag)
{
    static const char *const names[] = {"pawn", "knight", "bishop", "rook", "queen", "king"};
    const char *side = pos->turn == WHITE ? "white" : "black";
    char quote[PGN_QUOTE_MAX];
    text_quote(quote, sizeof quote, word);

    const char *letter = memchr("PNBRQK", quote[0], 6);
    int type = letter ? (int)(letter - "PNBRQK") : 0;
    int left = square_left(quote);
    bool is_own = left != NO_SQUARE && pos->board[left] != NO_PIECE &&
                  piece_color(pos->board[left]) == pos->turn;
    if (is_own)
        type = piece_type(pos->board[left]);
    const char *piece = names[type];
    if (status == STATUS_SYNTAX)
        pgn_fault(diag, place, "\"%s\" is not a move", quote);
    else if (status == STATUS_AMBIGUOUS)
        pgn_fault(diag, place, "ambiguous move %s: more than one %s %s can go there", quote, side,
                  piece);
    else if (left != NO_SQUARE && !is_own)
        pgn_fault(diag, place, "illegal move %s: no %s piece is on %.2s", quote, side, quote);
    else if (quote[0] == 'O' || quote[0] == '0' || quote[0] == 'o')
        pgn_fault(diag, place, "illegal move %s: %s cannot castle so here", quote, side);
    else if (type == KING)
        pgn_fault(diag, place, "illegal move %s: the %s king cannot go there", quote, side);
    else
        pgn_fault(diag, place, "illegal move %s: no %s %s can do that", quote, side, piece);
}

static bool grow(struct pgn_reader *reader)
{
    size_t capacity = reader->ply_capacity ? 2 * reader->ply_capacity : 512;
    move *moves = realloc(reader->moves, capacity * sizeof *moves);
    if (!moves)
        return false;
    reader->moves = moves;
    uint8_t *marks = realloc(reader->marks, capacity);
    if (!marks)
        return false;
    reader->marks = marks;
    uint64_t *keys = realloc(reader->keys, (capacity + 1) * sizeof *keys);
    if (!keys)
        return false;
    reader->keys = keys;
    if (reader->keeps_comments) {
        struct pgn_comment *comments = realloc(reader->comments, capacity * sizeof *comments);
        if (!comments)
            return false;
        reader->comments = comments;
    }
    reader->ply_capacity = capacity;
    return true;
}

/* Notes `m`, which leads to a position of this key, as the move of this ply, for which there is
 * room. */
static inline void put_move(struct pgn_reader *reader, size_t ply, move m, uint64_t key)
{
    reader->moves[ply] = m;
    reader->marks[ply] = 0;
    reader->keys[ply + 1] = key;
    if (reader->comments)
        reader->comments[ply].text[0] = '\0';
}

/* Plays it, too. */
static inline void play_move(struct pgn_reader *reader, struct position *pos, size_t ply, move m)
{
    position_follow(pos, m);
    put_move(reader, ply, m, pos->key);
}

/* Where in the move text of which game we are. */
struct move_parser {
    struct pgn_reader *reader;
    struct pgn_game *game;
    struct diag *diag;
    struct position pos; /* not looked at where it */
    bool is_known;       /* is that of reader->node */
    enum scan_end end;   /* SCAN_CLOSED while the game goes on */
};

/* The game leaves the tree here, or is asked for its position. */
static void leave_tree(struct move_parser *now)
{
    if (now->is_known)
        now->pos = now->reader->tree.positions[now->reader->node];
    now->is_known = false;
}

/* Room for one more move, the text of which stands at reader->at. */
static enum caxton_status reserve_move(struct pgn_reader *reader, struct diag *diag)
{
    if (reader->ply_count == PGN_PLIES_MAX) {
        pgn_fault(diag, scan_place(reader, reader->at), "more than %d plies", (int)PGN_PLIES_MAX);
        return fail(reader, STATUS_SYNTAX);
    }
    return reader->ply_count < reader->ply_capacity || grow(reader) ? STATUS_OK : STATUS_NO_MEMORY;
}

/* A word of up to seven bytes as a number. */
static uint64_t token_of(struct span word)
{
    return word.size < 8 ? bytes_get_le((const uint8_t *)word.data, (int)word.size) : 0;
}

static enum caxton_status read_move(struct move_parser *now, struct span word)
{
    struct pgn_reader *reader = now->reader;
    struct position *pos = &now->pos;
    const struct pgn_step *step =
        now->is_known ? pgn_tree_find(&reader->tree, reader->node, token_of(word)) : NULL;
    bool is_step = step && step->to;
    move m;
    enum caxton_status status = STATUS_OK;
    if (!is_step) {
        leave_tree(now);
        position_find_checkers(pos);
        status = move_from_text(pos, word, &m);
    }
    if (status == STATUS_OK) {
        status = reserve_move(reader, now->diag);
        if (status != STATUS_OK)
            return status;
        if (is_step) {
            put_move(reader, reader->ply_count++, step->played, step->key);
            reader->node = step->to;
        } else {
            play_move(reader, pos, reader->ply_count++, m);
        }
        reader->at = word.data + word.size;
        return STATUS_OK;
    }
    if (move_is_null_text(word)) {
        pgn_fault(now->diag, scan_place(reader, word.data), "a null move is not legal");
        return fail(reader, STATUS_ILLEGAL);
    }
    explain(pos, word, status, scan_place(reader, word.data), now->diag);
    return fail(reader, status);
}

/* The first one counts, but a judgement ($1 to $6) goes before what is said of the position. */
static void set_mark(struct pgn_reader *reader, int mark)
{
    enum { LAST_JUDGEMENT = 6 };
    if (!reader->ply_count)
        return;
    uint8_t *kept = &reader->marks[reader->ply_count - 1];
    if (!*kept || (*kept > LAST_JUDGEMENT && mark && mark <= LAST_JUDGEMENT))
        *kept = (uint8_t)mark;
}

/* $n; numbers above 255 do not exist and are passed over. */
static enum caxton_status read_nag(struct pgn_reader *reader, struct diag *diag)
{
    const char *p = reader->at + 1;
    int value = 0;
    if (!pgn_is(*p, PGN_DIGIT)) {
        pgn_fault(diag, scan_place(reader, reader->at), "no number after '$'");
        return fail(reader, STATUS_SYNTAX);
    }
    for (; p < reader->at + PGN_WORD_MAX && pgn_is(*p, PGN_DIGIT); p++)
        value = value > 255 ? 256 : 10 * value + *p - '0';
    if (value <= 255)
        set_mark(reader, value);
    reader->at = p;
    return STATUS_OK;
}

/* ! ? !! ?? !? ?! */
static void read_opinion(struct pgn_reader *reader)
{
    char first = reader->at[0];
    char second = reader->at[1];
    if (second != '!' && second != '?')
        set_mark(reader, first == '!' ? 1 : 2);
    else if (first == second)
        set_mark(reader, first == '!' ? 3 : 4);
    else
        set_mark(reader, first == '!' ? 5 : 6);
    while (*reader->at == '!' || *reader->at == '?')
        reader->at++;
}

/* The comment at reader->at, of which more is readable than is kept. */
static void keep_comment(const struct pgn_reader *reader)
{
    static const char eval[] = "[%eval ";
    struct pgn_comment comment;
    if (!reader->comments || !reader->ply_count)
        return;
    struct pgn_comment *kept = &reader->comments[reader->ply_count - 1];
    const char *from = reader->at + 1;
    size_t size = 0;
    while (size < PGN_COMMENT_KEPT - 1 && from + size < reader->end && from[size] != '}')
        size++;
    text_copy(comment.text, PGN_COMMENT_KEPT, span_make(from, size));
    if (!*kept->text || (!strstr(kept->text, eval) && strstr(comment.text, eval)))
        *kept = comment;
}

/* Over digits with points after them; NULL for any other word. */
static inline const char *skip_number(const char *at)
{
    const char *stop = at + PGN_WORD_MAX; /* read_word() takes no more digits at once */
    do {
        at++;
    } while (pgn_is(*at, PGN_DIGIT) && at < stop);
    if (*at != '.')
        return NULL;
    do {
        at++;
    } while (*at == '.');
    return at;
}

/* The move before a blank, or the end, as a number; 0 where it is none or longer than seven bytes.
 * The kind of the blank
 * makes no other move of it, see san_plain(). */
static inline uint64_t token_at(const char *at, size_t *size)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t bytes = bytes_get_u64le((const uint8_t *)at);
    uint64_t ends = (bytes - 0x21 * ones) & ~bytes & 0x80 * ones; /* below '!'; exact up to one */
    if (!ends)
        return 0;
    *size = (size_t)bb_first(ends) / 8;
    return bytes & ((ends & -ends) / 0x80 - 1);
}

static inline bool is_move_end(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\0';
}

/* How far to read on at once, and the number of plies to stop at. */
static const char *plain_end(const struct pgn_reader *reader, size_t *plies)
{
    bool ends_early = reader->ply_limit < reader->ply_capacity && !reader->whole_games;
    *plies = ends_early ? reader->ply_limit : reader->ply_capacity;
    return reader->at_eof ? reader->end : reader->end - PGN_AHEAD;
}

/* As read_plain_moves(), on the tree, and beyond it by one move, which is added to it. */
static void read_known_moves(struct move_parser *now)
{
    struct pgn_reader *reader = now->reader;
    size_t limit;
    const char *stop = plain_end(reader, &limit);
    const char *at = reader->at;
    size_t ply = reader->ply_count;
    uint64_t token = 0;
    size_t size = 0;
    uint16_t node = reader->node;
    while (at < stop && ply < limit) {
        if (pgn_is(*at, PGN_BLANK)) {
            at++;
        } else if (pgn_is(*at, PGN_DIGIT)) {
            const char *end = skip_number(at);
            if (!end)
                break;
            at = end;
        } else {
            token = token_at(at, &size);
            if (!token || !is_move_end(at[size]))
                break;
            const struct pgn_step *step = pgn_tree_find(&reader->tree, node, token);
            if (!step->to)
                break;
            put_move(reader, ply++, step->played, step->key);
            node = step->to;
            at += size;
        }
        token = 0;
    }
    reader->at = at;
    reader->ply_count = ply;
    reader->node = node;
    move m;
    if (!token || !san_plain(&reader->tree.positions[node], at, &m))
        return;
    leave_tree(now);
    play_move(reader, &now->pos, ply, m);
    reader->at = at + size;
    reader->ply_count = ++ply;
    pgn_tree_add(reader, token, &now->pos, ply);
}

/* Reads on while there is nothing but moves, their numbers, and blanks, as in nearly all games: up
 * to anything else, to the ply limit, to where there is no room, or to the end of the buffer. */
static void read_plain_moves(struct move_parser *now)
{
    struct pgn_reader *reader = now->reader;
    size_t limit;
    const char *stop = plain_end(reader, &limit);
    const char *at = reader->at;
    size_t ply = reader->ply_count;
    while (at < stop && ply < limit) {
        const char *end;
        move m;
        if (pgn_is(*at, PGN_BLANK))
            end = at + 1;
        else if (pgn_is(*at, PGN_DIGIT))
            end = skip_number(at);
        else if ((end = san_plain(&now->pos, at, &m)))
            play_move(reader, &now->pos, ply++, m);
        if (!end)
            break;
        at = end + (*end == ' ');
    }
    reader->at = at;
    reader->ply_count = ply;
}

/* Over the rest of the game. */
static enum caxton_status skip_moves(struct move_parser *now)
{
    now->end = scan_skip_moves(now->reader, &now->game->result);
    return now->end == SCAN_OPEN_COMMENT ? pgn_fail_open_comment(now->reader, now->diag)
                                         : STATUS_OK;
}

/* A move, or the number before one, or the result. */
static enum caxton_status read_word(struct move_parser *now)
{
    struct pgn_reader *reader = now->reader;
    struct span word = scan_word(reader->at);
    if (pgn_is(*word.data, PGN_DIGIT)) {
        size_t digits = 1;
        while (digits < word.size && pgn_is(word.data[digits], PGN_DIGIT))
            digits++;
        struct span behind = span_from(word, digits);
        if (!behind.size || pgn_is(*behind.data, PGN_NAME) || !annotation_cut(behind).size) {
            reader->at += digits;
            return STATUS_OK;
        }
    }
    struct span cut = annotation_cut(word);
    if (scan_is_result(cut, &now->game->result)) {
        reader->at += cut.size;
        now->end = SCAN_RESULT;
        return STATUS_OK;
    }
    if (reader->ply_count >= reader->ply_limit && !reader->whole_games)
        return skip_moves(now);
    size_t annotation = annotation_size(word, reader->end);
    if (annotation) {
        reader->at += annotation;
        return STATUS_OK;
    }
    word = move_text_extend(cut, reader->end);
    if (move_is_en_passant_sign(word) && reader->ply_count) {
        reader->at += word.size;
        return STATUS_OK;
    }
    return read_move(now, word);
}

static enum caxton_status read_variation(struct move_parser *now)
{
    struct pgn_reader *reader = now->reader;
    now->end = scan_skip_variation(reader);
    if (now->end == SCAN_CLOSED)
        return STATUS_OK;
    if (now->end == SCAN_OPEN_COMMENT)
        return pgn_fail_open_comment(reader, now->diag);
    if (reader->ply_count >= reader->ply_limit) {
        reader->notes |= 1u << PGN_NOTE_OPEN_VARIATION;
        return STATUS_OK;
    }
    pgn_fault(now->diag, scan_mark_place(reader, &reader->variation),
              "this variation has no closing parenthesis");
    return STATUS_SYNTAX;
}

static enum caxton_status fail_unexpected(struct move_parser *now)
{
    struct pgn_place place = scan_place(now->reader, now->reader->at);
    char c = *now->reader->at;
    if (c == ')')
        pgn_fault(now->diag, place, "')' without '('");
    else if (c > ' ' && c <= '~')
        pgn_fault(now->diag, place, "unexpected character '%c'", c);
    else
        pgn_fault(now->diag, place, "unexpected byte 0x%02x", (unsigned)(uint8_t)c);
    return fail(now->reader, STATUS_SYNTAX);
}

/* Any byte that begins no word. */
static enum caxton_status read_sign(struct move_parser *now)
{
    struct pgn_reader *reader = now->reader;
    const char *at = reader->at;
    switch (*at) {
    case '.':
    case '\\': /* before a NAG, from text that was escaped; */
    case '}':  /* of a comment within a comment */
        reader->at++;
        return STATUS_OK;
    case '{':
        keep_comment(reader);
        now->end = scan_skip_comment(reader);
        return now->end == SCAN_CLOSED ? STATUS_OK : pgn_fail_open_comment(reader, now->diag);
    case ';':
        scan_skip_line(reader);
        return STATUS_OK;
    case '(':
        return read_variation(now);
    case '$':
        return read_nag(reader, now->diag);
    case '!':
    case '?':
        read_opinion(reader);
        return STATUS_OK;
    case '*':
        reader->at++;
        now->game->result = PGN_UNKNOWN;
        now->end = SCAN_RESULT;
        return STATUS_OK;
    case '%':
        if (!scan_is_column_one(at))
            break;
        scan_skip_line(reader);
        return STATUS_OK;
    case '[':
        if (!scan_is_tag(at))
            break;
        now->end = SCAN_TAG;
        return STATUS_OK;
    default:
        break;
    }
    return fail_unexpected(now);
}

/* One word or sign. */
static enum caxton_status read_next(struct move_parser *now)
{
    struct pgn_reader *reader = now->reader;
    scan_ensure(reader);
    char c = *reader->at;
    if (pgn_is(c, PGN_WORD))
        return read_word(now);
    if (c == '\0' && scan_at_end(reader))
        now->end = SCAN_EOF;
    else if (!pgn_is(c, PGN_BLANK))
        return read_sign(now);
    else
        reader->at++;
    return STATUS_OK;
}

/* As read_next(). What is wrong there with the moves is kept, and they are skipped. */
static enum caxton_status read_next_beyond(struct move_parser *now)
{
    struct pgn_reader *reader = now->reader;
    struct diag *diag = now->diag;
    now->diag = &reader->beyond;
    enum caxton_status status = read_next(now);
    now->diag = diag;
    if (status == STATUS_OK || !pgn_is_game_fault(status))
        return status;
    if (now->end == SCAN_OPEN_COMMENT)
        return pgn_fail_open_comment(reader, diag);
    reader->recovery = RECOVER_NOTHING;
    scan_forget_marks(reader);
    return skip_moves(now);
}

enum caxton_status pgn_read_moves(struct pgn_reader *reader, struct pgn_game *game,
                                  struct diag *diag)
{
    struct move_parser now = {.reader = reader, .game = game, .diag = diag};
    now.is_known = reader->tree.capacity && !reader->fen.data;
    if (now.is_known)
        reader->node = PGN_NODE_START;
    else
        now.pos = game->start;
    if (!reader->keys && !grow(reader))
        return STATUS_NO_MEMORY;
    reader->keys[0] = game->start.key;
    while (now.end == SCAN_CLOSED) {
        if (now.is_known)
            read_known_moves(&now);
        if (!now.is_known)
            read_plain_moves(&now);
        enum caxton_status status =
            reader->ply_count < reader->ply_limit ? read_next(&now) : read_next_beyond(&now);
        if (status != STATUS_OK)
            return status;
    }
    reader->result_on_line = now.end == SCAN_RESULT;
    return now.end == SCAN_EOF ? reader->failure : STATUS_OK;
}
