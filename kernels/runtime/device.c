/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device.h"

#include "diskcache.h"
#include "kernel_text.h"
#include "tiles.h"

#include <stdlib.h>
#include <string.h>

struct gzk_cached_program {
    struct gzk_cached_program *next;
    struct gzk_program *program;
    uint64_t key;
};

const struct gzk_backend *const gzk_backends[] = {&gzk_cuda, &gzk_opencl, NULL};

void gzk_devices_list(const char *indent, FILE *to)
{
    struct gzk_error error = {0};
    for (size_t b = 0; gzk_backends[b]; b++) {
        const struct gzk_backend *backend = gzk_backends[b];
        int count = backend->count();
        for (int index = 0; index < count; index++) {
            struct gzk_device *device;
            if (backend->open(index, &device, &error) != 0) {
                fprintf(to, "%s%s:%-6d %s\n", indent, backend->name, index, error.text);
                continue;
            }
            fprintf(to, "%s%-11s %s (%s)\n", indent, device->info.address, device->info.name,
                    device->info.driver);
            gzk_device_close(device);
        }
        if (count == 0) {
            backend->explain(&error);
            fprintf(to, "%s%-11s none: %s\n", indent, backend->name, error.text);
        }
    }
}

int gzk_warp_size(bool is_cpu, long nvidia, long amd, long multiple)
{
    enum { WIDEST = 256 };
    const long said[] = {nvidia, amd, multiple};
    if (is_cpu)
        return 1;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        if (said[i] > 0 && said[i] <= WIDEST && (said[i] & (said[i] - 1)) == 0)
            return (int)said[i];
    return 0;
}

/* Reads a whole number from 0 to 9999, or -1. */
static int parse_index(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits < 5 && text[digits] == '\0' ? atoi(text) : -1;
}

static int open_number(const struct gzk_backend *backend, int index, struct gzk_device **device,
                       struct gzk_error *error)
{
    int count = backend->count();
    if (count == 0) {
        struct gzk_error why;
        backend->explain(&why);
        return gzk_fail(error, GZK_NO_DEVICE, "%s:%d: %s", backend->name, index, why.text);
    }
    return index < count ? backend->open(index, device, error)
                         : gzk_fail(error, GZK_NO_DEVICE,
                                    "%s:%d: no such device: this machine has %d; `gzrun --list` "
                                    "names them",
                                    backend->name, index, count);
}

int gzk_device_open(const char *address, struct gzk_device **device, struct gzk_error *error)
{
    if (!address) {
        if (open_number(&gzk_cuda, 0, device, error) == 0)
            return 0;
        *error = (struct gzk_error){0};
        return open_number(&gzk_opencl, 0, device, error);
    }
    if (parse_index(address) >= 0)
        return open_number(&gzk_cuda, parse_index(address), device, error);
    const char *colon = strchr(address, ':');
    for (size_t i = 0; colon && gzk_backends[i]; i++) {
        size_t length = strlen(gzk_backends[i]->name);
        if ((size_t)(colon - address) == length &&
            strncmp(address, gzk_backends[i]->name, length) == 0 && parse_index(colon + 1) >= 0)
            return open_number(gzk_backends[i], parse_index(colon + 1), device, error);
    }
    return gzk_fail(error, GZK_INVALID,
                    "device %s: must be cuda:INDEX, opencl:INDEX, or INDEX for cuda", address);
}

const char *gzk_device_in_turn(int turn, char address[40])
{
    for (size_t b = 0; gzk_backends[b]; b++) {
        int count = gzk_backends[b]->count();
        if (count > 0) {
            snprintf(address, 40, "%s:%d", gzk_backends[b]->name, turn % count);
            return address;
        }
    }
    return NULL;
}

static bool describes(const gz_device *described, const char *driver_name)
{
    const char *builtin = gz_builtin_of_driver(driver_name);
    return strncmp(driver_name, described->name, GZ_NAME_SIZE - 1) == 0 ||
           (builtin && strcmp(builtin, described->key) == 0);
}

int gzk_device_open_described(const gz_device *described, struct gzk_device **device,
                              struct gzk_error *error)
{
    for (size_t b = 0; gzk_backends[b]; b++)
        for (int index = 0; index < gzk_backends[b]->count(); index++) {
            if (gzk_backends[b]->open(index, device, error) != 0)
                continue;
            if (describes(described, (*device)->info.name))
                return 0;
            gzk_device_close(*device);
            *device = NULL;
        }
    return gzk_fail(error, GZK_NO_DEVICE, "no device here is called \"%.200s\"", described->name);
}

void gzk_device_forget(struct gzk_device *device)
{
    while (device->programs) {
        struct gzk_cached_program *next = device->programs->next;
        device->backend->program_free(device, device->programs->program);
        free(device->programs);
        device->programs = next;
    }
}

bool gzk_device_is_lost(struct gzk_device *device)
{
    return device->backend->is_lost && device->backend->is_lost(device);
}

void gzk_device_close(struct gzk_device *device)
{
    if (!device)
        return;
    gzk_device_forget(device);
    device->backend->close(device);
}

static int check_limits(const struct gzk_device *device, const struct gzk_config *config,
                        const struct gzk_geometry *geometry, struct gzk_error *error)
{
    const struct gzk_variant_info *variant = &gzk_variants[config->variant];

    if (variant->on_host)
        return gzk_fail(error, GZK_INVALID, "variant %s runs on the host, not on %s", variant->name,
                        device->info.address);
    if (geometry->thread_count > device->info.max_threads)
        return gzk_fail(error, GZK_INVALID, "a block of %d threads: %s takes at most %d; give %s",
                        geometry->thread_count, device->info.address, device->info.max_threads,
                        variant->thread_per_cell || variant->whole_rows ? "a smaller --block"
                                                                        : "fewer --threads");
    if (variant->streamed && geometry->local_bytes > device->info.local_bytes) {
        int most = gzk_stream_max_height(config, device->info.local_bytes, device->info.is_cpu);
        return gzk_fail(
            error, GZK_INVALID,
            "height %d: a streamed tile of this block needs %zu bytes of local memory: %s "
            "has %zu; %s%.0d",
            config->height, geometry->local_bytes, device->info.address, device->info.local_bytes,
            most > 0 ? "at most height " : "give a smaller --block", most);
    }
    if (variant->streamed && gzk_stream_spills(config, device->info.is_cpu)) {
        const gzi_tile tile = gzk_tile_of(config);
        int most = gzk_stream_max_height(config, device->info.local_bytes, device->info.is_cpu);
        return gzk_fail(
            error, GZK_INVALID,
            "height %d, layout columns: each of %d threads needs about %.0f registers: "
            "%s has %.0f for it; %s%.0d",
            config->height, geometry->thread_count, gzi_column_registers(&tile),
            device->info.address, gzi_most_registers(&tile),
            most > 0 ? "use ring, or at most height " : "use ring, or a smaller --block", most);
    }
    if (geometry->local_bytes > device->info.local_bytes)
        return gzk_fail(error, GZK_INVALID,
                        "a tile of %d elements needs %zu bytes of local memory: %s has %zu; give a "
                        "smaller --block",
                        geometry->tile_cells, geometry->local_bytes, device->info.address,
                        device->info.local_bytes);
    return 0;
}

/* The program of that key; NULL if there is none yet. */
static const struct gzk_program *find(const struct gzk_device *device, uint64_t key)
{
    const struct gzk_cached_program *cached = device->programs;
    while (cached && cached->key != key)
        cached = cached->next;
    return cached ? cached->program : NULL;
}

/* Compiles a program, whose text is freed, and keeps it. */
static int add(struct gzk_device *device, uint64_t key, struct gzk_program_spec spec,
               const struct gzk_program **program, struct gzk_error *error)
{
    struct gzk_cached_program *cached = spec.text ? calloc(1, sizeof *cached) : NULL;
    int status = cached ? device->backend->program_new(device, &spec, &cached->program, error)
                        : gzk_fail(error, GZK_FAILED, "out of host memory");
    free((char *)spec.text);
    if (status != 0) {
        free(cached);
        return status;
    }
    cached->key = key;
    cached->next = device->programs;
    device->programs = cached;
    *program = cached->program;
    return 0;
}

int gzk_device_program(struct gzk_device *device, const struct gzk_config *config,
                       const struct gzk_program **program, struct gzk_error *error)
{
    struct gzk_geometry geometry;
    int status = gzk_geometry_make(config, &geometry, error);
    if (status == 0)
        status = check_limits(device, config, &geometry, error);
    if (status != 0)
        return status;

    uint64_t key = gzk_kernel_key(config);
    *program = find(device, key);
    if (*program)
        return 0;
    if (device->before_program)
        status = device->before_program(device, config, error);
    if (status != 0)
        return status;
    const struct gzk_program_spec spec = {.text = gzk_kernel_text(config, device->backend->prelude),
                                          .name = gzk_kernel_name(config),
                                          .threads = geometry.thread_count,
                                          .local_bytes = (size_t)gzk_store_bytes(config),
                                          .contract = config->contract};
    return add(device, key, spec, program, error);
}

int gzk_device_build(struct gzk_device *device, struct gzk_program_spec spec,
                     const struct gzk_program **program, struct gzk_error *error)
{
    const char *text = spec.text ? spec.text : "";
    uint64_t key = gzk_sum(GZK_SUM_OF_NONE, text, strlen(text));
    key = gzk_sum(key, spec.name, strlen(spec.name));
    key = gzk_sum(key, &spec.threads, sizeof spec.threads);
    key = gzk_sum(key, &spec.local_bytes, sizeof spec.local_bytes);
    key = gzk_sum(key, &spec.contract, sizeof spec.contract);
    *program = find(device, key);
    if (!*program)
        return add(device, key, spec, program, error);
    free((char *)spec.text);
    return 0;
}
