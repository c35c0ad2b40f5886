# SPDX-License-Identifier: GPL-3.0-or-later
#
# validate.gp - what the figures of validation share. Applications are those of the table, by their
# stencils' names, up to eight; colours and markers go by their order.

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
