#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Device and application files that are wrong in every way that files can be: gzmodel says in one
# line what is wrong, where and what would be valid, exits 2 and leaves no output file.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use BadFiles qw(bad_files good_files place);
use Command qw(run slurp refused scratch spew);
use Test::More;

my %text = (device => (run(qw(list -d gtx280)))[1], app => slurp("$ENV{GZ_SOURCE}/libgzmodel/data/apps/hotspot.json"),
    network => slurp("$ENV{GZ_SOURCE}/libgzmodel/data/networks/nvlink-4.json"));
my $output = scratch('output');

sub words {
    my ($kind, $path, $halo) = @_;
    return (qw(ranks -d h200 -a hotspot -s 256 -n 4 --network), $path, '-o', $output) if $kind eq 'network';
    my %file = (device => 'gtx280', app => 'hotspot', $kind => $path);
    return ('predict', '-d', $file{device}, '-a', $file{app}, qw(-s 4000000 -H 0.5 --beyond -b),
        $halo // 20, '-o', $output);
}

for my $entry (bad_files()) {
    my ($text, $place) = place($entry, \%text);
    my $path = spew(scratch('file.json'), $text);
    my $where = qr{\Q$place\E};
    refused(2, qr/\Agzmodel: \Q$path\E:$where: .*$entry->{like}/, "$entry->{kind}: $entry->{what}",
        words($entry->{kind}, $path));
    unlink $output and fail("$entry->{what}: an output file was left");
}

for my $entry (good_files()) {
    my ($text) = place($entry, \%text);
    my $path = spew(scratch('file.json'), $text);
    my ($status, $out, $err) = run(words($entry->{kind}, $path, 1000001));
    $err =~ s{^gzmodel: hotspot: instructions counted on .*\n}{}; # another name is another device
    is("$status$err", '0', "$entry->{kind}: $entry->{what} is accepted");
    ok(unlink($output), 'and the output written');
}

# built-ins that are meant, and else all of them: no name is cut
for my $case (['a100', qr{: did you mean a10, a100-40, a100-80\?$}], ['gtx208', qr{: did you mean gtx280\?$}],
              ['gtx', qr{: did you mean gtx280\?$}], ['gpu', qr{: did you mean generic-gpu\?$}],
              ['nosuch', qr{\(those are: (.*)\)$}]) {
    my ($name, $like) = @$case;
    my $err = (run('predict', '-d', $name, qw(-a hotspot -s 100 -b 20 -H 2)))[2];
    ok($err =~ /\A[^\n]+\n\z/ && $err =~ $like, "no device $name: says what there is") or diag($err);
    next unless $name eq 'nosuch';
    my $listed = (run(qw(list)))[1];
    my @cut = grep { $_ ne '...' && $listed !~ m{^\s+\Q$_\E\s}m } split ', ', $1;
    ok(!@cut, 'in whole names') or diag("@cut");
}
like((run(qw(predict -d gtx280 -a hotpsot -s 100 -b 20 -H 2)))[2], qr{: did you mean hotspot\?$}, 'so of applications');

# files that cannot be read as such
for my $case (['no file', '/nonexistent/x.json', qr{no such file, and no built-in}],
              ['a folder', scratch('.'), qr/is a folder: a file is expected/],
              ['a file without end', '/dev/zero', qr/more than \d+ bytes: a parameter file must/],
              ['a name too long', 'x' x 5000, qr/File name too long/],
              ['an empty name', '', qr/the name is empty/],
              ['a line break in the name', "a\nb", qr/a\?b: no such file/]) {
    my ($what, $path, $like) = @$case;
    refused(2, $like, "$_: $what", words($_, $path)) for qw(device app);
}
ok(!-e $output, 'no output file was left');
done_testing();
