// A ring of four slots between two blocks: of four fences, the one between a slot and the number
// of full slots is missing.
#include "common.h"

__global__ void ring(int *slots, volatile int *written, volatile int *taken, int *sum)
{
    if (blockIdx.x == 0) {
        for (int item = 0; item < 2; item++) {
            while (item - *taken == 4)
                ;
            __threadfence();
            slots[item % 4] = item + 1;
            FENCE();
            *written = item + 1;
        }
    } else {
        int total = 0;
        for (int item = 0; item < 2; item++) {
            while (*written == item)
                ;
            __threadfence();
            total += slots[item % 4];
            __threadfence();
            *taken = item + 1;
        }
        *sum = total;
    }
}
