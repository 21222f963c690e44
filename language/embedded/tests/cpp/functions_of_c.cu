// Functions of C99, C++11 and POSIX.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <math.h>
#include <cmath>
#include <ctype.h>
#include <time.h>
#include <sys/time.h>
#include <sys/resource.h>
#include <unistd.h>
#include <stddef.h>
#include <errno.h>
static void b1() { printf("b1\n"); }
static void b2() { printf("b2\n"); }
struct P { char a; double b; int c[3]; };
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main() {
    double xs[] = {0.0, -0.0, 1.5, -2.5, 1e-310, 1e300, 3.7, INFINITY, -INFINITY, NAN, 0.5,
        123456.75};
    for (int i = 0; i < 12; i++) {
        double x = xs[i]; float f = (float)x; int e = 77, q = 5; double w = 7; float wf = 7;
        double fr = frexp(x, &e); if (!isfinite(x)) e = 0;
        printf("%d frexp %a %d\n", i, fr, e); e = 77; float frf = frexpf(f, &e);
        if (!isfinite(f)) e = 0; printf("%d frexpf %a %d\n", i, frf, e);
        double mo = modf(x, &w); float mof = modff(f, &wf);
        printf("%d modf %a %a %a %a\n", i, mo, w, mof, wf);
        printf("%d logb %a %a %d %d\n", i, logb(x), logbf(f), ilogb(x), ilogbf(f));
        printf("%d scal %a %a %a %a %a\n", i, scalbn(x, 3), scalbnf(f, -2), scalbln(x, 5L),
            scalblnf(f, 2L), ldexp(x, -1040));
        if (fabs(x) < 1e15) printf("%d round %ld %lld %ld %lld %ld %ld %lld %lld\n", i, lround(x),
            llround(x), lrint(x), llrint(x), lroundf(f), lrintf(f), llroundf(f), llrintf(f));
        printf("%d class %d %d %d %d %d %d %d\n", i, fpclassify(x), fpclassify(f),
            isnormal(x) != 0, isnormal(f) != 0, signbit(x) != 0, isnan(x) != 0, isinf(x) != 0);
        printf("%d next %a %a %a %a\n", i, nextafter(x, 2.0), nextafterf(f, -1.0f), nexttoward(x,
            2.0), nexttowardf(f, 3.0));
        double r = remquo(x, 3.0, &q); printf("%d remquo %a %d\n", i, r, isfinite(x) ? q & 7 : 0);
        float rf = remquof(f, 3.0f, &q);
        printf("%d remquof %a %d\n", i, rf, isfinite(f) ? q & 7 : 0);
        printf("%d near %a %a %a %a\n", i, nearbyint(x), nearbyintf(f), rint(x), trunc(x));
        double s, c; sincos(fabs(x) < 1e9 ? x : 1.0, &s, &c);
        printf("%d sincos %.12f %.12f\n", i, s, c);
    }
    double ys[] = {0.5, 1.0, 2.0, 5.5, 10.25, 40.0};
    for (int i = 0; i < 6; i++) { double y = ys[i];
    printf("bessel %.10f %.10f %.10f %.10f %.10f %.10f exp10 %.10g lgamma %.10g tgamma %.10g\n",
        j0(y), j1(y), y0(y), y1(y), jn(3, y), yn(2, y), exp10(y), lgamma(y),
            tgamma(y)); printf("besself %.4f %.4f %.4f %.4f %.4f %.4f %.5g\n", j0f(y), j1f(y),
                y0f(y), y1f(y), jnf(3, y), ynf(2, y), exp10f(y)); }
    printf("offset %d %d\n", (int)offsetof(P, b), (int)offsetof(P, c));
    setenv("AA", "one", 1); setenv("AA", "two", 0); printf("env %s", getenv("AA"));
    setenv("AA", "three", 1); printf(" %s", getenv("AA")); unsetenv("AA");
    printf(" %d", getenv("AA") == NULL); static char pe[] = "BB=five"; putenv(pe);
    printf(" %s\n", getenv("BB"));
    errno = 0; int bad = setenv("A=B", "x", 1); printf("setenv bad %d %d\n", bad, errno);
    struct timespec ts; printf("clock %d", clock_gettime(CLOCK_MONOTONIC, &ts));
    struct timespec z = {0, 1000}; printf(" %d\n", nanosleep(&z, NULL));
    int v[] = {5, 3, 9, 1, 7}; qsort(v, 5, sizeof(int), cmp);
    for (int i = 0; i < 5; i++) printf("%d ", v[i]); int key = 7;
    printf("at %d\n", (int)((int *)bsearch(&key, v, 5, sizeof(int), cmp) - v));
    char t[] = "a,b;;c d"; char *rest, *tok = strtok_r(t, ",; ", &rest);
    while (tok) { printf("[%s]", tok); tok = strtok_r(NULL, ",; ", &rest); } printf("\n");
    char *d = strdup("Hello"), *nd = strndup("Hello", 3);
    printf("%s %s %d %d %d\n", d, nd, strcasecmp(d, "hELLO"), strncasecmp("abX", "ABy", 2),
        (int)strnlen("abcdef", 4)); free(d); free(nd);
    char sep[] = "k=v=w"; char *sp = sep; char *one;
    while ((one = strsep(&sp, "=")) != NULL) printf("<%s>", one); printf("\n");
    printf("%s %d %s\n", strcasestr("Hello World", "WOR"), (int)((char *)memrchr("abcabc", 'b',
        6) - (char *)memrchr("abcabc", 'a', 6)), (char *)memmem("hello", 5, "ll", 2));
    char buf[64]; char *end = stpcpy(buf, "ab"); strcpy(end, "cd");
    printf("%s %d\n", buf, (int)((char *)mempcpy(buf, "xy", 2) - buf));
    printf("%d %d %d %d %d %d\n", isblank('\t') != 0, isblank('x') != 0, iscntrl(7) != 0,
        iscntrl('a') != 0, isgraph('!') != 0, isgraph(' ') != 0);
    div_t dv = div(-17, 5); ldiv_t lv = ldiv(100L, -7L); lldiv_t ll = lldiv(-9LL, 4LL);
    printf("div %d %d %ld %ld %lld %lld\n", dv.quot, dv.rem, lv.quot, lv.rem, ll.quot, ll.rem);
    unsigned seed = 42; for (int i = 0; i < 4; i++) printf("%d ", rand_r(&seed));
    unsigned short st[3] = {1, 2, 3}; double e1 = erand48(st);
    long n1 = nrand48(st), j1_ = jrand48(st); printf("%.10f %ld %ld ", e1, n1, j1_); srand48(9);
    printf("%ld\n", mrand48());
    time_t when[] = {0, 86399, 951782400, 1300000000, 4102444800, -1, -86401, 1704067199,
        1230768000};
    for (int i = 0; i < 9; i++) { struct tm m; gmtime_r(&when[i], &m); char o[256];
    strftime(o, sizeof o,
        "%a %A %b %B %c %C %d %D %e %F %g %G %H %I %j %k %l %m %M %p %P %r %R %s %S %T %u %U %V %w %W "
        "%x %X %y %Y %z %%",
        &m);
        printf("%s | %d %d %ld\n", o, m.tm_yday, m.tm_wday, (long)timegm(&m)); }
    struct tm b = {}; b.tm_year = 111; b.tm_mon = 14; b.tm_mday = 40; b.tm_hour = 25;
    long made = (long)timegm(&b); printf("mk %ld %s", made, asctime(&b));
    char small[4]; printf("strftime %d\n", (int)strftime(small, 4, "%Y", &b));
    struct rusage ru;
    printf("rusage %d %d\n", getrusage(RUSAGE_SELF, &ru), ru.ru_utime.tv_sec >= 0);
    printf("sys %ld %ld %d %d\n", sysconf(_SC_PAGESIZE), sysconf(_SC_CLK_TCK),
        sysconf(_SC_NPROCESSORS_ONLN) > 0, isatty(0) == 0 || 1);
    printf("cmp %d %d %d\n", isgreater(1.0, 2.0), isless(1.0, 2.0), isunordered(NAN, 1.0) != 0);
    printf("nan %d %a\n", isnan(nan("")) != 0, std::nextafter(1.0f, 2.0f));
    printf("std %d %ld %a %d\n", std::ilogb(8.5f), std::lround(2.5f), std::scalbn(1.5f, 2),
        (int)std::fpclassify(1.0f));
    atexit(b1); atexit(b2); return 3;
}
