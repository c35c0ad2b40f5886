/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spawn.h"

#include "interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

bool cli_stack_below(unsigned long bytes)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < bytes;
}

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

pid_t cli_serve(void (*serve)(void *of, int from), void *of, int *to)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (int fd = 0; fd < 3 && null >= 0; fd++)
            dup2(null, fd);
        close(ends[0]);
        serve(of, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    if (child < 0)
        close(ends[0]);
    *to = ends[0];
    return child;
}

static void note_child(int number)
{
    (void)number; /* SIGCHLD is waited for; ignored, it might be lost */
}

/* Waits for children, and hands interrupts on to them. */
static int wait_for(const pid_t *children, int n, const sigset_t *watched, int *interrupt)
{
    int status = 0, left = n, number;
    bool ended[CLI_MOST_PROCESSES] = {false};
    while (left > 0) {
        if (sigwait(watched, &number) == 0 && number != SIGCHLD) {
            *interrupt = number;
            for (int k = 0; k < n; k++)
                if (!ended[k])
                    kill(children[k], number);
        }
        for (int k = 0; k < n; k++) {
            int state = 0;
            if (ended[k] || waitpid(children[k], &state, WNOHANG) != children[k])
                continue;
            ended[k] = true;
            left--;
            int own = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
            status = status ? status : own;
        }
    }
    return status;
}

int cli_in_processes(int parts, cli_part *does, void *with, int *interrupt)
{
    struct sigaction note = {.sa_handler = note_child};
    sigset_t watched, before;
    pid_t children[CLI_MOST_PROCESSES], parent = getpid();
    int n = 0, failed = 0;
    *interrupt = 0;
    fflush(NULL);
    cli_interrupts(&watched);
    sigaction(SIGCHLD, &note, NULL);
    sigaddset(&watched, SIGCHLD);
    sigprocmask(SIG_BLOCK, &watched, &before);
    for (; n < parts; n++) {
        children[n] = fork();
        if (children[n] < 0) {
            failed = errno;
            break;
        }
        if (children[n] > 0)
            continue;
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        sigprocmask(SIG_SETMASK, &before, NULL);
        exit(getppid() == parent ? does(with, n, parts) : 1);
    }
    int status = wait_for(children, n, &watched, interrupt);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = failed;
    return failed ? -1 : status;
}
