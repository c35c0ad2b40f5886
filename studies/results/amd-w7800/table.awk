# SPDX-License-Identifier: GPL-3.0-or-later
#
# table.awk - hotspot.csv as a table of measurements, with the files in device/: a row for each
# configuration without unrolling; what else was measured of it, with unrollings that have no effect,
# are its other tries. Run here: awk -f table.awk hotspot.csv > validation.tsv
function file(path,   text, line) {
    text = ""
    while ((getline line < path) > 0) text = text line
    return text
}
BEGIN { FS = ","; most = 16 }
FNR == 1 { next }
{
    key = $3 "," $4 "," $5 "," $7
    if (!(key in n)) { key_of[++keys] = key; n[key] = 0 }
    if (n[key] < most) time[key, ++n[key]] = $8 / 1000 / $5
}
END {
    print "# measured: 3"
    print "# device: AMD Radeon PRO W7800"
    print "# driver: not recorded"
    print "# date: 2025-04-03"
    print "# converted: from hotspot.csv by table.awk; tries are unrollings, which have no effect"
    print "# tiles: committed"
    print "# threads: 1x32"
    print "# device file: " file("device/device.json")
    print "# app hotspot_global: " file("device/hotspot_global.json")
    print "# app hotspot_local: " file("device/hotspot_local.json")
    print "# rows: " keys " of 12 columns"
    print "# column app: text, application"
    print "# column sync: text, synchronisation between stages"
    print "# column size: text, grid, elements"
    print "# column block: text, starting tile, elements"
    print "# column kind: text, sweep: trapezoids"
    print "# column quality: text, quiet: spread under 0.02"
    print "# column h: loops, trapezoid height"
    print "# column loops: loops, length of one run"
    print "# column runs: 1, timed runs of all tries"
    print "# column seconds: s, time per loop, lower quartile of the tries"
    print "# column spread: 1, not recorded"
    print "# column tries: text, medians of the tries in s, in order, joined by commas"
    print "app\tsync\tsize\tblock\tkind\tquality\th\tloops\truns\tseconds\tspread\ttries"
    for (k = 1; k <= keys; k++) {
        key = key_of[k]; m = n[key]; split(key, p, ",")
        tries = ""
        for (i = 1; i <= m; i++) { t[i] = time[key, i]; tries = tries (i > 1 ? "," : "") sprintf("%.6g", t[i]) }
        for (i = 2; i <= m; i++)
            for (j = i; j > 1 && t[j - 1] > t[j]; j--) { x = t[j]; t[j] = t[j - 1]; t[j - 1] = x }
        q = (m - 1) / 4; i = int(q); least = i + 1 < m ? t[i + 1] + (q - i) * (t[i + 2] - t[i + 1]) : t[m]
        printf "%s\trestart\t4096x4096\t%dx%d\tsweep\tquiet\t%d\t%d\t%d\t%.6g\t0\t%s\n", \
            p[4] ? "hotspot_local" : "hotspot_global", p[1] + 2 * p[3], 32 * p[2] + 2 * p[3], p[3], p[3], 32 * m, \
            least, tries
    }
}
