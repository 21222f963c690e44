// <sys/timeb.h>
struct timeb {
    time_t time;
    unsigned short millitm;
    short timezone, dstflag;
};
inline int ftime(struct timeb *made) {
    struct timeval now;
    gettimeofday(&now, 0);
    made->time = now.tv_sec;
    made->millitm = (unsigned short)(now.tv_usec / 1000);
    made->timezone = made->dstflag = 0;
    return 0;
}
