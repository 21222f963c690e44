// Direct Coulomb summation on a slice of a grid: each thread adds the potential at POINTS points
// of a row, APART points apart.
//
// Atoms are (x, y, squared distance in z from the slice, charge).
__constant__ float4 atominfo[4000];

extern "C" __global__ void coulomb(float *energygrid, int atoms, float gridspacing)
{
#if APART == 1
    unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * POINTS;
#else
    unsigned x = blockIdx.x * blockDim.x * POINTS + threadIdx.x;
#endif
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    float *grid = energygrid + gridDim.x * blockDim.x * y * POINTS + x;
    float coory = y * gridspacing;
    float coorx = x * gridspacing;
    float energy[POINTS];
    for (int k = 0; k < POINTS; ++k)
        energy[k] = 0;

#if POINTS == 1
    for (int i = 0; i < atoms; ++i) {
        float dx = coorx - atominfo[i].x;
        float dy = coory - atominfo[i].y;
        energy[0] += atominfo[i].w * rsqrtf(dx * dx + dy * dy + atominfo[i].z);
    }
#elif APART == 1
    float coorxs[POINTS];
    coorxs[0] = coorx;
    for (int k = 1; k < POINTS; ++k)
        coorxs[k] = coorxs[k - 1] + gridspacing;
    for (int i = 0; i < atoms; ++i) {
        // The points of a thread share this part.
        float dy = coory - atominfo[i].y;
        float dyz = dy * dy + atominfo[i].z;
        for (int k = 0; k < POINTS; ++k) {
            float dx = coorxs[k] - atominfo[i].x;
            energy[k] += atominfo[i].w * rsqrtf(dx * dx + dyz);
        }
    }
#else
    float apart = gridspacing * APART;
    for (int i = 0; i < atoms; ++i) {
        float dy = coory - atominfo[i].y;
        float dyz = dy * dy + atominfo[i].z;
        float dx = coorx - atominfo[i].x;
        for (int k = 0; k < POINTS; ++k) {
            energy[k] += atominfo[i].w * rsqrtf(dx * dx + dyz);
            dx += apart;
        }
    }
#endif

    for (int k = 0; k < POINTS; ++k)
        grid[k * APART] += energy[k];
}
