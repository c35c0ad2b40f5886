/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "memory.h"

#include "data.h"
#include "si.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

struct gzk_memory gzk_memory_needed(const struct gzk_config *config, int states)
{
    const struct gzk_stencil *stencil = config->stencil;
    double bytes = stencil->bytes, levels = stencil->older ? 2 : 1;
    double cells = (double)config->size[0] * config->size[1] * config->size[2];
    double state = bytes * cells * gzi_fields(&stencil->shape);
    double aux =
        bytes * (double)gzk_step_place(stencil, (size_t)fmin(cells, 0x1p62), config->loops);
    return (struct gzk_memory){.host = (levels + states) * state + aux,
                               .device = 2 * levels * state + aux,
                               .buffer = fmax(state, aux)};
}

/* A number that a file holds after `key`, or at its beginning if that is empty; HUGE_VAL for none.
 */
static double number_in(const char *path, const char *key)
{
    FILE *file = fopen(path, "r");
    char line[200];
    double number, found = HUGE_VAL;

    if (!file)
        return HUGE_VAL;
    while (found == HUGE_VAL && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0 && sscanf(line + strlen(key), "%lf", &number) == 1)
            found = number;
    fclose(file);
    return found;
}

double gzk_memory_available(void)
{
    double available = 1024 * number_in("/proc/meminfo", "MemAvailable:");
    double group = number_in("/sys/fs/cgroup/memory.max", "");
    struct rlimit limit;

    if (group < HUGE_VAL) {
        double used = number_in("/sys/fs/cgroup/memory.current", "");
        /* What is cached counts as used, and is given back when it is needed. */
        double cached = number_in("/sys/fs/cgroup/memory.stat", "inactive_file ");
        if (used < HUGE_VAL)
            available = fmin(available, group - used + (cached < HUGE_VAL ? cached : 0));
    }
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        available = fmin(available, (double)limit.rlim_cur);
    return available;
}

int gzk_memory_check(const struct gzk_memory *needed, const struct gzk_device_info *device,
                     struct gzk_error *error)
{
    const char *remedy = needed->remedy ? needed->remedy : "give a smaller --size or fewer --loops";
    double host = needed->host + (device && device->is_cpu ? needed->device : 0);
    double free = gzk_memory_available();

    if (device && device->memory_bytes > 0 && needed->device > (double)device->memory_bytes)
        return gzk_fail(error, GZK_INVALID, "the arrays need %s of device memory: %s has %s; %s",
                        cli_si(needed->device, "B").text, device->address,
                        cli_si((double)device->memory_bytes, "B").text, remedy);
    if (device && device->max_buffer_bytes > 0 && needed->buffer > (double)device->max_buffer_bytes)
        return gzk_fail(error, GZK_INVALID,
                        "the largest array needs %s of device memory: %s takes at most %s at once; "
                        "%s",
                        cli_si(needed->buffer, "B").text, device->address,
                        cli_si((double)device->max_buffer_bytes, "B").text, remedy);
    if (host > free)
        return gzk_fail(error, GZK_INVALID,
                        "the arrays need %s of host memory%s: %s are available; %s",
                        cli_si(host, "B").text,
                        device && device->is_cpu ? ", those of the CPU as a device included" : "",
                        cli_si(free, "B").text, remedy);
    return 0;
}
