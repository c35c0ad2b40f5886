/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all programs share: lists and ranges on the command line, seeds with every bit, quantiles
 * compared with GSL's, which files are the same, files that are not text, the time left.
 */
#include "files.h"
#include "numbers.h"
#include "options.h"
#include "progress.h"
#include "tap.h"

#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------ numbers */

static void numbers(void)
{
    enum { MOST = 40 };
    double worst = 0, spread_off = 0;
    unsigned long seed = 12345;
    for (int n = 1; n <= MOST; n++) {
        double values[MOST];
        for (int k = 0; k < n; k++) {
            seed = seed * 6364136223846793005UL + 1442695040888963407UL;
            values[k] = 1 + (double)(seed >> 40) / (1 << 24);
        }
        cli_sort(values, (size_t)n);
        for (int q = 0; q <= 20; q++)
            worst = fmax(worst,
                         fabs(cli_quantile(values, (size_t)n, q / 20.) -
                              gsl_stats_quantile_from_sorted_data(values, 1, (size_t)n, q / 20.)));
        spread_off =
            fmax(spread_off, fabs(cli_spread(values, (size_t)n) *
                                      gsl_stats_median_from_sorted_data(values, 1, (size_t)n) -
                                  gsl_stats_quantile_from_sorted_data(values, 1, (size_t)n, 0.75) +
                                  gsl_stats_quantile_from_sorted_data(values, 1, (size_t)n, 0.25)));
    }
    tap_ok(worst < 1e-14, "quantiles are GSL's (seed 12345): %g off at most", worst);
    tap_ok(spread_off < 1e-14, "and so is the spread: %g", spread_off);
    tap_ok(isnan(cli_quantile(NULL, 0, 0.5)), "nothing has no quantile");
    const double lengths[] = {2000, 1000.5, 3};
    const struct cli_lengths_text text = cli_lengths_text(3, lengths);
    tap_ok(strcmp(text.text, "2000x1000.5x3") == 0, "lengths: %s", text.text);
    tap_ok(cli_product(3, lengths) == 6003000 && cli_product(0, lengths) == 1, "their product");
    double one = cli_now(), two = cli_now();
    tap_ok(two >= one, "time does not run backwards");
}

static void progress(void)
{
    struct cli_progress bar = {.start_s = 100, .total = 50, .done = 10};
    tap_close(cli_progress_left_s(&bar, 104), 16, 1e-12, "a fifth in 4 s: 16 s left");
    bar.done = 0.5;
    tap_ok(isnan(cli_progress_left_s(&bar, 104)), "no estimate from almost nothing");
    cli_progress_begin(&bar, 7);
    tap_ok(bar.total == 7 && bar.done == 0 && bar.start_s > 0, "the bar begins anew");
}

/* -------------------------------------------------------------------------------------- lists */

/* A list as it was read: "1 2 3"; "!" if it is refused. */
static const char *read_list(const char *text)
{
    static struct cli_numbers list;
    static char said[400];
    size_t used = 0;
    if (cli_read_numbers("-H", text, 1, 64, &list))
        return "!";
    said[0] = '\0';
    for (size_t k = 0; k < list.count && used < sizeof said; k++)
        used +=
            (size_t)snprintf(said + used, sizeof said - used, "%s%g", k ? " " : "", list.values[k]);
    return said;
}

static void lists(void)
{
    static const struct {
        const char *text, *read;
    } cases[] = {
        {"4", "4"},     {"1:5", "1 2 3 4 5"}, {"1:10:4", "1 5 9"}, {"1,2,4:8:2", "1 2 4 6 8"},
        {"7,3", "7 3"}, {"5:5", "5"},         {"", "!"},           {",", "!"},
        {"1,", "!"},    {",1", "!"},          {"1:", "!"},         {":4", "!"},
        {"4:1", "!"},   {"1:4:0", "!"},       {"1:2:3:4", "!"},    {"0", "!"},
        {"65", "!"},    {"1:65", "!"},        {"1.5", "!"},        {"1,1", "!"},
        {"1:4,3", "!"}, {"1 ,2", "!"},        {"a", "!"},          {"1:b", "!"},
        {"1e1", "10"},  {"-1", "!"},          {"nan", "!"},        {"1;2", "!"},
        {"all", "!"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *got = read_list(cases[k].text);
        tap_ok(strcmp(got, cases[k].read) == 0, "\"%s\" is %s", cases[k].text, got);
    }
    static struct cli_shapes shapes;
    tap_ok(cli_read_shapes("-b", "64x64,258x66,7", &shapes) == 0 && shapes.count == 3 &&
               shapes.shapes[1].length[0] == 258 && shapes.shapes[1].length[1] == 66 &&
               shapes.shapes[2].count == 1,
           "three shapes");
    static const char *const bad[] = {"", "64x", "64x64,", "64x64,64x64", "1x2x3x4", "0", "x"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        tap_ok(cli_read_shapes("-b", bad[k], &shapes) == CLI_BAD_INPUT,
               "\"%s\" is not a list of shapes", bad[k]);
    static const char *const names[] = {"restart", "fence", "graph"};
    unsigned bits = 0;
    tap_ok(cli_read_choices("-y", "all", names, 3, &bits) == 0 && bits == 7, "all");
    tap_ok(cli_read_choices("-y", "graph,restart", names, 3, &bits) == 0 && bits == 5, "two");
    tap_ok(cli_read_choices("-y", "fence,fence", names, 3, &bits) == CLI_BAD_INPUT, "one twice");
    tap_ok(cli_read_choices("-y", "fence,", names, 3, &bits) == CLI_BAD_INPUT, "one of no name");
    tap_ok(cli_read_choices("-y", "Fence", names, 3, &bits) == CLI_BAD_INPUT, "one of another");
}

static void seeds(void)
{
    uint64_t seed = 0;
    tap_ok(cli_read_seed("--seed", "9007199254740993", &seed) == 0 && seed == 9007199254740993,
           "2^53 + 1 keeps its last bit");
    tap_ok(cli_read_seed("--seed", "9223372036854775807", &seed) == 0 && seed == INT64_MAX,
           "2^63 - 1");
    static const char *const bad[] = {
        "9223372036854775808", "99999999999999999999", "-1", "1.5", "1e3", " 1", "", "0x10"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        tap_ok(cli_read_seed("--seed", bad[k], &seed) == CLI_BAD_INPUT, "\"%s\" is not a seed",
               bad[k]);
}

/* -------------------------------------------------------------------------------------- files */

static void write_file(const char *path, const char *text, size_t size)
{
    FILE *to = fopen(path, "w");
    if (!to || fwrite(text, 1, size, to) != size || fclose(to) != 0)
        exit(1);
}

static void files(void)
{
    char folder[] = "/tmp/gz-front-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0)
        exit(1);
    write_file("one", "text\n", 5);
    write_file("empty", "", 0);
    if (link("one", "hard") != 0 || symlink("one", "soft") != 0 || mkdir("sub", 0777) != 0)
        exit(1);
    char *absolute = cli_text("%s/one", folder), *new_one = cli_text("%s/sub/../new", folder);
    tap_ok(cli_same_file("one", "./one") && cli_same_file("one", "sub/../one") &&
               cli_same_file("one", absolute),
           "a file by several paths is the same");
    tap_ok(cli_same_file("one", "hard") && cli_same_file("soft", "one"), "and by links");
    tap_ok(!cli_same_file("one", "empty") && !cli_same_file("one", "new"), "two files are not");
    tap_ok(cli_same_file("new", "./new") && cli_same_file("new", new_one) &&
               !cli_same_file("new", "sub/new"),
           "files that are not there yet go by folder and name");
    tap_ok(!cli_same_file("-", "-") && !cli_same_file("/dev/null", "/dev/null"),
           "streams are never the same");
    tap_ok(cli_is_there("one") && !cli_is_there("empty") && !cli_is_there("sub") &&
               !cli_is_there("new") && !cli_is_there("-"),
           "what would be lost: a file that is not empty");
    const struct cli_file clash[] = {
        {"-a", "one", false}, {"-d", "empty", false}, {"-o", "soft", true}};
    const struct cli_file two[] = {{"-o", "new", true}, {"--t4", "./new", true}};
    const struct cli_file fine[] = {
        {"-a", "one", false}, {"-d", "one", false}, {"-o", "new", true}, {"--t4", NULL, true}};
    tap_ok(cli_check_files(clash, 3) == CLI_BAD_INPUT, "an output that is an input is refused");
    tap_ok(cli_check_files(two, 2) == CLI_BAD_INPUT, "two outputs into one file are refused");
    tap_ok(cli_check_files(fine, 4) == CLI_DONE, "one file as two inputs is not");
    tap_ok(cli_check_replaces("-o", "one", false) == CLI_BAD_INPUT &&
               cli_check_replaces("-o", "one", true) == CLI_DONE &&
               cli_check_replaces("-o", "new", false) == CLI_DONE,
           "what is there is replaced by force alone");
    char *beside = cli_beside("a/b/c.json", "d.json"), *here = cli_beside("c.json", "d.json");
    tap_ok(strcmp(beside, "a/b/d.json") == 0 && strcmp(here, "d.json") == 0,
           "a path beside another");
    free(beside);
    free(here);

    static const struct {
        const char *text, *why;
        size_t size;
    } texts[] = {
        {"fine\n", NULL, 5},        {"\xEF\xBB\xBF{}", "byte-order mark", 5},
        {"\xFF\xFE{", "UTF-16", 3}, {"a\0b", "zero byte, at byte 2", 3},
        {"a\r\nb\r\n", "CR LF", 6}, {"\xC3\xA4\n", NULL, 3},
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        char why[200] = "";
        size_t size = 0;
        write_file("text", texts[k].text, texts[k].size);
        char *got = cli_read_text("text", &size, why, sizeof why);
        tap_ok(texts[k].why ? !got && strstr(why, texts[k].why) != NULL
                            : got && size == texts[k].size,
               "text %zu: %s", k, got ? "read" : why);
        free(got);
    }
    char why[200] = "";
    size_t size;
    tap_ok(!cli_read_text("sub", &size, why, sizeof why) && strstr(why, "is a folder"), "%s", why);
    tap_ok(!cli_read_text("none", &size, why, sizeof why) && strstr(why, "cannot be opened"), "%s",
           why);
    free(absolute);
    free(new_one);
    char *clean = cli_text("rm -r '%s'", folder);
    if (chdir("/") != 0 || system(clean) != 0)
        exit(1);
    free(clean);
}

int main(void)
{
    cli_set_program("t/290");
    if (!freopen("/dev/null", "w", stderr)) /* what is refused is also said */
        return 1;
    numbers();
    progress();
    lists();
    seeds();
    files();
    return tap_done();
}
