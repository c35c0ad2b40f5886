/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * interrupt - a thread that waits for the signals, which all others block.
 *
 * A handler would not work. LLVM, which is the compiler inside some OpenCL drivers, replaces it by
 * its own during the first build; on an interrupt LLVM's handler deletes the files that the build
 * is using, and passes the signal on to ours. The build then fails and complains on stderr. A
 * signal that is blocked everywhere never reaches any handler, no matter who installs one and when.
 */
#include "interrupt.h"

#include "output.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

volatile sig_atomic_t cli_interrupted;

/* How long a program may take to end by itself; s beyond the fraction. */
static const long patience_ns = 750000000;
static atomic_int patience_s;

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

static bool is_ignored(int number)
{
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void behave_as_usual(int number)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigemptyset(&usual.sa_mask);
    sigaction(number, &usual, NULL);
}

static void *wait_for_interrupts(void *of)
{
    const sigset_t *interrupts = of;
    struct timespec patience = {.tv_nsec = patience_ns};
    int number;
    while (sigwait(interrupts, &number) != 0)
        continue;
    cli_interrupted = number;
    patience.tv_sec = patience_s;
    number = sigtimedwait(interrupts, NULL, &patience);
    if (number <= 0)
        cli_end_interrupted();
    cli_remove_unfinished();
    behave_as_usual(number);
    pthread_sigmask(SIG_UNBLOCK, interrupts, NULL);
    raise(number);
    return NULL;
}

void cli_expect_late_end(int seconds)
{
    patience_s = seconds;
}

void cli_interrupts(sigset_t *interrupts)
{
    sigemptyset(interrupts);
    for (int i = 0; i < SIGNALS; i++) {
        if (signals[i] == SIGHUP && is_ignored(SIGHUP))
            continue;
        behave_as_usual(signals[i]);
        sigaddset(interrupts, signals[i]);
    }
}

void cli_catch_interrupts(void)
{
    static sigset_t interrupts;
    sigset_t before;
    pthread_t thread;

    cli_interrupts(&interrupts);
    cli_watch(&cli_interrupted);
    pthread_sigmask(SIG_BLOCK, &interrupts, &before);
    /* Without the thread, the first interrupt already ends the program at once. */
    if (pthread_create(&thread, NULL, wait_for_interrupts, &interrupts) == 0)
        pthread_detach(thread);
    else
        pthread_sigmask(SIG_SETMASK, &before, NULL);
}
