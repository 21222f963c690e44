/* Edit distances of many pairs of words: one block a pair, one thread a column. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX 32

__global__ void distances(const char *words, const int2 *pairs, int *result) {
    __shared__ int row[3][MAX + 1];
    __shared__ char a[MAX], b[MAX];
    const int2 pair = pairs[blockIdx.x];
    const int t = threadIdx.x;
    if (t < MAX) {
        a[t] = words[pair.x * MAX + t];
        b[t] = words[pair.y * MAX + t];
    }
    __syncthreads();
    int la = 0, lb = 0;
    while (la < MAX && a[la]) la++;
    while (lb < MAX && b[lb]) lb++;
    int *before = row[0], *last = row[1], *now = row[2];
    for (int d = 0; d <= la + lb; d++) {
        const int i = d - t;
        if (t <= lb && i >= 0 && i <= la) {
            if (i == 0 || t == 0)
                now[t] = d;
            else {
                int best = min(last[t], last[t - 1]) + 1;
                now[t] = min(best, before[t - 1] + (a[i - 1] != b[t - 1]));
            }
        }
        __syncthreads();
        int *free = before;
        before = last, last = now, now = free;
    }
    if (t == lb) result[blockIdx.x] = last[t];
}

static int distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b), i, j;
    int **table = (int **)malloc((n + 1) * sizeof(int *)), result;
    for (i = 0; i <= n; i++) {
        table[i] = (int *)calloc(m + 1, sizeof **table);
        table[i][0] = (int)i;
    }
    for (j = 0; j <= m; j++) table[0][j] = (int)j;
    for (i = 1; i <= n; i++)
        for (j = 1; j <= m; j++) {
            int cost = table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            if (table[i - 1][j] + 1 < cost) cost = table[i - 1][j] + 1;
            if (table[i][j - 1] + 1 < cost) cost = table[i][j - 1] + 1;
            table[i][j] = cost;
        }
    result = table[n][m];
    do free(table[n]);
    while (n--);
    free(table);
    return result;
}

int main() {
    char text[] = "kitten sitting,Saturday sunday;intention execution  flaw lawn a abcdefghijklmnopqrstuvwxyz grid griddle";
    char (*words)[MAX] = NULL, *token, *d_words;
    int count = 0, good = 1;
    for (token = strtok(text, " ,;"); token != NULL; token = strtok(NULL, " ,;")) {
        words = (char (*)[MAX])realloc(words, (count + 1) * sizeof *words);
        memset(words[count], '\0', MAX);
        for (char *to = words[count++]; *token; token++) *to++ = (char)tolower((unsigned char)*token);
    }
    const int n = count * count;
    int2 *pairs = (int2 *)malloc(n * sizeof(int2)), *d_pairs;
    int *result = (int *)malloc(n * sizeof(int)), *d_result;
    for (int k = 0; k < n; k++) pairs[k] = make_int2(k / count, k % count);
    cudaMalloc((void **)&d_words, count * MAX);
    cudaMalloc((void **)&d_pairs, n * sizeof(int2));
    cudaMalloc((void **)&d_result, n * sizeof(int));
    cudaMemcpy(d_words, words, count * MAX, cudaMemcpyHostToDevice);
    cudaMemcpy(d_pairs, pairs, n * sizeof(int2), cudaMemcpyHostToDevice);
    distances<<<n, MAX + 1>>>(d_words, d_pairs, d_result);
    cudaMemcpy(result, d_result, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int k = 0; k < n; k++) {
        const char *a = words[pairs[k].x], *b = words[pairs[k].y];
        good = good && result[k] == distance(a, b) && result[k] == result[pairs[k].y * count + pairs[k].x];
        if (pairs[k].y == pairs[k].x + 1 && pairs[k].x % 2 == 0) printf("%*s  %-*s %2d\n", 12, a, 26, b, result[k]);
    }
    printf("%d words: %s\n", count, good ? "PASSED" : "FAILED");
    free(words), free(pairs), free(result);
    cudaFree(d_words), cudaFree(d_pairs), cudaFree(d_result);
    return !good;
}
