/* Parameters and timers, with the interface of the Parboil benchmarks. */
#ifndef WARPCC_PARBOIL_H
#define WARPCC_PARBOIL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* Command line: `-i FILE,FILE… -o FILE`. The list of inputs ends with NULL. */
struct pb_Parameters {
    char *outFile;
    char **inpFiles;
    int synchronizeGpu;
};

static __inline__ void pb_FreeParameters(struct pb_Parameters *p) {
    free(p->outFile);
    for (char **name = p->inpFiles; name && *name; name++) free(*name);
    free(p->inpFiles);
    free(p);
}
static __inline__ int pb_Parameters_CountInputs(struct pb_Parameters *p) {
    int count = 0;
    while (p->inpFiles && p->inpFiles[count]) count++;
    return count;
}
/* Reads and removes the options. NULL if they are wrong. */
static __inline__ struct pb_Parameters *pb_ReadParameters(int *argc, char **argv) {
    struct pb_Parameters *p = (struct pb_Parameters *)calloc(1, sizeof(*p));
    int kept = 1, i;
    p->inpFiles = (char **)calloc(1, sizeof(char *));
    p->synchronizeGpu = 1;
    for (i = 1; i < *argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            for (i++; i < *argc; i++) argv[kept++] = argv[i];
        } else if (argv[i][0] == '-' && argv[i][1] == 'S' && argv[i][2] == 0) {
            p->synchronizeGpu = 0;
        } else if (argv[i][0] == '-' && (argv[i][1] == 'o' || argv[i][1] == 'i') && argv[i][2] == 0) {
            if (i + 1 >= *argc) {
                fprintf(stderr, "Expecting a file name after %s\n", argv[i]);
                pb_FreeParameters(p);
                return NULL;
            }
            if (argv[i][1] == 'o') {
                free(p->outFile);
                p->outFile = strdup(argv[i + 1]);
            } else {
                char *list = strdup(argv[i + 1]), *name = strtok(list, ",");
                int count = pb_Parameters_CountInputs(p);
                for (; name; name = strtok(NULL, ",")) {
                    p->inpFiles = (char **)realloc(p->inpFiles, (size_t)(count + 2) * sizeof(char *));
                    p->inpFiles[count++] = strdup(name);
                    p->inpFiles[count] = NULL;
                }
                free(list);
            }
            i++;
        } else {
            argv[kept++] = argv[i];
        }
    }
    *argc = kept;
    argv[kept] = NULL;
    return p;
}

typedef unsigned long long pb_Timestamp;
enum pb_TimerState { pb_Timer_STOPPED, pb_Timer_RUNNING };
struct pb_Timer {
    enum pb_TimerState state;
    pb_Timestamp elapsed;
    pb_Timestamp init;
};

static __inline__ pb_Timestamp warpcc_microseconds(void) {
    struct timeval t;
    gettimeofday(&t, NULL);
    return (pb_Timestamp)t.tv_sec * 1000000u + (pb_Timestamp)t.tv_usec;
}
static __inline__ void pb_ResetTimer(struct pb_Timer *timer) {
    timer->state = pb_Timer_STOPPED;
    timer->elapsed = 0;
}
static __inline__ void pb_StartTimer(struct pb_Timer *timer) {
    timer->state = pb_Timer_RUNNING;
    timer->init = warpcc_microseconds();
}
static __inline__ void pb_StopTimer(struct pb_Timer *timer) {
    if (timer->state == pb_Timer_RUNNING) timer->elapsed += warpcc_microseconds() - timer->init;
    timer->state = pb_Timer_STOPPED;
}
static __inline__ double pb_GetElapsedTime(struct pb_Timer *timer) { return (double)timer->elapsed / 1e6; }

enum pb_TimerID {
    pb_TimerID_NONE = 0,
    pb_TimerID_IO,
    pb_TimerID_KERNEL,
    pb_TimerID_COPY,
    pb_TimerID_DRIVER,
    pb_TimerID_COPY_ASYNC,
    pb_TimerID_COMPUTE,
    pb_TimerID_OVERLAP,
    pb_TimerID_LAST
};
struct pb_TimerSet {
    enum pb_TimerID current;
    struct pb_Timer timers[pb_TimerID_LAST];
};
static __inline__ void pb_InitializeTimerSet(struct pb_TimerSet *set) {
    int i;
    set->current = pb_TimerID_NONE;
    for (i = 0; i < pb_TimerID_LAST; i++) pb_ResetTimer(&set->timers[i]);
}
static __inline__ void pb_SwitchToTimer(struct pb_TimerSet *set, enum pb_TimerID timer) {
    if (set->current != pb_TimerID_NONE) pb_StopTimer(&set->timers[set->current]);
    set->current = timer;
    if (timer != pb_TimerID_NONE) pb_StartTimer(&set->timers[timer]);
}
static __inline__ void pb_AddSubTimer(struct pb_TimerSet *set, char *label, enum pb_TimerID category) {
    (void)set, (void)label, (void)category;
}
/* The time of a part counts for its category. */
static __inline__ void pb_SwitchToSubTimer(struct pb_TimerSet *set, char *label, enum pb_TimerID category) {
    (void)label;
    pb_SwitchToTimer(set, category);
}
static __inline__ void pb_PrintTimerSet(struct pb_TimerSet *set) {
    static const char *const names[] = {"", "IO", "Kernel", "Copy", "Driver", "Copy Async", "Compute", "Overlap"};
    int i;
    for (i = 1; i < pb_TimerID_LAST; i++)
        if (set->timers[i].elapsed) printf("%-11s: %f\n", names[i], pb_GetElapsedTime(&set->timers[i]));
}
static __inline__ void pb_DestroyTimerSet(struct pb_TimerSet *set) { (void)set; }

#endif
