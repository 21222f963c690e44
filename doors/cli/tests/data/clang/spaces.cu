// Compiled with: clang++-19 -x cuda --cuda-device-only -S --cuda-gpu-arch=sm_20 -nocudainc -nocudalib
// -O2 -gline-tables-only spaces.cu -o spaces.ptx; the path in `.file` is shortened.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device, noinline))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define THREAD __nvvm_read_ptx_sreg_tid_x()
#define INDEX (__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + THREAD)

struct Weights {
  int of[8];
};

__constant__ int steps[4] = {1, 2, 3, 4};

// A struct by value whose address is used, and a pointer to shared memory.
__device__ int pick(Weights w, const int *values, int i) { return w.of[i & 7] * values[i]; }

// A pointer to local memory.
__device__ void add(int *sum, int value) { *sum += value; }

// Never called: no kernel needs its instructions.
__device__ double unused(double *x) { return *x * __builtin_popcountll((long)*x); }

extern "C" __global__ void spaces(int *y, const int *x, Weights w) {
  __shared__ int s[64];
  s[THREAD] = x[INDEX];
  __nvvm_bar_sync(0);
  int sum = 0;
  add(&sum, pick(w, s, THREAD));
  add(&sum, steps[THREAD & 3]);
  y[INDEX] = sum;
}
