// F^H d of an MRI scan with a thread for each voxel.
//
// PLACE:  memory of the samples: GLOBAL (and the sums too), REGISTERS (only the voxel and its
//         sums), or constant memory as ARRAYS or STRUCTS
// VALUES: 1 if the values of samples are in constant memory too
// UNITS:  1 if sine and cosine are computed by the special function units
// UNROLL: samples per iteration
#define GLOBAL 0
#define REGISTERS 1
#define ARRAYS 2
#define STRUCTS 3

#if UNITS
#define COS __cosf
#define SIN __sinf
#else
#define COS cosf
#define SIN sinf
#endif

#if PLACE == ARRAYS
struct Scan {
    float kx[2048], ky[2048], kz[2048];
};
__constant__ Scan scan;
#define KX(m) scan.kx[m]
#define KY(m) scan.ky[m]
#define KZ(m) scan.kz[m]
#elif PLACE == STRUCTS
struct Sample {
    float kx, ky, kz;
#if VALUES
    float a, b;
#endif
};
__constant__ Sample scan[2048];
#define KX(m) scan[m].kx
#define KY(m) scan[m].ky
#define KZ(m) scan[m].kz
#else
#define KX(m) kx[m]
#define KY(m) ky[m]
#define KZ(m) kz[m]
#endif
#if VALUES
#define A(m) scan[m].a
#define B(m) scan[m].b
#else
#define A(m) a[m]
#define B(m) b[m]
#endif

extern "C" __global__ void mri_fhd(const float *x, const float *y, const float *z, float *re,
                                   float *im, const float *kx, const float *ky, const float *kz,
                                   const float *a, const float *b, int samples)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
#if PLACE == GLOBAL
    for (int m = 0; m < samples; ++m) {
        float angle = 6.2831853f * (kx[m] * x[n] + ky[m] * y[n] + kz[m] * z[n]);
        float c = COS(angle), s = SIN(angle);
        re[n] += a[m] * c - b[m] * s;
        im[n] += b[m] * c + a[m] * s;
    }
#else
    float myx = x[n], myy = y[n], myz = z[n], myre = re[n], myim = im[n];
    // The number of samples is a multiple of UNROLL.
    for (int first = 0; first < samples; first += UNROLL)
        for (int i = 0; i < UNROLL; ++i) {
            int m = first + i;
            float angle = 6.2831853f * (KX(m) * myx + KY(m) * myy + KZ(m) * myz);
            float c = COS(angle), s = SIN(angle);
            myre += A(m) * c - B(m) * s;
            myim += B(m) * c + A(m) * s;
        }
    re[n] = myre;
    im[n] = myim;
#endif
}
