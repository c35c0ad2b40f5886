#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The studies' command line, other devices, and the rules that redraw what a device changes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command qw(bulk);
use Studies qw(studies study_program build source table scratch slurp spew run device);
use Test::More;

sub run_study { my ($name, @words) = @_; return run(study_program($name), @words) }

# The command line.
my ($status, $out, $err) = run_study('cpi');
is($out, slurp(build('studies/cpi.tsv')), 'stdout gets what -o FILE gets');
my $file = scratch('file.tsv');
($status, $out, $err) = run_study('cpi', '-o', $file, '--device=gtx280');
ok($status == 0 && "$out$err" eq '' && slurp($file) eq slurp(build('studies/cpi.tsv')), '-o FILE');
($status, $out, $err) = run_study('cpi', '--help');
ok($status == 0 && $out =~ /\AUsage: cpi / && $err eq '', '--help');
# Another device: its name and its numbers.
my $slow = device('slow.json', name => 'Slow Clock', clock_rate => 1.3e8);
($status, $out, $err) = run_study('energy', '-d', $slow, '-o', $file);
my $other = table($file);
ok($status == 0 && grep({ $_ eq '# device: Slow Clock' } @{$other->{comments}}),
    'a device file: its name');
ok(!grep({ $_->{kind} eq 'measured' } @{$other->{rows}}),
    'a device file: none of the paper\'s measurements');
my ($mine) = grep { $_->{kind} eq 'best' } @{$other->{rows}};
my ($theirs) = grep { $_->{kind} eq 'best' } @{table(build('studies/energy.tsv'))->{rows}};
isnt($mine->{energy}, $theirs->{energy}, 'a device file: its numbers');

# Its applications: those beside the device's file, else the built-in ones, and then table and figure
# say so.
my @notes = grep { /instructions converted from/ } @{$other->{comments}};
is(scalar @notes, 4, 'a device without applications: each benchmark is said to be converted');
like($notes[1], qr/\A# note: HotSpot: instructions converted from GeForce GTX 280\z/, 'from what');
unlike(slurp(build('plots/energy.svg')), qr/converted from/, 'the GTX 280\'s figure has nothing to say');
($status, $out, $err) = run(source(q(plots/draw.sh)), q(energy), $file, scratch(q(.)), q(svg));
like(slurp(scratch('energy.svg')), qr/>Slow Clock; instructions converted from GeForce GTX 280/,
    'the figure says it too') or diag($err);
my $kept = source('calibrate/devices/pocl-xeon-2core/device.json');
($status, $out, $err) = run_study('energy', '-d', $kept);
ok($status == 0 && $out !~ /converted/, 'a device with applications of its own: nothing is');
my ($by_name) = (run_study('energy', '-d', 'pocl-xeon-2core'))[1];
is($by_name, $out, 'by its name the same');

# Fewer threads a block: what does not fit is left out with a note, or the study says so and fails.
for my $threads (256, 64, 8) {
    my $small = device("small.json", name => 'Small', max_threads_per_block => $threads);
    my @wrong;
    for my $name (grep { !/^(useful_share|stream_crossover)$/ } studies()) { # these are of geometry alone
        unlink $file;
        ($status, $out, $err) = run_study($name, '-d', $small, '-o', $file);
        if ($status == 1 && $threads < 64) {
            push @wrong, "$name: $err"
                unless $err =~ /\A\Q$name\E: no configuration [^\n]+\n\z/ && !-e $file;
            next;
        }
        push @wrong, "$name: status $status, $err" if $status || $err;
        next unless -e $file;
        my $t = table($file);
        # At 256 threads PathFinder has all of its block.
        push @wrong, "$name: no note" unless $name eq "fig08_breakdown" && $threads == 256 || grep { /allows\)|is left out|left out:/ }
            @{$t->{comments}};
        push @wrong, "$name: empty" unless @{$t->{rows}};
        my @beyond = $name eq 'fig12_beyond_limit' ? ()
            : grep { defined $_->{threads} && $_->{threads} > $threads } @{$t->{rows}};
        push @wrong, "$name: a block of $beyond[0]{threads} threads" if @beyond;
        my ($check) = run('awk', '-f', source('plots/check.awk'), $file);
        push @wrong, "$name: shape" if $check;
        # Boxes are tiles on any device, so there is something to draw even if no block is one.
        next unless $threads < 64 && $name =~ /^(deep_ghost_zones|intensity)$/;
        ($status, $out, $err) = run(source('plots/draw.sh'), $name, $file, scratch('.'), bulk('svg', 'svg png pdf'));
        push @wrong, "$name: cannot be drawn: $err" if $status || $err;
    }
    ok(!@wrong, "$threads threads a block: fits, or says that nothing does")
        or diag(join "\n", @wrong);
}

# The rules, on a copy of what is built, so that only studies and figures are made again.
my $copy = scratch('build');
mkdir $copy or die;
run('cp', '-a', map({ build($_) } qw(lib libgzmodel studies plots)), $copy);
delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS)};
sub make {
    my ($device, @goals) = @_;
    return run('make', '-C', source(''), "B=$copy", "DEVICE=$device", @goals);
}
my @goals = ("$copy/plots/cpi.svg", "$copy/studies/fig05_block_size.tsv");

($status, $out, $err) = make('gtx280', @goals);
ok($status == 0 && $out !~ /draw\.sh|--device/, 'nothing is made again for the same device')
    or diag("$out$err");
($status, $out, $err) = make($slow, @goals);
ok($status == 0 && "@{table($goals[1])->{comments}}" =~ /Slow Clock/
        && slurp($goals[0]) ne slurp(build('plots/cpi.svg')), 'DEVICE=FILE makes them again')
    or diag("$out$err");
ok(!-e "$copy/studies/energy.tsv" && !-e "$copy/plots/energy.pdf",
    'nothing of the other device is left');
my $before = slurp($goals[0]);
device('slow.json', name => 'Slower Clock', clock_rate => 1.3e7, cpi => 9);
($status, $out, $err) = make($slow, @goals);
ok($status == 0 && "@{table($goals[1])->{comments}}" =~ /Slower Clock/
        && slurp($goals[0]) ne $before, 'so does another content of the same file')
    or diag("$out$err");
($status, $out, $err) = make($slow, @goals);
ok($status == 0 && $out !~ /draw\.sh|--device/, 'and the same content does not') or diag($out);
($status, $out, $err) = make(scratch('missing.json'), @goals);
ok($status == 2 && $err =~ /missing\.json/ && !-e $goals[0], 'a missing device file fails');
($status, $out, $err) = make('gtx280', @goals);
ok($status == 0 && slurp($goals[0]) eq slurp(build('plots/cpi.svg')),
    'back to the first device, the same figure') or diag("$out$err");

spew("$copy/studies/cpi.tsv", slurp("$copy/studies/cpi.tsv") . "HotSpot\tfence\n");
($status, $out, $err) = make('gtx280', $goals[0]);
ok($status == 2 && $err =~ /cpi\.tsv:\d+: 2 cells/, 'a broken table fails the rule of its figure')
    or diag("$out$err");

done_testing();
