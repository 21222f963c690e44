// One work-item computes one element of c = a * b. The matrices are stored row by row: `a` has
// `inner` columns, `b` and `c` have `columns` columns.
__kernel void multiply(__global const int *a, __global const int *b, __global int *c,
                       int rows, int inner, int columns)
{
    // Your code: compute the column and the row of this work-item, and its element of c.
}
