// <err.h>. The name of the program, which these functions print first, is left out.
#include <errno.h>
static inline void __ws_warn(int number, const char *format, va_list list) {
    fflush(stdout);
    if (format) vfprintf(stderr, format, list);
    if (number) fprintf(stderr, format ? ": %s" : "%s", strerror(number));
    fprintf(stderr, "\n");
}
#define __WS_ERR(NAME, STATUS, NUMBER, EXIT)                                                               \
    static inline void v##NAME(STATUS const char *format, va_list list) {                                  \
        __ws_warn(NUMBER, format, list);                                                                   \
        EXIT;                                                                                              \
    }                                                                                                      \
    static inline void NAME(STATUS const char *format, ...) {                                              \
        va_list list;                                                                                      \
        va_start(list, format);                                                                            \
        __ws_warn(NUMBER, format, list);                                                                   \
        va_end(list);                                                                                      \
        EXIT;                                                                                              \
    }
#define __WS_STATUS int status,
__WS_ERR(warn, , errno, (void)0)
__WS_ERR(warnx, , 0, (void)0)
__WS_ERR(err, __WS_STATUS, errno, exit(status))
__WS_ERR(errx, __WS_STATUS, 0, exit(status))
#undef __WS_ERR
#undef __WS_STATUS
