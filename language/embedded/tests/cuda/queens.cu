/* Queens on a board: the host places two rows, threads search the rest with a stack. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 12

typedef struct {
    unsigned columns, left, right;
} State;

__constant__ unsigned all_columns;

__global__ void search(const State *states, int count, int rows, unsigned *solutions) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    State stack[MOST];
    unsigned free_places[MOST], found = 0;
    int depth = 0;
    stack[0] = states[i];
    free_places[0] = all_columns & ~(stack[0].columns | stack[0].left | stack[0].right);
    while (depth >= 0) {
        unsigned places = free_places[depth];
        if (places == 0) {
            --depth;
            continue;
        }
        unsigned place = places & (0u - places);
        free_places[depth] ^= place;
        if (depth == rows - 1) {
            found++;
            continue;
        }
        State next;
        next.columns = stack[depth].columns | place;
        next.left = (stack[depth].left | place) << 1;
        next.right = (stack[depth].right | place) >> 1;
        stack[++depth] = next;
        free_places[depth] = all_columns & ~(next.columns | next.left | next.right);
    }
    atomicAdd(solutions, found);
}

static State states[MOST * MOST];
static int state_count;

static unsigned place(int n, int row, State now, int keep) {
    unsigned sum = 0, bit;
    if (row == keep) {
        states[state_count++] = now;
        return 0;
    }
    if (row == n) return 1;
    for (bit = 1; bit < 1u << n; bit <<= 1) {
        State next = {now.columns | bit, (now.left | bit) << 1, (now.right | bit) >> 1};
        if (bit & (now.columns | now.left | now.right)) continue;
        sum += place(n, row + 1, next, keep);
    }
    return sum;
}

static int queens(int n) {
    static const State nothing = {0, 0, 0};
    unsigned all = (1u << n) - 1, found = 0, expected, *d_found;
    State *d_states;
    state_count = 0;
    place(n, 0, nothing, 2);
    expected = place(n, 0, nothing, -1);
    cudaMalloc((void **)&d_states, sizeof(State) * state_count);
    cudaMalloc((void **)&d_found, sizeof(unsigned));
    cudaMemset(d_found, 0, sizeof(unsigned));
    cudaMemcpy(d_states, states, sizeof(State) * state_count, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(all_columns, &all, sizeof all);
    search<<<(state_count + 31) / 32, 32>>>(d_states, state_count, n - 2, d_found);
    cudaMemcpy(&found, d_found, sizeof found, cudaMemcpyDeviceToHost);
    cudaFree(d_states);
    cudaFree(d_found);
    printf("%2d queens: %4u solutions from %d starts\n", n, found, state_count);
    return found == expected;
}

int main(int argc, char *argv[]) {
    int from = 4, to = 8, option, good = 1, n;
    while ((option = getopt(argc, argv, "f:t:h")) != -1) {
        switch (option) {
            case 'f': from = atoi(optarg); break;
            case 't': to = atoi(optarg); break;
            default: fprintf(stderr, "usage: %s [-f least] [-t most]\n", argv[0]); return option != 'h';
        }
    }
    if (from < 3 || to > MOST) return 2;
    for (n = from; n <= to; n++) good &= queens(n);
    printf(good ? "PASSED\n" : "FAILED\n");
    return !good;
}
