/* Cellular automata of one dimension: 30, 90 and 110, with a table of functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef WIDTH
#define WIDTH 63
#endif
#define GENERATIONS 20
#define RULE(name, expression)                                     \
    static int name(int l, int c, int r) { return (expression) & 1; }

RULE(rule30, l ^ (c | r))
RULE(rule90, l ^ r)
RULE(rule110, (c | r) & ~(l & c & r))

typedef int (*rule_t)(int, int, int);

static const struct {
    const char *name;
    unsigned char number;
    rule_t function;
} rules[] = {{"rule 30", 30, rule30}, {"rule 90", 90, rule90}, {"rule 110", 110, &rule110}};

__global__ void evolve(char *cells, unsigned char rule, int generations) {
    extern __shared__ char buffer[];
    char *now = buffer, *next = buffer + blockDim.x + 2;
    const int t = threadIdx.x + 1;
    now[t] = cells[threadIdx.x];
    for (int g = 1; g <= generations; g++) {
        __syncthreads();
        if (t == 1) now[0] = now[blockDim.x], now[blockDim.x + 1] = now[1];
        __syncthreads();
        next[t] = rule >> (now[t - 1] << 2 | now[t] << 1 | now[t + 1]) & 1;
        cells[g * blockDim.x + threadIdx.x] = next[t];
        char *swap = now;
        now = next;
        next = swap;
    }
}

int main() {
    char (*cells)[WIDTH] = (char (*)[WIDTH])malloc((GENERATIONS + 1) * WIDTH), *device;
    int failures = 0;
    size_t r;
    cudaMalloc((void **)&device, (GENERATIONS + 1) * WIDTH);
    for (r = 0; r < sizeof rules / sizeof rules[0]; r++) {
        int g, x, alive = 0, wrong = 0;
        memset(cells, 0, (GENERATIONS + 1) * WIDTH);
        cells[0][rules[r].number == 110 ? WIDTH - 1 : WIDTH / 2] = 1;
        cudaMemcpy(device, cells, sizeof *cells, cudaMemcpyHostToDevice);
        evolve<<<1, WIDTH, 2 * (WIDTH + 2)>>>(device, rules[r].number, GENERATIONS);
        cudaMemcpy(cells, device, (GENERATIONS + 1) * WIDTH, cudaMemcpyDeviceToHost);
        for (g = 1; g <= GENERATIONS; g++)
            for (x = 0; x < WIDTH; x++) {
                const char *above = cells[g - 1];
                int expected = rules[r].function(above[(x + WIDTH - 1) % WIDTH], above[x], above[(x + 1) % WIDTH]);
                wrong += cells[g][x] != expected;
                alive += cells[g][x];
            }
        printf("%s: %d alive\n", rules[r].name, alive);
        for (g = 0; r == 2 && g <= GENERATIONS; g += 2) {
            for (x = 20; x < WIDTH; x++) putchar(cells[g][x] ? 'o' : ' ');
            puts("|");
        }
        failures += wrong != 0;
    }
    printf("%s\n", failures == 0 ? "PASSED" : "FAILED");
    free(cells);
    cudaFree(device);
    return failures;
}
