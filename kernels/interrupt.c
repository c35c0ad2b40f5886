/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "interrupt.h"

#include <stddef.h>

volatile sig_atomic_t gzk_interrupted;

static void on_signal(int number)
{
    (void)number;
    gzk_interrupted = 1;
}

void gzk_catch_interrupts(void)
{
    /* Restart, so that a driver that waits for its compiler does not take the signal for an error.
     */
    struct sigaction action = {.sa_handler = on_signal,
                               .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}
