// Message passing: a fence is missing between the data and the flag.
#include "common.h"

__global__ void publish(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        FENCE();
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        FENCE();
        *out = *data;
    }
}
