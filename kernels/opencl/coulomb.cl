// Direct Coulomb summation on a slice of a grid, as kernels/cuda/coulomb.cu: each work-item adds
// the potential at POINTS points of a row, APART points apart. APART is the size of a work-group in
// dimension 0.
//
// Atoms are (x, y, squared distance in z from the slice, charge).
__kernel void coulomb(__global float *energygrid, int atoms, float gridspacing,
                      __constant float4 *atominfo)
{
    uint x = (get_global_id(0) - get_local_id(0)) * POINTS + get_local_id(0);
    uint y = get_global_id(1);
    __global float *grid = energygrid + get_global_size(0) * POINTS * y + x;
    float coory = y * gridspacing;
    float coorx = x * gridspacing;
    float energy[POINTS];
    for (int k = 0; k < POINTS; ++k)
        energy[k] = 0;

    float apart = gridspacing * APART;
    for (int i = 0; i < atoms; ++i) {
        float dy = coory - atominfo[i].y;
        float dyz = dy * dy + atominfo[i].z;
        float dx = coorx - atominfo[i].x;
        for (int k = 0; k < POINTS; ++k) {
            energy[k] += atominfo[i].w * native_rsqrt(dx * dx + dyz);
            dx += apart;
        }
    }

    for (int k = 0; k < POINTS; ++k)
        grid[k * APART] += energy[k];
}
