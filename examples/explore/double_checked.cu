// Double-checked locking: a fence is missing between the value and the flag that is read without
// the lock.
#include "common.h"

__global__ void double_checked(int *value, volatile int *ready, int *mutex, int *out)
{
    LATE(blockIdx.x);
    if (*ready == 0) {
        lock(mutex);
        if (*ready == 0) {
            *value = 42;
            FENCE();
            *ready = 1;
        }
        unlock(mutex);
    }
    out[blockIdx.x] = *value;
}
