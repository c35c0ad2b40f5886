#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 900-house - what the folders may include, and what every file must carry or must not.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
plan 11

# files PATTERN...: source files of the project by name, without what is built.
files() {
    for pattern; do
        find . -path ./.git -prune -o -path './build*' -prune -o -type f -name "$pattern" -print
    done | sed 's|^\./||' | sort
}

# includes FILE...: "file:included name" for each #include.
includes() {
    grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"][^>"]+' "$@" |
        sed -E 's/:.*[<"]/:/'
}

sources=$(files '*.[ch]')
library=$(echo "$sources" | grep '^libgzmodel/')
texts=$(files '*.[ch]' '*.cl' '*.cu' '*.cpp' '*.sh' '*.t' '*.gp' '*.mk' '*.md' '*.json' '*.awk' \
    '*.pl' Makefile run README)

# Lists of files are split into words on purpose: no file of the project has a space in its name.
# shellcheck disable=SC2086
included=$(includes $sources)
in_library=$(echo "$included" | grep '^libgzmodel/')

nothing 'libgzmodel includes no CUDA or OpenCL header' \
    "$(echo "$in_library" | grep -iE ':(cuda|nvrtc|cupti|nvperf|CL/|OpenCL)')"
nothing 'only optimize.c includes GSL' \
    "$(echo "$in_library" | grep ':gsl/' | grep -v '^libgzmodel/optimize\.c:')"
nothing 'of the library, only paramfile.c includes the JSON library' \
    "$(echo "$in_library" | grep ':jansson' | grep -vE '^libgzmodel/(paramfile\.c|cli/.*):')"
nothing 'no .c file is included' "$(echo "$included" | grep '\.c$')"

# Which way things depend: each folder may include its own headers and those of the folders that it
# stands on. (A header that is nowhere in the tree is one that the build generates.)
may_use() {
    case $1 in
    libgzmodel) echo libgzmodel libgzmodel/cli ;;
    kernels) echo kernels libgzmodel libgzmodel/cli ;;
    calibrate) echo calibrate kernels libgzmodel libgzmodel/cli ;;
    studies) echo studies libgzmodel libgzmodel/cli ;;
    measure) echo studies calibrate kernels libgzmodel libgzmodel/cli ;;
    device_study) echo studies kernels libgzmodel libgzmodel/cli ;;
    t) echo t studies calibrate kernels libgzmodel libgzmodel/cli ;;
    esac
}
# Of the studies, only those that measure stand on the kernels, and one of them on calibrate.
stands_for() {
    case $1 in
    studies/measure.c) echo measure ;;
    studies/device_study.h) echo device_study ;;
    studies/*) grep -q '"device_study[.]h"' "$1" && echo device_study || echo studies ;;
    *) echo "${1%%/*}" ;;
    esac
}
against_the_grain() {
    for file in $sources; do
        grep -oE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]+' "$file" | sed 's/.*"//' |
            while read -r name; do
                found=$(dirname "$file")/$name
                for folder in $(may_use "$(stands_for "$file")"); do
                    [ -e "$found" ] || found=$folder/$name
                done
                [ -e "$found" ] || [ -z "$(files "${name##*/}")" ] || echo "$file includes $name"
            done
    done
}
nothing 'includes respect the direction of dependency' "$(against_the_grain)"

from_its_command() {
    for file in $library; do
        case $file in
        libgzmodel/cli/*) continue ;;
        esac
        grep -oE '#[[:space:]]*include[[:space:]]*"[^"]+' "$file" | sed 's/.*"//' |
            while read -r name; do
                [ -e "libgzmodel/$name" ] && [ "${name#cli/}" = "$name" ] ||
                    echo "$file includes $name"
            done
    done
}
nothing 'the library includes nothing of its command' "$(from_its_command)"

without_licence() {
    for file in $(files '*.[ch]' '*.cl' '*.cu' '*.cpp' '*.sh' '*.t' '*.gp' '*.awk' '*.pl' run); do
        head -n 5 "$file" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || echo "$file"
    done
}
nothing 'every source file carries its licence' "$(without_licence)"

# shellcheck disable=SC2086
nothing 'no path of one machine' "$(grep -nIE '(^|[^a-z])/(hom[e]|wor[k]|roo[t])/' $texts)"
# shellcheck disable=SC2086
nothing 'no Python' "$(files '*.py' '*.ipynb' && grep -nIE '(^|[^a-zA-Z])pytho[n]' $texts |
    grep -v '\.md:')"
# shellcheck disable=SC2086
nothing 'no space at the end of a line' "$(grep -nI '[[:space:]]$' $texts)"

unmapped() {
    for folder in */; do
        [ "$folder" = build/ ] || grep -qF "$folder" README.md || echo "$folder"
    done
}
if [ -e README.md ]; then
    nothing 'the map in README.md names every top-level folder' "$(unmapped)"
else
    skip 'there is no README.md'
fi
finish
