// Parts that the kernels share. With -DFIXED the kernels are right under all schedules.

#ifdef FIXED
#define FENCE() __threadfence()
#else
#define FENCE()
#endif

// Computes for a while.
static __device__ bool late(int turns)
{
    int x = turns;
    for (int i = 0; i < 40 * turns; i++)
        x = x * 5 + i;
    return x != -7;
}

// Waits, so that a plain run has an order in which the mistake does no harm.
#define LATE(turns) if (!late(turns)) return

static __device__ void lock(int *word)
{
    while (atomicCAS(word, 0, 1) != 0)
        ;
    __threadfence();
}

static __device__ void unlock(int *word)
{
    __threadfence();
    atomicExch(word, 0);
}
