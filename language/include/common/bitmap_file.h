/* Writes the pixels of a textbook's bitmap, four bytes each and the lowest row first, as PPM. */
#ifndef WARPCC_COMMON_BITMAP_FILE_H
#define WARPCC_COMMON_BITMAP_FILE_H

#include <stdio.h>
#include <stdlib.h>

/* Name of the files: `WARPSIM_IMAGE`, or `image`, with the number of the picture. */
static inline void warpcc_write_bitmap(const unsigned char *pixels, int width, int height, int number) {
    const char *base = getenv("WARPSIM_IMAGE");
    char name[4096];
    snprintf(name, sizeof(name), "%s-%d.ppm", base && *base ? base : "image", number);
    FILE *file = fopen(name, "wb");
    if (!file) {
        fprintf(stderr, "cannot write %s\n", name);
        return;
    }
    fprintf(file, "P6\n%d %d\n255\n", width, height);
    for (int y = height - 1; y >= 0; y--)
        for (int x = 0; x < width; x++) fwrite(pixels + 4 * ((size_t)y * width + x), 1, 3, file);
    fclose(file);
    printf("%s written\n", name);
}

#endif
