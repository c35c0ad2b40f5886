# SPDX-License-Identifier: GPL-3.0-or-later
#
# converted.awk - which benchmarks of a study's table have their instructions from another device:
# "HotSpot, Cell: instructions converted from X", without the names if there are more than two; nothing
# if there are none.
BEGIN { phrase = ": instructions converted from " }
/^# note: / {
    at = index($0, phrase)
    name = substr($0, 9, at - 9)
    if (at == 0 || (name in seen)) next
    seen[name] = 1
    names = names (names == "" ? "" : ", ") name
    count++
    from = substr($0, at)
}
!/^#/ { exit }
END {
    line = count > 2 ? substr(from, 3) : names from
    gsub(/[^A-Za-z0-9_ .,:()+-]/, " ", line) # what would be markup in a label
    gsub(/_/, "\\\\_", line)
    printf "%s", line
}
