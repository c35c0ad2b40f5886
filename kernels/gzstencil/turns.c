/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stencil_run.h"

#include "host.h"
#include "settings.h"
#include "trial.h"

#include <float.h>
#include <stdio.h>
#include <unistd.h>

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
    const char *address = gzs_text(GZS_DEVICE);
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

/* ----------------------------------------------------------------------------------- the caller */

/* Of whatever runtime of OpenMP the program has, if it has one. */
extern int omp_in_parallel(void) __attribute__((weak));

/* The process that was here first; its devices have threads that a fork does not copy. */
static atomic_long owner;

const char *gzs_is_child(void)
{
    long self = (long)getpid(), none = 0;
    if (atomic_compare_exchange_strong(&owner, &none, self) || none == self)
        return NULL;
    return "this process is a child of the one that uses the device";
}

/* Of glibc: the exceptions of arithmetic at which this thread stops. */
extern int fegetexcept(void) __attribute__((weak));

/* By arithmetic, since every kind of processor has registers of its own for this. */
static bool computes_as_usual(void)
{
    volatile double one = 1, little = DBL_EPSILON / 4;
    volatile double least = DBL_MIN, half = 0.5, tiny = DBL_TRUE_MIN, two = 2;

    return !(fegetexcept && fegetexcept() != 0) && one + little == one && one - little == one &&
           -one - little == -one && least * half != 0 && tiny * two != 0;
}

bool gzs_in_parallel(void)
{
    return omp_in_parallel && omp_in_parallel();
}

const char *gzs_caller_forbids(void)
{
    if (gzs_is_child())
        return gzs_is_child();
    if (gzs_in_parallel())
        return "it is called in a parallel region of OpenMP";
    return computes_as_usual() ? NULL
                               : "this thread rounds otherwise than to nearest, flushes small "
                                 "numbers to 0 (-ffast-math does), or stops at exceptions";
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
        status = gzk_exchange_all(&run->divided->exchange, status, &error);
    if (status == 0) {
        pthread_mutex_lock(&gzs_lock);
        status = act(run, loops, &error);
        pthread_mutex_unlock(&gzs_lock);
    }
    if (status != 0)
        gzs_give_up(run, error.text);
    return status == 0;
}
