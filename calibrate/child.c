/* SPDX-License-Identifier: GPL-3.0-or-later */
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

struct gzc_child gzc_child_start(const char *what, char *const *words)
{
    struct gzc_child child = {.what = what, .from = -1};
    int ends[2];
    if (pipe(ends) != 0) {
        child.failed = errno;
        return child;
    }
    /* Another child that is started meanwhile must not keep this one's pipe open. */
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    child.failed = cli_start(words, -1, ends[1], ends[1], &child.pid);
    close(ends[1]);
    if (child.failed)
        close(ends[0]);
    else
        child.from = ends[0];
    return child;
}

char *gzc_child_end(struct gzc_child *child, double limit_s, const volatile sig_atomic_t *stop,
                    struct gzk_error *error)
{
    int status = -1;
    char *text = NULL;
    size_t size = 0;
    if (child->failed) {
        gzk_fail(error, GZK_FAILED, "cannot start %s: %s", child->what, strerror(child->failed));
        return NULL;
    }
    FILE *to = open_memstream(&text, &size);
    bool whole = to && collect(child->from, to, limit_s, stop);
    close(child->from);
    if (!whole)
        kill(-child->pid, SIGKILL);
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    bool kept = to && fclose(to) == 0;
    if (kept && whole && status == 0)
        return text;
    if (!kept)
        gzk_fail(error, GZK_FAILED, "%s: out of memory", child->what);
    else if (!whole)
        gzk_fail(error, GZK_FAILED, "%s was stopped before it finished", child->what);
    else
        gzk_fail(error, GZK_FAILED, "%s failed: %.200s", child->what,
                 text && *text ? text : "it printed nothing");
    free(text);
    return NULL;
}

char *gzc_child_output(const char *what, char *const *words, double limit_s,
                       const volatile sig_atomic_t *stop, struct gzk_error *error)
{
    struct gzc_child child = gzc_child_start(what, words);
    return gzc_child_end(&child, limit_s, stop, error);
}
