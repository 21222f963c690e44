#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Events, callbacks and maps of an out-of-order queue. */
static const char *text = "__kernel void scale(__global int *p, float4 f)\n"
                          "{\n"
                          "    int i = get_global_id(0);\n"
                          "    p[i] = p[i] * 10 + (int)f.w;\n"
                          "}\n";

static void CL_CALLBACK notify(cl_event event, cl_int status, void *data)
{
    printf("callback %d: %s\n", status, (char *)data);
}

static void CL_CALLBACK release_next(cl_event event, cl_int status, void *data)
{
    clSetUserEventStatus(data, CL_COMPLETE);
}

static void CL_CALLBACK destroyed(cl_mem mem, void *data)
{
    printf("destroyed %d\n", *(int *)data);
}

int main(int argc, char **argv)
{
    cl_uint count;
    clGetPlatformIDs(0, NULL, &count);
    cl_platform_id *platforms = malloc(count * sizeof(cl_platform_id));
    clGetPlatformIDs(count, platforms, NULL);
    cl_device_id device; cl_int err;
    clGetDeviceIDs(platforms[0], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context_properties properties[] = { CL_CONTEXT_PLATFORM, (cl_context_properties)platforms[0], 0 };
    cl_context context = clCreateContext(properties, 1, &device, NULL, NULL, &err);
    cl_command_queue q = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, &err);
    size_t size = strlen(text);
    cl_program program = clCreateProgramWithSource(context, 1, &text, &size, &err);
    printf("source %d\n", err);
    err = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    if (err != CL_SUCCESS) {
        size_t length;
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &length);
        char *log = malloc(length);
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, length, log, NULL);
        puts(log);
        return 1;
    }
    cl_kernel k; cl_uint kernels;
    clCreateKernelsInProgram(program, 1, &k, &kernels);
    char name[64]; clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    printf("%u kernel %s\n", kernels, name);
    int data[64]; for (int i = 0; i < 64; i++) data[i] = i;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof data, data, &err);
    int seven = 7;
    clSetMemObjectDestructorCallback(buffer, destroyed, &seven);
    clSetKernelArg(k, 0, sizeof buffer, &buffer);
    clSetKernelArg(k, 1, sizeof(cl_float4), &(cl_float4){ .s = { 1, 2, 3, 4 } });
    cl_event user = clCreateUserEvent(context, &err), user2 = clCreateUserEvent(context, &err), e, e2;
    err = clEnqueueNDRangeKernel(q, k, 1, NULL, (size_t[]){ 64 }, (size_t[]){ 32 }, 1, &user, &e);
    clSetEventCallback(e, CL_COMPLETE, notify, "first");
    clSetEventCallback(e, CL_COMPLETE, release_next, user2);
    clEnqueueMarkerWithWaitList(q, 1, &user2, &e2);
    clSetEventCallback(e2, CL_COMPLETE, notify, "marker");
    cl_int status; clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    printf("status %d\n", status);
    if (argc > 1) { clFinish(q); }
    clSetUserEventStatus(user, CL_COMPLETE);
    clWaitForEvents(2, (cl_event[]){ e, e2 });
    int *mapped = clEnqueueMapBuffer(q, buffer, CL_TRUE, CL_MAP_READ, 0, sizeof data, 0, NULL, NULL, &err);
    printf("mapped %d %d %d\n", mapped == data, mapped[0], mapped[63]);
    clEnqueueUnmapMemObject(q, buffer, mapped, 0, NULL, NULL);
    clReleaseKernel(k); clReleaseMemObject(buffer);
    puts("end");
    return 0;
}
