// The potential of charges at the points of a slice: each work-item computes POINTS points of a
// row, which are the width of a work-group apart. An atom is (x, y, squared distance from the
// slice, charge).
#ifndef POINTS
#define POINTS 4
#endif

__kernel void potential(__global float *grid, int atoms, float spacing, __constant float4 *atom)
{
    uint apart = get_local_size(0);
    uint column = get_group_id(0) * apart * POINTS + get_local_id(0);
    uint row = get_global_id(1);
    float x = column * spacing;
    float y = row * spacing;
    float sum[POINTS];
    for (int k = 0; k < POINTS; k++)
        sum[k] = 0;
    for (int i = 0; i < atoms; i++) {
        float dy = y - atom[i].y;
        float rest = dy * dy + atom[i].z;
        float dx = x - atom[i].x;
        for (int k = 0; k < POINTS; k++) {
            sum[k] += atom[i].w * native_rsqrt(dx * dx + rest);
            dx += apart * spacing;
        }
    }
    __global float *own = grid + row * get_global_size(0) * POINTS + column;
    for (int k = 0; k < POINTS; k++)
        own[k * apart] += sum[k];
}
