/* Timers of the host, in milliseconds, with the interface of NVIDIA's samples. */
#ifndef WARPCC_HELPER_TIMER_H
#define WARPCC_HELPER_TIMER_H

#include <stddef.h>
#include <sys/time.h>

class StopWatchInterface {
public:
    StopWatchInterface() : begin(0), last(0), total(0), running(false), sessions(0) {}
    void start() {
        begin = now();
        running = true;
    }
    void stop() {
        last = (float)(now() - begin);
        total += last;
        running = false;
        sessions++;
    }
    void reset() {
        total = 0;
        last = 0;
        sessions = 0;
        if (running) begin = now();
    }
    float getTime() { return running ? total + (float)(now() - begin) : total; }
    float getAverageTime() { return sessions > 0 ? total / sessions : 0; }

private:
    static double now() {
        timeval t;
        gettimeofday(&t, NULL);
        return t.tv_sec * 1e3 + t.tv_usec * 1e-3;
    }
    double begin;
    float last, total;
    bool running;
    int sessions;
};

typedef StopWatchInterface StopWatchLinux;

inline bool sdkCreateTimer(StopWatchInterface **timer) {
    *timer = new StopWatchLinux();
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer) {
    if (*timer) delete *timer;
    *timer = NULL;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface **timer) {
    if (*timer) (*timer)->start();
    return true;
}
inline bool sdkStopTimer(StopWatchInterface **timer) {
    if (*timer) (*timer)->stop();
    return true;
}
inline bool sdkResetTimer(StopWatchInterface **timer) {
    if (*timer) (*timer)->reset();
    return true;
}
inline float sdkGetAverageTimerValue(StopWatchInterface **timer) {
    return *timer ? (*timer)->getAverageTime() : 0.f;
}
inline float sdkGetTimerValue(StopWatchInterface **timer) { return *timer ? (*timer)->getTime() : 0.f; }

#endif
