/* A bitmap of an introductory textbook: written to a file instead of shown in a window. */
#ifndef WARPCC_COMMON_CPU_BITMAP_H
#define WARPCC_COMMON_CPU_BITMAP_H

#include "bitmap_file.h"

struct CPUBitmap {
    unsigned char *pixels;
    int x, y;
    void *dataBlock;
    void (*bitmapExit)(void *);

    CPUBitmap(int width, int height, void *data = NULL) {
        pixels = (unsigned char *)calloc((size_t)width * height, 4);
        x = width;
        y = height;
        dataBlock = data;
        bitmapExit = NULL;
    }
    ~CPUBitmap() { free(pixels); }
    unsigned char *get_ptr() const { return pixels; }
    long image_size() const { return (long)x * y * 4; }

    void display_and_exit(void (*exit_function)(void *) = NULL) {
        bitmapExit = exit_function;
        warpcc_write_bitmap(pixels, x, y, 0);
        if (bitmapExit) bitmapExit(dataBlock);
    }
};

#endif
