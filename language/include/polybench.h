/* Timers and arrays, with the interface of the PolyBench programs. */
#ifndef WARPCC_POLYBENCH_H
#define WARPCC_POLYBENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static double polybench_t_start, polybench_t_end;

static __inline__ double rtclock(void) {
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + (double)t.tv_usec * 1.0e-6;
}
static __inline__ void polybench_timer_start(void) { polybench_t_start = rtclock(); }
static __inline__ void polybench_timer_stop(void) { polybench_t_end = rtclock(); }
static __inline__ void polybench_timer_print(void) { printf("%0.6lf\n", polybench_t_end - polybench_t_start); }
#define polybench_start_instruments polybench_timer_start();
#define polybench_stop_instruments polybench_timer_stop();
#define polybench_print_instruments polybench_timer_print();

static __inline__ void *polybench_alloc_data(unsigned long long elements, int bytes) {
    void *memory = calloc((size_t)elements, (size_t)bytes);
    if (!memory) {
        fprintf(stderr, "[PolyBench] posix_memalign: cannot allocate memory\n");
        exit(1);
    }
    return memory;
}

#ifndef POLYBENCH_DUMP_TARGET
#define POLYBENCH_DUMP_TARGET stderr
#endif
#ifndef POLYBENCH_LOOP_BOUND
#define POLYBENCH_LOOP_BOUND(constant, parameter) parameter
#endif
#define POLYBENCH_C99_SELECT(x, y) y
#define POLYBENCH_DECL_VAR(x) (*x)
#define POLYBENCH_ARRAY(x) *x
#define POLYBENCH_FREE_ARRAY(x) free((void *)x);
#define POLYBENCH_1D(var, dim1, ddim1) var[dim1]
#define POLYBENCH_2D(var, dim1, dim2, ddim1, ddim2) var[dim1][dim2]
#define POLYBENCH_3D(var, dim1, dim2, dim3, ddim1, ddim2, ddim3) var[dim1][dim2][dim3]
#define POLYBENCH_ALLOC_1D_ARRAY(n1, type) (type(*)[n1])polybench_alloc_data(n1, sizeof(type))
#define POLYBENCH_ALLOC_2D_ARRAY(n1, n2, type) \
    (type(*)[n1][n2])polybench_alloc_data((unsigned long long)(n1) * (n2), sizeof(type))
#define POLYBENCH_ALLOC_3D_ARRAY(n1, n2, n3, type) \
    (type(*)[n1][n2][n3])polybench_alloc_data((unsigned long long)(n1) * (n2) * (n3), sizeof(type))
#define POLYBENCH_1D_ARRAY_DECL(var, type, dim1, ddim1)   \
    type POLYBENCH_1D(POLYBENCH_DECL_VAR(var), dim1, ddim1); \
    var = POLYBENCH_ALLOC_1D_ARRAY(dim1, type);
#define POLYBENCH_2D_ARRAY_DECL(var, type, dim1, dim2, ddim1, ddim2)      \
    type POLYBENCH_2D(POLYBENCH_DECL_VAR(var), dim1, dim2, ddim1, ddim2); \
    var = POLYBENCH_ALLOC_2D_ARRAY(dim1, dim2, type);
#define POLYBENCH_3D_ARRAY_DECL(var, type, dim1, dim2, dim3, ddim1, ddim2, ddim3)      \
    type POLYBENCH_3D(POLYBENCH_DECL_VAR(var), dim1, dim2, dim3, ddim1, ddim2, ddim3); \
    var = POLYBENCH_ALLOC_3D_ARRAY(dim1, dim2, dim3, type);

/* The results are used, so that they are computed. */
#ifdef POLYBENCH_DUMP_ARRAYS
#define polybench_prevent_dce(call) call
#else
#define polybench_prevent_dce(call) \
    if (argc > 42 && !argv[0][0]) call
#endif

#endif
