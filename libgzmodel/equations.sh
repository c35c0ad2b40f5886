#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# equations.sh - which file computes which of the paper's equations, as a Markdown table for the page of the model: from
# the `[Eq. n]` behind the lines that compute them. Run in the root of the sources.
printf "%s\n" "| equations | computed in |" "|---|---|"
# shellcheck disable=SC2046 # no name of a source has a space
grep -noE '\[Eq\. [0-9]+\]' $(find libgzmodel/models libgzmodel/tilings -name '*.c' | sort) /dev/null |
    sed -E 's/^([^:]*):.*\[Eq\. ([0-9]+)\]$/\1 \2/' | sort -u -k1,1 -k2,2n |
    awk '
        function close_run() {
            if (first != "")
                list = list (list == "" ? "" : ", ") (first == last ? first : first " to " last)
            first = ""
        }
        function close_file() {
            close_run()
            if (file != "")
                printf "| %s | [`%s`](%s) |\n", list, name, name
            list = ""
        }
        $1 != file { close_file(); file = $1; name = $1 }
        first != "" && $2 == last + 1 { last = $2; next }
        { close_run(); first = last = $2 }
        END { close_file() }' | sort -t"|" -k2,2n |
    sed 's#(libgzmodel/models/meng2011/#(#; s#(libgzmodel/#(../../#'
