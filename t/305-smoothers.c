/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The student project's Jacobi solver and the dissertation's smoothers: Table 1.1 of the latter,
 * and properties of their serial references that hold whatever the data.
 */
#include "data.h"
#include "registry.h"
#include "smoothers.h"
#include "stencil.h"
#include "tap.h"

enum { EDGE = 8, CELLS = EDGE * EDGE * EDGE };

static const int size[3] = {EDGE, EDGE, EDGE};

/* Cells from one to the farthest that it reads. */
static int radius_of(int points)
{
    return points == 13 || points == 125 ? 2 : 1;
}

static void table_1_1(void)
{
    for (size_t i = 0; i < SMOOTHERS; i++) {
        const struct gzk_stencil *s = gzk_stencil_find(smoothers[i].app);
        int element = (int)gzk_type_bytes(s->type);
        /* In place nothing is allocated for the writes, but two sweeps update every cell. */
        int bytes = (int)gzk_stencil_bytes_per_cell(s);
        bytes = s->red_black ? smoothers[i].loops_per_smooth * bytes : bytes + element;
        tap_ok(s->dimensions == 3 && s->radius[0] == radius_of(smoothers[i].points) &&
                   element == 8 && s->edge[0] == GZK_EDGE_PERIODIC && bytes == smoothers[i].bytes &&
                   s->operations == smoothers[i].flops_here &&
                   smoothers[i].loops_per_smooth == (s->red_black ? 2 : 1),
               "%s: radius %d, %d flops and %d bytes per cell", s->name, s->radius[0],
               s->operations, bytes);
        tap_ok(fabs((double)smoothers[i].flops / smoothers[i].bytes - smoothers[i].intensity) <
                   0.006,
               "%s: the printed intensity %.2f is the printed flops over bytes (here %.2f)",
               s->name, smoothers[i].intensity, (double)s->operations / bytes);
    }
}

/* Cells that one loop makes other than 0 from a single 1 in the middle. */
static int touched(const struct gzk_stencil *s, struct gzk_data *data, double *after)
{
    int count = 0;
    memset(data->state, 0, CELLS * sizeof(double));
    ((double *)data->state)[(4 * EDGE + 4) * EDGE + 4] = 1;
    s->reference(data, 0, data->state, after);
    for (int i = 0; i < CELLS; i++)
        count += after[i] != 0;
    return count;
}

static double worst_distance(const double *values, double from)
{
    double worst = 0;
    for (int i = 0; i < CELLS; i++)
        worst = fmax(worst, fabs(values[i] - from));
    return worst;
}

static void smoothing(void)
{
    for (size_t i = 0; i < SMOOTHERS; i++) {
        const struct gzk_stencil *s = gzk_stencil_find(smoothers[i].app);
        if (s->red_black)
            continue;
        struct gzk_data data;
        double after[CELLS];
        int flow = s->coefficient_arrays > 0;

        gzk_data_new(&data, s, size, 1, 1);
        int count = touched(s, &data, after);
        tap_ok(count == smoothers[i].points, "%s: a cell reaches %d cells", s->name, count);
        for (int k = 0; k < CELLS; k++)
            ((double *)data.state)[k] = 1;
        s->reference(&data, 0, data.state, after);
        tap_ok(worst_distance(after, flow ? 0 : 1) < 1e-15, "%s: a flat state %s", s->name,
               flow ? "has no flow" : "stays, since the weights add up to 1");
        gzk_data_free(&data);
    }
}

/* What lies next to a cell of a periodic grid along axis d. */
static int beside(int cell, int d, int step)
{
    int at[3] = {cell % EDGE, cell / EDGE % EDGE, cell / EDGE / EDGE};
    at[d] = (at[d] + step + EDGE) % EDGE;
    return (at[2] * EDGE + at[1]) * EDGE + at[0];
}

/* Listing 1.2 of the dissertation in one array, in whatever order the cells come. */
static void sweep_in_place(const struct gzk_data *data, int colour, double *u)
{
    const double *beta = data->aux;
    for (int i = 0; i < CELLS; i++) {
        double sum = 0;
        if ((i % EDGE + i / EDGE % EDGE + i / EDGE / EDGE + colour) % 2 != 0)
            continue;
        for (int d = 0; d < 3; d++) {
            const double *faces = beta + (size_t)d * data->stride;
            int up = beside(i, d, 1), down = beside(i, d, -1);
            sum += faces[up] * (u[up] - u[i]);
            sum -= faces[i] * (u[i] - u[down]);
        }
        u[i] = sum;
    }
}

static void red_black(void)
{
    const struct gzk_stencil *s = gzk_stencil_find("gsrb");
    struct gzk_data data;
    double in_place[CELLS], states[2][CELLS];
    int kept = 0, loops = 4;

    gzk_data_new(&data, s, size, loops, 7);
    memcpy(in_place, data.state, sizeof in_place);
    memcpy(states[0], data.state, sizeof in_place);
    for (int loop = 0; loop < loops; loop++) {
        sweep_in_place(&data, loop, in_place);
        s->reference(&data, loop, states[loop % 2], states[1 - loop % 2]);
        if (loop == 0)
            for (int i = 0; i < CELLS; i++)
                kept += states[1][i] == states[0][i];
    }
    tap_ok(kept == CELLS / 2, "gsrb: one loop keeps the cells of one colour, %d", kept);
    double worst = 0;
    for (int i = 0; i < CELLS; i++)
        worst = fmax(worst, fabs(in_place[i] - states[loops % 2][i]));
    tap_ok(worst < 1e-15, "gsrb: %d sweeps between two arrays are those in place (%g)", loops,
           worst);
    gzk_data_free(&data);
}

static void jacobi(void)
{
    enum { NX = 30, NY = 62 }; /* 32 x 64 points with the edges */
    const struct gzk_stencil *s = gzk_stencil_find("jacobi");
    struct gzk_data data;
    static float states[2][NX * NY];
    int lit = 0, wrong = 0, loops = 6000;

    gzk_data_new(&data, s, (int[]){NX, NY, 1}, 1, 1);
    memcpy(states[0], data.state, sizeof states[0]);
    s->reference(&data, 0, states[0], states[1]);
    for (int i = 0; i < NX * NY; i++) {
        /* The project's own test of the coordinates. */
        double x = -1 + 2.0 * (i % NX + 1) / (NX + 1), y = -1 + 2.0 * (i / NX + 1) / (NY + 1);
        int inside = fabs(x) <= 0.5 && fabs(y) <= 0.5;
        lit += inside;
        wrong += (states[1][i] != 0) != inside;
    }
    tap_ok(lit > 0 && wrong == 0, "jacobi: the source lights |x|, |y| <= 0.5, %d cells", lit);

    for (int loop = 1; loop < loops; loop++)
        s->reference(&data, loop, states[loop % 2], states[1 - loop % 2]);
    const float *u = states[loops % 2];
    double skew = 0;
    for (int i = 0; i < NX * NY; i++)
        skew = fmax(skew, fabs((double)(u[i] - u[NX * NY - 1 - i])));
    tap_ok(skew < 1e-5, "jacobi: the solution has the source's symmetry (%g)", skew);

    /* Gauss: what flows out through the edges is what the source gives. */
    const double dx = 2.0 / (NX + 1), dy = 2.0 / (NY + 1);
    double outflow = 0;
    for (int x = 0; x < NX; x++)
        outflow += (double)(u[x] + u[(NY - 1) * NX + x]) / dy * dx;
    for (int y = 0; y < NY; y++)
        outflow += (double)(u[y * NX] + u[y * NX + NX - 1]) / dx * dy;
    tap_ok(fabs(outflow / (lit * dx * dy) - 1) < 1e-3,
           "jacobi: the flow through the edges is the source's, %g", outflow);
    gzk_data_free(&data);
}

int main(void)
{
    table_1_1();
    smoothing();
    red_black();
    jacobi();
    return tap_done();
}
