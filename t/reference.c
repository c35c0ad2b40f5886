/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * reference.c - see reference.h.
 */
#include "reference.h"

#include <math.h>

#define STEP 1e-1000L
#define WARP_SIZE 32
#define COALESCE_DEGREE 16

const char *const ref_names[REF_COUNT] = {
    "T",        "passes",   "ConcurBlks", "LoadSten", "IterMem",   "Commit",    "MemAcc",
    "MiscComp", "IterComp", "CPT",        "GlbSync",  "CPS",       "CPL",       "CostEffect",
    "s/loop",   "GlbSync*", "LoadSten*",  "Commit*",  "MiscComp*", "IterComp*", "IterMem*",
};

double ref_member(const gz_prediction *prediction, int quantity)
{
    static const size_t place[REF_STAR_GLB_SYNC] = {offsetof(gz_prediction, t),
                                                    offsetof(gz_prediction, passes),
                                                    offsetof(gz_prediction, concur_blks),
                                                    offsetof(gz_prediction, load_sten),
                                                    offsetof(gz_prediction, iter_mem),
                                                    offsetof(gz_prediction, commit),
                                                    offsetof(gz_prediction, mem_acc),
                                                    offsetof(gz_prediction, misc_comp),
                                                    offsetof(gz_prediction, iter_comp),
                                                    offsetof(gz_prediction, cpt),
                                                    offsetof(gz_prediction, glb_sync),
                                                    offsetof(gz_prediction, cps),
                                                    offsetof(gz_prediction, cpl),
                                                    offsetof(gz_prediction, cost_effect),
                                                    offsetof(gz_prediction, seconds_per_loop)};
    if (quantity >= REF_STAR_GLB_SYNC)
        return prediction->term[quantity - REF_STAR_GLB_SYNC];
    return *(const double *)(const void *)((const char *)prediction + place[quantity]);
}

void ref_keep(double *worst, double got, long double want, long double scale)
{
    double off = got == want ? 0 : (double)fabsl((got - want) / scale);
    if (!(off <= *worst))
        *worst = off;
}

/* i y; without the cast clang warns that the I of the C library is a float. */
static ref_number imaginary(long double y)
{
    return (ref_number)I * y;
}

ref_point ref_point_of(const gz_device *dev, const gz_app *app, const gz_config *cfg, long double h)
{
    ref_point at = {.dim = app->dim, .sync = cfg->sync, .tau = cfg->tau, .h = h};
    at.p[GZ_P_CLOCK_RATE] = dev->clock_rate.value;
    at.p[GZ_P_MEM_BANDWIDTH] = dev->mem_bandwidth.value;
    at.p[GZ_P_UNCONTENDED_LATENCY] = dev->uncontended_latency.value;
    at.p[GZ_P_SM_COUNT] = dev->sm_count.value;
    at.p[GZ_P_BLOCKS_PER_SM] = dev->blocks_per_sm.value;
    at.p[GZ_P_CPI] = dev->cpi.value;
    at.p[GZ_P_LAUNCH_OVERHEAD] = dev->launch_overhead.value;
    at.p[GZ_P_FENCE_OVERHEAD] = dev->fence_overhead.value;
    at.p[GZ_P_FENCE_EXPOSURE] = dev->fence_exposure.value;
    at.p[GZ_P_LATENCY_HIDING] = dev->latency_hiding.value;
    at.p[GZ_P_DIMENSION_PENALTY] = dev->dimension_penalty.value;
    at.p[GZ_P_GRAPH_OVERHEAD] = dev->graph_overhead.value;
    at.p[GZ_P_ELEMENT_SIZE] = app->element_size.value;
    at.p[GZ_P_STENCIL_ARRAYS] = app->stencil_arrays.value;
    at.p[GZ_P_ELEMENTS_PER_OP] = app->elements_per_op.value;
    at.p[GZ_P_PROFILE_SM_COUNT] = app->profile_sm_count.value;
    at.p[GZ_P_PROFILE_ELEMENTS] = app->profile_elements.value;
    at.p[GZ_P_INSTS_PER_SM_MISC] = app->insts_per_sm_misc.value;
    at.p[GZ_P_INSTS_PER_SM_ITER] = app->insts_per_sm_iter.value;
    at.p[GZ_P_BANK_CONFLICT_RATE] = app->bank_conflict_rate.value;
    for (int i = 0; i < app->dim; i++) {
        at.p[GZ_P_HALO_WIDTH + i] = app->halo_width[i];
        at.p[GZ_P_DATA_LENGTH + i] = cfg->data_length[i];
        at.p[GZ_P_BLOCK_LEN + i] = cfg->block_len[i];
    }
    return at;
}

/* blk_len_i - HaloWidth_i (h + dh). The fused product keeps the difference exact if it is small;
 * the parts of the steps are added to it. */
static ref_number committed_length(const ref_point *at, int i)
{
    ref_number b = at->p[GZ_P_BLOCK_LEN + i], w = at->p[GZ_P_HALO_WIDTH + i];
    long double exact = fmal(-creall(w), at->h, creall(b));
    return exact + imaginary(cimagl(b) - cimagl(w) * at->h) - w * at->dh;
}

/* The committed tile, P(h). */
static ref_number committed_tile(const ref_point *at)
{
    ref_number product = 1;
    for (int i = 0; i < at->dim; i++)
        product *= committed_length(at, i);
    return product;
}

/* Eq. 7 for n words, at `passes` passes. */
static ref_number mem_cycles(const ref_point *at, ref_number passes, ref_number n)
{
    const ref_number *p = at->p;
    ref_number alpha = 1;
    for (int i = 0; i < at->dim - 1; i++)
        alpha *= p[GZ_P_DIMENSION_PENALTY];
    ref_number request_bytes = COALESCE_DEGREE * p[GZ_P_ELEMENT_SIZE];
    ref_number cycles_per_req = request_bytes * p[GZ_P_CLOCK_RATE] / p[GZ_P_MEM_BANDWIDTH];
    ref_number requests = n / COALESCE_DEGREE;
    return passes * p[GZ_P_UNCONTENDED_LATENCY] + alpha * requests * cycles_per_req;
}

/* Eqs. 11 and 14: cycles of one block whose warps execute `insts_per_sm` over the profiling run,
 * `loops` times, with `threads` active threads. */
static ref_number comp_cycles(const ref_point *at, ref_number insts_per_sm, ref_number loops,
                              ref_number threads)
{
    const ref_number *p = at->p;
    ref_number tau = 1;
    if (at->tau == GZ_TAU_SCALED)
        tau = (1 - p[GZ_P_LATENCY_HIDING]) * (1 + p[GZ_P_BANK_CONFLICT_RATE]);
    /* The instructions were counted on one of the multiprocessors that ran the profile; M of Eq. 14
     * is theirs, that of Eq. 29 the target's. A profile that states none ran on the target. */
    ref_number profile_sms =
        p[creall(p[GZ_P_PROFILE_SM_COUNT]) > 0 ? GZ_P_PROFILE_SM_COUNT : GZ_P_SM_COUNT];
    ref_number iter_insts_per_warp =
        insts_per_sm * WARP_SIZE * profile_sms / p[GZ_P_PROFILE_ELEMENTS];
    ref_number stage_insts_per_warp = loops * iter_insts_per_warp;
    ref_number active_warps = threads / WARP_SIZE;
    return stage_insts_per_warp * tau * active_warps * p[GZ_P_CPI];
}

static ref_number global_sync(const ref_point *at, ref_number t)
{
    if (at->sync == GZ_SYNC_FENCE)
        return at->p[GZ_P_FENCE_EXPOSURE] * at->p[GZ_P_FENCE_OVERHEAD] * t;
    return at->p[at->sync == GZ_SYNC_GRAPH ? GZ_P_GRAPH_OVERHEAD : GZ_P_LAUNCH_OVERHEAD];
}

void ref_evaluate(const ref_point *at, ref_number q[REF_COUNT])
{
    const ref_number *p = at->p;
    ref_number h = at->h + at->dh, m = p[GZ_P_SM_COUNT];
    ref_number grid = 1, starting = 1, operated = 1, committed = committed_tile(at);
    for (int i = 0; i < at->dim; i++) {
        grid *= p[GZ_P_DATA_LENGTH + i];
        starting *= p[GZ_P_BLOCK_LEN + i];
        operated *= p[GZ_P_BLOCK_LEN + i] - p[GZ_P_HALO_WIDTH + i];
    }
    ref_number t = grid / committed;
    ref_number concur_blks = p[GZ_P_BLOCKS_PER_SM] * m;
    ref_number passes = t / concur_blks;

    ref_number load_sten = p[GZ_P_STENCIL_ARRAYS] * mem_cycles(at, passes, t * starting);
    ref_number commit = mem_cycles(at, passes, t * committed);
    ref_number iter_mem = p[GZ_P_ELEMENTS_PER_OP] * h * mem_cycles(at, passes, t * operated);
    ref_number mem_acc = load_sten + iter_mem + commit;

    ref_number misc_comp = comp_cycles(at, p[GZ_P_INSTS_PER_SM_MISC], 1, starting);
    ref_number iter_comp = comp_cycles(at, p[GZ_P_INSTS_PER_SM_ITER], h, operated);
    ref_number misc_comp_paid = at->sync == GZ_SYNC_FENCE ? 0 : misc_comp;
    ref_number cpt = iter_comp + misc_comp_paid;

    ref_number glb_sync = global_sync(at, t);
    ref_number cps = glb_sync + mem_acc + cpt * t / m;
    ref_number cpl = cps / h;

    q[REF_T] = t;
    q[REF_PASSES] = passes;
    q[REF_CONCUR_BLKS] = concur_blks;
    q[REF_LOAD_STEN] = load_sten;
    q[REF_ITER_MEM] = iter_mem;
    q[REF_COMMIT] = commit;
    q[REF_MEM_ACC] = mem_acc;
    q[REF_MISC_COMP] = misc_comp;
    q[REF_ITER_COMP] = iter_comp;
    q[REF_CPT] = cpt;
    q[REF_GLB_SYNC] = glb_sync;
    q[REF_CPS] = cps;
    q[REF_CPL] = cpl;
    q[REF_COST_EFFECT] = committed / operated;
    q[REF_SECONDS_PER_LOOP] = cpl / p[GZ_P_CLOCK_RATE];
    q[REF_STAR_GLB_SYNC] = glb_sync / h;
    q[REF_STAR_LOAD_STEN] = load_sten / h;
    q[REF_STAR_COMMIT] = commit / h;
    q[REF_STAR_MISC_COMP] = misc_comp_paid * t / (h * m);
    q[REF_STAR_ITER_COMP] = iter_comp * t / (h * m);
    q[REF_STAR_ITER_MEM] = iter_mem / h;
}

long double ref_value(const ref_point *at, int quantity)
{
    ref_number q[REF_COUNT];
    ref_evaluate(at, q);
    return creall(q[quantity]);
}

/* The imaginary part of a quantity at a point whose coordinate was moved by i `step`. */
static long double imaginary_part(const ref_point *moved, int quantity, long double step)
{
    ref_number q[REF_COUNT];
    ref_evaluate(moved, q);
    return cimagl(q[quantity]) / step;
}

long double ref_dh(const ref_point *at, int quantity)
{
    ref_point moved = *at;
    long double step = (at->h > 0 ? at->h : 1) * STEP;
    moved.dh += imaginary(step);
    return imaginary_part(&moved, quantity, step);
}

long double ref_dp(const ref_point *at, int quantity, int p)
{
    ref_point moved = *at;
    long double value = fabsl(creall(at->p[p])), step = (value > 0 ? value : 1) * STEP;
    moved.p[p] += imaginary(step);
    return imaginary_part(&moved, quantity, step);
}

/* First derivative by h if p < 0, else by parameter p. */
static long double first(const ref_point *at, int quantity, int p)
{
    return p < 0 ? ref_dh(at, quantity) : ref_dp(at, quantity, p);
}

/* d/dh of a first derivative. */
static long double second(const ref_point *at, int quantity, int p)
{
    static const long double weight[] = {0, 4 / 5.0L, -1 / 5.0L, 4 / 105.0L, -1 / 280.0L};
    long double step = fminl(at->h, ref_distance(at)) / 256, sum = 0;
    for (int k = 1; k <= 4; k++) {
        ref_point above = *at, below = *at;
        above.dh += k * step;
        below.dh -= k * step;
        sum += weight[k] * (first(&above, quantity, p) - first(&below, quantity, p));
    }
    return sum / step;
}

long double ref_d2h(const ref_point *at, int quantity)
{
    return second(at, quantity, -1);
}

long double ref_dh_dp(const ref_point *at, int quantity, int p)
{
    return second(at, quantity, p);
}

long double ref_pole(const ref_point *at)
{
    long double pole = HUGE_VALL;
    for (int i = 0; i < at->dim; i++)
        if (creall(at->p[GZ_P_HALO_WIDTH + i]) > 0)
            pole = fminl(pole, creall(at->p[GZ_P_BLOCK_LEN + i] / at->p[GZ_P_HALO_WIDTH + i]));
    return pole;
}

long double ref_distance(const ref_point *at)
{
    long double distance = HUGE_VALL;
    for (int i = 0; i < at->dim; i++)
        if (creall(at->p[GZ_P_HALO_WIDTH + i]) > 0)
            distance = fminl(distance,
                             creall(committed_length(at, i)) / creall(at->p[GZ_P_HALO_WIDTH + i]));
    return distance;
}

long double ref_rate(const ref_point *at)
{
    long double rate = 1 / at->h;
    for (int i = 0; i < at->dim; i++)
        rate += creall(at->p[GZ_P_HALO_WIDTH + i] / committed_length(at, i));
    return rate;
}

/* dCPL/dh once more, by hand: each component times its logarithmic slope, -1/h or epsilon or both,
 * where epsilon = -P'/P. Beside 0 the slopes of IterComp* and IterMem* are tiny, and a complex step
 * through Eqs. 10 and 16, whose h cancels in Eqs. 29 and 30, loses them to rounding. */
static long double slope(const ref_point *at)
{
    ref_number q[REF_COUNT];
    ref_evaluate(at, q);
    long double per_h = -1 / at->h, epsilon = 0;
    for (int i = 0; i < at->dim; i++)
        epsilon += creall(at->p[GZ_P_HALO_WIDTH + i] / committed_length(at, i));
    long double latency = creall(q[REF_PASSES] * at->p[GZ_P_UNCONTENDED_LATENCY]) / at->h;
    long double sum = creall(q[REF_STAR_GLB_SYNC]) * per_h;
    if (at->sync == GZ_SYNC_FENCE)
        sum += creall(q[REF_STAR_GLB_SYNC]) * epsilon;
    sum += creall(q[REF_STAR_LOAD_STEN] + q[REF_STAR_MISC_COMP]) * (per_h + epsilon);
    sum += creall(q[REF_STAR_COMMIT]) * per_h + latency * epsilon;
    return sum + creall(q[REF_STAR_ITER_COMP] + q[REF_STAR_ITER_MEM]) * epsilon;
}

long double ref_minimiser(const ref_point *at)
{
    ref_point probe = *at;
    long double low = 0, high = ref_pole(at);
    for (;;) {
        probe.h = low + (high - low) / 2;
        if (!(probe.h > low && probe.h < high))
            return probe.h;
        if (slope(&probe) < 0 && ref_distance(&probe) > 0)
            low = probe.h;
        else
            high = probe.h;
    }
}

long double ref_param_rate(const ref_point *at, int p)
{
    long double value = fabsl(creall(at->p[p])), rate = value > 0 ? 1 / value : 0;
    if (p == GZ_P_LATENCY_HIDING)
        rate += 1 / (1 - value);
    if (p < GZ_P_HALO_WIDTH || (p >= GZ_P_DATA_LENGTH && p < GZ_P_BLOCK_LEN))
        return rate;
    int i = (p - GZ_P_HALO_WIDTH) % GZ_MAX_DIM;
    long double b = creall(at->p[GZ_P_BLOCK_LEN + i]), w = creall(at->p[GZ_P_HALO_WIDTH + i]);
    long double rest = creall(committed_length(at, i));
    return rate + 1 / (b - w) + (p < GZ_P_DATA_LENGTH ? at->h : 1) / rest;
}
