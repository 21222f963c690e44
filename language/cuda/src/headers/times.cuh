// <sys/times.h>: ticks of 10 ms. A program has no children, and no time in the system.
struct tms {
    clock_t tms_utime, tms_stime, tms_cutime, tms_cstime;
};
inline clock_t times(struct tms *made) {
    struct timeval now;
    gettimeofday(&now, 0);
    if (made) {
        made->tms_utime = clock() / (CLOCKS_PER_SEC / 100);
        made->tms_stime = made->tms_cutime = made->tms_cstime = 0;
    }
    return now.tv_sec * 100 + now.tv_usec / 10000;
}
