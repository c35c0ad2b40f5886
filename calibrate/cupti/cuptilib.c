/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuptilib.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opens the library where the loader finds it, or where the toolkit usually puts it. */
static void *open_library(void)
{
    static const char *const names[] = {"libcupti.so.13", "libcupti.so"};
    static const char *const folders[] = {"lib64", "extras/CUPTI/lib64", "lib"};
    const char *homes[] = {getenv("CUDA_HOME"), "/usr/local/cuda"};
    void *library = NULL;
    for (size_t n = 0; n < 2 && !library; n++)
        library = dlopen(names[n], RTLD_NOW | RTLD_LOCAL);
    for (size_t h = 0; h < 2 && !library; h++)
        for (size_t f = 0; homes[h] && f < 3 && !library; f++) {
            char path[1000];
            snprintf(path, sizeof path, "%s/%s/libcupti.so.13", homes[h], folders[f]);
            library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        }
    return library;
}

int gzc_cupti_resolve(const struct gzc_cupti_function *functions, size_t count,
                      struct gzk_error *error)
{
    static void *library;
    if (!library)
        library = open_library();
    if (!library)
        return gzk_fail(
            error, GZK_NO_DEVICE,
            "no CUPTI: libcupti.so.13 is not found; install the CUDA toolkit 13, or put the "
            "library's folder into LD_LIBRARY_PATH");
    for (size_t i = 0; i < count; i++) {
        void *address = dlsym(library, functions[i].name);
        if (!address)
            return gzk_fail(error, GZK_NO_DEVICE,
                            "CUPTI is too old: it lacks %s; install the CUDA toolkit 13",
                            functions[i].name);
        /* Copied as bytes, since C has no conversion from an object pointer to a function's. */
        memcpy(functions[i].address, &address, sizeof address);
    }
    return 0;
}

/* ------------------------------------------------------------------------------------- errors */

/* What kind of device is never counted on. */
static const char *unsupported(CUptiResult status)
{
    switch ((int)status) {
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
        return "this virtual GPU";
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
        return "a mining processor (CMP)";
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
        return "GPUs joined by SLI: take them apart";
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
        return "this GPU under WSL";
    default:
        return "this GPU or system";
    }
}

/* Whether the driver's own switch keeps the counters from users; unknown counts as no. */
static bool restricted_to_admin(void)
{
    char line[200];
    bool restricted = false;
    FILE *file = fopen("/proc/driver/nvidia/params", "r");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file))
        restricted = restricted || strncmp(line, "RmProfilingAdminOnly: 1", 23) == 0;
    fclose(file);
    return restricted;
}

/* What keeps the counters away, and what to do about it. */
int gzc_cupti_check(CUptiResult status, const char *call, struct gzk_error *error)
{
    switch ((int)status) {
    case CUPTI_SUCCESS:
        return 0;
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        return gzk_fail(
            error, GZK_FAILED,
            "counters not permitted (%s: error %d)%s: run as root or with CAP_SYS_ADMIN, or "
            "load the nvidia module with NVreg_RestrictProfilingToAdminUsers=0",
            call, (int)status, restricted_to_admin() ? ", RmProfilingAdminOnly is 1" : "");
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        return gzk_fail(
            error, GZK_FAILED,
            "counters not permitted on this virtual GPU (%s: error %d): the host must allow "
            "profiling; besides, root or CAP_SYS_ADMIN, or "
            "NVreg_RestrictProfilingToAdminUsers=0",
            call, (int)status);
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
        return gzk_fail(
            error, GZK_FAILED,
            "no counters in confidential computing mode (%s: error %d): it must be off; "
            "neither root, CAP_SYS_ADMIN nor NVreg_RestrictProfilingToAdminUsers=0 changes "
            "that",
            call, (int)status);
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
        return gzk_fail(
            error, GZK_FAILED,
            "no counters on a MIG instance (%s: error %d): use a whole GPU; neither root, "
            "CAP_SYS_ADMIN nor NVreg_RestrictProfilingToAdminUsers=0 changes that",
            call, (int)status);
    case CUPTI_ERROR_HARDWARE_BUSY:
        return gzk_fail(
            error, GZK_FAILED,
            "counters in use by another profiler (%s: error %d): end it; if there is none, "
            "root or CAP_SYS_ADMIN, or NVreg_RestrictProfilingToAdminUsers=0, may help",
            call, (int)status);
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
        return gzk_fail(error, GZK_FAILED, "CUPTI does not count on %s (%s: error %d)",
                        unsupported(status), call, (int)status);
    default:
        return gzk_fail(error, GZK_FAILED, "CUPTI: %s: error %d, see cupti_result.h", call,
                        (int)status);
    }
}
