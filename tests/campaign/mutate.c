/* Damages real games in many ways and builds from them.
 *   campaign_mutate COUNT SEED FILE...
 * Each of COUNT mutants of games from the files is built alone, and between two good games. Nothing
 * crashes or hangs; every game read was used or left out for a reason; and the good games count
 * exactly, whatever stands between them: the counts of all three are those of the mutant alone plus
 * those of the good games alone. The same of all mutants in one long text, with several threads. */
#include "base/rng.h"
#include "book/count/input/chunks.h"
#include "chess/attacks.h"
#include "tests/support/built.h"

enum { GAME_MAX = 1 << 16, MUTANT_MAX = 1 << 18, FILE_MAX = 1 << 26, KINDS = 12 };

/* Its comment keeps the stray closing brace of one mutant from closing a comment of the mutant
 * before: of text alone nobody could tell that from a comment that holds games. */
static const char before[] =
    "[Event \"before\"]\n[Result \"1-0\"]\n\n1. a3 {x} h6 2. a4 h5 3. h3 a6 1-0\n\n";
static const char after[] =
    "\n\n[Event \"after\"]\n[Result \"0-1\"]\n\n1. h3 a6 2. h4 a5 3. a3 h6 0-1\n\n";

/* A text that grows. */
struct text {
    char *data;
    size_t size;
    size_t capacity;
};

static void append(struct text *text, const char *data, size_t size)
{
    if (text->size + size > text->capacity) {
        text->capacity = 2 * (text->size + size) + 4096;
        text->data = realloc(text->data, text->capacity);
        REQUIRE(text->data != NULL);
    }
    if (size)
        memcpy(text->data + text->size, data, size);
    text->size += size;
}

/* Games ------------------------------------------------------------------------------------ */

static struct text all;
static size_t *starts; /* of the games in it; one more for the end */
static size_t game_count;

static void read_file(const char *path)
{
    static char buffer[1 << 16];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    size_t got;
    while ((got = fread(buffer, 1, sizeof buffer, file)) > 0 && all.size < FILE_MAX)
        append(&all, buffer, got);
    REQUIRE(!ferror(file) && fclose(file) == 0);
}

static void find_games(void)
{
    static const char event[] = "[Event ";
    size_t capacity = 1024;
    starts = malloc((capacity + 1) * sizeof *starts);
    REQUIRE(starts != NULL);
    for (size_t i = 0; i + sizeof event < all.size; i++) {
        if (memcmp(all.data + i, event, sizeof event - 1) != 0 || (i && all.data[i - 1] != '\n'))
            continue;
        if (game_count == capacity) {
            capacity *= 2;
            starts = realloc(starts, (capacity + 1) * sizeof *starts);
            REQUIRE(starts != NULL);
        }
        starts[game_count++] = i;
    }
    REQUIRE(game_count > 0);
    starts[game_count] = all.size;
}

/* Mutations -------------------------------------------------------------------------------- */

static size_t place(struct rng *rng, const struct text *text)
{
    return text->size ? (size_t)rng_below(rng, text->size) : 0;
}

/* Puts `size` bytes in the place of text[at..at+gone). */
static void splice(struct text *text, size_t at, size_t gone, const char *data, size_t size)
{
    struct text made = {0};
    append(&made, text->data, at);
    append(&made, data, size);
    append(&made, text->data + at + gone, text->size - at - gone);
    free(text->data);
    *text = made;
}

/* The word at or after `at`. */
static size_t word_at(const struct text *text, size_t at, size_t *size)
{
    while (at < text->size && strchr(" \r\n", text->data[at]))
        at++;
    *size = 0;
    while (at + *size < text->size && !strchr(" \r\n", text->data[at + *size]))
        ++*size;
    return at;
}

static void swap_words(struct rng *rng, struct text *text)
{
    char copy[256];
    size_t from_size;
    size_t to_size;
    size_t from = word_at(text, place(rng, text), &from_size);
    size_t to = word_at(text, place(rng, text), &to_size);
    from_size = from_size < sizeof copy ? from_size : sizeof copy;
    memcpy(copy, text->data + from, from_size);
    splice(text, to, to_size, copy, from_size);
}

/* Deletes, doubles or changes one of the signs that hold a game together. */
static void unbalance(struct rng *rng, struct text *text, const char *signs)
{
    size_t start = place(rng, text);
    for (size_t i = 0; i < text->size; i++) {
        size_t at = (start + i) % text->size;
        if (!text->data[at] || !strchr(signs, text->data[at]))
            continue;
        char two[2] = {text->data[at], signs[rng_below(rng, strlen(signs))]};
        splice(text, at, 1, two, (size_t)rng_below(rng, 3));
        return;
    }
    splice(text, start, 0, &signs[rng_below(rng, strlen(signs))], 1);
}

/* Some line breaks become CR or CRLF, or go. */
static void mix_breaks(struct rng *rng, struct text *text)
{
    struct text made = {0};
    for (size_t i = 0; i < text->size; i++) {
        static const char *const breaks[] = {"\n", "\r", "\r\n", "\n\n", " ", "\n\r"};
        const char *chosen = breaks[rng_below(rng, 6)];
        if (text->data[i] == '\n')
            append(&made, chosen, strlen(chosen));
        else
            append(&made, text->data + i, 1);
    }
    free(text->data);
    *text = made;
}

static void huge_tag(struct rng *rng, struct text *text)
{
    size_t size = (size_t)rng_below(rng, 100000);
    char *value = malloc(size + 16);
    REQUIRE(value != NULL);
    memcpy(value, "[Huge \"", 7);
    memset(value + 7, 'x', size);
    memcpy(value + 7 + size, "\"]\n", 3);
    splice(text, 0, 0, value, size + 10);
    free(value);
}

static void flip(struct rng *rng, struct text *text)
{
    for (uint64_t n = 1 + rng_below(rng, 8); n > 0 && text->size; n--)
        text->data[place(rng, text)] ^= (char)(1 << rng_below(rng, 8));
}

static void mutate(struct rng *rng, struct text *text)
{
    static const char *const odd[] = {"\xC3\x28", "\xFF\xFE", "\xED\xA0\x80", "\xEF\xBB\xBF",
                                      "\x80"};
    char nul = 0;
    size_t size;
    size_t at = place(rng, text);
    switch (rng_below(rng, KINDS)) {
    case 0:
        flip(rng, text);
        break;
    case 1: /* cut short */
        text->size = at;
        break;
    case 2: /* the head is missing */
        splice(text, 0, at, "", 0);
        break;
    case 3:
        swap_words(rng, text);
        break;
    case 4:
        unbalance(rng, text, "[]\"");
        break;
    case 5:
        unbalance(rng, text, "{}");
        break;
    case 6:
        unbalance(rng, text, "();");
        break;
    case 7: { /* the head twice, or in the midst */
        size_t head = text->size < 200 ? text->size : 200;
        char copy[200];
        memcpy(copy, text->data, head);
        splice(text, rng_below(rng, 2) ? 0 : at, 0, copy, head);
        break;
    }
    case 8:
        splice(text, at, 0, &nul, 1);
        break;
    case 9:
        mix_breaks(rng, text);
        break;
    case 10: {
        const char *bytes = odd[rng_below(rng, 5)];
        splice(text, at, 0, bytes, strlen(bytes));
        break;
    }
    default: /* a word is lost, or a tag grows */
        if (rng_below(rng, 4) == 0) {
            huge_tag(rng, text);
        } else {
            at = word_at(text, at, &size);
            splice(text, at, size, "", 0);
        }
        break;
    }
}

static struct text make_mutant(struct rng *rng)
{
    struct text text = {0};
    size_t game = (size_t)rng_below(rng, game_count);
    size_t size = starts[game + 1] - starts[game];
    append(&text, all.data + starts[game], size < GAME_MAX ? size : GAME_MAX);
    for (uint64_t n = 1 + rng_below(rng, 3); n > 0 && text.size; n--)
        mutate(rng, &text);
    REQUIRE(text.size < MUTANT_MAX);
    return text;
}

/* Counts ----------------------------------------------------------------------------------- */

static struct build_options options;

struct counts {
    struct count_report report;
    struct tally *tallies;
    size_t count;
};

static struct counts count_text(const char *data, size_t size, size_t piece)
{
    struct built built = built_make(&options, (struct pieces){span_make(data, size), piece});
    struct counts counts = {.report = built.report.count};
    counts.tallies = built_tallies(&built, &counts.count);
    built_free(&built);
    return counts;
}

static void add_reports(struct count_report *to, const struct count_report *more)
{
    to->games += more->games;
    to->used += more->used;
    to->plies += more->plies;
    to->bad_games += more->bad_games;
    for (size_t i = 0; i < FILTER_ROWS_MAX; i++)
        to->left_out[i] += more->left_out[i];
}

/* Adds what `more` holds; *to is replaced. */
static void add_counts(struct counts *to, const struct counts *more)
{
    struct counts sum = {.report = to->report};
    add_reports(&sum.report, &more->report);
    sum.tallies = calloc(to->count + more->count + 1, sizeof *sum.tallies);
    REQUIRE(sum.tallies != NULL);
    size_t i = 0;
    size_t j = 0;
    while (i < to->count || j < more->count) {
        int order = i == to->count     ? 1
                    : j == more->count ? -1
                                       : tally_compare(&to->tallies[i], &more->tallies[j]);
        struct tally *tally = &sum.tallies[sum.count++];
        *tally = order <= 0 ? to->tallies[i++] : more->tallies[j];
        for (int k = 0; order == 0 && k < OUTCOMES; k++)
            tally->counts[k] += more->tallies[j].counts[k];
        j += order >= 0;
    }
    free(to->tallies);
    *to = sum;
}

static bool are_equal(const struct counts *a, const struct counts *b)
{
    if (a->count != b->count || a->report.games != b->report.games ||
        a->report.used != b->report.used || a->report.plies != b->report.plies ||
        a->report.bad_games != b->report.bad_games)
        return false;
    for (size_t i = 0; i < FILTER_ROWS_MAX; i++)
        if (a->report.left_out[i] != b->report.left_out[i])
            return false;
    for (size_t i = 0; i < a->count; i++)
        if (tally_compare(&a->tallies[i], &b->tallies[i]) != 0 ||
            memcmp(a->tallies[i].counts, b->tallies[i].counts, sizeof a->tallies[i].counts) != 0)
            return false;
    return true;
}

static void expect_equal(const struct counts *a, const struct counts *b, const char *what,
                         const struct text *text)
{
    if (are_equal(a, b))
        return;
    (void)fprintf(stderr, "%s: %llu games, %llu used; expected %llu, %llu\n", what,
                  (unsigned long long)a->report.games, (unsigned long long)a->report.used,
                  (unsigned long long)b->report.games, (unsigned long long)b->report.used);
    (void)fwrite(text->data, 1, text->size < 4000 ? text->size : 4000, stderr);
    exit(1);
}

/* The whole -------------------------------------------------------------------------------- */

/* One mutant alone and between good games; its sum goes to *total, its text to *everything. */
static void try_mutant(struct rng *rng, const struct counts *good, struct counts *total,
                       struct text *everything)
{
    struct text mutant = make_mutant(rng);
    struct text between = {0};
    append(&between, before, sizeof before - 1);
    append(&between, mutant.data, mutant.size);
    append(&between, after, sizeof after - 1);
    size_t piece = 1 + (size_t)rng_below(rng, 3000);
    struct counts three = count_text(between.data, between.size, piece);
    struct counts expected = count_text(mutant.data, mutant.size, SIZE_MAX);
    add_counts(&expected, good);
    expect_equal(&three, &expected, "a mutant between two games", &between);
    add_counts(total, &three);
    append(everything, between.data, between.size);
    free(three.tallies);
    free(expected.tallies);
    free(between.data);
    free(mutant.data);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        (void)fprintf(stderr, "usage: %s COUNT SEED FILE...\n", argv[0]);
        return 2;
    }
    struct rng rng;
    unsigned long count = strtoul(argv[1], NULL, 10);
    rng_seed(&rng, strtoull(argv[2], NULL, 10));
    chess_init();
    for (int i = 3; i < argc; i++)
        read_file(argv[i]);
    find_games();

    options = build_options_default();
    options.count.max_plies = 30;
    options.min_games = 1;
    options.count.keep_duplicates = true;
    options.count.memory_bytes = 1 << 20;
    struct text text = {0};
    append(&text, before, sizeof before - 1);
    append(&text, after, sizeof after - 1);
    struct counts good = count_text(text.data, text.size, SIZE_MAX);
    REQUIRE(good.report.used == 2 && good.report.plies == 12);
    struct counts total = {.count = 0};
    struct text everything = {0};
    for (unsigned long i = 0; i < count; i++)
        try_mutant(&rng, &good, &total, &everything);
    for (int jobs = 1; jobs <= 3; jobs += 2) {
        options.count.jobs = jobs;
        struct counts whole = count_text(everything.data, everything.size, SIZE_MAX);
        expect_equal(&whole, &total, "all in one text", &(struct text){0});
        free(whole.tallies);
    }
    (void)printf(
        "%lu mutants of %zu games: %llu games read, %llu used, %llu bad; all accounted for, "
        "their neighbours exact\n",
        count, game_count, (unsigned long long)total.report.games,
        (unsigned long long)total.report.used, (unsigned long long)total.report.bad_games);
    for (size_t i = 0; i < FILTER_ROWS_MAX; i++)
        if (total.report.left_out[i])
            (void)printf("  left out %8llu  %s\n", (unsigned long long)total.report.left_out[i],
                         filter_reason(i)->reason);
    free(good.tallies);
    free(total.tallies);
    free(everything.data);
    free(text.data);
    free(starts);
    free(all.data);
    return 0;
}
