/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * interrupt.h - how the programs that run kernels end early: the first interrupt (SIGINT, SIGTERM)
 * after what is on the device or in its compiler, the second at once.
 */
#ifndef GZK_INTERRUPT_H
#define GZK_INTERRUPT_H

#include <signal.h>

/* Not 0 after the first interrupt; what takes long looks at it. */
extern volatile sig_atomic_t gzk_interrupted;

/* From here on interrupts are caught. To be called once, before a driver is loaded, so that its
 * threads are shielded too. A program started from here on must be given an empty signal mask, or
 * interrupts do not reach it. */
void gzk_catch_interrupts(void);

#endif
