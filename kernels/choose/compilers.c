/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compilers.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

bool gzk_compiles_apart(const struct gzk_device *device)
{
    return device->info.is_cpu || device->backend == &gzk_cuda;
}

/* Whether the kernel is a new one. */
static bool add(struct gzk_kernels *kernels, const struct gzk_config *config)
{
    uint64_t key = gzk_kernel_key(config);
    for (size_t k = 0; k < kernels->n; k++)
        if (kernels->keys[k] == key)
            return false;
    kernels->keys[kernels->n++] = key;
    return true;
}

bool gzk_compile_ahead(struct gzk_session *session, const struct gzk_config *config,
                       struct gzk_share share, struct gzk_kernels *kernels,
                       const volatile sig_atomic_t *stop)
{
    struct gzk_config stage = *config;
    struct gzk_error refused;
    double ignored;

    gzk_small_grid(config->stencil, stage.size);
    stage.loops = stage.height;
    if (!add(kernels, &stage) || (int)((kernels->n - 1) % (size_t)share.parts) != share.part)
        return false;
    return gzk_session_run(session, &stage, stop, &ignored, &refused) == 0;
}

/* -------------------------------------------------------------------------------------- compilers
 */

/* What is sent; the stencil is where it was when the process was started. What comes back is a
 * byte. */
struct order {
    char address[64];
    struct gzk_config config;
};

/* ------------------------------------------------------------------------------ the other process
 */

static void compile(struct gzk_device *device, const struct gzk_config *config)
{
    static const volatile sig_atomic_t never;
    const struct gzk_share all = {0, 1};
    uint64_t key;
    struct gzk_kernels kernels = {&key, 0};
    struct gzk_data data;
    struct gzk_session *session;
    struct gzk_error ignored;
    int size[3];

    gzk_small_grid(config->stencil, size);
    if (gzk_data_new(&data, config->stencil, size, config->height, 1) != 0)
        return;
    if (gzk_session_new(device, config->stencil, &data, &session, &ignored) == 0) {
        gzk_compile_ahead(session, config, all, &kernels, &never);
        gzk_session_free(session);
    }
    gzk_data_free(&data);
}

/* Compiles what comes until the other end is closed. */
static void serve(int from)
{
    struct gzk_device *device = NULL;
    struct gzk_error ignored;
    struct order order;
    int null = open("/dev/null", O_RDWR);

    /* What a driver prints is no matter here. */
    for (int fd = 0; fd < 3 && null >= 0; fd++)
        dup2(null, fd);
    /* The core that is not the other process's, whichever that is. */
    setenv("POCL_AFFINITY", "0", 1);
    while (recv(from, &order, sizeof order, MSG_WAITALL) == sizeof order) {
        if (device || gzk_device_open(order.address, &device, &ignored) == 0)
            compile(device, &order.config);
        if (send(from, "", 1, MSG_NOSIGNAL) != 1)
            break;
    }
    _exit(0);
}

/* -------------------------------------------------------------------------------- this process */

static bool start_one(struct gzk_compilers *compilers)
{
    int ends[2], k = compilers->count;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < k; i++)
            close(compilers->to[i]);
        close(ends[0]);
        serve(ends[1]);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return false;
    }
    compilers->to[k] = ends[0];
    compilers->pid[k] = child;
    compilers->count++;
    return true;
}

void gzk_compilers_start(struct gzk_compilers *compilers, int most)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    *compilers = (struct gzk_compilers){.count = 0};
    most = most < GZK_MOST_COMPILERS ? most : GZK_MOST_COMPILERS;
    while (compilers->count < most && compilers->count + 1 < cores && start_one(compilers))
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

void gzk_compilers_wait(struct gzk_compilers *compilers)
{
    char done;
    for (int k = 0; k < compilers->count; k++) {
        if (!compilers->busy[k])
            continue;
        compilers->busy[k] = 0;
        /* One that died of a kernel is no more asked. */
        if (recv(compilers->to[k], &done, 1, 0) != 1)
            lose(compilers, k);
    }
}

void gzk_compilers_stop(struct gzk_compilers *compilers)
{
    for (int k = 0; k < compilers->count; k++)
        if (compilers->to[k] >= 0)
            lose(compilers, k);
    for (int k = 0; k < compilers->count; k++)
        waitpid((pid_t)compilers->pid[k], NULL, 0);
    compilers->count = 0;
}
