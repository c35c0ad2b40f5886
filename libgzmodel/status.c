/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * status.c - texts of the library's codes.
 */
#include "gzmodel.h"

#include <string.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *gz_version(void)
{
    return TEXT(GZ_VERSION_MAJOR) "." TEXT(GZ_VERSION_MINOR) "." TEXT(GZ_VERSION_PATCH);
}

const char *gz_strerror(gz_status status)
{
    switch (status) {
    case GZ_OK:
        return "success";
    case GZ_EARGUMENT:
        return "a null pointer or an unknown enumeration value was passed";
    case GZ_EDEVICE:
        return "a device quantity is missing, not finite or out of its range";
    case GZ_EAPP:
        return "an application quantity is missing, not finite or out of its range";
    case GZ_ECONFIG:
        return "a grid or block length is not finite or out of its range";
    case GZ_EBLOCK:
        return "the block is no longer than the halo, so no tile is left at height 1";
    case GZ_ETHREADS:
        return "the block has more threads than the device allows";
    case GZ_EHEIGHT:
        return "the height leaves no tile, or the bounds leave no height";
    case GZ_EOVERFLOW:
        return "a result is not a finite number";
    case GZ_ECONVERGE:
        return "the optimality condition could not be met";
    case GZ_EIO:
        return "a file could not be read";
    case GZ_EFORMAT:
        return "a file does not follow its schema";
    case GZ_EUNKNOWN:
        return "there is no built-in of that name, and no such file";
    case GZ_ELIMITS:
        return "the limits on the tile are out of range or leave no tile";
    case GZ_ENOMEM:
        return "out of memory";
    case GZ_EMODEL:
        return "the model does not describe that";
    }
    return "unknown status";
}

/* The position of a name in a list of `n`; -1 if it is not there. */
static int position(const char *const *names, size_t n, const char *name)
{
    for (size_t k = 0; name && k < n; k++)
        if (strcmp(names[k], name) == 0)
            return (int)k;
    return -1;
}

#define COUNT(names) (sizeof names / sizeof *names)
#define NAME_OF(names, value) ((size_t)(value) < COUNT(names) ? names[value] : NULL)

static const char *const statuses[] = {"GZ_OK",        "GZ_EARGUMENT", "GZ_EDEVICE",  "GZ_EAPP",
                                       "GZ_ECONFIG",   "GZ_EBLOCK",    "GZ_ETHREADS", "GZ_EHEIGHT",
                                       "GZ_EOVERFLOW", "GZ_ECONVERGE", "GZ_EIO",      "GZ_EFORMAT",
                                       "GZ_EUNKNOWN",  "GZ_ELIMITS",   "GZ_ENOMEM",   "GZ_EMODEL"};

const char *gz_status_name(gz_status status)
{
    return NAME_OF(statuses, -(long long)status);
}

int gz_status_by_name(const char *name)
{
    return -position(statuses, COUNT(statuses), name);
}

static const char *const origins[] = {"none",     "paper",   "vendor", "query",
                                      "measured", "counted", "fitted", "default"};

const char *gz_origin_name(gz_origin origin)
{
    return NAME_OF(origins, origin);
}

int gz_origin_by_name(const char *name)
{
    return position(origins, COUNT(origins), name);
}
