#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# gzc_measured.sh BUILD FOLDER [small] - users' programs of make bench over the size of their grids: as they stand, with
# OpenMP on all cores, and after gzc, copies to and from the device included: FOLDER/gzc_measured.tsv. The two run in
# turn; a row has the medians of the turns, each the median of a program's calls but its first. Besides, a stencil of
# gzrun's own: the best plain loop with OpenMP, and the streamed tile.
set -eu
export LC_ALL=C.UTF-8 POCL_AFFINITY=1
build=$(cd "$1" && pwd) folder=$2 small=${3:-}
here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../kernels/bench
extents='256 512 1024 2048 4096' turns=3 cells=4e8
[ -z "$small" ] || { extents='128 256' turns=1 cells=1e6; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export GZ_DEVICE="${GZ_DEVICE:-opencl:0}" XDG_CACHE_HOME="$work/cache"
mkdir "$work/cache"

quantiles() { # the least, the median and the largest of FILE
    sort -g "$1" | awk '{ v[NR] = $1 } END { printf "%s\t%s\t%s", v[int((NR + 1) / 2)], v[1], v[NR] }'
}
# row NAME KIND EXTENT
row() {
    loops=$(awk "BEGIN { l = int($cells / ($3 * $3)); print (l < 96 ? 96 : (l > 1200 ? 1200 : l)) }")
    : > "$work/openmp"
    : > "$work/gzc"
    turn=0
    while [ $((turn += 1)) -le "$turns" ]; do
        "$work/plain" "$2" "$3" "$loops" | cut -d ' ' -f 1 >> "$work/openmp"
        GZ_REPORT=1 "$work/gz" "$2" "$3" "$loops" 2> "$work/report" | cut -d ' ' -f 1 >> "$work/gzc"
    done
    case $(grep -v 'nothing to do$' "$work/report" | tail -n 1) in
    *'the original loops run'*) ran=original ;;
    *) ran=device ;;
    esac
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$3" "$loops" "$(quantiles "$work/openmp")" "$(quantiles "$work/gzc")" "$ran"
}
# tiles STENCIL EXTENT: of build/bench/streams, medians and, of the quarters of its turns, the ends.
tiles() {
    "$build/bench/streams" "$GZ_DEVICE" "$1" "$2" | awk -F '\t' -v OFS='\t' '
        $3 == "plain" || $3 == "stream" {
            s[$3] = 1e-3 * $5 OFS 1e-3 * $5 * (1 - $6 / 2) OFS 1e-3 * $5 * (1 + $6 / 2)
        }
        END { print "'"$1"'", '"$2"', int(4e8 / '"$2"' / '"$2"'), s["plain"], s["stream"], "tile" }'
}

# The program as it stands, and after gzc.
"$build/bin/gzc" "$programs/translated.c" -o "$work/translated_gz.c"
${CC:-cc} -O3 -march=native -fopenmp -Wno-unknown-pragmas "$programs/translated.c" -o "$work/plain" -lm
${CC:-cc} -O3 -march=native -fopenmp -Wno-unknown-pragmas -I"$programs/../gzstencil" "$work/translated_gz.c" \
    -o "$work/gz" -lm -L"$build/lib" -lgzstencil -Wl,-rpath,"$build/lib"
{
    echo '# gzc_measured: a time step of programs over the size of the grid, with OpenMP and after gzc'
    echo "# device: $("$build/bin/gzrun" --list | sed -n "s/^ *$GZ_DEVICE *//p" | head -n 1)"
    echo "# date: $(date -u '+%Y-%m-%d %H:%M UTC')"
    echo '# source: kernels/bench/translated.c; cc -O3 -march=native -fopenmp; gzc; streams.c'
    echo '# command: make gzc-measured'
    echo '# column program: text, what it computes'
    echo '# column extent: cells, along each edge of the grid'
    echo '# column loops: loops, of a call'
    echo "# column openmp: s, a loop, median of $turns turns"
    echo '# column openmp_least: s, a loop'
    echo '# column openmp_most: s, a loop'
    echo "# column gzc: s, a loop, median of $turns turns"
    echo '# column gzc_least: s, a loop'
    echo '# column gzc_most: s, a loop'
    echo '# column ran: text, device, or original: the loops as they stand were faster, and ran; tile of gzrun'
    printf 'program\textent\tloops\topenmp\topenmp_least\topenmp_most\tgzc\tgzc_least\tgzc_most\tran\n'
    for extent in $extents; do row heat heat2 "$extent"; done
    for extent in $extents; do row fdtd fdtd "$extent"; done
    for extent in ${extents% 4096}; do row grayscott grayscott "$extent"; done
    [ -n "$small" ] || for extent in $extents; do tiles poisson "$extent"; done
} > "$work/table"
mv "$work/table" "$folder/gzc_measured.tsv"
