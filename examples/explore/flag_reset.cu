// A mailbox of one word between two warps: the reader empties it before it has read the word.
#include "common.h"

__global__ void flag_reset(volatile int *word, volatile int *full, int *sum)
{
    if (threadIdx.x == 0) {
        for (int item = 1; item <= 2; item++) {
            while (*full != 0)
                ;
            *word = item;
            __threadfence();
            *full = 1;
        }
    } else if (threadIdx.x == 32) {
        int total = 0;
        for (int item = 1; item <= 2; item++) {
            while (*full == 0)
                ;
#ifdef FIXED
            total += *word;
            __threadfence();
            *full = 0;
#else
            *full = 0;
            total += *word;
#endif
        }
        *sum = total;
    }
}
