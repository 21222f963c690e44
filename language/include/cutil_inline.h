/* The functions `cutil…` of the CUDA SDK 3 and 4. */
#ifndef WARPCC_CUTIL_INLINE_H
#define WARPCC_CUTIL_INLINE_H

#include "cutil.h"
#include "helper_cuda.h"

#define cutilSafeCall(call) CUDA_SAFE_CALL(call)
#define cutilSafeCallNoSync(call) CUDA_SAFE_CALL(call)
#define cutilSafeThreadSync() CUDA_SAFE_CALL(cudaDeviceSynchronize())
#define cutilCheckError(call) CUT_SAFE_CALL(call)
#define cutilCheckMsg(message) CUT_CHECK_ERROR(message)
#define cutilCheckMsgAndSync(message) CUT_CHECK_ERROR(message)
#define cutilSafeMalloc(call) CUT_SAFE_MALLOC(call)
#define cutilCondition(value) CUT_CONDITION(value)
#define cutilBankChecker(array, index) array[index]
#define cutilExit(argc, argv) exit(EXIT_SUCCESS)
#define cutilDrvSafeCall(call) CU_SAFE_CALL(call)
#define cutilDrvSafeCallNoSync(call) CU_SAFE_CALL(call)

inline int cutilDeviceInit(int argc, char **argv) {
    int device = 0;
    warpcc_cut_device(argc, (const char **)argv);
    cudaGetDevice(&device);
    return device;
}
inline int cutilChooseCudaDevice(int argc, char **argv) { return cutilDeviceInit(argc, argv); }
inline int cutGetMaxGflopsDeviceId() { return gpuGetMaxGflopsDeviceId(); }
inline cudaError_t cutilDeviceSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cutilThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cutilDeviceReset() { return cudaDeviceReset(); }
inline cudaError_t cutilThreadExit() { return cudaDeviceReset(); }
inline bool cutilCudaCapabilities(int major, int minor, int = 0, char ** = NULL) {
    return checkCudaCapabilities(major, minor);
}

#endif
