# SPDX-License-Identifier: GPL-3.0-or-later
#
# distinct.awk - the values of column `want` in a TSV, each once, in the order of the rows,
# separated by blanks; if `where` is given, only from rows whose column `where` is `is`. Prints none
# if there is no such column.

BEGIN { FS = "\t" }

/^#/ { next }

!header {
    for (k = 1; k <= NF; k++)
        column[$k] = k
    header = 1
    if (!(want in column))
        exit
    next
}

(where == "" || $column[where] == is) && !seen[$column[want]]++ {
    printf "%s%s", n++ ? " " : "", $column[want]
}
