/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * interrupt.h - how the programs that run kernels end early, on SIGINT, SIGTERM or SIGHUP: with one
 * line and the exit status 128 + the signal's number, and no output. What takes long looks at
 * cli_interrupted and says what it was doing; a program that has not ended by itself after
 * three quarters of a second, because it is inside a driver, a compiler or a long loop, is ended.
 * A second interrupt ends it at once.
 */
#ifndef GZ_CLI_INTERRUPT_H
#define GZ_CLI_INTERRUPT_H

#include <signal.h>

/* 0, or the number of the first interrupt's signal. */
extern volatile sig_atomic_t cli_interrupted;

/* From here on interrupts are caught; a SIGHUP that is ignored, as after nohup, stays so. To be
 * called once, before a driver is loaded, so that its threads are shielded too. A program started
 * from here on must be given an empty signal mask, or interrupts do not reach it. */
void cli_catch_interrupts(void);

/* From here on a program may take so many seconds more to end: it has results to write. */
void cli_expect_late_end(int seconds);

/* The signals that interrupt, but for a SIGHUP that is ignored. From here on they can be waited
 * for: a shell may have had them ignored, and whether an ignored signal can be waited for is the
 * system's choice. */
void cli_interrupts(sigset_t *interrupts);

#endif
