/* An animation whose pixels are in device memory: its first pictures are written to files. */
#ifndef WARPCC_COMMON_GPU_ANIM_H
#define WARPCC_COMMON_GPU_ANIM_H

#include "book.h"
#include "cpu_anim.h"

struct GPUAnimBitmap {
    int width, height;
    void *dataBlock;
    uchar4 *devPtr;
    void (*clickDrag)(void *, int, int, int, int);

    GPUAnimBitmap(int w, int h, void *data = NULL) {
        width = w;
        height = h;
        dataBlock = data;
        clickDrag = NULL;
        HANDLE_ERROR(cudaMalloc((void **)&devPtr, image_size()));
    }
    void free_resources() { cudaFree(devPtr); }
    long image_size() const { return (long)width * height * 4; }
    void click_drag(void (*function)(void *, int, int, int, int)) { clickDrag = function; }

    void anim_and_exit(void (*function)(uchar4 *, void *, int), void (*exit_function)(void *)) {
        unsigned char *pixels = (unsigned char *)malloc(image_size());
        for (int tick = 1, count = warpcc_pictures(); tick <= count; tick++) {
            function(devPtr, dataBlock, tick);
            HANDLE_ERROR(cudaMemcpy(pixels, devPtr, image_size(), cudaMemcpyDeviceToHost));
            warpcc_write_bitmap(pixels, width, height, tick);
        }
        free(pixels);
        if (exit_function) exit_function(dataBlock);
        free_resources();
    }
};

#endif
