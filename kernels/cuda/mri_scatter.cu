// F^H d of an MRI scan with a thread for each sample: all threads add to all sums.
// UPDATE: RACING (load, add, store), SWAP (compare and swap) or ATOMIC
#define RACING 0
#define SWAP 1
#define ATOMIC 2

__device__ void add(float *sum, float part)
{
#if UPDATE == RACING
    // Of concurrent stores only one remains.
    *sum += part;
#elif UPDATE == SWAP
    // The first attempt reads the value; retry while another thread comes first.
    int guess, found = 0;
    do {
        guess = found;
        found = atomicCAS((int *)sum, guess, __float_as_int(__int_as_float(guess) + part));
    } while (found != guess);
#else
    atomicAdd(sum, part);
#endif
}

extern "C" __global__ void mri_fhd(const float *x, const float *y, const float *z, float *re,
                                   float *im, const float *kx, const float *ky, const float *kz,
                                   const float *phi_re, const float *phi_im, const float *d_re,
                                   const float *d_im, int voxels)
{
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    float mykx = kx[m], myky = ky[m], mykz = kz[m];
    float a = phi_re[m] * d_re[m] + phi_im[m] * d_im[m];
    float b = phi_re[m] * d_im[m] - phi_im[m] * d_re[m];
    for (int n = 0; n < voxels; ++n) {
        float angle = 6.2831853f * (mykx * x[n] + myky * y[n] + mykz * z[n]);
        float c = cosf(angle), s = sinf(angle);
        add(&re[n], a * c - b * s);
        add(&im[n], b * c + a * s);
    }
}
