/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * interrupt - a thread that waits for the signals, which all others block.
 *
 * A handler would not do. LLVM, which is the compiler inside some OpenCL drivers, puts its own over
 * ours in the first build; on an interrupt that one deletes the files which the build is just
 * using, and passes the signal on to ours. The build then fails and complains on stderr. A signal
 * that is blocked everywhere never gets to any handler, whoever installs one and when.
 */
#include "interrupt.h"

#include <pthread.h>
#include <stddef.h>

volatile sig_atomic_t gzk_interrupted;

static void set_of_interrupts(sigset_t *interrupts)
{
    sigemptyset(interrupts);
    sigaddset(interrupts, SIGINT);
    sigaddset(interrupts, SIGTERM);
}

static void behave_as_usual(int number)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigemptyset(&usual.sa_mask);
    sigaction(number, &usual, NULL);
}

static void *wait_for_interrupts(void *unused)
{
    sigset_t interrupts;
    int number;
    set_of_interrupts(&interrupts);
    while (sigwait(&interrupts, &number) != 0)
        continue;
    gzk_interrupted = 1;
    while (sigwait(&interrupts, &number) != 0)
        continue;
    behave_as_usual(number);
    pthread_sigmask(SIG_UNBLOCK, &interrupts, NULL);
    raise(number);
    return unused;
}

void gzk_catch_interrupts(void)
{
    sigset_t interrupts, before;
    pthread_t thread;
    /* A shell may have had them ignored, and whether an ignored signal can be waited for is the
     * system's choice. */
    behave_as_usual(SIGINT);
    behave_as_usual(SIGTERM);
    set_of_interrupts(&interrupts);
    pthread_sigmask(SIG_BLOCK, &interrupts, &before);
    /* Without the thread, the first interrupt already ends the program at once. */
    if (pthread_create(&thread, NULL, wait_for_interrupts, NULL) == 0)
        pthread_detach(thread);
    else
        pthread_sigmask(SIG_SETMASK, &before, NULL);
}
