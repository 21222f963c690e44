// Compiled with: clang++-19 -x cuda --cuda-device-only -S --cuda-gpu-arch=sm_20 -nocudainc -nocudalib
// -O2 -gline-tables-only lines.cu -o lines.ptx; the path in `.file` is shortened.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define THREAD __nvvm_read_ptx_sreg_tid_x()
#define INDEX (__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + THREAD)

__device__ float twice(float x) { return 2 * x; }

extern "C" __global__ void scale(float *y, const float *x, int n) {
  int i = INDEX;
  if (i < n)
    y[i] = twice(x[i]);
}

extern "C" __global__ void barrier(float *y) {
  if (THREAD < 32)
    __nvvm_bar_sync(0);
  y[INDEX] = 1;
  __nvvm_bar_sync(1);
}

extern "C" __global__ void race(int *y) {
  __shared__ int s[64];
  s[THREAD] = THREAD;
  y[INDEX] = s[(THREAD + 33) % 64];
}
