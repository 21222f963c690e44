// A counter that is loaded, increased and stored, without an atomic.
#include "common.h"

__global__ void lost_update(int *counter)
{
    LATE(blockIdx.x);
#ifdef FIXED
    atomicAdd(counter, 1);
#else
    *counter += 1;
#endif
}
