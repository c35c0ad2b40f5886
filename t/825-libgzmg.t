#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 825-libgzmg - the library for programs with a right-hand side of their own: its example, what it refuses,
# what it exports, and its header alone, in C99 and C++.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
plan "$(bulk 8 9)"

# build FILE NAME: compiled and linked with the library of this build.
build() {
    # shellcheck disable=SC2086
    ${CC:-cc} $sanitize -std=c11 -Wall -Wextra -Werror -Ikernels/multigrid -o "$work/$2" "$1" \
        -L"$GZ_BUILD/lib" -lgzmg -lm -Wl,-rpath,"$GZ_BUILD/lib" 2>"$work/err"
}

build kernels/multigrid/example/solve.c example
verdict $? 'the example compiles'
note <"$work/err"
# The known series' value, 0.0562128, on cells of 1/64 whose centre is not the middle.
[ "$("$work/example" host)" = 'u in the middle: 0.0562' ]
verdict $? 'and solves its problem on the host'
on_device() {
    [ "$("$work/example" opencl:0)" = 'u in the middle: 0.0562' ]
    verdict $? 'and on a device'
}
rarely on_device
"$work/example" opencl:77 >"$work/out" 2>"$work/err"
[ $? -eq 77 ] || [ $? -eq 1 ] && [ ! -s "$work/out" ] && grep -q 'no such device' "$work/err"
verdict $? 'or says that there is no such device'

cat >"$work/more.c" <<'END'
#include <gzmg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
/* A refusal: its status and text. */
static int refuses(struct gz_mg_request request, const char *say)
{
    char why[200] = "";
    gz_mg *mg = 0;
    int status = gz_mg_open(&request, 0, &mg, why, sizeof why);
    gz_mg_close(mg);
    return status == GZ_MG_INVALID && !mg && strstr(why, say) != 0;
}
int main(void)
{
    static float f[16 * 16 * 16], u[16 * 16 * 16];
    static double d[16 * 16 * 16], v[16 * 16 * 16];
    struct gz_mg_request request = {.size = {16, 16, 16}, .device = "host", .op = "box27", .use_float = 1};
    struct gz_mg_result result;
    char why[200] = "";
    gz_mg *mg = 0;
    int bad = 0;
    for (int i = 0; i < 4096; i++)
        f[i] = (float)(d[i] = cos(6.2831853 * (i % 16 + 0.5) / 16));
    bad += gz_mg_open(&request, 0, &mg, why, sizeof why) != 0 || gz_mg_put(mg, f, 0, 0, 0) != 0;
    bad += 2 * (gz_mg_solve(mg, 1e-4, &result, why, sizeof why) != 0 || gz_mg_get(mg, u, 0, 0) != 0);
    /* A wave of f has u = f / (2 pi)^2, to second order. */
    bad += 4 * !(result.cycles > 1 && result.factor < 0.2 && fabs(u[5] * 39.478 / f[5] - 1) < 0.02);
    bad += 8 * (gz_mg_solve(mg, 1e-12, &result, why, sizeof why) != GZ_MG_FAILED || !strstr(why, "stagnates"));
    gz_mg_close(mg);
    gz_mg_close(0);
    request.mixed = 1;
    bad += 256 * !refuses(request, "must be double");
    request.use_float = 0;
    bad += 512 * (gz_mg_open(&request, 0, &mg, why, sizeof why) != 0 || gz_mg_put(mg, d, 0, 0, 0) != 0 ||
                  gz_mg_solve(mg, 1e-12, &result, why, sizeof why) != 0 || gz_mg_get(mg, v, 0, 0) != 0 ||
                  fabs(v[5] * 39.478 / d[5] - 1) > 0.02);
    gz_mg_close(mg);
    request.edges = "round";
    bad += 16 * !refuses(request, "edges: \"round\" is unknown");
    request.edges = "neumann";
    bad += 32 * !refuses(request, "must be periodic");
    request.op = "star7vc";
    bad += 64 * !refuses(request, "needs beta");
    request.depth = -1;
    bad += 128 * !refuses(request, "depth -1");
    if (bad)
        printf("%d %s\n", bad, why);
    return bad != 0;
}
END
build "$work/more.c" more
verdict $? 'another program compiles'
note <"$work/err"
"$work/more" >"$work/out"
verdict $? 'solves in float, says when it cannot, and is refused what is wrong'
note <"$work/out"
nothing 'only gz_mg_ names are exported' "$(nm -D --defined-only "$GZ_BUILD/lib/libgzmg.so" |
    awk '{ print $3 }' | grep -vE '^(gz_mg_|__|_init|_fini)')"
echo '#include <gzmg.h>' >"$work/alone.c"
${CC:-cc} -std=c99 -Wall -Wextra -Wpedantic -Werror -Ikernels/multigrid -c "$work/alone.c" -o "$work/alone.o"
verdict $? 'the header alone is C99'
cp "$work/alone.c" "$work/alone.cpp"
${CXX:-c++} -Wall -Wextra -Wpedantic -Werror -Ikernels/multigrid -c "$work/alone.cpp" -o "$work/alone.o"
verdict $? 'and C++'
finish
