/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The common subset in OpenCL C 1.2. prelude.cu says the same in CUDA; the kernels use only what
 * both define. GZ_T is the element type, GZ_THREADS the work-group's size.
 */
#define GZ_KERNEL __kernel __attribute__((reqd_work_group_size(GZ_THREADS, 1, 1))) void
#define GZ_INLINE static inline __attribute__((always_inline))
#define GZ_GLOBAL __global
#define GZ_LOCAL __local
/* Oclgrind does not support what a compiler leaves behind when it inlines restrict, so its users give
 * -DGZ_RESTRICT= */
#ifndef GZ_RESTRICT
#define GZ_RESTRICT restrict
#endif
#define GZ_LOCAL_ARRAY(type, name, count) __local type name[count]
#define GZ_LOCAL_INT(name) __local int name[1]
#define GZ_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
/* Whether both branches of a condition may have barriers: with PoCL 3.1 columns in registers then got
 * wrong values. GPUs are given 1, and in tests Oclgrind, which executes both. */
#ifndef GZ_BARRIER_IN_LOOPS_BRANCH
#define GZ_BARRIER_IN_LOOPS_BRANCH 0
#endif
#define GZ_BARRIER_GLOBAL() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define GZ_THREAD ((int)get_local_id(0))
#define GZ_GROUP ((int)get_group_id(0))
#define GZ_GROUPS ((int)get_num_groups(0))
#define GZ_GROUP_Y ((int)get_group_id(1))
#define GZ_GROUP_Z ((int)get_group_id(2))
#define GZ_CONSTANTS(type, count) __constant const type *
#define GZ_CONSTANT_AT(constants, k) ((constants)[k])

typedef long gz_long;
typedef uint gz_counter;

GZ_INLINE int gz_min(int a, int b)
{
    return a < b ? a : b;
}
GZ_INLINE int gz_max(int a, int b)
{
    return a > b ? a : b;
}

/* For prelude.cu's compiler. */
GZ_INLINE int gz_anew(int i)
{
    return i;
}
GZ_INLINE GZ_GLOBAL GZ_T *gz_here(GZ_GLOBAL GZ_T *place)
{
    return place;
}

/* A barrier of the work-group: the flag of its thread 0, through `store`. */
GZ_INLINE int gz_barrier_any(int flag, __local int *store)
{
    if (GZ_THREAD == 0)
        *store = flag;
    GZ_BARRIER_GLOBAL();
    return *store;
}
/* Orders this thread's accesses to device memory. */
GZ_INLINE void gz_fence(void)
{
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
GZ_INLINE void gz_arrive(volatile __global gz_counter *counter)
{
    atomic_inc(counter);
}
/* An atomic read: a plain one could be hoisted out of the loop that waits. */
GZ_INLINE gz_counter gz_peek(volatile __global gz_counter *counter)
{
    return atomic_or(counter, 0);
}
GZ_INLINE void gz_raise(volatile __global gz_counter *flag)
{
    atomic_or(flag, 1);
}
/* OpenCL has no clock: a look is an atomic operation, 10 ns at least. */
GZ_INLINE gz_long gz_clock_ns(gz_long looks)
{
    return 10 * looks;
}
