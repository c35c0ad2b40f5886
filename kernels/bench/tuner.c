/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tuner DEVICE TABLE TIME [PROBLEM...] - `gzrun --tune` against a scan: thirteen problems
 * NAME:SIZE, or those given (NAME may be the shared object of a stencil). For each, gzrun tunes in
 * a process of its own; every configuration of a plan that knows no model (three variants, their
 * heights, modes and tiles) is timed once, as the tuner times; and the best ten and the tuner's are
 * timed again in turn. Then a table says what the tuner lost, in how many runs and seconds, and
 * what random choice and hill climbing among the scan's times lose in as many runs.
 *
 * Lines are added to TABLE as they come and are not measured again, so that a run that ends after
 * TIME (seconds) goes on when it is called again. With TIME `compile` nothing is timed: the driver
 * compiles all kernels, the tuner's included, into its cache. Exit status: 0 if all is measured, 3
 * if something is left, 1 if something failed, 2 for a bad command line, 77 if there is no such
 * device.
 */
#include "compilers.h"
#include "defaults.h"
#include "numbers.h"
#include "options.h"
#include "output.h"
#include "registry.h"
#include "timing.h"

#include <gsl/gsl_rng.h>
#include <jansson.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400, FINALISTS = 10, ROUNDS = 3, DRAWS = 2000, LOOPS = 24, NAME = 200 };
static const char *const usual[] = {"pathfinder:1000000", "pathfinder:20000000",
                                    "hotspot:1024",       "hotspot:4096",
                                    "poisson:2048",       "jacobi:700",
                                    "cell:100",           "star7:256",
                                    "star13:128",         "box27:128",
                                    "box125:64",          "star7vc:128",
                                    "gsrb:128",           NULL};
static const volatile sig_atomic_t never = 0;

/* A line of the table. */
struct line {
    char problem[NAME], what[8]; /* scan, again, tuner */
    char variant[12], sync[10], block[40];
    int height, runs;     /* runs: of the tuner */
    double seconds, wall; /* per loop, NaN if refused; what the tuner took in all */
};

struct bench {
    const char *device, *gzrun;
    FILE *to;
    struct line *lines;
    size_t n, room;
    double end_s; /* nothing is begun from then on */
    bool compile, failed;
    struct gzk_device *opened;
    struct gzk_compilers compilers;
};

/* A problem, and its scan. */
struct problem {
    char name[NAME];
    const struct gzk_stencil *stencil;
    struct gzk_config base, configs[MOST + 1]; /* the last: the tuner's */
    double seconds[MOST + 1];
    int n, tile[MOST]; /* number of its tile, among those of its variant */
};

/* ----------------------------------------------------------------------------------------- lines
 */

static const char columns[] =
    "problem\twhat\tvariant\tsync\tblock\theight\tseconds_per_loop\truns\tseconds\n";

static void keep(struct bench *b, const struct line *line)
{
    if (b->n == b->room) {
        size_t room = 2 * b->room + 64;
        struct line *lines = realloc(b->lines, room * sizeof *lines);
        if (!lines)
            return;
        b->lines = lines;
        b->room = room;
    }
    b->lines[b->n++] = *line;
}

static void add(struct bench *b, const struct line *line)
{
    keep(b, line);
    fprintf(b->to, "%s\t%s\t%s\t%s\t%s\t%d\t%.6g\t%d\t%.3g\n", line->problem, line->what,
            line->variant, line->sync, line->block, line->height, line->seconds, line->runs,
            line->wall);
    fflush(b->to);
}

/* Reads what the table has, a line that was cut off left out, and opens it to be added to. */
static bool open_table(struct bench *b, const char *path)
{
    char text[600];
    FILE *old = fopen(path, "r");
    bool any = old != NULL;
    while (old && fgets(text, sizeof text, old)) {
        struct line l;
        if (strchr(text, '\n') &&
            sscanf(text, "%199s %7s %11s %9s %39s %d %lf %d %lf", l.problem, l.what, l.variant,
                   l.sync, l.block, &l.height, &l.seconds, &l.runs, &l.wall) == 9)
            keep(b, &l);
    }
    if (old)
        fclose(old);
    b->to = fopen(path, "a");
    if (b->to && !any)
        fputs(columns, b->to);
    return b->to != NULL;
}

static void describe(const struct problem *p, const struct gzk_config *c, const char *what,
                     struct line *line)
{
    int at = 0;
    *line = (struct line){.height = c->height};
    snprintf(line->problem, sizeof line->problem, "%s", p->name);
    snprintf(line->what, sizeof line->what, "%s", what);
    snprintf(line->variant, sizeof line->variant, "%s", gzk_variants[c->variant].name);
    snprintf(line->sync, sizeof line->sync, "%s", gz_name(GZ_SYNCS, c->sync));
    for (int i = 0; i < p->stencil->dimensions; i++)
        at += snprintf(line->block + at, sizeof line->block - (size_t)at, "%s%d", i ? "x" : "",
                       c->block[i]);
}

static bool is_same(const struct line *a, const struct line *b)
{
    return strcmp(a->problem, b->problem) == 0 && strcmp(a->what, b->what) == 0 &&
           strcmp(a->variant, b->variant) == 0 && strcmp(a->sync, b->sync) == 0 &&
           strcmp(a->block, b->block) == 0 && a->height == b->height;
}

/* The times of a configuration that the table has; how many. */
static int times_of(const struct bench *b, const struct line *like, double *times, int room)
{
    int n = 0;
    for (size_t k = 0; k < b->n && n < room; k++)
        if (is_same(&b->lines[k], like))
            times[n++] = b->lines[k].seconds;
    return n;
}

/* ------------------------------------------------------------------------------------------ scan
 */

static const int tiles[4][5][3] = {
    {{0}},
    {{2050, 1, 1}, {4098, 1, 1}, {8194, 1, 1}, {16386, 1, 1}, {32770, 1, 1}},
    {{130, 66, 1}, {258, 34, 1}, {258, 66, 1}, {514, 34, 1}, {1026, 18, 1}},
    {{52, 18, 18}, {102, 10, 10}, {102, 18, 18}, {102, 34, 10}, {0}}};
static const int rows[4][4][3] = {
    {{0}},
    {{4096, 1, 1}, {16384, 1, 1}, {65536, 1, 1}, {262144, 1, 1}},
    {{1 << 20, 1, 1}, {1 << 20, 8, 1}, {1 << 20, 64, 1}, {128, 64, 1}},
    {{1 << 20, 1, 1}, {1 << 20, 16, 1}, {1 << 20, 16, 4}, {1 << 20, 1 << 20, 1}}};

/* Whether a configuration runs, and commits a quarter of its tile at least. */
static bool is_worth_it(const struct gzk_config *c, const struct gzk_device_info *info)
{
    struct gzk_geometry geometry;
    struct gzk_error refused;
    double share = 1;
    int walk = gzk_variants[c->variant].streamed ? gzk_stream_axis(c->stencil) : -1;
    for (int i = 0; i < c->stencil->dimensions && c->variant != GZK_NAIVE; i++)
        if (i != walk)
            share *= 1 - 2. * c->stencil->radius[i] * c->height / c->block[i];
    return share >= 0.25 && gzk_geometry_make(c, &geometry, &refused) == 0 &&
           geometry.local_bytes <= info->local_bytes;
}

/* Sets a variant's tile of a number; false if there is none. */
static bool set_tile(struct gzk_config *c, const struct gzk_device_info *info, int tile)
{
    int d = c->stencil->dimensions;
    if (gzk_variants[c->variant].streamed)
        return d > 1 && tile < 3 && gzk_stream_by_rows(c, info, c->size[0] >> tile);
    const int *block = tile > 4 - (c->variant == GZK_NAIVE) ? tiles[0][0]
                       : c->variant == GZK_NAIVE            ? rows[d][tile]
                                                            : tiles[d][tile];
    for (int i = 0; i < d; i++)
        c->block[i] = c->variant == GZK_NAIVE && block[i] > c->size[i] ? c->size[i] : block[i];
    gzk_default_threads(c, info->max_threads, info->is_cpu);
    gzk_default_layout(c, info);
    return block[0] > 0;
}

static void make_scan(struct problem *p, const struct gzk_device_info *info)
{
    static const int heights[] = {1, 2, 3, 4, 6, 8, 12, 16, 24};
    static const gz_variant variants[] = {GZK_TRAPEZOID, GZK_STREAM, GZK_NAIVE};
    enum { HEIGHTS = sizeof heights / sizeof *heights };
    for (int v = 0; v < 3; v++)
        for (int tile = 0; tile < 5; tile++)
            for (int h = 0; h < (variants[v] == GZK_NAIVE ? 1 : HEIGHTS); h++)
                for (int sync = GZ_SYNC_RESTART;
                     sync <= (variants[v] == GZK_NAIVE ? GZ_SYNC_RESTART : GZ_SYNC_FENCE); sync++) {
                    struct gzk_config *c = &p->configs[p->n];
                    *c = p->base;
                    c->variant = variants[v];
                    c->sync = (gz_sync)sync;
                    c->height = heights[h];
                    p->tile[p->n] = tile;
                    p->n += p->n < MOST && set_tile(c, info, tile) && is_worth_it(c, info);
                }
}

static bool out_of_time(const struct bench *b)
{
    return cli_now() >= b->end_s;
}

static double time_one(struct gzk_session *session, const struct gzk_config *c)
{
    /* As gzrun's tuner times, half as long. */
    const struct gzk_effort effort = {
        .budget_s = 0.25, .long_s = 0.25, .brief = true, .stop = &never};
    static struct gzk_timing timing;
    struct gzk_error refused;
    return gzk_time_config(session, c, &effort, &timing, &refused) == 0 ? timing.seconds_per_loop
                                                                        : (double)NAN;
}

/* Times what is not in the table yet; false if time is up. */
static bool scan(struct bench *b, struct problem *p, struct gzk_session *session)
{
    for (int k = 0; k < p->n; k++) {
        struct line line;
        describe(p, &p->configs[k], "scan", &line);
        if (times_of(b, &line, &p->seconds[k], 1) == 1)
            continue;
        if (out_of_time(b))
            return false;
        line.seconds = p->seconds[k] = time_one(session, &p->configs[k]);
        add(b, &line);
    }
    return true;
}

/* The numbers of the best of the scan, which the table has; how many. */
static int best_of(const struct problem *p, int best[FINALISTS])
{
    int n = 0;
    for (int k = 0; k < p->n; k++) {
        int at = n;
        if (isnan(p->seconds[k]))
            continue;
        while (at > 0 && p->seconds[k] < p->seconds[best[at - 1]])
            at--;
        if (at == FINALISTS)
            continue;
        n += n < FINALISTS;
        memmove(best + at + 1, best + at, (size_t)(n - at - 1) * sizeof *best);
        best[at] = k;
    }
    return n;
}

/* The best and the tuner's in turn, as often as is missing. */
static bool run_again(struct bench *b, struct problem *p, struct gzk_session *session)
{
    int best[FINALISTS + 1], n = best_of(p, best);
    best[n++] = MOST;
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < n; k++) {
            struct line line;
            double times[ROUNDS];
            describe(p, &p->configs[best[k]], "again", &line);
            if (times_of(b, &line, times, ROUNDS) > round)
                continue;
            if (out_of_time(b))
                return false;
            line.seconds = time_one(session, &p->configs[best[k]]);
            add(b, &line);
        }
    return true;
}

/* ----------------------------------------------------------------------------------------- tuner
 */

static bool read_extents(const json_t *array, int d, int *out)
{
    for (int i = 0; i < d; i++)
        out[i] = (int)json_integer_value(json_array_get(array, (size_t)i));
    return (int)json_array_size(array) == d;
}

static bool read_best(const json_t *best, const struct gzk_device_info *info, struct problem *p)
{
    struct gzk_config *c = &p->configs[MOST];
    const char *variant = json_string_value(json_object_get(best, "variant"));
    int d = p->stencil->dimensions;
    int sync = gz_by_name(GZ_SYNCS, json_string_value(json_object_get(best, "sync")));
    *c = p->base;
    c->height = (int)json_integer_value(json_object_get(best, "height"));
    c->sync = (gz_sync)sync;
    for (int k = 0; variant && k < gzk_variant_count; k++)
        if (strcmp(gzk_variants[k].name, variant) == 0)
            c->variant = (gz_variant)k;
    bool read = sync >= 0 && variant && read_extents(json_object_get(best, "block"), d, c->block) &&
                read_extents(json_object_get(best, "threads"), d, c->threads);
    gzk_default_layout(c, info);
    return read;
}

/* Has gzrun tune, or reads from the table what it found; false if time is up or it failed. */
static bool tune(struct bench *b, struct problem *p)
{
    char command[1200], size[NAME], *colon;
    struct line line, *had = NULL;
    json_error_t where;
    for (size_t k = 0; k < b->n; k++)
        if (strcmp(b->lines[k].what, "tuner") == 0 && strcmp(b->lines[k].problem, p->name) == 0)
            had = &b->lines[k];
    if (had) {
        struct gzk_config *c = &p->configs[MOST];
        *c = p->base;
        c->height = had->height;
        c->sync = (gz_sync)gz_by_name(GZ_SYNCS, had->sync);
        for (int k = 0; k < gzk_variant_count; k++)
            if (strcmp(gzk_variants[k].name, had->variant) == 0)
                c->variant = (gz_variant)k;
        sscanf(had->block, "%dx%dx%d", &c->block[0], &c->block[1], &c->block[2]);
        gzk_default_threads(c, b->opened->info.max_threads, b->opened->info.is_cpu);
        gzk_default_layout(c, &b->opened->info);
        return true;
    }
    if (out_of_time(b))
        return false;
    snprintf(size, sizeof size, "%s", p->name);
    colon = strrchr(size, ':');
    *colon = '\0';
    snprintf(command, sizeof command, "'%s' -q -d %s %s '%s' -s %s --loops %d --tune --json",
             b->gzrun, b->device, strchr(size, '/') ? "--stencil" : "-a", size, colon + 1, LOOPS);
    double begin = cli_now();
    FILE *from = popen(command, "r");
    json_t *root = from ? json_loadf(from, 0, &where) : NULL;
    bool done = from && pclose(from) == 0 && root &&
                read_best(json_object_get(root, "best"), &b->opened->info, p);
    if (done && !b->compile) {
        describe(p, &p->configs[MOST], "tuner", &line);
        line.wall = cli_now() - begin;
        line.runs = (int)json_array_size(json_object_get(root, "candidates"));
        line.seconds = json_number_value(
            json_object_get(json_object_get(root, "best"), "measured_seconds_per_loop"));
        add(b, &line);
    }
    json_decref(root);
    b->failed = b->failed || !done;
    if (!done)
        cli_fail(CLI_FAILED, "failed: %s", command);
    return done;
}

/* ---------------------------------------------------------------------------------------- rivals
 */

/* One step away: the next height or tile, another mode, or another variant. */
static bool are_neighbours(const struct problem *p, int a, int b)
{
    const struct gzk_config *x = &p->configs[a], *y = &p->configs[b];
    bool variant = x->variant == y->variant, tile = p->tile[a] == p->tile[b],
         height = x->height == y->height, sync = x->sync == y->sync;
    double up = (double)x->height / y->height;
    return variant + tile + height + sync == 3 && (height || (up >= 0.5 && up <= 2)) &&
           (tile || abs(p->tile[a] - p->tile[b]) == 1);
}

/* The best time of so many runs from a start, in a random order of the neighbours. */
static double climb(const struct problem *p, int at, int runs, const int *order)
{
    double best = p->seconds[at];
    bool moved = true;
    for (int used = 1; moved && used < runs;) {
        moved = false;
        for (int k = 0; k < p->n && used < runs && !moved; k++) {
            int to = order[k];
            if (isnan(p->seconds[to]) || !are_neighbours(p, at, to))
                continue;
            used++;
            moved = p->seconds[to] < best;
            if (moved) {
                at = to;
                best = p->seconds[to];
            }
        }
    }
    return best;
}

/* Median regrets of random choice and of hill climbing from random starts. */
static void rivals(const struct problem *p, int runs, double *random, double *hill)
{
    static double by_random[DRAWS], by_hill[DRAWS];
    int order[MOST], n = 0;
    double least = HUGE_VAL;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < p->n; k++)
        if (!isnan(p->seconds[k])) {
            least = fmin(least, p->seconds[k]);
            order[n++] = k;
        }
    for (int draw = 0; draw < DRAWS && rng && n > 0; draw++) {
        double best = HUGE_VAL;
        for (int k = n - 1; k > 0; k--) {
            int other = (int)gsl_rng_uniform_int(rng, (unsigned long)k + 1), was = order[k];
            order[k] = order[other];
            order[other] = was;
        }
        for (int k = 0; k < runs && k < n; k++)
            best = fmin(best, p->seconds[order[k]]);
        by_random[draw] = best / least - 1;
        struct problem scanned = *p;
        scanned.n = n;
        by_hill[draw] = climb(&scanned, order[0], runs, order) / least - 1;
    }
    cli_sort(by_random, DRAWS);
    cli_sort(by_hill, DRAWS);
    *random = cli_quantile(by_random, DRAWS, 0.5);
    *hill = cli_quantile(by_hill, DRAWS, 0.5);
    if (rng)
        gsl_rng_free(rng);
}

/* --------------------------------------------------------------------------------------- results
 */

static double again_of(const struct bench *b, const struct problem *p, int k)
{
    struct line line;
    double times[ROUNDS];
    describe(p, &p->configs[k], "again", &line);
    int n = times_of(b, &line, times, ROUNDS);
    cli_sort(times, (size_t)n);
    return n > 0 ? cli_quantile(times, (size_t)n, 0.5) : (double)NAN;
}

/* What the tuner lost against the scan's best, both timed again. */
static void report(const struct bench *b, const struct problem *p)
{
    int best[FINALISTS], n = best_of(p, best), at = -1;
    double least = HUGE_VAL, own = again_of(b, p, MOST), random = 0, hill = 0;
    const struct line *found = NULL;
    struct line line;
    for (size_t k = 0; k < b->n; k++)
        if (strcmp(b->lines[k].what, "tuner") == 0 && strcmp(b->lines[k].problem, p->name) == 0)
            found = &b->lines[k];
    for (int k = 0; k < n; k++) {
        double seconds = again_of(b, p, best[k]);
        if (seconds < least) {
            least = seconds;
            at = best[k];
        }
    }
    if (at < 0 || !found)
        return;
    rivals(p, found->runs, &random, &hill);
    describe(p, &p->configs[at], "scan", &line);
    printf("%s\t%d\t%s %s %s %d\t%.4g\t%s %s %s %d\t%.4g\t%.1f\t%d\t%.1f\t%.1f\t%.1f\n", p->name,
           p->n, line.variant, line.block, line.sync, line.height, least, found->variant,
           found->block, found->sync, found->height, own, 100 * (own / least - 1), found->runs,
           found->wall, 100 * random, 100 * hill);
    fflush(stdout);
}

/* --------------------------------------------------------------------------------------- problem
 */

/* CLI_DONE, or CLI_BAD_INPUT after a message. */
static int make_problem(const char *text, const struct gzk_device_info *info, struct problem *p)
{
    struct gzk_error error = {0};
    char name[NAME], *colon;
    *p = (struct problem){.n = 0};
    snprintf(p->name, sizeof p->name, "%s", text);
    snprintf(name, sizeof name, "%s", text);
    colon = strrchr(name, ':');
    int size = colon ? atoi(colon + 1) : 0;
    if (colon)
        *colon = '\0';
    p->stencil = strchr(name, '/') ? NULL : gzk_stencil_find(name);
    if (strchr(name, '/') && gzk_stencil_load(name, &p->stencil, &error) != 0)
        return cli_fail(CLI_BAD_INPUT, "%s", error.text);
    if (!p->stencil || size < 1)
        return cli_fail(CLI_BAD_INPUT, "%s: must be a stencil and a size, such as star7:256", text);
    p->base =
        (struct gzk_config){.stencil = p->stencil, .height = 1, .loops = LOOPS, .contract = true};
    for (int i = 0; i < 3; i++)
        p->base.size[i] = i < p->stencil->dimensions ? size : 1;
    for (int i = 0; i < 3; i++)
        p->base.block[i] = p->base.threads[i] = 1;
    make_scan(p, info);
    return CLI_DONE;
}

static void compile_scan(struct bench *b, const struct problem *p)
{
    for (int k = 0; k < p->n && !out_of_time(b); k++)
        while (!gzk_compilers_send(&b->compilers, b->opened->info.address, &p->configs[k]) &&
               b->compilers.count > 0)
            gzk_compilers_wait(&b->compilers);
    gzk_compilers_wait(&b->compilers);
}

/* Whether all of it is measured; else it failed, or time is up. */
static bool run(struct bench *b, struct problem *p)
{
    struct gzk_data data;
    struct gzk_session *session;
    struct gzk_error error;
    if (!tune(b, p))
        return false;
    if (b->compile) {
        compile_scan(b, p);
        return true;
    }
    int status = gzk_data_new(&data, p->stencil, p->base.size, LOOPS, 1);
    if (status != 0)
        gzk_fail(&error, status, "out of host memory");
    else
        status = gzk_session_new(b->opened, p->stencil, &data, &session, &error);
    bool done = status == 0 && scan(b, p, session) && run_again(b, p, session);
    if (status != 0) {
        b->failed = true;
        cli_fail(CLI_FAILED, "%s: %s", p->name, error.text);
    } else {
        gzk_session_free(session);
    }
    gzk_data_free(&data);
    if (done)
        report(b, p);
    return done;
}

int main(int argc, char **argv)
{
    static struct problem problem;
    struct bench b = {.device = argc > 1 ? argv[1] : NULL};
    struct gzk_error error;
    char path[4096];
    int left = 0;

    double limit_s = 0;
    cli_set_program("tuner");
    b.compile = argc > 3 && strcmp(argv[3], "compile") == 0;
    if (argc < 4)
        return cli_fail(CLI_BAD_INPUT, "give DEVICE TABLE SECONDS|compile [NAME:SIZE...]");
    if (!b.compile && cli_read_time("SECONDS", argv[3], 1, 1e9, &limit_s) != CLI_DONE)
        return CLI_BAD_INPUT;
    b.end_s = b.compile ? HUGE_VAL : cli_now() + limit_s;
    snprintf(path, sizeof path, "%s/../bin/gzrun", dirname(argv[0]));
    b.gzrun = path;
    /* Stencils from outside are loaded before, so that the processes have them. */
    for (int k = 4; k < argc; k++) {
        char *colon = strrchr(argv[k], ':');
        const struct gzk_stencil *loaded;
        if (colon && strchr(argv[k], '/')) {
            *colon = '\0';
            int status = gzk_stencil_load(argv[k], &loaded, &error);
            *colon = ':';
            if (status != 0)
                return cli_fail(CLI_BAD_INPUT, "%s", error.text);
        }
    }
    if (b.compile)
        gzk_compilers_start(&b.compilers, GZK_MOST_COMPILERS);
    if (gzk_device_open(b.device, &b.opened, &error) != 0)
        return cli_fail(error.status, "%s", error.text);
    const char *const *list = argc > 4 ? (const char *const *)argv + 4 : usual;
    for (int k = 0; list[k]; k++)
        if (make_problem(list[k], &b.opened->info, &problem) != CLI_DONE)
            return CLI_BAD_INPUT;
    if (!open_table(&b, argv[2]))
        return cli_fail(CLI_FAILED, "%s cannot be written", argv[2]);
    printf(
        "# %s, %s; %d loops; regrets in %%, of random choice and hill climbing the medians\n"
        "problem\tscanned\tscan_best\ts_per_loop\ttuner_best\ts_per_loop\tregret\truns\tseconds\t"
        "random\thill\n",
        b.opened->info.address, b.opened->info.name, LOOPS);
    for (; *list; list++)
        if (make_problem(*list, &b.opened->info, &problem) == CLI_DONE)
            left += !run(&b, &problem);
    if (left > 0 && !b.failed)
        printf("# %d problems are not done: call again\n", left);
    gzk_compilers_stop(&b.compilers);
    gzk_device_close(b.opened);
    fclose(b.to);
    free(b.lines);
    return b.failed ? CLI_FAILED : left > 0 ? 3 : CLI_DONE;
}
