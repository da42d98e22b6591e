/* caxton-tune: fits the weights of the evaluation to scored positions. See README.md.
 *
 * Source of the method: Texel's tuning (https://www.chessprogramming.org/Texel%27s_Tuning_Method)
 * with Adam (Kingma and Ba, 2014) in the place of local search. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chess/attacks.h"
#include "chess/rng.h"
#include "chess/text.h"
#include "eval/trace.h"
#include "eval/train/model.h"

enum { BATCH = 16384, BLOCK = 1000, VALIDATION_EVERY = 20, CHECKED_SAMPLES = 2000 };

struct options {
    int epochs;
    int result_permille; /* share of the game's result in the target */
    int pull;            /* strength of the pull towards the start values, in 1e-11 */
    bool check;
    const char *output;
};

struct fit {
    const struct data *data;
    double slope; /* expected score = logistic(slope * score) */
    size_t *training;
    size_t training_count;
    size_t *validation;
    size_t validation_count;
    struct weights start, weights;
};

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* The mean squared error over some samples. */
static double loss(const struct fit *fit, const size_t *list, size_t count, double slope)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sample *sample = &fit->data->samples[list[i]];
        double score = model_score(fit->data, sample, &fit->weights);
        double error = logistic(slope * score) - (double)sample->target;
        sum += error * error;
    }
    return count ? sum / (double)count : 0;
}

/* The slope that suits the start weights best, by golden section on a logarithmic scale. */
static double best_slope(const struct fit *fit)
{
    double low = log(0.001), high = log(0.02);
    size_t count = fit->training_count < 200000 ? fit->training_count : 200000;
    for (int i = 0; i < 20; i++) {
        double a = low + 0.382 * (high - low);
        double b = low + 0.618 * (high - low);
        if (loss(fit, fit->training, count, exp(a)) < loss(fit, fit->training, count, exp(b)))
            high = b;
        else
            low = a;
    }
    return exp((low + high) / 2);
}

static double error_factor(double score, const struct sample *sample, void *context)
{
    double slope = *(const double *)context;
    double p = logistic(slope * score);
    return 2 * (p - (double)sample->target) * p * (1 - p) * slope;
}

static void shuffle(size_t *list, size_t count, struct rng *rng)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)rng_below(rng, i);
        size_t kept = list[i - 1];
        list[i - 1] = list[j];
        list[j] = kept;
    }
}

/* One Adam step along the mean gradient of a batch. */
static void step(struct fit *fit, const size_t *batch, size_t count, double pull, double rate,
                 struct weights moments[2], int number)
{
    struct weights gradient = {0};
    for (size_t i = 0; i < count; i++)
        model_backward(fit->data, &fit->data->samples[batch[i]], &fit->weights, error_factor,
                       &fit->slope, &gradient);
    double correct_1 = 1 - pow(0.9, number);
    double correct_2 = 1 - pow(0.999, number);
    for (int i = 0; i < WEIGHT_COUNT; i++) {
        for (int half = MG; half <= EG; half++) {
            double away = fit->weights.value[i][half] - fit->start.value[i][half];
            double g = gradient.value[i][half] / (double)count + pull * away;
            double *m = &moments[0].value[i][half];
            double *v = &moments[1].value[i][half];
            *m = 0.9 * *m + 0.1 * g;
            *v = 0.999 * *v + 0.001 * g * g;
            /* Units of danger are finer than centipawns: they may move faster. */
            double unit = i >= W_DANGER_BASE ? 3 : 1;
            fit->weights.value[i][half] -=
                rate * unit * (*m / correct_1) / (sqrt(*v / correct_2) + 1e-12);
        }
    }
}

static void train(struct fit *fit, const struct options *options)
{
    struct rng rng;
    struct weights moments[2];
    memset(moments, 0, sizeof moments);
    rng_seed(&rng, 1);
    int number = 0;
    for (int epoch = 0; epoch < options->epochs; epoch++) {
        double rate = 0.02 + 2 * 0.5 * (1 + cos(3.14159265 * epoch / options->epochs));
        shuffle(fit->training, fit->training_count, &rng);
        for (size_t i = 0; i < fit->training_count; i += BATCH) {
            size_t left = fit->training_count - i;
            step(fit, fit->training + i, left < BATCH ? left : BATCH, options->pull * 1e-11, rate,
                 moments, ++number);
        }
        if (epoch % 5 == 4 || epoch + 1 == options->epochs) {
            printf("epoch %d: validation %.6f\n", epoch + 1,
                   loss(fit, fit->validation, fit->validation_count, fit->slope));
            fflush(stdout);
        }
    }
}

static bool write_weights(const struct weights *weights, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "/* Written by caxton-tune (eval/train). Pairs are middlegame, endgame. */\n"
                  "#include \"eval/weights.h\"\n\n#define S PAIR\n\n/* clang-format off */\n"
                  "const int32_t eval_weights[WEIGHT_COUNT] = {\n");
    int first, size;
    const char *name;
    for (int group = 0; (name = eval_group(group, &first, &size)) != NULL; group++) {
        fprintf(file, "    [W_%s] =\n", name);
        for (int i = 0; i < size; i++) {
            const double *value = weights->value[first + i];
            fprintf(file, "%sS(%ld, %ld),%s", i % 8 == 0 ? "        " : " ", lround(value[MG]),
                    lround(value[EG]), i % 8 == 7 || i + 1 == size ? "\n" : "");
        }
    }
    fprintf(file, "};\n/* clang-format on */\n");
    bool failed = ferror(file) != 0;
    return fclose(file) == 0 && !failed;
}

/* Whole blocks of neighbouring lines go to validation: they come from the same games. */
static bool split(struct fit *fit)
{
    size_t count = fit->data->count;
    fit->training = malloc((count + 1) * sizeof *fit->training);
    fit->validation = malloc((count + 1) * sizeof *fit->validation);
    if (!fit->training || !fit->validation)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (i / BLOCK % VALIDATION_EVERY == 0)
            fit->validation[fit->validation_count++] = i;
        else
            fit->training[fit->training_count++] = i;
    }
    /* A fixed random order, so that every prefix is a fair sample. */
    struct rng rng;
    rng_seed(&rng, 2);
    shuffle(fit->training, fit->training_count, &rng);
    return true;
}

static int fit_data(struct data *data, const struct options *options)
{
    struct fit fit = {.data = data};
    int rc = EXIT_FAILURE;
    weights_from_table(&fit.start);
    fit.weights = fit.start;
    data_set_targets(data, options->result_permille / 1000.0);
    if (options->check) {
        printf("largest gradient error %.2g\n", model_check(data, CHECKED_SAMPLES, &fit.weights));
        return EXIT_SUCCESS;
    }
    if (!split(&fit)) {
        fprintf(stderr, "caxton-tune: no memory\n");
        goto done;
    }
    fit.slope = best_slope(&fit);
    printf("%zu training and %zu validation positions, %zu features, slope %.6f\n",
           fit.training_count, fit.validation_count, data->feature_count, fit.slope);
    printf("start: training %.6f, validation %.6f\n",
           loss(&fit, fit.training, fit.training_count, fit.slope),
           loss(&fit, fit.validation, fit.validation_count, fit.slope));
    train(&fit, options);
    printf("end: training %.6f, validation %.6f\n",
           loss(&fit, fit.training, fit.training_count, fit.slope),
           loss(&fit, fit.validation, fit.validation_count, fit.slope));
    if (write_weights(&fit.weights, options->output))
        rc = EXIT_SUCCESS;
    else
        fprintf(stderr, "caxton-tune: cannot write %s\n", options->output);
done:
    free(fit.training);
    free(fit.validation);
    return rc;
}

static bool read_file(struct data *data, const char *path)
{
    struct diag diag = {0};
    bool is_input = strcmp(path, "-") == 0;
    FILE *file = is_input ? stdin : fopen(path, "r");
    if (!file) {
        fprintf(stderr, "caxton-tune: cannot open %s\n", path);
        return false;
    }
    enum caxton_status status = data_read(data, file, path, &diag);
    if (!is_input && fclose(file) != 0 && status == STATUS_OK)
        status = STATUS_IO;
    if (status != STATUS_OK)
        fprintf(stderr, "caxton-tune: %s line %zu: %s\n", path, diag.line, status_name(status));
    return status == STATUS_OK;
}

static bool number_option(const char *argument, const char *name, int max, int *out)
{
    size_t size = strlen(name);
    int64_t value;
    if (strncmp(argument, name, size) != 0 ||
        span_to_int(span_of(argument + size), 0, max, &value) != STATUS_OK)
        return false;
    *out = (int)value;
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {.epochs = 40, .result_permille = 500, .pull = 100};
    struct data data = {0};
    bool ok = argc > 1;
    chess_init();
    for (int i = 1; i < argc && ok; i++) {
        if (strcmp(argv[i], "--check") == 0)
            options.check = true;
        else if (strncmp(argv[i], "--output=", 9) == 0)
            options.output = argv[i] + 9;
        else if (!number_option(argv[i], "--epochs=", 10000, &options.epochs) &&
                 !number_option(argv[i], "--result-permille=", 1000, &options.result_permille) &&
                 !number_option(argv[i], "--pull=", 1000000, &options.pull))
            ok = strncmp(argv[i], "--", 2) != 0 && read_file(&data, argv[i]);
    }
    if (!ok || (!options.output && !options.check)) {
        fprintf(stderr, "usage: caxton-tune [--check] [--epochs=N] [--result-permille=N] "
                        "[--pull=N] --output=WEIGHTS.c FILE...\n");
        data_free(&data);
        return 2;
    }
    int rc = fit_data(&data, &options);
    data_free(&data);
    return rc;
}
