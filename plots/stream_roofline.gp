# SPDX-License-Identifier: GPL-3.0-or-later
#
# stream_roofline.gp - each stencil's speed over that at which the memory could run one loop: above 1,
# ghost zones saved traffic, or the grid fits the cache. Its table is what build/bench/streams prints.

width_cm = 17
height_cm = 7.2
load plots."/style.gp"

columns_n = 1
rows_n = 1
legend_cm = 0.5
forms = "plain naive stream"
form_rgb(k) = int(word("0x808080 0x0072B2 0xD55E00", k))
form_title(k) = word("plain naive streamed", k)
# The cases in order, three rows each; a block says of how many dimensions the grid is.
cases = system(sprintf("awk -F'\t' '!/^#/ && $3 == \"naive\" { print $1 \"_\" $2 ($4 ~ /x1$/ ? \"²\" : \"³\") }' '%s'", tsv))
# The larger bandwidth of those that the table states.
bandwidth = system(sprintf("awk '/^#.*copy bandwidth/ { for (i = 2; i <= NF; i++) if ($i ~ /^GB\\/s/ && $(i - 1) + 0 > most) most = $(i - 1) + 0 } END { print most }' '%s'", tsv))
stencil(k) = word(cases, k)[:strstrt(word(cases, k), "_") - 1]
extent(k) = word(cases, k)[strstrt(word(cases, k), "_") + 1:]
row_of(k) = strcol("form") eq word(forms, k)

eval panel(1, "")
set label 1 "memory copied at ".bandwidth." GB/s" at graph 1, screen 0.96 right textcolor rgb "#606060"
eval legend_at(left_cm, 0.35)
do for [k = 1:3] { eval box_item(form_title(k), form_rgb(k)) }
set ylabel "speed over the memory's roofline"
set xtics scale 0 ("" 0)
do for [k = 1:words(cases)] { set xtics add (stencil(k)."\n".extent(k) k - 1) }
unset grid
set grid ytics linetype 1 linecolor rgb "#e4e4e4" linewidth 0.5
set boxwidth 0.25
set arrow 50 from graph 0, first 1 to graph 1, first 1 nohead front linecolor rgb "#404040" linewidth 0.7
plot [-0.6:words(cases) - 0.4] [0:*] for [k = 1:3] tsv \
    using (only(row_of(k), int($0 / 3) + 0.27 * (k - 2))):(column("roofline")) \
    with boxes linecolor rgb form_rgb(k) fillstyle solid noborder
