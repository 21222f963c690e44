// A pair of words under a sequence number: without fences the reader can accept one old and one
// new word.
#include "common.h"

__global__ void seqlock(volatile int *number, volatile int *first, volatile int *second, int *torn)
{
    if (blockIdx.x == 0) {
        *number = 1;
        FENCE();
        *first = 7;
        *second = 7;
        FENCE();
        *number = 2;
    } else {
        LATE(2 * blockIdx.x);
        for (;;) {
            int before = *number;
            FENCE();
            int a = *first, b = *second;
            FENCE();
            if (before % 2 == 0 && *number == before) {
                *torn = a != b;
                break;
            }
        }
    }
}
