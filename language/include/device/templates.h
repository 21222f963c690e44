/* Templates of the runtime API: pointers of any type, variables and kernels as arguments. */
#ifndef WARPCC_DEVICE_TEMPLATES_H
#define WARPCC_DEVICE_TEMPLATES_H
#pragma clang system_header

template <class T>
static inline cudaError_t cudaMalloc(T **pointer, size_t bytes) {
    return ::cudaMalloc((void **)(void *)pointer, bytes);
}
template <class T>
static inline cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned int flags = 0) {
    return ::cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
static inline cudaError_t cudaMallocHost(void **pointer, size_t bytes, unsigned int flags) {
    return ::cudaHostAlloc(pointer, bytes, flags);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned int flags) {
    return ::cudaHostAlloc((void **)(void *)pointer, bytes, flags);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) {
    return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **pointer, size_t bytes,
                                            unsigned int flags = cudaMemAttachGlobal) {
    return ::cudaMallocManaged((void **)(void *)pointer, bytes, flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
    return ::cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
    return ::cudaEventCreateWithFlags(event, flags);
}

/* Symbols. The address of the host's variable names it. */
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return ::cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes,
                                                  size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0) {
    return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes,
                                                    size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t stream = 0) {
    return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
    return ::cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <class T, class S>
static inline cudaError_t cudaGetSymbolAddress(T **pointer, const S &symbol) {
    return ::cudaGetSymbolAddress((void **)(void *)pointer, (const void *)&symbol);
}
template <class T>
static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
    return ::cudaGetSymbolSize(bytes, (const void *)&symbol);
}

/* Kernels. */
template <class T>
static inline cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                           size_t shared = 0, cudaStream_t stream = 0) {
    return ::cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class T>
static inline cudaError_t cudaLaunch(T *kernel) {
    return ::cudaLaunch((const void *)kernel);
}
template <class T>
static inline cudaError_t cudaSetupArgument(T argument, size_t offset) {
    return ::cudaSetupArgument((const void *)&argument, sizeof(T), offset);
}
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config) {
    return ::cudaFuncSetCacheConfig((const void *)kernel, config);
}
template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T *kernel, cudaSharedMemConfig config) {
    return ::cudaFuncSetSharedMemConfig((const void *)kernel, config);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel) {
    return ::cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel,
                                                                        int threads, size_t shared) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads, shared);
}

template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T *kernel,
                                                                                 int threads, size_t shared,
                                                                                 unsigned int flags) {
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)kernel, threads,
                                                                    shared, flags);
}

/* Block size with the most resident threads; of equal ones the largest. */
template <class T, class F>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid, int *block,
                                                                         T kernel, F shared_of_block,
                                                                         int limit = 0) {
    int device, processors, warp, best = 0;
    cudaFuncAttributes attributes;
    cudaError_t error;
    if ((error = ::cudaGetDevice(&device)) != cudaSuccess) return error;
    error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess) return error;
    if ((error = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device)) != cudaSuccess) return error;
    error = ::cudaFuncGetAttributes(&attributes, (const void *)kernel);
    if (error != cudaSuccess) return error;
    int most = attributes.maxThreadsPerBlock;
    if (limit > 0 && limit < most) most = limit;
    *block = *min_grid = 0;
    for (int threads = (most + warp - 1) / warp * warp; threads > 0; threads -= warp) {
        int size = threads < most ? threads : most, blocks = 0;
        error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel, size,
                                                                (size_t)shared_of_block(size));
        if (error != cudaSuccess) return error;
        if (blocks * size > best) {
            best = blocks * size;
            *block = size;
            *min_grid = blocks * processors;
        }
    }
    return cudaSuccess;
}
struct warpcc_same_shared {
    size_t bytes;
    size_t operator()(int) const { return bytes; }
};
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *block, T kernel,
                                                             size_t shared = 0, int limit = 0) {
    warpcc_same_shared same = {shared};
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(min_grid, block, kernel, same, limit);
}

#endif
