// The values of an MRI scan, prepared for F^H d: mu = (conjugate of phi) * d for each sample.
extern "C" __global__ void mri_mu(const float *phi_re, const float *phi_im, const float *d_re,
                                  const float *d_im, float *mu_re, float *mu_im)
{
    int m = blockIdx.x * 256 + threadIdx.x;
    // The arrays may overlap as far as the compiler knows: all loads come before the stores.
    float pr = phi_re[m], pi = phi_im[m], dr = d_re[m], di = d_im[m];
    mu_re[m] = pr * dr + pi * di;
    mu_im[m] = pr * di - pi * dr;
}
