# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# translate.sh - what tests of whole translated programs share, sourced after tap.sh: a folder
# $work, `translate` and `same`. Skips the file if gzc was left out. A test that sets host=1 computes on
# the host (t/gzc/host), where no kernels have to be compiled; one that sets host=both by `make check-all` also
# on the device, once of each program, or always with GZ_ALL=2.

# shellcheck disable=SC2034
needs_gzc
lib=$GZ_SOURCE/kernels/gzstencil
compile_quickly
compile_inside

# compiles COMPILER OUTPUT OPTIONS...: without a warning; a sanitizer's own do not count.
compiles() {
    compiler=$1 output=$2
    shift 2
    # Options of a sanitizer are several words.
    # shellcheck disable=SC2086,SC2154
    $compiler $sanitize -std=c11 $optimised -ffp-contract=off -Wno-unknown-pragmas -Wall -Wextra -Werror \
        ${sanitize:+-Wno-error} -I"$lib" -I"$GZ_SOURCE/t/gzc" "$work/made.c" -o "$output" "$@" 2> "$work/err"
    verdict $? "$compiler compiles the result without a warning"
    head -n 20 "$work/err" | note
}

# links OUTPUT: what gzc made, with libgzstencil.
links() {
    compiles "${CC:-cc}" "$1" -L"$GZ_BUILD/lib" -lgzstencil -lm -Wl,-rpath,"$GZ_BUILD/lib"
}

# written NAME: what gzc makes of t/gzc/NAME.c is $work/made.c, and $work/err has a line for each loop that it refuses.
written() {
    text=$GZ_BUILD/t/translated/$1.c
    if [ ! -e "$text" ] || [ -n "$(find "$gzc" "$GZ_SOURCE/t/gzc" -newer "$text")" ]; then
        mkdir -p "${text%/*}"
        "$gzc" -k "$GZ_SOURCE/t/gzc/$1.c" -o "$work/made.c" -- -I"$GZ_SOURCE/t/gzc" 2> "$work/err"
        cp "$work/err" "$text.$$" && mv "$text.$$" "$text.said" && cp "$work/made.c" "$text.$$" && mv "$text.$$" "$text"
    else
        cp "$text" "$work/made.c" && cp "$text.said" "$work/err"
    fi
}

# translate NAME WHAT [REFUSED]: two checks. gzc, which may refuse so many loops, takes a loop of every WHAT of t/gzc/NAME.c,
# and what it makes compiles without a warning (737-gzc-dialects has both compilers and all warnings); $work/plain and
# $work/made are both programs. The programs and the translated text are kept below $GZ_BUILD for later tests.
translate() {
    source=$GZ_SOURCE/t/gzc/$1.c
    linked=
    kept=$GZ_BUILD/t/translated/$1$optimised${host:+-host}${sanitize:+-sanitized}
    if [ -e "$kept" ] && [ -z "$(find "$gzc" "$lib" "$GZ_SOURCE/t/gzc" -newer "$kept/made")" ] &&
        cp "$kept"/* "$work/"; then
        verdict 0 "gzc took a loop of every $2"
        return
    fi
    written "$1"
    refused=$(wc -l < "$work/err")
    [ "$refused" -le "${3:-0}" ]
    verdict $? "gzc takes a loop of every $2 but $refused" || note < "$work/err"
    ${CC:-cc} -std=c11 "$optimised" -ffp-contract=off -Wno-unknown-pragmas -I"$GZ_SOURCE/t/gzc" \
        "$source" -o "$work/plain" -lm
    if [ -n "${host:-}" ]; then
        compiles "${CC:-cc}" "$work/made" -x c "$GZ_SOURCE/t/gzc/host/host.c" -lm -ldl
        GZ_BODIES=print "$work/made" 23 31 5 2> "$work/bodies.c" > "$work/printed"
        ${CC:-cc} -std=gnu11 -w -ffp-contract=off -fno-builtin -fPIC -shared -I"$GZ_SOURCE/t/gzc/host" \
            "$work/bodies.c" -o "$work/bodies.so" -lm
    else
        links "$work/made"
    fi
    [ "$tap_failed" -eq 0 ] || return
    mkdir -p "$kept.$$" && cp "$work/made.c" "$work/plain" "$work/made" ${host:+"$work/bodies.so"} "$kept.$$/" &&
        { [ ! -e "$kept" ] || rm -r "$kept"; } && mv -T "$kept.$$" "$kept" 2> "$work/err" || rm -rf "$kept.$$"
}

# height H: H with GZ_ALL=2, otherwise 2, so that few kernels have to be compiled.
height() { if [ "${GZ_ALL:-}" = 2 ]; then echo "$1"; else echo 2; fi; }

# same HEIGHT N M T CHECK LOOPS: after translate, both programs print the same, and LOOPS at least ran on the host,
# or on the device, the original ones as well if CHECK is 1.
same() {
    "$work/plain" "$2" "$3" "$4" > "$work/expected"
    if [ -n "${host:-}" ]; then
        GZ_BODIES=$work/bodies.so "$work/made" "$2" "$3" "$4" > "$work/got" 2> "$work/reports"
        ran=$(grep -c ' ran$' "$work/reports")
        cmp -s "$work/expected" "$work/got" && [ "$ran" -ge "$6" ]
        verdict $? "${2}x$3, $4 loops: the same bits, $ran runs on the host" || diff "$work/expected" "$work/got" | note
        case $host${GZ_ALL:-}$linked in both1 | both2*) ;; *) return ;; esac
        [ -n "$linked" ] || links "$work/linked"
        linked=$work/linked
    fi
    GZ_HEIGHT=$(height "$1") GZ_BLOCK=14x10x12 GZ_DEVICE=opencl:0 GZ_REPORT=1 GZ_CHECK=$5 \
        "${linked:-$work/made}" "$2" "$3" "$4" > "$work/got" 2> "$work/reports"
    cmp -s "$work/expected" "$work/got"
    equal=$?
    if ! grep -q 'opencl:0: no ' "$work/reports"; then
        ran=$(grep -c ' on opencl:0: ' "$work/reports")
        [ $equal -eq 0 ] && [ "$ran" -ge "$6" ] && ! grep -q failed "$work/reports"
        verdict $? "height $(height "$1"), ${2}x$3, $4 loops: the same bits, $ran runs on the device"
        diff "$work/expected" "$work/got" | cat - "$work/reports" | note
    elif [ $equal -eq 0 ]; then
        skip 'there is no OpenCL device: only the original loops ran'
    else
        verdict $equal "${2}x$3, $4 loops: the same bits"
    fi
}

# checks PASSED N M T: after translate, GZ_CHECK=1 compares at least so many runs on the device with the original loops.
checks() {
    [ -n "$linked" ] || links "$work/linked"
    linked=$work/linked
    "$work/plain" "$2" "$3" "$4" > "$work/expected"
    GZ_HEIGHT=2 GZ_BLOCK=14x10x12 GZ_CHECK=1 GZ_DEVICE=opencl:0 "$linked" "$2" "$3" "$4" > "$work/got" 2> "$work/checks"
    cmp -s "$work/expected" "$work/got" && ! grep -q failed "$work/checks" &&
        { grep -q 'opencl:0: no ' "$work/checks" || [ "$(grep -c 'check passed' "$work/checks")" -ge "$1" ]; }
    verdict $? 'GZ_CHECK=1 compares runs on the device, and finds no difference' || note < "$work/checks"
}
