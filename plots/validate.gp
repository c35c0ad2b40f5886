# SPDX-License-Identifier: GPL-3.0-or-later
#
# validate.gp - what the figures of validation share. Applications are those of the table, by their
# stencils' names, up to eight; colours and markers go by their order.

own_device = 1
load plots."/style.gp"

apps = distinct("app")
rgb_of(k) = int(word("0x0072B2 0xD55E00 0x009E73 0xAA4499 0x56B4E9 0x8C6D00 0x666666 0x000000", \
    1 + (k - 1) % 8))
solid(k) = int(word("7 5 9 13", 1 + (k - 1) % 4))
hollow(k) = int(word("6 4 8 12", 1 + (k - 1) % 4))
sync_rgb(y) = y eq "restart" ? 0x0072B2 : y eq "fence" ? 0xD55E00 : 0x009E73
sync_mark(y) = y eq "restart" ? 7 : y eq "fence" ? 6 : 4
sync_dash(y) = y eq "restart" ? 1 : y eq "fence" ? 2 : 4
syncs = distinct("sync")
row(a, y, k) = of(a, y, k)
sound(v) = only(strcol("quality") eq "sound", v)
noisy(v) = only(strcol("quality") eq "noisy", v)
date = system(sprintf("sed -n 's/^# date: //p' '%s'", tsv))
power = "10^{%T}"
# Whether the table, whose last column is gz2's prediction, has any.
two_models = system(sprintf("awk -F'\\t' '!/^#/ && header++ && $NF != \"nan\" { print 1; exit }' '%s'", tsv)) eq "1"

# Times on a logarithmic axis: 1, 2, 5 of each decade if there are few, with their unit.
time_unit(p) = (p eq "u" ? "µ" : p eq " " ? "" : p)."s"
time_tic(axis, v) = sprintf("set %stics add ('%s %s' %g); ", axis, gprintf("%.0s", v), \
    time_unit(gprintf("%c", v)), v)
time_decade(axis, e, few) = time_tic(axis, 10.0 ** e) \
    .(few ? time_tic(axis, 2 * 10.0 ** e).time_tic(axis, 5 * 10.0 ** e) : "")
time_decades(axis, e, last, few) = e > last ? "" : \
    time_decade(axis, e, few).time_decades(axis, e + 1, last, few)
time_tics(axis, low, high) = sprintf("unset m%stics; set %stics (); ", axis, axis) \
    .time_decades(axis, int(floor(log10(low))), int(ceil(log10(high))), log10(high / low) < 2.2)
noisy_rgb = 0x808080

# What is missing was not measured.
empty = empty_since("not measured")."; set ylabel 'time per loop'"
left_cm = 1.95
legend_sample = 0.55
legend_gap = 0.45
