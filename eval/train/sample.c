#include "eval/train/sample.h"

#include <string.h>

#include "chess/fen.h"

enum { CASTLING_ROOK = 12, NO_EN_PASSANT = 8, SCORE_LIMIT = 32000 };

/* The piece on `square`, with the rooks told apart that may castle. */
static int piece_code(const struct position *pos, int square)
{
    for (int right = 0; right < 4; right++)
        if (pos->castling >> right & 1 && pos->rook_home[right] == square)
            return CASTLING_ROOK + piece_color(pos->board[square]);
    return pos->board[square];
}

void sample_pack(const struct position *pos, const struct sample_label *label,
                 uint8_t out[SAMPLE_SIZE])
{
    memset(out, 0, SAMPLE_SIZE);
    uint64_t occupied = position_occupied(pos);
    bytes_put_le(out, occupied, 8);
    for (int i = 0; occupied; i++) {
        int square = bb_pop(&occupied);
        out[8 + i / 2] |= (uint8_t)(piece_code(pos, square) << 4 * (i % 2));
    }
    int file = pos->ep == NO_SQUARE ? NO_EN_PASSANT : square_file(pos->ep);
    out[24] = (uint8_t)(pos->turn | file << 1);
    out[25] = (uint8_t)(pos->rule50 < 255 ? pos->rule50 : 255);
    int score = label->score;
    score = score > SCORE_LIMIT ? SCORE_LIMIT : score < -SCORE_LIMIT ? -SCORE_LIMIT : score;
    bytes_put_le(out + SAMPLE_SCORE_AT, (uint64_t)(int64_t)score, 2);
    bytes_put_le(out + 28, label->best, 2);
    out[SAMPLE_RESULT_AT] = (uint8_t)label->result;
    bool noisy = label->best != MOVE_NONE && (position_is_capture(pos, label->best) ||
                                              move_kind(label->best) == MOVE_PROMOTION);
    out[SAMPLE_FLAGS_AT] =
        (uint8_t)((label->first ? SAMPLE_FIRST : 0) | (position_in_check(pos) ? SAMPLE_CHECK : 0) |
                  (noisy ? SAMPLE_NOISY : 0));
}

/* Letters of the pieces as FEN wants them, and the squares of the rooks that may castle. */
static void read_board(const uint8_t *in, char board[64], uint64_t castling[2])
{
    uint64_t occupied = bytes_get_u64le(in);
    memset(board, ' ', 64);
    for (int i = 0; occupied; i++) {
        int square = bb_pop(&occupied);
        if (i >= 32) {
            board[square] = '?'; /* more pieces than there can be: no FEN has this letter */
            continue;
        }
        int code = in[8 + i / 2] >> 4 * (i % 2) & 15;
        board[square] = "PpNnBbRrQqKkRr??"[code];
        if (code == CASTLING_ROOK || code == CASTLING_ROOK + 1)
            castling[code - CASTLING_ROOK] |= bb_square(square);
    }
}

static void format_board(const char board[64], struct text_buffer *out)
{
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            char c = board[square_make(file, rank)];
            empty += c == ' ';
            if (empty && (c != ' ' || file == 7)) {
                text_append(out, "%d", empty);
                empty = 0;
            }
            if (c != ' ')
                text_append(out, "%c", c);
        }
        text_append(out, "%s", rank ? "/" : "");
    }
}

/* Castling by file letters (Shredder-FEN): they name any rook. */
static void format_castling(uint64_t castling[2], struct text_buffer *out)
{
    if (!(castling[WHITE] | castling[BLACK]))
        text_append(out, "-");
    for (int color = WHITE; color <= BLACK; color++)
        while (castling[color]) {
            int square = bb_pop(&castling[color]);
            text_append(out, "%c", (color == WHITE ? 'A' : 'a') + square_file(square));
        }
}

enum caxton_status sample_unpack(const uint8_t in[SAMPLE_SIZE], struct position *pos,
                                 struct sample_label *label)
{
    char board[64];
    uint64_t castling[2] = {0, 0};
    char fen[FEN_MAX];
    struct text_buffer out = text_buffer_on(fen, sizeof fen);
    bool black = in[24] & 1;
    int file = in[24] >> 1 & 15;
    read_board(in, board, castling);
    format_board(board, &out);
    text_append(&out, black ? " b " : " w ");
    format_castling(castling, &out);
    if (file < 8)
        text_append(&out, " %c%c", 'a' + file, black ? '3' : '6');
    else
        text_append(&out, " -");
    text_append(&out, " %d 1", in[25]);
    label->score = sample_score(in);
    label->best = bytes_get_u16le(in + 28);
    label->result = in[SAMPLE_RESULT_AT];
    label->first = in[SAMPLE_FLAGS_AT] & SAMPLE_FIRST;
    return fen_parse(span_of(fen), pos, NULL);
}
