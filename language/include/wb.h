/* Input, output, timers and comparison for courses, with the interface of libwb.
 *
 * Command line: `-i FILE,FILE… -o FILE -e FILE -t TYPE`. A vector is a text: its length, then its
 * values. A matrix begins with its rows and columns. An image is a PPM or PGM file. */
#ifndef WARPCC_WB_H
#define WARPCC_WB_H

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cuda_runtime.h"
#include "helper_image.h"

typedef struct {
    std::vector<std::string> inputs;
    std::string output, expected, type;
} wbArg_t;

static inline wbArg_t wbArg_read(int argc, char **argv) {
    wbArg_t args;
    for (int i = 1; i + 1 < argc; i++) {
        std::string option = argv[i];
        if (option == "-i") {
            std::stringstream list(argv[++i]);
            std::string name;
            while (std::getline(list, name, ','))
                if (name != "none") args.inputs.push_back(name);
        } else if (option == "-o") {
            args.output = argv[++i];
        } else if (option == "-e") {
            args.expected = argv[++i];
        } else if (option == "-t") {
            args.type = argv[++i];
        }
    }
    return args;
}
static inline int wbArg_getInputCount(const wbArg_t &args) { return (int)args.inputs.size(); }
static inline char *wbArg_getInputFile(const wbArg_t &args, int index) {
    if (index < 0 || index >= (int)args.inputs.size()) {
        fprintf(stderr, "wb: input %d is not given; usage: -i FILE,FILE -o FILE -e FILE -t TYPE\n", index);
        exit(1);
    }
    return (char *)args.inputs[index].c_str();
}
static inline char *wbArg_getOutputFile(const wbArg_t &args) { return (char *)args.output.c_str(); }
static inline char *wbArg_getExpectedOutputFile(const wbArg_t &args) { return (char *)args.expected.c_str(); }

/* Messages. */
enum wbLogLevel { OFF, FATAL, ERROR, WARN, INFO, DEBUG, TRACE };
/* The parts of a message, as operands of `<<`. */
#define WARPCC_WB_1(first) << (first)
#define WARPCC_WB_2(first, ...) << (first) WARPCC_WB_1(__VA_ARGS__)
#define WARPCC_WB_3(first, ...) << (first) WARPCC_WB_2(__VA_ARGS__)
#define WARPCC_WB_4(first, ...) << (first) WARPCC_WB_3(__VA_ARGS__)
#define WARPCC_WB_5(first, ...) << (first) WARPCC_WB_4(__VA_ARGS__)
#define WARPCC_WB_6(first, ...) << (first) WARPCC_WB_5(__VA_ARGS__)
#define WARPCC_WB_7(first, ...) << (first) WARPCC_WB_6(__VA_ARGS__)
#define WARPCC_WB_8(first, ...) << (first) WARPCC_WB_7(__VA_ARGS__)
#define WARPCC_WB_9(first, ...) << (first) WARPCC_WB_8(__VA_ARGS__)
#define WARPCC_WB_10(first, ...) << (first) WARPCC_WB_9(__VA_ARGS__)
#define WARPCC_WB_11(first, ...) << (first) WARPCC_WB_10(__VA_ARGS__)
#define WARPCC_WB_12(first, ...) << (first) WARPCC_WB_11(__VA_ARGS__)
#define WARPCC_WB_13(first, ...) << (first) WARPCC_WB_12(__VA_ARGS__)
#define WARPCC_WB_14(first, ...) << (first) WARPCC_WB_13(__VA_ARGS__)
#define WARPCC_WB_15(first, ...) << (first) WARPCC_WB_14(__VA_ARGS__)
#define WARPCC_WB_16(first, ...) << (first) WARPCC_WB_15(__VA_ARGS__)
#define WARPCC_WB_NTH(p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, \
    name, ...) name
#define WARPCC_WB_PARTS(...) WARPCC_WB_NTH(__VA_ARGS__, WARPCC_WB_16, WARPCC_WB_15, WARPCC_WB_14, \
    WARPCC_WB_13, WARPCC_WB_12, WARPCC_WB_11, WARPCC_WB_10, WARPCC_WB_9, WARPCC_WB_8, \
    WARPCC_WB_7, WARPCC_WB_6, WARPCC_WB_5, WARPCC_WB_4, WARPCC_WB_3, WARPCC_WB_2, WARPCC_WB_1, \
    0)(__VA_ARGS__)
#define wbLog(level, ...) \
    (std::cout << #level << " " << __FILE__ << ":" << __LINE__ << " " WARPCC_WB_PARTS(__VA_ARGS__) << std::endl)

/* Timers, by their message. */
static inline double warpcc_wb_now() {
    timeval t;
    gettimeofday(&t, NULL);
    return t.tv_sec * 1e3 + t.tv_usec * 1e-3;
}
static inline std::map<std::string, double> &warpcc_wb_timers() {
    static std::map<std::string, double> timers;
    return timers;
}
static inline void warpcc_wb_start(const char *kind, const std::string &message) {
    warpcc_wb_timers()[kind + message] = warpcc_wb_now();
}
static inline void warpcc_wb_stop(const char *kind, const std::string &message) {
    double elapsed = warpcc_wb_now() - warpcc_wb_timers()[kind + message];
    printf("[%-7s] %.6f ms %s\n", kind, elapsed, message.c_str());
}
/* The text of a message. */
class warpcc_wb_text {
public:
    std::ostringstream text;
    template <class T>
    warpcc_wb_text &operator<<(const T &value) {
        text << value;
        return *this;
    }
    std::string str() const { return text.str(); }
};
#define wbTime_start(kind, ...) warpcc_wb_start(#kind, (warpcc_wb_text() WARPCC_WB_PARTS(__VA_ARGS__)).str())
#define wbTime_stop(kind, ...) warpcc_wb_stop(#kind, (warpcc_wb_text() WARPCC_WB_PARTS(__VA_ARGS__)).str())

/* Images: floats from 0 to 1, channel by channel in each pixel. */
struct warpcc_wb_image {
    int width, height, channels;
    float *data;
};
typedef struct warpcc_wb_image *wbImage_t;
enum { wbImage_channels = 3 };

static inline wbImage_t wbImage_new(int width, int height, int channels = wbImage_channels) {
    wbImage_t image = (wbImage_t)malloc(sizeof(struct warpcc_wb_image));
    image->width = width;
    image->height = height;
    image->channels = channels;
    image->data = (float *)calloc((size_t)width * height * channels, sizeof(float));
    return image;
}
static inline wbImage_t wbImage_new(int width, int height, int channels, float *data) {
    wbImage_t image = wbImage_new(width, height, channels);
    memcpy(image->data, data, (size_t)width * height * channels * sizeof(float));
    return image;
}
static inline void wbImage_delete(wbImage_t image) {
    if (image) free(image->data);
    free(image);
}
static inline int wbImage_getWidth(wbImage_t image) { return image->width; }
static inline int wbImage_getHeight(wbImage_t image) { return image->height; }
static inline int wbImage_getChannels(wbImage_t image) { return image->channels; }
static inline float *wbImage_getData(wbImage_t image) { return image->data; }

static inline void warpcc_wb_failed(const char *name) {
    fprintf(stderr, "wb: cannot read %s\n", name);
    exit(1);
}
static inline wbImage_t wbImport(const char *name) {
    unsigned char *bytes = NULL;
    unsigned int width, height, channels;
    if (!__loadPPM(name, &bytes, &width, &height, &channels)) warpcc_wb_failed(name);
    wbImage_t image = wbImage_new((int)width, (int)height, (int)channels);
    for (size_t i = 0; i < (size_t)width * height * channels; i++) image->data[i] = bytes[i] / 255.0f;
    free(bytes);
    return image;
}

/* Reads `sizes` numbers, then as many values as their product. */
template <class T>
static inline T *warpcc_wb_read(const char *name, int *sizes, int dimensions) {
    std::ifstream file(name);
    size_t count = 1;
    for (int i = 0; i < dimensions; i++) {
        if (!(file >> sizes[i]) || sizes[i] < 0) warpcc_wb_failed(name);
        count *= (size_t)sizes[i];
    }
    T *data = (T *)malloc((count ? count : 1) * sizeof(T));
    for (size_t i = 0; i < count; i++) {
        char comma;
        if (file.peek() == ',') file >> comma;
        if (!(file >> data[i])) warpcc_wb_failed(name);
    }
    return data;
}
static inline void *wbImport(const char *name, int *length, const char *type) {
    if (strcmp(type, "Integer") == 0) return warpcc_wb_read<int>(name, length, 1);
    if (strcmp(type, "Text") == 0) {
        std::ifstream file(name, std::ios::binary);
        if (!file.good()) warpcc_wb_failed(name);
        std::string text, line;
        while (std::getline(file, line)) text += file.eof() ? line : line + "\n";
        char *data = (char *)calloc(text.size() + 1, 1);
        memcpy(data, text.data(), text.size());
        *length = (int)text.size();
        return data;
    }
    return warpcc_wb_read<float>(name, length, 1);
}
static inline float *wbImport(const char *name, int *length) { return warpcc_wb_read<float>(name, length, 1); }
static inline float *wbImport(const char *name, int *rows, int *columns) {
    int sizes[2];
    float *data = warpcc_wb_read<float>(name, sizes, 2);
    *rows = sizes[0];
    *columns = sizes[1];
    return data;
}
static inline void *wbImport(const char *name, int *rows, int *columns, const char *type) {
    int sizes[2];
    void *data = strcmp(type, "Integer") == 0 ? (void *)warpcc_wb_read<int>(name, sizes, 2)
                                              : (void *)warpcc_wb_read<float>(name, sizes, 2);
    *rows = sizes[0];
    *columns = sizes[1];
    return data;
}

/* Prints whether the values agree with the expected ones. Returns it. */
template <class T>
static inline bool warpcc_wb_compare(const T *expected, const T *data, size_t count, double tolerance) {
    for (size_t i = 0; i < count; i++) {
        double a = (double)expected[i], b = (double)data[i];
        if (!(fabs(a - b) <= tolerance * (fabs(a) > 1 ? fabs(a) : 1))) {
            std::cout << "The solution did not match the expected results at element " << i << ": expecting "
                      << a << " but got " << b << "." << std::endl;
            return false;
        }
    }
    std::cout << "Solution is correct." << std::endl;
    return true;
}
template <class T>
static inline bool warpcc_wb_solution(const wbArg_t &args, const T *data, const int *sizes, int dimensions) {
    size_t count = 1;
    for (int i = 0; i < dimensions; i++) count *= (size_t)sizes[i];
    if (!args.output.empty()) {
        std::ofstream file(args.output.c_str());
        for (int i = 0; i < dimensions; i++) file << sizes[i] << (i + 1 < dimensions ? " " : "\n");
        size_t row = (size_t)sizes[dimensions - 1];
        for (size_t i = 0; i < count; i++)
            file << data[i] << (dimensions == 1 || (i + 1) % row == 0 ? "\n" : " ");
    }
    if (args.expected.empty()) return true;
    int expected_sizes[2];
    T *expected = warpcc_wb_read<T>(args.expected.c_str(), expected_sizes, dimensions);
    bool same = true;
    for (int i = 0; i < dimensions; i++) same = same && expected_sizes[i] == sizes[i];
    if (same) same = warpcc_wb_compare(expected, data, count, 1e-2);
    else std::cout << "The size of the solution did not match the expected results." << std::endl;
    free(expected);
    return same;
}
static inline bool wbSolution(const wbArg_t &args, float *data, int length) {
    return warpcc_wb_solution(args, data, &length, 1);
}
static inline bool wbSolution(const wbArg_t &args, int *data, int length) {
    return warpcc_wb_solution(args, data, &length, 1);
}
static inline bool wbSolution(const wbArg_t &args, unsigned int *data, int length) {
    return warpcc_wb_solution(args, data, &length, 1);
}
static inline bool wbSolution(const wbArg_t &args, float *data, int rows, int columns) {
    int sizes[2] = {rows, columns};
    return warpcc_wb_solution(args, data, sizes, 2);
}
static inline bool wbSolution(const wbArg_t &args, wbImage_t image) {
    size_t count = (size_t)image->width * image->height * image->channels;
    if (!args.output.empty()) {
        std::vector<unsigned char> bytes(count ? count : 1);
        for (size_t i = 0; i < count; i++) {
            float value = image->data[i];
            bytes[i] = (unsigned char)((value < 0 ? 0 : value > 1 ? 1 : value) * 255 + 0.5f);
        }
        __savePPM(args.output.c_str(), &bytes[0], image->width, image->height, image->channels);
    }
    if (args.expected.empty()) return true;
    wbImage_t expected = wbImport(args.expected.c_str());
    bool same = expected->width == image->width && expected->height == image->height &&
                expected->channels == image->channels;
    if (same) same = warpcc_wb_compare(expected->data, image->data, count, 1e-2);
    else std::cout << "The size of the solution did not match the expected results." << std::endl;
    wbImage_delete(expected);
    return same;
}
template <class T>
static inline bool wbSolution(const wbArg_t &args, void *data, T length) {
    return wbSolution(args, (float *)data, (int)length);
}

#endif
