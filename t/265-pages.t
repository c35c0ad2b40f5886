#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 265-pages - every program has a manual page, which is clean and describes each of its options; and
# every page says at least what --help does. Pages: each *.md begins with its
# title, links to what is there, and has no cell that is too long to read.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
programs='gzmodel gzrun gzmg calibrate measure validate'
page() { # PROGRAM: its manual page
    find . -path './build*' -prune -o \( -name "$1.1" -o -name "gz-$1.1" \) -print
}
if command -v mandoc >/dev/null; then
    nothing 'all manual pages are clean' \
        "$(find . -path './build*' -prune -o -path ./.git -prune -o -name '*.[1357]' -exec mandoc -T lint -W warning {} + 2>&1)"
else
    skip 'there is no mandoc'
fi
for program in $programs; do
    found=$(page "$program")
    options=$("$GZ_BUILD/bin/$program" --help | sed -nE 's/^  (-(.), )?    ?(--([a-z0-9-]+)).*/\2 \4/p
        s/^  -(.), --([a-z0-9-]+).*/\1 \2/p; s/^  -(.) .*/\1/p')
    nothing "the page of $program describes every option of --help" "$(for option in $options; do
        if [ ${#option} -eq 1 ]; then
            grep -qE "^\.It Fl $option( |$)" "$found" || echo "-$option"
        else
            grep -qE "^\.It (Fl )?.*-$option( |$)" "$found" || echo "--$option"
        fi
    done)"
done

pages=$(find . -path './build*' -prune -o -path ./.git -prune -o -name '*.md' -print | sort)
# Their names are split into words on purpose: none has a blank.
# shellcheck disable=SC2086
set -- $pages
ok "there are pages" test $# -ge 10
nothing 'each page begins with its title' "$(for page; do
    head -n 1 "$page" | grep -q '^# [^ ]' || echo "$page"
done)"
nothing 'no cell of a table has more than 200 characters' "$(LC_ALL=C.UTF-8 awk -F'|' '/^\|/ {
    for (k = 2; k < NF; k++) if (length($k) > 200) print FILENAME ":" FNR ": " length($k) }' "$@")"
nothing 'no line outside tables and code has more than 120 columns' "$(LC_ALL=C.UTF-8 awk '!/^(\||    )/ && length > 120 {
    print FILENAME ":" FNR ": " length }' "$@")"

# anchors PAGE: the fragments that its headings have.
anchors() {
    sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}
links=$(for page; do
    # code is indented or in backquotes, and may hold what looks like a link
    sed 's/^    .*//; s/`[^`]*`//g' "$page" | tr '\n' ' ' | grep -oE '\]\([^) ]+\)' |
        sed 's/^](//; s/)$//' | grep -v '^[a-z]*:' | sed "s|^|$page |"
done)
nothing 'each relative link leads to a file of the project' "$(echo "$links" | while read -r page link; do
    file=${link%%#*}
    [ -z "$file" ] || [ -e "$(dirname "$page")/$file" ] || echo "$page: $link"
done)"
nothing 'and each fragment to a heading' "$(echo "$links" | grep '#' | while read -r page link; do
    file=${link%%#*}
    target=$(dirname "$page")/$file
    [ -n "$file" ] || target=$page
    anchors "$target" | grep -qxF -e "${link#*#}" || echo "$page: $link"
done)"
# A table of files: its first column has names in backquotes, relative to the page or to the folder
# above, without the folder if the name before has the same, and without an ending if that is .c or .h.
listed() { # PAGE
    awk -F'|' '/^\| file \| (job|holds) \|/ { on = 1; next }
        !/^\|/ { on = 0 }
        on { folder = ""; parts = split($2, name, "`")
            for (k = 2; k <= parts; k += 2) {
                if (match(name[k], /.*\//)) folder = substr(name[k], 1, RLENGTH)
                else name[k] = folder name[k]
                print name[k]
            } }' "$1"
}
nothing 'each file that a table of files lists is there' "$(for page; do
    listed "$page" | while read -r name; do
        # shellcheck disable=SC2086
        (cd "$(dirname "$page")" && { ls -d $name || ls -d $name.[ch] || ls -d ../$name; } >/dev/null 2>&1) || echo "$page: $name"
    done
done)"
version=$(sed -n 's/^#define GZ_VERSION_[A-Z]* //p' libgzmodel/gzmodel.h | paste -sd.)
ok "CITATION.cff has the version of gzmodel.h, $version" grep -qx "version: $version" CITATION.cff
ok 'the first entry of CHANGELOG.md has it' test "$(grep -m 1 '^## ' CHANGELOG.md | cut -d' ' -f2)" = "${version%.*}"
nothing 'all programs print it' "$(for program in $programs; do
    "$GZ_BUILD/bin/$program" --version | grep -qF " $version" || echo "$program"
done)"
finish
