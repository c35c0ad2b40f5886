# SPDX-License-Identifier: GPL-3.0-or-later
#
# simulated.awk - the runs of a simulated GPU (runs.tsv, a line for each gzrun over the simulator) as a table of
# measurements, with the files in device/. Streamed tiles with another layout than the stencil's own are
# left out. Run beside runs.tsv: awk -f ../simulated.awk runs.tsv > validation.tsv
function file(path,   text, line) {
    text = ""
    while ((getline line < path) > 0) text = text line
    return text
}
function lengths(text, dim,   k, out) {
    if (index(text, "x")) return text
    out = text
    for (k = 2; k <= dim; k++) out = out "x" text
    return out
}
BEGIN {
    FS = OFS = "\t"
    dim["pathfinder"] = 1; dim["hotspot"] = dim["poisson"] = 2; dim["cell"] = 3
    # A block without local memory, of 256 threads, of which each computes a cell.
    naive[1] = "256"; naive[2] = "32x8"; naive[3] = "32x4x2"
}
FNR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
{
    app = $at["stencil"]; d = dim[app]; variant = $at["variant"]
    if (variant == (app == "cell" ? "stream-columns" : "stream-ring")) next
    kind = variant == "trapezoid" ? "sweep" : variant == "naive" ? "naive" : "stream"
    block = kind == "naive" ? naive[d] : lengths($at["block"], d)
    if (kind == "sweep" && $at["threads"] != "-") threads[block] = $at["threads"]
    if (!(app in seen)) { seen[app] = 1; apps[++n_apps] = app }
    row[++rows] = app OFS $at["sync"] OFS lengths($at["size"], d) OFS block OFS kind OFS "quiet" OFS $at["height"] \
        OFS $at["loops"] OFS 1 OFS $at["seconds_per_loop"] OFS 0 OFS $at["seconds_per_loop"]
}
END {
    print "# measured: 3"
    device = file("device/device.json")
    match(device, /"name": "[^"]*"/)
    print "# device: " substr(device, RSTART + 9, RLENGTH - 10)
    print "# driver: GPGPU-Sim 4, commit 6b244a5d, repaired"
    print "# date: 2026-11"
    print "# converted: from runs.tsv by simulated.awk; a simulator's cycles, the same in every run"
    for (block in threads) print "# threads " block ": " threads[block]
    print "# device file: " device
    for (k = 1; k <= n_apps; k++) print "# app " apps[k] ": " file("device/" apps[k] ".json")
    print "# rows: " rows " of 12 columns"
    print "# column app: text, application"
    print "# column sync: text, synchronisation between stages"
    print "# column size: text, grid, elements"
    print "# column block: text, starting tile, elements"
    print "# column kind: text, sweep: trapezoids; stream, naive: as sweep, of that variant"
    print "# column quality: text, quiet: the same cycles in every run"
    print "# column h: loops, trapezoid height"
    print "# column loops: loops, length of one run"
    print "# column runs: 1, timed runs of all tries"
    print "# column seconds: s, time per loop, simulated"
    print "# column spread: 1, none"
    print "# column tries: text, the same"
    print "app", "sync", "size", "block", "kind", "quality", "h", "loops", "runs", "seconds", "spread", "tries"
    for (k = 1; k <= rows; k++) print row[k]
}
