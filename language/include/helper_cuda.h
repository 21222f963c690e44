/* Checks of calls and choice of a device, with the interface of NVIDIA's samples. */
#ifndef WARPCC_HELPER_CUDA_H
#define WARPCC_HELPER_CUDA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime.h"
#include "helper_string.h"

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#define DEVICE_RESET cudaDeviceReset();

inline const char *_cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }

template <class T>
inline void check(T result, const char *function, const char *file, int line) {
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, (int)result,
                cudaGetErrorName((cudaError_t)result), function);
        cudaDeviceReset();
        exit(EXIT_FAILURE);
    }
}
#ifndef checkCudaErrors
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)
#endif

inline void __getLastCudaError(const char *message, const char *file, int line) {
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message,
                (int)error, cudaGetErrorString(error));
        cudaDeviceReset();
        exit(EXIT_FAILURE);
    }
}
#ifndef getLastCudaError
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
#endif

inline void __printLastCudaError(const char *message, const char *file, int line) {
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message,
                (int)error, cudaGetErrorString(error));
}
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

inline int ftoi(float value) { return value >= 0 ? (int)(value + 0.5f) : (int)(value - 0.5f); }

/* Processors of an SM by compute capability. */
inline int _ConvertSMVer2Cores(int major, int minor) {
    switch (major) {
    case 1: return 8;
    case 2: return minor == 0 ? 32 : 48;
    case 3: return 192;
    case 5: return 128;
    case 6: return minor == 0 ? 64 : 128;
    case 7: return 64;
    default: return 128;
    }
}
inline const char *_ConvertSMVer2ArchName(int major, int) {
    static const char *const names[] = {"", "Tesla", "Fermi", "Kepler", "", "Maxwell", "Pascal", "Volta"};
    return major >= 1 && major <= 7 ? names[major] : "Graphics Device";
}

inline int gpuDeviceInit(int device) {
    int count = 0;
    checkCudaErrors(cudaGetDeviceCount(&count));
    if (count == 0) {
        fprintf(stderr, "gpuDeviceInit() CUDA error: no devices supporting CUDA.\n");
        exit(EXIT_FAILURE);
    }
    if (device < 0) device = 0;
    if (device >= count) {
        fprintf(stderr, ">> gpuDeviceInit (-device=%d) is not a valid GPU device. <<\n", device);
        return -device;
    }
    cudaDeviceProp properties;
    checkCudaErrors(cudaGetDeviceProperties(&properties, device));
    checkCudaErrors(cudaSetDevice(device));
    printf("gpuDeviceInit() CUDA Device [%d]: \"%s\"\n", device, properties.name);
    return device;
}

/* The device with the highest product of processors and clock. */
inline int gpuGetMaxGflopsDeviceId() {
    int count = 0, best = 0;
    double most = -1;
    checkCudaErrors(cudaGetDeviceCount(&count));
    for (int device = 0; device < count; device++) {
        cudaDeviceProp p;
        checkCudaErrors(cudaGetDeviceProperties(&p, device));
        double rate = (double)p.multiProcessorCount * _ConvertSMVer2Cores(p.major, p.minor) * p.clockRate;
        if (rate > most) {
            most = rate;
            best = device;
        }
    }
    return best;
}

inline int findCudaDevice(int argc, const char **argv) {
    int device = 0;
    if (checkCmdLineFlag(argc, argv, "device")) {
        device = gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device"));
        if (device < 0) exit(EXIT_FAILURE);
        return device;
    }
    device = gpuGetMaxGflopsDeviceId();
    cudaDeviceProp properties;
    checkCudaErrors(cudaSetDevice(device));
    checkCudaErrors(cudaGetDeviceProperties(&properties, device));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name,
           properties.major, properties.minor);
    return device;
}

inline bool checkCudaCapabilities(int major, int minor) {
    int device = 0;
    cudaDeviceProp p;
    checkCudaErrors(cudaGetDevice(&device));
    checkCudaErrors(cudaGetDeviceProperties(&p, device));
    if (p.major > major || (p.major == major && p.minor >= minor)) {
        printf("  Device %d: <%16s >, Compute SM %d.%d detected\n", device, p.name, p.major, p.minor);
        return true;
    }
    printf("  No GPU device was found that can support CUDA compute capability %d.%d.\n", major, minor);
    return false;
}

#endif
