// Sparse matrices, graphs, sorting.

struct CSRMatrix {
    int numRows, numCols, numNonzeros;
    const int *rowPtrs;
    const int *colIdx;
    const float *values;
};

__global__ void spmv_coo(const int *rowIdx, const int *colIdx, const float *values, int numNonzeros,
                         const int *x, int *y)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < numNonzeros) {
        unsigned int row = rowIdx[i];
        unsigned int col = colIdx[i];
        float value = values[i];
        atomicAdd(&y[row], (int)(x[col] * value));
    }
}

__global__ void spmv_ell(const int *colIdx, const float *values, const int *nnz, int numRows, const float *x, float *y)
{
    unsigned int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < numRows) {
        float sum = 0.0f;
        for (unsigned int t = 0; t < nnz[row]; ++t) {
            unsigned int i = t * numRows + row;
            sum += x[colIdx[i]] * values[i];
        }
        y[row] = sum;
    }
}

// A warp for each row.
__global__ void spmv_csr_vector(int num_rows, const int *ptr, const int *indices, const float *data, const float *x,
                                float *y)
{
    __shared__ volatile float vals[64];
    int thread_id = blockDim.x * blockIdx.x + threadIdx.x;
    int warp_id = thread_id / 32;
    int lane = thread_id & (32 - 1);
    int row = warp_id;
    if (row < num_rows) {
        int row_start = ptr[row];
        int row_end = ptr[row + 1];
        vals[threadIdx.x] = 0;
        for (int jj = row_start + lane; jj < row_end; jj += 32)
            vals[threadIdx.x] += data[jj] * x[indices[jj]];
        if (lane < 16) vals[threadIdx.x] += vals[threadIdx.x + 16];
        if (lane < 8) vals[threadIdx.x] += vals[threadIdx.x + 8];
        if (lane < 4) vals[threadIdx.x] += vals[threadIdx.x + 4];
        if (lane < 2) vals[threadIdx.x] += vals[threadIdx.x + 2];
        if (lane < 1) vals[threadIdx.x] += vals[threadIdx.x + 1];
        if (lane == 0) y[row] += vals[threadIdx.x];
    }
}

__global__ void bfs_kernel(const int *edges, const int *dest, int *level, int *newVertexVisited, int currLevel, int n)
{
    int vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex < n) {
        if (level[vertex] == currLevel - 1) {
            for (int edge = edges[vertex]; edge < edges[vertex + 1]; ++edge) {
                int neighbor = dest[edge];
                if (level[neighbor] == 0x7fffffff) {
                    level[neighbor] = currLevel;
                    *newVertexVisited = 1;
                }
            }
        }
    }
}

// The next frontier is collected in shared memory first.
#define LOCAL_FRONTIER_CAPACITY 16
__global__ void bfs_frontier(const int *edges, const int *dest, int *level, const int *prevFrontier, int *currFrontier,
                             int numPrev, int *numCurr, int currLevel)
{
    __shared__ int currFrontier_s[LOCAL_FRONTIER_CAPACITY];
    __shared__ int numCurr_s;
    if (threadIdx.x == 0) numCurr_s = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < numPrev) {
        int vertex = prevFrontier[i];
        for (int edge = edges[vertex]; edge < edges[vertex + 1]; ++edge) {
            int neighbor = dest[edge];
            if (atomicCAS(&level[neighbor], 0x7fffffff, currLevel) == 0x7fffffff) {
                int at = atomicAdd(&numCurr_s, 1);
                if (at < LOCAL_FRONTIER_CAPACITY) {
                    currFrontier_s[at] = neighbor;
                } else {
                    numCurr_s = LOCAL_FRONTIER_CAPACITY;
                    int global = atomicAdd(numCurr, 1);
                    currFrontier[global] = neighbor;
                }
            }
        }
    }
    __syncthreads();
    __shared__ int start;
    if (threadIdx.x == 0) start = atomicAdd(numCurr, numCurr_s);
    __syncthreads();
    for (int at = threadIdx.x; at < numCurr_s; at += blockDim.x) currFrontier[start + at] = currFrontier_s[at];
}

__host__ __device__ int co_rank(int k, int *A, int m, int *B, int n)
{
    int i = k < m ? k : m;
    int j = k - i;
    int i_low = 0 > (k - n) ? 0 : k - n;
    int j_low = 0 > (k - m) ? 0 : k - m;
    int delta;
    bool active = true;
    while (active) {
        if (i > 0 && j < n && A[i - 1] > B[j]) {
            delta = ((i - i_low + 1) >> 1);
            j_low = j;
            j = j + delta;
            i = i - delta;
        } else if (j > 0 && i < m && B[j - 1] >= A[i]) {
            delta = ((j - j_low + 1) >> 1);
            i_low = i;
            i = i + delta;
            j = j - delta;
        } else {
            active = false;
        }
    }
    return i;
}

__device__ void merge_sequential(int *A, int m, int *B, int n, int *C)
{
    int i = 0, j = 0, k = 0;
    while ((i < m) && (j < n)) {
        if (A[i] <= B[j]) {
            C[k++] = A[i++];
        } else {
            C[k++] = B[j++];
        }
    }
    if (i == m) {
        while (j < n) C[k++] = B[j++];
    } else {
        while (i < m) C[k++] = A[i++];
    }
}

__global__ void merge_basic_kernel(int *A, int m, int *B, int n, int *C)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int elements = (m + n + blockDim.x * gridDim.x - 1) / (blockDim.x * gridDim.x);
    int k_curr = min(tid * elements, m + n);
    int k_next = min((tid + 1) * elements, m + n);
    int i_curr = co_rank(k_curr, A, m, B, n);
    int i_next = co_rank(k_next, A, m, B, n);
    int j_curr = k_curr - i_curr;
    int j_next = k_next - i_next;
    merge_sequential(&A[i_curr], i_next - i_curr, &B[j_curr], j_next - j_curr, &C[k_curr]);
}

__global__ void bitonicSort(int *values)
{
    extern __shared__ int shared[];
    const unsigned int tid = threadIdx.x;
    shared[tid] = values[tid];
    __syncthreads();
    for (unsigned int k = 2; k <= blockDim.x; k *= 2) {
        for (unsigned int j = k / 2; j > 0; j /= 2) {
            unsigned int ixj = tid ^ j;
            if (ixj > tid) {
                if ((tid & k) == 0) {
                    if (shared[tid] > shared[ixj]) {
                        int t = shared[tid];
                        shared[tid] = shared[ixj];
                        shared[ixj] = t;
                    }
                } else {
                    if (shared[tid] < shared[ixj]) {
                        int t = shared[tid];
                        shared[tid] = shared[ixj];
                        shared[ixj] = t;
                    }
                }
            }
            __syncthreads();
        }
    }
    values[tid] = shared[tid];
}

// One bit of a radix sort: zeros before ones, in order.
__global__ void radixStep(const unsigned int *in, unsigned int *out, int bit)
{
    __shared__ unsigned int ones[128];
    unsigned int t = threadIdx.x, n = blockDim.x;
    unsigned int key = in[t], flag = (key >> bit) & 1u;
    ones[t] = flag;
    __syncthreads();
    for (unsigned int s = 1; s < n; s <<= 1) {
        unsigned int left = t >= s ? ones[t - s] : 0u;
        __syncthreads();
        ones[t] += left;
        __syncthreads();
    }
    unsigned int onesBefore = ones[t] - flag, total = ones[n - 1];
    unsigned int to = flag ? n - total + onesBefore : t - onesBefore;
    out[to] = key;
}

__global__ void oddEvenSort(short *a, int n)
{
    for (int phase = 0; phase < n; phase++) {
        int i = 2 * threadIdx.x + (phase & 1);
        if (i + 1 < n && a[i] > a[i + 1]) {
            short t = a[i];
            a[i] = a[i + 1];
            a[i + 1] = t;
        }
        __syncthreads();
    }
}

// A structure with pointers as a parameter.
__global__ void spmv_csr_struct(CSRMatrix m, const float *x, float *y)
{
    int row = threadIdx.x + blockIdx.x * blockDim.x;
    if (row < m.numRows) {
        float sum = 0;
        for (int i = m.rowPtrs[row]; i < m.rowPtrs[row + 1]; ++i) sum += x[m.colIdx[i]] * m.values[i];
        y[row] = sum;
    }
}
