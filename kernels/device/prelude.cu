/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The common subset in CUDA C++, for NVRTC. prelude.cl says the same in OpenCL C. The tile lies in
 * dynamic shared memory, because a static array may not exceed 48 KiB on any device.
 */
/* A kernel may take as many registers as leave a multiprocessor some for so many of its blocks. */
#ifdef GZ_RESIDENT_GROUPS
#define GZ_BOUNDS GZ_THREADS, GZ_RESIDENT_GROUPS
#else
#define GZ_BOUNDS GZ_THREADS
#endif
#define GZ_KERNEL extern "C" __global__ __launch_bounds__(GZ_BOUNDS) void
#define GZ_INLINE static __device__ __forceinline__
#define GZ_GLOBAL
#define GZ_LOCAL
#define GZ_RESTRICT __restrict__
#define GZ_LOCAL_ARRAY(type, name, count)                                                          \
    extern __shared__ double gz_shared[];                                                          \
    type *name = (type *)gz_shared
/* See gz_barrier_any. */
#define GZ_LOCAL_INT(name) int *name = 0
#define GZ_BARRIER() __syncthreads()
#define GZ_BARRIER_IN_LOOPS_BRANCH 1
#define GZ_BARRIER_GLOBAL() __syncthreads()
#define GZ_THREAD ((int)threadIdx.x)
#define GZ_GROUP ((int)blockIdx.x)
#define GZ_GROUPS ((int)gridDim.x)
#define GZ_GROUP_Y ((int)blockIdx.y)
#define GZ_GROUP_Z ((int)blockIdx.z)
/* Numbers that a kernel takes by value, which makes them operands in constant memory. */
#define GZ_CONSTANTS(type, count) gz_constants<type, count>
template <typename type, int count> struct gz_constants {
    type at[count];
};
#define GZ_CONSTANT_AT(constants, k) ((constants).at[k])

typedef long long gz_long;
typedef unsigned int gz_counter;

GZ_INLINE int gz_min(int a, int b)
{
    return a < b ? a : b;
}
GZ_INLINE int gz_max(int a, int b)
{
    return a > b ? a : b;
}

/* The same number, which the compiler does not know: what follows from it is computed where it is
 * used, not before, and so takes no registers meanwhile. */
GZ_INLINE int gz_anew(int i)
{
    asm volatile("" : "+r"(i));
    return i;
}
/* Likewise a place in device memory. */
GZ_INLINE GZ_T *gz_here(GZ_T *place)
{
    size_t bits = __cvta_generic_to_global(place);
    asm volatile("" : "+l"(bits));
    return (GZ_T *)__cvta_global_to_generic(bits);
}

/* A barrier of the block: whether any of its threads has a nonzero flag. The hardware combines the
 * flags, so no shared memory is taken from the tile; `store` is for OpenCL. */
GZ_INLINE int gz_barrier_any(int flag, int *store)
{
    (void)store;
    return __syncthreads_or(flag);
}
/* Orders this thread's accesses to device memory, and those that it has synchronised with, for the
 * whole GPU. */
GZ_INLINE void gz_fence(void)
{
    __threadfence();
}
GZ_INLINE void gz_arrive(volatile gz_counter *counter)
{
    atomicAdd((gz_counter *)counter, 1u);
}
/* A read that is not cached near the multiprocessor, and orders nothing: it is repeated while
 * waiting. A volatile read would be one for the whole system. */
#if __CUDA_ARCH__ >= 700
GZ_INLINE gz_counter gz_peek(volatile gz_counter *counter)
{
    gz_counter seen;
    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(counter) : "memory");
    return seen;
}
#else
GZ_INLINE gz_counter gz_peek(volatile gz_counter *counter)
{
    return *counter;
}
#endif
GZ_INLINE void gz_raise(volatile gz_counter *flag)
{
    atomicOr((gz_counter *)flag, 1u);
}
/* The GPU's timer; `looks` is for OpenCL, which has none. */
GZ_INLINE gz_long gz_clock_ns(gz_long looks)
{
    gz_long now;
    (void)looks;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}
