/* Helpers of a textbook for professionals: the macro CHECK and a timer. */
#ifndef WARPCC_COMMON_COMMON_H
#define WARPCC_COMMON_COMMON_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include "../cuda_runtime.h"

#define CHECK(call)                                                                                \
    {                                                                                              \
        const cudaError_t error = call;                                                            \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "Error: %s:%d, ", __FILE__, __LINE__);                                 \
            fprintf(stderr, "code: %d, reason: %s\n", error, cudaGetErrorString(error));           \
            exit(1);                                                                               \
        }                                                                                          \
    }

static inline double seconds() {
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + (double)t.tv_usec * 1.e-6;
}

#endif
