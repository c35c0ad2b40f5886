#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 265-pages - every program has a manual page, which is clean and describes each of its options; and
# every page says at least what --help does.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
programs='gzmodel gzrun calibrate measure validate'
plan 10
page() { # PROGRAM: its manual page
    find . -path './build*' -prune -o \( -name "$1.1" -o -name "gz-$1.1" \) -print
}
for program in $programs; do
    found=$(page "$program")
    if command -v mandoc >/dev/null; then
        nothing "the page of $program is clean" \
            "$(mandoc -T lint -W warning "${found:-/nonexistent}" 2>&1)"
    else
        skip 'there is no mandoc'
    fi
    options=$("$GZ_BUILD/bin/$program" --help | sed -nE 's/^  (-(.), )?    ?(--([a-z0-9-]+)).*/\2 \4/p
        s/^  -(.), --([a-z0-9-]+).*/\1 \2/p; s/^  -(.) .*/\1/p')
    nothing "and describes every option of --help" "$(for option in $options; do
        if [ ${#option} -eq 1 ]; then
            grep -qE "^\.It Fl $option( |$)" "$found" || echo "-$option"
        else
            grep -qE "^\.It (Fl )?.*-$option( |$)" "$found" || echo "--$option"
        fi
    done)"
done
finish
