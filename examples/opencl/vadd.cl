// The sum of two vectors. The NDRange may be longer than the vectors: `n` is their length.
__kernel void vadd(__global const float *a, __global const float *b, __global float *c, int n)
{
    int i = get_global_id(0);
    if (i < n)
        c[i] = a[i] + b[i];
}
