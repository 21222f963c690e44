// Threads that return before a barrier, in the shapes in which programs have it. 64 threads, of
// which some leave early; the others meet at barriers. Each kernel is its own launch.
#include <cstdio>

const int THREADS = 64;

__global__ void plain(int *o, int n) {
  __shared__ int s[THREADS];
  int t = threadIdx.x;
  if (t >= n) return;
  s[t] = t;
  __syncthreads();
  o[t] = s[n - 1 - t];
}

// The last statement is conditional.
__global__ void last_guard(int *o, int n) {
  __shared__ int s[THREADS];
  int t = threadIdx.x;
  if (t >= n) return;
  s[t] = t;
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += s[i];
    o[0] = sum;
  }
}

// The threads that leave store something.
__global__ void stores(int *o, int n) {
  __shared__ int s[THREADS];
  int t = threadIdx.x;
  if (t >= n) {
    o[t] = -1;
    return;
  }
  s[t] = t;
  __syncthreads();
  o[t] = s[n - 1 - t];
}

// Nothing follows the condition.
__global__ void inverted(int *o, int n) {
  __shared__ int s[THREADS];
  int t = threadIdx.x;
  if (t < n) {
    s[t] = t;
    __syncthreads();
    o[t] = s[n - 1 - t];
  }
}

__global__ void otherwise(int *o, int n) {
  __shared__ int s[THREADS];
  int t = threadIdx.x;
  if (t < n) {
    s[t] = t;
    __syncthreads();
    o[t] = s[n - 1 - t];
  } else {
    o[t] = -t;
  }
}

// A `break` to the end.
__global__ void breaks(int *o, int n) {
  int t = threadIdx.x;
  for (int i = 0; i < 4; i++) {
    if (t >= n - 8 * i) break;
    o[t] += i + 1;
    __syncthreads();
  }
}

// A `return` inside a loop, with work after it.
__global__ void loops(int *o, int n) {
  __shared__ int s[THREADS];
  int t = threadIdx.x;
  for (int i = 0; i < 4; i++) {
    if (t >= n - 8 * i) return;
    s[t] = t + i;
    __syncthreads();
    o[t] += s[(t ^ 1) % (n - 8 * i)];
    __syncthreads();
  }
  o[t] += 1000;
}

// Nested conditions that all end there.
__global__ void nested(int *o, int n) {
  __shared__ int s[THREADS];
  int t = threadIdx.x;
  if (t >= n) {
    if (t & 1) {
      if (t & 2) return;
      o[t] = 7;
      return;
    }
    o[t] = 5;
    return;
  }
  s[t] = t;
  __syncthreads();
  o[t] = s[n - 1 - t];
}

// Some threads leave inside a condition, and the others meet behind it.
__global__ void inside(int *o, int n) {
  __shared__ int s[THREADS];
  int t = threadIdx.x, x = 1;
  if (t & 1) {
    if (t >= n) return;
    x = 3;
  }
  s[t] = x * t;
  __syncthreads();
  o[t] = s[(t ^ 2) % n];
  __syncthreads();
  if (t == 4) o[t] += 1;
}

__device__ __forceinline__ bool is_out(int t, int n) { return t >= n; }

__device__ __forceinline__ void work(int *o, int n, int t) {
  __shared__ int s[THREADS];
  if (is_out(t, n)) return;
  s[t] = t;
  __syncthreads();
  if (s[n - 1 - t] > 3) o[t] = s[n - 1 - t];
}

__global__ void inlined(int *o, int n) { work(o, n, threadIdx.x); }

// Two returns with a barrier between them.
__global__ void twice(int *o, int n) {
  __shared__ int s[THREADS];
  int t = threadIdx.x;
  if (t >= n) return;
  s[t] = t;
  __syncthreads();
  int a = s[n - 1 - t];
  if (t >= n - 10) return;
  __syncthreads();
  o[t] = a + s[t + 10];
}

__global__ void gotos(int *o, int n) {
  __shared__ int s[THREADS];
  int t = threadIdx.x;
  if (t >= n) goto done;
  s[t] = t;
  __syncthreads();
  if (t & 1) goto done;
  o[t] = s[n - 1 - t];
done:;
}

__global__ void switches(int *o, int n) {
  __shared__ int s[THREADS];
  int t = threadIdx.x;
  switch (t & 3) {
    case 0: return;
    case 1:
      if (t > n) return;
      break;
    case 2: break;
    default:
      if (t < 8) {
        o[t] = 9;
        return;
      }
  }
  s[t] = t;
  __syncthreads();
  o[t] = s[t] + 1;
}

__global__ void tree(int *o, int n) {
  __shared__ int s[THREADS];
  int t = threadIdx.x;
  if (t >= n) return;
  s[t] = t;
  __syncthreads();
  for (int d = 32; d > 0; d >>= 1) {
    if (t < d && t + d < n) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) o[0] = s[0];
}

// Several reasons to leave.
__global__ void reasons(int *o, int n) {
  __shared__ int s[THREADS];
  int t = threadIdx.x, u = t & 7;
  if (t >= n || u == 5 || o[t] > 5) return;
  s[t] = t;
  __syncthreads();
  if (u < 4 && t > 3)
    o[t] = s[t ^ 1];
  else if (u == 6)
    o[t] = 66;
}

int main() {
  const char *names[] = {"plain",   "last_guard", "stores", "inverted", "otherwise", "breaks",   "loops", "nested",
                         "inside",  "inlined",    "twice",  "gotos",    "switches",  "tree",     "reasons"};
  int h[THREADS], *d;
  cudaMalloc((void **)&d, sizeof h);
  for (int k = 0; k < 15; k++) {
    cudaMemset(d, 0, sizeof h);
    switch (k) {
      case 0: plain<<<1, THREADS>>>(d, 50); break;
      case 1: last_guard<<<1, THREADS>>>(d, 50); break;
      case 2: stores<<<1, THREADS>>>(d, 50); break;
      case 3: inverted<<<1, THREADS>>>(d, 50); break;
      case 4: otherwise<<<1, THREADS>>>(d, 50); break;
      case 5: breaks<<<1, THREADS>>>(d, 50); break;
      case 6: loops<<<1, THREADS>>>(d, 50); break;
      case 7: nested<<<1, THREADS>>>(d, 50); break;
      case 8: inside<<<1, THREADS>>>(d, 50); break;
      case 9: inlined<<<1, THREADS>>>(d, 50); break;
      case 10: twice<<<1, THREADS>>>(d, 50); break;
      case 11: gotos<<<1, THREADS>>>(d, 50); break;
      case 12: switches<<<1, THREADS>>>(d, 50); break;
      case 13: tree<<<1, THREADS>>>(d, 50); break;
      default: reasons<<<1, THREADS>>>(d, 50);
    }
    cudaError_t error = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
      printf("%s: %s\n", names[k], cudaGetErrorString(error));
      return 1;
    }
    printf("%s", names[k]);
    for (int t = 0; t < THREADS; t++) printf("%c%d", t ? ' ' : '\t', h[t]);
    printf("\n");
  }
  cudaFree(d);
}
