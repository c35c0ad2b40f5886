/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compilers.h"

#include "numbers.h"
#include "spawn.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

bool gzk_compiles_apart(const struct gzk_device *device)
{
    return device->info.is_cpu || device->backend == &gzk_cuda;
}

/* What is sent; the stencil is where it was when the process was started. What comes back is a
 * byte. */
struct order {
    char address[64];
    struct gzk_config config;
};

/* ---------------------------------------------------------------------------- the other process */

/* A run of one stage on the small grid, for which the driver compiles the same kernel. */
static struct gzk_config stage_of(const struct gzk_config *config)
{
    struct gzk_config stage = *config;
    gzk_small_grid(config->stencil, stage.size);
    stage.loops = stage.height;
    return stage;
}

static void compile(struct gzk_device *device, const struct gzk_config *config)
{
    const struct gzk_config stage = stage_of(config);
    struct gzk_grid grid;
    struct gzk_error ignored;
    double seconds;

    if (gzk_grid_open(&grid, device, config->stencil, stage.size, stage.loops, 1, &ignored) == 0)
        gzk_session_run(grid.session, &stage, &gzk_never, &seconds, &ignored);
    gzk_grid_close(&grid);
    gzk_device_forget(device);
}

/* Compiles what comes until the other end is closed, as that of those before it has to be. */
static void serve(void *of, int from)
{
    const struct gzk_compilers *before = of;
    struct gzk_device *device = NULL;
    struct gzk_error ignored;
    struct order order;

    for (int k = 0; k < before->count; k++)
        close(before->to[k]);
    /* The core that is not the other process's, whichever that is. */
    setenv("POCL_AFFINITY", "0", 1);
    while (recv(from, &order, sizeof order, MSG_WAITALL) == sizeof order) {
        if (device || gzk_device_open(order.address, &device, &ignored) == 0)
            compile(device, &order.config);
        if (send(from, "", 1, MSG_NOSIGNAL) != 1)
            break;
    }
}

/* -------------------------------------------------------------------------------- this process */

static bool start_one(struct gzk_compilers *compilers)
{
    int k = compilers->count;
    compilers->pid[k] = cli_serve(serve, compilers, &compilers->to[k]);
    compilers->count += compilers->pid[k] > 0;
    return compilers->pid[k] > 0;
}

void gzk_compilers_start(struct gzk_compilers *compilers, int most, int left)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    *compilers = (struct gzk_compilers){.count = 0};
    most = most < GZK_MOST_COMPILERS ? most : GZK_MOST_COMPILERS;
    while (cores > 1 && compilers->count < most && compilers->count + left < cores &&
           start_one(compilers))
        continue;
}

static void lose(struct gzk_compilers *compilers, int k)
{
    close(compilers->to[k]);
    compilers->to[k] = -1;
    compilers->busy[k] = 0;
}

bool gzk_compilers_send(struct gzk_compilers *compilers, const char *address,
                        const struct gzk_config *config)
{
    struct order order;
    memset(&order, 0, sizeof order);
    strncpy(order.address, address, sizeof order.address - 1);
    order.config = *config;
    for (int k = 0; k < compilers->count; k++) {
        if (compilers->busy[k] || compilers->to[k] < 0)
            continue;
        compilers->busy[k] = 1;
        if (send(compilers->to[k], &order, sizeof order, MSG_NOSIGNAL) == sizeof order)
            return true;
        lose(compilers, k);
    }
    return false;
}

/* Waits until one that is at work is idle; false if none is at work, or it is too late. */
static bool wait_for_one(struct gzk_compilers *compilers, double end_s,
                         const volatile sig_atomic_t *stop)
{
    enum { POLL_MS = 100 };
    struct pollfd ends[GZK_MOST_COMPILERS];
    char done;
    int busy = 0;
    for (int k = 0; k < compilers->count; k++) {
        ends[k] = (struct pollfd){compilers->busy[k] ? compilers->to[k] : -1, POLLIN, 0};
        busy += compilers->busy[k];
    }
    while (busy > 0 && poll(ends, (nfds_t)compilers->count, POLL_MS) <= 0)
        if (*stop || cli_now() > end_s)
            return false;
    for (int k = 0; k < compilers->count && busy > 0; k++) {
        if (!ends[k].revents)
            continue;
        compilers->busy[k] = 0;
        /* One that died of a kernel gets no more. */
        if (recv(compilers->to[k], &done, 1, 0) != 1)
            lose(compilers, k);
    }
    return busy > 0;
}

void gzk_compilers_wait(struct gzk_compilers *compilers)
{
    while (wait_for_one(compilers, HUGE_VAL, &gzk_never))
        continue;
}

void gzk_compilers_all(struct gzk_compilers *compilers, const char *address,
                       const struct gzk_config *configs, size_t count, double end_s,
                       const volatile sig_atomic_t *stop)
{
    uint64_t *keys = calloc(count + 1, sizeof *keys);
    size_t kernels = 0;
    bool goes_on = keys != NULL;
    for (size_t i = 0; i < count && goes_on; i++) {
        const struct gzk_config stage = stage_of(&configs[i]);
        size_t k = 0;
        keys[kernels] = gzk_kernel_key(&stage);
        while (keys[k] != keys[kernels])
            k++;
        bool is_new = k == kernels;
        kernels += is_new;
        while (is_new && goes_on && !gzk_compilers_send(compilers, address, &stage))
            goes_on = wait_for_one(compilers, end_s, stop);
    }
    while (goes_on && wait_for_one(compilers, end_s, stop))
        continue;
    free(keys);
}

void gzk_compilers_stop(struct gzk_compilers *compilers)
{
    for (int k = 0; k < compilers->count; k++) {
        if (compilers->busy[k])
            kill((pid_t)compilers->pid[k], SIGKILL);
        if (compilers->to[k] >= 0)
            lose(compilers, k);
    }
    for (int k = 0; k < compilers->count; k++)
        waitpid((pid_t)compilers->pid[k], NULL, 0);
    compilers->count = 0;
}
