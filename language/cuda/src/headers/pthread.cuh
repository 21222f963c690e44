// <pthread.h>: one thread runs at a time, until it ends or waits; a new thread runs at once. A wait
// that no thread ends stops the program.
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
typedef struct { unsigned int __waiting, __signals; } pthread_cond_t;
typedef struct { int __held; } pthread_rwlock_t;
typedef struct { unsigned int __count, __waiting, __round; } pthread_barrier_t;
typedef int pthread_spinlock_t;
typedef int pthread_once_t;
typedef unsigned int pthread_key_t;
#define PTHREAD_MUTEX_INITIALIZER {0, 0}
#define PTHREAD_COND_INITIALIZER {0, 0}
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
#define __WS_MOST_THREADS 4096
extern "C" {
void __ws_thread_start(void (*run)(void *), void *thread, unsigned long number);
void __ws_thread_wait(const char *name, int again, unsigned long until);
void __ws_thread_yield();
unsigned long __ws_thread_clock();
unsigned long __ws_thread_number();
}
// Waits until what another thread does makes the condition true.
#define __WS_WAIT(CONDITION, NAME) \
    for (int __again = 0; !(CONDITION); __again = 1) __ws_thread_wait(NAME, __again, 0)
struct __ws_thread_end {
    void *result;
};
struct __ws_thread {
    void *(*start)(void *);
    void *argument, *result;
    void *values[128];
    int has_ended;
};
struct __ws_threads {
    unsigned long count;
    struct __ws_thread *of[__WS_MOST_THREADS];
    void (*ends[128])(void *);
    unsigned int keys;
};
inline struct __ws_threads *__ws_all_threads() {
    static struct __ws_threads all;
    return &all;
}
inline struct __ws_thread *__ws_own_thread() {
    struct __ws_thread **own = &__ws_all_threads()->of[__ws_thread_number()];
    if (!*own) *own = (struct __ws_thread *)calloc(1, sizeof(struct __ws_thread));
    return *own;
}
inline void __ws_run_thread(void *thread) {
    struct __ws_threads *all = __ws_all_threads();
    struct __ws_thread *own = (struct __ws_thread *)thread;
    try {
        own->result = own->start(own->argument);
    } catch (struct __ws_thread_end &end) {
        own->result = end.result;
    } catch (...) {
        fflush(stdout);
        fprintf(stderr, "terminate called: an exception left the function of a thread\n");
        abort();
    }
    for (unsigned int key = 0; key < all->keys; key++) {
        void *value = own->values[key];
        own->values[key] = 0;
        if (value && all->ends[key]) all->ends[key](value);
    }
    own->has_ended = 1;
}
inline int __ws_thread_has_ended(unsigned long number) { return __ws_all_threads()->of[number]->has_ended; }
// Returns the number of the thread; 0 without one.
inline unsigned long __ws_new_thread(unsigned long *number, void *(*start)(void *), void *argument) {
    struct __ws_threads *all = __ws_all_threads();
    if (all->count + 1 >= __WS_MOST_THREADS) return 0;
    unsigned long own = *number = ++all->count;
    struct __ws_thread *thread = all->of[own] = (struct __ws_thread *)calloc(1, sizeof(struct __ws_thread));
    thread->start = start;
    thread->argument = argument;
    __ws_thread_start(__ws_run_thread, thread, own);
    return own;
}
// A time of the clock of the program that is as far away as another one.
inline unsigned long __ws_thread_until(const struct timespec *time) {
    struct timespec now;
    clock_gettime(0, &now);
    long left = (time->tv_sec - now.tv_sec) * 1000000000l + (time->tv_nsec - now.tv_nsec);
    return __ws_thread_clock() + (left > 0 ? (unsigned long)left : 0ul) + 1;
}
extern "C" {
inline int pthread_create(pthread_t *thread, const pthread_attr_t *, void *(*start)(void *), void *argument) {
    return __ws_new_thread(thread, start, argument) ? 0 : EAGAIN;
}
inline int pthread_join(pthread_t thread, void **result) {
    if (thread == 0 || thread > __ws_all_threads()->count) return ESRCH;
    __WS_WAIT(__ws_thread_has_ended(thread), "pthread_join");
    if (result) *result = __ws_all_threads()->of[thread]->result;
    return 0;
}
inline int pthread_detach(pthread_t) { return 0; }
inline void pthread_exit(void *result) {
    if (__ws_thread_number() == 0) {
        for (unsigned long one = 1; one <= __ws_all_threads()->count; one++)
            __WS_WAIT(__ws_thread_has_ended(one), "pthread_exit");
        exit(0);
    }
    struct __ws_thread_end end;
    end.result = result;
    throw end;
}
inline int pthread_cancel(pthread_t) { return ESRCH; }
inline pthread_t pthread_self() { return __ws_thread_number(); }
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
    __WS_WAIT(pthread_mutex_trylock(mutex) == 0, "pthread_mutex_lock");
    return 0;
}
inline int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (mutex->__held == 0 || mutex->__held == -1) return EPERM;
    mutex->__held += mutex->__held < 0 ? 1 : -1;
    return 0;
}
inline int pthread_spin_init(pthread_spinlock_t *lock, int) { *lock = 0; return 0; }
inline int pthread_spin_destroy(pthread_spinlock_t *) { return 0; }
inline int pthread_spin_lock(pthread_spinlock_t *lock) {
    __WS_WAIT(!*lock, "pthread_spin_lock");
    *lock = 1;
    return 0;
}
inline int pthread_spin_unlock(pthread_spinlock_t *lock) { *lock = 0; return 0; }
inline int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *) { lock->__held = 0; return 0; }
inline int pthread_rwlock_destroy(pthread_rwlock_t *) { return 0; }
inline int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    __WS_WAIT(lock->__held >= 0, "pthread_rwlock_rdlock");
    lock->__held++;
    return 0;
}
inline int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    __WS_WAIT(!lock->__held, "pthread_rwlock_wrlock");
    lock->__held = -1;
    return 0;
}
inline int pthread_rwlock_unlock(pthread_rwlock_t *lock) { lock->__held += lock->__held < 0 ? 1 : -1; return 0; }
inline int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *) {
    condition->__waiting = condition->__signals = 0;
    return 0;
}
inline int pthread_cond_destroy(pthread_cond_t *) { return 0; }
inline int pthread_cond_signal(pthread_cond_t *condition) {
    if (condition->__signals < condition->__waiting) condition->__signals++;
    return 0;
}
inline int pthread_cond_broadcast(pthread_cond_t *condition) {
    condition->__signals = condition->__waiting;
    return 0;
}
// Waits for a signal; false if the time comes first. The threads that wait already come first.
inline int __ws_take_signal(pthread_cond_t *condition, const char *name, unsigned long until) {
    int late = 0, again = 0;
    condition->__waiting++;
    do {
        __ws_thread_wait(name, again, until);
        again = 1;
        late = until && __ws_thread_clock() >= until;
    } while (!condition->__signals && !late);
    condition->__waiting--;
    if (condition->__signals) {
        condition->__signals--;
        return 1;
    }
    return 0;
}
inline int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    pthread_mutex_unlock(mutex);
    __ws_take_signal(condition, "pthread_cond_wait", 0);
    return pthread_mutex_lock(mutex);
}
inline int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
    pthread_mutex_unlock(mutex);
    int comes = __ws_take_signal(condition, "pthread_cond_timedwait", __ws_thread_until(time));
    pthread_mutex_lock(mutex);
    return comes ? 0 : ETIMEDOUT;
}
inline int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *, unsigned int count) {
    barrier->__count = count;
    barrier->__waiting = barrier->__round = 0;
    return 0;
}
inline int pthread_barrier_destroy(pthread_barrier_t *) { return 0; }
inline int pthread_barrier_wait(pthread_barrier_t *barrier) {
    unsigned int round = barrier->__round;
    if (++barrier->__waiting == barrier->__count) {
        barrier->__waiting = 0;
        barrier->__round++;
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    __WS_WAIT(barrier->__round != round, "pthread_barrier_wait");
    return 0;
}
inline int pthread_once(pthread_once_t *once, void (*run)(void)) {
    if (*once == 0) {
        *once = 1;
        run();
        *once = 2;
    }
    __WS_WAIT(*once == 2, "pthread_once");
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
inline void *pthread_getspecific(pthread_key_t key) { return __ws_own_thread()->values[key]; }
inline int pthread_setspecific(pthread_key_t key, const void *value) {
    __ws_own_thread()->values[key] = (void *)value;
    return 0;
}
inline int sched_yield() {
    __ws_thread_yield();
    return 0;
}
}
