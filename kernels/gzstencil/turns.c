/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stencil_run.h"

#include "caller.h"
#include "host.h"
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>

/* One device and its compiled programs for the whole process; runs take turns. */
pthread_mutex_t gzs_lock = PTHREAD_MUTEX_INITIALIZER;
struct gzk_device *gzs_device;
static bool device_tried;
static int device_turn; /* this process's among those of an MPI program on this machine */
char gzs_device_reason[256];

struct gzk_device *gzs_the_device(void)
{
    struct gzk_error error;
    if (device_tried)
        return gzs_device;
    device_tried = true;
    const char *given = getenv("GZ_DEVICE"), *address = given && *given ? given : NULL;
    char next[40];
    if (!address && device_turn > 0)
        address = gzk_device_in_turn(device_turn, next);
    if (gzk_device_open(address, &gzs_device, &error) != 0) {
        gzs_device = NULL;
        snprintf(gzs_device_reason, sizeof gzs_device_reason, "%.250s", error.text);
    } else {
        gzs_device->before_program = gzk_try;
    }
    return gzs_device;
}

int gzs_host_threads(void)
{
    return gzs_device->info.is_cpu ? gzs_device->info.units : gzk_host_threads();
}

void gzs_take_turn(int turn)
{
    pthread_mutex_lock(&gzs_lock);
    device_turn = turn;
    pthread_mutex_unlock(&gzs_lock);
}

/* ---------------------------------------------------------------------------------------- turns */

const char gzs_two_threads[] = "two threads used the run at the same time";

void gzs_give_up(gz_stencil_run *run, const char *reason)
{
    if (!run->original)
        snprintf(run->reason, sizeof run->reason, "%.500s", reason);
    run->original = true;
    run->ready = false;
}

bool gzs_on_device(gz_stencil_run *run, gzs_act *act, long loops)
{
    struct gzk_error error = {0};
    const char *reason = gzs_caller_forbids();
    int status = reason ? gzk_fail(&error, GZK_FAILED, "%s", reason) : 0;
    if (run->divided)
        status = gzs_divided_agree(run->divided, status, &error);
    if (status == 0) {
        pthread_mutex_lock(&gzs_lock);
        status = act(run, loops, &error);
        pthread_mutex_unlock(&gzs_lock);
    }
    if (status != 0)
        gzs_give_up(run, error.text);
    return status == 0;
}
