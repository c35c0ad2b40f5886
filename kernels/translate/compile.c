/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile.h"

#include "output.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int run(const char *const *argv)
{
    int status;
    pid_t child = fork();
    if (child < 0)
        return cli_fail(CLI_FAILED, "fork: %s", strerror(errno));
    if (child == 0) {
        execvp(argv[0], (char *const *)argv);
        _exit(127);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return CLI_DONE;
    return cli_fail(CLI_FAILED, "the C compiler, %s, failed", argv[0]);
}

static int compile_in(const char *folder, const char *text, const char *path)
{
    const char *source = gzt_format("%s/stencil.c", folder);
    const char *object = gzt_format("%s/stencil.so", folder);
    const char *compiler = getenv("CC") && *getenv("CC") ? getenv("CC") : "cc";
    const char *const argv[] = {compiler, "-std=c11", "-O2", "-ffp-contract=off",
                                "-fPIC",  "-shared",  "-o",  object,
                                source,   "-lm",      NULL};
    int status = cli_write(source, text, strlen(text));
    if (status == CLI_DONE)
        status = run(argv);
    /* The folder lies beside the result, so that this replaces it at once. */
    if (status == CLI_DONE && rename(object, path) != 0)
        status = cli_fail(CLI_FAILED, "cannot write %s: %s", path, strerror(errno));
    unlink(source);
    unlink(object);
    rmdir(folder);
    return status;
}

int gzt_compile(const char *text, const char *path)
{
    char *folder = gzt_format("%s.XXXXXX", path);
    if (!mkdtemp(folder))
        return cli_fail(CLI_FAILED, "cannot write %s: %s", path, strerror(errno));
    return compile_in(folder, text, path);
}
