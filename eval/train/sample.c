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

/* Puts the pieces on the board; castling: the squares of the rooks that may castle. False for more
 * pieces than there can be and for codes of none. */
static bool read_board(const uint8_t *in, struct position *board, uint64_t castling[2])
{
    uint64_t occupied = bytes_get_u64le(in);
    if (bb_count(occupied) > 32)
        return false;
    position_clear(board);
    for (int i = 0; occupied; i++) {
        int square = bb_pop(&occupied);
        int code = in[8 + i / 2] >> 4 * (i % 2) & 15;
        if (code > CASTLING_ROOK + 1)
            return false;
        if (code >= CASTLING_ROOK)
            castling[code - CASTLING_ROOK] |= bb_square(square);
        position_put(board, code < CASTLING_ROOK ? code : piece_make(code - CASTLING_ROOK, ROOK),
                     square);
    }
    return true;
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
    struct position board;
    uint64_t castling[2] = {0, 0};
    char fen[FEN_MAX];
    struct text_buffer out = text_buffer_on(fen, sizeof fen);
    bool black = in[24] & 1;
    int file = in[24] >> 1 & 15;
    if (!read_board(in, &board, castling))
        return STATUS_SYNTAX;
    fen_format_board(&board, &out);
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
