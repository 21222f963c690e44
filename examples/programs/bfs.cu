// Breadth-first search, one thread for each node: the host launches levels until a flag stays 0.
// Build: warpcc bfs.cu -o bfs && ./bfs [nodes]
#include <stdio.h>
#include <stdlib.h>

#define THREADS 256
#define DEGREE 4 // half of the largest number of edges of a node

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = call;                                                                  \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));         \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

struct Node {
    int first; // index of the first edge
    int edges;
};

// Visits the neighbors of the frontier. All threads that reach a node store the same level.
__global__ void expand(const Node *nodes, const int *edges, bool *frontier, const bool *visited,
                       bool *next, int *level, int count)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count || !frontier[id])
        return;
    frontier[id] = false;
    Node node = nodes[id];
    for (int i = node.first; i < node.first + node.edges; i++) {
        int neighbor = edges[i];
        if (!visited[neighbor]) {
            level[neighbor] = level[id] + 1;
            next[neighbor] = true;
        }
    }
}

// Makes the found nodes the next frontier.
__global__ void advance(bool *frontier, bool *visited, bool *next, int *again, int count)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < count && next[id]) {
        frontier[id] = true;
        visited[id] = true;
        next[id] = false;
        *again = 1;
    }
}

static void bfs_on_host(const Node *nodes, const int *edges, int *level, int count, int source)
{
    int *queue = (int *)malloc(count * sizeof(int));
    int head = 0, tail = 0;
    for (int i = 0; i < count; i++)
        level[i] = -1;
    level[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        int id = queue[head++];
        for (int i = nodes[id].first; i < nodes[id].first + nodes[id].edges; i++)
            if (level[edges[i]] < 0) {
                level[edges[i]] = level[id] + 1;
                queue[tail++] = edges[i];
            }
    }
    free(queue);
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 3000;
    if (count < 1) {
        fprintf(stderr, "usage: bfs [nodes]\n");
        return 2;
    }
    Node *nodes = (Node *)malloc(count * sizeof(Node));
    int *edges = (int *)malloc(count * 2 * DEGREE * sizeof(int));
    int total = 0;
    srand(7);
    for (int i = 0; i < count; i++) {
        nodes[i].first = total;
        nodes[i].edges = 1 + rand() % (2 * DEGREE);
        for (int k = 0; k < nodes[i].edges; k++)
            edges[total++] = rand() % count;
    }

    int source = 0;
    int *level = (int *)malloc(count * sizeof(int));
    bool *mask = (bool *)calloc(count, sizeof(bool));
    for (int i = 0; i < count; i++)
        level[i] = -1;
    level[source] = 0;
    mask[source] = true;

    Node *d_nodes;
    int *d_edges, *d_level, *d_again;
    bool *d_frontier, *d_visited, *d_next;
    CHECK(cudaMalloc((void **)&d_nodes, count * sizeof(Node)));
    CHECK(cudaMalloc((void **)&d_edges, total * sizeof(int)));
    CHECK(cudaMalloc((void **)&d_level, count * sizeof(int)));
    CHECK(cudaMalloc((void **)&d_frontier, count * sizeof(bool)));
    CHECK(cudaMalloc((void **)&d_visited, count * sizeof(bool)));
    CHECK(cudaMalloc((void **)&d_next, count * sizeof(bool)));
    CHECK(cudaMalloc((void **)&d_again, sizeof(int)));
    CHECK(cudaMemcpy(d_nodes, nodes, count * sizeof(Node), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_edges, edges, total * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_level, level, count * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_frontier, mask, count * sizeof(bool), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_visited, mask, count * sizeof(bool), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_next, 0, count * sizeof(bool)));

    dim3 grid((count + THREADS - 1) / THREADS);
    int again, levels = 0;
    do {
        again = 0;
        CHECK(cudaMemcpy(d_again, &again, sizeof(int), cudaMemcpyHostToDevice));
        expand<<<grid, THREADS>>>(d_nodes, d_edges, d_frontier, d_visited, d_next, d_level, count);
        advance<<<grid, THREADS>>>(d_frontier, d_visited, d_next, d_again, count);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&again, d_again, sizeof(int), cudaMemcpyDeviceToHost));
        levels += again;
    } while (again);
    CHECK(cudaMemcpy(level, d_level, count * sizeof(int), cudaMemcpyDeviceToHost));

    int *expected = (int *)malloc(count * sizeof(int));
    bfs_on_host(nodes, edges, expected, count, source);
    int reached = 0, wrong = 0;
    for (int i = 0; i < count; i++) {
        reached += level[i] >= 0;
        wrong += level[i] != expected[i];
    }
    printf("%d nodes, %d edges: %d nodes reached in %d levels\n", count, total, reached, levels);
    printf("%s\n", wrong ? "FAILED" : "PASSED");

    cudaFree(d_nodes);
    cudaFree(d_edges);
    cudaFree(d_level);
    cudaFree(d_frontier);
    cudaFree(d_visited);
    cudaFree(d_next);
    cudaFree(d_again);
    free(nodes);
    free(edges);
    free(level);
    free(mask);
    free(expected);
    return wrong ? 1 : 0;
}
