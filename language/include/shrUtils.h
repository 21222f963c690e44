/* Logs, command line and comparisons, with the interface of the CUDA SDK 3 and 4. */
#ifndef WARPCC_SHRUTILS_H
#define WARPCC_SHRUTILS_H

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "helper_image.h"
#include "helper_string.h"

typedef unsigned int shrBOOL;
#define shrTRUE 1u
#define shrFALSE 0u
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#define CLAMP(a, b, c) MIN(MAX(a, b), c)
#define TOPCLAMP(a, b) ((a) < (b) ? (a) : (b))
#define DEFAULTLOGFILE "SdkConsoleLog.txt"
#define MASTERLOGFILE "SdkMasterLog.csv"
enum LOGMODES { LOGCONSOLE = 1, LOGFILE = 2, LOGBOTH = 3, APPENDMODE = 4, MASTER = 8, ERRORMSG = 16, CLOSELOG = 32 };

/* The log goes to the console; a file is not written. */
static inline void shrSetLogFileName(const char *) {}
static inline int shrLog(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    fflush(stdout);
    return 0;
}
static inline int shrLogEx(int mode, int number, const char *format, ...) {
    va_list list;
    va_start(list, format);
    if (mode & ERRORMSG) {
        printf("\n !!! Error # %i at ", number);
        vprintf(format, list);
        printf("\n\nExiting...\n");
    } else if (mode & LOGCONSOLE) {
        vprintf(format, list);
    }
    va_end(list);
    fflush(stdout);
    return 0;
}
static inline void shrEXIT(int, const char **, int code) { exit(code); }
#define shrExitEX(argc, argv, code) exit(code)
#define shrCheckErrorEX(sample, reference, cleanup)                                          \
    do {                                                                                     \
        if ((reference) != (sample)) {                                                       \
            printf("\n !!! Error # %i at line %i , in file %s !!!\n\n", (int)(sample), __LINE__, __FILE__); \
            exit(EXIT_FAILURE);                                                              \
        }                                                                                    \
    } while (0)
#define shrCheckError(sample, reference) shrCheckErrorEX(sample, reference, 0)

/* Seconds since the last call with this counter. */
static inline double shrDeltaT(int counter = 0) {
    static double last[3] = {0, 0, 0};
    timeval t;
    gettimeofday(&t, NULL);
    double now = t.tv_sec + t.tv_usec * 1e-6;
    if (counter < 0 || counter > 2) return -9999.0;
    double delta = last[counter] == 0 ? 0 : now - last[counter];
    last[counter] = now;
    return delta;
}
static inline size_t shrRoundUp(int group, int global) {
    int rest = global % group;
    return rest == 0 ? global : global + group - rest;
}

static inline char *shrFindFilePath(const char *name, const char *program) {
    return sdkFindFilePath(name, program);
}
static inline shrBOOL shrCheckCmdLineFlag(const int argc, const char **argv, const char *name) {
    return checkCmdLineFlag(argc, argv, name);
}
static inline shrBOOL shrGetCmdLineArgumenti(const int argc, const char **argv, const char *name, int *value) {
    char *text;
    if (!getCmdLineArgumentString(argc, argv, name, &text)) return shrFALSE;
    *value = atoi(text);
    return shrTRUE;
}
static inline shrBOOL shrGetCmdLineArgumentu(const int argc, const char **argv, const char *name,
                                             unsigned int *value) {
    return shrGetCmdLineArgumenti(argc, argv, name, (int *)value);
}
static inline shrBOOL shrGetCmdLineArgumentf(const int argc, const char **argv, const char *name,
                                             float *value) {
    char *text;
    if (!getCmdLineArgumentString(argc, argv, name, &text)) return shrFALSE;
    *value = (float)atof(text);
    return shrTRUE;
}
static inline shrBOOL shrGetCmdLineArgumentstr(const int argc, const char **argv, const char *name,
                                               char **value) {
    if (!getCmdLineArgumentString(argc, argv, name, value)) return shrFALSE;
    *value = strdup(*value);
    return shrTRUE;
}

static inline void shrFillArray(float *data, int size) {
    const float scale = 1.0f / (float)RAND_MAX;
    for (int i = 0; i < size; ++i) data[i] = scale * rand();
}
static inline void shrPrintArray(float *data, int size) {
    for (int i = 0; i < size; ++i) shrLog("%d: %.3f\n", i, data[i]);
}

/* Files, images and comparisons. */
static inline shrBOOL shrReadFilef(const char *name, float **data, unsigned int *length, bool verbose = false) {
    return sdkReadFile(name, data, length, verbose);
}
static inline shrBOOL shrReadFilei(const char *name, int **data, unsigned int *length, bool verbose = false) {
    return sdkReadFile(name, data, length, verbose);
}
static inline shrBOOL shrWriteFilef(const char *name, const float *data, unsigned int length,
                                    const float epsilon, bool verbose = false) {
    return sdkWriteFile(name, data, length, epsilon, verbose);
}
static inline shrBOOL shrLoadPPM4ub(const char *name, unsigned char **data, unsigned int *w, unsigned int *h) {
    return sdkLoadPPM4ub(name, data, w, h);
}
static inline shrBOOL shrSavePPM4ub(const char *name, unsigned char *data, unsigned int w, unsigned int h) {
    return sdkSavePPM4ub(name, data, w, h);
}
static inline shrBOOL shrLoadPGMub(const char *name, unsigned char **data, unsigned int *w, unsigned int *h) {
    return sdkLoadPGM(name, data, w, h);
}
static inline shrBOOL shrSavePGMub(const char *name, unsigned char *data, unsigned int w, unsigned int h) {
    return sdkSavePGM(name, data, w, h);
}
static inline shrBOOL shrCompareuit(const unsigned int *reference, const unsigned int *data,
                                    const unsigned int length, const float epsilon, const float threshold) {
    return compareData(reference, data, length, epsilon, threshold);
}
static inline shrBOOL shrComparef(const float *reference, const float *data, const unsigned int length) {
    return compareData(reference, data, length, 0, 0.f);
}
static inline shrBOOL shrComparei(const int *reference, const int *data, const unsigned int length) {
    return compareData(reference, data, length, 0, 0.f);
}
static inline shrBOOL shrComparefe(const float *reference, const float *data, const unsigned int length,
                                   const float epsilon) {
    return compareData(reference, data, length, epsilon, 0.f);
}
static inline shrBOOL shrComparefet(const float *reference, const float *data, const unsigned int length,
                                    const float epsilon, const float threshold) {
    return compareData(reference, data, length, epsilon, threshold);
}
static inline shrBOOL shrCompareL2fe(const float *reference, const float *data, const unsigned int length,
                                     const float epsilon) {
    return sdkCompareL2fe(reference, data, length, epsilon);
}
static inline shrBOOL shrComparePPM(const char *name, const char *reference, const float epsilon,
                                    const float threshold) {
    return sdkComparePPM(name, reference, epsilon, threshold, false);
}

#endif
