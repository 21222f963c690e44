// The sum of two vectors: one work-item for each element. The NDRange can be longer than the
// vectors, because it is a multiple of the work-group.
__kernel void vadd(__global const float *a, __global const float *b, __global float *c, int n)
{
    int i = get_global_id(0);
    if (i < n)
        c[i] = a[i] + b[i];
}
