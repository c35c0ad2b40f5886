#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 330-gzrun-errors - what gzrun refuses, and how: one line on stderr that begins with its name, nothing
# on stdout, the right exit status, no file left behind.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
gzrun=$GZ_BUILD/bin/gzrun
scratch
export XDG_DATA_HOME="$work/data"

# check STATUS TEXT ARGUMENTS...: gzrun with these arguments exits with STATUS and says TEXT.
check() {
    want=$1 text=$2
    shift 2
    timeout 60 "$gzrun" "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ $got -eq "$want" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ] &&
        grep -q '^gzrun: ' "$work/err" && grep -q -e "$text" "$work/err" &&
        [ -z "$(find "$work" -name 'result*')" ]
    verdict $? "$want: $*" || echo "exit $got, said: $(cat "$work/err")" | note
}

# passes TEXT ARGUMENTS...: gzrun succeeds and prints TEXT.
passes() {
    text=$1
    shift
    timeout 60 "$gzrun" "$@" 2>"$work/err" | grep -q -e "$text" && [ ! -s "$work/err" ]
    verdict $? "$*" || note <"$work/err"
}

passes 'Usage: gzrun' --help
passes 'Usage: gzrun' -h
passes "^gzrun $(sed -n 's|^#define GZ_VERSION_[A-Z]* ||p' libgzmodel/gzmodel.h | paste -sd.)$" -V
passes '^  hotspot' --list
passes '^sync *none' --variant serial -s 8 --loops 1 --runs 1

# Spelling.
check 2 'unknown option --bogus' --bogus
check 2 'unknown option -x' -x
check 2 'unknown word "hotspot"' hotspot
check 2 '--app needs an argument: NAME' --app
check 2 'no kernels for ""' --app=
check 2 '--json takes no argument' --json=yes

# Values.
check 2 'must be one of box125, box27' --app nothing
check 2 'no kernels for' --app "$work/app.json"
check 2 '--size' -s 10x
check 2 '--size' -s 10x10x10
check 2 '--size' -s -5
check 2 '--size' -s 99999999999
check 2 '--block' -b 0
check 2 '--block' -b x
check 2 '--height' -H 0
check 2 '--height' -H 1.5
check 2 '--height' -H 99999999999999999999
check 2 '--loops' --loops 0
check 2 '--runs' --runs many
check 2 'restart, fence, graph, or all' -y later
check 2 'trapezoid, stream, naive, column, cell, shared, serial, or all' --variant fast
check 2 'on or off' --contract maybe
check 2 '--threads' --threads 0
check 2 '--input.*at most 8' --input 1 2 3 4 5 6 7 8 9
check 2 '--t4: the path is empty' --t4=
check 2 'unknown word "after"' --input one -- after
check 2 'unknown word "before"' before --input one

# Configurations that no device could run.
check 2 'at most 9' -b 20x20 -H 10
check 2 'must be at least 3' -b 2x20
for variant in naive column cell shared; do
    check 2 "$variant computes one loop at a time" --variant $variant -b 2000x2 -H 2
    check 2 "$variant is launched once per loop" --variant $variant -b 2000x2 -y fence
done
check 2 'column needs a block that spans the grid, 2000 elements' --variant column -b 20
check 2 'column has one thread for each line' --variant column --threads 2x2
check 2 'cell has one thread for each element: must be' --variant cell --threads 10
check 2 'shared loads at most one ghost cell: must be at least the radius, 2' -a star13 --variant shared -b 1
check 2 'serial computes one loop at a time' --variant serial -H 2
for option in '-d opencl:0' '-b 8' '--threads 1' '-y graph' --verify; do
    # shellcheck disable=SC2086
    check 2 'is the reference itself' --variant serial $option
done
check 2 'a grid of [0-9]* elements' -s 100000

# Adaptive selection.
check 2 '--adaptive does not take --runs' --adaptive --runs 3
check 2 '--adaptive does not take --sync' --adaptive -y restart
check 2 '--adaptive does not take --t4' --adaptive --t4 "$work/result"
check 2 'height 10' --adaptive -b 20 -H 10
check 2 '--adaptive takes no argument' --adaptive=5

# Devices.
check 77 'cuda:99' -d cuda:99
check 77 'cuda:99' -d 99
check 77 'opencl:99' -d opencl:99
check 77 'no device here is called "GeForce GTX 280"' -d gtx280
check 2 'must be cuda:INDEX, opencl:INDEX' -d nothing
check 2 'cuda:INDEX' -d vulkan:0

# What this device cannot do.
if "$gzrun" -d opencl:0 -s 8 -b 8 --loops 1 --runs 1 -q >/dev/null 2>&1; then
    check 2 'local memory' -d opencl:0 -s 4000 -b 4000
    check 2 'threads.*fewer --threads' -d opencl:0 -s 500 -b 500x100 --threads 500x100
    check 2 'threads.*smaller --block' -d opencl:0 -s 500 -b 500x100 --variant cell
    check 2 'no graphs' -d opencl:0 -s 8 -b 8 -y graph -o "$work/result" --t4 "$work/result.t4"
else
    skip 'there is no OpenCL device'
fi
finish
