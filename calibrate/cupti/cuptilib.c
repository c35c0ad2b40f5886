/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuptilib.h"

#include "toolkit.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The one major version whose structures the headers describe: others have other sizes. */
static const char soname[] = "libcupti.so.13";
enum { LEAST_VERSION = 130000, BEYOND_VERSION = 140000 };

/* Whether a library that calls itself so really is of that version. */
static bool is_expected(void *library, uint32_t *version)
{
    CUptiResult (*ask)(uint32_t *);
    *version = 0;
    return gzk_take_function(library, "cuptiGetVersion", &ask) && ask(version) == CUPTI_SUCCESS &&
           *version >= LEAST_VERSION && *version < BEYOND_VERSION;
}

int gzc_cupti_resolve(const struct gzc_cupti_function *functions, size_t count,
                      struct gzk_error *error)
{
    static const char *const names[] = {soname, NULL};
    static const char *const companions[] = {"libnvperf_host.so*", "libnvperf_target.so*", NULL};
    static const struct gzk_toolkit_library cupti = {names, companions};
    static void *library;
    static char place[400];
    uint32_t version;
    if (!library)
        library = gzk_toolkit_open(&cupti, place, sizeof place);
    if (!library)
        return gzk_fail(error, GZK_NO_DEVICE,
                        "no CUPTI: %s was not found in %s; set CUDA_HOME to the folder of the CUDA "
                        "toolkit 13, or install CUPTI",
                        soname, place);
    if (!is_expected(library, &version))
        return gzk_fail(error, GZK_NO_DEVICE,
                        "CUPTI: %s has version %lu: must be %d or later, and before %d", place,
                        (unsigned long)version, (int)LEAST_VERSION, (int)BEYOND_VERSION);
    for (size_t i = 0; i < count; i++)
        if (!gzk_take_function(library, functions[i].name, functions[i].address))
            return gzk_fail(error, GZK_NO_DEVICE,
                            "CUPTI is too old: it lacks %s; install the CUDA toolkit 13",
                            functions[i].name);
    return 0;
}

/* ------------------------------------------------------------------------------------- errors */

/* The kind of device without counters. */
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
