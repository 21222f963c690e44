// Life with 32 cells in a word: sums of neighbours as bit planes.
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 2, WIDTH = 32 * WORDS, HEIGHT = 40, STEPS = 25 };

typedef uint32_t Row[WORDS];

__host__ __device__ inline uint32_t west(uint32_t left, uint32_t own) { return own << 1 | left >> 31; }
__host__ __device__ inline uint32_t east(uint32_t own, uint32_t right) { return own >> 1 | right << 31; }

__device__ void add(uint32_t bit, uint32_t &one, uint32_t &two, uint32_t &four) {
    uint32_t carry = one & bit;
    one ^= bit;
    uint32_t carry2 = two & carry;
    two ^= carry;
    four |= carry2;
}

__global__ void life(const Row *from, Row *to) {
    const unsigned w = threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y >= HEIGHT) return;
    uint32_t one = 0, two = 0, four = 0, own = from[y][w];
    for (int dy = -1; dy <= 1; dy++) {
        const Row &row = from[(y + dy + HEIGHT) % HEIGHT];
        uint32_t left = row[(w + WORDS - 1) % WORDS], middle = row[w], right = row[(w + 1) % WORDS];
        add(west(left, middle), one, two, four);
        add(east(middle, right), one, two, four);
        if (dy) add(middle, one, two, four);
    }
    to[y][w] = two & ~four & (one | own);
}

static char cells[2][HEIGHT][WIDTH];

static void life_on_host(char (*from)[WIDTH], char (*to)[WIDTH]) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int sum = -from[y][x];
            for (int k = 0; k < 9; k++)
                sum += from[(y + k / 3 + HEIGHT - 1) % HEIGHT][(x + k % 3 + WIDTH - 1) % WIDTH];
            to[y][x] = sum == 3 || (sum == 2 && from[y][x]);
        }
}

static void pack(char (*from)[WIDTH], Row *rows) {
    memset(rows, 0, HEIGHT * sizeof(Row));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) rows[y][x / 32] |= (uint32_t)from[y][x] << x % 32;
}

int main() {
    static const char *pattern[] = {".XX.", "XX..", ".X..", NULL};
    Row packed[HEIGHT], expected[HEIGHT], *d[2];
    for (int y = 0; pattern[y]; y++)
        for (int x = 0; pattern[y][x]; x++) cells[0][y + 18][x + 30] = pattern[y][x] == 'X';
    assert(sizeof(packed) == HEIGHT * WIDTH / 8);
    pack(cells[0], packed);
    for (int i = 0; i < 2; i++) cudaMalloc((void **)&d[i], sizeof packed);
    cudaMemcpy(d[0], packed, sizeof packed, cudaMemcpyHostToDevice);
    dim3 block(WORDS, 16), grid(1, (HEIGHT + block.y - 1) / block.y);
    int good = 1;
    for (int step = 1; step <= STEPS; step++) {
        life<<<grid, block>>>(d[~step & 1], d[step & 1]);
        life_on_host(cells[~step & 1], cells[step & 1]);
        cudaMemcpy(packed, d[step & 1], sizeof packed, cudaMemcpyDeviceToHost);
        pack(cells[step & 1], expected);
        good &= !memcmp(packed, expected, sizeof packed);
        int alive = 0;
        for (uint32_t *p = &packed[0][0]; p != &packed[0][0] + HEIGHT * WORDS; ++p)
            for (uint32_t bits = *p; bits; bits &= bits - 1) alive++;
        if (step % 5 == 0) printf("step %2d: %d alive\n", step, alive);
    }
    for (int y = 0; y < HEIGHT; y++) {
        if (!packed[y][0] && !packed[y][1]) continue;
        for (int x = 0; x < WIDTH; x++) putchar(packed[y][x >> 5] >> (x & 31) & 1 ? '#' : '.');
        putchar('\n');
    }
    puts(good ? "PASSED" : "FAILED");
    return !good;
}
