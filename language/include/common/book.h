/* Helpers of an introductory textbook about CUDA: checks of calls, random blocks, colors, threads. */
#ifndef WARPCC_COMMON_BOOK_H
#define WARPCC_COMMON_BOOK_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../cuda_runtime.h"

static void HandleError(cudaError_t error, const char *file, int line) {
    if (error != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(error), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(call) (HandleError(call, __FILE__, __LINE__))
#define HANDLE_NULL(pointer)                                                     \
    {                                                                            \
        if ((pointer) == NULL) {                                                 \
            printf("Host memory failed in %s at line %d\n", __FILE__, __LINE__); \
            exit(EXIT_FAILURE);                                                  \
        }                                                                        \
    }

template <class T>
void swap(T &a, T &b) {
    T t = a;
    a = b;
    b = t;
}

inline void *big_random_block(int size) {
    unsigned char *data = (unsigned char *)malloc(size);
    HANDLE_NULL(data);
    for (int i = 0; i < size; i++) data[i] = (unsigned char)rand();
    return data;
}
inline int *big_random_block_int(int size) {
    int *data = (int *)malloc(size * sizeof(int));
    HANDLE_NULL(data);
    for (int i = 0; i < size; i++) data[i] = rand();
    return data;
}

#ifdef __CUDACC__
/* A channel of a color by hue, between two values of the lightness. */
__host__ __device__ inline unsigned char value(float n1, float n2, int hue) {
    hue %= 360;
    if (hue < 0) hue += 360;
    float v = n1;
    if (hue < 60) v = n1 + (n2 - n1) * hue / 60;
    else if (hue < 180) v = n2;
    else if (hue < 240) v = n1 + (n2 - n1) * (240 - hue) / 60;
    return (unsigned char)(255 * v);
}
__device__ inline uchar4 warpcc_color(float lightness) {
    float saturation = 1;
    int hue = (180 + (int)(360.0f * lightness)) % 360;
    float m2 = lightness <= 0.5f ? lightness * (1 + saturation)
                                 : lightness + saturation - lightness * saturation;
    float m1 = 2 * lightness - m2;
    return make_uchar4(value(m1, m2, hue + 120), value(m1, m2, hue), value(m1, m2, hue - 120), 255);
}
static __global__ void float_to_color(unsigned char *pixels, const float *values) {
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;
    uchar4 color = warpcc_color(values[offset]);
    pixels[offset * 4 + 0] = color.x;
    pixels[offset * 4 + 1] = color.y;
    pixels[offset * 4 + 2] = color.z;
    pixels[offset * 4 + 3] = color.w;
}
static __global__ void float_to_color(uchar4 *pixels, const float *values) {
    int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    int offset = x + y * blockDim.x * gridDim.x;
    pixels[offset] = warpcc_color(values[offset]);
}
#endif

#ifndef __CUDA_ARCH__
typedef pthread_t CUTThread;
typedef void *(*CUT_THREADROUTINE)(void *);
#define CUT_THREADPROC void *
#define CUT_THREADEND return 0

inline CUTThread start_thread(CUT_THREADROUTINE function, void *data) {
    pthread_t thread;
    pthread_create(&thread, NULL, function, data);
    return thread;
}
inline void end_thread(CUTThread thread) { pthread_join(thread, NULL); }
inline void destroy_thread(CUTThread thread) { pthread_cancel(thread); }
inline void wait_for_threads(const CUTThread *threads, int count) {
    for (int i = 0; i < count; i++) end_thread(threads[i]);
}
#endif

#endif
