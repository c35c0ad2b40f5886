/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The original loops or the device: the decision from seconds that are given, never from a clock.
 * At its limits, with figures missing and equal; what is remembered of which run; what the
 * environment says; and that programs of any two speeds lose little against the better way, by runs
 * and within them, by the loops that run either way.
 */
#define _GNU_SOURCE
#include "tap.h"
#include "way.h"

#include <ftw.h>
#include <stdbool.h>
#include <sys/stat.h>

/* The way by these times of a run and spent, of which `device` or `host` is 0 if unknown. */
static enum gzs_way way_of(double device, double host, double spent_device, double spent_host)
{
    struct gzs_figures figures = {
        .run = {[GZS_ON_DEVICE] = device, [GZS_ON_HOST] = host},
        .spent = {[GZS_ON_DEVICE] = spent_device, [GZS_ON_HOST] = spent_host}};
    return gzs_way_of(&figures);
}

static void test_decision(void)
{
    tap_ok(way_of(0, 0, 0, 0) == GZS_ON_HOST && way_of(0, 0, 9, 0) == GZS_ON_HOST,
           "nothing known: the original loops");
    tap_ok(way_of(1, 0, 0, 0) == GZS_ON_HOST, "likewise if they alone were not timed");
    tap_ok(way_of(0, 1, 0, 0.6) == GZS_ON_HOST && way_of(0, 1, 0, 0.601) == GZS_ON_DEVICE,
           "the device is tried once the original loops have taken longer than a kernel");
    tap_ok(way_of(0, 1.2, 0, 0) == GZS_ON_HOST && way_of(0, 1.201, 0, 0) == GZS_ON_DEVICE,
           "or if a run takes longer than twice that");
    tap_ok(way_of(1, 2, 0, 0) == GZS_ON_DEVICE && way_of(2, 1, 0, 0) == GZS_ON_HOST,
           "both known: the faster one");
    tap_ok(way_of(1, 1, 0, 0) == GZS_ON_DEVICE, "equally fast: the device");
    tap_ok(way_of(2, 1, 0, 50) == GZS_ON_HOST && way_of(2, 1, 0, 50.1) == GZS_ON_DEVICE,
           "the slower way again when it costs less than 2 %% of the time");
    tap_ok(way_of(2, 1, 1000, 0) == GZS_ON_HOST, "whatever the slower way has taken");
}

static const struct gzs_known small = {.stencil.operations = 1},
                              large = {.stencil.operations = 100000},
                              ending = {.stencil.operations = 1, .stencil.measure = 1};
static const int size[3] = {100, 100, 1}, other[3] = {100, 101, 1};

static enum gzs_way choose(const struct gzs_known *known, const int grid[3], long loops)
{
    struct gzs_chosen chosen;
    gzs_way_choose(known, grid, loops, &chosen);
    return chosen.way;
}

static bool says(const struct gzs_known *known, long loops, const char *why)
{
    struct gzs_chosen chosen;
    gzs_way_choose(known, size, loops, &chosen);
    if (strcmp(chosen.why, why) == 0)
        return true;
    tap_note("%s", chosen.why);
    return false;
}

static void test_memory(void)
{
    setenv("GZ_REPORT", "1", 1);
    tap_ok(says(&small, 100, "they were not timed") && choose(&small, size, 100) == GZS_ON_HOST,
           "a run begins in the original loops, which is said");
    gzs_way_took(&small, size, 100, GZS_ON_HOST, 0.7);
    tap_ok(says(&small, 100, "the original loops took 7.00 ms a loop, the device was not timed") &&
               choose(&small, size, 100) == GZS_ON_DEVICE,
           "the device is tried");
    gzs_way_took(&small, size, 100, GZS_ON_DEVICE, 2);
    tap_ok(choose(&small, size, 100) == GZS_ON_DEVICE,
           "its first run, with the kernel, is not counted");
    gzs_way_took(&small, size, 100, GZS_ON_DEVICE, 0.8);
    tap_ok(says(&small, 100, "they took 7.00 ms a loop, the device 8.00 ms"), "its second is");
    tap_ok(choose(&small, size, 65) == GZS_ON_HOST &&
               says(&small, 128, "they took 7.00 ms a loop, the device 8.00 ms"),
           "runs of nearly as many loops are alike");
    tap_ok(says(&small, 129, "they were not timed"), "of more loops they are not");
    tap_ok(says(&large, 100, "they were not timed") && choose(&small, other, 100) == GZS_ON_HOST,
           "nor are those of another stencil or grid");
    for (int i = 0; i < 2; i++)
        gzs_way_took(&small, size, 100, GZS_ON_HOST, 9);
    tap_ok(says(&small, 100, "the original loops took 7.00 ms a loop, the device 8.00 ms"),
           "the least of three counts");
    gzs_way_took(&small, size, 100, GZS_ON_HOST, 9);
    tap_ok(says(&small, 100, "the original loops took 90.0 ms a loop, the device 8.00 ms"),
           "and of no more than three");
    struct gzs_chosen chosen;
    gzs_way_choose(&ending, size, 1 << 30, &chosen);
    tap_ok(chosen.loops > 999 && chosen.loops < 1001,
           "loops that data end are taken for a thousand");
    gzs_way_took(&ending, size, 12, GZS_ON_HOST, 0.5);
    tap_ok(says(&ending, 1 << 30, "they took 500 ms a run, the device was not timed"),
           "and runs of them timed as a whole");
    gzs_way_took(&large, size, 1, GZS_ON_HOST, 0);
    tap_ok(choose(&large, size, 1) == GZS_ON_HOST, "a clock that does not tick counts");
    unsetenv("GZ_REPORT");
    tap_ok(says(&large, 1, "they are expected to be faster"), "without a report a word is enough");
}

static int delete_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status, (void)type, (void)place;
    return remove(path);
}

static void remove_folder(const char *folder)
{
    nftw(folder, delete_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* What a process has measured of a stencil, as another sees it that has the stencil at another
 * place. */
static void test_keeping(void)
{
    static struct gzs_known first, second, shorter, rebuilt, nameless, another, ended, later;
    struct gzs_known *const all[] = {&first,    &second,  &shorter, &rebuilt,
                                     &nameless, &another, &ended,   &later};
    char folder[] = "/tmp/gzway-XXXXXX";
    if (!mkdtemp(folder))
        return;
    setenv("XDG_CACHE_HOME", folder, 1);
    setenv("GZ_REPORT", "1", 1);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        all[i]->stencil.operations = 1;
        all[i]->stencil.body = "GZ_UPDATE";
        strcpy(all[i]->program, all[i] == &rebuilt ? "one 2" : all[i] == &nameless ? "" : "one 1");
        all[i]->stencil.measure = all[i] == &ended || all[i] == &later;
        strcpy(all[i]->file, all[i] == &shorter ? "b.c" : "a.c");
    }
    gzs_way_took(&first, size, 100, GZS_ON_HOST, 0.09);
    tap_ok(!says(&shorter, 100, "they took 900 us a loop, the device was not timed"),
           "nothing is known of another loop");
    gzs_way_took(&first, size, 100, GZS_ON_HOST, 0.02);
    tap_ok(says(&second, 100, "they took 200 us a loop, the device was not timed"),
           "another process knows what took a tenth of a second");
    gzs_way_took(&first, size, 100, GZS_ON_HOST, 0.01);
    tap_ok(!says(&rebuilt, 100, "they took 200 us a loop, the device was not timed"),
           "but not of another build");
    gzs_way_took(&nameless, size, 50, GZS_ON_HOST, 1);
    tap_ok(!says(&second, 50, "they took 20.0 ms a loop, the device was not timed"),
           "nor of a program that cannot be told");
    setenv("GZ_TRY", "0", 1);
    tap_ok(!says(&another, 100, "they took 200 us a loop, the device was not timed"),
           "nor with GZ_TRY=0");
    unsetenv("GZ_TRY");
    setenv("OMP_NUM_THREADS", "77", 1);
    gzs_way_took(&first, other, 100, GZS_ON_HOST, 1);
    unsetenv("OMP_NUM_THREADS");
    struct gzs_chosen chosen;
    gzs_way_choose(&second, other, 100, &chosen);
    tap_ok(strcmp(chosen.why, "they were not timed") == 0, "nor with other threads");
    gzs_way_ended(&ended, size, 70);
    gzs_way_ended(&ended, other, 7);
    tap_ok(gzs_way_loops(&ended, size) == 70 && gzs_way_loops(&ended, other) == 7,
           "after how many loops data ended a run is kept");
    gzs_way_took(&ended, size, 1, GZS_ON_DEVICE, 1);
    tap_ok(gzs_way_loops(&later, size) == 70 && gzs_way_loops(&later, other) == 0,
           "and another process knows it of a run that took a tenth of a second");
    unsetenv("GZ_REPORT");
    unsetenv("XDG_CACHE_HOME");
    remove_folder(folder);
}

static void test_environment(void)
{
    static const char *const asks[][2] = {{"GZ_ORIGINAL", "never"}, {"GZ_CHECK", "warn"},
                                          {"GZ_TRY", "1"},          {"GZ_VARIANT", "naive"},
                                          {"GZ_HEIGHT", "3"},       {"GZ_PLAN", "x.json"}};
    struct gzs_chosen chosen;
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        setenv(asks[i][0], asks[i][1], 1);
        gzs_way_choose(&small, other, 1, &chosen);
        tap_ok(chosen.way == GZS_ON_DEVICE && !chosen.measured && !*chosen.why, "%s=%s: the device",
               asks[i][0], asks[i][1]);
        unsetenv(asks[i][0]);
    }
    setenv("GZ_ORIGINAL", "always", 1);
    gzs_way_choose(&large, other, 1000, &chosen);
    tap_ok(chosen.way == GZS_ON_HOST && !chosen.measured, "GZ_ORIGINAL=always: the loops");
    setenv("GZ_CHECK", "1", 1);
    tap_ok(choose(&large, other, 1000) == GZS_ON_DEVICE, "but with GZ_CHECK=1");
    unsetenv("GZ_CHECK");
    unsetenv("GZ_ORIGINAL");
}

/* Whether so many runs, each of so many seconds, take little longer than by the better way: what
 * both first tries take, and 2 % for later ones. */
static bool loses_little(const struct gzs_known *known, long loops, double device, double host)
{
    enum { RUNS = 3000 };
    const double kernel = 0.6, share = 0.0201, better = device < host ? device : host;
    double total = 0;
    int runs = 0;
    for (int i = 0; i < RUNS; i++) {
        enum gzs_way way = choose(known, size, loops);
        double seconds = way == GZS_ON_HOST ? host : device + kernel * (runs++ == 0);
        gzs_way_took(known, size, loops, way, seconds);
        total += seconds;
    }
    double first = 2 * kernel + 3 * better + host + 2 * device;
    return total <= (1 + share) * RUNS * better + first;
}

static void test_loss(void)
{
    static const double seconds[] = {1e-6, 1e-4, 0.9e-3, 1e-3, 1.1e-3, 0.1, 5};
    enum { COUNT = sizeof seconds / sizeof *seconds };
    static struct gzs_known *known[COUNT][COUNT]; /* whose places stay their own */
    for (int d = 0; d < COUNT; d++)
        for (int h = 0; h < COUNT; h++) {
            known[d][h] = calloc(1, sizeof **known[d]);
            if (!known[d][h])
                return;
            known[d][h]->stencil.operations = 1;
            tap_ok(loses_little(known[d][h], 10, seconds[d], seconds[h]),
                   "runs of %g s on the device, %g s in the loops", seconds[d], seconds[h]);
        }
}

/* Runs of so many loops, a process after the other, whose ways take so long a loop. */
struct program {
    struct gzs_known *known;
    long loops;
    double loop_s[GZS_WAYS];
    bool made;          /* the kernel */
    long ran[GZS_WAYS]; /* loops, of one process */
    double took;        /* s, likewise */
};

enum { STAGE = 4 };

static void run(struct program *p, enum gzs_way way, long loops)
{
    p->took += p->loop_s[way] * (double)loops + (way == GZS_ON_DEVICE && !p->made ? 0.6 : 0);
    p->made = p->made || way == GZS_ON_DEVICE;
    p->ran[way] += loops;
}

/* The loops after which a run is given up, as gzstencil.c asks; `loops` if it is not. */
static long given_up(const struct program *p, const struct gzs_chosen *chosen, long loops)
{
    double s = p->loop_s[chosen->way];
    if (chosen->figures.run[GZS_ON_HOST] > 0 && chosen->figures.run[GZS_ON_DEVICE] > 0)
        return loops;
    if (chosen->way == GZS_ON_DEVICE)
        return !gzs_way_goes(p->known, chosen, STAGE, s / 8)  ? STAGE
               : gzs_way_goes(p->known, chosen, 2 * STAGE, s) ? loops
                                                              : 2 * STAGE;
    for (long done = 2; done < loops; done += done / 4 + 1)
        if (!gzs_way_goes(p->known, chosen, (double)done, s))
            return done;
    return loops;
}

static void run_process(struct program *p)
{
    long left = p->loops;
    p->ran[0] = p->ran[1] = 0;
    p->took = 0;
    while (left > 0) {
        struct gzs_chosen chosen;
        const long most = p->known->stencil.measure ? 1L << 30 : left;
        gzs_way_choose(p->known, size, most, &chosen);
        enum gzs_way way = chosen.way;
        long done = given_up(p, &chosen, left);
        run(p, way, done);
        if (done < left)
            gzs_way_tried(p->known, size, most, way, way == GZS_ON_HOST ? done : 0, p->loop_s[way]);
        if (done < left && way == GZS_ON_HOST) {
            left -= done;
            continue;
        }
        if (done < left)
            run(p, way = GZS_ON_HOST, left);
        if (p->known->stencil.measure)
            gzs_way_ended(p->known, size, left);
        gzs_way_took(p->known, size, most, way, p->loop_s[way] * (double)left);
        left = 0;
    }
}

/* Of processes of a program: the most time over that of the better way, of a
 * second and more, in the first process and in later ones, without the kernel; and the most loops
 * that later ones run by a way that is clearly slower. */
struct worst {
    double first, later;
    long loops;
};

static void run_processes(struct program *p, struct worst *worst)
{
    enum { PROCESSES = 5 };
    const double kernel = 0.6, *s = p->loop_s;
    enum gzs_way slower = s[GZS_ON_HOST] > s[GZS_ON_DEVICE] ? GZS_ON_HOST : GZS_ON_DEVICE;
    double best = s[slower == GZS_ON_HOST ? GZS_ON_DEVICE : GZS_ON_HOST] * (double)p->loops;
    for (int i = 0; i < PROCESSES; i++) {
        bool was = p->made;
        run_process(p);
        double share = (p->took - (p->made && !was ? kernel : 0)) / best;
        if (best >= 1 && i == 0)
            worst->first = fmax(worst->first, share);
        if (best >= 1 && i > 0)
            worst->later = fmax(worst->later, share);
        bool clearly = s[slower] * (double)p->loops > 1.1 * best;
        if (best >= 1 && i > 0 && clearly && p->ran[slower] > worst->loops)
            worst->loops = p->ran[slower];
    }
}

static void test_within(bool data_end_it)
{
    static const double seconds[] = {1e-4, 3e-4, 1e-3, 2e-3, 5e-3, 2e-2};
    static const long loops[] = {300, 3000, 20000};
    enum { COUNT = sizeof seconds / sizeof *seconds, SIZES = sizeof loops / sizeof *loops };
    static struct gzs_known *kept;
    struct worst worst = {0};
    for (int i = 0; i < SIZES * COUNT * COUNT; i++) {
        struct program p = {.known = calloc(1, sizeof *p.known), .loops = loops[i % SIZES]};
        if (!p.known)
            return;
        p.known->next = kept; /* their places stay their own */
        kept = p.known;
        p.known->stencil.operations = 1;
        p.known->stencil.measure = data_end_it;
        p.loop_s[GZS_ON_DEVICE] = seconds[i / SIZES % COUNT];
        p.loop_s[GZS_ON_HOST] = seconds[i / SIZES / COUNT];
        run_processes(&p, &worst);
    }
    const char *what = data_end_it ? ", which data end" : "";
    tap_ok(worst.first <= 1.3, "loops%s: a first process takes %.2f of the better way", what,
           worst.first);
    tap_ok(worst.later <= 1.3, "later ones take %.2f", worst.later);
    tap_ok(worst.loops <= 2 * STAGE, "and run %ld loops by the slower way, at most", worst.loops);
}

int main(void)
{
    test_decision();
    test_memory();
    test_keeping();
    test_environment();
    test_loss();
    test_within(false);
    test_within(true);
    return tap_done();
}
