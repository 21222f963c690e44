// The sum of each work-group, in local memory: half of the work-items add in each step. A
// work-group has a power of two of work-items.
__kernel void group_sums(__global const int *in, __global int *sums, __local int *part)
{
    int own = get_local_id(0);
    part[own] = in[get_global_id(0)];
    for (int half = get_local_size(0) / 2; half > 0; half /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (own < half)
            part[own] += part[own + half];
    }
    if (own == 0)
        sums[get_group_id(0)] = part[0];
}
