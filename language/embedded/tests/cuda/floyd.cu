/* All shortest paths by Floyd and Warshall in blocks, with the next node of each path. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define V 40
#define TILE 8
#define INF (INT_MAX / 2)
#define MIN(a, b) ((a) < (b) ? (a) : (b))

typedef struct graph {
    int distance[V][V];
    short next[V][V];
} graph_t;

typedef enum { PHASE_ROW, PHASE_ALL } phase_t;

__global__ void relax(graph_t *g, int k) {
    __shared__ int to_k[TILE], from_k[TILE];
    int i = blockIdx.y * TILE + threadIdx.y, j = blockIdx.x * TILE + threadIdx.x;
    if (threadIdx.x == 0) to_k[threadIdx.y] = g->distance[i][k];
    if (threadIdx.y == 0) from_k[threadIdx.x] = g->distance[k][j];
    __syncthreads();
    int through = to_k[threadIdx.y] + from_k[threadIdx.x];
    if (through < g->distance[i][j]) {
        g->distance[i][j] = through;
        g->next[i][j] = g->next[i][k];
    }
}

static void make_graph(graph_t *g) {
    memset(g, 0, sizeof *g);
    for (int i = 0; i < V; i++)
        for (int j = 0; j < V; j++) {
            int close = abs(i - j) <= 3 || (i * j) % 37 == 1;
            g->distance[i][j] = i == j ? 0 : close && rand() % 3 ? 1 + rand() % 20 : INF;
            g->next[i][j] = g->distance[i][j] < INF ? (short)j : (short)-1;
        }
}

static int walk(const graph_t *all, const graph_t *edges, int from, int to, int print) {
    int length = 0, steps = 0;
    if (print) printf("%d", from);
    while (from != to && steps++ < V) {
        int next = all->next[from][to];
        if (next < 0) return INF;
        length += edges->distance[from][next];
        if (print) printf(" -> %d", next);
        from = next;
    }
    if (print) printf(" : %d\n", length);
    return length;
}

int main(int argc, char **argv) {
    int seed = argc > 1 ? atoi(argv[1]) : 17, wrong = 0, reached = 0, longest = 0, i, j, k;
    graph_t *edges = (graph_t *)malloc(sizeof(graph_t)), *cpu = (graph_t *)malloc(sizeof(graph_t)), *gpu, *d_graph;
    cudaError_t error;
    srand(seed);
    make_graph(edges);
    *cpu = *edges;
    for (k = 0; k < V; k++)
        for (i = 0; i < V; i++)
            for (j = 0; j < V; j++) cpu->distance[i][j] = MIN(cpu->distance[i][j], cpu->distance[i][k] + cpu->distance[k][j]);
    if ((error = cudaMallocHost((void **)&gpu, sizeof *gpu)) != cudaSuccess || (error = cudaMalloc((void **)&d_graph, sizeof(graph_t)))) {
        fprintf(stderr, "error %d: %s\n", error, cudaGetErrorString(error));
        return 1;
    }
    cudaMemcpy(d_graph, edges, sizeof(graph_t), cudaMemcpyHostToDevice);
    for (k = 0; k < V; k++) relax<<<dim3(V / TILE, V / TILE), dim3(TILE, TILE)>>>(d_graph, k);
    cudaMemcpy(gpu, d_graph, sizeof(graph_t), cudaMemcpyDeviceToHost);
    for (i = 0; i < V; i++)
        for (j = 0; j < V; j++) {
            int d = gpu->distance[i][j];
            wrong += d != cpu->distance[i][j] || (d < INF && walk(gpu, edges, i, j, 0) != d);
            if (d >= INF) continue;
            reached++;
            if (d > longest) longest = d;
        }
    walk(gpu, edges, 0, V - 1, 1);
    walk(gpu, edges, V - 1, 0, 1);
    printf("%d pairs, longest %d\n%s\n", reached, longest, wrong ? "FAILED" : "PASSED");
    cudaFree(d_graph);
    cudaFreeHost(gpu);
    free(edges);
    free(cpu);
    return wrong != 0;
}
