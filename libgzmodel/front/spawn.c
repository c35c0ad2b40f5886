/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spawn.h"

#include "interrupt.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int redirect(posix_spawn_file_actions_t *actions, int from, int to)
{
    return from < 0 ? 0 : posix_spawn_file_actions_adddup2(actions, from, to);
}

int cli_start(char *const *words, int in, int out, int complaints, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (!failed) {
        failed = redirect(&actions, in, STDIN_FILENO);
        if (!failed)
            failed = redirect(&actions, out, STDOUT_FILENO);
        if (!failed)
            failed = redirect(&actions, complaints, STDERR_FILENO);
        if (!failed)
            failed = posix_spawnattr_setsigmask(&attributes, &none);
        if (!failed)
            failed = posix_spawnattr_setflags(&attributes,
                                              POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
        if (!failed)
            failed = posix_spawnp(pid, words[0], &actions, &attributes, words, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

int cli_await(pid_t pid)
{
    static const struct timespec pause = {.tv_nsec = 5000000};
    int status = -1;
    bool asked = false;
    for (;;) {
        pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR))
            return status;
        if (cli_interrupted && !asked)
            asked = kill(-pid, SIGTERM) == 0;
        nanosleep(&pause, NULL);
    }
}
