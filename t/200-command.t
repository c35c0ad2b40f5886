#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# gzmodel's commands: what --json prints, by key and by order; -o, list, and where options may be placed.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command qw(run slurp scratch);
use JSON::PP;
use Test::More;

my @components = qw(GlbSync LoadSten Commit MiscComp IterComp IterMem);
my @prediction = (qw(T passes ConcurBlks LoadSten IterMem Commit MemAcc MiscComp IterComp CPT GlbSync
    CPS CPL dCPL_dh CostEffect seconds_per_loop components));
my @optimum = qw(height height_max speedup evaluations prediction);

# What each command states about its run, before its results.
my @run = qw(app device model why size);
my @tile = (@run, qw(variant block threads));
my @full = (@tile, qw(sync tau));

# The keys of the outermost object of a JSON text as --json indents it, in order.
sub keys_in_order { return [$_[0] =~ /^  "([^"]+)":/mg] }

sub json_of {
    my ($status, $out, $err) = run(@_, '--json');
    is("$status $err", '0 ', "gzmodel @_ --json") or return ({}, '');
    return (decode_json($out), $out);
}

my @hotspot = qw(-d gtx280 -a hotspot -s 2000 -b 20);

# Numbers are the library's to the last bit (210), which is the paper's (020, 540).
{
    my (undef, $text) = json_of('optimize', @hotspot, '-y', 'fence');
    is_deeply(keys_in_order($text), [@full, @optimum], "optimize's keys");
    (undef, $text) = json_of('choose', @hotspot);
    is_deeply(keys_in_order($text), [@tile, qw(tau restart fence delta choice by_delta overhead gain)],
        "choose's keys");
    (my $p, $text) = json_of('predict', @hotspot, '-H', '2');
    is_deeply(keys_in_order($text), [@full, @prediction, 'height'], "predict's keys");
    is_deeply([$text =~ /^    "([^"]+)":/mg], \@components, 'the components\' keys');
    ok(!exists $p->{interval}, 'no interval if no standard deviation is stated');
    my ($q) = json_of('predict', @hotspot, '-H', '2', '--tau', 'scaled');
    is($q->{IterComp} / $p->{IterComp}, 0.5, 'tau scales IterComp by (1 - beta)');
}
{
    my ($s, $text) = json_of('sensitivity', @hotspot);
    is_deeply(keys_in_order($text), [@full, qw(height cpl parameters)], "sensitivity's keys");
    my %by_name = map { $_->{parameter} => $_ } @{$s->{parameters}};
    my @size = map { abs $_->{cpl} } @{$s->{parameters}};
    is_deeply(\@size, [sort { $b <=> $a } @size], 'ranked by elasticity of CPL');
    is_deeply([sort map { keys %$_ } $s->{parameters}[0]], [qw(cpl height parameter)], 'their keys');
    is(scalar @size, 23 + 2 * 3, 'every parameter but those that do not exist here');
    ok(!exists $by_name{graph_overhead} && !exists $by_name{'block_len[2]'}, 'which are left out');
    unlike($text, qr/-0\.0[,\s]/, 'no negative zero');
}
{
    my ($o, $text) = json_of(qw(optimize -d gtx280 -a hotspot -s 2000));
    is_deeply(keys_in_order($text), [@full, @optimum], 'optimize without a block states what it found');
    ok($o->{threads}[0] * $o->{threads}[1] <= 512, 'within the limit on threads');
    my ($same) = json_of(qw(optimize -d gtx280 -a hotspot -s 2000),
        '-b', join('x', @{$o->{block}}), '--threads', join 'x', @{$o->{threads}});
    is_deeply($o, $same, 'and gives what that block gives');
    my ($fixed) = json_of('optimize', @hotspot);
    ok($o->{prediction}{CPL} < $fixed->{prediction}{CPL}, 'better than 20x20');
}
{
    my $device = (run(qw(list -d gtx280)))[1];
    $device =~ s/(1\.3e9,) /$1 "sd": 1e6, / or die;
    my $path = Command::spew(scratch('sd.json'), $device);
    my ($p, $text) = json_of('predict', '-d', $path, @hotspot[2 .. 7], qw(-H 2));
    is_deeply(keys_in_order($text), [@full, @prediction, qw(interval height)], 'a standard deviation adds interval');
    my $i = $p->{interval};
    is_deeply([sort keys %$i], [sort qw(z cpl_sd seconds_sd height_sd form_sd cpl seconds height integer)],
        "interval's keys");
    is($i->{z}, 1.96, 'of 95 %');
    ok($i->{cpl_sd} > 0 && abs(log($i->{cpl}[1] / $p->{CPL}) / 1.96 - sqrt(($i->{cpl_sd} / $p->{CPL})**2 + $i->{form_sd}**2)) < 1e-9
        && abs($i->{cpl}[0] * $i->{cpl}[1] / $p->{CPL}**2 - 1) < 1e-9, 'ends of CPL, a factor below and above');
    my ($o) = json_of('optimize', '-d', $path, @hotspot[2 .. 7]);
    ok($o->{interval}{height}[0] < $o->{height}{continuous} &&
       $o->{height}{continuous} < $o->{interval}{height}[1], 'optimize adds it too');
    like((run('predict', '-d', $path, @hotspot[2 .. 7], qw(-H 2)))[1], qr/standard deviation/,
        'and the table says so');
}
{
    my ($t, $text) = json_of(qw(tune -d gtx280 -a hotspot -s 2000 --top 7));
    is_deeply(keys_in_order($text), [@run, qw(tau candidates left_out)], "tune's keys");
    my @c = @{$t->{candidates}};
    is(scalar @c, 7, '--top 7 lists seven');
    is_deeply([$text =~ m{^      "(\w+)":}mg], [(qw(block threads height sync variant
        seconds_per_loop interval)) x 7], "a candidate's keys");
    my @seconds = map { $_->{seconds_per_loop} } @c;
    is_deeply(\@seconds, [sort { $a <=> $b } @seconds], 'the best first');
    for my $c (@c) {
        my ($p) = json_of('predict', qw(-d gtx280 -a hotspot -s 2000 -H), $c->{height}, '-b',
            join('x', @{$c->{block}}), '--threads', join('x', @{$c->{threads}}), '-y', $c->{sync});
        is($p->{seconds_per_loop}, $c->{seconds_per_loop}, 'predict agrees');
        is_deeply($p->{threads}, $c->{threads}, 'and states the threads');
        cmp_ok($c->{threads}[0] * $c->{threads}[1], '<=', 512, 'within the limit on threads');
        cmp_ok($c->{block}[0] * $c->{block}[1] * 4 * 3, '<=', 16384, 'and on shared memory');
    }
    my ($r) = json_of(qw(tune -d gtx280 -a hotspot -s 2000 -y restart --max-height 1 --step 8x4
        --max-threads 256 --local-memory 8192));
    for my $c (@{$r->{candidates}}) {
        is("$c->{sync} $c->{height}", 'restart 1', 'limits on mode and height hold');
        is($c->{block}[0] % 8 + $c->{block}[1] % 4, 0, 'and the step');
        cmp_ok($c->{threads}[0] * $c->{threads}[1], '<=', 256, 'and threads');
        cmp_ok($c->{block}[0] * $c->{block}[1] * 12, '<=', 8192, 'and local memory');
    }
    my ($s) = json_of(qw(tune -d h100-sxm -a hotspot -s 4096));
    for my $c (grep { $_->{variant} eq 'stream' } @{$s->{candidates}}) {
        my ($p) = json_of('predict', qw(-d h100-sxm -a hotspot -s 4096 --variant stream -H), $c->{height}, '-b',
            join('x', @{$c->{block}}), '--threads', join('x', @{$c->{threads}}), '-y', $c->{sync});
        is($p->{seconds_per_loop}, $c->{seconds_per_loop}, 'predict takes the piece from the block');
        is($p->{piece}, $c->{piece}, 'and states it');
    }
    like((run(qw(predict -d h200 -a hotspot -s 4096 --variant stream -b 128x19 -H 10)))[2],
        qr/leaves no piece of the block's 19 elements .* at least 21/, 'or says that there is none');
    my ($b) = json_of(qw(tune -d gtx280 -a hotspot -s 2000 -b 258x66));
    my %kept = map { ("@{$_->{block}}", 1, $_->{sync}, 1) } @{$b->{candidates}};
    is_deeply([sort keys %kept], ["258 66", "fence", "restart"],
        "a block that is given is kept, in each mode");
    like((run(qw(tune -d gtx280 -a hotspot -s 2000)))[1], qr/^block .*^39x35 [^\n]*\bfence\b/ms,
        'the table for people');
}
{
    my @wide = qw(-d gtx280 -a hotspot -s 2000 -b 258x66);
    my ($o) = json_of('optimize', @wide, qw(--threads 32x16));
    is("@{$o->{block}} @{$o->{threads}}", '258 66 32 16', 'a tile may have fewer threads');
    is_deeply(\(json_of('optimize', @wide, '--beyond'))[0]->{prediction},
        \$o->{prediction}, 'which changes no number of the 2011 model');
}
{
    my @cycle = (qw(vcycle -d h200 -a gsrb -s 128 --cycle w --smooth), '4,2');
    my ($v, $text) = json_of(@cycle);
    is_deeply(keys_in_order($text), [@run, qw(cycle smooth seconds interval seconds_depth_1
        fixed_depth seconds_fixed levels)], "vcycle's keys");
    my @levels = @{$v->{levels}};
    is("@{[map { $_->{size}[0] } @levels]} @{[map { $_->{visits} } @levels]}",
        '128 64 32 16 8 4 2 1 2 4 8 16 32 32', 'levels and visits');
    is_deeply([sort keys %{$levels[0]}], [sort qw(size visits tail depth seconds smooth_at_depth variant
        block sync)], "a level's keys");
    is(scalar @{$levels[0]{smooth_at_depth}}, 4, 'depths up to the loops of the longer visit');
    my ($one) = json_of(@cycle, qw(--depth 1));
    ok(abs($one->{seconds} / $v->{seconds_depth_1} - 1) < 1e-12, 'what depth 1 would take');
    like((run(@cycle))[1],
        qr{^seconds_depth_1 .*^128x128x128 +1 +false +\d .*^16x16x16 +8 +true }ms, 'for people');
}
{
    my ($l) = json_of('list');
    for my $kind (qw(devices apps)) {
        my $folder = $kind eq q(apps) ? 'devices/generic-gpu' : $kind;
        my @names = sort map { m{([^/]+)\.json\z} } glob "$ENV{GZ_SOURCE}/libgzmodel/data/$folder/*.json";
        @names = grep { $_ ne 'device' } @names;
        push @names, 'generic-gpu' if $kind eq q(devices);
        push @names, map { m{([^/]+)/device\.json\z} } glob "$ENV{GZ_SOURCE}/calibrate/devices/*/device.json" if $kind eq q(devices);
        is_deeply([sort @{$l->{$kind}}], [sort @names], "list --json names all $kind");
    }
    my ($status, $out) = run('-l');
    is("$status $out", '0 ' . (run('list'))[1], '-l is the command list');
    like($out, qr/GeForce GTX 280.*HotSpot/s, 'which describes them');
    is((run(qw(list -d gtx280)))[1], slurp("$ENV{GZ_SOURCE}/libgzmodel/data/devices/gtx280.json"),
        'list -d prints the file');
    is((run(qw(list -a cell)))[1], slurp("$ENV{GZ_SOURCE}/libgzmodel/data/devices/generic-gpu/cell.json"),
        'list -a prints the file');
}
{
    my $want = (run('predict', @hotspot, qw(-H 2)))[1];
    like($want, qr/^CPL +3567378 .*IterComp\* +1348245 +37\.8 %/ms, 'the table for people');
    is((run(@hotspot, qw(-H2 predict)))[1], $want, 'options before the command');
    is((run(qw(predict --device=gtx280 --app=hotspot --size 2000x2000 --block=20x20 --height 2)))[1],
        $want, 'long options');
    is((run(qw(predict -qdgtx280 -ahotspot -s2e3 -b20 -H2 --)))[1], $want, 'joined and short ones');
    is((run('predict', '-H', '3', @hotspot, qw(-H 2 -o -)))[1], $want,
        'a later option overrides; -o - is stdout');
    my $file = scratch('out');
    is(join('|', run('predict', @hotspot, qw(-H 2 -o), $file)), '0||', '-o prints nothing');
    is(slurp($file), $want, '-o writes the same');
    Command::spew($file, 'old');
    chmod 0640, $file;
    symlink $file, scratch('link');
    run('predict', @hotspot, qw(-H 2 -o), scratch('link'));
    is(slurp($file), $want, '-o through a link replaces what it points to');
    is((stat $file)[2] & 07777, 0640, 'and keeps its permissions');
    ok(-l scratch('link'), 'and the link');
    unlike($want, qr/\033/, 'no colour');
}
{
    my ($status, $out, $err) = run('--help');
    is("$status|$err", '0|', '--help succeeds');
    like($out, qr/predict.*optimize.*choose.*sensitivity.*tune.*list.*--beyond/s, 'and names everything');
    is((run(qw(predict -h)))[1], $out, 'also after a command');
    my $version = join '.', slurp("$ENV{GZ_SOURCE}/libgzmodel/gzmodel.h") =~
        /^#define GZ_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)/mg;
    is(join('|', run('-V')), "0|gzmodel $version\n|", '--version');
    is((run(qw(optimize -d gtx280 -a hotspot -s 2000 -b 40x40 --beyond)))[0], 0, '--beyond');
}
{
    # A file may have the name of a built-in device; a grid smaller than a tile is said to be.
    my @small = (qw(-d gtx280 -a hotspot -b 20));
    my $err = (run('predict', @small, qw(-s 2 -H 2)))[2];
    like($err, qr/\A[^\n]*the grid 2x2 is smaller than one tile: the model counts 0.0156 of a trapezoid[^\n]*\n\z/, 'a small grid');
    is((run('predict', @small, qw(-s 16 -H 2)))[2], '', 'a grid of one tile');
    like((run('optimize', @small, qw(-s 3)))[2], qr/is smaller than one tile/, 'optimize says so too');
    chdir scratch('') or die;
    Command::spew('gtx280', '');
    is((run('predict', @small, qw(-s 16 -H 2 -o gtx280)))[0], 0, "a file may have a built-in device's name");
    my $huge = Command::spew(scratch('huge.json'), (run(qw(list -d gtx280)))[1] =~ s/("value": *)(512|16384)\b/${1}1e15/gr);
    like((run('optimize', '-d', $huge, qw(-a cell -s 1e6)))[1], qr/^block/m, 'more blocks than are searched one by one');
    like((run('optimize', '-d', $huge, qw(-a cell -s 1000)))[1], qr/^block +1000x1000x1000$/m, 'unless all of the grid fits');
}
done_testing();
