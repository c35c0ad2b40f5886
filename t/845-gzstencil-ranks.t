#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 845-gzstencil-ranks - MPI programs whose time loop libgzstencil runs: the example prints what the
# plain loop does, on 1 to 6 ranks; random-looking arrays under all edges, in pieces, are those of the
# undivided run to the bit; what is wrong is refused on all ranks alike, and nothing hangs.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/mpi.sh"
command -v mpicc > /dev/null || skip_all 'there is no mpicc'
compile_quickly
compile_inside
# No time is lost in trying what is fastest.
export GZ_DEVICE=opencl:0 GZ_TRY=0 XDG_CACHE_HOME="$tmp/cache"

# build COMPILER SOURCE NAME FLAG...
build() {
    compiler=$1 source=$2 name=$3
    shift 3
    # it holds words
    # shellcheck disable=SC2086
    $compiler $sanitize -O1 -ffp-contract=off -I"$GZ_SOURCE/kernels/gzstencil" "$GZ_SOURCE/$source" -o "$tmp/$name" \
        "$@" 2> "$tmp/err"
    verdict $? "$source compiles" || note < "$tmp/err"
}
set -- -L"$GZ_BUILD/lib" -lgzstencil -Wl,-rpath,"$GZ_BUILD/lib"
build mpicc kernels/gzstencil/example/heat_mpi.c heat_mpi "$@" -Wall -Wextra -Werror
build mpicc t/gzc/ranks.c ranks "$@" -Wall -Wextra -Werror
build "${CC:-cc}" kernels/translate/example/heat.c heat
nothing 'libgzstencil needs no MPI' "$(readelf -d "$GZ_BUILD/lib/libgzstencil.so" | grep NEEDED | grep -i mpi)"
"$GZ_BUILD/bin/gzrun" -d opencl:0 -a pathfinder -s 100 --loops 1 --runs 1 > /dev/null 2>&1 ||
    { skip 'there is no opencl:0' && finish && exit; }

# ranks N PROGRAM ARGUMENTS
ranks() {
    count=$1 program=$2
    shift 2
    on_ranks "$count" "$tmp/$program" "$@"
}
"$tmp/heat" 50 123 > "$tmp/expected"
for count in 1 3; do
    ranks "$count" heat_mpi 50 123 && cmp -s "$tmp/expected" "$tmp/out"
    verdict $? "the example's digits are the plain loop's: ranks $count" || note < "$tmp/err"
done

# check LAYOUT REFUSED: every run is the same, and so much is refused.
check() {
    # it holds words
    # shellcheck disable=SC2086
    ranks $(($(echo "$1" | tr ' ' '*'))) ranks $1 &&
        [ "$(grep -c ': same$' "$tmp/out")" -eq 7 ] && [ "$(grep -c ': refused: ' "$tmp/out")" -eq "$2" ] &&
        [ "$(wc -l < "$tmp/out")" -eq $((7 + $2)) ]
    verdict $? "runs on ranks $1 are the undivided ones, and $2 are refused" || cat "$tmp/out" "$tmp/err" | note
}
in_full check '1 1 1' 4
check '2 2 1' 7
grep -q '^a depth: refused: rank depth 11: the halo would be wider .* at most 9 for ' "$tmp/out"
verdict $? 'a refusal says what would do' || note < "$tmp/out"
in_full check '1 3 2' 7
in_full check '4 1 1' 6

# fails VARIABLE VALUE LINE: if the last rank cannot, all say so.
fails() {
    ranks 2 ranks 2 1 1 "$1" "$2" && grep -q "^$1: $3" "$tmp/out"
    verdict $? "one rank with $1=$2: $3" || cat "$tmp/out" "$tmp/err" | note
}
fails GZ_DEVICE opencl:9 'refused: another rank could not'
fails POCL_EXTRA_BUILD_FLAGS -Dint=1 'put failed: another rank could not'
finish
