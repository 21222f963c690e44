/* The utility library of the CUDA SDK 1 to 3 as functions of this header. */
#ifndef WARPCC_CUTIL_H
#define WARPCC_CUTIL_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime.h"

#ifdef __cplusplus
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"

enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };

/* Timers by number, from 1. */
inline std::vector<StopWatchInterface *> &warpcc_timers() {
    static std::vector<StopWatchInterface *> timers;
    return timers;
}
inline StopWatchInterface *warpcc_timer(unsigned int name) {
    return name >= 1 && name <= warpcc_timers().size() ? warpcc_timers()[name - 1] : NULL;
}
inline CUTBoolean cutCreateTimer(unsigned int *name) {
    warpcc_timers().push_back(new StopWatchLinux());
    *name = (unsigned int)warpcc_timers().size();
    return CUTTrue;
}
inline CUTBoolean cutDeleteTimer(unsigned int name) {
    StopWatchInterface *timer = warpcc_timer(name);
    if (!timer) return CUTFalse;
    delete timer;
    warpcc_timers()[name - 1] = NULL;
    return CUTTrue;
}
#define WARPCC_TIMER(name, call)                          \
    inline CUTBoolean name(const unsigned int number) {   \
        StopWatchInterface *timer = warpcc_timer(number); \
        if (timer) timer->call();                         \
        return timer ? CUTTrue : CUTFalse;                \
    }
WARPCC_TIMER(cutStartTimer, start)
WARPCC_TIMER(cutStopTimer, stop)
WARPCC_TIMER(cutResetTimer, reset)
#undef WARPCC_TIMER
inline float cutGetTimerValue(const unsigned int name) {
    StopWatchInterface *timer = warpcc_timer(name);
    return timer ? timer->getTime() : 0.f;
}
inline float cutGetAverageTimerValue(const unsigned int name) {
    StopWatchInterface *timer = warpcc_timer(name);
    return timer ? timer->getAverageTime() : 0.f;
}

/* Command line. */
inline CUTBoolean cutCheckCmdLineFlag(const int argc, const char **argv, const char *name) {
    return checkCmdLineFlag(argc, argv, name) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutGetCmdLineArgumenti(const int argc, const char **argv, const char *name, int *value) {
    char *text;
    if (!getCmdLineArgumentString(argc, argv, name, &text)) return CUTFalse;
    *value = atoi(text);
    return CUTTrue;
}
inline CUTBoolean cutGetCmdLineArgumentf(const int argc, const char **argv, const char *name, float *value) {
    char *text;
    if (!getCmdLineArgumentString(argc, argv, name, &text)) return CUTFalse;
    *value = (float)atof(text);
    return CUTTrue;
}
inline CUTBoolean cutGetCmdLineArgumentstr(const int argc, const char **argv, const char *name, char **value) {
    if (!getCmdLineArgumentString(argc, argv, name, value)) return CUTFalse;
    *value = strdup(*value);
    return CUTTrue;
}
inline char *cutFindFilePath(const char *name, const char *program) { return sdkFindFilePath(name, program); }
inline void cutFree(void *pointer) { free(pointer); }

/* Files of numbers, by type: f, d, i, u, b (char), ub (unsigned char). */
#define WARPCC_CUT(suffix, T)                                                                               \
    inline CUTBoolean cutReadFile##suffix(const char *name, T **data, unsigned int *length,                 \
                                          bool verbose = false) {                                           \
        return sdkReadFile(name, data, length, verbose) ? CUTTrue : CUTFalse;                               \
    }                                                                                                       \
    inline CUTBoolean cutWriteFile##suffix(const char *name, const T *data, unsigned int length,            \
                                           const T epsilon = 0, bool verbose = false) {                     \
        return sdkWriteFile(name, data, length, epsilon, verbose) ? CUTTrue : CUTFalse;                     \
    }                                                                                                       \
    inline CUTBoolean cutCompare##suffix(const T *reference, const T *data, const unsigned int length) {    \
        return compareData(reference, data, length, 0, 0.f) ? CUTTrue : CUTFalse;                           \
    }
WARPCC_CUT(f, float)
WARPCC_CUT(d, double)
WARPCC_CUT(i, int)
WARPCC_CUT(u, unsigned int)
WARPCC_CUT(b, char)
WARPCC_CUT(ub, unsigned char)
#undef WARPCC_CUT
inline CUTBoolean cutComparefe(const float *reference, const float *data, const unsigned int length,
                               const float epsilon) {
    return compareData(reference, data, length, epsilon, 0.f) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutComparefet(const float *reference, const float *data, const unsigned int length,
                                const float epsilon, const float threshold) {
    return compareData(reference, data, length, epsilon, threshold) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutCompareL2fe(const float *reference, const float *data, const unsigned int length,
                                 const float epsilon) {
    return sdkCompareL2fe(reference, data, length, epsilon) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutCompareube(const unsigned char *reference, const unsigned char *data,
                                const unsigned int length, const float epsilon) {
    return compareData(reference, data, length, epsilon, 0.f) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutComparePPM(const char *name, const char *reference, const float epsilon,
                                const float threshold, bool verbose = false) {
    return sdkComparePPM(name, reference, epsilon, threshold, verbose) ? CUTTrue : CUTFalse;
}

/* Images. */
#define WARPCC_CUT(name, call, T)                                                                \
    inline CUTBoolean name(const char *file, T **data, unsigned int *w, unsigned int *h) {       \
        return call(file, data, w, h) ? CUTTrue : CUTFalse;                                      \
    }
WARPCC_CUT(cutLoadPGMub, sdkLoadPGM, unsigned char)
WARPCC_CUT(cutLoadPGMf, sdkLoadPGM, float)
WARPCC_CUT(cutLoadPGMi, sdkLoadPGM, unsigned int)
WARPCC_CUT(cutLoadPPM4ub, sdkLoadPPM4ub, unsigned char)
#undef WARPCC_CUT
inline CUTBoolean cutLoadPPMub(const char *file, unsigned char **data, unsigned int *w, unsigned int *h) {
    unsigned int channels;
    return __loadPPM(file, data, w, h, &channels) ? CUTTrue : CUTFalse;
}
#define WARPCC_CUT(name, call, T)                                                            \
    inline CUTBoolean name(const char *file, T *data, unsigned int w, unsigned int h) {      \
        return call(file, data, w, h) ? CUTTrue : CUTFalse;                                  \
    }
WARPCC_CUT(cutSavePGMub, sdkSavePGM, unsigned char)
WARPCC_CUT(cutSavePGMf, sdkSavePGM, float)
WARPCC_CUT(cutSavePGMi, sdkSavePGM, unsigned int)
WARPCC_CUT(cutSavePPMub, sdkSavePPMub, unsigned char)
WARPCC_CUT(cutSavePPM4ub, sdkSavePPM4ub, unsigned char)
#undef WARPCC_CUT

/* The device: the one of `-device=N`, otherwise the first. */
inline void warpcc_cut_device(int argc, const char **argv) {
    int count = 0, device = 0;
    cudaGetDeviceCount(&count);
    if (count == 0) {
        fprintf(stderr, "cutil error: no devices supporting CUDA.\n");
        exit(EXIT_FAILURE);
    }
    if (argc > 1) cutGetCmdLineArgumenti(argc, argv, "device", &device);
    if (device < 0) device = 0;
    if (device > count - 1) device = count - 1;
    cudaSetDevice(device);
}
#define CUT_DEVICE_INIT(argc, argv) warpcc_cut_device(argc, (const char **)(argv))
#endif

#define CUDA_SAFE_CALL_NO_SYNC(call)                                                             \
    do {                                                                                         \
        cudaError_t warpcc_error = call;                                                         \
        if (cudaSuccess != warpcc_error) {                                                       \
            fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n", __FILE__, __LINE__,    \
                    cudaGetErrorString(warpcc_error));                                           \
            exit(EXIT_FAILURE);                                                                  \
        }                                                                                        \
    } while (0)
#define CUDA_SAFE_CALL(call) CUDA_SAFE_CALL_NO_SYNC(call)
#define CU_SAFE_CALL_NO_SYNC(call)                                                                    \
    do {                                                                                              \
        int warpcc_error = (int)(call);                                                               \
        if (warpcc_error != 0) {                                                                      \
            fprintf(stderr, "Cuda driver error %x in file '%s' in line %i.\n", warpcc_error, __FILE__, \
                    __LINE__);                                                                        \
            exit(EXIT_FAILURE);                                                                       \
        }                                                                                             \
    } while (0)
#define CU_SAFE_CALL(call) CU_SAFE_CALL_NO_SYNC(call)
#define CUT_SAFE_CALL(call)                                                                           \
    do {                                                                                              \
        if (CUTTrue != (call)) {                                                                      \
            fprintf(stderr, "Cut error in file '%s' in line %i.\n", __FILE__, __LINE__);              \
            exit(EXIT_FAILURE);                                                                       \
        }                                                                                             \
    } while (0)
#define CUT_CHECK_ERROR(message)                                                                              \
    do {                                                                                                      \
        cudaError_t warpcc_error = cudaGetLastError();                                                        \
        if (cudaSuccess == warpcc_error) warpcc_error = cudaThreadSynchronize();                              \
        if (cudaSuccess != warpcc_error) {                                                                    \
            fprintf(stderr, "Cuda error: %s in file '%s' in line %i : %s.\n", message, __FILE__, __LINE__,    \
                    cudaGetErrorString(warpcc_error));                                                        \
            exit(EXIT_FAILURE);                                                                               \
        }                                                                                                     \
    } while (0)
#define CUT_SAFE_MALLOC(call)                                                                        \
    do {                                                                                             \
        if (!(call)) {                                                                               \
            fprintf(stderr, "Host malloc failure in file '%s' in line %i\n", __FILE__, __LINE__);    \
            exit(EXIT_FAILURE);                                                                      \
        }                                                                                            \
    } while (0)
#define CUT_CONDITION(value)                                                                              \
    do {                                                                                                  \
        if (!(value)) fprintf(stderr, "Condition failed in file '%s' in line %i.\n", __FILE__, __LINE__); \
    } while (0)
/* The simulator counts bank conflicts itself. */
#define CUT_BANK_CHECKER(array, index) array[index]
/* Ends the program without waiting for a key. */
#define CUT_EXIT(argc, argv) exit(EXIT_SUCCESS)

#endif
