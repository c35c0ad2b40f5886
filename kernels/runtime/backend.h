/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * backend.h - the only interface between the runner and the drivers of devices. A backend is a
 * table of functions; nothing above it depends on CUDA or OpenCL.
 *
 * Every function that takes an error fills it and returns its status (error.h); 0 is success. A
 * device is used by one thread at a time.
 */
#ifndef GZK_BACKEND_H
#define GZK_BACKEND_H

#include "config.h"
#include "error.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gzk_device_info {
    char address[32];         /* "opencl:0" */
    char name[256];           /* the driver's name of the device */
    char driver[256];         /* the driver and its version */
    bool is_cpu;              /* a block's threads are loops of one core */
    int units;                /* multiprocessors, compute units */
    double clock_hz;          /* nominal core clock; 0 if unknown */
    double memory_clock_hz;   /* nominal memory clock; 0 if unknown */
    double bandwidth_bytes_s; /* nominal bandwidth of device memory; 0 if unknown */
    size_t memory_bytes;      /* device memory */
    size_t max_buffer_bytes;  /* the largest allocation; 0 if unknown */
    size_t cache_bytes;       /* the cache in front of device memory; 0 if unknown */
    size_t local_bytes;       /* local memory that one block may use, but for a fence's flag */
    int max_threads;          /* threads of a block */
    int warp;                 /* threads that issue together: 1 on a CPU, 0 where unknown */
    double double_ratio;      /* operations in float for one in double, at most; 0 if unknown */
    /* Of CUDA; else 0. */
    char identity[120];  /* distinguishes devices of one name */
    int memory_bus_bits; /* nominal */
    int shared_per_unit, registers_per_unit, threads_per_unit, blocks_per_unit; /* bytes, 32 bits,
                            threads and blocks of any size that a multiprocessor has at most */
    bool cooperative; /* blocks may wait for each other at a fence */
};

struct gzk_buffer;  /* device memory; each backend's own */
struct gzk_program; /* a compiled kernel; each backend's own */

/* One kernel argument. Constants are those that prelude.cl takes from a buffer and prelude.cu by
 * value. */
struct gzk_arg {
    enum { GZK_ARG_BUFFER, GZK_ARG_INT, GZK_ARG_LONG, GZK_ARG_CONSTANTS } kind;
    union {
        struct gzk_buffer *buffer; /* also of constants */
        int32_t i;
        int64_t l;
    };
    const void *constants;
};

static inline struct gzk_arg gzk_arg_buffer(struct gzk_buffer *buffer)
{
    return (struct gzk_arg){.kind = GZK_ARG_BUFFER, .buffer = buffer};
}

static inline struct gzk_arg gzk_arg_int(int32_t i)
{
    return (struct gzk_arg){.kind = GZK_ARG_INT, .i = i};
}

static inline struct gzk_arg gzk_arg_long(int64_t l)
{
    return (struct gzk_arg){.kind = GZK_ARG_LONG, .l = l};
}

enum { GZK_MAX_ARGS = 20 };

/* One launch: `groups` blocks of the program's threads, or, if there are more dimensions, as many
 * in x. */
struct gzk_launch {
    int groups;
    int groups_y, groups_z; /* 0 means 1 */
    int count;
    struct gzk_arg args[GZK_MAX_ARGS];
};

/* What the compiler made of a kernel; -1 if the backend cannot tell. */
struct gzk_build_report {
    int registers;   /* per thread */
    int spill_bytes; /* local (spilled) memory per thread */
};

/* What a backend compiles. */
struct gzk_program_spec {
    const char *text;   /* from gzk_kernel_text, with the backend's prelude */
    const char *name;   /* the kernel's */
    int threads;        /* of a block */
    size_t local_bytes; /* of a block */
    bool contract;      /* see struct gzk_config */
};

struct gzk_device {
    const struct gzk_backend *backend;
    struct gzk_device_info info;
    struct gzk_cached_program *programs; /* compiled so far, see device.h */
    void *context;                       /* CUDA's; else NULL */
    double run_clock_hz; /* the multiprocessors' clock right before the last run; 0: not told */
    /* If not NULL, called before a program is compiled for the first time, which it may refuse. */
    int (*before_program)(struct gzk_device *device, const struct gzk_config *config,
                          struct gzk_error *error);
};

struct gzk_backend {
    const char *name;    /* as in "opencl:0" */
    const char *prelude; /* the common subset in its language */

    /* How many devices there are, 0 if there is no driver. */
    int (*count)(void);
    /* Why there are none: what was looked for, why it is not there, what to do. GZK_NO_DEVICE and
     * one line; to be called if count() is 0. */
    int (*explain)(struct gzk_error *error);
    /* Opens device `index`, below count(). */
    int (*open)(int index, struct gzk_device **device, struct gzk_error *error);
    void (*close)(struct gzk_device *device);

    int (*buffer_new)(struct gzk_device *device, size_t bytes, struct gzk_buffer **buffer,
                      struct gzk_error *error);
    /* A buffer whose contents are `bytes` of host memory, which the kernels work on without a copy
     * and which must outlive it. What kernels wrote is there once `read` was called with `host` as
     * its destination. Only for devices whose info says is_cpu; NULL where there are none. */
    int (*buffer_on)(struct gzk_device *device, void *host, size_t bytes,
                     struct gzk_buffer **buffer, struct gzk_error *error);
    void (*buffer_free)(struct gzk_device *device, struct gzk_buffer *buffer);
    int (*write)(struct gzk_device *device, struct gzk_buffer *buffer, const void *from,
                 size_t bytes, struct gzk_error *error);
    int (*read)(struct gzk_device *device, const struct gzk_buffer *buffer, void *to, size_t bytes,
                struct gzk_error *error);
    /* Sets every byte to `byte`. */
    int (*fill)(struct gzk_device *device, struct gzk_buffer *buffer, uint8_t byte, size_t bytes,
                struct gzk_error *error);

    int (*program_new)(struct gzk_device *device, const struct gzk_program_spec *spec,
                       struct gzk_program **program, struct gzk_error *error);
    void (*program_free)(struct gzk_device *device, struct gzk_program *program);
    void (*report)(const struct gzk_program *program, struct gzk_build_report *report);

    /* How many of the program's blocks surely run at the same time, which is as many as may
     * wait for each other at a fence. */
    int (*resident)(struct gzk_device *device, const struct gzk_program *program, int *groups,
                    struct gzk_error *error);

    /* Runs the launches in order, each seeing what the one before it wrote, and waits for the last.
     * `seconds` is the time on the device from the start of the first to the end of the last. Where
     * `*stop` becomes nonzero, launches not yet started are given up; that is a failure.
     * GZ_SYNC_FENCE takes a single launch, all of whose groups must be resident. */
    int (*run)(struct gzk_device *device, const struct gzk_program *program,
               const struct gzk_launch *launches, size_t count, gz_sync sync,
               const volatile sig_atomic_t *stop, double *seconds, struct gzk_error *error);

    /* Whether the device refuses everything in this process from now on, as after a kernel used a
     * wrong address; NULL where that is not known. */
    bool (*is_lost)(struct gzk_device *device);
};

extern const struct gzk_backend gzk_opencl;
extern const struct gzk_backend gzk_cuda;

#endif
