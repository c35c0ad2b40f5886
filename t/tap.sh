# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# tap.sh - the Test Anything Protocol for shell tests, as tap.h is for C: sourced, not run. If
# GZ_NO_SKIP is set, what would be skipped fails.

: "${GZ_SOURCE:=$(cd "$(dirname "$0")/.." && pwd)}"
: "${GZ_BUILD:=$GZ_SOURCE/build}"
# Device files that the user keeps change what programs choose and print; a test that needs some sets
# a folder of its own.
export XDG_DATA_HOME="$GZ_BUILD/t/no-data"
# Grids are small here; what is tested is the device, whichever is faster.
export GZ_ORIGINAL=never
# Threads of OpenMP that wait leave the processor to other tests.
export OMP_WAIT_POLICY=passive
# Options to compile what is linked with a library of this build, which may be built with sanitizers;
# not to be quoted.
# shellcheck disable=SC2034
sanitize=${SANITIZE:+-fsanitize=$SANITIZE -fno-sanitize-recover=all}
tap_run=0
tap_failed=0
tap_last=0

# skip_all WHY: skips the whole file.
skip_all() {
    if [ -n "${GZ_NO_SKIP:-}" ]; then
        printf '1..1\nnot ok 1 - may not be skipped: %s\n' "$1"
        exit 1
    fi
    echo "1..0 # SKIP $1"
    exit 0
}

# bulk FEW ALL: prints how many cases to take: ALL under `make check-all` (GZ_ALL=1), otherwise FEW.
bulk() {
    if [ -n "${GZ_ALL:-}" ]; then echo "$2"; else echo "$1"; fi
}

# rarely COMMAND...: runs it by `make check-all` only.
rarely() {
    [ -z "${GZ_ALL:-}" ] || "$@"
}

# in_full COMMAND...: runs it with GZ_ALL=2 only.
in_full() {
    [ "${GZ_ALL:-}" != 2 ] || "$@"
}

# Flags for test programs whose bits are compared: optimised by `make check-all` only.
# shellcheck disable=SC2034
optimised=-O$(bulk 0 1)

# never_optimise: PoCL compiles without optimising, in a third of the time: what is tested is not the kernels' code.
never_optimise() {
    export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
}

# compile_quickly: likewise, unless there is time for more (GZ_ALL=2).
compile_quickly() {
    [ "${GZ_ALL:-}" = 2 ] || never_optimise
}

# compile_inside: programs compile their kernels themselves. libgzstencil otherwise starts a process for each kernel
# (0.5 s), if it finds that program in its folder; here it does not. 355 and
# 785 have it.
compile_inside() {
    export LD_LIBRARY_PATH="$GZ_BUILD/t/inside${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}

# scratch: $work, a folder of this test's own, which goes when it ends.
scratch() {
    work=$(mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
}

# needs_gzc: $gzc and $work; skips the file if gzc was left out.
needs_gzc() {
    gzc=$GZ_BUILD/bin/gzc
    [ -x "$gzc" ] || skip_all 'gzc was left out: libclang or isl is missing'
    scratch
}

# has_device: whether there is an OpenCL device; needs_device: skips the file if not.
has_device() {
    "$GZ_BUILD/bin/gzrun" --list 2>/dev/null | grep -q '^ *opencl:0 '
}
needs_device() {
    has_device || skip_all 'there is no OpenCL device'
}

# link_gzstencil FLAG...: compiles with libgzstencil of this build.
# shellcheck disable=SC2086
link_gzstencil() {
    ${CC:-cc} $sanitize -w -I"$GZ_SOURCE/kernels/gzstencil" "$@" -L"$GZ_BUILD/lib" -lgzstencil -lm -Wl,-rpath,"$GZ_BUILD/lib"
}

# on_device REPORT NAME: one check, passed if the last command has succeeded; skipped where REPORT, what libgzstencil said,
# has that there is no OpenCL device.
on_device() {
    tap_status=$?
    if grep -q 'opencl:0: no ' "$1"; then
        skip 'there is no OpenCL device'
    else
        verdict $tap_status "$2" || note <"$1"
    fi
}

# sanitized FILE: whether it was built with a sanitizer.
sanitized() {
    grep -qa '__[a-z]*san_' "$1"
}

# needs_oclgrind: skips the file if there is none, or it cannot run what was built.
needs_oclgrind() {
    command -v oclgrind >/dev/null || skip_all 'there is no oclgrind'
    ! sanitized "$GZ_BUILD/bin/gzrun" || skip_all 'Oclgrind and sanitizers exclude each other'
}

# verdict STATUS NAME: one check, passed if STATUS is 0, which it returns.
verdict() {
    tap_run=$((tap_run + 1))
    tap_last=$1
    if [ "$1" -eq 0 ]; then
        echo "ok $tap_run - $2"
    elif [ -n "${tap_todo:-}" ]; then
        echo "not ok $tap_run - $2 # TODO $tap_todo"
    else
        echo "not ok $tap_run - $2"
        tap_failed=$((tap_failed + 1))
        echo "not passed: $2" | note
    fi
    return "$1"
}

# note: prints standard input as diagnostics; of a failed check as errors, which prove shows.
note() {
    if [ "$tap_last" -eq 0 ]; then sed 's/^/# /'; else sed 's/^/# /' >&2; fi
}

# nothing NAME TEXT: passes if TEXT is empty; otherwise TEXT says what is wrong.
nothing() {
    if [ -n "$2" ]; then
        verdict 1 "$1"
        printf '%s\n' "$2" | head -n 20 | note
    else
        verdict 0 "$1"
    fi
}

# ok NAME COMMAND...: one check, passed if the command succeeds; otherwise what it printed is shown.
ok() {
    tap_name=$1
    shift
    tap_said=$("$@" 2>&1)
    tap_status=$?
    verdict $tap_status "$tap_name"
    [ $tap_status -eq 0 ] || printf '%s\n' "$tap_said" | head -n 20 | note
}

# fails STATUS TEXT NAME COMMAND...: one check: the command exits with STATUS, prints nothing, and says one line that has
# TEXT on stderr. Its output is in $work/out and $work/err.
fails() {
    tap_want=$1 tap_text=$2 tap_name=$3
    shift 3
    "$@" >"$work/out" 2>"$work/err"
    tap_status=$?
    [ $tap_status -eq "$tap_want" ] && [ ! -s "$work/out" ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
        grep -q -e "$tap_text" "$work/err"
    verdict $? "$tap_name" || { echo "status $tap_status" && head -n 10 "$work/out" "$work/err"; } | note
}

# random_programs NAME SEED COUNT [VARIABLE=VALUE]...: one check, by t/gzc/differ.sh.
random_programs() {
    tap_name=$1 tap_seed=$2 tap_count=$3
    shift 3
    tap_said=$(env GZ_BUILD="$GZ_BUILD" GZ_SOURCE="$GZ_SOURCE" "$@" sh "$GZ_SOURCE/t/gzc/differ.sh" "$tap_seed" "$tap_count" 2>&1)
    verdict $? "$tap_name: $(echo "$tap_said" | grep 'programs, to seed')"
    echo "$tap_said" | note
}

# skip WHY: one check that cannot be made here.
skip() {
    tap_run=$((tap_run + 1))
    if [ -n "${GZ_NO_SKIP:-}" ]; then
        echo "not ok $tap_run - skipped # SKIP $1"
        tap_failed=$((tap_failed + 1))
    else
        echo "ok $tap_run - skipped # SKIP $1"
    fi
}

# finish: ends the test, and announces how many checks there were.
finish() {
    echo "1..$tap_run"
    [ "$tap_failed" -eq 0 ]
    exit
}
