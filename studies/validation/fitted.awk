# SPDX-License-Identifier: GPL-3.0-or-later
#
# fitted.awk - the verdicts of `kept` in percent, for people: the whole models, extrapolation, and a
# stencil left out, without what is left out of the second model one part at a time.

function cell(column) { return sprintf("%11.1f %%", 100 * $at[column]) }

!header {
    for (k = 1; k <= NF; k++)
        at[$k] = k
    header = 1
    printf "%-34s%13s%13s%13s%13s%13s%13s\n", "", "error", "p95", "height p95", "joint p95", "first five", "covered"
    next
}

/^gz2/ || /^meng2011/ {
    printf "%-34s%s%s%s%s%s%s\n", $1, cell("error"), cell("error_95"), cell("height_95"), cell("joint_95"),
        cell("joint_five_95"), ($at["coverage"] > 0 ? cell("coverage") : sprintf("%13s", "-"))
}
