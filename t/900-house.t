#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 900-house - what the folders may include, and what every file must carry or must not.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1

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
texts=$(files '*.[ch]' '*.cl' '*.cu' '*.cpp' '*.sh' '*.t' '*.gp' '*.mk' '*.md' '*.json' '*.awk' \
    '*.pl' Makefile run README)

# Lists of files are split into words on purpose: no file of the project has a space in its name.
# shellcheck disable=SC2086
included=$(includes $sources)
in_library=$(echo "$included" | grep '^libgzmodel/')

nothing 'libgzmodel includes no CUDA or OpenCL header' \
    "$(echo "$in_library" | grep -iE ':(cuda|nvrtc|cupti|nvperf|CL/|OpenCL)')"
nothing 'of the library, only the optimiser and the tuner include GSL' \
    "$(echo "$in_library" | grep ':gsl/' | grep -vE '^libgzmodel/(models/meng2011/newton|search/tuner)\.c:|^libgzmodel/front/output\.c:')"
nothing 'of the library, only what reads and writes files, questions and answers includes the JSON library' \
    "$(echo "$in_library" | grep ':jansson' | grep -vE '^libgzmodel/(param(file|write)\.c|ask\.c|answer\.[ch]|front/.*|schema/.*|command/.*):')"
# So no program depends on the order of its include paths.
nothing 'no two headers have one name' "$(files '*.h' | sed 's|.*/||' | sort | uniq -d)"
nothing 'no .c file is included' "$(echo "$included" | grep '\.c$')"

# Which way things depend: each room may include its own headers and those of the rooms that it
# stands on. (A header that is nowhere in the tree is one that the build generates.)
folders=$(find libgzmodel kernels calibrate studies t -type d)
library_rooms='libgzmodel libgzmodel/models libgzmodel/models/meng2011 libgzmodel/models/gz2 libgzmodel/tilings libgzmodel/search'
may_use() {
    case $1 in
    libgzmodel/front | libgzmodel/command) echo libgzmodel libgzmodel/front "$1" ;;
    libgzmodel*) echo "$library_rooms" ;;
    # what models and kernels read of a stencil, in the tilings' shape.h
    kernels/stencils) echo kernels/stencils libgzmodel/tilings ;;
    kernels/runtime) echo kernels/runtime kernels/stencils libgzmodel libgzmodel/tilings libgzmodel/front ;;
    kernels/gzrun | kernels/gzstencil | kernels/multigrid | kernels/ranks) echo kernels/ranks "$1" "$(may_use kernels/any)" ;;
    kernels/bench) echo kernels/bench "$(may_use kernels/any)" ;;
    kernels/*) echo "$1" kernels/choose kernels/runtime kernels/stencils libgzmodel libgzmodel/front ;;
    # calibrate's fit of any model's quantities to any runs
    fit) echo libgzmodel libgzmodel/front ;;
    calibrate*) echo calibrate calibrate/bench calibrate/cupti kernels/ranks "$(may_use kernels/any)" ;;
    # the tilings, which are not public
    studies) echo studies libgzmodel libgzmodel/tilings libgzmodel/front ;;
    # of calibrate the fit alone, as below
    studies/validation) echo studies/validation calibrate libgzmodel libgzmodel/front ;;
    measure) echo studies/validation "$(may_use kernels/any)" ;;
    device_study) echo studies kernels/bench kernels/multigrid "$(may_use kernels/any)" ;;
    t*) echo "$folders" ;;
    esac
}
# Of the studies, only those that measure stand on the kernels.
room_of() {
    case $1 in
    calibrate/fit.* | calibrate/unknowns.*) echo fit ;;
    studies/validation/measure.c | studies/validation/run.* | studies/validation/sweep_plan.* | \
        studies/validation/schedule.* | studies/validation/resume.*) echo measure ;;
    studies/device_study.h | studies/multigrid_run.h) echo device_study ;;
    studies/*)
        if grep -qE '"(device_study|multigrid_run)[.]h"' "$1"; then
            echo device_study
        else
            echo "${1%/*}"
        fi
        ;;
    *) echo "${1%/*}" ;;
    esac
}
against_the_grain() {
    # shellcheck disable=SC2086
    grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]+' $sources | sed 's/:.*"/ /' |
        while read -r file name; do
            [ "$file" = "$last" ] || rooms=$(may_use "$(room_of "$file")")
            last=$file found=${file%/*}/$name
            for room in $rooms; do
                [ -e "$found" ] || found=$room/$name
            done
            [ -e "$found" ] || [ -z "$(files "${name##*/}")" ] || echo "$file includes $name"
        done
}
nothing 'includes respect the direction of dependency' "$(against_the_grain)"
# shellcheck disable=SC2086
nothing 'of calibrate, validation includes the fit alone' "$(echo "$included" | grep '^studies/validation/' |
    grep -E ":($(files '*.h' | grep '^calibrate/' | sed 's|.*/||; s|[.]h||' | paste -sd '|'))[.]h$" |
    grep -vE ':(fit|unknowns)[.]h$')"

# own_includes FILE...: "including included" for each header that is found in the file's own folder
# or, if it is not there, under that name in any other.
own_includes() {
    includes "$@" | awk -F: -v all="$sources" 'BEGIN { n = split(all, path, "\n")
            for (k = 1; k <= n; k++) { name = path[k]; sub(/.*\//, "", name); of[name] = of[name] " " path[k]; is[path[k]] } }
        { own = $1; sub(/[^\/]*$/, $2, own); name = $2; sub(/.*\//, "", name)
          n = own in is ? split(own, found, " ") : split(of[name], found, " ")
          for (k = 1; k <= n; k++) print $1, found[k] }'
}
# The members of each circle, one after the other.
circles() {
    { tsort > /dev/null; } 2>&1
}
# shellcheck disable=SC2046
nothing 'headers include each other in no circle' "$(own_includes $(files '*.h') | circles)"
# A module is NAME.c with NAME.h; a header that is installed is nobody's module.
# shellcheck disable=SC2046
for room in libgzmodel libgzmodel/front kernels/runtime kernels/choose kernels/gzrun kernels/gzstencil kernels/translate \
    kernels/multigrid kernels/ranks calibrate studies; do
    nothing "nor do the modules of $room" "$(own_includes $(files '*.[ch]' | grep "^$room/") |
        grep " $room/" | grep -vE ' [^ ]*/(gzmodel|gzstencil|gzmg)[.]h$' | sed -E 's/[.][ch]( |$)/\1/g' |
        awk '$1 != $2' | sort -u | circles)"
done

without_licence() {
    # shellcheck disable=SC2046
    awk 'FNR == 1 { if (file != "" && !seen) print file; file = FILENAME; seen = 0 }
        FNR <= 5 && /SPDX-License-Identifier: GPL-3.0-or-later/ { seen = 1 }
        END { if (!seen) print file }' \
        $(files '*.[ch]' '*.cl' '*.cu' '*.cpp' '*.sh' '*.t' '*.gp' '*.awk' '*.pl' run)
}
nothing 'every source file carries its licence' "$(without_licence)"

# shellcheck disable=SC2086
nothing 'no path of one machine' "$(grep -nIE '(^|[^a-z])/(hom[e]|wor[k]|roo[t])/' $texts)"
# It is looked for where NVRTC may lie beside it.
# shellcheck disable=SC2086
nothing 'no Python' "$(files '*.py' '*.ipynb' && grep -nIE '(^|[^a-zA-Z])pytho[n]' $texts |
    grep -v -e '\.md:' -e '/toolkit.c:' -e '350-cuda-driver')"
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
