// Declarations that the files of the scan share.
#ifndef SCAN_H
#define SCAN_H

#define SCAN_BLOCK 128

// Replaces the value of each thread by the sum of the values of the threads before it in the block.
// `shared` has 2 * SCAN_BLOCK words. Returns the sum of the block in `*total`.
__device__ int block_scan(int value, int *shared, int *total);

// Exclusive scan of `count` elements in device memory.
void scan(const int *d_in, int *d_out, int count);

#endif
