# SPDX-License-Identifier: GPL-3.0-or-later
#
# counted.awk - a stencil's instructions, from two runs of one block and grid, one cell a thread, at heights
# 1 and 2. "cells": of a thread for each cell that is loaded, once a stage, and for each that is computed, in
# each loop, from the column `warp_instructions` (times 32) or else `instructions`; the same as
# insts_per_sm_misc and _iter of 1048576 elements on one multiprocessor. "warp": once, and each loop, of a warp
# ("warp_instructions"), or as of cells. "naive": of a thread without local memory, 0 if there is no run.
# awk -f ../counted.awk -v app=hotspot -v size=160 -v block=20x20 runs.tsv
FNR == 1 { FS = "\t"; $0 = $0; for (k = 1; k <= NF; k++) at[$k] = k; next }
$at["stencil"] != app { next }
$at["variant"] == "naive" { naive = $at["instructions"] / ($at["blocks"] * $at["block_threads"]) }
$at["size"] == size && $at["block"] == block && $at["variant"] == "trapezoid" && $at["sync"] == "restart" \
    && $at["height"] <= 2 {
    n = split(block, b, "x")
    cells = computed = 1
    for (k = 1; k <= n; k++) { cells *= b[k]; computed *= b[k] - 2 }
    counted = "warp_instructions" in at ? 32 * $at["warp_instructions"] : $at["instructions"]
    each[$at["height"]] = counted / $at["blocks"]
    threads = 32 * int(($at["block_threads"] + 31) / 32)
}
END {
    iter = (each[2] - each[1]) / computed
    misc = (each[1] - computed * iter) / cells
    w_iter = "warp_instructions" in at ? (each[2] - each[1]) / threads : iter
    w_misc = "warp_instructions" in at ? each[1] / threads - w_iter : misc
    printf "cells %.4f %.4f insts_per_sm %.0f %.0f warp %.4f %.4f naive %.4f\n", misc, iter, misc * 32768, iter * 32768,
        w_misc, w_iter, naive
}
