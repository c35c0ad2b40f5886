#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 843-ranks-oclgrind - two ranks under Oclgrind: what packs, computes and unpacks has no data race, and stores
# nothing that was never set.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/mpi.sh"
needs_oclgrind

cat > "$tmp/cases" << 'END'
gzrun --loops 7 --runs 1 --contract off -a hotspot -s 40x33 --ranks auto --rank-depth 3 -b 20x20 -H 2
gzrun --loops 5 --runs 1 --contract off -a star7 -s 12x11x10 --ranks auto --rank-depth 2 --variant stream
gzrun --loops 7 --runs 1 --contract off -a wave2d -s 30x26 --ranks auto --rank-depth 2
gzmg --tail 0 --tolerance 0.999 --depth 2 --variant stream -s 12x8x8 --operator star7vc --edges dirichlet --ranks 2x1x1 --rank-depth 2
gzmg --tail 0 --tolerance 0.999 --depth 2 --variant stream -s 12x8x8 --operator box27 --sweeps 1,1 --ranks 2x1x1 --rank-depth 1
END
# As in 826-multigrid-oclgrind.
options='-O0 -Dalways_inline=unused -DGZ_RESTRICT= -DGZ_NO_PREFETCH'
while read -r program case; do
    # shellcheck disable=SC2086 # several words
    on_ranks 2 oclgrind --build-options "$options" --data-races --uninitialized "$GZ_BUILD/bin/$program" -d opencl:0 $case \
        --verify -q &&
        grep -qE '^verified *true($|, max_error 0 )' "$tmp/out" && [ ! -s "$tmp/err" ]
    verdict $? "$program $case: right, and nothing is reported"
    head -n 20 "$tmp/err" | note
done < "$tmp/cases"
finish
