#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 337-gzrun-tune - gzrun --tune: candidates of the model, measured; the device of an address, which
# needs no calibration; the device of a file, complete or not; and gzrun without a block or height.
. "$(dirname "$0")/tap.sh"
scratch
export XDG_DATA_HOME="$work/data"
gzrun=$GZ_BUILD/bin/gzrun
needs_device
command -v jq > /dev/null || skip_all 'there is no jq'
never_optimise

run() { "$gzrun" -a hotspot -s 200 --loops 12 --runs 1 "$@" 2> "$work/err"; }
is() { jq -e "$1" "$work/out" > "$work/jq" 2>&1; }

run -d opencl:0 --json > "$work/out" && is '.height > 1 and .variant != "naive"' && grep -q 'chose block .* predicted' "$work/err"
verdict $? 'without a request the model chooses, also for a device that is not calibrated'
run -q -d opencl:0 --variant trapezoid --json > "$work/out" && is '.block == [20, 20] and .height == 1'
verdict $? 'the variant trapezoid alone has the paper'"'"'s block, and height 1'
# By `make check` of one variant, whose candidates take a third of the kernels.
# shellcheck disable=SC2046
run -d opencl:0 --tune -y restart $(bulk '--variant trapezoid' '') -o "$work/best.json" && cp "$work/best.json" "$work/out"
verdict $? 'an address is tuned for' || note < "$work/err"
ok 'without a calibration' test ! -e "$work/data"
is '.app == "hotspot" and .device == "opencl:0" and .model == "gz2" and .device_file == "generic-cpu" and
    (.why | test("file generic-cpu, since the device is not calibrated")) and .size == [200, 200]'
verdict $? 'the JSON says what, where, how'
is "(.candidates | length) >= $(bulk 2 3)"' and (.candidates | length) <= 20 and
    ([.candidates[] | has("block") and has("threads") and has("height") and has("sync") and
      has("variant") and .measured_seconds_per_loop > 0 and
      (.seconds_per_loop == null or (.interval | length) == 2)] | all)'
verdict $? 'candidates have every key of the interface'
is '.candidates[0].seconds_per_loop == ([.candidates[].seconds_per_loop // infinite] | min)'
verdict $? 'the best prediction is measured first'
cp "$work/out" "$work/tuned"
run -d opencl:0 "--tune$(bulk =0.001s '')" --model meng2011 --json > "$work/out" &&
    is "[.candidates[].variant] | unique | length >= $(bulk 1 2)" && grep -q 'stream is measured without a prediction: ' "$work/err"
verdict $? 'by another model, what it cannot predict takes part, too, and why is said'
cp "$work/tuned" "$work/out"
is '(.stopped | test("expected to gain")) and .expected_gain >= 0'
verdict $? 'and why it stopped'
is '.best.measured_seconds_per_loop == ([.candidates[].measured_seconds_per_loop // infinite] | min)'
verdict $? 'the best is the fastest of those measured'
is '[.candidates[] | .height <= 12] | all'
verdict $? 'no candidate is taller than the loops'
run -q -d opencl:0 --tune=0.001s > "$work/out"
ok 'the text says what won, within which times' grep -q '^best: block .* a loop (.* to .*)$' "$work/out"
# A calibrated file of this device, and one of earlier, of trapezoids only.
file=$work/device.json half=$work/half.json
name=$("$gzrun" -q -d opencl:0 -a hotspot -s 20 --loops 1 --runs 1 --json | jq .device_info.name)
"$GZ_BUILD/bin/gzmodel" list -d generic-cpu | jq ".name = $name" > "$file"
jq 'del(.stream_copy, .naive_read_time)' "$file" > "$half"
run -d "$file" --tune=0.001s --json > "$work/out" && [ ! -s "$work/err" ] &&
    is '.why | test("^device and application state what it needs")'
verdict $? 'a device file that has all'
run -d "$half" --tune=0.001s --json > "$work/out" &&
    [ "$(grep -c 'gzrun: variant [a-z]* is predicted with the help of the built-in file generic-cpu: .*\(stream_copy\|naive_cell_time\)' "$work/err")" -eq 2 ] &&
    is '.why | test("^completed by the built-in file generic-cpu, since ")' && is '[.candidates[].seconds_per_loop > 0] | all'
verdict $? 'what another lacks is that of any CPU, and it is said of which variants, and why'
run -q -d "$file" --tune=0.001s -y restart --json > "$work/out" &&
    is '[.candidates[].sync == "restart"] | all'
verdict $? 'a device file, one mode'
jq '.mem_bandwidth.origin = "measured"' "$file" > "$work/measured.json"
run -q -d "$work/measured.json" > "$work/out" && grep -q "^measured_bandwidth *[0-9.]* [GM]B/s: the run has" "$work/out"
verdict $? 'the bandwidth is compared with one that was measured'
run -q -d "$file" > "$work/out" && grep -q "^bytes_per_second" "$work/out" && ! grep -q measured "$work/out"
verdict $? 'and not with a default'
run -d "$file" --json > "$work/out" && is '.measured_bandwidth == null' &&
    grep -q '^gzrun: chose block ' "$work/err" &&
    [ "$(jq -r '.block | join("x")' "$work/out")" = \
        "$(sed -n 's/.*chose block \([0-9x]*\),.*/\1/p' "$work/err")" ]
verdict $? 'without block and height, the model chooses, and gzrun says what'
run -d gtx280 > "$work/out"
[ $? -eq 77 ] && grep -q 'GeForce GTX 280' "$work/err"
verdict $? 'a built-in device that is not here: exit status 77'
run -d "$half" --tune=0.001s --variant stream --verify -o "$work/stream.json" && cp "$work/stream.json" "$work/out" &&
    is '[.candidates[] | .variant == "stream" and .failed == null] | all' &&
    is '[.candidates[].seconds_per_loop > 0] | all'
verdict $? 'streamed tiles, right, and into a file in JSON'
run -d "$file" --tune=0.001s > "$work/out" && grep -q '^1 measured of [0-9]*: the time is over' "$work/out"
verdict $? 'a limit on the time: one run at least'
# The program itself in the background, not a shell that runs it and ignores interrupts.
"$gzrun" -a hotspot -s 200 --loops 12 --runs 30 -d "$file" --tune -y restart -o "$work/cut.json" > "$work/out" 2> "$work/err" &
sleep 1
kill -INT $!
wait $!
result=$?
if [ -e "$work/cut.json" ]; then
    cp "$work/cut.json" "$work/out"
    [ $result -eq 130 ] && is '.stopped | test("^interrupted: one more run")' &&
        grep -q 'gzrun: interrupted: the best of [0-9]* ways is kept' "$work/err"
else
    [ $result -eq 130 ] && grep -q 'gzrun: interrupted' "$work/err"
fi
verdict $? 'an interrupt keeps the best so far'
"$gzrun" --plan "$work/best.json" --verify --json > "$work/out" 2> "$work/err" &&
    is '.verified == true and .app == "hotspot" and .size == [200, 200]' &&
    [ "$(jq -c '.best | [.block, .height, .sync, .variant]' "$work/best.json")" = \
        "$(jq -c '[.block, .height, .sync, .variant]' "$work/out")" ]
verdict $? 'a plan in JSON is what --plan runs'
sed 's/"driver": "/&older /' "$work/best.json" > "$work/older.json"
"$gzrun" --plan "$work/older.json" --runs 1 > "$work/out" 2> "$work/err" && grep -q 'made for .*older.*: measuring its best 3 again' "$work/err"
verdict $? 'one for another driver is measured again'
bad=
for change in 's/"block": \[/&0, /' 's/"variant": "[a-z]*"/"variant": "serial"/' 's/"height": /&-/' 's/[]]/,/' \
    's/"stencil": "/&0/' 's/"size": \[/&7,/'; do
    sed "$change" "$work/best.json" > "$work/bad.json"
    "$gzrun" --plan "$work/bad.json" > "$work/out" 2> "$work/err"
    [ $? -eq 2 ] && [ "$(wc -l < "$work/err")" -eq 1 ] && grep -q -e '--plan: ' "$work/err" || bad="$bad $change"
done
"$gzrun" --plan "$work/best.json" -a poisson > "$work/out" 2> "$work/err"
[ $? -eq 2 ] && grep -q 'another text of hotspot' "$work/err" || bad="$bad -a"
"$gzrun" --plan "$work/best.json" -H 2 > "$work/out" 2> "$work/err"
[ $? -eq 2 ] && grep -q -e '--plan does not take --height' "$work/err" || bad="$bad -H"
nothing 'a plan that is none, or another stencil'"'"'s, is refused' "$bad"
finish
