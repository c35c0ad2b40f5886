/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The common subset in CUDA C++, for NVRTC. prelude.cl says the same in OpenCL C. The tile lies in
 * dynamic shared memory, because a static array may not exceed 48 KiB on any device.
 */
/* A kernel may ask for registers as if a multiprocessor had one of its blocks. */
#ifdef GZ_ONE_GROUP
#define GZ_BOUNDS GZ_THREADS, 1
#else
#define GZ_BOUNDS GZ_THREADS
#endif
#define GZ_KERNEL extern "C" __global__ __launch_bounds__(GZ_BOUNDS) void
#define GZ_INLINE static __device__ __forceinline__
#define GZ_GLOBAL
#define GZ_LOCAL
#define GZ_CONSTANT const
#define GZ_RESTRICT __restrict__
#define GZ_LOCAL_ARRAY(type, name, count)                                                          \
    extern __shared__ double gz_shared[];                                                          \
    type *name = (type *)gz_shared
#define GZ_LOCAL_INT(name) __shared__ int name[1]
#define GZ_BARRIER() __syncthreads()
#define GZ_THREAD ((int)threadIdx.x)
#define GZ_GROUP ((int)blockIdx.x)
#define GZ_GROUPS ((int)gridDim.x)

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

/* Makes this block's writes visible to the others, before it says that it has arrived: each
 * thread fences its own writes, then the block meets. */
GZ_INLINE void gz_publish(void)
{
    __threadfence();
    __syncthreads();
}
GZ_INLINE void gz_arrive(volatile gz_counter *counter)
{
    atomicAdd((gz_counter *)counter, 1u);
}
GZ_INLINE gz_counter gz_peek(volatile gz_counter *counter)
{
    gz_counter seen = *counter;
    __threadfence();
    return seen;
}
GZ_INLINE void gz_raise(volatile gz_counter *flag)
{
    atomicOr((gz_counter *)flag, 1u);
}
