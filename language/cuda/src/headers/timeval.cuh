// <sys/time.h>: sums, differences and comparisons of times.
#include <time.h>
#define timerclear(time) ((time)->tv_sec = (time)->tv_usec = 0)
#define timerisset(time) ((time)->tv_sec || (time)->tv_usec)
#define timercmp(a, b, is)                                                                                 \
    ((a)->tv_sec == (b)->tv_sec ? (a)->tv_usec is (b)->tv_usec : (a)->tv_sec is (b)->tv_sec)
inline void timeradd(const struct timeval *a, const struct timeval *b, struct timeval *sum) {
    long us = a->tv_usec + b->tv_usec;
    sum->tv_sec = a->tv_sec + b->tv_sec + us / 1000000;
    sum->tv_usec = us % 1000000;
}
inline void timersub(const struct timeval *a, const struct timeval *b, struct timeval *difference) {
    long us = a->tv_usec - b->tv_usec;
    difference->tv_sec = a->tv_sec - b->tv_sec - (us < 0);
    difference->tv_usec = us < 0 ? us + 1000000 : us;
}
