/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two CUDA devices open at once, each with a context of its own: every call is made in the context
 * of its device, whichever was used last. On the fake driver (fakegpu/), which refuses handles of
 * another context than the current one.
 */
#include "device.h"
#include "kernel_text.h"
#include "plan.h"
#include "registry.h"
#include "tap.h"

#include <limits.h>
#include <unistd.h>

/* Starts this program anew, with the fake driver in the loader's path. */
static void find_fake(char **argv)
{
    char path[PATH_MAX + 40], self[PATH_MAX];
    if (getenv("GZ_FAKE_DEVICES"))
        return;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        tap_skip_all("no /proc");
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    snprintf(path, sizeof path, "%s/fakegpu/libcuda/libcuda.so.1", self);
    if (access(path, R_OK) != 0)
        tap_skip_all("built without the CUDA headers");
    snprintf(path, sizeof path, "%s/fakegpu/libcuda", self);
    setenv("LD_LIBRARY_PATH", path, 1);
    setenv("GZ_FAKE_DEVICES", "2", 1);
    execv("/proc/self/exe", argv);
    exit(1);
}

int main(int argc, char **argv)
{
    struct gzk_device *devices[2] = {NULL};
    struct gzk_session *sessions[2] = {NULL};
    struct gzk_config config = {.stencil = gzk_stencil_find("hotspot"),
                                .size = {40, 30, 1},
                                .block = {12, 12, 1},
                                .threads = {12, 12, 1},
                                .height = 2,
                                .loops = 6};
    struct gzk_data data;
    struct gzk_error error = {0};
    double seconds = 0;

    (void)argc;
    find_fake(argv);
    if (gzk_data_new(&data, config.stencil, config.size, config.loops, 1) != 0)
        return 1;
    void *state = malloc(data.cells * (size_t)config.stencil->bytes);
    for (int d = 0; d < 2; d++) {
        char address[] = {'c', 'u', 'd', 'a', ':', (char)('0' + d), '\0'};
        tap_ok(gzk_device_open(address, &devices[d], &error) == 0, "%s is opened %s", address,
               error.text);
        tap_ok(devices[d] &&
                   gzk_session_new(devices[d], config.stencil, &data, &sessions[d], &error) == 0,
               "%s has a session", address);
    }
    /* Alternately, in every mode. */
    static const gz_sync syncs[] = {GZ_SYNC_RESTART, GZ_SYNC_FENCE, GZ_SYNC_GRAPH};
    for (int k = 0; k < 3 && sessions[0] && sessions[1]; k++)
        for (int d = 0; d < 2; d++) {
            error.text[0] = '\0';
            config.sync = syncs[k];
            int status = gzk_session_run(sessions[d], &config, &gzk_never, &seconds, &error);
            if (status == 0)
                status = gzk_session_read(sessions[d], state, &error);
            tap_ok(status == 0 && seconds > 0, "cuda:%d, mode %d %s", d, k, error.text);
        }
    /* One group too many for a barrier of all is refused, not waited for. */
    const struct gzk_program *program;
    int groups = 0;
    config.sync = GZ_SYNC_FENCE;
    int status = gzk_device_program(devices[1], &config, &program, &error);
    if (status == 0)
        status = devices[1]->backend->resident(devices[1], program, &groups, &error);
    struct gzk_launch launch = {.groups = groups + 1};
    if (status == 0)
        status = devices[1]->backend->run(devices[1], program, &launch, 1, GZ_SYNC_FENCE,
                                          &gzk_never, &seconds, &error);
    tap_ok(status == GZK_FAILED && strstr(error.text, "error 720") &&
               strstr(error.text, "cannot all run at once"),
           "%s", error.text);
    config.sync = GZ_SYNC_RESTART;
    /* The first is closed while the second was used last, and the second goes on. */
    gzk_session_free(sessions[0]);
    gzk_device_close(devices[0]);
    tap_ok(gzk_session_run(sessions[1], &config, &gzk_never, &seconds, &error) == 0,
           "the other goes on when one is closed %s", error.text);
    gzk_session_free(sessions[1]);
    gzk_device_close(devices[1]);
    tap_ok(gzk_device_open("cuda:2", &devices[0], &error) == GZK_NO_DEVICE, "%s", error.text);
    gzk_data_free(&data);
    free(state);
    return tap_done();
}
