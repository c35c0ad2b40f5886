/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fake.h - the GPU that the fake driver pretends to be: what calibrate should find.
 */
#ifndef GZ_FAKE_H
#define GZ_FAKE_H

#define FAKE_NAME "Fake GPU"
#define FAKE_SMS 10
#define FAKE_CLOCK_HZ 1.5e9       /* under load; nominally 1.98e9 */
#define FAKE_BANDWIDTH 400e9      /* B/s */
#define FAKE_CACHE_BANDWIDTH 2e12 /* B/s */
#define FAKE_LATENCY_CYCLES 750.0
#define FAKE_CPI 0.25 /* cycles per warp instruction of one multiprocessor */
#define FAKE_LAUNCH_CYCLES 4200.0
#define FAKE_GRAPH_CYCLES 2100.0
#define FAKE_FENCE_CYCLES 1200.0 /* of a fence, besides */
#define FAKE_FENCE_CYCLES_PER_BLOCK 12.0
#define FAKE_MISC_INSTS 640.0 /* warp instructions of a trapezoid, once */
#define FAKE_ITER_INSTS 280.0 /* and per loop */
#define FAKE_CONFLICTS_PER_INST 0.125

#endif
