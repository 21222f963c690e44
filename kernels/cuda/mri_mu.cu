// The values of an MRI scan, prepared for F^H d: mu = (conjugate of phi) * d for each sample.
extern "C" __global__ void mri_mu(const float *phi_re, const float *phi_im, const float *d_re,
                                  const float *d_im, float *mu_re, float *mu_im)
{
    int m = blockIdx.x * 256 + threadIdx.x;
    mu_re[m] = phi_re[m] * d_re[m] + phi_im[m] * d_im[m];
    mu_im[m] = phi_re[m] * d_im[m] - phi_im[m] * d_re[m];
}
