#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The table of targets: complete, passed by this implementation, failed by a wrong number, and
# empty for devices that it does not apply to.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Studies qw(build table scratch slurp run device);
use Test::More;

my $program = build('studies/bin/targets');
my $file = scratch('targets.tsv');

my ($status, $out, $err) = run($program, '-o', $file);
ok($status == 0 && $err eq '', 'all that must be reproduced is') or diag($err);
my $t = table($file);
my @rows = @{$t->{rows}};
is(scalar(() = $out =~ /^.* (reproduced|shown)$/mg), scalar @rows, 'the table shows every row');
my $held = grep { $_->{verdict} eq 'reproduced' } @rows;
like($out, qr/^targets: @{[scalar @rows]} numbers; all $held that are to be reproduced are$/m, 'and says how many are held to');
like(slurp("$ENV{GZ_SOURCE}/README.md"), qr/all $held numbers of the paper and of the dissertation that must be reproduced are/,
    'as the README does');

# The numbers that a reader must find, by quantity, application and mode.
my %want = (
    'h*, continuous' => [12.2514, 19.5567, 2.3957, 2.4255, 2.4172, 2.4648, 0.8000, 0.7373],
    'h, truncated' => [12, 19, 2, 2, 2, 2, 1, 1],
    'h, best integer' => [12, 20, 2, 2, 2, 2, 1, 1],
    'speedup at the best integer' => [1.997, 3.711, 1.325, 1.335, 1.334, 1.349, 1, 1],
    'h, best measured' => [16, 16, 2, 2, 2, 3, 1, 1],
    'speedup, measured at its best h' => [2.32, 4.50, 1.35, 1.32, 1.40, 1.29, 1, 1],
    'delta as printed, cycles' => [87, 21, 25, -464],
    'delta, cycles' => [84.7, 18.8, 23.1, -573.8],
    'Eq. 32, latency, cycles/element' => [0.0024],
    'Eq. 32, bandwidth, cycles/element' => [0.0367],
    "adaptive speedup from the model's h" => [2.29, 1.35, 1.40, 0.92],
    'adaptive speedup from h = 1' => [1.94, 1.32, 1.36, 0.92],
    'bytes per update' => [24, 24, 24, 24, 48, 80],
    'flops per update' => [8, 15, 32, 134, 17, 17],
    'flops per byte' => [0.33, 0.63, 1.33, 5.58, 0.35, 0.21],
);
for my $quantity (sort keys %want) {
    my @at = grep { $_->{quantity} eq $quantity } @rows;
    is_deeply([map { $_->{target} + 0 } @at], $want{$quantity}, "targets of $quantity");
}
my ($box) = grep { $_->{quantity} eq 'flops per byte' && $_->{app} eq 'Box27' } @rows;
ok($box->{ours} == 30 / 24 && $box->{verdict} eq 'shown', 'what kernels do not take is not reproduced: box27 takes 1.25 flops a byte');
for my $own (grep { $_->{quantity} eq 'flops per byte' } @rows) {
    my %of = map { $_->{quantity} => $_->{ours} } grep { $_->{app} eq $own->{app} } @rows;
    ok(abs($own->{ours} * $of{'bytes per update'} - $of{'flops per update'}) < 1e-6, "$own->{app}: flops over bytes, both ours");
}
my %held = map { $_->{origin} => 1 } grep { $_->{verdict} eq 'reproduced' } @rows;
is_deeply([sort keys %held], [qw(dissertation equations paper property)], 'measurements are never targets');
ok(!grep({ abs($_->{ours} - $_->{target}) > $_->{tolerance} } grep { $_->{verdict} eq 'reproduced' }
        @rows), 'each verdict follows from its tolerance');

# Copies that claim to be the GTX 280 with one value changed.
for my $change ([cpi => 4.01], [mem_bandwidth => 142e9], [fence_overhead => 211],
    [launch_overhead => 3400]) {
    my $wrong = device('wrong.json', @$change);
    unlink $file;
    ($status, $out, $err) = run($program, '-d', $wrong, '-o', $file);
    my $differ = grep { $_->{verdict} eq 'DIFFERS' } @{table($file)->{rows}};
    ok($status == 1 && $differ && $out =~ /DIFFERS/
            && $err =~ /\Atargets: $differ of \d+ numbers differ[^\n]*\n\z/, "$change->[0] wrong: fails")
        or diag("status $status: $err");
}
my $few = device('few.json', max_threads_per_block => 256);
($status, $out, $err) = run($program, '-d', $few);
ok($status == 1 && $err =~ /\Atargets: [^\n]+\n\z/, 'too few threads for the targets: fails');

my $other = device('other.json', name => 'Other', cpi => 5);
unlink $file;
($status, $out, $err) = run($program, '-d', $other, '-o', $file);
ok($status == 0 && $out =~ /\Atargets: [^\n]* do not apply to Other\n\z/ && $err eq '' && !-e $file,
    'another device: one line') or diag("status $status: $out$err");

done_testing();
