// Vector addition in OpenCL: all calls of a host program, from the platform to the releases.
//
//     warpsim run examples/opencl/vadd_host.c -- 1000
//     cc examples/opencl/vadd_host.c -lOpenCL -o vadd_host && warpsim exec -- ./vadd_host 1000
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define LOCAL 256

static const char *source =
    "__kernel void vadd(__global const float *a,\n"
    "                   __global const float *b,\n"
    "                   __global float *c, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n)\n"
    "        c[i] = a[i] + b[i];\n"
    "}\n";

// Ends the program if a call has failed.
static void check(cl_int error, const char *call)
{
    if (error != CL_SUCCESS) {
        fprintf(stderr, "%s: error %d\n", call, error);
        exit(EXIT_FAILURE);
    }
}

// Prints the messages of the compiler.
static void print_log(cl_program program, cl_device_id device)
{
    size_t size;
    char *log;

    check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size), "clGetProgramBuildInfo");
    log = malloc(size);
    check(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL), "clGetProgramBuildInfo");
    fprintf(stderr, "%s\n", log);
    free(log);
}

int main(int argc, char *argv[])
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    size_t bytes = n * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
    cl_int error;

    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 0.5f * i;
    }

    // The platform, its device, and a context with a queue.
    cl_platform_id platform;
    cl_device_id device;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL), "clGetDeviceIDs");
    char name[128];
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    check(error, "clCreateCommandQueue");

    // Buffers: the operands are copied from the host.
    cl_mem a_d = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, a, &error);
    check(error, "clCreateBuffer");
    cl_mem b_d = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, bytes, b, &error);
    check(error, "clCreateBuffer");
    cl_mem c_d = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &error);
    check(error, "clCreateBuffer");

    // The program, compiled for the device, and its kernel.
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    check(error, "clCreateProgramWithSource");
    error = clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (error == CL_BUILD_PROGRAM_FAILURE)
        print_log(program, device);
    check(error, "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "vadd", &error);
    check(error, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &a_d), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof(cl_mem), &b_d), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof(cl_mem), &c_d), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof(int), &n), "clSetKernelArg");

    // The launch, and the result.
    size_t local = LOCAL, global = (n + LOCAL - 1) / LOCAL * LOCAL;
    cl_event event;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event),
          "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, c_d, CL_TRUE, 0, bytes, c, 0, NULL, NULL), "clEnqueueReadBuffer");
    cl_ulong start, end;
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL),
          "clGetEventProfilingInfo");
    check(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL),
          "clGetEventProfilingInfo");

    int wrong = 0;
    for (int i = 0; i < n; i++)
        if (c[i] != a[i] + b[i])
            wrong++;
    printf("%s, %d elements: %s\n", name, n, wrong ? "FAILED" : "PASSED");
    if (end <= start)
        printf("the kernel takes no time\n");

    clReleaseEvent(event);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(a_d);
    clReleaseMemObject(b_d);
    clReleaseMemObject(c_d);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(a);
    free(b);
    free(c);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
