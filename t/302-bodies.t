#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 302-bodies - every stencil's body, compiled as plain C whose macros record what it reads: radius,
# arrays, coefficients and the elements read are those that the stencil states.
. "$(dirname "$0")/tap.sh"
scratch
cd "$GZ_SOURCE" || exit 1

# shellcheck disable=SC2012
"$GZ_BUILD/bin/gzrun" --list | sed -n '/^stencils:/,/^variants:/p' > "$work/list"

for body in kernels/stencils/*.knl; do
    name=$(basename "$body" .knl)
    read -r _ radius type arrays steps _ << END
$(grep "^  $name " "$work/list")
END
    coefficients=$(sed -n 's/.*[.]coefficients = \([0-9]*\).*/\1/p' "${body%.knl}.c")
    reads=$(tr '\n' ' ' < "${body%.knl}.c" | sed -n 's/.*[.]reads = {\([^}]*\)}.*/\1/p')
    cat > "$work/record.c" << END
#include <stdio.h>
#include <stdlib.h>
#define GZ_T $type
#define AXIS $(($(echo "$radius" | tr x '\n' | wc -l) - 1))
static int radius[3], arrays = 1, fields = 1, this, steps, coefficients, cell_x;
static int of_state, of_column, of_arrays, own_column = 1;
static char seen[24][9][9][9];
static long loop;
static void most(int *most, int value) { if (value > *most) *most = value; }
static GZ_T at(int k, int dx, int dy, int dz)
{
    most(&arrays, k + 2);
    most(&fields, -k);
    most(&radius[0], abs(dx)), most(&radius[1], abs(dy)), most(&radius[2], abs(dz));
    if (!seen[k + 9][dx + 4][dy + 4][dz + 4]++) {
        int d[3] = {dx, dy, dz}, across = 0;
        for (int i = 0; i < AXIS; i++)
            across |= d[i];
        if (k >= 0)
            of_arrays++;
        else
            of_state++, of_column += !across, own_column &= !across || !d[AXIS];
    }
    return (GZ_T)(1 + k);
}
static GZ_T step_at(int k) { most(&steps, k + 1); return 1; }
static GZ_T coef(int k) { most(&coefficients, k + 1); return 1; }
static inline int gz_min(int a, int b) { return a < b ? a : b; }
static inline int gz_max(int a, int b) { return a > b ? a : b; }
#define AT(dx, dy, dz) at(-1, dx, dy, dz)
#define FIELD(f, dx, dy, dz) at(-1 - (f), dx, dy, dz)
#define THIS this
static int older;
#define OLDER (older = 1, coef(-1))
#define COEF_AT(k, dx, dy, dz) at(k, dx, dy, dz)
#define STEP_AT(k) step_at(k)
#define COEF(k) coef(k)
#define CELL_X cell_x
#define CELL_Y 0
#define CELL_Z 0
#define LOOP loop
#define GZ_UPDATE static GZ_T update(void)
#include "$name.knl"
int main(void)
{
    GZ_T sum = 0;
    for (loop = 0; loop < 4; loop++)
        for (cell_x = 0; cell_x < 4; cell_x++)
            for (this = 0; this == 0 || this < fields; this++)
                sum += update();
    printf("%d", radius[0]);
    for (int i = 1; i < 3; i++)
        if (radius[i])
            printf("x%d", radius[i]);
    printf(" %d %d %d; %d, %d, %d, %s\n", arrays - 1 + fields + older, steps, coefficients, of_state, of_column, of_arrays,
           AXIS > 0 && own_column ? "true" : "false");
    return sum != sum;
}
END
    cc -w -iquote kernels/stencils -iquote libgzmodel/tilings -o "$work/record" "$work/record.c" && read=$("$work/record")
    [ "$read" = "$radius $arrays $steps ${coefficients:-0}; $reads" ]
    verdict $? "$name: radius, arrays, per-step arrays, coefficients; reads: $read"
done
finish
