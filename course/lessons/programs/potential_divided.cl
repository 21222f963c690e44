// As potential.cl with one point for each work-item, but the first column of a work-group is
// computed by a division.
__kernel void potential(__global float *grid, int atoms, float spacing, __constant float4 *atom)
{
    uint column = get_global_id(0) / get_local_id(0) + get_local_id(0);
    uint row = get_global_id(1);
    float sum = 0;
    for (int i = 0; i < atoms; i++) {
        float dx = column * spacing - atom[i].x;
        float dy = row * spacing - atom[i].y;
        sum += atom[i].w * native_rsqrt(dx * dx + dy * dy + atom[i].z);
    }
    grid[row * get_global_size(0) + column] += sum;
}
