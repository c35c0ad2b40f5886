/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "settings.h"

#include <ctype.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 3, MOST_NUMBER = 1 << 20 };

static const struct {
    const char *name, *words[MOST_WORDS];
    int numbers;
    const char *valid;
} settings[] = {
    [GZS_BLOCK] = {"GZ_BLOCK", {NULL}, 3, "be extents such as 64x16"},
    [GZS_CHECK] = {"GZ_CHECK", {"0", "1", "warn"}, 0, "be 0, 1 or warn"},
    [GZS_DEVICE] = {.name = "GZ_DEVICE"},
    [GZS_DEVICE_FILE] = {.name = "GZ_DEVICE_FILE"},
    [GZS_HEIGHT] = {"GZ_HEIGHT", {NULL}, 1, "be a whole number such as 4"},
    [GZS_ORIGINAL] = {"GZ_ORIGINAL", {"auto", "never", "always"}, 0, "be auto, never or always"},
    [GZS_PLAN] = {.name = "GZ_PLAN"},
    [GZS_REPORT] = {"GZ_REPORT", {"0", "1"}, 0, "be 0 or 1"},
    [GZS_TRY] = {"GZ_TRY", {"0", "1"}, 0, "be 0 or 1"},
    [GZS_VARIANT] = {"GZ_VARIANT",
                     {"stream", "trapezoid", "naive"},
                     0,
                     "be stream, trapezoid or naive"},
};
static atomic_bool told[sizeof settings / sizeof *settings];

const char *gzs_text(enum gzs_setting setting)
{
    const char *text = getenv(settings[setting].name);
    return text && *text ? text : NULL;
}

void gzs_ignore(enum gzs_setting setting, const char *why)
{
    if (!atomic_exchange(&told[setting], true))
        fprintf(stderr, "gzstencil: %s: %s\n", settings[setting].name, why);
}

static void refuse(enum gzs_setting setting, const char *text)
{
    if (!atomic_exchange(&told[setting], true))
        fprintf(stderr, "gzstencil: %s=%.50s is ignored: must %s\n", settings[setting].name, text,
                settings[setting].valid);
}

int gzs_word(enum gzs_setting setting)
{
    const char *text = gzs_text(setting);
    if (!text)
        return -1;
    for (int i = 0; i < MOST_WORDS && settings[setting].words[i]; i++)
        if (strcmp(text, settings[setting].words[i]) == 0)
            return i;
    refuse(setting, text);
    return -1;
}

int gzs_numbers(enum gzs_setting setting, int numbers[3])
{
    const char *text = gzs_text(setting), *at = text;
    int count = 0;

    while (at && count < settings[setting].numbers && isdigit((unsigned char)*at)) {
        char *end;
        long number = strtol(at, &end, 10);
        if (number > MOST_NUMBER)
            break;
        numbers[count++] = (int)number;
        if (!*end)
            return count;
        if (*end != 'x')
            break;
        at = end + 1;
    }
    if (text)
        refuse(setting, text);
    memset(numbers, 0, 3 * sizeof *numbers);
    return 0;
}
