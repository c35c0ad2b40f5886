/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* for pipe2 */
#include "child.h"

#include "numbers.h"
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { POLL_MS = 100 };

/* Copies what comes through `from` until it ends, *stop or the time limit. */
static bool collect(int from, FILE *to, double limit_s, const volatile sig_atomic_t *stop)
{
    double end_s = cli_now() + limit_s;
    struct pollfd wait = {.fd = from, .events = POLLIN};
    while (!*stop && cli_now() < end_s) {
        char buffer[4096];
        ssize_t got;
        if (poll(&wait, 1, POLL_MS) <= 0)
            continue;
        got = read(from, buffer, sizeof buffer);
        if (got == 0)
            return true;
        if (got > 0)
            fwrite(buffer, 1, (size_t)got, to);
        else if (errno != EINTR)
            return false;
    }
    return false;
}

char *gzc_child_output(const char *what, char *const *words, double limit_s,
                       const volatile sig_atomic_t *stop, struct gzk_error *error)
{
    int ends[2], status = -1;
    pid_t pid;
    char *text = NULL;
    size_t size = 0;
    int failed = pipe2(ends, O_CLOEXEC) != 0 ? errno : 0;
    if (!failed) {
        failed = cli_start(words, -1, ends[1], ends[1], &pid);
        close(ends[1]);
    }
    if (failed) {
        gzk_fail(error, GZK_FAILED, "cannot start %s: %s", what, strerror(failed));
        return NULL;
    }
    FILE *to = open_memstream(&text, &size);
    bool whole = to && collect(ends[0], to, limit_s, stop);
    close(ends[0]);
    if (!whole)
        kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    bool kept = to && fclose(to) == 0;
    if (kept && whole && status == 0)
        return text;
    if (!kept)
        gzk_fail(error, GZK_FAILED, "%s: out of memory", what);
    else if (!whole)
        gzk_fail(error, GZK_FAILED, "%s was stopped before it finished", what);
    else
        gzk_fail(error, GZK_FAILED, "%s failed: %.200s", what,
                 text && *text ? text : "it printed nothing");
    free(text);
    return NULL;
}
