/* Groups of threads as far as chips without shuffle instructions have them: blocks, and tiles that
 * lie in one warp, whose lanes run in lockstep. */
#ifndef WARPCC_COOPERATIVE_GROUPS_H
#define WARPCC_COOPERATIVE_GROUPS_H
#pragma clang system_header

#if defined(__CUDACC__) && __cplusplus >= 201103L
namespace cooperative_groups {
struct thread_group {
    // Threads of a tile; 0 for the block.
    unsigned int __width;
    __forceinline__ __device__ unsigned int __rank() const {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    __forceinline__ __device__ void sync() const {
        if (__width == 0)
            __syncthreads();
        else
            __threadfence_block();
    }
    __forceinline__ __device__ unsigned int size() const {
        return __width == 0 ? blockDim.x * blockDim.y * blockDim.z : __width;
    }
    __forceinline__ __device__ unsigned int num_threads() const { return size(); }
    __forceinline__ __device__ unsigned int thread_rank() const {
        return __width == 0 ? __rank() : __rank() & (__width - 1);
    }
};
struct thread_block : public thread_group {
    __forceinline__ __device__ thread_block() { __width = 0; }
    __forceinline__ __device__ dim3 group_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __forceinline__ __device__ dim3 thread_index() const {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    __forceinline__ __device__ dim3 group_dim() const { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    __forceinline__ __device__ dim3 dim_threads() const { return group_dim(); }
};
__forceinline__ __device__ thread_block this_thread_block() { return thread_block(); }
template <unsigned int Size, class Parent = thread_block> struct thread_block_tile : public thread_group {
    static_assert(Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    __forceinline__ __device__ thread_block_tile() { __width = Size; }
    __forceinline__ __device__ unsigned int meta_group_rank() const { return __rank() / Size; }
    __forceinline__ __device__ unsigned int meta_group_size() const {
        return (blockDim.x * blockDim.y * blockDim.z + Size - 1) / Size;
    }
};
template <unsigned int Size>
__forceinline__ __device__ thread_block_tile<Size> tiled_partition(const thread_group &group) {
    return thread_block_tile<Size>();
}
/* A tile whose size the program computes. */
__forceinline__ __device__ thread_group tiled_partition(const thread_group &group,
                                                        unsigned int size) {
    if (size == 0 || size > 32 || (size & (size - 1)) != 0) __trap();
    thread_group tile;
    tile.__width = size;
    return tile;
}
template <class Group> __forceinline__ __device__ void sync(const Group &group) { group.sync(); }
}
#endif

#endif
