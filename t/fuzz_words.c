/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fuzz_words.c - what must hold for a command line of any words whatever: gzrun's, which has every
 * kind of option that there is (numbers, ranges, extents, lists, names, files). A text is the
 * words, one a line.
 */
#include "cmdline.h"
#include "fuzz.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WORDS = 40 };

/* Splits a copy of the text into words; returns how many. */
static int split(char *copy, char *words[MAX_WORDS + 2])
{
    int n = 0;
    words[n++] = "gzrun";
    for (char *word = strtok(copy, "\n"); word && n <= MAX_WORDS; word = strtok(NULL, "\n"))
        words[n++] = word;
    words[n] = NULL;
    return n;
}

static void check_numbers(const struct cli_numbers *numbers)
{
    require(numbers->count <= CLI_MAX_LIST, "a list is bounded", "");
    for (size_t k = 0; k < numbers->count; k++)
        require(isfinite(numbers->values[k]) && numbers->values[k] >= 1, "a height is at least 1",
                "");
}

/* What is accepted can be run, or refused by what is behind the command line. */
static void check_accepted(const struct gzk_options *options)
{
    if (options->ended || options->list)
        return;
    require(options->config.stencil != NULL, "there is a stencil", "");
    require(options->config.height >= 1 && options->config.loops >= 1, "heights and loops", "");
    require(options->runs >= 0 && options->time_s >= 0 && isfinite(options->time_s),
            "runs and time", "");
    require(options->input_count >= 0 && options->input_count <= GZK_MAX_INPUTS,
            "inputs are bounded", "");
    for (int i = 0; i < 3; i++)
        require(options->config.size[i] >= 1, "a grid has cells", "");
    check_numbers(&options->space.heights);
    require(options->space.block_count >= 0 && options->space.block_count <= CLI_MAX_LIST &&
                gzk_space_points(&options->space) >= 1,
            "a space has points", "");
}

/* Where a sanitizer reports; absent without one. */
extern void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

/* Silences stderr while words are read, since every refusal says something there, and gives it back
 * to libFuzzer's statistics after that. What a sanitizer reports goes where stderr went at first.
 */
static void silence(int on)
{
    static int own = -1, nowhere = -1;
    if (own < 0) {
        own = dup(2);
        nowhere = open("/dev/null", O_WRONLY);
        if (own < 0 || nowhere < 0)
            abort();
        if (__sanitizer_set_report_fd)
            __sanitizer_set_report_fd((void *)(intptr_t)own);
    }
    fflush(stderr);
    if (dup2(on ? nowhere : own, 2) < 0)
        abort();
}

/* 0 if the words are accepted. */
static int read_words(const uint8_t *data, size_t size, struct gzk_options *options)
{
    char *words[MAX_WORDS + 2], *copy = malloc(size + 1);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    copy[size] = '\0';
    int n = split(copy, words);
    silence(1);
    int status = gzk_options_read(n, words, options);
    silence(0);
    require(status == CLI_DONE || status == CLI_BAD_INPUT || status == CLI_FAILED ||
                status == CLI_NO_DEVICE,
            "the status is one of those that are documented", "");
    if (status == CLI_DONE)
        check_accepted(options);
    free(copy);
    return status;
}

const char *fuzz_start(size_t index)
{
    static const char *const starts[] = {
        "-a\nhotspot\n-d\nopencl:0\n-s\n1024\n-b\n258x66\n-H\n4\n--verify\n",
        "--app=star7\n-s\n30x20x10\n-b8x8x8\n-y\nfence\n--loops\n7\n--runs=3\n--"
        "seed\n18446744073709551615\n",
        "-H\n1:16\n-b\n64x64,258x66\n-y\nall\n--variant\nall\n-o\nnew.tsv\n--resume\n",
        "--tune=5s\n--model\ngz2\n-s\n512\n--json\n",
        "-a\npathfinder\n--threads\n64\n--contract\noff\n--input\na\nb\n--output\nc\n--t4\nd\n-"
        "q\n"};
    return index < sizeof starts / sizeof *starts ? starts[index] : NULL;
}

int fuzz_accepts(const uint8_t *data, size_t size)
{
    struct gzk_options options = {0};
    cli_set_program("gzrun");
    int status = read_words(data, size, &options);
    free(options.partial);
    return status == CLI_DONE;
}
