/* PGM and PPM images, files of numbers, comparisons, with the interface of NVIDIA's samples. */
#ifndef WARPCC_HELPER_IMAGE_H
#define WARPCC_HELPER_IMAGE_H

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

/* A sample as a byte, and a byte as a sample: floats are from 0 to 1. */
template <class T>
inline T warpcc_sample(unsigned char byte) {
    return (T)byte;
}
template <>
inline float warpcc_sample<float>(unsigned char byte) {
    return byte / 255.f;
}
inline unsigned char warpcc_byte(float sample) { return (unsigned char)(sample * 255.f); }
inline unsigned char warpcc_byte(unsigned char sample) { return sample; }
inline unsigned char warpcc_byte(unsigned int sample) { return (unsigned char)sample; }
inline unsigned char warpcc_byte(int sample) { return (unsigned char)sample; }

/* Reads a binary PGM (one channel) or PPM (three channels). The caller frees `*data`. */
inline bool __loadPPM(const char *name, unsigned char **data, unsigned int *w, unsigned int *h,
                      unsigned int *channels) {
    FILE *file = fopen(name, "rb");
    if (!file) {
        std::cerr << "__LoadPPM() : Failed to open file: " << name << std::endl;
        return false;
    }
    char magic[3] = {0, 0, 0};
    unsigned int numbers[3] = {0, 0, 0};
    bool good = fread(magic, 1, 2, file) == 2 && magic[0] == 'P' && (magic[1] == '5' || magic[1] == '6');
    for (int i = 0; good && i < 3; i++) {
        int c = fgetc(file);
        while (c == '#' || c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            if (c == '#')
                while (c != '\n' && c != EOF) c = fgetc(file);
            c = fgetc(file);
        }
        ungetc(c, file);
        good = fscanf(file, "%u", &numbers[i]) == 1;
    }
    fgetc(file);
    *channels = magic[1] == '5' ? 1 : 3;
    size_t bytes = (size_t)numbers[0] * numbers[1] * *channels;
    good = good && numbers[2] <= 255 && bytes > 0;
    if (good) {
        if (*data == NULL) {
            *data = (unsigned char *)malloc(bytes);
        } else if (*w != numbers[0] || *h != numbers[1]) {
            std::cerr << "__LoadPPM() : Invalid image dimensions." << std::endl;
        }
        good = *data && fread(*data, 1, bytes, file) == bytes;
    }
    fclose(file);
    if (!good) {
        std::cerr << "__LoadPPM() : File is not a PPM or PGM image: " << name << std::endl;
        return false;
    }
    *w = numbers[0];
    *h = numbers[1];
    return true;
}

template <class T>
inline bool sdkLoadPGM(const char *name, T **data, unsigned int *w, unsigned int *h) {
    unsigned char *bytes = NULL;
    unsigned int channels;
    if (!__loadPPM(name, &bytes, w, h, &channels)) return false;
    size_t size = (size_t)*w * *h * channels;
    if (*data == NULL) *data = (T *)malloc(sizeof(T) * size);
    for (size_t i = 0; i < size; i++) (*data)[i] = warpcc_sample<T>(bytes[i]);
    free(bytes);
    return true;
}

/* Four channels for each pixel of the file; the last is 0. */
template <class T>
inline bool sdkLoadPPM4(const char *name, T **data, unsigned int *w, unsigned int *h) {
    unsigned char *bytes = NULL;
    unsigned int channels;
    if (!__loadPPM(name, &bytes, w, h, &channels)) return false;
    size_t pixels = (size_t)*w * *h;
    if (*data == NULL) *data = (T *)malloc(sizeof(T) * 4 * pixels);
    for (size_t i = 0; i < pixels; i++) {
        for (unsigned int c = 0; c < 3; c++)
            (*data)[4 * i + c] = warpcc_sample<T>(bytes[channels * i + (channels == 3 ? c : 0)]);
        (*data)[4 * i + 3] = 0;
    }
    free(bytes);
    return true;
}
inline bool sdkLoadPPM4ub(const char *name, unsigned char **data, unsigned int *w, unsigned int *h) {
    return sdkLoadPPM4(name, data, w, h);
}

inline bool __savePPM(const char *name, const unsigned char *data, unsigned int w, unsigned int h,
                      unsigned int channels) {
    FILE *file = fopen(name, "wb");
    if (!file) {
        std::cerr << "__savePPM() : Opening file failed: " << name << std::endl;
        return false;
    }
    fprintf(file, "P%c\n%u\n%u\n255\n", channels == 1 ? '5' : '6', w, h);
    size_t bytes = (size_t)w * h * channels;
    bool good = fwrite(data, 1, bytes, file) == bytes;
    return fclose(file) == 0 && good;
}

template <class T>
inline bool sdkSavePGM(const char *name, T *data, unsigned int w, unsigned int h) {
    std::vector<unsigned char> bytes((size_t)w * h);
    for (size_t i = 0; i < bytes.size(); i++) bytes[i] = warpcc_byte(data[i]);
    return __savePPM(name, &bytes[0], w, h, 1);
}
inline bool sdkSavePPMub(const char *name, unsigned char *data, unsigned int w, unsigned int h) {
    return __savePPM(name, data, w, h, 3);
}
inline bool sdkSavePPM4ub(const char *name, unsigned char *data, unsigned int w, unsigned int h) {
    std::vector<unsigned char> bytes((size_t)w * h * 3);
    for (size_t i = 0; i < bytes.size(); i++) bytes[i] = data[i / 3 * 4 + i % 3];
    return __savePPM(name, &bytes[0], w, h, 3);
}

/* Files of numbers as text. */
template <class T>
inline bool sdkReadFile(const char *name, T **data, unsigned int *length, bool) {
    std::ifstream file(name);
    if (!file.good()) return false;
    std::vector<T> values;
    T value;
    while (file >> value) values.push_back(value);
    if (*data == NULL) *data = (T *)malloc(sizeof(T) * (values.empty() ? 1 : values.size()));
    std::copy(values.begin(), values.end(), *data);
    *length = (unsigned int)values.size();
    return true;
}
template <class T, class S>
inline bool sdkWriteFile(const char *name, const T *data, unsigned int length, const S epsilon, bool,
                         bool append = false) {
    std::ofstream file(name, append ? std::ios::app : std::ios::out);
    if (!file.good()) return false;
    file << "# " << epsilon << "\n";
    for (unsigned int i = 0; i < length; i++) file << data[i] << ' ';
    file << std::endl;
    return file.good();
}
template <class T>
inline bool sdkDumpBin(T *data, unsigned int bytes, const char *name) {
    FILE *file = fopen(name, "wb");
    if (!file) return false;
    bool good = fwrite(data, bytes, 1, file) == 1;
    return fclose(file) == 0 && good;
}

/* Whether at most the share `threshold` of the elements differs by more than `epsilon`. */
template <class T, class S>
inline bool compareData(const T *reference, const T *data, const unsigned int length, const S epsilon,
                        const float threshold) {
    unsigned int errors = 0;
    for (unsigned int i = 0; i < length; i++) {
        double difference = fabs((double)reference[i] - (double)data[i]);
        if (!(difference <= (double)epsilon)) errors++;
    }
    if (threshold == 0.f) return errors == 0;
    return errors <= length * threshold;
}
template <class T, class S>
inline bool compareDataAsFloatThreshold(const T *reference, const T *data, const unsigned int length,
                                        const S epsilon, const float threshold) {
    return compareData(reference, data, length, epsilon, threshold);
}
/* Whether the error relative to the reference is below epsilon, in the L2 norm. */
inline bool sdkCompareL2fe(const float *reference, const float *data, const unsigned int length,
                           const float epsilon) {
    double error = 0, norm = 0;
    for (unsigned int i = 0; i < length; i++) {
        double difference = (double)reference[i] - data[i];
        error += difference * difference;
        norm += (double)reference[i] * reference[i];
    }
    return norm > 0 && sqrt(error) / sqrt(norm) < epsilon;
}

inline bool warpcc_compare_images(const char *name, const char *reference, float epsilon, float threshold,
                                  bool verbose) {
    unsigned char *a = NULL, *b = NULL;
    unsigned int w, h, channels, rw, rh, reference_channels;
    bool loaded = __loadPPM(name, &a, &w, &h, &channels) &&
                  __loadPPM(reference, &b, &rw, &rh, &reference_channels);
    bool same = loaded && w == rw && h == rh && channels == reference_channels &&
                compareData(b, a, w * h * channels, epsilon, threshold);
    if (verbose) std::cout << "> compare " << name << " with " << reference << (same ? ": OK" : ": differs") << std::endl;
    free(a);
    free(b);
    return same;
}
inline bool sdkComparePPM(const char *name, const char *reference, const float epsilon, const float threshold,
                          bool verbose) {
    return warpcc_compare_images(name, reference, epsilon, threshold, verbose);
}
inline bool sdkComparePGM(const char *name, const char *reference, const float epsilon, const float threshold,
                          bool verbose) {
    return warpcc_compare_images(name, reference, epsilon, threshold, verbose);
}

/* Binary files of numbers. The second is searched beside the program. */
template <class T>
inline bool warpcc_compare_files(const char *name, const char *reference, unsigned int count, float epsilon,
                                 float threshold) {
    std::vector<T> a(count), b(count);
    FILE *x = fopen(name, "rb"), *y = fopen(reference, "rb");
    bool good = x && y && fread(&a[0], sizeof(T), count, x) == count &&
                fread(&b[0], sizeof(T), count, y) == count;
    if (x) fclose(x);
    if (y) fclose(y);
    return good && compareData(&b[0], &a[0], count, epsilon, threshold);
}
inline bool sdkCompareBin2BinUint(const char *name, const char *reference, unsigned int count,
                                  const float epsilon, const float threshold, char *) {
    return warpcc_compare_files<unsigned int>(name, reference, count, epsilon, threshold);
}
inline bool sdkCompareBin2BinFloat(const char *name, const char *reference, unsigned int count,
                                   const float epsilon, const float threshold, char *) {
    return warpcc_compare_files<float>(name, reference, count, epsilon, threshold);
}

#endif
