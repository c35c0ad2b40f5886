/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fake.h - the GPU that the fake driver pretends to be: what calibrate should find, and what would
 * mislead it.
 */
#ifndef GZ_FAKE_H
#define GZ_FAKE_H

#define FAKE_NAME "Fake GPU"
#define FAKE_SMS 10
#define FAKE_THREADS_PER_SM 2048
#define FAKE_SHARED_BYTES 232448 /* of a block, at most */
#define FAKE_CACHE_BYTES (16 << 20)
#define FAKE_CLOCK_HZ 1.5e9         /* under load; nominally 1.98e9 */
#define FAKE_BANDWIDTH 400e9        /* B/s */
#define FAKE_CACHE_BANDWIDTH 1.5e12 /* B/s */
#define FAKE_EDGE_BYTES 24e6        /* at which half of a copy leaves the cache */
#define FAKE_EDGE_BANDWIDTH 500e9   /* B/s, of the time beyond the cache's */
#define FAKE_EDGE_SHARPNESS 8
#define FAKE_LATENCY_CYCLES 750.0
#define FAKE_CPI 0.25             /* cycles per warp instruction of one multiprocessor */
#define FAKE_LOCAL_CYCLES 1.25    /* for 128 bytes of its shared memory */
#define FAKE_LAUNCH_CYCLES 4200.0 /* from one kernel to the next that waits in the stream */
#define FAKE_GRAPH_CYCLES 2100.0
#define FAKE_FENCE_CYCLES 1200.0 /* of a fence, besides */
#define FAKE_FENCE_CYCLES_PER_BLOCK 12.0
#define FAKE_MISC_INSTS 640.0 /* warp instructions of a trapezoid, once */
#define FAKE_ITER_INSTS 280.0 /* and per loop */
#define FAKE_STALLS 3.0       /* how often longer than their CPI these take */
#define FAKE_CONFLICTS_PER_INST 0.125
#define FAKE_BARRIER_CYCLES 21.0 /* of one warp's group */
#define FAKE_BARRIER_CYCLES_PER_WARP 4.5

/* What misleads. */
#define FAKE_HOST_S 4e-6 /* of the host for a launch: more than the device needs */
#define FAKE_IDLE_S 5e-6 /* from an event on an idle stream to the kernel behind it */
#define FAKE_IDLE_CLOCK                                                                            \
    0.4                 /* of FAKE_CLOCK_HZ, before the device has been busy for long enough       \
                         */
#define FAKE_WARM_S 0.1 /* long enough */
#define FAKE_CACHED_HITS                                                                           \
    0.15                /* share of the latency that is saved while the chain is in the cache */
#define FAKE_HOOKED 1.5 /* how often longer kernels take once CUPTI is in the process */

#endif
