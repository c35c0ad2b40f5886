/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libnvrtc - a run-time compiler that takes no time: its machine code is the four bytes that the
 * fake driver looks at. Tests 320, 321, 430 and 824 are of NVRTC itself.
 */
#include <nvrtc.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* A function that sets its results, and succeeds. */
#define GIVES(name, parameters, set)                                                               \
    EXPORT nvrtcResult name parameters                                                             \
    {                                                                                              \
        set;                                                                                       \
        return NVRTC_SUCCESS;                                                                      \
    }

GIVES(nvrtcVersion, (int *major, int *minor), (*major = 13, *minor = 0))
GIVES(nvrtcCreateProgram,
      (nvrtcProgram * program, const char *text, const char *name, int headers,
       const char *const *header, const char *const *include),
      ((void)text, (void)name, (void)headers, (void)header, (void)include,
       *program = (nvrtcProgram)(void *)program))
GIVES(nvrtcCompileProgram, (nvrtcProgram program, int options, const char *const *option),
      ((void)program, (void)options, (void)option))
GIVES(nvrtcDestroyProgram, (nvrtcProgram * program), *program = NULL)
GIVES(nvrtcGetProgramLogSize, (nvrtcProgram program, size_t *size), ((void)program, *size = 1))
GIVES(nvrtcGetProgramLog, (nvrtcProgram program, char *log), ((void)program, *log = '\0'))
GIVES(nvrtcGetPTXSize, (nvrtcProgram program, size_t *size), ((void)program, *size = 1))
GIVES(nvrtcGetPTX, (nvrtcProgram program, char *code), ((void)program, *code = '\0'))
GIVES(nvrtcGetCUBINSize, (nvrtcProgram program, size_t *size), ((void)program, *size = 4))
GIVES(nvrtcGetCUBIN, (nvrtcProgram program, char *code),
      ((void)program, memcpy(code, "\177ELF", 4)))

EXPORT const char *nvrtcGetErrorString(nvrtcResult status)
{
    return status == NVRTC_SUCCESS ? "success" : "an error";
}
