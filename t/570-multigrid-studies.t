#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The studies of multigrid on a device: the tables are whole, what they conclude follows from their
# rows, errors fall with the operator's order, and all can be drawn. Times are not judged.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Studies qw(device_study);
use Test::More;

# A stack of levels: each begins where the one before ends, and is as tall as its parts.
sub stacked {
    my (@rows) = @_;
    my ($end, $bad) = (0, 0);
    for (@rows) {
        $bad++ if abs($_->{from} - $end) > 1e-12 + 1e-9 * $end;
        $end = $_->{to};
        $bad++ if abs($_->{to} - $_->{from} - $_->{smooth} - $_->{between} - $_->{rest}) > 1e-9 * $end;
    }
    return $bad == 0 && $rows[-1]{depth} == 0 && !grep { $_->{depth} == 0 } @rows[0 .. $#rows - 1];
}

{
    my %errors;
    push @{$errors{$_->{operator}}}, $_ for @{device_study('multigrid_error')->{rows}};
    is(scalar keys %errors, 4, 'four orders');
    for my $operator (sort keys %errors) {
        my ($order) = $operator =~ /^order (\d+)/;
        my ($first, $second) = @{$errors{$operator}};
        is($second->{unknowns}, 8 * $first->{unknowns}, "$operator: twice the cells a side");
        cmp_ok($second->{order}, '>', $order - 0.35, "$operator: the error falls by it");
        ok(abs($second->{order} - log($first->{error} / $second->{error}) / log(2)) < 1e-9, 'as stated');
    }
}
{
    my %ways;
    push @{$ways{$_->{way}}}, $_ for @{device_study('vcycle_measured')->{rows}};
    is(join(', ', sort keys %ways), 'depth 1, each: 1, each: 2, each: 3, each: 4, fastest, model, one depth', 'ways');
    ok(stacked(@{$ways{$_}}), "$_: levels follow each other") for sort keys %ways;
    is($ways{"each: $_"}[0]{depth}, $_, "depth $_ is that") for 1 .. 4;
    my %whole = map { $_ => $ways{$_}[-1]{to} } keys %ways;
    my ($one) = sort { $whole{"each: $a"} <=> $whole{"each: $b"} } 1 .. 4;
    is($ways{'one depth'}[0]{depth}, $one, 'one depth was the fastest of them');
    my ($fastest) = sort { $ways{"each: $a"}[0]{smooth} <=> $ways{"each: $b"}[0]{smooth} } 1 .. 4;
    is($ways{fastest}[0]{depth}, $fastest, 'the fastest depth of the finest level');
    is(scalar(grep { !($_->[-1]{predicted} > 0) } values %ways), 0, 'each has a prediction');
}
{
    my @rates = @{device_study('multigrid_rate')->{rows}};
    is(scalar(grep { $_->{kind} eq 'measured' && $_->{low} <= $_->{rate} && $_->{rate} <= $_->{high} } @rates), 5,
        'rates of five methods');
    my %methods;
    push @{$methods{$_->{method}}}, $_ for @{device_study('multigrid_residual')->{rows}};
    for my $method (sort keys %methods) {
        my @rows = @{$methods{$method}};
        my $bad = grep { $rows[$_]{cycle} != $_ || $rows[$_]{seconds} <= $rows[$_ - 1]{seconds} ||
            $rows[$_]{residual} >= $rows[$_ - 1]{residual} } 1 .. $#rows;
        ok($bad == 0 && $rows[0]{residual} == 1 && $rows[-1]{residual} <= 1e-10, "$method: falls to 1e-10");
    }
}
done_testing();
