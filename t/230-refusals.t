#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# What programs refuse, a line each: the exit status, what the message says, and the words of the command line, in
# which $names stand for words. One line on stderr, nothing on stdout, no file made or changed (Arena.pm). With status 0
# instead a command that prints what is said, and nothing on stderr.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Arena qw($place attempt executable make_place refuses settle);
use Command qw(compile_quickly run slurp spew);
use Test::More;
use Text::ParseWords 'shellwords';

compile_quickly();
my $source = $ENV{GZ_SOURCE};
my ($list) = (attempt([executable('gzrun'), '--list']))[1];
my %there = ('opencl:0' => $list =~ /^ *opencl:0/m, 'no CUDA' => $list !~ /^ *cuda:0/m);
my $device = (run(qw(list -d gtx280)))[1];
spew("$place/cell.json", slurp("$source/libgzmodel/data/apps/cell.json"));
spew("$place/plugin.c", slurp("$source/t/gzc/plugin.c"));
spew("$place/mark.json", "\xef\xbb\xbf$device");
spew("$place/none.json", "[]\n");
spew("$place/extreme.json", $device =~ s/141\.7e9/1e-300/r);
my $h200 = slurp("$source/libgzmodel/data/devices/h200.json");
spew("$place/lacks_$_.json", $h200 =~ s/^.*"$_".*\n//mr) for qw(shared_mem_per_sm cache_bandwidth);
mkdir "$place/$_" for qw(own cpu);
spew("$place/cpu/$_.json", slurp("$source/calibrate/devices/pocl-xeon-2core/$_.json")) for qw(device jacobi);
link "$place/cell.json", "$place/own/cell.json";
settle();

my %words = (MODEL => '-d gtx280 -a hotspot -s 2000 -b 20', DA => '-d gtx280 -a hotspot', CYCLE => 'vcycle -d gtx280 -a hotspot -s 512',
    RUN => '-d opencl:0 -a hotspot -s 32 -b 10 --loops 2 --runs 1', SMALL => '--loops 2 --runs 1 -d opencl:0 -s 8 -b 6',
    CAL => '-d opencl:0 --quick -a hotspot', SWEEP => '-d device.json --on opencl:0 --small',
    VERSION => join '.', map { slurp("$source/libgzmodel/gzmodel.h") =~ /define GZ_VERSION_$_ (\d+)/ } qw(MAJOR MINOR PATCH));

my ($name, $before) = ('', '');
while (my $line = <DATA>) {
    chomp $line;
    $line =~ s/\$([A-Z]+)\b/$words{$1} \/\/ die "\$$1"/ge;
    if ($line =~ /^\[(\S+)(.*)\]$/) {
        ($name, $before) = ($1, $2);
    } elsif ($line =~ /^(\d+) (.*) <-(.*)$/) {
        my ($status, $like, $text) = ($1, $2, $3);
        my @words = shellwords("$before $text");
        SKIP: {
            for (sort keys %there) {
                skip "there is no $_", 1 if "$before $text$like" =~ /\Q$_\E\b/ && !$there{$_};
            }
            $like =~ s/^no CUDA: //;
            my ($program, @study) = $name =~ m{^sweep/(.+)} ? ('sweep', $1) : $name;
            skip "$program is not built", 1 if !-x executable($program);
            refuses('refused', $text, [$status], $program, [@study, @words], undef, qr/$like/m), next if $status;
            my ($got, $out, $err) = attempt([executable($program), @study, @words]);
            ok($got == 0 && $out =~ /$like/m && $err eq '', "$name $text: $like") or diag("status $got\n$out$err");
        }
    } elsif ($line !~ /^(#.*)?$/) {
        die "no row: $line\n";
    }
}

# A text that is no row.
refuses('refused', 'a command with a line break', [2], 'gzmodel', ["a\nb"], undef, qr/unknown command "a\?b"/);
done_testing();
__DATA__
[gzmodel]
2 no command given: must be predict, optimize, choose <- -o new
2 unknown command "guess": must be predict <- guess -o new
2 too many words: "choose" after the command predict <- predict choose
2 too many words: "9" <- 1 2 3 4 5 6 7 8 9 10 11 12
2 too many words: "devices" <- list devices
2 unknown option --devise: did you mean --device\?$ <- predict --devise x
2 --size: "4k" is not a number: did you mean 4096 or 4000\?$ <- predict -d gtx280 -a hotspot -s 4k
2 unknown option -x <- predict -qx
2 --device needs an argument: NAME\|FILE <- predict -d
2 -o needs an argument: FILE <- optimize $MODEL -o
2 --json takes no argument <- list --json=1
2 optimize does not take --height <- optimize $MODEL -H 2
2 choose does not take --sync <- choose $MODEL -y fence
2 list does not take --size <- list -s 2000
2 not both <- list $DA
2 no built-in device gtx281: gzmodel list <- list -d gtx281
2 no built-in application x: gzmodel list <- list -a x
2 the path is empty <- list -o ""
2 --height: "2x" is not a number <- predict $MODEL --height=2x
2 --height: .*too large <- predict $MODEL --height=1e400
2 --height: .*too close to 0 <- predict $MODEL --height=1e-400
2 --height: .*greater than 0 <- predict $MODEL --height=-1
2 --size.*not a list of extents <- choose $DA -b 20 --size=20xx20
2 --size.*is not a number <- choose $DA -b 20 --size=20,20
2 --size.*extent 0: must be a whole number <- choose $DA -b 20 --size=0x10
2 --size.*extent -20: must <- choose $DA -b 20 --size=-20
2 --block.*extent 20.5: must be a whole number, at least 1 <- choose $DA -s 2000 --block=20.5
2 --block.*too large <- choose $DA -s 2000 --block=1e400
2 --block.*more than 3 extents <- choose $DA -s 2000 --block=20x20x20x20
2 --block.*has 3 extents, but the application HotSpot has D = 2: must be 2 <- choose $DA -s 2000 --block=20x20x20
2 --smooth: "1,2,3" has more than 2 numbers <- $CYCLE --smooth 1,2,3
2 --depth <- $CYCLE --depth 2,0
2 --cycle <- $CYCLE --cycle z
2 vcycle does not take --block <- $CYCLE -b 20
2 tune does not take --smooth <- tune $DA -s 2000 --smooth 2
2 predict needs a device: -d gtx280 <- predict -a hotspot -s 2000 -b 20 -H 2
2 choose needs an application: -a <- choose -d gtx280 -s 2000 -b 20
2 optimize needs a grid: -s <- optimize $DA -b 20
2 sensitivity needs a block: -b <- sensitivity $DA -s 2000
2 predict needs a height: -H <- predict $MODEL
2 --sync: "barrier" is unknown: must be restart, fence or graph <- optimize $MODEL -y barrier
2 --tau: "both" is unknown: must be printed or scaled <- optimize $MODEL --tau both
2 block: extent 1 is 2 elements: must exceed the halo's 2 <- optimize $DA -s 2000 -b 20x2
2 block: 1600 threads: the device allows at most 512 <- optimize $DA -s 2000 -b 40
2 size: extent 0 is 1e\+16 elements: must be .* at most 1e\+15 <- optimize $DA -s 1e16 -b 20
2 block: extent 1 is 1e\+10 elements: must be .* at most <- optimize --beyond $DA -s 2000 -b 20x1e10
2 block: 2048 threads: the device allows at most 512 <- optimize $DA -s 2000 -b 258x66 --threads 64x32
2 model meng2011 does not describe variant stream: must be trapezoid, or model gz2 <- tune $DA -s 1000 --model meng2011 --variant stream
2 --model: "meng" is unknown: must be auto, meng2011 <- optimize $MODEL --model meng
2 --variant: "cube" is unknown: must be trapezoid <- optimize $MODEL --variant cube
2 device: warp_size is missing: model gz2 needs <- optimize $MODEL --variant naive
2 tune does not take --threads <- tune $MODEL --threads 4
2 optimize does not take --top <- optimize $MODEL --top 3
2 --top 0: must be a whole number from 1 to 1000 <- tune $MODEL --top 0
2 leaves anything to commit <- tune $DA -s 2000 --local-memory 12
2 the height leaves no tile: must be .* less than 10\b <- predict $MODEL -H 10
2 graph_overhead is missing <- optimize $MODEL -y graph
2 size: extent 0 is 1e\+16 <- optimize $DA -s 1e16
2 no tile within the grid and the limits \(512 threads <- optimize $DA -s 2
2 --beyond needs a block <- optimize $DA -s 2000 --beyond
# results that overflow
2 not a finite number <- predict -d extreme.json -a cell -s 1e6 -b 8 -H 1
2 not a finite number <- optimize -d extreme.json -a cell -s 1e6 -b 8
2 not a finite number <- choose -d extreme.json -a cell -s 1e6 -b 8
2 not a finite number <- sensitivity -d extreme.json -a cell -s 1e6 -b 8
# gz2
2 warp_size is missing <- predict $MODEL -H 2 --model gz2
2 shared_mem_per_sm.*gz-calibrate measures <- predict -d lacks_shared_mem_per_sm.json -a hotspot -s 4096 -b 32x16 -H 2 --model gz2
2 cache_bandwidth.*gz-calibrate measures <- predict -d lacks_cache_bandwidth.json -a hotspot -s 4096 -b 32x16 -H 2 --model gz2
2 whole heights only <- predict -d h200 -a hotspot -s 4096 -b 32x16 -H 2.5 --model gz2
2 --loops 1.5: must be a whole number from 1 <- predict -d pocl-xeon-2core -a pathfinder -s 2000000 -b 4096 -H 2 --loops 1.5
# an output that is an input
2 -o ./device.json: that file is also -d of this run <- predict -d device.json -a hotspot -s 2000 -b 20 -H 2 -o ./device.json
2 -o ./folder/../device.json: that file is also -d <- predict -d device.json -a hotspot -s 2000 -b 20 -H 2 -o ./folder/../device.json
2 -o link.json: that file is also -d <- predict -d device.json -a hotspot -s 2000 -b 20 -H 2 -o link.json
2 -o hotspot.json: that file is also -a of this run <- optimize -d gtx280 -a ./hotspot.json -s 2000 -b 20 -o hotspot.json
2 -o device.json: that file is also -d of this run <- list -d device.json -o device.json

[gzrun]
0 Usage: gzrun <- --help
0 Usage: gzrun <- -h
0 ^gzrun $VERSION$ <- -V
0 ^  hotspot <- --list
0 ^sync *none <- --variant serial -s 8 --loops 1 --runs 1
2 unknown option --bogus <- --bogus
2 unknown option -x <- -x
2 unknown word "hotspot" <- hotspot
2 --app needs an argument: NAME <- --app
2 the name is empty <- --app=
2 --contract on: cannot be given together <- --contract on --checksum
2 --contract on: cannot be given together <- --contract on --variant serial
2 --json takes no argument <- --json=yes
2 must be one of box125, box27 <- --app nothing
2 no kernels for <- --app ./hotspot.json
2 --size <- -s 10x
2 --size <- -s 10x10x10
2 --size <- -s -5
2 --size <- -s 99999999999
2 --block <- -b 0
2 --block <- -b x
2 --height <- -H 0
2 --height <- -H 1.5
2 --height <- -H 2147483648
2 --height <- -H 99999999999999999999
2 --loops <- --loops 0
2 --loops <- $RUN --loops 9000000000000000000
2 --runs <- --runs many
2 --runs <- --runs 1e9
2 --seed <- --seed -1
2 --seed <- --seed 1.5
2 must be at most 9223372036854775807 <- --seed 9223372036854775808
2 restart, fence, graph, or all <- -y later
2 trapezoid, stream, naive, column, cell, shared, serial, or all <- --variant fast
2 on or off <- --contract maybe
2 --threads <- --threads 0
2 --threads <- $RUN --threads 4x4x4
2 --input.*at most 8 <- --input 1 2 3 4 5 6 7 8 9
2 --input <- $RUN --input a b c d e f g
2 takes 2 files <- $SMALL -a hotspot --input grid.txt power.txt power.txt
2 --t4: the path is empty <- --t4=
2 unknown word "after" <- --input one -- after
2 unknown word "before" <- before --input one
# configurations that no device could run
2 at most 9 <- -b 20x20 -H 10
2 must be at least 3 <- -b 2x20
2 naive computes one loop at a time <- --variant naive -b 2000x2 -H 2
2 column computes one loop at a time <- --variant column -b 2000x2 -H 2
2 cell computes one loop at a time <- --variant cell -b 2000x2 -H 2
2 shared computes one loop at a time <- --variant shared -b 2000x2 -H 2
2 naive is launched once per loop <- --variant naive -b 2000x2 -y fence
2 column is launched once per loop <- --variant column -b 2000x2 -y fence
2 cell is launched once per loop <- --variant cell -b 2000x2 -y fence
2 shared is launched once per loop <- --variant shared -b 2000x2 -y fence
2 column needs a block that spans the grid, 2000 elements <- --variant column -b 20
2 column has one thread for each line <- --variant column --threads 2x2
2 cell has one thread for each element: must be <- --variant cell --threads 10
2 shared loads at most one ghost cell: must be at least the radius, 2 <- -a star13 --variant shared -b 1
2 serial computes one loop at a time <- --variant serial -H 2
2 is the reference itself <- --variant serial -d opencl:0
2 is the reference itself <- --variant serial -b 8
2 is the reference itself <- --variant serial --threads 1
2 is the reference itself <- --variant serial -y graph
2 is the reference itself <- --variant serial --verify
2 a grid of [0-9]* elements <- -s 100000
2 a grid of [0-9]* elements <- $RUN -s 2147483647x2147483647
2 --adaptive does not take --runs <- --adaptive --runs 3
2 --adaptive does not take --sync <- --adaptive -y restart
2 --adaptive does not take --t4 <- --adaptive --t4 new
2 height 10 <- --adaptive -b 20 -H 10
2 --adaptive takes no argument <- --adaptive=5
# lists
2 runs backwards <- $RUN -H 4:1
2 nothing between its commas <- $RUN -b 8,,9
2 more than three numbers <- $RUN -H 1:2:3:4
2 a list of configurations does not take --output <- $RUN -H 1:2 --output new
2 serial cannot be part of a list <- $RUN --variant trapezoid,serial
2 none of the 2 configurations can run on this device <- $RUN -b 8 -H 30,31
# tuning
2 model meng2011 does not describe variant stream: must be trapezoid, or model gz2 <- -a hotspot -s 200 -d opencl:0 --tune --variant stream --model meng2011
2 tune: "5x" is not a number <- -a hotspot -s 200 -d opencl:0 --tune=5x
2 --tune does not take --block <- -q --tune -b 20
# devices
77 cuda:99 <- -d cuda:99
77 cuda:99 <- -d 99
77 opencl:99 <- -d opencl:99
77 no device here is called "GeForce GTX 280" <- -d gtx280
2 or cuda:INDEX, opencl:INDEX <- -d nothing
2 cuda:INDEX <- -d vulkan:0
2 local memory <- -d opencl:0 -s 4000 -b 4000
2 threads.*fewer --threads <- -d opencl:0 -s 500 -b 500x100 --threads 500x100
2 threads.*smaller --block <- -d opencl:0 -s 500 -b 500x100 --variant cell
2 no graphs <- -d opencl:0 -s 8 -b 8 -y graph -o new --t4 new.t4
# outputs that are inputs, or one another
2 --output grid.txt: that file is also --input of this run <- $SMALL -a poisson --input grid.txt --output grid.txt
2 --output power.txt: that file is also --input of this run <- $SMALL -a hotspot --input grid.txt power.txt --output power.txt
2 --output ./grid.txt: that file is also --input of this run <- $SMALL -a hotspot --input grid.txt power.txt --output ./grid.txt
2 --output link.json: that file is also --input of this run <- $SMALL -a poisson --input device.json --output link.json
2 --t4 grid.txt: that file is also --input <- $SMALL -a poisson --input grid.txt --t4 grid.txt
2 -o grid.txt: that file is also --input <- $SMALL -a poisson --input grid.txt -o grid.txt
2 --t4 new: that file is also --output of this run <- $RUN --output new --t4 new
2 --output ./new: that file is also -o of this run <- $RUN -o new --output ./new
2 that file is also <- $RUN -o new --t4 ./new
2 that file is also <- $RUN -o new --output new --t4 new
# ranks
2 no such file, and no built-in network <- -d opencl:0 -a hotspot -s 64 --ranks auto --network infiband
2 list of configurations <- -d opencl:0 -a hotspot -s 64 --ranks 1x1 -H 1,2

[gzmg]
0 Usage: gzmg <- --help
0 ^gzmg <- --version
0 ^error  *0.00317 <- -d host -s 32
0 ^full  *true <- -d host -s 24x16x20 --cycle full --sweeps 1,2 --edges neumann --operator star7vc --lambda 3
0 ^verified  *true <- -d host -s 16 --operator box27 --verify
0 ^size  *16x16x16 <- -d host -s 16 --operator star13 --type float --tolerance 1e-4 --smoother jacobi
0 ^verified  *true <- -d host -s 24x16x16 --operator star7vc --edges dirichlet --type float --verify
0 ^at_rounding  *true$ <- -d host -s 16 --type float --verify
0 ^factor  *-$ <- -d host -s 16 --tolerance 1
0 ^factor  *[0-9.]*e-1[0-9]$ <- -d host -s 2
0 ^sweeps  *2,2 <- -d host -s 16 --sweeps 2,2 --depth 2,1,1
2 must be periodic <- -d host --operator star13 --edges dirichlet
2 must be smoother jacobi <- -d host --operator box27 --smoother gsrb
2 --sweeps <- -d host --sweeps 1,2,3
2 --size <- -d host -s 32x32
2 must be one or more <- -d host --sweeps 0
2 --depth <- -d host --depth 0
2 unknown word <- -d host now
77 no such device <- -d opencl:77
# more than any machine has, so that nothing is allocated
2 of host memory <- -d host -s 32768
2 must be given with --ranks <- --rank-depth 2
2 2 extents: must be three <- --ranks 2x1
2 together with device host <- --ranks 2x1x1 -d host
2 together with --sweeps auto <- --ranks 2x1x1 --sweeps auto
2 rank-depth 0: must be a whole number from 1 <- --ranks 2x1x1 --rank-depth 0

[gz-calibrate]
0 ^Usage: gz-calibrate <- --help
0 ^gz-calibrate [0-9] <- -V
0 ^cuda <- --list
2 unknown option <- --bogus
2 unknown word <- cuda:0
2 needs an argument <- -d
2 path is empty <- --apps=
2 no such stencil <- -a nothing
2 cuda:INDEX <- -d gtx280 -o new.json
2 cuda:INDEX <- -d opencl: -o new.json
2 both write to standard output <- -o - --json
77 no such device <- -d opencl:99 -o new.json
77 no CUDA: libcuda.so.1 is not found; install <- -d 0 -o new.json
77 no CUDA: libcuda.so.1 is not found; install <- -d cuda:7 -o new.json
2 there is no folder <- -d opencl:0 -o none/new.json
2 there is no folder <- -d opencl:0 -o new.json --apps none
2 path of the application file of star7 <- -d opencl:0 --quick -a star7 -o folder/../star7.json
2 path of the application file of star7: give another <- -d opencl:0 --quick -a star7 -o star7.json
2 is there and is for GeForce GTX 280 <- $CAL -o hotspot.json
2 is a folder: give the name of a file in it <- -d opencl:0 -o folder
2 is for GeForce GTX 280 <- -d opencl:0 -o device.json
2 cell.json is there and is for GeForce GTX 280 <- -d opencl:0 -o own/new.json
2 --model <- --model gz3
2  <- --fit --model gz2

[measure]
77 no such device <- -d device.json --on opencl:99 -o new hotspot
2 gtx281 <- -d gtx281 -o new
77 H200.*--on <- -d h200 -o new poisson
2 -d opencl:0: a device.s name or file is expected.*--on <- -d opencl:0 -o new
2 nothing: no stencil of that name <- -d device.json -o new nothing
2 budget 0: must be a number from 0.001 <- -d device.json --budget 0 -o new
2 --total <- -d device.json --total 1d -o new
2 byte-order mark <- $SWEEP -d mark.json -o new hotspot
2 is a folder: a file is expected <- $SWEEP -d folder -o new hotspot
2 that file is also -d of this run <- $SWEEP -o ./device.json --force hotspot
2 the file exists <- $SWEEP -o hotspot.json hotspot
2 give the table by -o <- -d device.json hotspot

[validate]
2 is a folder: a file is expected <- folder
2 absent.tsv: cannot be opened <- absent.tsv

[gzc]
2 -o plugin.c: that file is also the source of this run <- plugin.c -o plugin.c
2 go with --predict <- plugin.c --explain --json

[sweep/cpi]
2 --nonsense <- --nonsense -o new
2 "more" <- more -o new
2 -o needs an argument <- -o
2 no-such-device <- -d no-such-device -o new
2 :1: <- -d none.json -o new
1 cannot write <- -o no/such/folder/x.tsv
2 -o device.json: that file is also -d of this run <- -d device.json -o device.json

[sweep/sync_latency]
2 this study has meng2011 alone <- --model gz2 -o new

[sweep]
2 NAME is block_size,  <- nosuch

[energy]
2 this study has meng2011 alone <- --model gz2 -o new

[occupancy]
2 warp_size is missing <- --device gtx280 -o new

[jacobi_variants]
2 no device: give its file <- -o new
77 opencl:99 <- -o new -d cpu/device.json --on opencl:99
2 missing.json <- -o new -d missing.json
2 from 0.001 to 3600 <- -o new -d cpu/device.json --budget 0
2 what is "more" <- -o new -d cpu/device.json more

[evidence]
2 must be a time such as <- -d opencl:0 -o new -t 5x
2 must be a time such as <- -d opencl:0 -o new -t 0
2 must be cuda:INDEX or opencl:INDEX <- -d "opencl:0; touch touched" -o new
2 no such step <- -d opencl:0 -o new -s machine,nothing
2 cannot be made <- -d opencl:0 -o new/below/below
2 is not empty and holds no results <- -d opencl:0 -o own -s machine
2 is not empty and holds no results <- -d opencl:0 -o / -s machine

[streams]
2 nonsense: must be cuda:INDEX <- nonsense
77 no such device <- opencl:99
2 no such case <- opencl:0 nonsense
2 is not a number <- opencl:0 star7 256x
2 no such case <- opencl:0 star7 256 7

[multigrid]
2 nonsense: must be cuda:INDEX <- nonsense
77 no such device <- opencl:99
2 EXTENT <- opencl:0 64 nonsense

[correct]
2 nonsense: .*or cuda:INDEX <- nonsense new
77 no such device <- opencl:99 new
2 "nonsense" is no stencil <- opencl:0 new poisson nonsense
2 DEVICE <-

[model]
2 no arguments <- nonsense
