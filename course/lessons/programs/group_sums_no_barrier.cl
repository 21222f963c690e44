// The sum of each work-group as group_sums.cl computes it, but without the barrier.
__kernel void group_sums(__global const int *in, __global int *sums, __local int *part)
{
    int own = get_local_id(0);
    part[own] = in[get_global_id(0)];
    for (int half = get_local_size(0) / 2; half > 0; half /= 2) {
        if (own < half)
            part[own] += part[own + half];
    }
    if (own == 0)
        sums[get_group_id(0)] = part[0];
}
