// A free list whose head is changed by compare-and-swap: a node that was taken and put back looks
// like a node that was never taken (ABA). The repaired list counts its changes in the head.
#include "common.h"

#ifdef FIXED
#define NODE(head) ((head) & 0xff)
#define HEAD(node, old) ((node) | (((old) & ~0xff) + 0x100))
#else
#define NODE(head) (head)
#define HEAD(node, old) (node)
#endif

static __device__ int take(int *head, volatile int *next)
{
    int old = *(volatile int *)head;
    for (;;) {
        int found = atomicCAS(head, old, HEAD(next[NODE(old)], old));
        if (found == old)
            return NODE(old);
        old = found;
    }
}

static __device__ void put(int *head, volatile int *next, int node)
{
    int old = *(volatile int *)head;
    for (;;) {
        next[node] = NODE(old);
        __threadfence();
        int found = atomicCAS(head, old, HEAD(node, old));
        if (found == old)
            return;
        old = found;
    }
}

// Counts the nodes that are not in exactly one place: in use, or in the list.
__global__ void aba(int *head, volatile int *next, int *places, int *done, int *bad)
{
    if (blockIdx.x == 0) {
        atomicAdd(&places[take(head, next)], 1);
    } else {
        int first = take(head, next);
        int second = take(head, next);
        put(head, next, first);
        atomicAdd(&places[second], 1);
    }
    __threadfence();
    if (atomicAdd(done, 1) == 1) {
        for (int node = NODE(*(volatile int *)head), i = 0; node != 4 && i < 4; node = next[node], i++)
            atomicAdd(&places[node], 1);
        int wrong = 0;
        for (int node = 0; node < 4; node++)
            wrong += atomicAdd(&places[node], 0) != 1;
        *bad = wrong;
    }
}
