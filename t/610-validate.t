#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 610-validate - judging a stored table: what is printed and written, and each way in which a table
# can be bad: one line, status 2, nothing written.
. "$(dirname "$0")/tap.sh"
cd "$GZ_SOURCE" || exit 1
validate=$GZ_BUILD/bin/validate
scratch

tab=$(printf '\t')
one_line() {
    tr '\n' ' ' <"$1"
}
{
    echo '# measured: 3'
    echo '# rows: 5 of 12 columns'
    echo "# device file: $(one_line libgzmodel/data/devices/gtx280.json)"
    echo "# app hotspot: $(one_line libgzmodel/data/apps/hotspot.json)"
    printf 'app\tsync\tsize\tblock\tkind\tquality\th\tloops\truns\tseconds\tspread\ttries\n'
    for row in '1 4' '2 2.5' '4 2' '5 3'; do
        printf 'hotspot\trestart\t500x500\t20x20\tsweep\tquiet\t%s\t8\t5\t%se-3\t0.01\t%se-3\n' \
            "${row% *}" "${row#* }" "${row#* }"
    done
    printf 'hotspot\trestart\t64x1\t3x3\tsync\tquiet\t1\t8\t5\t1e-5\t0.01\t1e-5\n'
} >"$work/sound.tsv"

mkdir "$work/judged"
"$validate" "$work/sound.tsv" -o "$work/judged" >"$work/said" 2>"$work/err"
verdict $? 'a sound table is judged'
nothing 'without a word on stderr' "$(cat "$work/err")"
awk -F"$tab" '$1 == "meng2011" && $2 == "all" && $3 == "height" && $4 == 0.25 { found = 1 } END { exit !found }' \
    "$work/judged/models.tsv"
verdict $? 'the verdict has the regret of 25 %'
ok 'and so has the verdict in Markdown' grep -qxF '| regret of the height, median | 25.0 % | 25.0 % |' "$work/judged/verdict.md"
ok 'which is what is printed' cmp -s "$work/said" "$work/judged/verdict.md"
for table in models points curves components; do
    awk -f plots/check.awk "$work/judged/$table.tsv" 2>"$work/err"
    verdict $? "the table $table has the right shape"
done

mkdir "$work/none"
# refuses NAME PATTERN SED [TABLE]: a table broken by a sed script is refused with a line that matches.
refuses() {
    sed "$3" "$work/${4:-sound}.tsv" >"$work/broken.tsv"
    fails 2 "$2" "refuses $1" "$validate" "$work/broken.tsv" -o "$work/none"
}
refuses 'another format' ':1: format 2: this program reads 3' '1s/3$/2/'
refuses 'a table without a device' ':4: no line "# device file' '/# device file/d'
refuses 'an application that is not described' ':5: app is "hotspot"' '/# app/d'
refuses 'a broken device file' ':3, device file:' '3s/gzmodel-device-1/other/'
refuses 'another header' ':5: column 7 is "height"' "5s/${tab}h${tab}/${tab}height${tab}/"
refuses 'a table that was cut' '4 rows, but it states 5: it was cut' '8d'
refuses 'a table that does not state its rows' ':4: no line "# rows: N of 12 columns"' '2d'
refuses 'another number of columns' ':2: "# rows: 5 of 9 columns": must be' '2s/12/9/'
refuses 'a quiet row of a spread of 0.5' \
    ':6: quality is "quiet", but a spread of 0.5 over 5 runs is noisy' "6s/0.01/0.5/"
refuses 'a noisy row of a small spread' \
    ':7: quality is "noisy", but a spread of 0.01 over 5 runs is quiet' '7s/quiet/noisy/'
refuses 'another number of points than a partial table states' \
    '4 points of the sweep, but "# partial" states 3' '2a # partial: 3 of 9 points'
refuses 'threads of what is no tile' 'must be "# threads: 1x32" or' '2a # threads 32*32: 32x8'
refuses 'threads that are no lengths' 'block is not 2 lengths' '2a # threads 20x20: 32'
refuses 'lines that end as on Windows' 'CR LF' 's/$/\r/'
refuses 'a byte-order mark' 'byte-order mark' '1s/^/\xEF\xBB\xBF/'
refuses 'a zero byte' 'holds a zero byte' '7s/5/\x00/'
head -c -3 "$work/sound.tsv" >"$work/broken.tsv"
fails 2 ':10: the line has no end' 'refuses a table that was cut in a line' "$validate" "$work/broken.tsv"
cp "$work/sound.tsv" "$work/judged/points.tsv"
fails 2 'that file is also TABLE of this run' 'a table is not written over' "$validate" "$work/judged/points.tsv" -o "$work/judged"
long=$(awk 'BEGIN { while (n++ < 220) printf "./././"; exit }')
"$validate" "$work/sound.tsv" -o "$work/${long}judged" >"$work/said" 2>"$work/err"
verdict $? "a folder whose path has ${#long} characters and more"
refuses 'a missing cell' ':6: 11 cells' "6s/${tab}0.01//"
refuses 'a time that is not a number' ':6: seconds is "nan"' '6s/4e-3/nan/'
refuses 'a negative time' ':6: seconds is "-4e-3"' '6s/4e-3/-4e-3/'
refuses 'a height above the pole' ':9: h is 50' "9s/${tab}5${tab}8/${tab}50${tab}8/"
refuses 'a grid of another dimension' ':6: size is not 2 lengths' '6s/500x500/500/'
refuses 'an unknown quality' ':6: quality is "good"' '6s/quiet/good/'
refuses 'the same configuration twice' ':7: the same configuration' "7s/${tab}2${tab}8/${tab}1${tab}8/"

# A table without one sound point is judged on the noisy ones.
sed "s/${tab}quiet${tab}/${tab}noisy${tab}/; s/${tab}0.01${tab}/${tab}0.5${tab}/" "$work/sound.tsv" >"$work/noisy.tsv"
# draw NAME TSV FOLDER: as an SVG; in all formats by `make check-all`.
draw() {
    plots/draw.sh "$@" "$(bulk svg 'svg png pdf')" 2>"$work/err"
}
mkdir "$work/noisy"
"$validate" "$work/noisy.tsv" -o "$work/noisy" >"$work/said" 2>"$work/err"
verdict $? 'a table of noisy points is judged'
ok 'on all of them' grep -qxF '| points judged | 4 | 4 |' "$work/said"
figures='scatter:points block:curves size:curves height:curves components:components'
for figure in $(bulk height:curves "$figures"); do
    draw "validate_${figure%:*}" "$work/noisy/${figure#*:}.tsv" "$work/noisy"
    verdict $? "its figure ${figure%:*} is drawn"
done

# A table without nearly empty kernels, as an interrupted sweep leaves it.
sed 's/rows: 5/rows: 4/' "$work/sound.tsv" | awk -F"$tab" '$5 != "sync"' >"$work/part.tsv"
"$validate" "$work/part.tsv" -o "$work/noisy" >"$work/said" 2>"$work/err" &&
    draw validate_components "$work/noisy/components.tsv" "$work/noisy"
verdict $? 'a figure with an empty panel is drawn'

# The kept table, and the figures of validation as they are drawn from it.
mkdir "$work/kept"
"$validate" studies/results/pocl-xeon-2core/validation.tsv -o "$work/kept" >"$work/said" 2>"$work/err"
verdict $? 'the kept table is judged'
for figure in $figures; do
    draw "validate_${figure%:*}" "$work/kept/${figure#*:}.tsv" "$work/kept"
    verdict $? "the figure ${figure%:*} is drawn"
done
ok 'and the one in the repository is what is drawn' cmp -s plots/validate_height.svg "$work/kept/validate_height.svg"
for table in studies/results/*/validation.tsv; do
    name=${table%/validation.tsv} name=${name##*/}
    mkdir -p "$work/$name"
    "$validate" "$table" -o "$work/$name" >"$work/said" 2>"$work/err" || echo "$table is not judged"
    cmp -s "$work/$name/verdict.md" "studies/results/$name/verdict.md" || echo "$name"
done >"$work/missing"
# Both models in one figure; the device file of the table that was kept first lacks gz2's.
models() { grep -v -e '^#' -e '^model' "$1" | cut -f 1 | uniq -c | tr -s ' \n' ' '; }
n=$(cut -f 5 studies/results/pocl-epyc-2core/validation.tsv | grep -cx sweep)
[ "$(models "$work/pocl-epyc-2core/points.tsv")" = " $n meng2011 $n gz2 " ] &&
    ! grep -q '^gz2' "$work/kept/points.tsv"
verdict $? "the table of points has gz2's predictions, too, if there are any"
draw validate_scatter "$work/pocl-epyc-2core/points.tsv" "$work/pocl-epyc-2core" &&
    ! grep -q 'the files lack' "$work/pocl-epyc-2core/validate_scatter.svg"
verdict $? 'and both are drawn'
ok 'a figure without them says why' grep -q 'the files lack' "$work/kept/validate_scatter.svg"
draw simulated_height "$work/simulated-gt200/curves.tsv" "$work/simulated-gt200" &&
    cmp -s plots/simulated_height.svg "$work/simulated-gt200/simulated_height.svg"
verdict $? 'and so is that of a simulated GPU'
nothing "the verdicts beside the kept tables are theirs (make validation-verdict)" \
    "$(cat "$work/missing")"

# Threads that are stated of some tiles alone: without, one a cell is more than a block may have.
judged() { "$validate" "$1" 2>"$work/err" | awk '/points judged/ { n = $(NF - 1) } END { print n }'; }
threads=studies/results/simulated-qv100/validation.tsv
sed '/^# threads 16x12x12: /d' "$threads" >"$work/threads.tsv"
all=$(judged "$threads") some=$(judged "$work/threads.tsv")
ok "a tile's own threads make its rows predictable: $some of $all without" test "$all" -eq "$((some + 3))"

# Three tries a point, scatter between them, and a noise floor.
awk -F"$tab" -v OFS="$tab" '/^hotspot/ { $12 = $10 * 0.9 "," $10 * 1.1 "," $10 * 1.2 } { print }' "$work/sound.tsv" \
    >"$work/tries.tsv"
mkdir "$work/tries"
"$validate" "$work/tries.tsv" -o "$work/tries" >"$work/said" 2>"$work/err"
verdict $? 'a table of three tries a point is judged'
awk -F"$tab" '$1 == "meng2011" && $2 == "all" && $3 == "joint" { found = $4 == 0.25 && $5 > 0 }
    END { exit !found }' "$work/tries/models.tsv"
verdict $? 'with the joint regret of 25 %, and a noise floor beside it'
one_line "$work/said" | grep 'gz2, trapezoid: not judged where .*gz2 needs' | grep -q 'the models side by side, in brackets the noise floor'
verdict $? 'and a line that says what gz2 lacks'
for table in models points; do
    awk -f plots/check.awk "$work/tries/$table.tsv" 2>"$work/err"
    verdict $? "the table $table has the right shape"
done
draw validate_models "$work/tries/models.tsv" "$work/tries"
verdict $? 'and the figure of the models is drawn'
refuses 'tries whose lower quartile is another time' ':6: seconds is 0.004, but the lower quartile of the tries is 1.5' \
    "6s/[^$tab]*$/1,2,3/" tries
for device in h200 "$work/other.json"; do
    sed 's/"name": "[^"]*"/"name": "Other"/' libgzmodel/data/devices/gtx280.json >"$work/other.json"
    fails 2 'was measured on GeForce GTX 280: .*gz-calibrate' "the file of another device, $device" \
        "$validate" "$work/tries.tsv" -d "$device" -o "$work/none"
done
# The other variants: a CPU's files with what gz2 needs, and times twice as long as it predicts.
more='"warp_size": {"value": 1, "unit": "1", "origin": "query"}, "effective_cache": {"value": 1e7, "unit": "B", "origin": "measured"}'
more="$more"', "stage_launch": {"value": 1e-6, "unit": "s", "origin": "measured"}, "copy_cell": {"value": 1e-9, "unit": "s", "origin": "measured"}'
more="$more"', "stream_copy": {"value": 0, "unit": "s/B", "origin": "measured"}, "stream_row": {"value": 0, "unit": "s", "origin": "measured"}, "naive_row": {"value": 0, "unit": "s", "origin": "measured"}'
device=$(one_line libgzmodel/data/devices/gtx280.json | sed "s|\"clock_rate\"|$more, &|")
more='"cell_time": {"value": 1e-6, "unit": "s", "origin": "fitted"}, "stream_cell_time": {"value": 2e-6, "unit": "s", "origin": "fitted"}'
app=$(one_line libgzmodel/data/apps/hotspot.json | sed "s|\"insts_per_sm_misc\"|$more, &|")
{
    echo '# measured: 3'
    echo '# rows: 4 of 12 columns'
    echo "# device file: $device"
    echo "# app hotspot: $app"
    printf 'app\tsync\tsize\tblock\tkind\tquality\th\tloops\truns\tseconds\tspread\ttries\n'
    printf 'hotspot\trestart\t500x500\t%s\tquiet\t%s\t8\t5\t%s\t0.01\t%s\n' \
        "20x20${tab}sweep" 2 4e-3 4e-3 "104x104${tab}stream" 2 1e-3 1e-3 "24x54${tab}stream" 2 2e-3 2e-3 \
        "1x1${tab}naive" 1 3e-3 3e-3
} >"$work/variants.tsv"
mkdir "$work/variants"
"$validate" "$work/variants.tsv" -o "$work/variants" >"$work/said" 2>"$work/err"
verdict $? 'a table with streamed tiles and blocks without local memory is judged' || note <"$work/err"
awk -f plots/check.awk "$work/variants/variants.tsv" 2>"$work/err"
verdict $? 'the table variants has the right shape'
grep -qxF '| points judged | 1 | 1 | 2 | - | 3 |' "$work/said" &&
    one_line "$work/said" | grep -q -- '- gz2, naive: not judged where .*naive_cell_time is missing'
verdict $? 'what the files describe is judged by variant, and the rest is said'
grep -q '^| fastest variant chosen .* 0.0 % |$' "$work/said" &&
    grep -q '^| regret of the joint choice, median .* 300.0 % |$' "$work/said"
verdict $? 'a choice of the slower variant costs its regret'
draw validate_variants "$work/variants/variants.tsv" "$work/variants"
verdict $? 'and the figure of the variants is drawn'
[ "$(grep -c '^meng2011' "$work/variants/points.tsv")" -eq 1 ] && [ ! -e "$work/tries/variants.tsv" ]
verdict $? 'the table of trapezoids has none of them, and a table without them has no such table'
refuses 'a block without local memory of height 2' 'h is 2: must be 1 for kind naive' \
    "/naive/s/quiet${tab}1/quiet${tab}2/" variants
refuses 'a streamed tile whose ghost zone leaves nothing' 'h is 30: this block commits nothing' \
    "/24x54/s/quiet${tab}2/quiet${tab}30/" variants
refuses 'another kind' 'must be sweep, stream, naive, sync' '/^hotspot/s/naive/nave/' variants
# What the arrays of each loop's own cost in a run of LOOPS loops, by gz2.
kept=studies/results/pocl-epyc-2core/validation.tsv
of_run() {
    mkdir -p "$work/run"
    awk -F"$tab" -v OFS="$tab" -v loops="$1" '/^# (partial|rows)/ { next }
        /^# column app:/ { print "# rows: 2 of 12 columns" }
        /^#/ || $1 == "app" { print; next }
        $1 == "pathfinder" && $5 == "sweep" && $3 == 347136 && $4 == 512 && $7 == 1 { $8 = loops; print }' \
        "$kept" >"$work/run.tsv"
    "$validate" "$work/run.tsv" -o "$work/run" >"$work/said" 2>"$work/err" &&
        awk -F"$tab" '$1 == "gz2" && $3 == "fence" { print $NF }' "$work/run/points.tsv"
}
few=$(of_run 4) many=$(of_run 4000)
awk -v few="$few" -v many="$many" 'BEGIN { exit !(few > 0 && many > 1.1 * few) }'
verdict $? "gz2 is told how long the runs of the table are: $few s a loop of 4, $many of 4000"
nothing 'what was refused wrote nothing' "$(ls "$work/none")"
finish
