// One work-item computes one element of c = a * b. The matrices are stored row by row: `a` has
// `inner` columns, `b` and `c` have `columns` columns.
__kernel void multiply(__global const int *a, __global const int *b, __global int *c,
                       int rows, int inner, int columns)
{
    int column = get_global_id(0);
    int row = get_global_id(1);
    if (row < rows && column < columns) {
        int sum = 0;
        for (int k = 0; k < inner; k++)
            sum += a[row * inner + k] * b[k * columns + column];
        c[row * columns + column] = sum;
    }
}
