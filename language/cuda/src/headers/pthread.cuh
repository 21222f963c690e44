// <pthread.h>: a thread runs to its end when it is created. A wait that only another thread could
// end stops the program.
#include <errno.h>
struct sched_param {
    int sched_priority;
};
typedef unsigned long pthread_t;
typedef struct { int __kind; } pthread_attr_t;
typedef struct { int __kind; } pthread_mutexattr_t;
typedef struct { int __kind; } pthread_condattr_t;
typedef struct { int __kind; } pthread_rwlockattr_t;
typedef struct { int __kind; } pthread_barrierattr_t;
typedef struct { unsigned long __owner; int __held; } pthread_mutex_t;
typedef struct { int __signals; } pthread_cond_t;
typedef struct { int __held; } pthread_rwlock_t;
typedef struct { unsigned int __count; } pthread_barrier_t;
typedef int pthread_spinlock_t;
typedef int pthread_once_t;
typedef unsigned int pthread_key_t;
#define PTHREAD_MUTEX_INITIALIZER {0, 0}
#define PTHREAD_COND_INITIALIZER {0}
#define PTHREAD_RWLOCK_INITIALIZER {0}
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT 0
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_BARRIER_SERIAL_THREAD -1
#define PTHREAD_CANCELED ((void *)-1)
struct __ws_thread_end {
    void *result;
};
struct __ws_threads {
    unsigned long count, current;
    void *results[4096];
    void *values[128];
    void (*ends[128])(void *);
    unsigned int keys;
};
// What a thread continues with when another one has ended.
struct __ws_thread_before {
    unsigned long current;
    void *values[128];
};
inline struct __ws_threads *__ws_all_threads() {
    static struct __ws_threads all;
    return &all;
}
inline int __ws_waits(const char *name) {
    fflush(stdout);
    fprintf(stderr, "error: %s waits for another thread, but the threads of a host program run one after the other here\n", name);
    abort();
    return 0;
}
inline unsigned long __ws_begin_thread(struct __ws_thread_before *before) {
    struct __ws_threads *all = __ws_all_threads();
    before->current = all->current;
    memcpy(before->values, all->values, sizeof all->values);
    memset(all->values, 0, sizeof all->values);
    all->current = ++all->count;
    return all->current;
}
inline void __ws_end_thread(const struct __ws_thread_before *before) {
    struct __ws_threads *all = __ws_all_threads();
    for (unsigned int key = 0; key < all->keys; key++) {
        void *value = all->values[key];
        all->values[key] = 0;
        if (value && all->ends[key]) all->ends[key](value);
    }
    memcpy(all->values, before->values, sizeof all->values);
    all->current = before->current;
}
inline void __ws_thread_threw() {
    fflush(stdout);
    fprintf(stderr, "terminate called: an exception left the function of a thread\n");
    abort();
}
extern "C" {
inline int pthread_create(pthread_t *thread, const pthread_attr_t *, void *(*start)(void *), void *argument) {
    struct __ws_threads *all = __ws_all_threads();
    if (all->count >= 4095) return EAGAIN;
    struct __ws_thread_before before;
    unsigned long own = __ws_begin_thread(&before);
    *thread = own;
    try {
        all->results[own] = start(argument);
    } catch (struct __ws_thread_end &end) {
        all->results[own] = end.result;
    } catch (...) {
        __ws_thread_threw();
    }
    __ws_end_thread(&before);
    return 0;
}
inline int pthread_join(pthread_t thread, void **result) {
    if (thread == 0 || thread > __ws_all_threads()->count) return ESRCH;
    if (result) *result = __ws_all_threads()->results[thread];
    return 0;
}
inline int pthread_detach(pthread_t) { return 0; }
inline void pthread_exit(void *result) {
    if (__ws_all_threads()->current == 0) exit(0);
    struct __ws_thread_end end;
    end.result = result;
    throw end;
}
inline int pthread_cancel(pthread_t) { return ESRCH; }
inline pthread_t pthread_self() { return __ws_all_threads()->current; }
inline int pthread_equal(pthread_t a, pthread_t b) { return a == b; }
inline int pthread_attr_init(pthread_attr_t *) { return 0; }
inline int pthread_attr_destroy(pthread_attr_t *) { return 0; }
inline int pthread_attr_setdetachstate(pthread_attr_t *, int) { return 0; }
inline int pthread_attr_setscope(pthread_attr_t *, int) { return 0; }
inline int pthread_attr_setstacksize(pthread_attr_t *, unsigned long) { return 0; }
inline int pthread_setconcurrency(int) { return 0; }
inline int pthread_mutexattr_init(pthread_mutexattr_t *attributes) { attributes->__kind = 0; return 0; }
inline int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind) { attributes->__kind = kind; return 0; }
inline int pthread_mutexattr_destroy(pthread_mutexattr_t *) { return 0; }
// A recursive mutex counts below zero.
inline int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    mutex->__owner = 0;
    mutex->__held = attributes && attributes->__kind == PTHREAD_MUTEX_RECURSIVE ? -1 : 0;
    return 0;
}
inline int pthread_mutex_destroy(pthread_mutex_t *) { return 0; }
inline int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    if (mutex->__held > 0) return EBUSY;
    if (mutex->__held < -1 && mutex->__owner != pthread_self()) return EBUSY;
    mutex->__held += mutex->__held < 0 ? -1 : 1;
    mutex->__owner = pthread_self();
    return 0;
}
inline int pthread_mutex_lock(pthread_mutex_t *mutex) {
    return pthread_mutex_trylock(mutex) ? __ws_waits("pthread_mutex_lock") : 0;
}
inline int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (mutex->__held == 0 || mutex->__held == -1) return EPERM;
    mutex->__held += mutex->__held < 0 ? 1 : -1;
    return 0;
}
inline int pthread_spin_init(pthread_spinlock_t *lock, int) { *lock = 0; return 0; }
inline int pthread_spin_destroy(pthread_spinlock_t *) { return 0; }
inline int pthread_spin_lock(pthread_spinlock_t *lock) {
    if (*lock) return __ws_waits("pthread_spin_lock");
    *lock = 1;
    return 0;
}
inline int pthread_spin_unlock(pthread_spinlock_t *lock) { *lock = 0; return 0; }
inline int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *) { lock->__held = 0; return 0; }
inline int pthread_rwlock_destroy(pthread_rwlock_t *) { return 0; }
inline int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    if (lock->__held < 0) return __ws_waits("pthread_rwlock_rdlock");
    lock->__held++;
    return 0;
}
inline int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    if (lock->__held) return __ws_waits("pthread_rwlock_wrlock");
    lock->__held = -1;
    return 0;
}
inline int pthread_rwlock_unlock(pthread_rwlock_t *lock) { lock->__held += lock->__held < 0 ? 1 : -1; return 0; }
inline int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *) { return 0; }
inline int pthread_cond_destroy(pthread_cond_t *) { return 0; }
inline int pthread_cond_signal(pthread_cond_t *) { return 0; }
inline int pthread_cond_broadcast(pthread_cond_t *) { return 0; }
inline int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *) { return __ws_waits("pthread_cond_wait"); }
inline int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *, unsigned int count) {
    barrier->__count = count;
    return 0;
}
inline int pthread_barrier_destroy(pthread_barrier_t *) { return 0; }
inline int pthread_barrier_wait(pthread_barrier_t *barrier) {
    return barrier->__count > 1 ? __ws_waits("pthread_barrier_wait") : PTHREAD_BARRIER_SERIAL_THREAD;
}
inline int pthread_once(pthread_once_t *once, void (*run)(void)) {
    if (*once == 0) {
        *once = 1;
        run();
    }
    return 0;
}
inline int pthread_key_create(pthread_key_t *key, void (*end)(void *)) {
    if (__ws_all_threads()->keys >= 128) return EAGAIN;
    *key = __ws_all_threads()->keys++;
    __ws_all_threads()->ends[*key] = end;
    return 0;
}
inline int pthread_key_delete(pthread_key_t key) {
    __ws_all_threads()->ends[key] = 0;
    return 0;
}
inline void *pthread_getspecific(pthread_key_t key) { return __ws_all_threads()->values[key]; }
inline int pthread_setspecific(pthread_key_t key, const void *value) {
    __ws_all_threads()->values[key] = (void *)value;
    return 0;
}
inline int sched_yield() { return 0; }
}
