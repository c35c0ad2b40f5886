#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# Command lines that are wrong, results that do not exist, and outputs that cannot be written: one
# line on stderr, exit 2 or 1, and no output file.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command qw(program run refused scratch slurp spew);
use Test::More;

my $output = scratch('folder') . '/output';
mkdir scratch('folder') or die;
my @device = qw(-d gtx280);
my @app = qw(-a hotspot);
my @size = qw(-s 2000);
my @block = qw(-b 20);
my @model = (@device, @app, @size, @block);

sub bad { my ($what, $like, @words) = @_; return refused(2, $like, $what, @words, '-o', $output) }

# commands
bad('no command', qr/no command given: must be predict, optimize, choose/);
bad('an unknown command', qr/unknown command "guess": must be predict/, 'guess');
bad('a command with a line break', qr/unknown command "a\?b"/, "a\nb");
bad('two commands', qr/too many words: "choose" after the command predict/, qw(predict choose));
bad('many words', qr/too many words: "9"/, 1 .. 12);
bad('list of something', qr/too many words: "devices"/, qw(list devices));

# options
bad('an unknown option', qr/unknown option --devise: did you mean --device\?$/, 'predict', '--devise', 'x');
bad('a letter for thousands', qr/--size: "4k" is not a number: did you mean 4096 or 4000\?$/, @device, @app, '-s', '4k', 'predict');
bad('an unknown letter', qr/unknown option -x/, 'predict', '-qx');
refused(2, qr/--device needs an argument: NAME\|FILE/, 'no argument', 'predict', '-d');
refused(2, qr/-o needs an argument: FILE/, 'no argument of -o', @model, 'optimize', '-o');
bad('an argument too many', qr/--json takes no argument/, 'list', '--json=1');
bad('an option of another command', qr/optimize does not take --height/, 'optimize', @model, '-H', 2);
bad('choose with a mode', qr/choose does not take --sync/, 'choose', @model, '-y', 'fence');
bad('list with a size', qr/list does not take --size/, 'list', @size);
bad('list with device and application', qr/not both/, 'list', @device, @app);
bad('list of an unknown device', qr/no built-in device gtx281: gzmodel list/, qw(list -d gtx281));
bad('list of an unknown application', qr/no built-in application x: gzmodel list/, qw(list -a x));
refused(2, qr/the path is empty/, 'an empty name of the output', 'list', '-o', '');

my @cycle = (qw(vcycle), @device, @app, qw(-s 512));
bad('three numbers of loops', qr/--smooth: "1,2,3" has more than two numbers/, @cycle, '--smooth', '1,2,3');
bad('a depth of 0', qr/--depth/, @cycle, '--depth', '2,0');
bad('an unknown cycle', qr/--cycle/, @cycle, qw(--cycle z));
bad('a cycle with a block', qr/vcycle does not take --block/, @cycle, @block);
bad('loops of another command', qr/tune does not take --smooth/, 'tune', @device, @app, @size, qw(--smooth 2));

# missing
bad('no device', qr/predict needs a device: -d gtx280/, 'predict', @app, @size, @block, '-H', 2);
bad('no application', qr/choose needs an application: -a/, 'choose', @device, @size, @block);
bad('no size', qr/optimize needs a grid: -s/, 'optimize', @device, @app, @block);
bad('no block', qr/sensitivity needs a block: -b/, 'sensitivity', @device, @app, @size);
bad('no height', qr/predict needs a height: -H/, 'predict', @model);

# numbers
for my $case (['', 'is not a number'], ['two', 'is not a number'], ['2x', 'is not a number'],
              [' 2', 'is not a number'], ['2 ', 'is not a number'], ['0x10', 'is not a number'],
              ['nan', 'is not a number'], ['inf', 'is not a number'], ['-inf', 'is not a number'],
              ['1e', 'is not a number'], ['1e400', 'too large'], ['1e-400', 'too close to 0'],
              ['0', 'greater than 0'], ['-1', 'greater than 0'], ["2\n", 'is not a number']) {
    my ($text, $like) = @$case;
    bad("height \"$text\"", qr/--height: .*$like/, 'predict', @model, "--height=$text");
}
for my $option (qw(size block)) {
    my @others = (@device, @app, $option eq 'size' ? @block : @size);
    for my $case (['', 'not a list of extents'], ['x', 'not a list of extents'],
                  ['20x', 'not a list of extents'], ['x20', 'not a list of extents'],
                  ['20xx20', 'not a list of extents'], ['20X20', 'is not a number'],
                  ['20,20', 'is not a number'], ['a', 'is not a number'], ['nan', 'is not a number'],
                  ['inf', 'is not a number'], ['0x10', 'extent 0 is 0: must be a whole number'],
                  ['20x0', 'extent 0 is 0'], ['-20', 'extent -20 is -20'],
                  ['20.5', 'is 20.5: must be a whole number, at least 1'],
                  ['1e400', 'too large'], ['20x20x20x20', 'more than 3 extents'],
                  ['1' x 100, 'not a list of extents'],
                  ['20x20x20', 'has 3 extents, but the application HotSpot has D = 2: must be 2']) {
        my ($text, $like) = @$case;
        bad("$option \"$text\"", qr/--$option.*$like/, 'choose', @others, "--$option=$text");
    }
}
bad('an unknown mode', qr/--sync: "barrier" is unknown: must be restart, fence or graph/,
    'optimize', @model, '-y', 'barrier');
bad('an unknown reading', qr/--tau: "both" is unknown: must be printed or scaled/,
    'optimize', @model, '--tau', 'both');

# what the model refuses
bad('a block within the halo', qr/block: extent 1 is 2 elements: must exceed the halo's 2/,
    'optimize', @device, @app, @size, '-b', '20x2');
bad('too many threads', qr/block: 1600 threads: the device allows at most 512/,
    'optimize', @device, @app, @size, '-b', 40);
bad('a size that is too large', qr/size: extent 0 is 1e\+16 elements: must be .* at most 1e\+15/,
    'optimize', @device, @app, '-s', '1e16', @block);
bad('a block that is too large', qr/block: extent 1 is 1e\+10 elements: must be .* at most/,
    qw(optimize --beyond), @device, @app, @size, '-b', '20x1e10');
bad('too many threads, stated', qr/block: 2048 threads: the device allows at most 512/,
    'optimize', @device, @app, @size, '-b', '258x66', '--threads', '64x32');
bad('streamed tiles by the 2011 model', qr/model meng2011 does not describe variant stream: must be trapezoid, or model gz2/,
    'tune', qw(-d gtx280 -a hotspot -s 1000 --model meng2011 --variant stream));
bad('an unknown model', qr/--model: "meng" is unknown: must be auto, meng2011/,
    'optimize', @model, '--model', 'meng');
bad('an unknown variant', qr/--variant: "cube" is unknown: must be trapezoid/,
    'optimize', @model, '--variant', 'cube');
bad('a variant that the model lacks', qr/device: warp_size is missing: model gz2 needs/,
    'optimize', @model, '--variant', 'naive');
bad('threads of tune', qr/tune does not take --threads/, 'tune', @model, '--threads', '4');
bad('a limit of another command', qr/optimize does not take --top/, 'optimize', @model, '--top', 3);
bad('no candidates', qr/--top 0: must be a whole number from 1 to 1000/, 'tune', @model, '--top', 0);
bad('no room for a tile', qr/leaves anything to commit/, 'tune', @device, @app, @size,
    '--local-memory', 12);
bad('a height at the pole', qr/the height leaves no tile: must be .* less than 10\b/,
    'predict', @model, '-H', 10);
bad('a graph without its overhead', qr/graph_overhead is missing/, 'optimize', @model, '-y', 'graph');
bad('a size too large, searching the block', qr/size: extent 0 is 1e\+16/,
    'optimize', @device, @app, '-s', '1e16');
bad('no tile within the grid', qr/no tile within the grid and the limits \(512 threads/,
    'optimize', @device, @app, '-s', '2');
bad('--beyond without a block', qr/--beyond needs a block/, 'optimize', @device, @app, @size,
    '--beyond');
{
    my $text = (run(qw(list -d gtx280)))[1] =~ s/141\.7e9/1e-300/r;
    my $extreme = spew(scratch('extreme.json'), $text);
    bad("results that overflow: $_->[0]", qr/not a finite number/, $_->[0], '-d', $extreme, '-a',
        'cell', '-s', '1e6', '-b', 8, @$_[1 .. $#$_])
        for ['predict', '-H', 1], ['optimize'], ['choose'], ['sensitivity'];
}

{
    my $text = (run(qw(list -d gtx280)))[1] =~ s/("value": *)(512|16384)\b/${1}1e15/gr;
    my $huge = spew(scratch('huge.json'), $text);
    my ($status, $out) = run("optimize", "-d", $huge, qw(-a cell -s 1e6));
    ok($status == 0 && $out =~ /^best block/m, "more blocks than are searched one by one");
    ($status, $out) = run('optimize', '-d', $huge, qw(-a cell -s 1000));
    ok($status == 0 && $out =~ /block 1000x1000x1000,/, 'unless all of the grid fits');
}

# outputs
opendir my $folder, scratch('folder') or die;
is_deeply([grep { !/\A\.\.?\z/ } readdir $folder], [], 'no output file was left, whole or in part');
closedir $folder;

my $command = join ' ', map { "'$_'" } program('gzmodel'), 'optimize', @model;
sub shell {
    my ($what, $line, $like) = @_;
    my $err = scratch('err');
    my $status = system('sh', '-c', "$line 2>'$err'");
    ok($status >> 8 == 1 && slurp($err) =~ /\Agzmodel: cannot write [^\n]+\n\z/ &&
       slurp($err) =~ $like, $what) or diag("status $status: " . slurp($err));
}
shell('standard output closed', "$command >&-", qr/standard output: Bad file descriptor/);
shell('help, standard output closed', "$command --help >&-", qr/standard output/);
SKIP: {
    skip 'no /dev/full here', 5 unless -c '/dev/full';
    shell('standard output full', "$command >/dev/full", qr/standard output: No space left/);
    shell('JSON, standard output full', "$command --json >/dev/full", qr/No space left/);
    shell('version, standard output full', "$command -V >/dev/full", qr/No space left/);
    shell('a full device', "$command -o /dev/full", qr{/dev/full: No space left});
    ok(-c '/dev/full', 'which is still a device');
}
shell('no such folder', "$command -o '$output/x/y'", qr/No such file or directory/);
shell('a folder', "$command -o '" . scratch('folder') . "'", qr/Is a directory/);
shell('a file as folder', "$command -o '" . program('gzmodel') . "/x'", qr/Not a directory/);
{
    # a limit on the size of files stands in for a disk that fills up: the old file stays, whole
    my $file = spew("$output.old", 'old');
    my $err = `(trap '' XFSZ; ulimit -f 0; $command -o '$file') 2>&1`;
    is($? >> 8, 1, 'a disk that fills up fails');
    is($err, "gzmodel: cannot write $file: File too large\n", 'says so');
    is(slurp($file), 'old', 'leaves the old file as it was');
    is_deeply([glob "$output*"], [$file], 'and no temporary');
}
done_testing();
