// <semaphore.h>: counters.
#include <pthread.h>
typedef struct { unsigned int __value; } sem_t;
extern "C" {
inline int sem_init(sem_t *semaphore, int, unsigned int value) { semaphore->__value = value; return 0; }
inline int sem_destroy(sem_t *) { return 0; }
inline int sem_post(sem_t *semaphore) { semaphore->__value++; return 0; }
inline int sem_trywait(sem_t *semaphore) {
    if (semaphore->__value == 0) { errno = EAGAIN; return -1; }
    semaphore->__value--;
    return 0;
}
inline int sem_wait(sem_t *semaphore) {
    __WS_WAIT(semaphore->__value, "sem_wait");
    semaphore->__value--;
    return 0;
}
inline int sem_getvalue(sem_t *semaphore, int *value) { *value = (int)semaphore->__value; return 0; }
}
