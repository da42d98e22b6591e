/* Writes made-up games as PGN to standard output, as fast as makebook reads them.
 *   campaign_generate STATISTICS.wld GAMES SEED [SHARD/SHARDS] [--months N | --odd PERMILLE]
 * The same numbers give the same bytes, and shards 1/K to K/K one after the other those of 1/1.
 *
 * Moves are drawn from the statistics by their numbers of games, so that branching and depth are
 * those of real games. A game leaves the statistics as real ones do: in a position of n games, in s
 * of which the move is the only one of its kind, the next game plays a new move with the chance s/n
 * (Good-Turing: I. J. Good, "The Population Frequencies of Species", Biometrika 40, 1953). Then
 * moves are random legal ones. Games end at the depth of the statistics (--max-ply), or between ply
 * 20 and there, so many that the mean is theirs. Results are as frequent as theirs; no two games
 * have the same players.
 *
 * With --months the games have the tags of an online server, too: their days go through N months
 * from January 2024 on, in the order of the games; ratings are normal, players of a game are near
 * each other; time controls are as frequent as there. The moves are the same as without.
 *
 * With --odd so many of 1000 moves are not plain: with a mark, a NAG, a comment, a variation, in
 * long algebraic notation, a CR before the line feed, or a fault (no such move, a parenthesis or a
 * brace too few); and so many of 1000 games lack their result. The moves are the same as without,
 * but for the faults. */
#include <string.h>

#include "base/rng.h"
#include "chess/keeps_king.h"
#include "tests/campaign/generate_world.h"

enum { LINE_PLIES = 15, GAME_ROOM = 1 << 13 };

/* A game as it is written. */
struct sheet {
    char *at;
    uint64_t chance; /* the state of rng_splitmix() */
    size_t ply;
    size_t length;
    uint64_t odd;        /* so many of 1000 moves are not plain, */
    uint64_t odd_chance; /* drawn by random numbers of their own */
};

struct task {
    uint64_t games;
    uint64_t seed;
    uint64_t months; /* 0: without the tags of an online server */
    uint64_t odd;    /* of 1000 moves */
};

/* Uniform in [0, bound), bound at most 2^32; the error is below 2^-32 for each value. */
static uint64_t draw(struct sheet *sheet, uint64_t bound)
{
    return (rng_splitmix(&sheet->chance) >> 32) * bound >> 32;
}

static void put(struct sheet *sheet, const char *text, size_t size)
{
    memcpy(sheet->at, text, size);
    sheet->at += size;
}

static void put_number(struct sheet *sheet, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    put(sheet, digits + at, sizeof digits - at);
}

/* In 1000 odd moves, so many have this behind them. Most faults end a game for its reader. */
static const struct oddity {
    uint64_t share;
    const char *behind;
} oddities[] = {
    {100, "!"},
    {100, "?"},
    {60, "?!"},
    {100, " $3"},
    {100, " {a comment with ( and [ and 1-0}"},
    {40, " {[%eval 0.17] [%clk 0:01:00]}\r\n"},
    {40, " ; to the end of the line 1. e4\n"},
    {100, " (1. e4 e5 {or} (1. d4) 2. Nf3 $1)"},
    {60, " \r\n"},
    {60, "\t\n\n"},
    {40, "\n% escaped\n"},
    {60, "+"},
    {40, "..."},
    {40, " e.p."},
    {20, " Qh9"},
    {10, " Ke1xe8"},
    {10, " ("},
    {5, " )"},
    {5, " {"},
    {5, " }"},
    {5, "\001"},
};

/* What is odd about a move is drawn here. */
static bool is_odd(struct sheet *sheet, uint64_t of_1000)
{
    return of_1000 && rng_splitmix(&sheet->odd_chance) % 1000 < of_1000;
}

static void put_oddity(struct sheet *sheet)
{
    const struct oddity *odd = oddities;
    const struct oddity *end = oddities + sizeof oddities / sizeof *oddities;
    uint64_t drawn = rng_splitmix(&sheet->odd_chance) % 1000;
    for (; odd < end && drawn >= odd->share; odd++)
        drawn -= odd->share;
    if (odd < end)
        put(sheet, odd->behind, strlen(odd->behind));
}

static void put_move(struct sheet *sheet, const char *text, size_t size)
{
    if (sheet->ply % 2 == 0) {
        put_number(sheet, sheet->ply / 2 + 1);
        put(sheet, ". ", 2);
    }
    put(sheet, text, size);
    if (is_odd(sheet, sheet->odd))
        put_oddity(sheet);
    *sheet->at++ = ++sheet->ply % LINE_PLIES ? ' ' : '\n';
}

static int draw_square(struct sheet *sheet, uint64_t set)
{
    for (uint64_t skipped = draw(sheet, (uint64_t)bb_count(set)); skipped > 0; skipped--)
        (void)bb_pop(&set);
    return bb_first(set);
}

/* Where the piece may go, checks and pins aside; pawns neither promote nor capture en passant. */
static uint64_t goals_of(const struct position *pos, int type, int from)
{
    int us = pos->turn;
    uint64_t occupied = position_occupied(pos);
    if (type != PAWN)
        return attacks_piece(type, from, occupied) & ~pos->colors[us];
    uint64_t push = bb_forward(us, bb_square(from)) & ~occupied;
    uint64_t jump = bb_forward(us, push) & ~occupied & (us == WHITE ? bb_rank(3) : bb_rank(4));
    uint64_t takes = attacks_pawn(us, from) & pos->colors[!us];
    return (push | jump | takes) & ~(BB_RANK_1 | BB_RANK_8);
}

/* Could another piece of the type go there, so that the text would have to say which one does? */
static bool has_rival(const struct position *pos, int type, int from, int to)
{
    uint64_t rivals = position_pieces(pos, pos->turn, type) & attacks_empty(type, to);
    for (rivals &= ~bb_square(from); rivals;)
        if (!(attacks_between(bb_pop(&rivals), to) & position_occupied(pos)))
            return true;
    return false;
}

/* A random move whose text is simple, MOVE_NONE when none was found soon. */
static move draw_simple(struct sheet *sheet, const struct position *pos, char text[SAN_MAX])
{
    enum { TRIES = 32 };
    for (int i = 0; i < TRIES && !pos->checkers; i++) {
        int from = draw_square(sheet, pos->colors[pos->turn]);
        int type = piece_type(pos->board[from]);
        uint64_t goals = goals_of(pos, type, from);
        if (!goals)
            continue;
        int to = draw_square(sheet, goals);
        if (!keeps_king(pos, move_make(from, to)) ||
            (type != PAWN && has_rival(pos, type, from, to)))
            continue;
        char *at = text;
        bool takes = pos->board[to] != NO_PIECE;
        if (type != PAWN || takes)
            *at++ = type == PAWN ? (char)('a' + square_file(from)) : "PNBRQK"[type];
        if (takes)
            *at++ = 'x';
        *at++ = (char)('a' + square_file(to));
        *at++ = (char)('1' + square_rank(to));
        *at = '\0';
        return move_make(from, to);
    }
    return MOVE_NONE;
}

/* Any legal move; MOVE_NONE: the game is over. */
static move draw_legal(struct sheet *sheet, const struct position *pos, char text[SAN_MAX])
{
    move moves[MOVES_MAX];
    int count = movegen_legal(pos, moves);
    if (!count)
        return MOVE_NONE;
    move m = moves[draw(sheet, (uint64_t)count)];
    move_to_san(pos, m, text);
    return m;
}

static void play_randomly(struct sheet *sheet, struct position pos)
{
    while (sheet->ply < sheet->length) {
        char text[SAN_MAX];
        move m = draw_simple(sheet, &pos, text);
        if (m == MOVE_NONE)
            m = draw_legal(sheet, &pos, text);
        if (m == MOVE_NONE)
            return;
        put_move(sheet, text, strlen(text));
        position_play(&pos, m);
    }
}

static void play(const struct world *world, struct sheet *sheet)
{
    const struct node *node = &world->nodes[0];
    while (sheet->ply < sheet->length) {
        if (draw(sheet, node->games) < node->lonely) {
            play_randomly(sheet, node->pos);
            return;
        }
        const struct edge *edge = &world->edges[node->first];
        for (uint64_t drawn = draw(sheet, node->games); drawn >= edge->until;)
            edge++;
        put_move(sheet, edge->text, edge->size);
        if (edge->to == NOWHERE) {
            play_randomly(sheet, position_after(&node->pos, edge->m));
            return;
        }
        node = &world->nodes[edge->to];
    }
}

#define PUT(sheet, literal) put((sheet), (literal), sizeof(literal) - 1)

/* Tags as of an online server --------------------------------------------------------------- */

/* In 1000 games. Source: 438 rated games of 1 May 2025 from database.lichess.org, rounded, with
 * what is too rare for them added. */
static const struct time_control {
    const char *text;
    uint64_t share;
} time_controls[] = {
    {"60+0", 240}, {"180+0", 185}, {"300+0", 155}, {"600+0", 115}, {"180+2", 60},
    {"300+3", 58}, {"120+1", 40},  {"900+10", 30}, {"600+5", 30},  {"30+0", 17},
    {"240+3", 14}, {"600+10", 12}, {"480+0", 12},  {"180+5", 9},   {"1800+0", 7},
    {"15+0", 5},   {"-", 4},       {"1800+20", 4}, {"1800+30", 3},
};

static const char *draw_time_control(struct sheet *tags)
{
    const struct time_control *row = time_controls;
    for (uint64_t drawn = draw(tags, 1000); drawn >= row->share; row++)
        drawn -= row->share;
    return row->text;
}

/* Ratings around 1650 with a standard deviation of 350; the other player's is at most 150 away. */
static void draw_ratings(struct sheet *tags, uint64_t ratings[2])
{
    enum { TERMS = 12, DEVIATION = 350, MEAN = 1650, NEAR = 150, LEAST = 400, MOST = 3300 };
    /* The sum of twelve uniform numbers of width 350 is nearly normal, and 350 is its deviation. */
    int64_t mean = MEAN - TERMS * DEVIATION / 2;
    for (int i = 0; i < TERMS; i++)
        mean += (int64_t)draw(tags, DEVIATION + 1);
    int64_t apart = (int64_t)draw(tags, NEAR + 1) - (int64_t)draw(tags, NEAR + 1);
    int64_t both[2] = {mean - apart / 2, mean - apart / 2 + apart};
    for (int i = 0; i < 2; i++)
        ratings[i] = (uint64_t)(both[i] < LEAST ? LEAST : both[i] > MOST ? MOST : both[i]);
}

/* Two digits. */
static void put_two(struct sheet *sheet, uint64_t number)
{
    if (number < 10)
        PUT(sheet, "0");
    put_number(sheet, number);
}

/* The day of game `number` of `games`. */
static void put_date(struct sheet *sheet, uint64_t number, uint64_t games, uint64_t months)
{
    enum { FIRST_YEAR = 2024, DAYS = 28, YEAR_MONTHS = 12 };
    uint64_t day = (number - 1) * months * DAYS / games;
    put_number(sheet, FIRST_YEAR + day / DAYS / YEAR_MONTHS);
    PUT(sheet, ".");
    put_two(sheet, day / DAYS % YEAR_MONTHS + 1);
    PUT(sheet, ".");
    put_two(sheet, day % DAYS + 1);
}

/* A stream of random numbers of their own, so that moves are those of games without these tags. */
static void put_tags(struct sheet *sheet, const struct task *task, uint64_t number)
{
    struct sheet tags = {.chance = rng_mix(rng_mix(~task->seed) + number)};
    uint64_t ratings[2];
    draw_ratings(&tags, ratings);
    const char *control = draw_time_control(&tags);
    PUT(sheet, "\"]\n[UTCDate \"");
    put_date(sheet, number, task->games, task->months);
    PUT(sheet, "\"]\n[WhiteElo \"");
    put_number(sheet, ratings[0]);
    PUT(sheet, "\"]\n[BlackElo \"");
    put_number(sheet, ratings[1]);
    PUT(sheet, "\"]\n[TimeControl \"");
    put(sheet, control, strlen(control));
}

/* Games ------------------------------------------------------------------------------------- */

static char *write_game(const struct world *world, const struct task *task, uint64_t number,
                        char *at)
{
    static const char *const results[OUTCOMES] = {"1-0", "1/2-1/2", "0-1"};
    struct sheet sheet = {.at = at,
                          .chance = rng_mix(rng_mix(task->seed) + number),
                          .odd = task->odd,
                          .odd_chance = rng_mix(rng_mix(task->seed ^ UINT64_MAX / 3) + number)};
    uint64_t drawn = draw(&sheet, world->nodes[0].games);
    const char *result = drawn < world->results[0]                       ? results[0]
                         : drawn < world->results[0] + world->results[1] ? results[1]
                                                                         : results[2];
    sheet.length = draw(&sheet, UINT64_C(1) << 32) < world->full_share
                       ? world->depth
                       : PLIES_LEAST + draw(&sheet, world->depth - PLIES_LEAST);
    PUT(&sheet, "[Event \"?\"]\n[Site \"?\"]\n[Date \"");
    if (task->months)
        put_date(&sheet, number, task->games, task->months);
    else
        PUT(&sheet, "2026.01.01");
    PUT(&sheet, "\"]\n[Round \"");
    put_number(&sheet, number);
    PUT(&sheet, "\"]\n[White \"White, ");
    put_number(&sheet, number);
    PUT(&sheet, "\"]\n[Black \"Black, ");
    put_number(&sheet, number);
    PUT(&sheet, "\"]\n[Result \"");
    put(&sheet, result, strlen(result));
    if (task->months)
        put_tags(&sheet, task, number);
    PUT(&sheet, "\"]\n\n");
    play(world, &sheet);
    if (!is_odd(&sheet, task->odd))
        put(&sheet, result, strlen(result));
    PUT(&sheet, "\n\n");
    return sheet.at;
}

#define USAGE                                                                                      \
    "usage: campaign_generate STATISTICS.wld GAMES SEED [SHARD/SHARDS] "                           \
    "[--months N | --odd PERMILLE]"

static uint64_t read_number(const char *text, size_t size, int64_t max)
{
    int64_t number = 0;
    REQUIRE(span_to_int(span_make(text, size), 0, max, &number) == STATUS_OK, USAGE);
    return (uint64_t)number;
}

static void write_out(const char *buffer, const char *end)
{
    size_t size = (size_t)(end - buffer);
    REQUIRE(fwrite(buffer, 1, size, stdout) == size, "cannot write");
}

int main(int argc, char **argv)
{
    enum { MONTHS_MAX = 1200 };
    static struct world world;
    static char buffer[(1 << 20) + GAME_ROOM];
    struct task task = {.months = 0};
    if (argc > 5 && strcmp(argv[argc - 2], "--months") == 0) {
        task.months = read_number(argv[argc - 1], strlen(argv[argc - 1]), MONTHS_MAX);
        argc -= 2;
    } else if (argc > 5 && strcmp(argv[argc - 2], "--odd") == 0) {
        task.odd = read_number(argv[argc - 1], strlen(argv[argc - 1]), 1000);
        argc -= 2;
    }
    REQUIRE(argc == 4 || argc == 5, USAGE);
    task.games = read_number(argv[2], strlen(argv[2]), UINT32_MAX);
    task.seed = read_number(argv[3], strlen(argv[3]), INT64_MAX);
    const char *shard = argc == 5 ? argv[4] : "1/1";
    size_t stroke = strcspn(shard, "/");
    REQUIRE(shard[stroke] == '/', "the shard is none of 1/K to K/K");
    uint64_t part = read_number(shard, stroke, UINT16_MAX);
    uint64_t parts = read_number(shard + stroke + 1, strlen(shard + stroke + 1), UINT16_MAX);
    REQUIRE(part >= 1 && part <= parts, "the shard is none of 1/K to K/K");
    chess_init();
    world_read(&world, argv[1]);
    char *at = buffer;
    for (uint64_t i = task.games * (part - 1) / parts; i < task.games * part / parts; i++) {
        at = write_game(&world, &task, i + 1, at);
        if (at - buffer > (ptrdiff_t)sizeof buffer - GAME_ROOM) {
            write_out(buffer, at);
            at = buffer;
        }
    }
    write_out(buffer, at);
    REQUIRE(fflush(stdout) == 0, "cannot write");
    world_free(&world);
    return 0;
}
