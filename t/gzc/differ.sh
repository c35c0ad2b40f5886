#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# differ.sh SEED COUNT - compares what gzc makes of random programs (programs.c) with the programs as
# they stand, byte for byte over all arrays and scalars. Runs the bodies as C on the host (host/),
# or, with GZ_DEVICE set, on that device. Language and flags are those that each batch's first line says.
# Of a program that differs, or that gzc crashes on or makes no program of, the smallest is printed that
# still does, by making one decision after the other plain. Needs $GZ_BUILD and $GZ_SOURCE.
# Those that gzc refuses are not compiled. GZ_SANITIZE=address,undefined compiles with these what gzc wrote, the
# bodies and the host's library (with GZ_DEVICE, SANITIZE=... of the build does); what they report is a difference.
# GZ_UNLOWER=1 compares, instead of what gzc writes, what its intermediate representation says (unlower.c), of
# all programs, those that gzc refuses too.
# GZ_PROGRAMS=systems takes programs of systems.c, GZ_PROGRAMS=guards those of guards.c.
# GZ_EVERY=N takes so many programs at a time; GZ_LOG=FILE gets what is refused and, after each, how far it is.
# At the end it says of each kind (kinds.h) how many programs had it, how many of them gzc took, and how many
# of these did not run their own loops.
set -u
seed=$1
left=$2
every=${GZ_EVERY:-100}
t=$GZ_SOURCE/t/gzc
work=$(mktemp -d) || exit 1
[ -n "${GZ_KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cc=${CC:-cc}
quick=clang-15 # gzc needs it, and without optimisation it is three times as fast as gcc
[ -z "${GZ_DEVICE:-}" ] || GZ_SANITIZE=${GZ_SANITIZE:-${SANITIZE:-}}
sanitize=${GZ_SANITIZE:+-fsanitize=$GZ_SANITIZE -fno-sanitize-recover=all -g}
[ -z "$sanitize" ] || quick=$cc # one runtime for all of a program
export ASAN_OPTIONS="detect_leaks=0:use_sigaltstack=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
export GZ_ORIGINAL=never
library=$GZ_SOURCE/kernels/gzstencil
$cc -std=c11 -w "$t/${GZ_PROGRAMS:-programs}.c" -o "$work/generate" || exit 1
[ -n "${GZ_UNLOWER:-}" ] || $cc -std=gnu11 -O2 $sanitize -I"$library" -c "$t/host/host.c" -o "$work/host.o" || exit 1
: > "$work/kinds"

# Flags are several words on purpose.
# shellcheck disable=SC2086

# generate WORDS...: writes $x, and sets how it and $made are compiled.
generate() {
    rm -f "$work"/x.* "$work"/made*
    "$work/generate" "$@" > "$work/x" || return
    flags=$(sed -n '1s,^/[*] [^:]*: \(.*\) [*]/$,\1,p' "$work/x")
    case $(head -n 1 "$work/x") in
    *c++:*) x=$work/x.cpp made=$work/made.cpp standard=-std=gnu++17 own=${CXX:-c++} other=clang++-15 ;;
    *) x=$work/x.c made=$work/made.c standard=-std=gnu11 own=$cc other=$quick ;;
    esac
    [ -z "${GZ_UNLOWER:-}" ] || flags="${flags%% -fopenmp*} -fno-openmp -O0" # the latter compiles three times as fast
    case $flags in *-fopenmp*) other=$own ;; esac
    [ -z "$sanitize" ] || other=$own
    flags="$standard -w -I$t $flags -ffp-contract=off"
    mv "$work/x" "$x"
}

# make_made: $work/made of $made, and what it needs to run.
make_made() {
    if [ -n "${GZ_UNLOWER:-}" ]; then
        back=$own
        case $made in *.cpp) back=clang++-15 ;; esac # for clang's headers
        $back $flags "$made" -o "$work/made" -lm
        return
    fi
    if [ -n "${GZ_DEVICE:-}" ]; then
        $other $flags $sanitize -O0 -I"$library" "$made" -o "$work/made" -L"$GZ_BUILD/lib" \
            -lgzstencil -lm -Wl,-rpath,"$GZ_BUILD/lib"
        return
    fi
    $other $flags $sanitize -O0 -I"$library" "$made" "$work/host.o" -o "$work/made" -lm -ldl || return
    for sizes in $grids; do
        GZ_BODIES=print "$work/made" $(echo "$sizes" | tr x ' ') 2>&1 > /dev/null
    done > "$work/bodies.c"
    $quick $sanitize -std=gnu11 -w -ffp-contract=off -O0 -fno-builtin -fPIC -shared -I"$t/host" "$work/bodies.c" \
        -o "$work/bodies.so" -lm
}

# keep_taken: leaves only what gzc has taken in $made, and the same programs in $x.
keep_taken() {
    # shellcheck disable=SC2016
    keep='/program [0-9]+ begins/ { begun = 1; taken = 0; part = ""; number = $3 }
        !begun && !(/^    run\(/ && !(substr($1, 5) + 0 in kept))
        begun { part = part $0 "\n" }
        begun && (which ? number in kept : /gz_stencil_begin/) { taken = 1; kept[number] }
        begun && /^} .. program [0-9]+:/ { begun = 0; if (taken) printf "%s", part }'
    : > "$work/taken"
    awk "$keep END { for (number in kept) print number > \"$work/taken\" }" "$made" > "$work/less" &&
        mv "$work/less" "$made" &&
        awk "BEGIN { which = 1; while ((getline n < \"$work/taken\") > 0) kept[n] } $keep" "$x" > "$work/less" &&
        mv "$work/less" "$x"
}

# compare PROGRAM...: runs generate with these words; sets $different to the programs that differ,
# $refused and $ran to how many were. Fails if there is no program to compare.
grids='9x8x8x9 8x11x9x3 5x6x7x1 6x5x5x0'
[ -z "${GZ_DEVICE:-}" ] || grids='8x11x9x5'
compare() {
    different= ran=0
    generate "$@" || return
    grep '^} .. program' "$x" > "$work/programs"
    $other $flags -fsyntax-only "$x" 2> "$work/said" || { head -n 3 "$work/said" | sed 's/^/# no C: /'; return 1; }
    : > "$work/taken" > "$work/ran" > "$work/differences"
    if [ -n "${GZ_UNLOWER:-}" ]; then
        timeout 300 "$GZ_BUILD/t/gzc/unlower" "$x" -- $flags > "$made" 2> "$work/refused"
    else
        timeout 300 "$GZ_BUILD/bin/gzc" --keep-going "$x" -o "$made" -- $flags 2> "$work/refused"
    fi
    status=$?
    refused=$(grep -c "^[^ ]*:[0-9]*:[0-9]*: " "$work/refused")
    [ $status -eq 0 ] || [ $status -eq 2 ] && [ "$refused" -eq "$(wc -l < "$work/refused")" ] &&
        { [ -e "$made" ] || [ "$refused" -eq "$(wc -l < "$work/programs")" ]; } ||
        { tail -n 3 "$work/refused" | sed "s/^/# gzc: status $status, /"; return 1; }
    [ -e "$made" ] || return 0
    [ -n "${GZ_UNLOWER:-}" ] || keep_taken
    $own $flags "$x" -o "$work/plain" -lm 2> "$work/said" && make_made 2> "$work/said" ||
        { head -n 3 "$work/said" | sed 's/^/# /'; return 1; }
    for sizes in $grids; do
        "$work/plain" $(echo "$sizes" | tr x ' ') > "$work/expected" 2> /dev/null
        GZ_REPORT=1 GZ_NAMES=1 GZ_BODIES=$work/bodies.so "$work/made" $(echo "$sizes" | tr x ' ') > "$work/got" 2>> "$work/ran"
        diff "$work/expected" "$work/got" | grep '^[<>]' >> "$work/differences"
    done
    different=$(awk '{ print $2 }' "$work/differences" | sort -un | tr '\n' ' ')
    awk '/^program [0-9]*$/ { p = $2 } / ran$|^gzstencil: [^ ]*: .* loops on / { print p }' "$work/ran" | sort -u > "$work/run"
    ran=$(wc -l < "$work/run")
}

# count_kinds: a line for each kind of each program: the kind, whether gzc took it, whether it ran elsewhere.
count_kinds() {
    awk -v taken="$work/taken" -v run="$work/run" 'BEGIN { while ((getline n < taken) > 0) t[n]; while ((getline n < run) > 0) r[n] }
        { n = $4 + 0; sub(/.*; /, ""); sub(/ [*]\/$/, ""); count = split($0, kind, ", ")
          for (i = 1; i <= count; i++) print kind[i] "\t" (n in t) "\t" (n in r) }' "$work/programs" >> "$work/kinds"
}

# wrong WORDS...: whether such a program differs or cannot be made, as gzc's fault.
wrong() {
    compare "$@" > /dev/null 2>&1 || return 0
    [ -n "${different# }" ]
}

# shrink PROGRAM: prints the smallest program that still differs.
shrink() {
    generate "$seed" "$count" "$1"
    decisions=$(sed -n "s/^} .. program $1: \([0-9]*\) decisions.*/\1/p" "$x")
    zeroed=
    step=$decisions
    while [ "$step" -ge 1 ]; do
        at=0
        while [ "$at" -lt "$decisions" ]; do
            more=$(seq -s ' ' "$at" $((at + step - 1)))
            # shellcheck disable=SC2086
            if wrong "$seed" "$count" "$1" $zeroed $more; then
                zeroed="$zeroed $more"
            fi
            at=$((at + step))
        done
        step=$((step / 3))
    done
    echo "# seed $seed, program $1: generate $seed $count $1$zeroed"
    # shellcheck disable=SC2086
    "$work/generate" "$seed" "$count" "$1" $zeroed | { clang-format 2> /dev/null || cat; }
}

# blame FIRST LAST: names those of the batch's programs that cannot be made.
blame() {
    ! compare "$seed" "$count" "$1-$2" > "$work/blamed" || return 0
    if [ "$1" -eq "$2" ]; then
        cat "$work/blamed"
        echo "# seed $seed, program $1 of $count"
        [ -n "${GZ_NO_SHRINK:-}" ] || shrink "$1"
        return
    fi
    set -- "$1" "$2" $((($1 + $2) / 2))
    blame "$1" "$3"
    blame $(($3 + 1)) "$2"
}

summary() {
    echo "$total programs, to seed $seed: $total_ran ran elsewhere than in their own loops," \
        "$total_refused were refused, $wrong differed"
}

total=0 total_ran=0 total_refused=0 wrong=0
while [ "$left" -gt 0 ]; do
    count=$((left < every ? left : every))
    if compare "$seed" "$count"; then
        count_kinds
        total=$((total + count)) total_ran=$((total_ran + ran)) total_refused=$((total_refused + refused))
        for program in $different; do
            wrong=$((wrong + 1))
            echo "# seed $seed, program $program of $count differs:" \
                $(awk -v p="$program" '$1 == ">" && $2 == p { $1 = $2 = ""; print }' "$work/differences" | head -n 3)
            grep -m 3 -e "runtime error: " -e "^SUMMARY: " "$work/ran" | sed "s/^/# /"
            [ -n "${GZ_NO_SHRINK:-}" ] || shrink "$program"
        done
        [ -z "${GZ_LOG:-}" ] || { sed "s/^/$seed: /" "$work/refused"; summary; } >> "$GZ_LOG"
    else
        echo "# seed $seed: $count programs could not be made; those that are to blame:"
        wrong=$((wrong + 1))
        blame 0 $((count - 1))
    fi
    left=$((left - count))
    seed=$((seed + 1))
done
seed=$((seed - 1))
summary
awk -F '\t' '{ n[$1]++; t[$1] += $2; r[$1] += $3 }
    END { for (k in n) printf "# %s: %d programs, %d taken, %d ran elsewhere\n", k, n[k], t[k], r[k] }' "$work/kinds" | sort
[ "$wrong" -eq 0 ]
