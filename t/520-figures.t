#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Every study has its three figures; drawn again (a twelfth of them, in make check-all all),
# SVG and PNG are the same to the byte; and whatever
# is wrong with a table or a script is an error that leaves the figures as they were.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command qw(bulk);
use Studies qw(studies build source scratch slurp spew run);
use MIME::Base64;
use Test::More;

# A bare machine has no locale set; figures must not depend on it.
$ENV{LC_ALL} = "C";

my $draw = source('plots/draw.sh');
mkdir scratch('again') or die;

my @without = grep { !-e source("plots/$_.gp") } studies();
ok(studies() == 26 && !@without, 'every study has a script of its name') or diag("@without");

my $turn = 0;
for my $study (studies()) {
    my $again = $turn++ % bulk(12, 1) == 0;
    my %magic = (svg => qr/\A<\?xml.*<svg.*<\/svg>\s*\z/s, png => qr/\A\x89PNG\r\n/,
        pdf => qr/\A%PDF-.*%%EOF\s*\z/s);
    my @wrong;
    my ($status, $out, $err) = (0, '', '');
    ($status, $out, $err) = run($draw, $study, build("studies/$study.tsv"), scratch('again')) if $again;
    push @wrong, "status $status: $err" if $status || "$out$err" ne '';
    for my $format (sort keys %magic) {
        my $made = slurp(build("plots/$study.$format"));
        push @wrong, "$format: not one" unless $made =~ $magic{$format};
        push @wrong, "$format: another when drawn again"
            if $again && $format ne 'pdf' && $made ne slurp(scratch("again/$study.$format"));
    }
    ok(!@wrong, "$study: drawn" . ($again ? ', and the same when drawn again' : '')) or diag(join "\n", @wrong);
}

# Tables that were measured, which make gallery draws.
for my $table (glob source('studies/results/*/*.tsv')) {
    my ($name) = $table =~ m{([^/]+)\.tsv$};
    next unless -e source("plots/$name.gp");
    my ($status, $out, $err) = run($draw, $name, $table, scratch('again'), 'svg');
    ok($status == 0 && "$out$err" eq '', $table =~ s{.*/results/}{}r . ': drawn') or diag($err);
}

# The figure in the README is the one that is drawn; other versions of gnuplot draw other bytes.
SKIP: {
    my $version = qx(gnuplot --version);
    skip "the README's figure was drawn by gnuplot 5.4, here is $version", 1
        unless $version =~ /^gnuplot 5\.4 /;
    is(slurp(build("plots/fig07_height.svg")), slurp(source("plots/fig07_height.svg")),
        "the README's figure is what make studies draws");
}

# Wrong tables: one line, nothing drawn, existing figures are kept.
my $study = 'cpi';
my $table = slurp(build("studies/$study.tsv"));
run($draw, $study, build("studies/$study.tsv"), scratch('again'));
my %broken = (
    'a truncated table' => substr($table, 0, length($table) - 30),
    'text for a number' => $table =~ s/\t[\d.]+\n/\tnone\n/r,
    'a table without rows' => $table =~ s/^(PathFinder|HotSpot|Poisson|Cell)\t.*\n//gmr,
);
for my $what (sort keys %broken) {
    my $before = slurp(scratch("again/$study.svg"));
    my $file = spew(scratch('broken.tsv'), $broken{$what});
    my ($status, $out, $err) = run($draw, $study, $file, scratch('again'));
    ok($status == 1 && $out eq '' && $err =~ /\A\S*broken\.tsv:[^\n]+\n\z/
            && slurp(scratch("again/$study.svg")) eq $before, "refuses $what") or diag($err);
}
my ($status, $out, $err) = run($draw, $study, scratch('missing.tsv'), scratch('again'));
ok($status != 0 && $err =~ /missing\.tsv/, 'refuses a missing table') or diag($err);

# A copy of the scripts in which one goes wrong: gnuplot's own exit status would not always say.
mkdir scratch('plots') or die;
for my $file (glob source('plots/*')) {
    my ($name) = $file =~ m{([^/]+)$};
    spew(scratch("plots/$name"), slurp($file));
}
chmod 0755, scratch('plots/draw.sh');
my %wrong = (
    'a warning' => "set print '-'\nprint 'said'\n",
    'an undefined variable' => "plot no_such_variable\n",
    'a column that is not there' => "stats tsv using (column('no such')) nooutput\nprint STATS_max\n",
);
for my $what (sort keys %wrong) {
    spew(scratch("plots/$study.gp"), slurp(source("plots/$study.gp")) . $wrong{$what});
    mkdir scratch('none');
    ($status, $out, $err)
        = run(scratch('plots/draw.sh'), $study, build("studies/$study.tsv"), scratch('none'));
    my @left = glob scratch('none') . '/* ' . scratch('none') . '/.[a-z]*';
    ok($status == 1 && $err =~ /gnuplot/ && !@left, "fails and leaves nothing on $what")
        or diag("status $status, left @left\n$err");
}

# The page of figures: each whole, with what its table says, and nothing from elsewhere.
my @listed = map { build("plots/$_.svg") . "\t" . build("studies/$_.tsv") } qw(cpi energy);
my ($page) = (run('sh', '-c', "$ENV{GZ_SOURCE}/plots/gallery.sh <" . spew(scratch('list'), join "\n", 'A <heading>', @listed, '')))[1];
my ($drawn) = $page =~ /alt="best height[^"]*" src="data:image\/svg\+xml;base64,([^"]*)"/;
is(decode_base64($drawn // ''), slurp(build('plots/cpi.svg')), 'the page of figures holds a figure as it is drawn');
my ($what) = slurp(build('studies/energy.tsv')) =~ /\A# energy: (.*)/;
my @notes = slurp(build('studies/energy.tsv')) =~ /^# note: (.*)/mg;
ok(index($page, $what) > 0 && @notes > 1 && !grep({ index($page, $_) < 0 } @notes), 'with what its table says of it');
ok($page =~ /<h2 id="a-heading">A &lt;heading&gt;<\/h2>/ && $page !~ m{src="(?!data:)|href="(?!#|\.\./(studies/)?README\.md")} && $page =~ m{</html>\Z},
   'and shows no other file');
my %anchor = map { $_ => 1 } $page =~ /id="([^"]*)"/g;
my @links = $page =~ /href="#([^"]*)"/g;
ok(@links > 4 && !grep({ !$anchor{$_} } @links) && $anchor{'a-heading-energy'}, 'its contents lead to each figure') or diag("@links");

# A browser draws an SVG as heavy as its PNG: lines, marks and areas have their colours on as many pixels.
sub ink {
    my ($png) = @_;
    my ($coloured, $all) = (0, 0);
    for (split /\n/, (run('sh', '-c', "pngtopnm '$png' | ppmhist -noheader"))[1]) {
        my ($red, $green, $blue, undef, $pixels) = split;
        my ($least, undef, $most) = sort { $a <=> $b } $red, $green, $blue;
        $all += $pixels;
        $coloured += ($most - $least) * $pixels if $most - $least > 60;
    }
    return $coloured / $all;
}
SKIP: {
    skip 'no rsvg-convert and pngtopnm here', 1
        if grep { (run('sh', '-c', "command -v $_"))[0] } qw(rsvg-convert pngtopnm ppmhist);
    my @uneven;
    for my $study (grep { $turn++ % bulk(9, 1) == 0 } studies()) {
        my $png = build("plots/$study.png");
        my $width = unpack 'x16N', slurp($png);
        run('rsvg-convert', '-w', $width, '-o', scratch('ink.png'), build("plots/$study.svg"));
        my $ratio = ink(scratch('ink.png')) / ink($png);
        push @uneven, sprintf('%s %.2f', $study, $ratio) if $ratio < 0.85 || $ratio > 1.18;
    }
    ok(!@uneven, 'SVG and PNG have the same ink, within 18 %') or diag("@uneven");
}

done_testing();
