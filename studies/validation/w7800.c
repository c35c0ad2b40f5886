/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * w7800.c - both models on HotSpot's table of an AMD Radeon PRO W7800, which others measured
 * (studies/results/amd-w7800/README): calibrated on 12 points, judged on the rest.
 *
 * The 12 points, by a rule that does not look at times: for each kernel (power in local memory or
 * not), the smallest, the middle and the largest tile (1 x 1, 3 x 5 and 5 x 10 cells a thread, or
 * the largest measured that is not larger), each at height 1 and at the largest measured height of
 * at most 6.
 *
 * What is known without the table: the data sheet's bandwidth, units and limits, and the kernel's
 * source. Fitted: five parameters of the second model (load, chain, issue, line, dram); of the
 * 2011 model five, too (latency, sigma, both instruction counts, launch overhead), all of them
 * linear.
 *
 * Chosen after seeing the judged points: see history.md. So the split into fitted and judged points
 * tests the parameters, not the form.
 */
#include "gz2_fit.h"
#include "judge.h"
#include "second.h"
#include "study.h"

#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 1024, GRID = 4096, KERNELS = 2, UNITS = 35, FOLDS = 6, MAX_UNKNOWNS = 8 };

/* How a point is used. */
enum { JUDGED, FITTED, PASSED_OVER };

/* Of the data sheet, bytes/s. */
static const double BANDWIDTH = 576e9;

typedef struct row {
    int tile[2], height, kernel; /* kernel: 1 with the power array in local memory */
    double seconds;              /* per loop */
    double again; /* the same, mean over other unrollings, which have no effect; NaN if there are
                     none */
    int repeats;  /* how many */
} row;

typedef struct table {
    row rows[MAX_ROWS];
    size_t n;
} table;

/* Adds a row of another unrolling to the repeats of its configuration; none: left out. */
static void add_repeat(table *t, const row *r)
{
    for (size_t i = 0; i < t->n; i++) {
        row *own = &t->rows[i];
        if (own->tile[0] == r->tile[0] && own->tile[1] == r->tile[1] && own->height == r->height &&
            own->kernel == r->kernel) {
            double sum = own->repeats ? own->again * own->repeats : 0;
            own->again = (sum + r->seconds) / ++own->repeats;
            return;
        }
    }
}

/* Reads those rows whose unrolling is 1; others, which follow it, are repeats of them. */
static void read_table(const char *path, table *t)
{
    FILE *f = fopen(path, "r");
    char line[512];
    long number = 1;

    if (!f)
        study_fail(2, "%s: cannot be read", path);
    memset(t, 0, sizeof *t);
    if (!fgets(line, sizeof line, f) || strncmp(line, "block_x,block_y,tile_x,tile_y,height,", 37))
        study_fail(2, "%s:1: the header must begin with block_x,block_y,tile_x,tile_y,height,",
                   path);
    while (fgets(line, sizeof line, f)) {
        int bx, by, unroll;
        row r;
        double ms;
        number++;
        if (sscanf(line, "%d,%d,%d,%d,%d,%d,%d,%lf", &bx, &by, &r.tile[0], &r.tile[1], &r.height,
                   &unroll, &r.kernel, &ms) != 8 ||
            !(ms > 0) || r.height < 1 || bx != 1 || by != 32 || r.kernel < 0 || r.kernel > 1)
            study_fail(
                2,
                "%s:%ld: expected eight numbers: a block of 1 x 32, tile, height, unrolling, "
                "power in local memory (0 or 1), milliseconds",
                path, number);
        if (t->n == MAX_ROWS)
            study_fail(2, "%s:%ld: more than %d rows with an unrolling of 1", path, number,
                       MAX_ROWS);
        r.seconds = ms * 1e-3 / r.height;
        r.again = (double)NAN;
        r.repeats = 0;
        if (unroll != 1) {
            add_repeat(t, &r);
            continue;
        }
        t->rows[t->n++] = r;
    }
    fclose(f);
    if (t->n == 0)
        study_fail(2, "%s: no rows with an unrolling of 1", path);
}

/* The measured tile of a kernel that is nearest to, but in no dimension larger than, the given one;
 * then its highest height up to `height`. */
static void mark(const table *t, second_point *points, int kernel, int x, int y, int height)
{
    size_t best = MAX_ROWS;
    for (size_t i = 0; i < t->n; i++) {
        const row *r = &t->rows[i], *b = &t->rows[best == MAX_ROWS ? 0 : best];
        if (r->kernel != kernel || r->tile[0] > x || r->tile[1] > y || r->height > height)
            continue;
        if (best == MAX_ROWS || r->tile[0] * r->tile[1] > b->tile[0] * b->tile[1] ||
            (r->tile[0] * r->tile[1] == b->tile[0] * b->tile[1] && r->height > b->height))
            best = i;
    }
    if (best < MAX_ROWS)
        points[best].used = FITTED;
}

static void choose_twelve(const table *t, second_point *points)
{
    static const int tiles[][2] = {{1, 1}, {3, 5}, {5, 10}}, heights[] = {1, 6};
    for (int kernel = 0; kernel < KERNELS; kernel++)
        for (int k = 0; k < 3; k++)
            for (int h = 0; h < 2; h++)
                mark(t, points, kernel, tiles[k][0], tiles[k][1], heights[h]);
}

/* The device and the kernels, from public data sheets and the kernel's source. */
static void make_models(gzi_gz2 model[KERNELS])
{
    for (int k = 0; k < KERNELS; k++) {
        model[k] = (gzi_gz2){.device = {.units = UNITS,
                                        .warp = 32,
                                        .blocks = 32,
                                        .threads = 2048,
                                        .local_unit = 131072,
                                        .local_group = 65536,
                                        .local_step = 512,
                                        .line = 128,
                                        .sharpness = 8},
                             .stencil = {.dim = 2,
                                         .radius = {1, 1},
                                         .bytes = 4,
                                         .loaded = 1 + k,
                                         .per_step = 1 - k,
                                         .reads = 5 + k,
                                         .edge = {GZI_EDGE_CLAMP, GZI_EDGE_CLAMP, GZI_EDGE_CLAMP}}};
        model[k].value[GZI_GZ2_DRAM] = UNITS / BANDWIDTH;
        model[k].value[GZI_GZ2_CACHE] = 64e6;
        model[k].value[GZI_GZ2_NORM] = 3;
        model[k].value[GZI_GZ2_LAUNCH] = 5e-6;
    }
}

static void config_of(const row *r, gzi_gz2_config *c)
{
    *c = (gzi_gz2_config){.grid = {GRID, GRID, 1},
                          .block = {r->tile[0] + 2 * r->height, 32 * r->tile[1] + 2 * r->height, 1},
                          .threads = {1, 32, 1},
                          .height = r->height,
                          .loops = r->height,
                          .mode = GZI_GZ2_RESTARTS};
}

/* What is left out of the model, one at a time. */
typedef enum ablation {
    WHOLE,
    NO_OCCUPANCY,
    NO_LATENCY,
    NO_ISSUE,
    NO_LINES,
    NO_MEMORY,
    MAXIMUM,
    SUM,
    ABLATIONS
} ablation;
static const char *const ablation_names[] = {"gz2",
                                             "without occupancy",
                                             "without the latency chain",
                                             "without issue",
                                             "without cache lines",
                                             "without device memory",
                                             "maximum instead of norm",
                                             "sum instead of norm"};

/* The unknowns with their starts, orders of magnitude of any GPU of the decade; returns how many.
 */
static int make_unknowns(ablation what, gzi_gz2_unknown *u)
{
    const gzi_gz2_unknown all[] = {{.parameter = GZI_GZ2_LOAD, .start = 5e-7},
                                   {.parameter = GZI_GZ2_CHAIN, .start = 1e-7},
                                   {.parameter = GZI_GZ2_ISSUE, .start = 1e-8},
                                   {.parameter = GZI_GZ2_LINE, .start = 1e-9},
                                   {.parameter = GZI_GZ2_DRAM, .start = UNITS / BANDWIDTH}};
    int n = 0;
    for (int k = 0; k < (int)(sizeof all / sizeof *all); k++) {
        gzi_gz2_term term = gzi_gz2_term_of(all[k].parameter);
        if ((what == NO_LATENCY && term == GZI_GZ2_LATENCY) ||
            (what == NO_ISSUE && term == GZI_GZ2_WORK) ||
            (what == NO_LINES && term == GZI_GZ2_LINES) ||
            (what == NO_MEMORY && term == GZI_GZ2_MEMORY))
            continue;
        u[n] = all[k];
        u[n].stencil = -1;
        u[n].prior = all[k].parameter == GZI_GZ2_DRAM ? 0.5 : 10;
        n++;
    }
    return n;
}

static void ablate(ablation what, gzi_gz2 model[KERNELS])
{
    for (int k = 0; k < KERNELS; k++) {
        if (what == NO_OCCUPANCY)
            model[k].device.local_unit = 0;
        if (what == NO_MEMORY)
            model[k].value[GZI_GZ2_DRAM] = 0;
        if (what == MAXIMUM || what == SUM)
            model[k].value[GZI_GZ2_NORM] = what == SUM ? 1 : 60;
    }
}

static void set_points(const table *t, second_point *points)
{
    int curves = 0;
    for (size_t i = 0; i < t->n; i++) {
        const row *r = &t->rows[i];
        points[i] = (second_point){.curve = -1,
                                   .pair = -1,
                                   .problem = r->kernel,
                                   .height = r->height,
                                   .seconds = r->seconds,
                                   .predicted = (double)NAN};
        for (size_t k = 0; k < i && points[i].curve < 0; k++)
            if (t->rows[k].kernel == r->kernel && t->rows[k].tile[0] == r->tile[0] &&
                t->rows[k].tile[1] == r->tile[1])
                points[i].curve = points[k].curve;
        if (points[i].curve < 0)
            points[i].curve = curves++;
    }
}

/* The runs that are fitted to, a group for each curve; returns how many. */
static size_t make_runs(const table *t, const second_point *points, gzi_gz2_run *runs)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        if (points[i].used == FITTED) {
            runs[n] = (gzi_gz2_run){.stencil = t->rows[i].kernel,
                                    .seconds = t->rows[i].seconds,
                                    .group = points[i].curve};
            config_of(&t->rows[i], &runs[n++].config);
        }
    return n;
}

/* Fits and predicts; half the width of the 95 % interval. */
static double second_model(const table *t, ablation what, second_point *points,
                           gzi_gz2 model[KERNELS], gzi_gz2_unknown *u, int *n_unknowns)
{
    static gzi_gz2_run runs[MAX_ROWS];
    static double residual[MAX_ROWS];
    gzi_gz2_fitted fitted;
    size_t n = make_runs(t, points, runs);

    make_models(model);
    ablate(what, model);
    *n_unknowns = make_unknowns(what, u);
    if (gzi_gz2_left_out(model, KERNELS, runs, n, u, *n_unknowns, FOLDS, residual) ||
        gzi_gz2_fit(model, KERNELS, runs, n, NULL, u, *n_unknowns, &fitted))
        study_fail(1, "the fit of the second model failed");
    for (size_t i = 0; i < t->n; i++) {
        gzi_gz2_config config;
        gzi_gz2_prediction p;
        config_of(&t->rows[i], &config);
        points[i].predicted =
            gzi_gz2_predict(&model[t->rows[i].kernel], &config, &p) ? (double)NAN : p.seconds;
    }
    return gzi_gz2_half_width(residual, n, 0);
}

/* The 2011 model: its device and applications, of which five quantities are fitted. */
enum { FACTORS = 5 };
typedef struct first_model {
    const table *t;
    const second_point *points;
    int left_out; /* the fold that is not fitted to; -1: none */
    gz_device device;
    gz_app app[KERNELS];
} first_model;

static double first_predict(const first_model *m, const row *r)
{
    double ghost = 2.0 * r->height;
    gz_config cfg = {.data_length = {GRID, GRID},
                     .block_len = {r->tile[0] + ghost, 32.0 * r->tile[1] + ghost},
                     .beyond = 1};
    gz_prediction p;
    return gz_predict(&m->device, &m->app[r->kernel], &cfg, r->height, &p, NULL)
               ? (double)NAN
               : p.seconds_per_loop;
}

static void first_set(first_model *m, const double *logarithms)
{
    m->device.uncontended_latency.value = 300 * exp(logarithms[0]);
    m->device.dimension_penalty.value = 5 * exp(logarithms[1]);
    m->device.launch_overhead.value = 10000 * exp(logarithms[2]);
    for (int k = 0; k < KERNELS; k++) {
        m->app[k].insts_per_sm_misc.value = 13488 * exp(logarithms[3]);
        m->app[k].insts_per_sm_iter.value = 16645 * exp(logarithms[4]);
    }
}

/* The same cost as the second model's: soft L1, weak priors. */
static double first_cost(const gsl_vector *x, void *of)
{
    first_model *m = of;
    double logarithms[FACTORS], cost = 0;
    for (int k = 0; k < FACTORS; k++) {
        logarithms[k] = gsl_vector_get(x, (size_t)k);
        cost += 1e-4 * logarithms[k] * logarithms[k];
    }
    first_set(m, logarithms);
    for (size_t i = 0; i < m->t->n; i++)
        if (m->points[i].used == FITTED && m->points[i].curve % FOLDS != m->left_out) {
            double r = first_predict(m, &m->t->rows[i]) / m->t->rows[i].seconds - 1;
            cost += 0.02 * (sqrt(1 + r * r / 0.01) - 1);
        }
    return cost;
}

/* Fits by Nelder and Mead from several starts. */
static void first_fit(first_model *m)
{
    static const double starts[] = {0, -2, 2};
    gsl_vector *x = gsl_vector_alloc(FACTORS), *step = gsl_vector_alloc(FACTORS);
    gsl_multimin_fminimizer *s =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, FACTORS);
    gsl_multimin_function f = {first_cost, FACTORS, m};
    double best[FACTORS] = {0}, least = (double)INFINITY;

    if (!x || !step || !s)
        study_fail(1, "no room for the fit of the 2011 model");
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
        gsl_vector_set_all(x, starts[k]);
        gsl_vector_set_all(step, 1);
        gsl_multimin_fminimizer_set(s, &f, x, step);
        for (int i = 0; i < 3000 && s->size > 1e-6; i++)
            if (gsl_multimin_fminimizer_iterate(s))
                break;
        if (s->fval < least) {
            least = s->fval;
            for (int i = 0; i < FACTORS; i++)
                best[i] = gsl_vector_get(s->x, (size_t)i);
        }
    }
    first_set(m, best);
    gsl_multimin_fminimizer_free(s);
    gsl_vector_free(x);
    gsl_vector_free(step);
}

/* Fits and predicts; half the width of the 95 % interval, found as the second model's. */
static double first_model_of(const table *t, second_point *points)
{
    static double residual[MAX_ROWS];
    first_model m = {.t = t, .points = points, .left_out = -1};
    size_t n = 0;

    if (gz_device_open("gtx280", &m.device, NULL))
        study_fail(1, "gtx280 is not built in");
    m.device.clock_rate.value = 2.5e9;
    m.device.mem_bandwidth.value = BANDWIDTH;
    m.device.sm_count.value = UNITS;
    m.device.blocks_per_sm.value = 32;
    m.device.cpi.value = 1;
    for (int k = 0; k < KERNELS; k++) {
        if (gz_app_open("hotspot", NULL, &m.app[k], NULL))
            study_fail(1, "hotspot is not built in");
        m.app[k].stencil_arrays.value = 1 + k;
        m.app[k].elements_per_op.value = 1 - k;
    }
    for (m.left_out = 0; m.left_out < FOLDS; m.left_out++) {
        first_fit(&m);
        for (size_t i = 0; i < t->n; i++)
            if (points[i].used == FITTED && points[i].curve % FOLDS == m.left_out)
                residual[n++] = log(first_predict(&m, &t->rows[i]) / t->rows[i].seconds);
    }
    first_fit(&m);
    for (size_t i = 0; i < t->n; i++)
        points[i].predicted = first_predict(&m, &t->rows[i]);
    return gzi_gz2_half_width(residual, n, 0);
}

static const study_spec verdict_spec = {
    .name = "verdict",
    .what = "HotSpot on an AMD Radeon PRO W7800: how good both models are on points that they were "
            "not fitted to",
    .source = "table: Kernel Tuner's benchmark hub, see studies/results/amd-w7800/README",
    .columns = {
        {"model", "text", "model, or what is changed in the second"},
        {"fitted", "text", "to which points it is fitted"},
        {"points", "1", "points judged"},
        {"error", "1", "|predicted / measured - 1|, median"},
        {"error_95", "1", "the same, 95th percentile"},
        {"height", "1", "regret of the height on a curve, median"},
        {"height_95", "1", "the same, 95th percentile"},
        {"constant_95", "1", "regret of the best constant height, 95th percentile"},
        {"joint", "1", "regret of tile and height together, median of the two kernels"},
        {"joint_five", "1", "the same of the best of the model's first five"},
        {"coverage", "1", "share of the judged points in their 95 % interval"},
        {"half_width", "1", "half the width of that interval, of ln(predicted / measured)"}}};

static const study_spec points_spec = {
    .name = "points",
    .what = "HotSpot on an AMD Radeon PRO W7800: measured beside predicted time per loop, fitted "
            "to 12 points",
    .source = "table: Kernel Tuner's benchmark hub, see studies/results/amd-w7800/README",
    .columns = {{"model", "text", "model"},
                {"kind", "text", "fitted: one of the 12 points; judged: the others"},
                {"local_power", "1", "1: the power array is in local memory"},
                {"tile_x", "1", "cells a thread, x"},
                {"tile_y", "1", "cells a thread, y"},
                {"h", "loops", "trapezoid height"},
                {"measured", "s", "time per loop, median"},
                {"predicted", "s", "time per loop"},
                {"resident", "1", "groups resident on a multiprocessor, by the second model"}}};

static const study_spec parameters_spec = {
    .name = "parameters",
    .what = "HotSpot on an AMD Radeon PRO W7800: parameters of the second model from 12 points",
    .source = "table: Kernel Tuner's benchmark hub, see studies/results/amd-w7800/README",
    .columns = {{"parameter", "text", "of the second model"},
                {"unit", "text", "its unit"},
                {"alike", "text", "the parameter that the runs can hardly tell it from; - if none"},
                {"value", "the unit", "found"},
                {"sd", "the unit", "its standard deviation"},
                {"determined", "1", "share of the prior's variance that the runs removed"}}};

static void add_verdict(study *s, const char *model, const char *fitted, const table *t,
                        const second_point *points, double half)
{
    second_verdict v;
    if (second_judge(points, t->n, half, &v))
        study_fail(1, "out of memory");
    study_row(s, STUDY_TEXT(model, fitted),
              STUDY_NUMBERS((double)v.points, v.error[0], v.error[1], v.height[0], v.height[1],
                            v.constant_95, v.joint[0], v.joint_five[0], v.coverage, half));
}

/* What a perfect model would reach: each configuration predicted by its own repeats. */
static void add_floor(study *s, const table *t, second_point *points)
{
    for (size_t i = 0; i < t->n; i++)
        points[i].predicted = t->rows[i].again;
    add_verdict(s, "repeated runs", "12 points", t, points, 0);
}

static void add_points(study *s, const char *name, const table *t, const second_point *points)
{
    gzi_gz2 model[KERNELS];
    make_models(model);
    for (size_t i = 0; i < t->n; i++) {
        const row *r = &t->rows[i];
        gzi_gz2_config config;
        config_of(r, &config);
        study_row(s, STUDY_TEXT(name, points[i].used == FITTED ? "fitted" : "judged"),
                  STUDY_NUMBERS(r->kernel, r->tile[0], r->tile[1], r->height, r->seconds,
                                points[i].predicted, gzi_gz2_resident(&model[r->kernel], &config)));
    }
}

static void add_parameters(study *s, const gzi_gz2_unknown *u, int n)
{
    for (int k = 0; k < n; k++)
        study_row(s,
                  STUDY_TEXT(gzi_gz2_name(u[k].parameter), gzi_gz2_unit(u[k].parameter),
                             u[k].alike < 0 ? "-" : gzi_gz2_name(u[u[k].alike].parameter)),
                  STUDY_NUMBERS(u[k].value, u[k].sd, u[k].determined));
}

/* Refuses a table that leaves too few points to fit to, or none to judge. */
static void check_points(const table *t, const second_point *points, const char *path)
{
    enum { PARAMETERS = 5 }; /* of each model */
    int fitted = 0, judged = 0;
    for (size_t i = 0; i < t->n; i++) {
        fitted += points[i].used == FITTED;
        judged += points[i].used == JUDGED;
    }
    if (fitted < PARAMETERS || judged < 2)
        study_fail(
            2,
            "%s: %d points to fit to and %d to judge, too few to tell the %d parameters of a "
            "model apart: must be the whole table, studies/results/amd-w7800/hotspot.csv",
            path, fitted, judged, PARAMETERS);
}

/* Fitted to all heights up to 3, judged from 5 on. */
static void choose_low(const table *t, second_point *points)
{
    for (size_t i = 0; i < t->n; i++)
        points[i].used = t->rows[i].height <= 3   ? FITTED
                         : t->rows[i].height == 4 ? PASSED_OVER
                                                  : JUDGED;
}

static void begin(study *s, const study_spec *spec, const char *folder, char *path, size_t size)
{
    study_begin(s, spec);
    snprintf(s->device.name, sizeof s->device.name, "AMD Radeon PRO W7800");
    snprintf(path, size, "%s/%s.tsv", folder, spec->name);
    s->out_path = path;
}

int main(int argc, char **argv)
{
    static table t;
    static second_point points[MAX_ROWS];
    static const char *const usage =
        "usage: w7800 TABLE FOLDER\n"
        "Judges both models on the table of HotSpot on a W7800; writes verdict.tsv, "
        "points.tsv and parameters.tsv.\n";
    study verdict, all, parameters;
    char path[3][1024];
    gzi_gz2 model[KERNELS];
    gzi_gz2_unknown u[MAX_UNKNOWNS];
    int n;

    if (argc == 2 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc != 3) {
        fputs(usage, stderr);
        return 2;
    }
    read_table(argv[1], &t);
    begin(&verdict, &verdict_spec, argv[2], path[0], sizeof path[0]);
    begin(&all, &points_spec, argv[2], path[1], sizeof path[1]);
    begin(&parameters, &parameters_spec, argv[2], path[2], sizeof path[2]);
    set_points(&t, points);
    choose_low(&t, points);
    check_points(&t, points, argv[1]);
    set_points(&t, points);
    choose_twelve(&t, points);
    check_points(&t, points, argv[1]);
    for (int a = 0; a < ABLATIONS; a++) {
        double half = second_model(&t, (ablation)a, points, model, u, &n);
        add_verdict(&verdict, ablation_names[a], "12 points", &t, points, half);
        if (a == WHOLE) {
            add_points(&all, ablation_names[a], &t, points);
            add_parameters(&parameters, u, n);
        }
    }
    add_floor(&verdict, &t, points);
    double half = first_model_of(&t, points);
    add_verdict(&verdict, "meng2011", "12 points", &t, points, half);
    add_points(&all, "meng2011", &t, points);
    choose_low(&t, points);
    half = second_model(&t, WHOLE, points, model, u, &n);
    add_verdict(&verdict, ablation_names[WHOLE], "h <= 3", &t, points, half);
    half = first_model_of(&t, points);
    add_verdict(&verdict, "meng2011", "h <= 3", &t, points, half);
    study_note(&verdict,
               "repeated runs: the noise floor, each configuration predicted by its own "
               "runs of other unrollings, which have no effect; its intervals are not judged (0)");
    study_write(&verdict);
    study_write(&all);
    study_write(&parameters);
    study_close(&verdict);
    study_close(&all);
    study_close(&parameters);
    return 0;
}
