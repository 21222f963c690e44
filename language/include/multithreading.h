/* Threads of the host, with the interface of NVIDIA's samples. */
#ifndef WARPCC_MULTITHREADING_H
#define WARPCC_MULTITHREADING_H

#include <pthread.h>
#include <stddef.h>

typedef pthread_t CUTThread;
typedef void *(*CUT_THREADROUTINE)(void *);

#define CUT_THREADPROC void *
#define CUT_THREADEND return 0

static inline CUTThread cutStartThread(CUT_THREADROUTINE function, void *data) {
    pthread_t thread;
    pthread_create(&thread, NULL, function, data);
    return thread;
}
static inline void cutEndThread(CUTThread thread) { pthread_join(thread, NULL); }
static inline void cutDestroyThread(CUTThread thread) { pthread_cancel(thread); }
static inline void cutWaitForThreads(const CUTThread *threads, int count) {
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

struct CUTBarrier {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    int releaseCount;
    int count;
};
static inline struct CUTBarrier cutCreateBarrier(int release) {
    struct CUTBarrier barrier;
    barrier.count = 0;
    barrier.releaseCount = release;
    pthread_mutex_init(&barrier.mutex, NULL);
    pthread_cond_init(&barrier.condition, NULL);
    return barrier;
}
static inline void cutIncrementBarrier(struct CUTBarrier *barrier) {
    pthread_mutex_lock(&barrier->mutex);
    if (++barrier->count >= barrier->releaseCount) pthread_cond_broadcast(&barrier->condition);
    pthread_mutex_unlock(&barrier->mutex);
}
static inline void cutWaitForBarrier(struct CUTBarrier *barrier) {
    pthread_mutex_lock(&barrier->mutex);
    while (barrier->count < barrier->releaseCount) pthread_cond_wait(&barrier->condition, &barrier->mutex);
    pthread_mutex_unlock(&barrier->mutex);
}
static inline void cutDestroyBarrier(struct CUTBarrier *barrier) {
    pthread_mutex_destroy(&barrier->mutex);
    pthread_cond_destroy(&barrier->condition);
}

#endif
