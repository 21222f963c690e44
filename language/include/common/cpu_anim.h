/* An animation of an introductory textbook: its first pictures are written to files. */
#ifndef WARPCC_COMMON_CPU_ANIM_H
#define WARPCC_COMMON_CPU_ANIM_H

#include "bitmap_file.h"

/* Number of pictures: `WARPSIM_PICTURES`, otherwise 3. */
static inline int warpcc_pictures() {
    const char *text = getenv("WARPSIM_PICTURES");
    return text && *text ? atoi(text) : 3;
}

struct CPUAnimBitmap {
    unsigned char *pixels;
    int width, height;
    void *dataBlock;
    void (*fAnim)(void *, int);
    void (*animExit)(void *);
    void (*clickDrag)(void *, int, int, int, int);
    int dragStartX, dragStartY;

    CPUAnimBitmap(int w, int h, void *data = NULL) {
        width = w;
        height = h;
        pixels = (unsigned char *)calloc((size_t)w * h, 4);
        dataBlock = data;
        fAnim = NULL;
        animExit = NULL;
        clickDrag = NULL;
    }
    ~CPUAnimBitmap() { free(pixels); }
    unsigned char *get_ptr() const { return pixels; }
    long image_size() const { return (long)width * height * 4; }
    void click_drag(void (*function)(void *, int, int, int, int)) { clickDrag = function; }

    void anim_and_exit(void (*function)(void *, int), void (*exit_function)(void *)) {
        for (int tick = 1, count = warpcc_pictures(); tick <= count; tick++) {
            function(dataBlock, tick);
            warpcc_write_bitmap(pixels, width, height, tick);
        }
        if (exit_function) exit_function(dataBlock);
    }
};

#endif
