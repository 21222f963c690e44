// The part of the driver API that asks for devices, by the runtime API. Modules and launches need a library.
#define CUDAAPI
#define CUDA_CB
static inline CUresult cuInit(unsigned int flags) { return CUDA_SUCCESS; }
static inline CUresult cuDriverGetVersion(int *version) { return (CUresult)cudaDriverGetVersion(version); }
static inline CUresult cuDeviceGetCount(int *count) { return (CUresult)cudaGetDeviceCount(count); }
static inline CUresult cuDeviceGet(CUdevice *device, int number) {
    int count = 0;
    cudaGetDeviceCount(&count);
    if (number < 0 || number >= count) return CUDA_ERROR_INVALID_DEVICE;
    *device = number;
    return CUDA_SUCCESS;
}
static inline CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
    struct cudaDeviceProp properties;
    CUresult result = (CUresult)cudaGetDeviceProperties(&properties, device);
    if (result == CUDA_SUCCESS && size > 0) {
        strncpy(name, properties.name, (size_t)size);
        name[size - 1] = 0;
    }
    return result;
}
static inline CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
    struct cudaDeviceProp properties;
    CUresult result = (CUresult)cudaGetDeviceProperties(&properties, device);
    if (result == CUDA_SUCCESS) *bytes = properties.totalGlobalMem;
    return result;
}
static inline CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    struct cudaDeviceProp properties;
    CUresult result = (CUresult)cudaGetDeviceProperties(&properties, device);
    if (result == CUDA_SUCCESS) {
        *major = properties.major;
        *minor = properties.minor;
    }
    return result;
}
static inline CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    return (CUresult)cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device);
}
static inline CUresult cuMemGetInfo(size_t *rest, size_t *total) { return (CUresult)cudaMemGetInfo(rest, total); }
