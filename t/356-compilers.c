/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 356-compilers - kernels that other processes compile are those that this one runs: PoCL's cache
 * on disk gains as many as were sent, and none when they are run on their grid.
 */
#define _XOPEN_SOURCE 700 /* for nftw */
#include "compilers.h"
#include "defaults.h"
#include "plan.h"
#include "registry.h"
#include "test_device.h"

#include <ftw.h>
#include <unistd.h>

enum { KERNELS = 3 };
static int objects;

static int count(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    size_t length = strlen(path);
    (void)about, (void)where;
    objects += kind == FTW_F && length > 3 && strcmp(path + length - 3, ".so") == 0;
    return 0;
}

static int delete_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    return remove(path);
}

static int objects_in(const char *folder)
{
    objects = 0;
    nftw(folder, count, 8, FTW_PHYS);
    return objects;
}

static void make_configs(const struct gzk_device_info *info, struct gzk_config *configs)
{
    static const gz_variant variants[KERNELS] = {GZK_TRAPEZOID, GZK_STREAM, GZK_NAIVE};
    for (int k = 0; k < KERNELS; k++) {
        configs[k] = (struct gzk_config){.stencil = gzk_stencil_find("hotspot"),
                                         .variant = variants[k],
                                         .size = {70, 50, 1},
                                         .height = variants[k] == GZK_NAIVE ? 1 : 2,
                                         .loops = 4};
        gzk_default_tile(&configs[k], info, 0);
        gzk_default_threads(&configs[k], info->max_threads, info->is_cpu);
        gzk_default_layout(&configs[k], info);
    }
}

static int run_all(struct gzk_device *device, const struct gzk_config *configs)
{
    struct gzk_data data;
    struct gzk_session *session;
    struct gzk_error error;
    double seconds;
    int ran = 0;
    if (gzk_data_new(&data, configs[0].stencil, configs[0].size, 4, 1) != 0)
        return 0;
    if (gzk_session_new(device, configs[0].stencil, &data, &session, &error) == 0) {
        for (int k = 0; k < KERNELS; k++)
            ran += gzk_session_run(session, &configs[k], &gzk_never, &seconds, &error) == 0;
        gzk_session_free(session);
    }
    gzk_data_free(&data);
    return ran;
}

int main(void)
{
    char folder[] = "/tmp/gz-compilers-XXXXXX";
    struct gzk_compilers compilers;
    struct gzk_config configs[KERNELS];
    int sent = 0;

    if (!mkdtemp(folder))
        tap_skip_all("no temporary folder");
    setenv("POCL_CACHE_DIR", folder, 1);
    test_device_compile(tap_every());
    gzk_compilers_start(&compilers, 1, 1);
    struct gzk_device *device = test_device_open();
    if (compilers.count == 0 || !device->info.is_cpu) {
        gzk_compilers_stop(&compilers);
        rmdir(folder);
        tap_skip_all("a single core, or no CPU");
    }
    make_configs(&device->info, configs);
    for (int k = 0; k < KERNELS; k++) {
        sent += gzk_compilers_send(&compilers, device->info.address, &configs[k]);
        if (k == 0)
            tap_ok(!gzk_compilers_send(&compilers, device->info.address, &configs[k]),
                   "one that is at work takes no more");
        gzk_compilers_wait(&compilers);
    }
    tap_ok(sent == KERNELS && objects_in(folder) == KERNELS, "%d kernels are compiled",
           objects_in(folder));
    tap_ok(run_all(device, configs) == KERNELS && objects_in(folder) == KERNELS,
           "which run without being compiled again");
    kill((pid_t)compilers.pid[0], SIGKILL);
    gzk_compilers_send(&compilers, device->info.address, &configs[0]);
    gzk_compilers_wait(&compilers);
    tap_ok(!gzk_compilers_send(&compilers, device->info.address, &configs[0]),
           "one that died is not asked again, nor waited for");
    gzk_compilers_stop(&compilers);
    tap_ok(compilers.count == 0, "all end");
    gzk_device_close(device);
    nftw(folder, delete_one, 8, FTW_DEPTH | FTW_PHYS);
    return tap_done();
}
