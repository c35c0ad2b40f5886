#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 825-libgzmg - the library for programs with a right-hand side of their own: its example, what it refuses,
# what it exports, and its header alone, in C99 and C++.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
scratch
never_optimise

# build FILE NAME: compiled and linked with the library of this build.
build() {
    # shellcheck disable=SC2086
    ${CC:-cc} $sanitize -std=c11 -Wall -Wextra -Werror -Ikernels/multigrid -o "$work/$2" "$1" \
        -L"$GZ_BUILD/lib" -lgzmg -lm -Wl,-rpath,"$GZ_BUILD/lib" 2>"$work/err"
}

build kernels/multigrid/example/solve.c example
verdict $? 'the example compiles' || note <"$work/err"
# The known series' value, 0.0562128, on cells of 1/64 whose centre is not the middle.
ok 'and solves its problem on the host' test "$("$work/example" host)" = 'u in the middle: 0.0562'
if has_device; then
    ok 'and on the first device, without a name' test "$("$work/example")" = 'u in the middle: 0.0562'
else
    skip 'there is no device'
fi
"$work/example" opencl:77 >"$work/out" 2>"$work/err"
[ $? -eq 77 ] || [ $? -eq 1 ] && [ ! -s "$work/out" ] && grep -q 'no such device\|no OpenCL' "$work/err"
verdict $? 'or says that there is no such device'

# Each line of it is a test: what came of it and what was tested.
cat >"$work/again.c" <<'END'
#include <gzmg.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 16, CELLS = N * N * N };
static double f[CELLS], u[CELLS], beta[CELLS];
static float f4[CELLS], u4[CELLS];
static char why[300];
static struct gz_mg_result result;
static void tell(int ok, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    printf("%d ", !ok);
    vprintf(format, values);
    puts("");
    va_end(values);
}
static gz_mg *open_mg(struct gz_mg_request request)
{
    gz_mg *mg = NULL;
    request.size[0] = request.size[1] = request.size[2] = N;
    request.device = "host";
    if (gz_mg_open(&request, beta, &mg, why, sizeof why))
        tell(0, "%s", why);
    return mg;
}
static int try_solve(gz_mg *mg, const void *right, const void *guess, double tolerance)
{
    strcpy(why, "");
    int status = gz_mg_put(mg, right, guess, why, sizeof why);
    return status ? status : gz_mg_solve(mg, tolerance, &result, why, sizeof why);
}
/* The old state is the guess and lambda times it the right-hand side. */
static void step_in_time(const char *edges, int type, double lambda)
{
    struct gz_mg_request request = {.edges = edges, .lambda = lambda, .use_float = type == 1};
    gz_mg *mg = open_mg(request);
    int bad = 0;
    for (int i = 0; i < CELLS; i++)
        u4[i] = (float)(u[i] = 1 + i % 7);
    for (int step = 0; step < 120; step++) {
        for (int i = 0; i < CELLS; i++) {
            f[i] = request.lambda * u[i];
            f4[i] = (float)request.lambda * u4[i];
        }
        bad += type == 1 ? try_solve(mg, f4, u4, 0) != 0 : try_solve(mg, f, u, 0) != 0;
        bad += gz_mg_get(mg, type == 1 ? (void *)u4 : u, NULL, 0) != 0;
    }
    gz_mg_close(mg);
    tell(bad == 0, "120 steps in time to %g, %s, %s: %s", type == 1 ? u4[N] : u[N], edges,
         type == 0 ? "double" : "float", bad ? why : "all converge");
}
static void refuses(int status, int expected, const char *say)
{
    tell(status == expected && strstr(why, say), "%d: %s", status, why);
    strcpy(why, "");
}
static int open_status(struct gz_mg_request request)
{
    gz_mg *mg = NULL;
    request.size[0] = request.size[1] = request.size[2] = N;
    request.device = "host";
    int status = gz_mg_open(&request, beta, &mg, why, sizeof why);
    gz_mg_close(mg);
    return status;
}
/* A wave of f has u = f / (2 pi)^2, to second order. */
static int is_wave(double at)
{
    return fabs(at * 39.478 / f[5] - 1) < 0.02;
}
int main(void)
{
    struct gz_mg_request request = {.op = "box27", .use_float = 1};
    for (int i = 0; i < CELLS; i++)
        f4[i] = (float)(f[i] = cos(6.2831853 * (i % N + 0.5) / N));
    gz_mg *mg = open_mg(request);
    int bad = try_solve(mg, f4, NULL, 1e-4) || gz_mg_get(mg, u4, NULL, 0);
    tell(!bad && result.cycles > 1 && result.factor < 0.2 && is_wave((double)u4[5]), "in float");
    tell(gz_mg_solve(mg, 1e-12, &result, why, sizeof why) == 0 && result.at_rounding, "which ends at rounding");
    gz_mg_close(mg);
    gz_mg_close(NULL);
    request.use_float = 0;
    mg = open_mg(request);
    tell(!try_solve(mg, f, NULL, 1e-12) && !gz_mg_get(mg, u, NULL, 0) && is_wave(u[5]), "in double");
    gz_mg_close(mg);
    request.edges = "round";
    refuses(open_status(request), GZ_MG_INVALID, "edges: \"round\" is unknown");
    request.edges = "neumann";
    refuses(open_status(request), GZ_MG_INVALID, "must be periodic");
    request.op = "star7vc";
    refuses(gz_mg_open(&(struct gz_mg_request){.size = {N, N, N}, .device = "host", .op = "star7vc"}, NULL, &mg, why, sizeof why),
            GZ_MG_INVALID, "needs beta");
    request.depth = -1;
    refuses(open_status(request), GZ_MG_INVALID, "depth -1");
    for (int i = 0; i < CELLS; i++)
        f[i] = f4[i] = 1;
    mg = open_mg((struct gz_mg_request){.edges = "dirichlet"});
    bad = try_solve(mg, f, NULL, 0) || result.cycles < 5 || result.at_rounding || gz_mg_get(mg, u, NULL, 0);
    for (int k = 0; k < 3; k++)
        bad += try_solve(mg, f, u, 0) || result.cycles != 0 || result.at_rounding || result.factor != 0 ||
               gz_mg_get(mg, u, NULL, 0);
    tell(!bad, "from the solution no cycle is taken");
    bad = try_solve(mg, f, NULL, 1e-300) || !result.at_rounding || gz_mg_get(mg, u, NULL, 0) ||
          try_solve(mg, f, u, 1e-300) || result.cycles != 0 || !result.at_rounding;
    tell(!bad, "nor from one that is right to rounding: %s", why);
    bad = try_solve(mg, NULL, NULL, 0) || result.cycles != 0;
    tell(!bad && try_solve(mg, NULL, f, 1e-6) == 0 && result.cycles > 3 && result.residual[1] <= 1e-6 * result.residual[0],
         "without a right-hand side the first residual counts");
    for (int k = 0; k < 3; k++)
        bad += gz_mg_put(mg, f, k ? f : NULL, NULL, 0);
    refuses(gz_mg_solve(mg, -1e-3, &result, why, sizeof why), GZ_MG_INVALID, "tolerance -0.001: must be 0 to 1");
    refuses(gz_mg_solve(mg, NAN, &result, why, sizeof why), GZ_MG_INVALID, "must be 0 to 1");
    refuses(gz_mg_solve(mg, 1.5, &result, why, sizeof why), GZ_MG_INVALID, "tolerance 1.5: must be 0 to 1");
    f[300] = NAN;
    refuses(gz_mg_put(mg, f, NULL, why, sizeof why), GZ_MG_INVALID, "f at (12, 2, 1) is not finite");
    f[300] = 1;
    u[1] = INFINITY;
    refuses(gz_mg_put(mg, f, u, why, sizeof why), GZ_MG_INVALID, "u at (1, 0, 0) is not finite");
    refuses(gz_mg_put(NULL, f, NULL, why, sizeof why), GZ_MG_INVALID, "mg is NULL");
    refuses(gz_mg_solve(NULL, 0, &result, why, sizeof why), GZ_MG_INVALID, "mg is NULL");
    refuses(gz_mg_get(NULL, u, why, sizeof why), GZ_MG_INVALID, "mg is NULL");
    refuses(gz_mg_get(mg, NULL, why, sizeof why), GZ_MG_INVALID, "u is NULL");
    gz_mg_close(mg);
    refuses(gz_mg_open(NULL, NULL, &mg, why, sizeof why), GZ_MG_INVALID, "the request is NULL");
    refuses(gz_mg_open(&(struct gz_mg_request){.size = {4, 4, 4}}, NULL, NULL, why, sizeof why), GZ_MG_INVALID, "mg is NULL");
    tell(gz_mg_put(NULL, NULL, NULL, NULL, 0) == GZ_MG_INVALID && gz_mg_solve(NULL, 0, NULL, NULL, 9) == GZ_MG_INVALID,
         "NULL for the reason, too");

    mg = open_mg((struct gz_mg_request){.edges = "dirichlet", .absolute = 1});
    bad = try_solve(mg, f, NULL, 0.3) || !(result.residual[1] <= 0.3) || result.cycles != 1;
    tell(!bad && try_solve(mg, f, NULL, 3) == 0 && result.cycles == 0, "an absolute tolerance: %d cycles to %g", result.cycles,
         result.residual[1]);
    refuses(gz_mg_solve(mg, 0, NULL, why, sizeof why), GZ_MG_INVALID, "must be above 0 if it is absolute");
    gz_mg_close(mg);

    struct gz_mg_request vc = {.edges = "dirichlet", .op = "star7vc"};
    for (int i = 0; i < CELLS; i++)
        beta[i] = 1;
    tell(open_status(vc) == 0, "beta of 1");
    beta[16] = 0;
    refuses(open_status(vc), GZ_MG_INVALID, "beta is 0 at (0, 1, 0): must be above 0 and finite");
    beta[16] = NAN;
    refuses(open_status(vc), GZ_MG_INVALID, "beta is nan at");

    refuses(open_status((struct gz_mg_request){.lambda = 1e300, .op = "box27"}), GZ_MG_INVALID, "too large for double");
    refuses(open_status((struct gz_mg_request){.lambda = 1e30, .use_float = 1}), GZ_MG_INVALID, "too large for float");

    for (int k = 0; k < 2; k++) {
        mg = open_mg((struct gz_mg_request){.edges = k ? "neumann" : "periodic"});
        for (int i = 0; i < CELLS; i++)
            f[i] = cos(6.2831853 * (i % N + 0.5) / N);
        bad = try_solve(mg, f, NULL, 0) || fabs(result.mean) > 1e-8 || gz_mg_get(mg, u, NULL, 0);
        double solution = u[77];
        for (int i = 0; i < CELLS; i++)
            f[i] += 0.5;
        refuses(gz_mg_put(mg, f, NULL, why, sizeof why), GZ_MG_INVALID, "the mean of f is 0.5: with ");
        tell(!bad && gz_mg_solve(mg, 0, &result, NULL, 0) == 0 && result.cycles == 0, "which leaves what was put before");
        gz_mg_close(mg);
        mg = open_mg((struct gz_mg_request){.edges = k ? "neumann" : "periodic", .project = 1});
        bad = try_solve(mg, f, NULL, 0) || gz_mg_get(mg, u, NULL, 0);
        tell(!bad && fabs(u[77] - solution) < 1e-9 && fabs(result.mean - 0.5) < 1e-8, "and with project is taken away: %g",
             result.mean);
        for (int i = 0; i < CELLS; i++)
            u[i] = 1e308;
        refuses(gz_mg_put(mg, u, NULL, why, sizeof why), GZ_MG_INVALID, "f is too large: its sum is beyond double");
        gz_mg_close(mg);
        mg = open_mg((struct gz_mg_request){.edges = k ? "neumann" : "periodic", .lambda = 1});
        tell(try_solve(mg, f, NULL, 0) == 0 && result.mean == 0, "with lambda there is a solution");
        gz_mg_close(mg);
    }
    mg = open_mg((struct gz_mg_request){.edges = "neumann", .lambda = 1e-20});
    refuses(gz_mg_put(mg, f, NULL, why, sizeof why), GZ_MG_INVALID, "lambda 1e-20, which counts as 0, there is no solution");
    gz_mg_close(mg);
    for (int type = 0; type < 2; type++) {
        step_in_time("dirichlet", type, 0.01);
        step_in_time("dirichlet", type, 1000);
        step_in_time("periodic", type, 20);
    }
    mg = NULL;
    struct gz_mg_request small = {.size = {2, 2, 2}, .device = "host", .edges = "dirichlet"};
    bad = gz_mg_open(&small, NULL, &mg, why, sizeof why) || try_solve(mg, f, NULL, 0);
    tell(!bad && result.cycles == 1 && result.factor < 1e-10, "one cycle that suffices has a factor: %g", result.factor);
    gz_mg_close(mg);
    return 0;
}
END
build "$work/again.c" again
verdict $? 'another program compiles' || note <"$work/err"
"$work/again" >"$work/out"
verdict $? '  and runs'
while read -r bad what; do
    verdict "$bad" "$what"
done <"$work/out"
nothing 'only gz_mg_ names are exported' "$(nm -D --defined-only "$GZ_BUILD/lib/libgzmg.so" |
    awk '{ print $3 }' | grep -vE '^(gz_mg_|__|_init|_fini)')"
echo '#include <gzmg.h>' >"$work/alone.c"
${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror -Ikernels/multigrid -c "$work/alone.c" -o "$work/alone.o"
verdict $? 'the header alone is C99'
cp "$work/alone.c" "$work/alone.cpp"
${CXX:-c++} -Wall -Wextra -Wpedantic -Werror -Ikernels/multigrid -c "$work/alone.cpp" -o "$work/alone.o"
verdict $? 'and C++'
finish
