#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the tables with what Sections 5 and 6 of the paper state. If the model as printed does not
# show a trend that the paper states, the test says so and checks the trend that it does show.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use List::Util qw(min max);
use Studies qw(build device rows run scratch table);
use Test::More;

my @apps = qw(PathFinder HotSpot Poisson Cell);
my %dim = (PathFinder => 1, HotSpot => 2, Poisson => 2, Cell => 3);
my @modes = qw(restart fence);

# A list that never rises, or never falls, but for rounding.
sub never_rises { my @x = @_; return !grep { $x[$_] > $x[$_ - 1] * (1 + 1e-12) } 1 .. $#x }
sub never_falls { return never_rises(reverse @_) }
sub column { my $name = shift; return map { $_->{$name} } @_ }
sub by { my $name = shift; return sort { $a->{$name} <=> $b->{$name} } @_ }
sub best_at { my @rows = sort { $a->{CPL} <=> $b->{CPL} } @_; return $rows[0] }

# Fig. 5 and 6.
for my $app (@apps) {
    my @rows = by('blk_len', rows('fig05_block_size', app => $app));
    ok(@rows > 2 && never_rises(column('CPL', @rows)), "Fig. 5, $app: larger blocks cost less");
    @rows = by('elements', rows('fig06_input_size', app => $app));
    my @per_element = map { $_->{CPL} / $_->{elements} } @rows;
    ok(max(@per_element) < 1.0001 * min(@per_element), "Fig. 6, $app: cost grows as the grid");
}

# Fig. 7.
my %best = (PathFinder => [12, 20], HotSpot => [2, 2], Poisson => [2, 2], Cell => [1, 1]);
my %speedup = (PathFinder => [1.997, 3.711], HotSpot => [1.325, 1.335], Poisson => [1.334, 1.349],
    Cell => [1, 1]);
my %measured = (PathFinder => [16, 2.32, 16, 4.50], HotSpot => [2, 1.35, 2, 1.32],
    Poisson => [2, 1.40, 3, 1.29], Cell => [1, 1, 1, 1]);
for my $app (@apps) {
    for my $m (0, 1) {
        my @at = (app => $app, sync => $modes[$m]);
        my ($best) = rows('fig07_height', @at, kind => 'best');
        my $lowest = best_at(rows('fig07_height', @at, kind => 'whole'));
        ok($best->{h} == $best{$app}[$m] && $lowest->{h} == $best->{h}
                && abs($best->{speedup} - $speedup{$app}[$m]) < 5e-4,
            "Fig. 7, $app, $modes[$m]: the minimum is at $best{$app}[$m]");
        my @curve = rows('fig07_height', @at, kind => 'curve');
        my @slope = map { ($curve[$_]{CPL} - $curve[$_ - 1]{CPL})
                / ($curve[$_]{h} - $curve[$_ - 1]{h}) } 1 .. $#curve;
        my @bends = grep { $slope[$_] < $slope[$_ - 1] - 1e-6 * abs $slope[$_ - 1] } 1 .. $#slope;
        ok(@curve > 50 && !@bends, "Fig. 7, $app, $modes[$m]: convex");
        my ($paper) = rows('fig07_height', @at, kind => 'measured');
        is_deeply([@$paper{qw(h speedup)}], [@{$measured{$app}}[2 * $m, 2 * $m + 1]],
            "Fig. 7, $app, $modes[$m]: the paper's measurement is marked");
    }
}

# Fig. 8 and 9.
my @terms = qw(GlbSync LoadSten Commit MiscComp IterComp IterMem);
for my $sync (@modes) {
    my @rows = by('h', rows('fig08_breakdown', sync => $sync));
    my @off = grep { my $r = $_; my $sum = 0; $sum += $r->{$_} for @terms;
        abs($sum - $r->{CPL}) > 1e-9 * $r->{CPL} } @rows;
    ok(@rows == 48 && !@off, "Fig. 8, $sync: the components add up to CPL");
    ok($rows[-1]{IterMem} + $rows[-1]{IterComp} > 0.9 * $rows[-1]{CPL},
        "Fig. 8, $sync: IterMem and IterComp dominate tall trapezoids");
}
my ($one) = rows('fig08_breakdown', sync => 'restart', h => 1);
ok($one->{GlbSync} < 0.02 * $one->{CPL}, 'Fig. 8: GlbSync* of restarts is negligible');
ok(!grep({ $_->{MiscComp} != 0 } rows('fig08_breakdown', sync => 'fence')),
    'Fig. 8: no MiscComp* with fences');
for my $case (map { my $s = $_; map { [$s, $_] } @terms } @modes) {
    my ($sync, $term) = @$case;
    my @rows = by('h', rows('fig09_components', sync => $sync, component => $term));
    if ($sync eq 'fence' && $term eq 'MiscComp') {
        is(scalar @rows, 0, 'Fig. 9: no MiscComp* with fences');
        next;
    }
    my @ratio = column('ratio', @rows);
    my ($low) = grep { $ratio[$_] == min(@ratio) } 0 .. $#ratio;
    my $shape = $term =~ /^Iter/ ? never_falls(@ratio)
        : "$sync $term" eq 'restart GlbSync' ? never_rises(@ratio)
        : $low > 0 && $low < $#ratio && never_rises(@ratio[0 .. $low])
            && never_falls(@ratio[$low .. $#ratio]) && $ratio[-1] > 4;
    ok(@rows > 50 && abs($ratio[0] - 1) < 1e-12 && $shape, "Fig. 9, $sync: shape of $term*");
}

# Fig. 10: one best height at every size.
for my $app (@apps) {
    my %h = map { $_->{h} => 1 } rows('fig10_input_height', app => $app, kind => 'best');
    is(scalar keys %h, 1, "Fig. 10, $app: the best height does not depend on the input size");
}

# Fig. 11: wider halos, smaller peaks, at shorter trapezoids. Fig. 12: larger blocks, lower cost, at
# taller ones.
for my $app (@apps) {
    my @rows = by('HaloWidth', rows('fig11_halo_width', app => $app, kind => 'best'));
    ok(@rows >= 3 && never_rises(column('h', @rows)) && never_rises(column('speedup', @rows)),
        "Fig. 11, $app: a wider halo lowers peak and height");
    @rows = by('blk_len', rows('fig12_beyond_limit', app => $app, kind => 'best'));
    ok(@rows == 5 && never_falls(column('h', @rows)) && never_rises(column('CPL', @rows))
            && $rows[-1]{h} > $rows[0]{h},
        "Fig. 12, $app: a larger block is faster at a taller trapezoid");
}
my @beyond = by('blk_len', rows('fig12_beyond_limit', app => 'Cell', kind => 'best'));
ok($beyond[0]{speedup} == 1 && $beyond[-1]{speedup} > 1.05,
    'Fig. 12: Cell gains once blocks are large enough');

# Sweeps: which way best height and peak speedup go with the parameter; 0 if they do both.
my %sweep = (
    halo_width => ['HaloWidth', -1], cpi => ['CPI', -1], sync_latency => ['GlbSync', 1],
    comp_comm_ratio => ['ratio', -1], memory_bandwidth => ['MemBandwidth', -1],
    block_size => ['threads', 1],
);
# With fences the time of PathFinder at h = 1 is mostly synchronisation. Slower memory dilutes that,
# and larger blocks remove it, so its speedup (over h = 1 of the same case) goes the other way than
# the paper's general rule.
my %against = ('memory_bandwidth PathFinder fence' => 1, 'block_size PathFinder fence' => 1);
for my $study (sort keys %sweep) {
    my ($column, $way) = @{$sweep{$study}};
    for my $case (map { my $app = $_; map { [$app, $_] } @modes } @apps) {
        my ($app, $sync) = @$case;
        my @rows = by($column, rows($study, app => $app, sync => $sync, kind => 'sweep'));
        my ($own) = rows($study, app => $app, sync => $sync, kind => 'own');
        @rows = reverse @rows if $way < 0;
        my @speedup = column('speedup', @rows);
        my $goes = never_falls(column('h', @rows)) && never_falls(@speedup);
        my $m = $sync eq 'fence';
        ok(@rows > 4 && $own->{h_best} == $best{$app}[$m]
                && abs($own->{speedup} - $speedup{$app}[$m]) < 5e-4
                && ($against{"$study $app $sync"} ? !$goes : $goes),
            "$study, $app, $sync: trend" . ($against{"$study $app $sync"} ? ' reversed' : ''));
    }
}
for my $app (@apps) {
    my @rows = by('UncontendedLat',
        grep { $_->{UncontendedLat} >= 30 && $_->{UncontendedLat} <= 3000 }
            rows('memory_latency', app => $app, sync => 'restart', kind => 'sweep'));
    ok(max(column('h', @rows)) < 1.06 * min(column('h', @rows)),
        "memory_latency, $app: a tenth to ten times as much moves h* by less than 6 %");
}

# Section 6.2: a factor of 2 either way.
for my $parameter (qw(UncontendedLat BlksPerSM DataLength)) {
    my @rows = grep { $_->{factor} >= 0.49 && $_->{factor} <= 2.01 }
        rows('insensitive', parameter => $parameter);
    my @off = grep { abs($_->{h_ratio} - 1) > 0.02 } @rows;
    ok(@rows > 60 && !@off, "insensitive: $parameter moves h* by less than 2 %");
}
my @sigma = rows('insensitive', parameter => 'sigma');
ok(!grep({ $_->{h_ratio} != 1 } grep { $_->{app} eq 'PathFinder' } @sigma),
    'insensitive: sigma does not enter in one dimension');
my @moved = grep { $_->{factor} >= 0.49 && $_->{factor} <= 2.01 && $dim{$_->{app}} == 2 } @sigma;
ok(max(map { abs(log $_->{h_ratio}) } @moved) < log 1.2,
    'insensitive: twice or half sigma moves h* in two dimensions by less than 20 %');

# Section 6.3, dimensionality.
for my $case (map { my $app = $_; map { [$app, $_] } @modes } @apps) {
    my ($app, $sync) = @$case;
    my @rows = by('D', rows('dimensionality', app => $app, sync => $sync, kind => 'best'));
    ok(@rows == 3 && never_rises(column('h', @rows)) && never_rises(column('speedup', @rows)),
        "dimensionality, $app, $sync: more dimensions gain less");
}

# Eq. 19: the exact values, and larger blocks are more efficient.
my @off = grep {
    my $d = $dim{$_->{app}};
    my $want = (($_->{blk_len} - 2 * $_->{h}) / ($_->{blk_len} - 2)) ** $d;
    abs($_->{CostEffect} - $want) > 1e-9
} rows('cost_efficiency');
ok(!@off, 'cost_efficiency: Eq. 19 at every row');

# Eqs. 21-23.
for my $row (rows('fence_or_restart', kind => 'benchmark')) {
    my $want = $row->{app} eq 'Cell' ? 'fence' : 'restart';
    ok($row->{by_delta} eq $want && ($row->{delta} < 0) == ($want eq 'fence')
            && abs($row->{overhead} - ($row->{T} * $row->{delta} - 3350)) < 1e-6 * abs $row->{overhead},
        "fence_or_restart, $row->{app}: $want");
}
@off = grep { abs($_->{T} * (0.5 * 210.3 - $_->{MiscComp_M}) - 3350) > 1e-3 }
    rows('fence_or_restart', kind => 'boundary');
ok(!@off, 'fence_or_restart: no overhead along the boundary');

# Section 5.4.2: the model's start is never worse, and all 30 loops are run.
my %adaptive = (PathFinder => [2.29, 1.94], HotSpot => [1.35, 1.32], Poisson => [1.40, 1.36],
    Cell => [0.92, 0.92]);
for my $app (@apps) {
    my @speedup;
    for my $n (0, 1) {
        my @at = (app => $app, start => (qw(model one))[$n]);
        my @stages = rows('adaptive', @at, kind => 'stage');
        my ($total) = rows('adaptive', @at, kind => 'total');
        my ($paper) = rows('adaptive', @at, kind => 'measured');
        my ($loops, $time) = (0, 0);
        for (@stages) {
            $loops += $_->{h};
            $time += $_->{h} / $_->{speedup};
        }
        ok($loops == 30 && abs($total->{speedup} - 30 / $time) < 1e-9
                && $paper->{speedup} == $adaptive{$app}[$n],
            "adaptive, $app, from $at[3]: thirty loops, beside the paper's speedup");
        push @speedup, $total->{speedup};
    }
    ok($speedup[0] >= $speedup[1], "adaptive, $app: the model's height is not a worse start");
}

# Section 6.5: energy saved is time saved.
for my $case (map { my $app = $_; map { [$app, $_] } 0, 1 } @apps) {
    my ($app, $m) = @$case;
    my ($row) = rows('energy', app => $app, sync => $modes[$m], kind => 'best');
    ok(abs($row->{saving} - (1 - 1 / $speedup{$app}[$m])) < 5e-4 && $row->{energy} > 0,
        "energy, $app, $modes[$m]: linear in time");
}

# Elasticities: ranks in order, and what is known exactly.
my @ranks = rows('elasticity', app => 'Cell', sync => 'fence');
is_deeply([column('rank', @ranks)], [1 .. @ranks], 'elasticity: every parameter has its rank');
my %largest;
for (rows('elasticity')) {
    $largest{$_->{rank}} = max($largest{$_->{rank}} // 0, abs $_->{cpl});
}
ok(never_rises(map { $largest{$_} } sort { $a <=> $b } keys %largest), 'elasticity: in order');
my @exact = grep { abs($_->{cpl} - $dim{$_->{app}}) > 1e-9 || abs($_->{height}) > 1e-9 }
    rows('elasticity', parameter => 'DataLength', sync => 'fence');
ok(!@exact, 'elasticity: with fences CPL goes as the elements, and h* not at all');

# Deep ghost zones: if a box is the tile, deep at the fine levels and none at the coarsest, as the
# dissertation says. In thread blocks there is no room for one at any level; and if launches cost
# much, deep ones pay at the coarse levels, since there is little else to do.
my %radius = (Star7 => 1, Star13 => 2, Box27 => 1, Box125 => 2, Star7vc => 1, Gsrb => 1);
for my $app (sort keys %radius) {
    my @box = by('box', rows('deep_ghost_zones', app => $app, tile => 'box'));
    is_deeply([column('box', @box)], [4, 8, 16, 32, 64], "deep_ghost_zones, $app: all levels");
    ok($box[0]{h} == 1 && $box[-1]{depth} >= 4 && never_falls(column('h', @box))
            && never_falls(column('speedup', @box)) && $box[-1]{speedup} > 1.5,
        "deep_ghost_zones, $app: deep at the fine levels, none at the coarsest");
    my @wrong = grep {
        my $wide = $_->{box} + 2 * $radius{$app} * ($_->{h} - 1);
        abs($_->{redundancy} - ($wide / $_->{box})**3) > 1e-9
            || $_->{depth} != $radius{$app} * $_->{h} || $_->{depth} > $_->{box}
            || $_->{h} < $_->{h_least} || $_->{h} > $_->{h_most}
    } @box;
    ok(!@wrong, "deep_ghost_zones, $app: the ghost zone's geometry");
    my @block = rows('deep_ghost_zones', app => $app, tile => 'block');
    ok(@block == 5 && !grep({ $_->{h} != 1 || $_->{speedup} != 1 || $_->{cells} > 512 } @block),
        "deep_ghost_zones, $app: no room for any in thread blocks");
}
my ($costly, $file) = (device('costly.json', name => 'Costly', launch_overhead => 1e6), scratch('t.tsv'));
my ($status, undef, $err) = run(build('studies/bin/deep_ghost_zones'), '-d', $costly, '-o', $file);
my %block = map { ($_->{box} => $_->{h}) }
    grep { $_->{app} eq 'Star7' && $_->{tile} eq 'block' } @{table($file)->{rows}};
ok($status == 0 && $block{4} > 1 && $block{64} == 1,
    'deep_ghost_zones: expensive launches favour deep ones at the coarsest level, in blocks') or diag($err);

# Section 6.3: less arithmetic per byte gains more; a curve leads through its own stencil.
my %list = map { /^ +(\w+) +(\S+) +(int|float|double) +\d+ +\d+ +(\d+) +(\d+) / ? ($1 => [$3, $4, $5]) : () }
    split /\n/, (run(build('bin/gzrun'), '--list'))[1];
my %size = (int => 4, float => 4, double => 8);
for my $own (rows('intensity', kind => 'own')) {
    my ($type, $ops, $bytes) = @{$list{lc $own->{app}}};
    $bytes = $own->{app} eq 'Gsrb' ? 2 * $bytes : $bytes + $size{$type};
    $ops = 32 if $own->{app} eq 'Box27'; # printed, of which the kernel does 30
    ok($own->{flops} == $ops && $own->{bytes} == $bytes
            && abs($own->{intensity} - $ops / $bytes) < 1e-12,
        "intensity, $own->{app}, $own->{tile}: $ops flops and $bytes bytes");
    my @curve = by('intensity', rows('intensity', app => $own->{app}, tile => $own->{tile},
        kind => 'curve'));
    next unless @curve;
    my ($above) = grep { $_->{intensity} >= $own->{intensity} } @curve;
    my ($below) = reverse grep { $_->{intensity} <= $own->{intensity} } @curve;
    ok(never_rises(column('speedup', @curve)) && never_rises(column('h', @curve))
            && $above->{speedup} <= $own->{speedup} && $own->{speedup} <= $below->{speedup},
        "intensity, $own->{app}, $own->{tile}: falls along the curve, through the stencil itself");
}

# Streamed tiles: shares by the geometry as one would write it down, never below a cube's.
for my $dim (2, 3) {
    for my $radius (1, 2) {
        my %at;
        my @wrong = grep {
            my $ghost = 2 * $radius * $_->{h};
            my $stream = $_->{tiling} ne 'trapezoid';
            my $share = (1 - $ghost / $_->{side}) ** ($stream ? $dim - 1 : $dim);
            $share *= 128 / (128 + $ghost) if $stream;
            $at{$_->{tiling}}{$_->{h}} = $_->{useful};
            abs($_->{useful} - $share) > 1e-12;
        } rows('useful_share', D => $dim, radius => $radius);
        my @lost = grep { $at{stream}{$_} < $at{trapezoid}{$_} } grep { $_ <= 5 } keys %{$at{trapezoid}};
        ok(@{[%at]} && !@wrong && !@lost,
            "useful_share, $dim-D, radius $radius: the geometry, and more of a streamed tile");
        for my $h (2, 4, 8) {
            my @curve = by('local_memory', rows('stream_crossover', kind => 'curve', D => $dim,
                radius => $radius, h => $h));
            my @crossing = rows('stream_crossover', kind => 'crossover', D => $dim,
                radius => $radius, h => $h);
            ok(@curve > 20 && $curve[0]{gain} > $curve[-1]{gain} && @crossing == ($dim == 2 ? 1 : 0),
                "stream_crossover, $dim-D, radius $radius, height $h: less gain in more memory");
        }
    }
}

done_testing();
