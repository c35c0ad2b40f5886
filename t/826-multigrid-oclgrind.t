#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 826-multigrid-oclgrind - a cycle's kernels under Oclgrind, on every level: right, without a data race, and
# no value that was never set is stored, or decides a branch.
. "$(dirname "$0")/tap.sh"
needs_oclgrind
scratch

cat >"$work/cases" <<'END'
-s 6x5x7 --operator star7vc --edges dirichlet --depth 2 --variant stream
-s 8 --depth 2 --variant stream
-s 8x4x6 --depth 2 --variant trapezoid
-s 8 --depth 1 --variant naive
-s 8 --smoother jacobi --edges neumann --depth 2 --variant stream
-s 8 --operator star7vc --type float --cycle full --sweeps 1,1 --depth 2 --variant stream
-s 8x4x8 --operator star13 --depth 2 --variant stream
-s 8 --operator box27 --depth 2 --variant stream
-s 8x4x4 --operator box125 --depth 1 --variant trapezoid
END
# What Oclgrind 21.10 does not know, `freeze` and the scopes of inlined restrict, is not in code that is
# neither optimised nor inlined.
options='-O0 -Dalways_inline=unused -DGZ_RESTRICT= -DGZ_NO_PREFETCH'
while read -r case; do
    # shellcheck disable=SC2086 # several words
    oclgrind --build-options "$options" --data-races --uninitialized "$GZ_BUILD/bin/gzmg" -d opencl:0 --tail 0 \
        --tolerance 0.999 --verify $case >"$work/out" 2>"$work/err" </dev/null &&
        grep -q '^verified *true' "$work/out" && [ ! -s "$work/err" ]
    verdict $? "gzmg $case: right, and nothing is reported" || head -n 20 "$work/err" | note
done <"$work/cases"
finish
