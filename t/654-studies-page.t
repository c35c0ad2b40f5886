#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The numbers of studies/README.md that its tables have: each sentence is made from them here.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use List::Util qw(max min);
use Studies qw(build table scratch slurp source run study_program);
use Test::More;

my $page = slurp(source('studies/README.md'));
$page =~ s/\s+/ /g;

# The rows of a study for a device (the GTX 280 if none is given) in which columns are what is given.
my %rows;
sub rows_of {
    my ($study, $device, %want) = @_;
    my $key = "$study $device";
    if (!$rows{$key}) {
        my $file = build("t/h200/$study.tsv"); # by make, or here
        if ($device ne 'h200' || !-e $file) {
            $file = scratch("$study-$device.tsv");
            my ($status, $out, $err) = run(study_program($study), $device ? ('--device', $device) : (), '-o', $file);
            die "$study: $err" if $status;
        }
        $rows{$key} = table($file)->{rows};
    }
    return grep { my $row = $_; !grep { $row->{$_} ne $want{$_} } keys %want } @{$rows{$key}};
}

sub says {
    my ($what, $sentence) = @_;
    ok(index($page, $sentence) >= 0, "$what: $sentence");
}

sub percent { return sprintf '%.0f', 100 * $_[0] }
sub digits { my $text = sprintf '%.2f', $_[0]; return $text }

# The paper's benchmarks.
my %total = map { $_->{start} => digits($_->{speedup}) } rows_of('adaptive', '', app => 'PathFinder', kind => 'total');
says('adaptive selection', "PathFinder $total{model} from the model's height and $total{one} from 1");
my %saved = map { ("$_->{app} $_->{sync}" => percent($_->{saving})) } rows_of('energy', '', kind => 'best');
says('saved energy', "PathFinder $saved{'PathFinder restart'} % with restarts, $saved{'PathFinder fence'} % with fences; HotSpot and Poisson 25 %");
ok(!grep({ abs($saved{$_} - 25) > 1 } grep { /^(HotSpot|Poisson)/ } keys %saved), 'as the last two say');
my %best = map { ("$_->{app} $_->{sync} $_->{D}" => digits($_->{speedup}) =~ s/\.00$//r) } rows_of('dimensionality', '', kind => 'best');
says('dimensions', "PathFinder with fences @{[join ', ', map { $best{qq(PathFinder fence $_)} } 1, 2, 3]}; Poisson with restarts @{[join ', ', map { $best{qq(Poisson restart $_)} } 1, 2, 3]}");

# The smoothers, boxes as tiles.
my @apps = qw(Star7 Star13 Box27 Box125 Star7vc Gsrb);
my %depths = map { my $app = $_; $app => join ', ', map { $_->{h} }
    sort { $b->{box} <=> $a->{box} } rows_of('deep_ghost_zones', '', app => $app, tile => 'box') } @apps;
says('deepest ghost zones', "the best depths are $depths{Star7} for `star7`, $depths{Star13} for `star13`, $depths{Box27} for `box27`, "
        . "$depths{Box125} for `box125`, $depths{Star7vc} for `star7vc` and $depths{Gsrb} for `gsrb`");
my %gain = map { $_ => sprintf '%.1f', (rows_of('deep_ghost_zones', '', app => $_, tile => 'box', box => 64))[0]{speedup} } @apps;
says('and what they gain', "A box of 64 gains $gain{Gsrb} with `gsrb`, $gain{Star7vc} with `star7vc`, $gain{Star7} with `star7`, "
        . "$gain{Box27} with `box27`, $gain{Star13} with `star13` (radius 2) and $gain{Box125} with `box125`");
is(max(map { $_->{h} } rows_of('deep_ghost_zones', '', tile => 'block')), 1, 'In thread blocks the best depth is 1 everywhere');

# Shares of tiles in three dimensions.
sub shares {
    my ($tiling, $radius) = @_;
    return join ', ', map { percent((rows_of('useful_share', '', tiling => $tiling, D => 3, radius => $radius, h => $_))[0]{useful}) } 1, 2, 4, 8;
}
says('what tiles commit', "a cube commits @{[shares('trapezoid', 1)]} % of its tile, a streamed tile with pieces of 128 planes @{[shares('stream', 1)]} %");

# The V-cycle on the H200.
my (%whole, %finest);
for my $row (rows_of('vcycle', 'h200')) {
    $whole{$row->{app}}{$row->{way}} = $row->{to};
    $finest{$row->{app}}{$row->{way}} = $row->{to} - $row->{from} if $row->{extent} == 256;
}
my @share = map { my $app = $_; map { $finest{$app}{$_} / $whole{$app}{$_} } keys %{$whole{$app}} } @apps;
my %by = map { $_ => digits($whole{$_}{model} / $whole{$_}{'depth 1'}) } @apps;
my %one = map { $_ => $whole{$_}{'one depth'} / $whole{$_}{model} - 1 } @apps;
says('a V-cycle', "spends @{[percent(min(@share))]} to @{[percent(max(@share))]} % of its time on the finest level. Depths by level take $by{Star7} of depth 1's time "
        . "with `star7`, $by{Star7vc} with `star7vc`, $by{Gsrb} with `gsrb`, $by{Star13} with `star13`, and nothing is gained with `box27` and `box125`");
ok($by{Box27} == 1 && $by{Box125} == 1, 'as the last two say');
says('one depth', "One depth for all levels loses 1 % or less against depths by level, but for `star13` (@{[percent($one{Star13})]} %)");
ok(!grep({ $_ ne 'Star13' && $one{$_} >= 0.015 } @apps), 'as the others say');

# Ranks.
my ($ranks) = rows_of('ranks', 'h200', kind => 'weak', ranks => 4096);
says('ranks', sprintf '`star7` is predicted to take %.0f us a loop with %d loops between exchanges, and %.0f us with an exchange in every loop',
    1e6 * $ranks->{seconds}, $ranks->{depth}, 1e6 * $ranks->{every_loop});
my ($most) = rows_of('ranks', 'h200', kind => 'strong', ranks => 110592, extent => 4096);
says('many ranks', sprintf 'At 4096^3, 110,592 ranks gain %.1f times by it', $most->{every_loop} / $most->{seconds});
my %cycle;
$cycle{$_->{ranks}}{$_->{way}} = max($_->{to}, $cycle{$_->{ranks}}{$_->{way}} // 0) for rows_of('ranks_levels', 'h200');
my %slower = map { $_ => $cycle{$_}{'every loop'} / $cycle{$_}{best} } keys %cycle;
says('a V-cycle of ranks', sprintf 'depth 1 takes %.1f times as long as the best depths on 64 ranks, and twice as long on 4,096 and more', $slower{64});
ok(!grep({ $_ >= 4096 && abs($slower{$_} - 2) > 0.05 } keys %slower), 'twice');
done_testing();
