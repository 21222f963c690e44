/* Arguments of the runtime API that kernels can take; both halves of a program read them. */
#ifndef WARPCC_DEVICE_PITCHED_TYPES_H
#define WARPCC_DEVICE_PITCHED_TYPES_H

struct cudaPitchedPtr {
    void *ptr;
    size_t pitch;
    size_t xsize;
    size_t ysize;
};

struct cudaExtent {
    size_t width;
    size_t height;
    size_t depth;
};

struct cudaPos {
    size_t x;
    size_t y;
    size_t z;
};

#endif
