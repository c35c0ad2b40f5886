/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nvrtc.h"

#include "toolkit.h"

#include <dlfcn.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    bool tried, works;
    char place[400]; /* where it was found, or searched for */
    __typeof__(&nvrtcVersion) version;
    __typeof__(&nvrtcGetErrorString) error_string;
    __typeof__(&nvrtcCreateProgram) create;
    __typeof__(&nvrtcDestroyProgram) destroy;
    __typeof__(&nvrtcCompileProgram) compile;
    __typeof__(&nvrtcGetProgramLogSize) log_size;
    __typeof__(&nvrtcGetProgramLog) log;
    __typeof__(&nvrtcGetPTXSize) ptx_size;
    __typeof__(&nvrtcGetPTX) ptx;
    __typeof__(&nvrtcGetCUBINSize) cubin_size;
    __typeof__(&nvrtcGetCUBIN) cubin;
    /* These two may be missing. */
    __typeof__(&nvrtcGetNumSupportedArchs) target_count;
    __typeof__(&nvrtcGetSupportedArchs) targets;
} api;

static bool load_api(void)
{
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                        "libnvrtc.so", NULL};
    static const char *const companions[] = {"libnvrtc-builtins.so.*", NULL};
    static const struct gzk_toolkit_library nvrtc = {names, companions};
    void *library;

    if (api.tried)
        return api.works;
    api.tried = true;
    library = gzk_toolkit_open(&nvrtc, api.place, sizeof api.place);
    if (!library)
        return false;
    const struct gzk_function functions[] = {{&api.version, "nvrtcVersion", NULL},
                                             {&api.error_string, "nvrtcGetErrorString", NULL},
                                             {&api.create, "nvrtcCreateProgram", NULL},
                                             {&api.destroy, "nvrtcDestroyProgram", NULL},
                                             {&api.compile, "nvrtcCompileProgram", NULL},
                                             {&api.log_size, "nvrtcGetProgramLogSize", NULL},
                                             {&api.log, "nvrtcGetProgramLog", NULL},
                                             {&api.ptx_size, "nvrtcGetPTXSize", NULL},
                                             {&api.ptx, "nvrtcGetPTX", NULL},
                                             {&api.cubin_size, "nvrtcGetCUBINSize", NULL},
                                             {&api.cubin, "nvrtcGetCUBIN", NULL}};
    gzk_take_function(library, "nvrtcGetNumSupportedArchs", &api.target_count);
    gzk_take_function(library, "nvrtcGetSupportedArchs", &api.targets);
    api.works = !gzk_take_functions(library, functions, sizeof functions / sizeof *functions);
    return api.works;
}

int gzk_nvrtc_version(void)
{
    int major = 0, minor = 0;
    if (!load_api() || api.version(&major, &minor) != NVRTC_SUCCESS)
        return 0;
    return 1000 * major + 10 * minor;
}

/* The compiler's log, or NULL. */
static char *get_log(nvrtcProgram program)
{
    size_t size = 0;
    char *log;
    if (api.log_size(program, &size) != NVRTC_SUCCESS || !(log = calloc(1, size + 1)))
        return NULL;
    api.log(program, log);
    return log;
}

/* The newest target that NVRTC knows up to `capability`; that itself if there is none or NVRTC does
 * not tell. */
static int target_for(int capability)
{
    int count = 0, best = 0, *targets = NULL;
    if (api.target_count && api.targets && api.target_count(&count) == NVRTC_SUCCESS && count > 0)
        targets = calloc((size_t)count, sizeof *targets);
    if (targets && api.targets(targets) == NVRTC_SUCCESS)
        for (int k = 0; k < count; k++)
            best = targets[k] <= capability && targets[k] > best ? targets[k] : best;
    free(targets);
    return best > 0 ? best : capability;
}

/* Code of the very device is machine code; of an older target it is PTX, which the driver compiles.
 */
static int take_results(nvrtcProgram program, bool machine_code, struct gzk_compiled *result,
                        struct gzk_error *error)
{
    size_t ptx_size = 0;

    if (api.ptx_size(program, &ptx_size) != NVRTC_SUCCESS ||
        (machine_code && api.cubin_size(program, &result->cubin_bytes) != NVRTC_SUCCESS))
        return gzk_fail(error, GZK_FAILED, "NVRTC: gave no code for the kernel");
    if (!machine_code)
        result->cubin_bytes = ptx_size + 1;
    result->ptx = calloc(1, ptx_size + 1);
    result->cubin = malloc(result->cubin_bytes);
    if (!result->ptx || !result->cubin)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    if (!result->cubin_bytes || api.ptx(program, result->ptx) != NVRTC_SUCCESS ||
        (machine_code && api.cubin(program, result->cubin) != NVRTC_SUCCESS))
        return gzk_fail(error, GZK_FAILED, "NVRTC: gave no code for the kernel");
    if (!machine_code)
        memcpy(result->cubin, result->ptx, result->cubin_bytes);
    return 0;
}

int gzk_nvrtc_compile(const char *text, int capability, bool contract, struct gzk_compiled *result,
                      struct gzk_error *error)
{
    char architecture[40];
    const char *options[] = {architecture, contract ? "--fmad=true" : "--fmad=false",
                             "--ptxas-options=--verbose", "--generate-line-info"};
    nvrtcProgram program;
    nvrtcResult status;
    int failed = 0;

    memset(result, 0, sizeof *result);
    if (!load_api())
        return gzk_fail(
            error, GZK_NO_DEVICE,
            "CUDA: no usable run-time compiler: libnvrtc.so.13, .12 or .11.2 was looked "
            "for in %s; set CUDA_HOME to the toolkit's folder, or install NVRTC",
            api.place);
    int target = target_for(capability);
    bool machine_code = target == capability;
    snprintf(architecture, sizeof architecture, "--gpu-architecture=%s_%d",
             machine_code ? "sm" : "compute", target);
    status = api.create(&program, text, "kernel.cu", 0, NULL, NULL);
    if (status != NVRTC_SUCCESS)
        return gzk_fail(error, GZK_FAILED, "NVRTC: %s", api.error_string(status));
    status = api.compile(program, (int)(sizeof options / sizeof *options), options);
    result->log = get_log(program);
    if (status != NVRTC_SUCCESS) {
        const char *line = result->log ? strstr(result->log, "error") : NULL;
        while (line && line > result->log && line[-1] != '\n')
            line--;
        failed = gzk_fail(error, GZK_FAILED, "NVRTC: building the kernel: %s: %.*s",
                          api.error_string(status), line ? (int)strcspn(line, "\n") : 0,
                          line ? line : "");
    } else {
        failed = take_results(program, machine_code, result, error);
    }
    api.destroy(&program);
    if (failed != 0)
        gzk_compiled_free(result);
    return failed;
}

void gzk_compiled_free(struct gzk_compiled *result)
{
    free(result->cubin);
    free(result->ptx);
    free(result->log);
    memset(result, 0, sizeof *result);
}
