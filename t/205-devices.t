#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# A device comes with its applications; counts of another device are never used without a message.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command qw(run slurp spew scratch);
use JSON::PP;
use Test::More;

my $kept = "$ENV{GZ_SOURCE}/calibrate/devices";
my @words = qw(-a hotspot -s 1024 -b 32x16 -H 2 --json);

# One prediction: its JSON and its messages.
sub predict {
    my ($device, @more) = @_;
    my ($status, $out, $err) = run('predict', '-d', $device, @words, @more);
    is($status, 0, "predict -d $device") or diag($err);
    return (decode_json($out), $err);
}

# Every kept device is found by name, with its applications, and as a file, with those beside it.
for my $folder (glob "$kept/*") {
    my ($name) = $folder =~ m{([^/]+)\z};
    my ($by_name, $said) = predict($name);
    is($said, '', "$name: nothing to say about its own counts");
    ok(!exists $by_name->{profile_device}, "$name: no key either");
    my ($by_path, $said_too) = predict("$folder/device.json");
    is_deeply([$by_path, $said_too], [$by_name, ''], "$name: the file gives the same");
    my $device = decode_json(slurp("$folder/device.json"));
    for my $path (glob "$folder/*.json") {
        next if $path =~ m{/device\.json\z};
        my $profile = decode_json(slurp($path))->{profile};
        is($profile->{device}, $device->{name}, "$path was counted there");
        is($profile->{sm_count}, $device->{sm_count}{value}, "$path: on as many multiprocessors");
    }
    # the same device without its applications
    my $alone = spew(scratch("$name.json"), slurp("$folder/device.json"));
    my ($mixed, $line) = predict($alone);
    like($line, qr/\Agzmodel: hotspot: [^\n]*sm_90[^\n]*\Q$device->{name}\E[^\n]*\n\z/,
        "$name: counts of another device: one line that names both");
    is($mixed->{profile_device}, 'sm_90', "$name: and a key of the result");
    isnt($mixed->{CPL}, $by_name->{CPL}, "$name: they make a difference");
    my ($own) = predict($alone, '-a', "$folder/hotspot.json");
    is($own->{CPL}, $by_name->{CPL}, "$name: its own by their path");
}

# The target's multiprocessors divide the work, the profile's divided the instructions.
my $text = slurp("$ENV{GZ_SOURCE}/libgzmodel/data/devices/gtx280.json");
my $twice = $text =~ s/("sm_count": *\{"value": )30/${1}60/r;
my @papers = ('-a', "$ENV{GZ_SOURCE}/libgzmodel/data/apps/hotspot.json");
my ($one) = predict('gtx280', @papers);
my ($two) = predict(spew(scratch('twice.json'), $twice), @papers);
is($two->{components}{$_}, $one->{components}{$_} / 2, "twice the multiprocessors: half of $_")
    for qw(IterComp MiscComp);

# Keys, old and new.
my $app = slurp("$ENV{GZ_SOURCE}/libgzmodel/data/apps/hotspot.json");
my $old = $app =~ s/ *"device": "GeForce GTX 280",\n *"sm_count": 30,\n//r
    =~ s/("name": "HotSpot",)/$1 "device": "GeForce GTX 280",/r;
my ($older) = predict('gtx280', '-a', spew(scratch('old.json'), $old));
is($older->{CPL}, $one->{CPL}, 'the device outside the profile is read, as in older files');
my $both = $app =~ s/("name": "HotSpot",)/$1 "device": "GeForce GTX 280",/r;
my ($status, $out, $err) = run('predict', '-d', 'gtx280', @words, '-a',
    spew(scratch('both.json'), $both));
is($status, 2, 'stated twice it is refused');
like($err, qr/both\.json:3:32: device is stated twice/, 'with its place');

for my $command (['optimize'], ['choose'], ['sensitivity']) {
    my $device = spew(scratch('other.json'), $text =~ s/GeForce GTX 280/Other/r);
    ($status, $out, $err) = run(@$command, '-d', $device, qw(-a hotspot -s 1024 -b 16 --json));
    is(decode_json($out)->{profile_device}, 'GeForce GTX 280', "@$command says so too") or diag $err;
}

like((run('list'))[1], qr/^  pocl-xeon-2core +pthread/m, 'list names the kept device');
is((run(qw(list -d pocl-xeon-2core)))[1], slurp("$kept/pocl-xeon-2core/device.json"),
    'and prints it');
done_testing();
