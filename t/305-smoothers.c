/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The student project's Jacobi solver and the dissertation's smoothers: Table 1.1 of the latter,
 * and what their serial references are as numerical methods: how a sweep damps a Fourier mode,
 * against the symbol of its weights in closed form, and the order in which those of flows and
 * poisson's approach the differential operator, on manufactured solutions.
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
        int element = s->bytes;
        /* In place nothing is allocated for the writes, but two sweeps update every cell. */
        int bytes = (int)gzk_bytes_per_cell(s, 1);
        bytes = s->red_black ? smoothers[i].loops_per_smooth * bytes : bytes + element;
        tap_ok(s->dim == 3 && s->radius[0] == radius_of(smoothers[i].points) && element == 8 &&
                   s->edge[0] == GZ_EDGE_PERIODIC && bytes == smoothers[i].bytes &&
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

static const double two_pi = 6.283185307179586;

/* ------------------------------------------------------------------------------- damping rates */

/* The symbol of a stencil at the angles theta: what one sweep multiplies exp(i theta . x) by. The
 * weights are those that the stencils' files state. */
static double symbol_star7(const double c1[3], const double c2[3])
{
    (void)c2;
    return 0.4 + 2 * 0.1 * (c1[0] + c1[1] + c1[2]);
}

static double symbol_star13(const double c1[3], const double c2[3])
{
    return 0.28 + 2 * 0.1 * (c1[0] + c1[1] + c1[2]) + 2 * 0.02 * (c2[0] + c2[1] + c2[2]);
}

/* The sum over the pairs of axes of a_i b_j. */
static double pairs(const double a[3], const double b[3])
{
    return a[0] * b[1] + a[1] * b[2] + a[2] * b[0];
}

static double symbol_box27(const double c1[3], const double c2[3])
{
    (void)c2;
    return 0.28 + 2 * 0.06 * (c1[0] + c1[1] + c1[2]) + 4 * 0.02 * pairs(c1, c1) +
           8 * 0.015 * c1[0] * c1[1] * c1[2];
}

static double symbol_box125(const double c1[3], const double c2[3])
{
    double two_of_1 = c1[0] * c1[1] * c2[2] + c1[1] * c1[2] * c2[0] + c1[2] * c1[0] * c2[1];
    double two_of_2 = c2[0] * c2[1] * c1[2] + c2[1] * c2[2] * c1[0] + c2[2] * c2[0] * c1[1];
    return 0.3 + 2 * 0.04 * (c1[0] + c1[1] + c1[2]) + 4 * 0.01 * pairs(c1, c1) +
           8 * 0.01 * c1[0] * c1[1] * c1[2] + 2 * 0.01 * (c2[0] + c2[1] + c2[2]) +
           4 * 0.004 * (pairs(c1, c2) + pairs(c2, c1)) + 8 * 0.002 * two_of_1 +
           4 * 0.002 * pairs(c2, c2) + 8 * 0.001 * two_of_2 + 8 * 0.001 * c2[0] * c2[1] * c2[2];
}

static const struct constant {
    const char *name;
    double (*symbol)(const double c1[3], const double c2[3]);
} constants[] = {
    {"star7", symbol_star7},
    {"star13", symbol_star13},
    {"box27", symbol_box27},
    {"box125", symbol_box125},
};
enum { CONSTANTS = sizeof constants / sizeof *constants };

/* The first is a flat state, which stays. */
static const int modes[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 1}, {3, 1, 2}, {6, 6, 6}, {6, 0, 5}};
enum { MODES = sizeof modes / sizeof *modes, PERIOD = 12 };

/* How far one sweep of a mode is from the mode times the symbol, largest over the cells. */
static double symbol_error(const struct constant *method, const int mode[3])
{
    static const int period[3] = {PERIOD, PERIOD, PERIOD};
    const struct gzk_stencil *s = gzk_stencil_find(method->name);
    struct gzk_data data;
    double after[PERIOD * PERIOD * PERIOD], c1[3], c2[3], worst = 0;

    if (gzk_data_new(&data, s, period, 1, 1) != 0)
        return (double)NAN;
    for (int d = 0; d < 3; d++) {
        c1[d] = cos(two_pi * mode[d] / PERIOD);
        c2[d] = cos(2 * two_pi * mode[d] / PERIOD);
    }
    double factor = method->symbol(c1, c2), *u = data.state;
    for (int i = 0; i < PERIOD * PERIOD * PERIOD; i++)
        u[i] = cos(two_pi / PERIOD *
                       (i % PERIOD * mode[0] + i / PERIOD % PERIOD * mode[1] +
                        i / PERIOD / PERIOD * mode[2]) +
                   0.3);
    s->reference(&data, 0, u, after);
    for (int i = 0; i < PERIOD * PERIOD * PERIOD; i++)
        worst = fmax(worst, fabs(after[i] - factor * u[i]));
    gzk_data_free(&data);
    return worst;
}

static void damping(void)
{
    for (int k = 0; k < CONSTANTS; k++) {
        double worst = 0;
        for (int m = 0; m < MODES; m++)
            worst = fmax(worst, symbol_error(constants + k, modes[m]));
        tap_ok(worst < 1e-14, "%s: a sweep damps %d Fourier modes by their symbol (error %.1e)",
               constants[k].name, MODES, worst);
    }
}

/* Jacobi's sweeps on a square of zero edges: the difference of two states loses the factor
 * (c0 cos p pi/(n+1) + c1 cos q pi/(m+1)) / (c0 + c1) in each loop, whatever the source. */
static void jacobi_damping(int p, int q)
{
    enum { NX = 30, NY = 22, LOOPS = 40 };
    static const int grid[3] = {NX, NY, 1};
    const struct gzk_stencil *s = gzk_stencil_find("jacobi");
    struct gzk_data data;
    float plain[2][NX * NY] = {{0}}, moved[2][NX * NY];
    double dx = 2.0 / (NX + 1), dy = 2.0 / (NY + 1), wx = dy * dy / (dx * dx + dy * dy);
    double factor = wx * cos(two_pi / 2 * p / (NX + 1)) + (1 - wx) * cos(two_pi / 2 * q / (NY + 1));
    double expected = pow(factor, LOOPS), worst = 0;

    if (gzk_data_new(&data, s, grid, LOOPS, 1) != 0)
        return;
    for (int i = 0; i < NX * NY; i++)
        moved[0][i] = (float)(sin(two_pi / 2 * p * (i % NX + 1) / (NX + 1)) *
                              sin(two_pi / 2 * q * (i / NX + 1) / (NY + 1)));
    for (int loop = 0; loop < LOOPS; loop++) {
        s->reference(&data, loop, plain[loop % 2], plain[1 - loop % 2]);
        s->reference(&data, loop, moved[loop % 2], moved[1 - loop % 2]);
    }
    for (int i = 0; i < NX * NY; i++) {
        double mode = sin(two_pi / 2 * p * (i % NX + 1) / (NX + 1)) *
                      sin(two_pi / 2 * q * (i / NX + 1) / (NY + 1));
        double left = (double)moved[0][i] - (double)plain[0][i];
        worst = fmax(worst, fabs(left - expected * mode));
    }
    /* Each of the loops rounds values of at most 1 to floats a few times. */
    tap_ok(worst < LOOPS * 4 * 6e-8, "jacobi: %d loops leave %.4f of mode %d,%d (error %.1e)",
           (int)LOOPS, expected, p, q, worst);
    gzk_data_free(&data);
}

/* --------------------------------------------------------------------------- order of accuracy */

/* A manufactured solution on the unit cube, periodic, and its Laplacian. */
static double solution(const double x[3])
{
    return sin(two_pi * x[0]) * cos(two_pi * x[1]) + sin(two_pi * x[2] + 0.4);
}
static double laplacian(const double x[3])
{
    return -two_pi * two_pi *
           (2 * sin(two_pi * x[0]) * cos(two_pi * x[1]) + sin(two_pi * x[2] + 0.4));
}

static void place(int i, int n, double x[3])
{
    x[0] = (double)(i % n) / n;
    x[1] = (double)(i / n % n) / n;
    x[2] = (double)(i / n / n) / n;
}

enum { LARGEST = 48 };
static double swept[LARGEST * LARGEST * LARGEST];

/* beta of the flow at x, which depends on x alone, and its derivative. */
static double beta(double x)
{
    return 2 + sin(two_pi * x);
}
static double flow(const double x[3])
{
    double slope = two_pi * cos(two_pi * x[0]);
    double du_dx = two_pi * cos(two_pi * x[0]) * cos(two_pi * x[1]);
    return slope * du_dx + beta(x[0]) * laplacian(x);
}

/* The same for the flow through the faces, whose coefficient lies half a cell before the cell; of
 * `colour` if only one colour is computed, else of all cells. */
static double flow_error(const char *name, int n, int colour)
{
    int grid[3] = {n, n, n};
    const struct gzk_stencil *s = gzk_stencil_find(name);
    struct gzk_data data;
    double x[3], worst = 0, per_h2 = (double)n * n;

    if (gzk_data_new(&data, s, grid, 1, 1) != 0)
        return (double)NAN;
    double *u = data.state, *faces = data.aux;
    for (int i = 0; i < n * n * n; i++) {
        place(i, n, x);
        u[i] = solution(x);
        faces[i] = beta(x[0] - 0.5 / n);
        faces[data.stride + (size_t)i] = faces[2 * data.stride + (size_t)i] = beta(x[0]);
    }
    s->reference(&data, colour, u, swept);
    for (int i = 0; i < n * n * n; i++) {
        place(i, n, x);
        int here = (i % n + i / n % n + i / n / n + colour) % 2;
        if (!s->red_black || here == 0)
            worst = fmax(worst, fabs(swept[i] * per_h2 - flow(x)));
        else
            worst = fmax(worst, fabs(swept[i] - u[i]) * per_h2);
    }
    gzk_data_free(&data);
    return worst;
}

/* Poisson's sweep on the unit square, mirrored at the edges, which clamping is for cell centres:
 * 4 (sweep - identity) / h^2 tends to the Laplacian plus the source, 1. */
static double poisson_error(int n)
{
    int grid[3] = {n, n, 1};
    const struct gzk_stencil *s = gzk_stencil_find("poisson");
    struct gzk_data data;
    static float after[LARGEST * LARGEST];
    double worst = 0, pi = two_pi / 2;

    if (gzk_data_new(&data, s, grid, 1, 1) != 0)
        return (double)NAN;
    float *u = data.state;
    for (int i = 0; i < n * n; i++)
        u[i] = (float)(cos(pi * (i % n + 0.5) / n) * cos(pi * ((double)(i / n) + 0.5) / n));
    s->reference(&data, 0, u, after);
    for (int i = 0; i < n * n; i++) {
        double exact = cos(pi * (i % n + 0.5) / n) * cos(pi * ((double)(i / n) + 0.5) / n);
        double rise = 4.0 * n * n * ((double)after[i] - (double)u[i]);
        worst = fmax(worst, fabs(rise - (1 - 2 * pi * pi * exact)));
    }
    gzk_data_free(&data);
    return worst;
}

/* The order between two grids, the second twice as fine; `tolerance` is absolute. */
static void order(const char *what, double coarse, double fine, double tolerance)
{
    double found = log2(coarse / fine);
    tap_ok(fabs(found - 2) < tolerance, "%s: order %.3f (errors %.3g, %.3g)", what, found, coarse,
           fine);
}

int main(void)
{
    table_1_1();
    red_black();
    jacobi();
    damping();
    jacobi_damping(1, 1);
    jacobi_damping(3, 2);
    jacobi_damping(30, 22);
    order("star7vc", flow_error("star7vc", LARGEST / 2, 0), flow_error("star7vc", LARGEST, 0),
          0.05);
    for (int colour = 0; colour < 2; colour++)
        order("gsrb", flow_error("gsrb", LARGEST / 2, colour), flow_error("gsrb", LARGEST, colour),
              0.05);
    order("poisson", poisson_error(16), poisson_error(32), 0.06);
    return tap_done();
}
