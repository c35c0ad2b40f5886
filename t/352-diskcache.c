/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cache of compiled kernels takes only what it wrote itself: links, FIFOs, folders, files that
 * others could write, cut, damaged or oversized files are not hits, do not hang, and give way to a
 * new entry; nothing is written through a link; the cache's size is bounded.
 */
#include "diskcache.h"
#include "tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const struct gzk_cache kernels = {"gzmodel", ".cubin"};
static const char key[] = "NVRTC 13000 sm_90 contract 0\n__global__ void k() {}\n";
static const char content[] = "\177ELF machine code \0 with a zero in it";
static char base[64], folder[80], entry[200], victim[100];

/* What the test itself does to files. */
static void must(bool done)
{
    if (!done)
        exit(1);
}

static bool hit(void)
{
    size_t size = 0;
    char *got = gzk_cache_get(&kernels, key, &size);
    bool same = got && size == sizeof content && memcmp(got, content, size) == 0;
    free(got);
    return same;
}

static void put(void)
{
    gzk_cache_put(&kernels, key, content, sizeof content);
}

/* Fills in the path of the only entry; returns how many files the folder has. */
static int find_entry(void)
{
    DIR *listing = opendir(folder);
    struct dirent *file;
    int count = 0;
    while (listing && (file = readdir(listing)))
        if (file->d_name[0] != '.') {
            snprintf(entry, sizeof entry, "%s/%.100s", folder, file->d_name);
            count++;
        }
    if (listing)
        closedir(listing);
    return count;
}

/* What was put in the entry's place is not taken, and does not stay. */
static void spoiled(const char *what)
{
    bool taken = hit();
    put();
    tap_ok(!taken && hit() && find_entry() == 1, "%s is not taken, and is replaced", what);
}

static void write_byte(off_t at, int whence, unsigned char byte)
{
    int file = open(entry, O_WRONLY);
    must(file >= 0 && lseek(file, at, whence) >= 0 && write(file, &byte, 1) == 1);
    close(file);
}

static void copy_to_victim(void)
{
    char command[400];
    snprintf(command, sizeof command, "cp '%s' '%s'", entry, victim);
    must(system(command) == 0);
}

static bool victim_is(off_t size)
{
    struct stat status;
    return stat(victim, &status) == 0 && status.st_size == size;
}

static void check_entries(void)
{
    struct stat status;
    put();
    tap_ok(hit() && find_entry() == 1, "what was put is got back");
    tap_ok(stat(entry, &status) == 0 && (status.st_mode & 0777) == 0600, "only its user reads it");
    size_t size = 1;
    char *other = gzk_cache_get(&kernels, "another key", &size);
    tap_ok(!other && size == 0, "another key is not a hit");

    must(truncate(entry, 100) == 0);
    spoiled("a file that was cut");
    must(truncate(entry, 0) == 0);
    spoiled("an empty file");
    write_byte(-3, SEEK_END, 0x55);
    spoiled("a changed byte of the contents");
    write_byte(0, SEEK_END, 0);
    spoiled("a file with a byte too many");
    write_byte(24, SEEK_SET, 0xFF);
    spoiled("a wrong length in the head");
    write_byte(31, SEEK_SET, 0xFF);
    spoiled("a length that overflows");
    write_byte(50, SEEK_SET, 'X');
    spoiled("the entry of another key of the same hash");
    must(truncate(entry, (off_t)1 << 40) == 0);
    spoiled("a file of a terabyte");

    copy_to_victim();
    unlink(entry);
    must(symlink(victim, entry) == 0);
    stat(victim, &status);
    spoiled("a link to a good entry");
    tap_ok(victim_is(status.st_size), "and what it led to is untouched");
    chmod(entry, 0666);
    spoiled("a file that others may write");
    unlink(entry);
    must(mkfifo(entry, 0600) == 0);
    spoiled("a FIFO without a writer");
    if (geteuid() == 0) {
        must(chown(entry, 12345, 12345) == 0);
        spoiled("another user's file");
    } else {
        tap_skip("only root can give files away");
    }
    unlink(entry);
    mkdir(entry, 0700);
    tap_ok(!hit(), "a folder is not an entry");
    put();
    tap_ok(!hit() && find_entry() == 1, "and nothing is left of the attempt to replace it");
    rmdir(entry);
}

static void check_folders(void)
{
    char elsewhere[100];
    put();
    chmod(folder, 0777);
    tap_ok(!hit(), "nothing is taken from a folder that others may write");
    tap_ok(find_entry() == 1, "and nothing is removed there");
    chmod(folder, 0700);
    tap_ok(hit(), "and it is, once they may not");
    if (geteuid() == 0) {
        must(chown(folder, 12345, 12345) == 0);
        tap_ok(!hit(), "nothing is taken from another user's folder");
        must(chown(folder, 0, 0) == 0);
    } else {
        tap_skip("only root can give folders away");
    }
    snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", base);
    must(rename(folder, elsewhere) == 0 && symlink(elsewhere, folder) == 0);
    tap_ok(!hit(), "nothing is taken through a link to a folder");
    unlink(folder);
    must(rename(elsewhere, folder) == 0);
    if (find_entry() == 1)
        unlink(entry);
}

/* Sixteen entries of 20 MiB are more than the cache holds: the oldest go, the newest stays. */
static void check_bound(void)
{
    enum { BYTES = 20 << 20, ENTRIES = 16 };
    char *large = calloc(1, BYTES), name[40];
    long long total = 0;
    int kept = 0;
    if (!large)
        exit(1);
    for (int i = 0; i < ENTRIES; i++) {
        struct timespec times[2] = {{.tv_sec = 1000000 + i}, {.tv_sec = 1000000 + i}};
        snprintf(name, sizeof name, "key %d", i);
        gzk_cache_put(&kernels, name, large, BYTES);
        /* Ages, as of files that were used long ago. */
        DIR *listing = opendir(folder);
        struct dirent *file;
        while (listing && (file = readdir(listing))) {
            struct stat status;
            snprintf(entry, sizeof entry, "%s/%.100s", folder, file->d_name);
            if (file->d_name[0] != '.' && stat(entry, &status) == 0 && status.st_mtime > 2000000)
                utimensat(AT_FDCWD, entry, times, 0);
        }
        if (listing)
            closedir(listing);
    }
    for (int i = 0; i < ENTRIES; i++) {
        size_t size;
        snprintf(name, sizeof name, "key %d", i);
        char *got = gzk_cache_get(&kernels, name, &size);
        kept += got != NULL;
        total += got ? (long long)size : 0;
        if (i == 0)
            tap_ok(!got, "the oldest entry is gone");
        if (i == ENTRIES - 1)
            tap_ok(got != NULL, "the newest is there");
        free(got);
    }
    tap_ok(total <= GZK_CACHE_BYTES && kept >= 10, "%d of %d entries of 20 MiB stay", kept,
           (int)ENTRIES);
    while (find_entry() > 0)
        unlink(entry);
    free(large);
    large = calloc(1, GZK_CACHE_ENTRY_BYTES);
    if (!large)
        exit(1);
    gzk_cache_put(&kernels, key, large, GZK_CACHE_ENTRY_BYTES);
    tap_ok(find_entry() == 0, "what is larger than an entry may be is not stored");
    free(large);
}

int main(void)
{
    /* A FIFO that is waited for ends the test, as a failure. */
    alarm(60);
    snprintf(base, sizeof base, "/tmp/gz-cache-XXXXXX");
    if (!mkdtemp(base))
        return 1;
    setenv("XDG_CACHE_HOME", base, 1);
    snprintf(folder, sizeof folder, "%s/gzmodel", base);
    snprintf(victim, sizeof victim, "%s/victim", base);
    check_entries();
    check_folders();
    check_bound();
    rmdir(folder);
    unlink(victim);
    tap_ok(rmdir(base) == 0, "nothing is left");
    setenv("XDG_CACHE_HOME", "relative", 1);
    unsetenv("HOME");
    put();
    tap_ok(!hit(), "without a home there is no cache");
    return tap_done();
}
