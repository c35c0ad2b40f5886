/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile.h"

#include "interrupt.h"
#include "output.h"
#include "spawn.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* The C compiler reads the text from a file without a name, so that nothing but the object can be
 * left anywhere. */
static int compile(const char *object, void *of)
{
    const char *text = of, *chosen = getenv("CC");
    const char *compiler = chosen && *chosen ? chosen : "cc";
    /* CC may be several words, as make takes it. */
    static const char line[] =
        "exec ${CC:-cc} -std=c11 -O2 -ffp-contract=off -fPIC -shared -o \"$1\" -x c - -lm";
    const char *const words[] = {"sh", "-c", line, "sh", object, NULL};
    FILE *source = tmpfile();
    pid_t pid;
    int failed = 0;
    if (!source || fputs(text, source) == EOF || fflush(source) != 0) {
        failed = cli_fail(CLI_FAILED, "cannot write a temporary file for the C compiler: %s",
                          strerror(errno));
    } else {
        rewind(source);
        errno = cli_start((char *const *)words, fileno(source), -1, -1, &pid);
        if (errno)
            failed = cli_fail(CLI_FAILED, "sh, which starts the C compiler, cannot be run: %s",
                              strerror(errno));
        else if (cli_await(pid, HUGE_VAL) != 0)
            failed =
                cli_fail(CLI_FAILED, cli_interrupted ? "interrupted" : "the C compiler, %s, failed",
                         compiler);
    }
    if (source)
        fclose(source);
    return failed;
}

int gzt_compile(const char *text, const char *path)
{
    cli_catch_interrupts();
    return cli_make(path, compile, (void *)text);
}
