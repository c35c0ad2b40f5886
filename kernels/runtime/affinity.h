/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * affinity.h - where the threads of an OpenCL driver for the CPU run, and on which stacks.
 */
#ifndef GZK_AFFINITY_H
#define GZK_AFFINITY_H

#include <stddef.h>

/* Tells PoCL, through POCL_AFFINITY in the environment, to give each of its threads a core of its
 * own: they otherwise wander, and two may share a core while another idles. To be called before
 * OpenCL is first used. Does nothing if the variable is set already, or if PoCL would ask
 * for a core that this process may not use and abort: with a number of threads of its own
 * (POCL_MAX_PTHREAD_COUNT), or if not all cores are allowed. */
void gzk_pin_pocl(void);

/* PoCL keeps the variables of all of a block's threads on the stack of one of its own threads,
 * which 8 MiB, the usual, do not hold of 4096. 16 MiB hold those of all stencils' kernels, 64 MiB
 * those that are not optimised (PoCL 3.1, 4096 threads). Only touched pages take memory. */
#define GZK_POCL_STACK ((size_t)64 << 20)

/* That, or 0 if the limit on address space might not allow it. */
size_t gzk_pocl_stack(void);

/* Sets the stack of the threads that are started from now on, bytes, unless that is 0; returns what
 * it was, 0 if that is not known. */
size_t gzk_thread_stack(size_t bytes);

#endif
