// The C library, as host code sees it. Functions without a body are functions of the host's library.
#define __D __forceinline__ __host__ __device__
extern "C" {
typedef struct __ws_file FILE;
typedef long time_t;
typedef long off_t;
typedef int errno_t;
typedef int pid_t;
typedef int key_t;
typedef unsigned int mode_t;
typedef char *caddr_t;
typedef unsigned int uid_t, gid_t, useconds_t;
typedef unsigned char u_char, u_int8_t;
typedef unsigned short u_short, u_int16_t;
typedef unsigned int u_int, u_int32_t;
typedef unsigned long u_long, u_int64_t;
struct timeval {
    time_t tv_sec;
    long tv_usec;
};
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
struct timezone {
    int tz_minuteswest, tz_dsttime;
};

int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int sprintf(char *to, const char *format, ...);
int snprintf(char *to, size_t size, const char *format, ...);
typedef unsigned long long *va_list;
int vprintf(const char *format, va_list list);
int vfprintf(FILE *file, const char *format, va_list list);
int vsprintf(char *to, const char *format, va_list list);
int vsnprintf(char *to, size_t size, const char *format, va_list list);
int puts(const char *text);
int putchar(int c);
int fputs(const char *text, FILE *file);
int fputc(int c, FILE *file);
int putc(int c, FILE *file);
int fflush(FILE *file);
FILE *fopen(const char *path, const char *mode);
int fclose(FILE *file);
size_t fread(void *to, size_t size, size_t count, FILE *file);
size_t fwrite(const void *from, size_t size, size_t count, FILE *file);
char *fgets(char *to, int size, FILE *file);
int fgetc(FILE *file);
int getc(FILE *file);
int getchar();
int ungetc(int c, FILE *file);
int feof(FILE *file);
int ferror(FILE *file);
void clearerr(FILE *file);
FILE *tmpfile();
ssize_t getline(char **line, size_t *size, FILE *file);
ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *file);
FILE *fdopen(int file, const char *mode);
int fseek(FILE *file, long offset, int from);
long ftell(FILE *file);
inline int fseeko(FILE *file, off_t offset, int from) { return fseek(file, offset, from); }
inline off_t ftello(FILE *file) { return ftell(file); }
void rewind(FILE *file);
int scanf(const char *format, ...);
int fscanf(FILE *file, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
void perror(const char *text);
int remove(const char *path);
int rename(const char *from, const char *to);
int unlink(const char *path);
int setvbuf(FILE *file, char *buffer, int mode, size_t size);
inline void setbuf(FILE *file, char *buffer) {}
inline void setlinebuf(FILE *file) {}
inline int getc_unlocked(FILE *file) { return getc(file); }
inline int getchar_unlocked() { return getchar(); }
inline int putc_unlocked(int c, FILE *file) { return putc(c, file); }
inline int putchar_unlocked(int c) { return putchar(c); }
typedef long fpos_t;
inline int fgetpos(FILE *file, fpos_t *at) {
    *at = ftell(file);
    return *at < 0 ? -1 : 0;
}
inline int fsetpos(FILE *file, const fpos_t *at) { return fseek(file, *at, 0); }

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void free(void *pointer);
void exit(int code);
void abort();
int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *text, char **end, int base);
unsigned long strtoul(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
unsigned long long strtoull(const char *text, char **end, int base);
double strtod(const char *text, char **end);
float strtof(const char *text, char **end);
int rand();
void srand(unsigned int seed);
long random();
void srandom(unsigned int seed);
double drand48();
void srand48(long seed);
long lrand48();
double erand48(unsigned short state[3]);
long nrand48(unsigned short state[3]);
long jrand48(unsigned short state[3]);
long mrand48();
int rand_r(unsigned int *seed);
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
int putenv(char *text);
int atexit(void (*function)());
int at_quick_exit(void (*function)());
void quick_exit(int code);
void _Exit(int code);
void _exit(int code);
int isatty(int file);
inline int getpid() { return 1; }
inline int fileno(FILE *file) { return (int)(size_t)file - 1; }
long sysconf(int name);

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
inline void bzero(void *to, size_t size) { memset(to, 0, size); }
int memcmp(const void *a, const void *b, size_t size);
inline int bcmp(const void *a, const void *b, size_t size) { return memcmp(a, b, size); }
void *memchr(const void *from, int value, size_t size);
size_t strlen(const char *text);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t size);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t size);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t size);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t size);
char *strchr(const char *text, int c);
inline int strcoll(const char *a, const char *b) { return strcmp(a, b); }
inline char *strchrnul(const char *text, int c) {
    char *found = strchr(text, c);
    return found ? found : (char *)text + strlen(text);
}
char *strrchr(const char *text, int c);
char *strstr(const char *text, const char *part);
char *strdup(const char *text);
char *strndup(const char *text, size_t size);
char *strtok(char *text, const char *delimiters);
char *strtok_r(char *text, const char *delimiters, char **rest);
size_t strnlen(const char *text, size_t size);
char *strcasestr(const char *text, const char *part);
void *memrchr(const void *from, int value, size_t size);
void *memmem(const void *from, size_t size, const void *part, size_t bytes);
size_t strspn(const char *text, const char *set);
size_t strcspn(const char *text, const char *set);
char *strpbrk(const char *text, const char *set);
char *strerror(int error);
inline char *stpcpy(char *to, const char *from) {
    strcpy(to, from);
    return to + strlen(from);
}
inline void *mempcpy(void *to, const void *from, size_t size) { return (char *)memcpy(to, from, size) + size; }
inline int ffs(int x) {
    for (int at = 0; at < 32; ++at)
        if (x >> at & 1) return at + 1;
    return 0;
}
inline void bcopy(const void *from, void *to, size_t size) { memmove(to, from, size); }
inline char *strsep(char **text, const char *delimiters) {
    char *begin = *text;
    if (!begin) return 0;
    char *end = begin + strcspn(begin, delimiters);
    *text = *end ? end + 1 : 0;
    *end = 0;
    return begin;
}

int isalpha(int c);
int isdigit(int c);
int isalnum(int c);
int isspace(int c);
int isupper(int c);
int islower(int c);
int ispunct(int c);
int isprint(int c);
int isxdigit(int c);
int isblank(int c);
int iscntrl(int c);
int isgraph(int c);
int toupper(int c);
int tolower(int c);
inline int toascii(int c) { return c & 127; }
inline int isascii(int c) { return c >= 0 && c < 128; }

clock_t clock();
time_t time(time_t *out);
int gettimeofday(struct timeval *out, void *zone);
int clock_gettime(int which, struct timespec *out);
double difftime(time_t end, time_t begin);
int clock_getres(int which, struct timespec *out);
void __ws_thread_sleep(unsigned long nanoseconds);
inline int nanosleep(const struct timespec *wanted, struct timespec *left) {
    __ws_thread_sleep((unsigned long)wanted->tv_sec * 1000000000ul + (unsigned long)wanted->tv_nsec);
    if (left) left->tv_sec = left->tv_nsec = 0;
    return 0;
}
inline unsigned int sleep(unsigned int seconds) {
    __ws_thread_sleep(seconds * 1000000000ul);
    return 0;
}
inline int usleep(unsigned int microseconds) {
    __ws_thread_sleep(microseconds * 1000ul);
    return 0;
}

void __ws_assert(const char *text, const char *file, int line, const char *function);

int abs(int x);
long labs(long x);
long long llabs(long long x);
typedef struct {
    int quot, rem;
} div_t;
typedef struct {
    long quot, rem;
} ldiv_t;
typedef struct {
    long long quot, rem;
} lldiv_t;
}
inline div_t div(int x, int y) {
    div_t made = {x / y, x % y};
    return made;
}
inline ldiv_t ldiv(long x, long y) {
    ldiv_t made = {x / y, x % y};
    return made;
}
inline lldiv_t lldiv(long long x, long long y) {
    lldiv_t made = {x / y, x % y};
    return made;
}

#define va_start(list, last) ((list) = __ws_arguments())
inline int vasprintf(char **to, const char *format, va_list list) {
    int size = vsnprintf(0, 0, format, list);
    if (size < 0) return size;
    *to = (char *)malloc((size_t)size + 1);
    return vsnprintf(*to, (size_t)size + 1, format, list);
}
inline int asprintf(char **to, const char *format, ...) {
    va_list list = __ws_arguments();
    return vasprintf(to, format, list);
}
#define va_arg(list, ...) (*(__VA_ARGS__ *)((list)++))
#define va_copy(to, from) ((to) = (from))
#define va_end(list) ((void)0)
#define __builtin_va_list va_list
#define __builtin_va_start va_start
#define __builtin_va_arg va_arg
#define __builtin_va_copy va_copy
#define __builtin_va_end va_end
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define PATH_MAX 4096
#define NAME_MAX 255
#define FOPEN_MAX 16
#define SSIZE_MAX LONG_MAX
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IONBF 2
#define _IOLBF 1
#define _IOFBF 0
#define stdin ((FILE *)1)
#define stdout ((FILE *)2)
#define stderr ((FILE *)3)
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define _SC_CLK_TCK 2
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
#ifdef __WARPSIM_C__
#define __WS_AROUND __func__
#else
#define __WS_AROUND __PRETTY_FUNCTION__
#endif
#define assert(condition) ((condition) ? (void)0 : __ws_assert(#condition, __FILE__, __LINE__, __WS_AROUND))

#ifdef __WARPSIM_C__
// C has no overloads.
#define __WS_MATH1(NAME)                                                                                   \
    extern "C" double NAME(double x);                                                                      \
    extern "C" float NAME##f(float x);
#define __WS_MATH2(NAME)                                                                                   \
    extern "C" double NAME(double x, double y);                                                            \
    extern "C" float NAME##f(float x, float y);
#else
// Functions of one argument: `float`, `double` and integers.
#define __WS_MATH1(NAME)                                                                                   \
    extern "C" double NAME(double x);                                                                      \
    extern "C" float NAME##f(float x);                                                                     \
    inline float NAME(float x) { return NAME##f(x); }                                                      \
    inline double NAME(int x) { return NAME((double)x); }                                                  \
    inline double NAME(unsigned int x) { return NAME((double)x); }                                         \
    inline double NAME(long x) { return NAME((double)x); }                                                 \
    inline double NAME(unsigned long x) { return NAME((double)x); }                                        \
    inline double NAME(long long x) { return NAME((double)x); }                                            \
    inline double NAME(unsigned long long x) { return NAME((double)x); }
#define __WS_MATH2(NAME)                                                                                   \
    extern "C" double NAME(double x, double y);                                                            \
    extern "C" float NAME##f(float x, float y);                                                            \
    inline float NAME(float x, float y) { return NAME##f(x, y); }                                          \
    template <class A, class B> inline typename __ws_both<A, B>::type NAME(A x, B y) {                     \
        return NAME((double)x, (double)y);                                                                 \
    }
#endif
__WS_MATH1(sqrt)
__WS_MATH1(cbrt)
__WS_MATH1(sin)
__WS_MATH1(cos)
__WS_MATH1(tan)
__WS_MATH1(asin)
__WS_MATH1(acos)
__WS_MATH1(atan)
__WS_MATH1(sinh)
__WS_MATH1(cosh)
__WS_MATH1(tanh)
__WS_MATH1(asinh)
__WS_MATH1(acosh)
__WS_MATH1(atanh)
__WS_MATH1(exp)
__WS_MATH1(exp2)
__WS_MATH1(expm1)
__WS_MATH1(log)
__WS_MATH1(log2)
__WS_MATH1(log10)
__WS_MATH1(log1p)
__WS_MATH1(floor)
__WS_MATH1(ceil)
__WS_MATH1(trunc)
__WS_MATH1(round)
__WS_MATH1(rint)
__WS_MATH1(nearbyint)
__WS_MATH1(fabs)
__WS_MATH1(erf)
__WS_MATH1(erfc)
__WS_MATH1(tgamma)
__WS_MATH1(lgamma)
__WS_MATH1(exp10)
__WS_MATH1(logb)
__WS_MATH1(j0)
__WS_MATH1(j1)
__WS_MATH1(y0)
__WS_MATH1(y1)

__WS_MATH2(pow)
__WS_MATH2(atan2)
__WS_MATH2(fmod)
__WS_MATH2(hypot)
__WS_MATH2(fmax)
__WS_MATH2(fmin)
__WS_MATH2(fdim)
__WS_MATH2(copysign)
__WS_MATH2(remainder)
__WS_MATH2(nextafter)

extern "C" {
double fma(double x, double y, double z);
float fmaf(float x, float y, float z);
double ldexp(double x, int e);
float ldexpf(float x, int e);
double scalbn(double x, int e);
float scalbnf(float x, int e);
double scalbln(double x, long e);
float scalblnf(float x, long e);
double frexp(double x, int *e);
float frexpf(float x, int *e);
double modf(double x, double *whole);
float modff(float x, float *whole);
void sincos(double x, double *s, double *c);
void sincosf(float x, float *s, float *c);
double remquo(double x, double y, int *quotient);
float remquof(float x, float y, int *quotient);
float nexttowardf(float x, double y);
double jn(int n, double x);
float jnf(int n, float x);
double yn(int n, double x);
float ynf(int n, float x);
int ilogb(double x);
int ilogbf(float x);
long lround(double x);
long lroundf(float x);
long long llround(double x);
long long llroundf(float x);
long lrint(double x);
long lrintf(float x);
long long llrint(double x);
long long llrintf(float x);
}
#define NAN (-(0.0f / 0.0f))
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define isgreater(x, y) ((x) > (y))
#define isgreaterequal(x, y) ((x) >= (y))
#define isless(x, y) ((x) < (y))
#define islessequal(x, y) ((x) <= (y))
#define islessgreater(x, y) ((x) < (y) || (x) > (y))
#define isunordered(x, y) (isnan(x) || isnan(y))
inline int __ws_class(double x, double least) {
    if (x != x) return FP_NAN;
    if (x == 0) return FP_ZERO;
    double size = fabs(x);
    return size > DBL_MAX ? FP_INFINITE : size < least ? FP_SUBNORMAL : FP_NORMAL;
}
// A `long double` is a `double` here.
#define __WS_LONG1(NAME) inline double NAME##l(double x) { return NAME(x); }
#define __WS_LONG2(NAME) inline double NAME##l(double x, double y) { return NAME(x, y); }
__WS_LONG1(sqrt)
__WS_LONG1(cbrt)
__WS_LONG1(sin)
__WS_LONG1(cos)
__WS_LONG1(tan)
__WS_LONG1(asin)
__WS_LONG1(acos)
__WS_LONG1(atan)
__WS_LONG1(sinh)
__WS_LONG1(cosh)
__WS_LONG1(tanh)
__WS_LONG1(exp)
__WS_LONG1(log)
__WS_LONG1(log2)
__WS_LONG1(log10)
__WS_LONG1(floor)
__WS_LONG1(ceil)
__WS_LONG1(trunc)
__WS_LONG1(round)
__WS_LONG1(fabs)
__WS_LONG2(pow)
__WS_LONG2(atan2)
__WS_LONG2(fmod)
__WS_LONG2(hypot)
__WS_LONG2(fmax)
__WS_LONG2(fmin)
#undef __WS_LONG1
#undef __WS_LONG2
inline double strtold(const char *text, char **end) { return strtod(text, end); }
// Old names.
inline int finite(double x) { return fabs(x) <= DBL_MAX; }
inline double drem(double x, double y) { return remainder(x, y); }
inline double nexttoward(double x, double y) { return nextafter(x, y); }
inline double nan(const char *tag) { return NAN; }
inline float nanf(const char *tag) { return NAN; }
#ifndef __WARPSIM_C__
inline float fma(float x, float y, float z) { return fmaf(x, y, z); }
// Functions of integers.
#define __WS_OF_INTEGER(RESULT, NAME, PARAMETERS, ARGUMENTS)                                               \
    template <class T> inline typename __ws_integer<T, RESULT>::type NAME PARAMETERS { return NAME ARGUMENTS; }
__WS_OF_INTEGER(double, ldexp, (T x, int e), ((double)x, e))
__WS_OF_INTEGER(double, scalbn, (T x, int e), ((double)x, e))
__WS_OF_INTEGER(double, scalbln, (T x, long e), ((double)x, e))
__WS_OF_INTEGER(double, frexp, (T x, int *e), ((double)x, e))
__WS_OF_INTEGER(int, ilogb, (T x), ((double)x))
__WS_OF_INTEGER(long, lround, (T x), ((double)x))
__WS_OF_INTEGER(long long, llround, (T x), ((double)x))
__WS_OF_INTEGER(long, lrint, (T x), ((double)x))
__WS_OF_INTEGER(long long, llrint, (T x), ((double)x))
template <class A, class B, class C>
inline typename __ws_both<A, typename __ws_both<B, C>::type>::type fma(A x, B y, C z) {
    return fma((double)x, (double)y, (double)z);
}
inline float ldexp(float x, int e) { return ldexpf(x, e); }
inline float scalbn(float x, int e) { return scalbnf(x, e); }
inline float scalbln(float x, long e) { return scalblnf(x, e); }
inline float frexp(float x, int *e) { return frexpf(x, e); }
inline float modf(float x, float *whole) { return modff(x, whole); }
inline void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
inline float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
template <class A, class B> inline typename __ws_both<A, B>::type remquo(A x, B y, int *quotient) {
    return remquo((double)x, (double)y, quotient);
}
inline float nexttoward(float x, double y) { return nexttowardf(x, y); }
inline int ilogb(float x) { return ilogbf(x); }
inline long lround(float x) { return lroundf(x); }
inline long long llround(float x) { return llroundf(x); }
inline long lrint(float x) { return lrintf(x); }
inline long long llrint(float x) { return llrintf(x); }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / sqrt(x); }
inline float abs(float x) { return fabsf(x); }
inline double abs(double x) { return fabs(x); }
inline long abs(long x) { return labs(x); }
inline long long abs(long long x) { return llabs(x); }
#endif
template <class T> inline int fpclassify(T x) { return __ws_class((double)x, DBL_MIN); }
inline int fpclassify(float x) { return __ws_class((double)x, (double)FLT_MIN); }
template <class T> inline bool isnormal(T x) { return fpclassify(x) == FP_NORMAL; }
template <class T> inline bool isnan(T x) { return x != x; }
#ifdef __WARPSIM_C__
// With the sign, as in GNU's library.
template <class T> inline int isinf(T x) { return fabs((double)x) > DBL_MAX ? x < 0 ? -1 : 1 : 0; }
#else
template <class T> inline bool isinf(T x) { return fabs((double)x) > DBL_MAX; }
#endif
template <class T> inline bool isfinite(T x) { return fabs((double)x) <= DBL_MAX; }
template <class T> inline bool signbit(T x) { return copysign(1.0, (double)x) < 0; }

#ifndef __WARPSIM_C__
// As CUDA has them in host code.
inline int min(int a, int b) { return b < a ? b : a; }
inline int max(int a, int b) { return a < b ? b : a; }
inline unsigned int min(unsigned int a, unsigned int b) { return b < a ? b : a; }
inline unsigned int max(unsigned int a, unsigned int b) { return a < b ? b : a; }
inline unsigned int min(int a, unsigned int b) { return min((unsigned int)a, b); }
inline unsigned int max(int a, unsigned int b) { return max((unsigned int)a, b); }
inline unsigned int min(unsigned int a, int b) { return min(a, (unsigned int)b); }
inline unsigned int max(unsigned int a, int b) { return max(a, (unsigned int)b); }
inline long min(long a, long b) { return b < a ? b : a; }
inline long max(long a, long b) { return a < b ? b : a; }
inline unsigned long min(unsigned long a, unsigned long b) { return b < a ? b : a; }
inline unsigned long max(unsigned long a, unsigned long b) { return a < b ? b : a; }
inline long long min(long long a, long long b) { return b < a ? b : a; }
inline long long max(long long a, long long b) { return a < b ? b : a; }
inline float min(float a, float b) { return fminf(a, b); }
inline float max(float a, float b) { return fmaxf(a, b); }
inline double min(double a, double b) { return fmin(a, b); }
inline double max(double a, double b) { return fmax(a, b); }
inline double min(float a, double b) { return fmin((double)a, b); }
inline double max(float a, double b) { return fmax((double)a, b); }
inline double min(double a, float b) { return fmin(a, (double)b); }
inline double max(double a, float b) { return fmax(a, (double)b); }
#endif

// A stable merge sort, as the C library of GNU uses it.
inline void __ws_sort(char *list, char *work, size_t count, size_t size,
                      int (*compare)(const void *, const void *)) {
    if (count < 2) return;
    size_t half = count / 2;
    __ws_sort(list, work, half, size, compare);
    __ws_sort(list + half * size, work, count - half, size, compare);
    size_t a = 0, b = half, to = 0;
    while (a < half && b < count) {
        if (compare(list + a * size, list + b * size) <= 0) {
            memcpy(work + to * size, list + a * size, size);
            ++a;
        } else {
            memcpy(work + to * size, list + b * size, size);
            ++b;
        }
        ++to;
    }
    memcpy(work + to * size, list + a * size, (half - a) * size);
    memcpy(list, work, (to + half - a) * size);
}
// Each allocation is aligned to more than a page.
inline int posix_memalign(void **made, size_t align, size_t size) {
    if (align < sizeof(void *) || (align & (align - 1))) return 22;
    *made = malloc(size);
    return *made || !size ? 0 : 12;
}
inline void *aligned_alloc(size_t align, size_t size) { return align & (align - 1) ? 0 : malloc(size); }
inline void *memalign(size_t align, size_t size) { return malloc(size); }
inline void qsort(void *list, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *work = (char *)malloc(count * size + 1);
    __ws_sort((char *)list, work, count, size, compare);
    free(work);
}
inline void *bsearch(const void *key, const void *list, size_t count, size_t size,
                     int (*compare)(const void *, const void *)) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *at = (const char *)list + middle * size;
        int order = compare(key, at);
        if (order == 0) return (void *)at;
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return 0;
}

// What arrays of variable length need. Without memory the program stops.
extern "C" void *__ws_malloc(size_t size);
inline void __ws_free(void *memory) { free(memory); }
// What `alloca` needs: a function frees the blocks of its list at its end. Each block has its next
// one in front of the memory that the program uses, which is aligned to 16 bytes.
inline void *__ws_stacked(void **list, size_t size) {
    void **block = (void **)__ws_malloc(size + 16);
    *block = *list;
    *list = block;
    return block + 2;
}
inline void __ws_unstacked(void **list) {
    for (void **block = (void **)*list; block; block = (void **)*list) {
        *list = *block;
        free(block);
    }
}
#define alloca(size) __ws_alloca(size)

#ifndef __WARPSIM_C__
// What `new`, `delete` and arrays of objects need.
extern "C" {
void *__ws_calloc(size_t count, size_t size);
void *__ws_realloc(void *old, size_t size);
}
// The function that a pointer to a method calls on an object, the bytes from the object to the part
// that it takes, and whether two pointers are equal. An odd word is 1 and the offset of a virtual
// function in the table of the object.
inline long __ws_pointed_method(char *object, long word) {
    return word & 1 ? *(long *)(*(char **)object + word - 1) : word;
}
inline long __ws_pointed_distance(char *object, long word) {
    return word & 1 ? *(long *)(*(char **)object + word + 7) : 0;
}
inline bool __ws_same_method(long one, long distance, long two, long other) {
    return one == two && (!one || distance == other);
}
inline int __ws_count_parts(char *object, long *info, long *wanted, long *of, char *inside, char **found) {
    if (info == wanted && (!of || __ws_count_parts(object, info, of, 0, inside, 0))) {
        if (inside && !of) return object == inside;
        *found = object;
        return 1;
    }
    int count = 0;
    for (long i = 0; i < info[1]; ++i)
        count += __ws_count_parts(object + info[3 + 2 * i], (long *)info[2 + 2 * i], wanted, of, inside, found);
    return count;
}
inline void *__ws_dynamic_cast(void *object, void *own, void *wanted) {
    if (!object) return 0;
    char *whole = __ws_whole_object(object), *found = 0;
    long *info = **(long ***)object;
    int count = __ws_count_parts(whole, info, (long *)wanted, (long *)own, (char *)object, &found);
    if (count == 0) count = __ws_count_parts(whole, info, (long *)wanted, 0, 0, &found);
    return count == 1 ? found : 0;
}
inline void *__ws_dynamic_reference(void *object, void *own, void *wanted) {
    void *found = __ws_dynamic_cast(object, own, wanted);
    if (!found) {
        fprintf(stderr, "terminate called after throwing an instance of 'std::bad_cast'\n  what():  std::bad_cast\n");
        abort();
    }
    return found;
}
template <class E> inline void *__ws_dynamic_or_throw(void *object, void *own, void *wanted) {
    void *found = __ws_dynamic_cast(object, own, wanted);
    if (!found) throw E();
    return found;
}
// What an exception says that no handler takes.
template <class E, class T> inline void __ws_uncaught(T *object) {
    E *exception = object;
    fprintf(stderr, "  what():  %s\n", exception->what());
    abort();
}
// Exceptions that objects of `std::exception_ptr` keep.
void *__ws_exception_handled();
void __ws_exception_share(void *object);
void __ws_exception_drop(void *object);
void __ws_exception_throw(void *object);
int __ws_exceptions_flying();
inline void __ws_pure_virtual() {
    fprintf(stderr, "pure virtual method called\nterminate called without an active exception\n");
    abort();
}

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
    cudaChannelFormatDesc made = {x, y, z, w, f};
    return made;
}
// Returns an error of a call, which is the last error of the program then.
extern "C" cudaError_t __ws_error(cudaError_t error);
// All earlier calls of the stream have been executed.
inline cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data) {
    if (!function) return __ws_error(cudaErrorInvalidValue);
    cudaError_t error = cudaStreamSynchronize(stream);
    if (error == cudaSuccess) function(data);
    return error;
}
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                         unsigned int flags) {
    if (!callback || flags) return __ws_error(cudaErrorInvalidValue);
    cudaError_t error = cudaStreamSynchronize(stream);
    if (error == cudaSuccess) callback(stream, error, data);
    return error;
}

namespace std {
using ::clearerr;
using ::getc;
using ::setbuf;
using ::setvbuf;
using ::tmpfile;
using ::_Exit;
using ::abort;
using ::abs;
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::at_quick_exit;
using ::atan2;
using ::atan;
using ::atanh;
using ::atexit;
using ::atof;
using ::atoi;
using ::atol;
using ::atoll;
using ::bsearch;
using ::calloc;
using ::cbrt;
using ::ceil;
using ::clock;
using ::clock_t;
using ::copysign;
using ::cos;
using ::cosh;
using ::difftime;
using ::div;
using ::div_t;
using ::erf;
using ::erfc;
using ::exit;
using ::exp2;
using ::exp;
using ::expm1;
using ::fabs;
using ::fclose;
using ::fdim;
using ::feof;
using ::ferror;
using ::fflush;
using ::fgetc;
using ::fgets;
using ::FILE;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::fopen;
using ::fpclassify;
using ::fprintf;
using ::fputc;
using ::fputs;
using ::fread;
using ::free;
using ::frexp;
using ::fscanf;
using ::fseek;
using ::ftell;
using ::fwrite;
using ::getchar;
using ::getenv;
using ::hypot;
inline double hypot(double x, double y, double z) {
    x = fabs(x), y = fabs(y), z = fabs(z);
    double most = fmax(fmax(x, y), z);
    if (most == 0 || !(most <= DBL_MAX)) return ::hypot(::hypot(x, y), z);
    return most * sqrt((x / most) * (x / most) + (y / most) * (y / most) + (z / most) * (z / most));
}
inline float hypot(float x, float y, float z) { return (float)sqrt((double)x * x + (double)y * y + (double)z * z); }
template <class T, class U, class V> inline double hypot(T x, U y, V z) { return hypot((double)x, (double)y, (double)z); }
inline double lerp(double a, double b, double t) {
    if ((a <= 0 && b >= 0) || (a >= 0 && b <= 0)) return t * b + (1 - t) * a;
    if (t == 1) return b;
    double x = a + t * (b - a);
    return (t > 1) == (b > a) ? (b < x ? x : b) : b > x ? x : b;
}
inline float lerp(float a, float b, float t) {
    if ((a <= 0 && b >= 0) || (a >= 0 && b <= 0)) return t * b + (1 - t) * a;
    if (t == 1) return b;
    float x = a + t * (b - a);
    return (t > 1) == (b > a) ? (b < x ? x : b) : b > x ? x : b;
}
template <class T, class U, class V> inline double lerp(T a, U b, V t) { return lerp((double)a, (double)b, (double)t); }
using ::ilogb;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::intmax_t;
using ::intptr_t;
using ::isalnum;
using ::isalpha;
using ::isblank;
using ::iscntrl;
using ::isdigit;
using ::isfinite;
using ::isgraph;
using ::isinf;
using ::islower;
using ::isnan;
using ::isnormal;
using ::isprint;
using ::ispunct;
using ::isspace;
using ::isupper;
using ::isxdigit;
using ::labs;
using ::ldexp;
using ::ldiv;
using ::ldiv_t;
using ::lgamma;
using ::llabs;
using ::lldiv;
using ::lldiv_t;
using ::llrint;
using ::llround;
using ::log10;
using ::log1p;
using ::log2;
using ::log;
using ::logb;
using ::lrint;
using ::lround;
using ::malloc;
using ::memchr;
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::modf;
using ::nan;
using ::nearbyint;
using ::nextafter;
using ::nexttoward;
using ::perror;
using ::pow;
using ::printf;
using ::ptrdiff_t;
using ::putc;
using ::putchar;
using ::puts;
using ::qsort;
using ::quick_exit;
using ::rand;
using ::realloc;
using ::remainder;
using ::remove;
using ::remquo;
using ::rename;
using ::rewind;
using ::rint;
using ::round;
using ::scalbln;
using ::scalbn;
using ::scanf;
using ::signbit;
using ::sin;
using ::sinh;
using ::size_t;
using ::snprintf;
using ::sprintf;
using ::sqrt;
using ::srand;
using ::sscanf;
using ::strcat;
using ::strchr;
using ::strcmp;
using ::strcpy;
using ::strcspn;
using ::strerror;
using ::strlen;
using ::strncat;
using ::strncmp;
using ::strncpy;
using ::strpbrk;
using ::strrchr;
using ::strspn;
using ::strstr;
using ::strtod;
using ::strtof;
using ::strtok;
using ::strtol;
using ::strtoll;
using ::strtoul;
using ::strtoull;
using ::tan;
using ::tanh;
using ::tgamma;
using ::time;
using ::time_t;
using ::tolower;
using ::toupper;
using ::trunc;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintmax_t;
using ::uintptr_t;
using ::ungetc;
using ::va_list;
using ::vfprintf;
using ::vprintf;
using ::vsnprintf;
using ::vsprintf;
template <class T> inline const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> inline const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> inline void swap(T &a, T &b) noexcept(noexcept(T((T &&)a)) && noexcept(a = (T &&)b)) {
    T old = (T &&)a;
    a = (T &&)b;
    b = (T &&)old;
}
}
#endif
