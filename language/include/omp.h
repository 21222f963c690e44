/* OpenMP for one thread: a program runs its parallel regions serially. */
#ifndef WARPCC_OMP_H
#define WARPCC_OMP_H

#include <stddef.h>
#include <sys/time.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int held;
} omp_lock_t;
typedef omp_lock_t omp_nest_lock_t;
typedef enum { omp_sched_static = 1, omp_sched_dynamic = 2, omp_sched_guided = 3, omp_sched_auto = 4 } omp_sched_t;

static __inline__ void omp_set_num_threads(int threads) { (void)threads; }
static __inline__ int omp_get_num_threads(void) { return 1; }
static __inline__ int omp_get_max_threads(void) { return 1; }
static __inline__ int omp_get_thread_num(void) { return 0; }
static __inline__ int omp_get_num_procs(void) { return 1; }
static __inline__ int omp_in_parallel(void) { return 0; }
static __inline__ void omp_set_dynamic(int dynamic) { (void)dynamic; }
static __inline__ int omp_get_dynamic(void) { return 0; }
static __inline__ void omp_set_nested(int nested) { (void)nested; }
static __inline__ int omp_get_nested(void) { return 0; }
static __inline__ void omp_set_schedule(omp_sched_t kind, int chunk) { (void)kind, (void)chunk; }
static __inline__ int omp_get_thread_limit(void) { return 1; }
static __inline__ int omp_get_level(void) { return 0; }
static __inline__ void omp_init_lock(omp_lock_t *lock) { lock->held = 0; }
static __inline__ void omp_destroy_lock(omp_lock_t *lock) { (void)lock; }
static __inline__ void omp_set_lock(omp_lock_t *lock) { lock->held = 1; }
static __inline__ void omp_unset_lock(omp_lock_t *lock) { lock->held = 0; }
static __inline__ int omp_test_lock(omp_lock_t *lock) { return lock->held ? 0 : (lock->held = 1); }
static __inline__ double omp_get_wtime(void) {
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}
static __inline__ double omp_get_wtick(void) { return 1e-6; }

#ifdef __cplusplus
}
#endif

#endif
