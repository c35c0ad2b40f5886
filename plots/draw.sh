#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# draw.sh NAME TSV FOLDER [FORMATS] - draws plots/NAME.gp from a study's TSV, or from a field of
# gzrun's (*.field), as FOLDER/NAME.svg, .png and .pdf, or as those of FORMATS.
# gnuplot's exit status says little, so the TSV's shape is checked first, whatever gnuplot prints is
# an error, and the files are put in place only when all of them are whole.
set -eu

# Labels are UTF-8 and numbers have points, whatever the user's locale is.
export LC_ALL=C.UTF-8

if [ $# -lt 3 ] || [ $# -gt 4 ]; then
    echo "usage: draw.sh NAME TSV FOLDER [FORMATS]" >&2
    exit 2
fi
name=$1 tsv=$2 folder=$3 formats=${4:-svg png pdf}
plots=$(dirname "$0")

case $tsv in
*.field) ;;
*) awk -f "$plots/check.awk" "$tsv" ;;
esac

# Leftovers of a killed run go now; the folder's name says whose it was.
for left in "$folder/.$name".*; do
    owner=${left##*/."$name".}
    owner=${owner%%-*}
    case $owner in
    '' | *[!0-9]*) ;;
    *) kill -0 "$owner" 2> /dev/null || rm -rf "$left" ;;
    esac
done
work=$(mktemp -d "$folder/.$name.$$-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# The scripts hand the table's name to a shell, in apostrophes; a name with one gets another.
case $tsv in
*\'* | *\\*)
    safe=$(mktemp -d)
    trap 'rm -rf "$work" "$safe"' EXIT
    cp "$tsv" "$safe/table.${tsv##*.}"
    table=$safe/table.${tsv##*.}
    ;;
*) table=$tsv ;;
esac

status=0
gnuplot -c "$plots/draw.gp" "$plots" "$name" "$table" "$work/$name" "$formats" > "$work/said" 2>&1 || status=$?
if [ $status -ne 0 ] || [ -s "$work/said" ]; then
    echo "$plots/$name.gp: gnuplot, exit status $status, said of $tsv:" >&2
    cat "$work/said" >&2
    exit 1
fi
for format in $formats; do
    if [ ! -s "$work/$name.$format" ]; then
        echo "$plots/$name.gp: gnuplot drew no $format" >&2
        exit 1
    fi
done
# Blanks next to an italic word belong to the text; a title would be a tooltip with gnuplot's command.
if [ -e "$work/$name.svg" ]; then
    sed 's/^<svg /&xml:space="preserve"/; s|<title>tsv .*</title>||' "$work/$name.svg" > "$work/svg"
    mv "$work/svg" "$work/$name.svg"
fi
for format in $formats; do
    mv "$work/$name.$format" "$folder/$name.$format"
done
