#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Every study's table: comments, one header row, as many cells in each row, finite numbers; and that
# the check before drawing refuses each way in which a table can be broken.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Studies qw(studies build source table scratch slurp spew run);
use Test::More;

my $number = qr/^-?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/;

for my $study (studies(), 'targets') {
    next if $study eq 'targets' && !-e build('studies/targets.tsv');
    my $t = table(build("studies/$study.tsv"));
    my @wrong;
    push @wrong, 'no title' unless $t->{comments}[0] =~ /^# \Q$study\E: \S/;
    # What is of geometry alone names none.
    my $device = grep { /^# device: GeForce GTX 280$/ } @{$t->{comments}};
    my $any = grep { /^# note: of geometry alone: the same for every device$/ } @{$t->{comments}};
    push @wrong, $any ? 'a device that plays no part' : 'no device' if $device == $any;
    push @wrong, "geometry alone: $any" if $any != ($study =~ /^(useful_share|stream_crossover)$/);
    push @wrong, 'no source' unless grep { /^# source: .*(Eq|Fig|Section)/ } @{$t->{comments}};
    my @columns = @{$t->{columns}};
    push @wrong, 'header' unless "@{$t->{header}}" eq join ' ', map { $_->[0] } @columns;
    push @wrong, 'no rows' unless @{$t->{rows}};
    for my $row (@{$t->{rows}}) {
        push @wrong, "$row->{cells} cells" unless $row->{cells} == @columns;
        for (@columns) {
            my ($name, $unit) = @$_;
            my $cell = $row->{$name} // '';
            push @wrong, "$name is \"$cell\""
                unless $unit eq 'text' ? $cell =~ /\S/ : $cell =~ $number;
        }
    }
    ok(!@wrong, "$study: shape") or diag(join "\n", @wrong[0 .. ($#wrong < 4 ? $#wrong : 4)]);
}

my $sound = "# x: y\n# column app: text, a\n# column h: loops, b\napp\th\nCell\t1\nCell\t2.5e-3\n";
my @broken = (
    ['a missing cell', qr/:6: 1 cells/, sub { s/\t2.5e-3// }],
    ['a cell too many', qr/:6: 3 cells/, sub { s/2.5e-3/2\t3/ }],
    ['an empty cell', qr/:6: column h is empty/, sub { s/2.5e-3// }],
    ['text for a number', qr/:5: column h is "one"/, sub { s/\t1\n/\tone\n/ }],
    ['nan', qr/:6: column h is "nan"/, sub { s/2.5e-3/nan/ }],
    ['inf', qr/:6: column h is "inf"/, sub { s/2.5e-3/inf/ }],
    ['another header', qr/:4: column 2 is "H"/, sub { s/app\th/app\tH/ }],
    ['an undeclared column', qr/:3: the header has 2 columns but 1/, sub { s/# column h.*\n// }],
    ['no rows', qr/there are no rows/, sub { s/Cell.*\n//g }],
    ['nothing', qr/there are no rows/, sub { $_ = '' }],
);
my @check = ('awk', '-f', source('plots/check.awk'));
my ($status, $out, $err) = run(@check, spew(scratch('sound.tsv'), $sound));
ok($status == 0 && "$out$err" eq '', 'check.awk accepts a sound table') or diag($err);
for (@broken) {
    my ($what, $like, $break) = @$_;
    local $_ = $sound;
    $break->();
    ($status, $out, $err) = run(@check, spew(scratch('broken.tsv'), $_));
    ok($status == 1 && $out eq '' && $err =~ /\A[^\n]+\n\z/ && $err =~ $like, "refuses $what")
        or diag("status $status: $err");
}

done_testing();
