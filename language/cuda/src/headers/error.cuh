// <error.h> of GNU's library. The name of the program, which it prints first, is left out.
#include <errno.h>
static inline void error(int status, int number, const char *format, ...) {
    fflush(stdout);
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    if (number) fprintf(stderr, ": %s", strerror(number));
    fprintf(stderr, "\n");
    if (status) exit(status);
}
