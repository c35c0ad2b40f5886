/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * At its limits a device refuses or computes: PoCL ends the program if a launch takes more local
 * memory or stack than it has. For some stencils, each with GZ_ALL=2, in another process: the
 * longest block that the local memory takes, the next one, which is refused, and as many threads as
 * a block may have.
 */
#include "defaults.h"
#include "plan.h"
#include "registry.h"
#include "test_device.h"

#include <sys/wait.h>
#include <unistd.h>

enum { NO_DEVICE = 77 };

/* Why a configuration does not run; "" if it does. */
static struct gzk_error run(struct gzk_device *device, const struct gzk_config *config, int *status)
{
    struct gzk_session *session = NULL;
    struct gzk_data data;
    struct gzk_error error = {.text = ""};
    double seconds;

    if (gzk_data_new(&data, config->stencil, config->size, config->loops, 1) != 0)
        exit(1);
    *status = gzk_session_new(device, config->stencil, &data, &session, &error);
    if (*status == 0)
        *status = gzk_session_run(session, config, &gzk_never, &seconds, &error);
    gzk_session_free(session);
    gzk_data_free(&data);
    gzk_device_forget(device);
    return error;
}

static bool expect(struct gzk_device *device, const struct gzk_config *config, int expected,
                   const char *what)
{
    int status;
    struct gzk_error error = run(device, config, &status);
    if (status != expected)
        fprintf(stderr, "# %s, %s, sync %d, %s (block %dx%dx%d, threads %dx%dx%d): %d %s\n",
                config->stencil->name, gzk_variants[config->variant].name, (int)config->sync, what,
                config->block[0], config->block[1], config->block[2], config->threads[0],
                config->threads[1], config->threads[2], status, error.text);
    return status == expected;
}

/* A block as small as it may be but along x, with the device's threads. */
static struct gzk_config narrow(const struct gzk_device *device, const struct gzk_stencil *stencil,
                                gz_variant variant, gz_sync sync)
{
    struct gzk_config config = {.stencil = stencil, .variant = variant, .sync = sync, .height = 1};
    config.height = gzk_variants[variant].any_height ? 2 : 1;
    config.loops = config.height;
    for (int i = 0; i < 3; i++) {
        bool has = i < stencil->dim;
        config.size[i] = has ? 12 : 1;
        config.block[i] = has ? 2 * stencil->radius[i] * config.height + 1 : 1;
        config.threads[i] = 1;
    }
    gzk_default_layout(&config, &device->info);
    return config;
}

static bool fits(const struct gzk_config *config, const struct gzk_device_info *info)
{
    return gzk_local_bytes(config) <= info->local_bytes;
}

/* The longest block, and the next. */
static bool at_limit(struct gzk_device *device, struct gzk_config config)
{
    for (int step = 1 << 20; step > 0; step /= 2) {
        config.block[0] += step;
        if (!fits(&config, &device->info))
            config.block[0] -= step;
    }
    bool good = expect(device, &config, 0, "at the limit");
    while (fits(&config, &device->info))
        config.block[0]++;
    return expect(device, &config, GZK_INVALID, "beyond the limit") && good;
}

/* As many threads, evenly. */
static bool with_threads(struct gzk_device *device, struct gzk_config config)
{
    const struct gzk_variant_info *variant = &gzk_variants[config.variant];
    int axes = config.stencil->dim - variant->streamed;
    int most = device->info.max_threads, each = (int)(pow(most, 1.0 / axes) + 1e-9);
    for (int i = 0; i < axes; i++) {
        config.threads[i] = each;
        config.block[i] = each;
    }
    for (int i = 0; i < config.stencil->dim && variant->ghost_in_block; i++)
        config.block[i] += 2 * config.stencil->radius[i] * config.height;
    config.cpu = false;
    return !fits(&config, &device->info) || expect(device, &config, 0, "with most threads");
}

/* The stencil with a measure. */
static struct gzk_stencil measured(const struct gzk_stencil *stencil, char *body, size_t size)
{
    struct gzk_stencil own = *stencil;
    snprintf(body, size,
             "%s\n#ifdef GZ_MEASURE\nGZ_MEASURE { return (gz_measured)(NEW - OLD); }\n#endif\n",
             stencil->body);
    own.body = body;
    own.measure = stencil->type == GZK_DOUBLE ? 1 : 2;
    return own;
}

static bool plain_ways(struct gzk_device *device, const struct gzk_stencil *stencil)
{
    static const gz_variant plain[] = {GZK_NAIVE, GZK_CELL, GZK_SHARED};
    struct gzk_config rows = narrow(device, stencil, GZK_COLUMN, GZ_SYNC_RESTART);
    bool good = true;

    gzk_default_block(&rows);
    gzk_default_threads(&rows, device->info.max_threads, false);
    for (size_t v = 0; v < sizeof plain / sizeof *plain; v++)
        good &= with_threads(device, narrow(device, stencil, plain[v], GZ_SYNC_RESTART));
    return expect(device, &rows, 0, "with all threads") && good;
}

static bool tiles(struct gzk_device *device, const struct gzk_stencil *stencil, gz_sync sync)
{
    struct gzk_config trapezoid = narrow(device, stencil, GZK_TRAPEZOID, sync);
    struct gzk_config stream = narrow(device, stencil, GZK_STREAM, sync);
    bool good = at_limit(device, trapezoid) && with_threads(device, trapezoid);
    bool streams = stencil->dim > 1;
    return (!streams || (at_limit(device, stream) && with_threads(device, stream))) && good;
}

static bool all_ways(struct gzk_device *device, int k)
{
    const struct gzk_stencil *stencil = gzk_stencils[k];
    bool good = tiles(device, stencil, GZ_SYNC_FENCE);
    if (tap_every() || k % 8 == 0)
        good &= tiles(device, stencil, GZ_SYNC_RESTART) && plain_ways(device, stencil);
    return good;
}

static bool with_measure(struct gzk_device *device, const struct gzk_stencil *stencil)
{
    char body[20000];
    struct gzk_stencil own = measured(stencil, body, sizeof body);
    struct gzk_config config = narrow(device, &own, GZK_STREAM, GZ_SYNC_RESTART);
    return at_limit(device, config) && with_threads(device, config);
}

/* What the count misses, the driver's own finds. */
static bool driver_counts(struct gzk_device *device)
{
    static const char *const text =
        "__kernel void gz_two(__global int *p)\n{\n    __local int one[%zu], other[100];\n"
        "    one[p[0]] = other[p[1]] = p[2];\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    p[3] = one[p[4]] + other[p[5]];\n}\n";
    char own[400];
    struct gzk_error error = {.text = ""};
    struct gzk_program *program = NULL;
    snprintf(own, sizeof own, text, device->info.local_bytes / sizeof(int));
    const struct gzk_program_spec spec = {.text = own, .name = "gz_two", .threads = 1};
    int status = device->backend->program_new(device, &spec, &program, &error);
    return status == GZK_INVALID && strstr(error.text, "local memory");
}

static bool is_taken(int k)
{
    return k >= (int)gzk_stencil_count || k % 2 == 0 || gzk_stencils[k]->fields > 1 || tap_every();
}

/* Check number `k`: a stencil, or what follows them. */
static bool check(struct gzk_device *device, int k)
{
    int n = (int)gzk_stencil_count;
    if (k < n)
        return all_ways(device, k);
    return k == n ? with_measure(device, gzk_stencil_find("star7"))
                  : strcmp(device->backend->name, "opencl") != 0 || driver_counts(device);
}

/* Makes the checks from number `k` on, and writes a byte for each. */
static void check_from(int k, int results)
{
    struct gzk_device *device = NULL;
    struct gzk_error error;
    if (gzk_device_open(test_device_address(), &device, &error) != 0)
        _exit(NO_DEVICE);
    for (; k < (int)gzk_stencil_count + 2; k++) {
        char good = is_taken(k) && check(device, k);
        if (write(results, &good, 1) != 1)
            break;
    }
    _exit(0);
}

static void report(int k, bool good)
{
    int n = (int)gzk_stencil_count;
    if (is_taken(k))
        tap_ok(good, "%s",
               k < n    ? gzk_stencils[k]->name
               : k == n ? "a measure"
                        : "two arrays of which nothing is known but to the driver");
}

/* A check that ends its process has failed; the next one begins another. */
int main(void)
{
    int all = (int)gzk_stencil_count + 2;
    setenv("POCL_MAX_PTHREAD_COUNT", "2", 0);
    test_device_compile(tap_every());
    for (int k = 0; k < all; k++) {
        int ends[2], status = 0;
        char good;
        fflush(NULL);
        pid_t child = pipe(ends) == 0 ? fork() : -1;
        if (child == 0)
            check_from(k, ends[1]);
        close(ends[1]);
        for (; k < all && read(ends[0], &good, 1) == 1; k++)
            report(k, good);
        close(ends[0]);
        if (waitpid(child, &status, 0) == child && WIFEXITED(status) &&
            WEXITSTATUS(status) == NO_DEVICE && !getenv("GZ_TEST_DEVICE"))
            tap_skip_all("no OpenCL device");
        if (k < all) {
            tap_note("status %d", status);
            report(k, false);
        }
    }
    return tap_done();
}
