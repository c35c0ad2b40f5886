#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 846-ranks-oclgrind - ranks, each under Oclgrind: packing, stages and rims have no data race.
. "$(dirname "$0")/tap.sh"
! nm "$GZ_BUILD/bin/gzrun" 2>/dev/null | grep -q '__[a-z]*san_' ||
    skip_all 'Oclgrind and sanitizers exclude each other'
for tool in oclgrind mpirun; do
    command -v $tool >/dev/null || skip_all "there is no $tool"
done
[ -e "$GZ_BUILD/lib/gzmodel/exchange_mpi.so" ] || skip_all 'gzrun was built without MPI'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# races RANKS APP SIZE LAYOUT ARGUMENTS
races() {
    count=$1 app=$2 size=$3 layout=$4
    shift 4
    timeout 120 "$GZ_SOURCE/kernels/ranks/mpirun.sh" -n "$count" oclgrind --data-races \
        --build-options '-O1 -DGZ_RESTRICT= -DGZ_NO_PREFETCH' "$GZ_BUILD/bin/gzrun" -d opencl:0 -a "$app" -s "$size" \
        --loops 5 --runs 1 --contract off --verify --ranks "$layout" --rank-depth 2 --overlap on --json "$@" \
        >"$work/out" 2>"$work/err" </dev/null &&
        grep -q '"verified": true' "$work/out" && grep -q 'Oclgrind' "$work/out" && [ ! -s "$work/err" ]
    verdict $? "$app $size, ranks $layout, $*: right, no data race" || head -n 20 "$work/err" | note
}
races 4 hotspot 21x17 2x2 -b 9x8 -H 2
races 4 star7vc 8x9x8 2x1x2 --variant stream -b 8x8x8 -H 2
races 4 gsrb 8x9x8 1x2x2 -b 7x6x7 -H 2 --rank-way direct
finish
