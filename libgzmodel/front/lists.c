/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lists.c - options that take several values: "1:16", "1,2,4:8:2", "64x64,258x66", "restart,fence",
 * "all".
 */
#include "options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next piece of a list, up to a comma, into `piece`; moves `*at` behind it, or to NULL at the
 * end. */
static int next_piece(const char *what, const char *text, const char **at, char piece[64])
{
    size_t length = strcspn(*at, ",");
    if (length == 0 || length >= 64)
        return cli_fail(CLI_BAD_INPUT,
                        "%s: \"%.60s\" has %s between its commas (expected, for example, 1,2,4)",
                        what, text, length == 0 ? "nothing" : "too much");
    memcpy(piece, *at, length);
    piece[length] = '\0';
    *at = (*at)[length] ? *at + length + 1 : NULL;
    return CLI_DONE;
}

static int add_number(const char *what, struct cli_numbers *list, double value)
{
    for (size_t k = 0; k < list->count; k++)
        if (list->values[k] == value)
            return cli_fail(CLI_BAD_INPUT, "%s: %.15g is given twice: must be given once", what,
                            value);
    if (list->count == CLI_MAX_LIST)
        return cli_fail(CLI_BAD_INPUT, "%s: more than %d values", what, CLI_MAX_LIST);
    list->values[list->count++] = value;
    return CLI_DONE;
}

/* "4", "1:16" or "1:16:5". */
static int add_range(const char *what, char *piece, double least, double most,
                     struct cli_numbers *list)
{
    double bound[3] = {0, 0, 1};
    int n = 0, status = CLI_DONE;
    for (char *place = piece; place && !status; n++) {
        char *colon = strchr(place, ':');
        if (colon)
            *colon++ = '\0';
        if (n == 3)
            return cli_fail(CLI_BAD_INPUT,
                            "%s: a range of more than three numbers (expected, for example, 1:16 "
                            "or 1:16:5)",
                            what);
        status = cli_read_in_range(what, place, true, n == 2 ? 1 : least, most, &bound[n]);
        place = colon;
    }
    if (status)
        return status;
    if (n == 1)
        bound[1] = bound[0];
    if (bound[1] < bound[0])
        return cli_fail(CLI_BAD_INPUT, "%s: %.15g:%.15g runs backwards: write %.15g:%.15g", what,
                        bound[0], bound[1], bound[1], bound[0]);
    for (double x = bound[0]; x <= bound[1] && !status; x += bound[2])
        status = add_number(what, list, x);
    return status;
}

int cli_read_numbers(const char *what, const char *text, double least, double most,
                     struct cli_numbers *out)
{
    char piece[64];
    int status = CLI_DONE;
    *out = (struct cli_numbers){0};
    for (const char *at = text; at && !status;) {
        status = next_piece(what, text, &at, piece);
        if (!status)
            status = add_range(what, piece, least, most, out);
    }
    return status;
}

int cli_read_places(const char *what, const char *text, double least, double most, int places,
                    int *out)
{
    char piece[64];
    int given = 0, status = CLI_DONE;
    for (const char *at = text; at && !status; given++) {
        double value = 0;
        if (given == places)
            return cli_fail(CLI_BAD_INPUT, "%s: \"%.60s\" has more than %d numbers", what, text,
                            places);
        status = next_piece(what, text, &at, piece);
        if (!status)
            status = cli_read_in_range(what, piece, true, least, most, &value);
        out[given] = (int)value;
    }
    for (int k = given; k < places && !status; k++)
        out[k] = out[given - 1];
    return status;
}

int cli_read_shapes(const char *what, const char *text, struct cli_shapes *out)
{
    char piece[64];
    int status = CLI_DONE;
    *out = (struct cli_shapes){0};
    for (const char *at = text; at && !status;) {
        status = next_piece(what, text, &at, piece);
        if (!status && out->count == CLI_MAX_LIST)
            status = cli_fail(CLI_BAD_INPUT, "%s: more than %d values", what, CLI_MAX_LIST);
        if (!status)
            status = cli_read_extents(what, piece, &out->shapes[out->count]);
        for (int k = 0; k < out->count && !status; k++)
            if (memcmp(&out->shapes[k], &out->shapes[out->count], sizeof out->shapes[k]) == 0)
                status = cli_fail(CLI_BAD_INPUT, "%s: %s is given twice: must be given once", what,
                                  piece);
        out->count += status == CLI_DONE;
    }
    return status;
}

int cli_read_choices(const char *what, const char *text, const char *const *names, int n,
                     unsigned *out)
{
    char piece[64], all[200] = "";
    int status = CLI_DONE;
    size_t used = 0;
    for (int k = 0; k < n && used < sizeof all; k++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", k ? ", " : "", names[k]);
    *out = 0;
    if (strcmp(text, "all") == 0) {
        *out = (1U << n) - 1;
        return CLI_DONE;
    }
    for (const char *at = text; at && !status;) {
        status = next_piece(what, text, &at, piece);
        unsigned bit = 0;
        for (int k = 0; k < n && !status; k++)
            bit |= strcmp(piece, names[k]) == 0 ? 1U << k : 0;
        if (!status && !bit)
            status = cli_fail(CLI_BAD_INPUT, "%s: \"%.60s\" is unknown: must be %s, or all", what,
                              piece, all);
        if (!status && *out & bit)
            status =
                cli_fail(CLI_BAD_INPUT, "%s: %s is given twice: must be given once", what, piece);
        *out |= bit;
    }
    return status;
}
