# SPDX-License-Identifier: GPL-3.0-or-later
#
# counted.awk - a stencil's instructions of a cell, from the column `instructions` of two runs of one block
# and grid, one cell a thread, at heights 1 and 2: once a stage for each cell that is loaded, and in each
# loop for each that is computed; and of a run without local memory. Prints all three, and the first two as
# insts_per_sm_misc and _iter of 1048576 elements on one multiprocessor:
# awk -f ../counted.awk -v app=hotspot -v size=160 -v block=20x20 runs.tsv
FNR == 1 { FS = "\t"; $0 = $0; for (k = 1; k <= NF; k++) at[$k] = k; next }
$at["stencil"] != app { next }
$at["variant"] == "naive" { naive = $at["instructions"] / ($at["blocks"] * $at["block_threads"]) }
$at["size"] == size && $at["block"] == block && $at["variant"] == "trapezoid" && $at["sync"] == "restart" \
    && $at["height"] <= 2 {
    n = split(block, b, "x")
    cells = computed = 1
    for (k = 1; k <= n; k++) { cells *= b[k]; computed *= b[k] - 2 }
    each[$at["height"]] = $at["instructions"] / $at["blocks"]
}
END {
    iter = (each[2] - each[1]) / computed
    misc = (each[1] - computed * iter) / cells
    printf "misc %.4f iter %.4f insts_per_sm_misc %.0f insts_per_sm_iter %.0f naive %.4f\n", misc, iter, misc * 32768,
        iter * 32768, naive
}
