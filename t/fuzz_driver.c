/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fuzz_driver.c - calls fuzz_accepts with mutations of valid texts, from a seed.
 * For compilers without libFuzzer, and for the tests.
 *
 * Usage: fuzz_driver FILES SEED. Speaks TAP; a broken promise or a sanitizer's finding aborts, so
 * the plan is not kept. The text under test is then in the file named by GZ_FUZZ_SAVE, if that is
 * set.
 */
#define FUZZ_DRIVER
#include "fuzz.h"
#include "tap.h"

#include <fcntl.h>
#include <unistd.h>

#define MAX_SIZE 8192

/* splitmix64 (Steele, Lea, Flood 2014): the same numbers everywhere, from any seed. */
static uint64_t state;

static uint64_t next_random(void)
{
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform over 0 to n-1, but for a bias that does not matter here. */
static size_t below(size_t n)
{
    return (size_t)(next_random() % n);
}

struct text {
    char bytes[MAX_SIZE];
    size_t size;
};

/* Replaces `removed` bytes at `at` by `size` others, if that fits. */
static void splice(struct text *text, size_t at, size_t removed, const char *bytes, size_t size)
{
    if (removed > text->size - at)
        removed = text->size - at;
    if (text->size - removed + size > MAX_SIZE)
        return;
    memmove(text->bytes + at + size, text->bytes + at + removed, text->size - at - removed);
    memcpy(text->bytes + at, bytes, size);
    text->size = text->size - removed + size;
}

/* What a file may hold in the wrong place: structure, numbers at the edges of ranges, keys. */
static const char tokens[] =
    "{~}~[~]~,~:~\"~\\~\n~\\u0000~\\u000a~\\ud800~null~true~NaN~Infinity~0~-0~-1~0.5~"
    "1e-400~1e308~1e309~1e999999999~99999999999999999999~1.7976931348623157e308~4.9e-324~"
    "\xff~\xc3\xa9~{}~[]~\"value\"~\"unit\"~\"origin\"~\"sd\":1,~\"note\":\"\",~"
    "\"graph_overhead\"~\"shared_mem_per_block\"~\"profile\"~\"elements\"~\"halo_width\"~"
    "\"Hz\"~\"B\"~\"1\"~{\"value\":1,\"unit\":\"1\"}~[[[[[[[[[[[[[[[[[[[[[[~"
    "\"name\":\"x\",~\t~# ~# rows: ~# app hotspot: ~# partial: ~quiet~restart~2x2~\r\n~";

/* One of them, each of which ends with ~. */
static const char *any_token(size_t *length)
{
    size_t count = 0;
    const char *token = tokens;
    for (const char *at = tokens; *at; at++)
        count += *at == '~';
    for (size_t k = below(count); k > 0; k--)
        token = strchr(token, '~') + 1;
    *length = strcspn(token, "~");
    return token;
}

static void mutate(struct text *text)
{
    size_t at = below(text->size + 1), from = below(text->size + 1);
    char copy[256], byte = (char)next_random();
    size_t length = below(sizeof copy), token_length;
    const char *token = any_token(&token_length);
    switch (below(7)) {
    case 0: /* another byte */
        splice(text, at, 1, &byte, 1);
        break;
    case 1: /* a bit */
        if (at < text->size)
            text->bytes[at] = (char)(text->bytes[at] ^ (1 << below(8)));
        break;
    case 2:
        splice(text, at, below(40), "", 0);
        break;
    case 3:
        splice(text, at, 0, token, token_length);
        break;
    case 4: /* a token in place of a word */
        splice(text, at, below(12), token, token_length);
        break;
    case 5: /* a piece from elsewhere */
        if (length > text->size - from)
            length = text->size - from;
        memcpy(copy, text->bytes + from, length);
        splice(text, at, 0, copy, length);
        break;
    default:
        text->size = at;
    }
}

static void start_from(struct text *text, const char *file)
{
    text->size = strlen(file);
    if (text->size > MAX_SIZE)
        text->size = MAX_SIZE;
    memcpy(text->bytes, file, text->size);
}

/* The next text: a valid one, after one to eight mutations. */
static void make_text(struct text *text)
{
    size_t starts = 0;
    while (fuzz_start(starts))
        starts++;
    start_from(text, fuzz_start(below(starts)));
    for (size_t n = 1 + below(8); n > 0; n--)
        mutate(text);
}

/* Into a file that stays open: some file systems wait for the disk if one is cut and closed. */
static void save(const struct text *text, int file)
{
    if (pwrite(file, text->bytes, text->size, 0) != (ssize_t)text->size ||
        ftruncate(file, (off_t)text->size) != 0)
        tap_note("the text cannot be saved");
}

int main(int argc, char **argv)
{
    static struct text text;
    unsigned long files = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000, accepted = 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const char *path = getenv("GZ_FUZZ_SAVE");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    tap_note("seed %llu", (unsigned long long)seed);
    state = seed;
    for (unsigned long k = 0; k < files; k++) {
        make_text(&text);
        if (file >= 0)
            save(&text, file);
        /* Mutations that are never accepted test little. */
        accepted += (unsigned long)(fuzz_accepts((const uint8_t *)text.bytes, text.size) != 0);
    }
    tap_note("%lu of %lu mutated files were still valid", accepted, files);
    tap_ok(accepted > 0 && accepted < files, "the readers keep their promises on mutated files");
    return tap_done();
}
