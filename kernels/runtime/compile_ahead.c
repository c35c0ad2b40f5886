/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile_ahead.h"

#include <math.h>
#include <string.h>

bool gzk_compiles_apart(const struct gzk_device *device)
{
    return device->info.is_cpu || device->backend == &gzk_cuda;
}

void gzk_small_grid(const struct gzk_stencil *stencil, int size[3])
{
    static const double cells = 1 << 12;
    for (int i = 0; i < 3; i++)
        size[i] = i < stencil->dimensions ? (int)lround(pow(cells, 1.0 / stencil->dimensions)) : 1;
}

/* Whether the kernel is a new one. */
static bool add(struct gzk_kernels *kernels, const struct gzk_config *config)
{
    struct gzk_kernel_key *own = &kernels->keys[kernels->n];
    gzk_kernel_key_make(config, own);
    for (size_t k = 0; k < kernels->n; k++)
        if (memcmp(&kernels->keys[k], own, sizeof *own) == 0)
            return false;
    kernels->n++;
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
