# SPDX-License-Identifier: GPL-3.0-or-later
#
# check.awk - the shape of a study's TSV, which gnuplot would not check: columns as the `# column`
# lines say, at least one row, as many cells in each row as in the header, text where text is
# declared and finite numbers everywhere else (nan only if the declaration says when). Says what is wrong, and where, and exits 1.

function fail(what)
{
    printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
    failed = 1
    exit 1
}

BEGIN {
    FS = "\t"
    number = "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$"
}

/^# column / {
    split(substr($0, length("# column ") + 1), part, ": ")
    name[++declared] = part[1]
    text[declared] = part[2] ~ /^text,/
    absent[declared] = part[2] ~ /nan if/
    next
}

/^#/ { next }

!header {
    header = 1
    if (NF != declared)
        fail("the header has " NF " columns but " declared " are declared")
    for (k = 1; k <= NF; k++)
        if ($k != name[k])
            fail("column " k " is \"" $k "\" but \"" name[k] "\" is declared")
    next
}

{
    rows++
    if (NF != declared)
        fail(NF " cells in a row of " declared " columns")
    for (k = 1; k <= NF; k++) {
        if ($k == "")
            fail("column " name[k] " is empty")
        if (!text[k] && $k !~ number && !(absent[k] && $k == "nan"))
            fail("column " name[k] " is \"" $k "\", which is not a finite number")
    }
}

END {
    if (!failed && !rows) {
        printf "%s: there are no rows\n", FILENAME > "/dev/stderr"
        exit 1
    }
}
