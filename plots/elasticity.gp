# SPDX-License-Identifier: GPL-3.0-or-later
#
# elasticity.gp - all parameters, ranked by how much they move the optimum.

width_cm = 17
height_cm = 14
load plots."/style.gp"

rows_n = 1
legend_cm = 0.5
left_cm = 4.9
right_cm = 0.5
bottom_cm = 1.5
# The paper's symbols, with what they mean.
in_words(p) = p eq "M" ? "multiprocessors, M" : p eq "M_profile" ? "M of the counted device" \
    : p eq "N" ? "counted elements, N" : p eq "x" ? "bytes of an element, x" : p eq "sigma" ? "penalty of a dimension, σ" \
    : p eq "mu" ? "exposed share of fences, μ" : p eq "beta" ? "hidden instructions, β" \
    : p eq "reads" ? "elements read for one" : p eq "DataLength" ? "grid length, DataLength" \
    : p eq "blk_len" ? "block length, blk_len" : p eq "CPI" ? "cycles per instruction, CPI" \
    : p eq "InstsPerSM_IC" ? "instructions, InstsPerSM_IC" : p eq "InstsPerSM_MC" ? "once a stage, InstsPerSM_MC" \
    : p eq "HaloWidth" ? "halo width, HaloWidth" : p eq "ClockRate" ? "clock, ClockRate" \
    : p eq "MemBandwidth" ? "bandwidth, MemBandwidth" : p eq "NumElemPerOp" ? "per operation, NumElemPerOp" \
    : p eq "NumStencilArrays" ? "arrays, NumStencilArrays" : p eq "GlbSync_MemFence slope" ? "fence, GlbSync_MemFence" \
    : p eq "GlbSync_KnlRestart" ? "restart, GlbSync_KnlRestart" : p eq "BlksPerSM" ? "resident blocks, BlksPerSM" \
    : p eq "UncontendedLat" ? "latency, UncontendedLat" : p eq "BankConflictRate" ? "conflicts, BankConflictRate" : p
# The ranks of the parameters that move something, and the names of those that do not.
least = 0.05
moves = sprintf("awk -F'\t' -v least=%g '/^#/ || !header++ { next } { name[$4] = $1 } " \
    ."$5 > least || $5 < -least || $6 > least || $6 < -least { moves[$4] = 1 } ", least)
ranks = system(moves.sprintf("END { for (k = 1; k in name; k++) if (k in moves) print k }' '%s'", tsv))
left_out = system(moves.sprintf("END { for (k = 1; k in name; k++) if (!(k in moves)) " \
    ."printf \"%%s%%s\", n++ ? \" \" : \"\", name[k] }' '%s'", tsv))
still = ""
do for [name in left_out] { still = still.(still eq "" ? "" : ", ").(name eq "beta" ? "β" : name) }
name_of(rank) = system(sprintf("awk -F'\t' '!/^#/ && $4 == %s { print $1; exit }' '%s'", rank, tsv))
last = words(ranks)
place(rank) = sum [n = 1:last] (word(ranks, n) + 0 == rank ? n : 0)
set ytics ()
do for [n = 1:last] { name = in_words(name_of(word(ranks, n))); set ytics add (name n) }

set multiplot
set grid ytics xtics
set ylabel ""
set ytics noenhanced
# The two synchronisations and the benchmarks stand one above the other in a parameter's row.
row(a, y) = place(column("rank")) + 0.09 * (app_index(a) - 2.5) + (y eq "restart" ? -0.18 : 0.18)
do for [k = 1:2] {
    result = k == 1 ? "cpl" : "height"
    eval panel(k, k == 1 ? "cost of a loop at the optimum" : "optimal height")
    set xlabel k == 1 ? "{/:Italic ∂} ln {/:Italic CPL} / {/:Italic ∂} ln {/:Italic p}" \
        : "d ln {/:Italic h}* / d ln {/:Italic p}"
    step = k == 1 ? 1 : 0.4
    set xtics step
    if (k == 1) {
        eval legend_at(2, 0.35)
        do for [a in apps] { eval with_mark(a, app_rgb(a), filled(a), 0.8) }
        eval with_mark("open: memory fences", grey, 6, 0.8)
        set label 90 still eq "" ? "" : sprintf("moved less than %g by: ", least).still noenhanced \
            at screen 0.4 / width_cm, screen 0.25 / height_cm left font ",6" textcolor rgb "#606060"
    }
    set arrow 50 from first 0, graph 0 to first 0, graph 1 nohead linecolor rgb grey linewidth 0.7 back
    plot [] [last + 0.7:0.3] \
        for [a in apps] for [y in modes] tsv \
        using (only(strcol("app") eq a && strcol("sync") eq y && place(column("rank")) > 0, column(result))):(row(a, y)) \
        with points linecolor rgb app_rgb(a) pointtype (y eq "restart" ? filled(a) : open(a)) \
        pointsize mark(0.7)
}
unset multiplot
