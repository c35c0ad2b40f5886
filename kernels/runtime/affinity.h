/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * affinity.h - where the threads of an OpenCL driver for the CPU run.
 */
#ifndef GZK_AFFINITY_H
#define GZK_AFFINITY_H

/* Tells PoCL, through POCL_AFFINITY in the environment, to give each of its threads a core of its
 * own: they otherwise wander, and two may share a core while another idles. To be called before
 * OpenCL is first used. Does nothing if the variable is set already, or if PoCL would ask
 * for a core that this process may not use and abort: with a number of threads of its own
 * (POCL_MAX_PTHREAD_COUNT), or if not all cores are allowed. */
void gzk_pin_pocl(void);

#endif
