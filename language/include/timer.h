/* Timers with the interfaces of three common `timer.h`: a timer of the host with startTime,
 * stopTime and elapsedTime (seconds); StartTimer and GetTimer (milliseconds); GpuTimer, which uses
 * events. */
#ifndef WARPCC_TIMER_H
#define WARPCC_TIMER_H

#include <stddef.h>
#include <sys/time.h>

#include "cuda_runtime.h"

typedef struct {
    struct timeval startTime;
    struct timeval endTime;
} Timer;

static __inline__ void startTime(Timer *timer) { gettimeofday(&timer->startTime, NULL); }
static __inline__ void stopTime(Timer *timer) { gettimeofday(&timer->endTime, NULL); }
static __inline__ float elapsedTime(Timer timer) {
    return (float)((double)(timer.endTime.tv_sec - timer.startTime.tv_sec) +
                   (double)(timer.endTime.tv_usec - timer.startTime.tv_usec) / 1.0e6);
}

static struct timeval warpcc_timer_start;
static __inline__ void StartTimer(void) { gettimeofday(&warpcc_timer_start, NULL); }
static __inline__ double GetTimer(void) {
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)(now.tv_sec - warpcc_timer_start.tv_sec) * 1e3 +
           (double)(now.tv_usec - warpcc_timer_start.tv_usec) * 1e-3;
}

#ifdef __cplusplus
struct GpuTimer {
    cudaEvent_t start;
    cudaEvent_t stop;

    GpuTimer() {
        cudaEventCreate(&start);
        cudaEventCreate(&stop);
    }
    ~GpuTimer() {
        cudaEventDestroy(start);
        cudaEventDestroy(stop);
    }
    void Start() { cudaEventRecord(start, 0); }
    void Stop() { cudaEventRecord(stop, 0); }
    float Elapsed() {
        float milliseconds = 0;
        cudaEventSynchronize(stop);
        cudaEventElapsedTime(&milliseconds, start, stop);
        return milliseconds;
    }
};
#endif

#endif
