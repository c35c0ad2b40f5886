# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# mpi.sh - what tests of ranks begin with, sourced after tap.sh: the file is skipped where there is no MPI, and $tmp is a
# folder.

command -v mpirun > /dev/null || skip_all 'there is no mpirun'
[ -e "$GZ_BUILD/lib/gzmodel/exchange_mpi.so" ] || skip_all 'this was built without MPI'
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# MPI keeps memory until the process ends.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
# One thread a rank: several share the cores.
export POCL_MAX_PTHREAD_COUNT=1
# A run that is refused ends at once: mpirun would wait two seconds for the other ranks.
export OMPI_MCA_odls_base_sigkill_timeout=0

# on_ranks N PROGRAM ARGUMENTS: runs it on so many ranks; $tmp/out, $tmp/err.
on_ranks() {
    ranks=$1
    shift
    timeout -k 5 300 "$GZ_SOURCE/kernels/ranks/mpirun.sh" -n "$ranks" "$@" > "$tmp/out" 2> "$tmp/err" < /dev/null
}

# ranks N ARGUMENTS: $program, with what it is given always, on so many ranks.
ranks() {
    n=$1
    shift
    # shellcheck disable=SC2086
    on_ranks "$n" "$GZ_BUILD/bin/"$program "$@"
}

# refused STATUS PATTERN N ARGUMENTS: what $program says then, once for all ranks.
refused() {
    expected=$1 pattern=$2
    shift 2
    ranks "$@" -o "$tmp/none.json"
    status=$?
    [ $status -eq "$expected" ] && [ "$(grep -c "^${program%% *}:.*$pattern" "$tmp/err")" -eq 1 ] && [ ! -e "$tmp/none.json" ]
    verdict $? "refused with status $expected: $pattern" || note < "$tmp/err"
}

# slow_network NAME: that network with messages of 2 ms, as $tmp/slow.json.
slow_network() {
    sed 's/\("latency"\|"message_cost"\): {"value": [^,]*/\1: {"value": 2e-3/' \
        "$GZ_SOURCE/libgzmodel/data/networks/$1.json" > "$tmp/slow.json"
}
