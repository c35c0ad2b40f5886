/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "child.h"

#include "numbers.h"
#include "spawn.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

/* Waits for a process until *stop or the time limit, then ends its group; whether it ended itself.
 */
static bool await(pid_t pid, double limit_s, const volatile sig_atomic_t *stop, int *status)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    double end_s = cli_now() + limit_s;
    while (!*stop && cli_now() < end_s) {
        if (waitpid(pid, status, WNOHANG) != 0)
            return true;
        nanosleep(&pause, NULL);
    }
    kill(-pid, SIGKILL);
    while (waitpid(pid, status, 0) < 0 && errno == EINTR)
        continue;
    return false;
}

char *gzc_child_output(const char *what, char *const *words, double limit_s,
                       const volatile sig_atomic_t *stop, struct gzk_error *error)
{
    int status = -1;
    pid_t pid;
    char *text = NULL;
    size_t size = 0;
    FILE *out = tmpfile();
    int failed = out ? cli_start(words, -1, fileno(out), fileno(out), &pid) : errno;
    if (failed) {
        gzk_fail(error, GZK_FAILED, "cannot start %s: %s", what, strerror(failed));
    } else if (!await(pid, limit_s, stop, &status)) {
        gzk_fail(error, GZK_FAILED, "%s was stopped before it finished", what);
    } else {
        rewind(out);
        bool printed = getdelim(&text, &size, '\0', out) > 0;
        if (printed && status == 0) {
            fclose(out);
            return text;
        }
        gzk_fail(error, GZK_FAILED, "%s failed: %.200s", what,
                 printed ? text : "it printed nothing");
    }
    free(text);
    if (out)
        fclose(out);
    return NULL;
}
