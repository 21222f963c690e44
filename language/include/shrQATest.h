/* First and last lines of the CUDA SDK's samples. */
#ifndef WARPCC_SHRQATEST_H
#define WARPCC_SHRQATEST_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum eQAstatus { QA_FAILED = 0, QA_PASSED = 1, QA_WAIVED = 2 };

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

static inline const char *warpcc_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
static inline void __shrQAFinish(int, const char **argv, int status) {
    static const char *const words[] = {"FAILED", "PASSED", "WAIVED"};
    int known = status >= 0 && status <= 2 ? status : 0;
    printf("[%s] test results...\n%s\n\n", warpcc_base_name(argv[0]), words[known]);
    fflush(stdout);
}
static inline void shrQAStart(int argc, char **argv) {
    printf("[%s] starting...\n\n", warpcc_base_name(argv[0]));
    for (int i = 1; i < argc; i++) printf("%s%s", argv[i], i + 1 < argc ? " " : "\n\n");
    fflush(stdout);
}
static inline void shrQAFinish(int argc, const char **argv, int status) { __shrQAFinish(argc, argv, status); }
static inline void shrQAFinish2(bool, int argc, const char **argv, int status) {
    __shrQAFinish(argc, argv, status);
}
static inline void shrQAFinishExit(int argc, const char **argv, int status) {
    __shrQAFinish(argc, argv, status);
    exit(status == QA_PASSED ? EXIT_SUCCESS : status == QA_WAIVED ? EXIT_WAIVED : EXIT_FAILURE);
}
static inline void shrQAFinishExit2(bool, int argc, const char **argv, int status) {
    shrQAFinishExit(argc, argv, status);
}

#endif
