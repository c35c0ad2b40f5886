#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# The built-in application files of the stencils that the paper does not have: what the kept counts
# give, by the program and by this test's own arithmetic; and that wrong tables are refused.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use JSON::PP;
use Studies qw(build source scratch slurp spew run);
use Test::More;

my $derive = build('bin/derive');
my $counts = source('calibrate/counts/oclgrind.tsv');
my $apps = source('libgzmodel/data/apps');
my @printed = qw(pathfinder hotspot poisson cell);
my @derived = qw(jacobi star7 star13 box27 box125 star7vc gsrb);

mkdir scratch('apps') or die;
my ($status, $out, $err) = run($derive, $counts, scratch('apps'));
ok($status == 0 && "$out$err" eq '', 'the kept counts are taken') or diag($err);
my @made = map { m{([^/]+)\.json$} } glob scratch('apps/*');
is_deeply([sort @made], [sort @derived], 'one file for each stencil that the paper lacks');
my @differ = grep { slurp(scratch("apps/$_.json")) ne slurp("$apps/$_.json") } @made;
ok(!@differ, 'the built-in files are what the kept counts give; else: make apps')
    or diag("@differ");

# Once more: the median over the paper's four of printed over counted, and the logarithms' spread.
sub value { my ($q) = @_; return ref $q ? $q->{value} : $q }
my %counted;
for (grep { !/^(#|stencil)/ } split /\n/, slurp($counts)) {
    my ($name, undef, undef, $misc, $iter) = split /\t/;
    $counted{$name} = {misc => $misc, iter => $iter};
}
my ($warp, $units) = (32, 30);
for my $part (qw(misc iter)) {
    my @ratio = sort { $a <=> $b } map {
        my $p = decode_json(slurp("$apps/$_.json"))->{profile};
        value($p->{"insts_per_sm_$part"}) * $warp * $units / value($p->{elements})
            / $counted{$_}{$part}
    } @printed;
    my $median = ($ratio[1] + $ratio[2]) / 2;
    my $square = 0;
    $square += log($_ / $median)**2 / @ratio for @ratio;
    my @off;
    for my $name (@derived) {
        my $p = decode_json(slurp("$apps/$name.json"))->{profile};
        my $q = $p->{"insts_per_sm_$part"};
        my $want = $median * $counted{$name}{$part} * value($p->{elements}) / $warp / $units;
        push @off, "$name: $q->{value}, want $want" unless abs($q->{value} / $want - 1) < 1e-5;
        push @off, "$name: sd $q->{sd}" unless abs($q->{sd} / $want / sqrt($square) - 1) < 1e-2;
        push @off, "$name: origin $q->{origin}" unless $q->{origin} eq 'default' && $q->{note};
    }
    ok(!@off, sprintf "%s: %.3g times the counts, deviation %.3g of it", $part, $median,
        sqrt $square) or diag(join "\n", @off);
}

my $sound = slurp($counts);
for (
    ['a missing stencil of the paper', qr/no row for cell/, sub { s/^cell\t.*\n//m }],
    ['an unknown stencil', qr/table\.tsv:12: /, sub { s/^pathfinder\t/path\t/m }],
    ['a count of 0', qr/table\.tsv:13: /, sub { s/^(hotspot\t.*\t)\S+$/${1}0/m }],
    ['a count that is none', qr/table\.tsv:13: /, sub { s/^(hotspot\t.*\t)\S+$/${1}nan/m }],
    ['a missing count', qr/table\.tsv:13: /, sub { s/^(hotspot\t.*)\t\S+$/$1/m }],
) {
    my ($what, $like, $break) = @$_;
    local $_ = $sound;
    $break->();
    die "$what: nothing is broken" if $_ eq $sound;
    my $table = spew(scratch('table.tsv'), $_);
    mkdir scratch('none');
    ($status, $out, $err) = run($derive, $table, scratch('none'));
    my @left = glob scratch('none/*');
    ok($status == 2 && $out eq '' && $err =~ /\Aderive: [^\n]+\n\z/ && $err =~ $like && !@left,
        "refuses $what") or diag("status $status: $err");
}
($status, $out, $err) = run($derive, scratch('missing.tsv'), scratch('none'));
ok($status == 2 && $err =~ /\Aderive: [^\n]*missing\.tsv: [^\n]+\n\z/, 'refuses a missing table');

done_testing();
