/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 173-ending - runs that their own data end: stages and loops that run anew against counting those
 * of every ending, times against their sum; the height over the loops that are expected; requests
 * that are refused.
 */
#include "gzmodel/searches.h"
#include "model_device.h"
#include "tap.h"
#include "tolerance.h"

static int near(double a, double b)
{
    return fabs(a - b) <= 10 * TOL_VALUE * fmax(fabs(a), fabs(b));
}

/* The stages, the pieces and their loops of a run that ends after so many loops, as libgzstencil
 * runs it. */
static gz_ending counted(int loops, int height, int states)
{
    gz_ending end = {0};
    int done = 0;
    while (done < loops) {
        end.stages++;
        done += height;
    }
    int last = loops - (done - height); /* of its stage */
    if (done == loops && states == 1)
        return end;
    end.loops = last;
    end.pieces = states == 2 && last > 1 ? 2 : 1;
    return end;
}

/* The mean over endings from `first` to `last`. */
static gz_ending mean_of(int first, int last, int height, int states)
{
    gz_ending mean = {0};
    double n = last - first + 1;
    for (int loops = first; loops <= last; loops++) {
        gz_ending one = counted(loops, height, states);
        mean.stages += one.stages / n;
        mean.pieces += one.pieces / n;
        mean.loops += one.loops / n;
    }
    return mean;
}

static void test_counts(void)
{
    int wrong = 0;
    for (int states = 1; states <= 2; states++)
        for (int h = 1; h <= 12; h++)
            for (int first = 1; first <= 40; first++) {
                /* As many endings as a stage has loops; from the first loop on also fewer. */
                for (int last = first == 1 ? 1 : first + h - 1; last <= first + h - 1; last++) {
                    gz_ending mean = mean_of(first, last, h, states);
                    gz_ending said = gz_ending_of(0.5 * (first + last), h, states);
                    wrong += !near(mean.stages, said.stages) || !near(mean.pieces, said.pieces) ||
                             fabs(mean.loops - said.loops) > 1e-12 * h;
                }
            }
    tap_ok(wrong == 0, "stages, pieces and loops are the mean of those of every ending: %d not",
           wrong);
    gz_ending many = gz_ending_of(1e9, 8, 1);
    tap_ok(near(many.stages * 8 + many.loops - 1e9, 7),
           "h - 1 loops more than needed, in the mean");
    tap_ok(isnan(gz_ending_of(0.5, 8, 1).stages) && isnan(gz_ending_of((double)NAN, 8, 1).pieces) &&
               isnan(gz_ending_of(9, 0, 1).loops) && isnan(gz_ending_of(9, 8, 3).loops),
           "out of range there is none");
}

static gz_device cpu;
static gz_app star = {.name = "Star", .key = "star", .dim = 2, .halo_width = {2, 2}};

static void make(void)
{
    cpu = a_bare_cpu(4, 1 << 20);
    put_quantities(&cpu, NULL,
                   "copy_cell 4e-10 copy_row 6e-9 stream_copy 3e-11 stream_row 4e-9 core_exchange "
                   "4e-11 run_launch 9e-6");
    star.profile_elements = quantity(250000);
    put_quantities(NULL, &star, "element_size 4 stencil_arrays 1 stream_cell_time 2e-9");
}

static gz_tune_request request_of(double loops)
{
    return (gz_tune_request){.data_length = {1500, 1500}, .loops = loops};
}

/* The best; its height is 0 if the request is refused. */
static gz_candidate best_of(double loops, int states)
{
    const gz_tune_request request = request_of(loops);
    gz_candidate best = {.way = {.height = 0}};
    gz_error error;
    size_t found;
    if (gz_tune_ending(&cpu, &star, &request, states, &best, 1, &found, &error) != GZ_OK)
        tap_note("%s", error.text);
    return best;
}

/* What a run takes in the mean over its endings, by stages of gz_predict: of one whole stage alone,
 * each costs what the first of a run does, and what cores exchange besides is that of an endless
 * run.
 */
static double summed(const gz_candidate *c, int loops, int states)
{
    const double launch = 4e-6, first = 9e-6;
    const gz_tune_request request = request_of(0);
    const gz_config endless = gz_config_of(&request, c);
    gz_prediction p;
    double sum = 0, n = 0;
    int h = c->way.height;
    if (gz_predict(&cpu, &star, &endless, h, &p, NULL) != GZ_OK)
        return (double)NAN;
    double body = h * p.seconds_per_loop - launch;
    /* Of an even height the middle lies between two loops: from either. */
    for (int k = 0; k < 2 * h; k++) {
        gz_ending of = counted(loops - (h - k % 2) / 2 + k / 2, h, states);
        sum += of.stages * (first + body) + of.pieces * first + of.loops * body / h;
        n += loops;
    }
    return sum / n;
}

/* The largest relative difference of the times of many tiles from these sums. */
static double worst_of(int loops, int states)
{
    enum { TOP = 200 };
    static gz_candidate c[TOP];
    const gz_tune_request request = request_of(loops);
    double worst = 0;
    size_t found = 0;
    gz_tune_ending(&cpu, &star, &request, states, c, TOP, &found, NULL);
    for (size_t k = 0; k < found; k++)
        worst = fmax(worst, fabs(c[k].seconds_per_loop / summed(&c[k], loops, states) - 1));
    return found > 20 ? worst : HUGE_VAL;
}

static void test_times(void)
{
    const int loops = 5000; /* what cores exchange is less by no more than a stage in so many */
    double exchanged = fmax(worst_of(loops, 1), worst_of(loops, 2));
    tap_ok(exchanged < 0.01, "times are the sums over endings: within %.2g", exchanged);
    gz_set(&cpu, "core_exchange", 0);
    double exact = fmax(worst_of(loops, 1), worst_of(loops, 2));
    tap_ok(exact < 10 * TOL_VALUE, "to rounding, if cores exchange nothing: %.2g", exact);
    gz_set(&cpu, "core_exchange", 4e-11);
}

static void test_heights(void)
{
    /* Waiting costs nothing more, nor do short runs cost less. */
    gz_set(&cpu, "run_launch", 4e-6);
    gz_set(&cpu, "core_exchange", 0);
    gz_tune_request request = request_of(0);
    request.variants = 1u << GZ_VARIANT_STREAM;
    request.syncs = 1u << GZ_SYNC_RESTART;
    gz_candidate plain, endless = best_of(0, 1), many = best_of(1e9, 2);
    size_t found;
    gz_tune(&cpu, &star, &request, &plain, 1, &found, NULL);
    tap_ok(endless.way.height == plain.way.height &&
               near(endless.seconds_per_loop, plain.seconds_per_loop) &&
               many.way.height == plain.way.height,
           "of endless runs height and time are the plain ones: %d", plain.way.height);
    int last = 0, risen = 0, fallen = 0, slower = 1;
    double before = HUGE_VAL;
    for (double loops = 1; loops <= 1e6; loops *= 2) {
        gz_candidate best = best_of(loops, 1);
        fallen += best.way.height < last;
        risen += best.way.height > last;
        slower &= best.seconds_per_loop >= plain.seconds_per_loop &&
                  best.seconds_per_loop <= before * (1 + 1e-12);
        before = best.seconds_per_loop;
        last = best.way.height;
    }
    tap_ok(fallen == 0 && risen >= 4 && last == plain.way.height,
           "the height rises with the loops that are expected");
    tap_ok(slower, "and the time falls towards the plain one");
    tap_ok(best_of(1, 1).way.height == 1 && best_of(20, 1).way.height < plain.way.height,
           "an end after few loops takes lower tiles");
    gz_set(&cpu, "run_launch", 4e-4);
    tap_ok(best_of(0, 1).way.height > plain.way.height, "a long wait takes higher ones");
    gz_set(&cpu, "run_launch", 9e-6);
}

static gz_status refused(const gz_tune_request *request, int states)
{
    gz_candidate best;
    gz_error error;
    size_t found;
    gz_status status = gz_tune_ending(&cpu, &star, request, states, &best, 1, &found, &error);
    tap_note("%s", status ? error.text : "");
    return status;
}

static void test_refusals(void)
{
    gz_tune_request few = request_of(0.5), none = request_of((double)NAN), naive = request_of(9),
                    fences = naive, all = naive;
    naive.variants = 1u << GZ_VARIANT_NAIVE;
    fences.syncs = 1u << GZ_SYNC_FENCE;
    all.variants = ~0u;
    tap_ok(refused(&few, 1) == GZ_ECONFIG && refused(&none, 1) == GZ_ECONFIG, "loops");
    tap_ok(refused(&all, 0) == GZ_ECONFIG && refused(&all, 3) == GZ_ECONFIG, "states");
    tap_ok(refused(&naive, 1) == GZ_ECONFIG && refused(&fences, 1) == GZ_ECONFIG,
           "other variants or fences alone");
    tap_ok(refused(NULL, 1) == GZ_EARGUMENT && refused(&all, 1) == GZ_OK, "and not those beside");
}

int main(void)
{
    make();
    test_counts();
    test_times();
    test_heights();
    test_refusals();
    return tap_done();
}
