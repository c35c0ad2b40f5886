#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Depths of ghost zones timed on a device: the table is whole, what it concludes follows from its
# times, and it can be drawn. The model is here the paper's GPU's, since times are not judged.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use List::Util qw(min);
use Studies qw(device_study);
use Test::More;

my $t = device_study('deep_ghost_zones_measured', '-d', 'gtx280', '--budget', '0.001');
my $svg = Studies::slurp(Studies::scratch('deep_ghost_zones_measured.svg'));
like($svg, qr/Star7vc/, 'the figure names the stencils');

my %radius = (Star7 => 1, Star13 => 2, Box27 => 1, Box125 => 2, Star7vc => 1, Gsrb => 1);
my %rows;
push @{$rows{$_->{app}}{$_->{box}}{$_->{kind}}}, $_ for @{$t->{rows}};
is_deeply([sort keys %rows], [sort keys %radius], 'every smoother is there');
for my $app (sort keys %rows) {
    is_deeply([sort { $a <=> $b } keys %{$rows{$app}}], [4], "$app: the coarsest level");
    for my $box (sort { $a <=> $b } keys %{$rows{$app}}) {
        my %kind = %{$rows{$app}{$box}};
        my (%time, %model, @wrong);
        $time{$_->{h}} = $_->{seconds} for @{$kind{measured}};
        $model{$_->{h}} = $_->{seconds} for @{$kind{model}};
        is_deeply([sort keys %time], [sort keys %model], "$app, $box: a prediction for each depth");
        my $least = min(values %time);
        for (@{$kind{measured}}) {
            push @wrong, "h $_->{h}: quartiles"
                unless 0 < $_->{low} && $_->{low} <= $_->{seconds} && $_->{seconds} <= $_->{high};
            push @wrong, "h $_->{h}: loss" if abs($_->{loss} - ($_->{seconds} / $least - 1)) > 1e-9;
            push @wrong, "h $_->{h}: depth"
                if $_->{depth} != $radius{$app} * $_->{h} || $_->{depth} > $box;
        }
        my ($best, $chosen) = ($kind{best}[0], $kind{chosen}[0]);
        push @wrong, 'best' unless @{$kind{best}} == 1 && $best->{seconds} == $least
            && $time{$best->{h}} == $least && $best->{loss} == 0;
        push @wrong, 'chosen' unless @{$kind{chosen}} == 1
            && $model{$chosen->{h}} == min(values %model)
            && $chosen->{seconds} == $time{$chosen->{h}}
            && abs($chosen->{loss} - ($chosen->{seconds} / $least - 1)) < 1e-9;
        ok(!@wrong, "$app, $box: what is best follows from the times") or diag("@wrong");
    }
}

done_testing();
