# SPDX-License-Identifier: GPL-3.0-or-later
#
# w7800.awk - the verdict of w7800 for reading: shares as percentages.

function percent(name) { return $(at[name]) == 0 && name == "coverage" ? "-" : sprintf("%.1f %%", 100 * $(at[name])) }
NR == 1 {
    for (k = 1; k <= NF; k++)
        at[$k] = k
    printf "%-28s%-12s%8s%10s%10s%12s%12s%14s%12s\n", "", "fitted to", "points", "error", "p95", "height p95", "joint", "first five", "covered"
    next
}
{
    printf "%-28s%-12s%8d%10s%10s%12s%12s%14s%12s\n", $1, $2, $(at["points"]), percent("error"), percent("error_95"), \
        percent("height_95"), percent("joint"), percent("joint_five"), percent("coverage")
}
