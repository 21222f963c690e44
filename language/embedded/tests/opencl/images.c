#include <CL/cl.h>
#include <stdio.h>
static const char *source =
"__constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
"__kernel void shift(__read_only image2d_t from, __global float *to)\n"
"{\n"
"    int x = get_global_id(0), y = get_global_id(1);\n"
"    to[y * 8 + x] = read_imagef(from, s, (int2)(x + 1, y)).x;\n"
"}\n";
int main(void)
{
    cl_device_id device; cl_int e;
    clGetDeviceIDs(0, CL_DEVICE_TYPE_GPU, 1, &device, 0);
    cl_context c = clCreateContext(0, 1, &device, 0, 0, &e);
    cl_command_queue q = clCreateCommandQueue(c, device, 0, &e);
    float data[64], out[64];
    for (int i = 0; i < 64; i++) data[i] = i;
    cl_image_format format = { CL_R, CL_FLOAT };
    cl_mem image = clCreateImage2D(c, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, 8, 8, 0, data, &e);
    printf("image %d\n", e);
    cl_mem buffer = clCreateBuffer(c, CL_MEM_WRITE_ONLY, sizeof out, 0, &e);
    cl_program p = clCreateProgramWithSource(c, 1, &source, 0, &e);
    printf("build %d\n", clBuildProgram(p, 0, 0, 0, 0, 0));
    cl_kernel k = clCreateKernel(p, "shift", &e);
    clSetKernelArg(k, 0, sizeof image, &image);
    clSetKernelArg(k, 1, sizeof buffer, &buffer);
    e = clEnqueueNDRangeKernel(q, k, 2, 0, (size_t[]){ 8, 8 }, 0, 0, 0, 0);
    clEnqueueReadBuffer(q, buffer, CL_TRUE, 0, sizeof out, out, 0, 0, 0);
    printf("%d %g %g %g\n", e, out[0], out[7], out[63]);
    size_t row; float *m = clEnqueueMapImage(q, image, CL_TRUE, CL_MAP_READ, (size_t[]){ 0, 1, 0 }, (size_t[]){ 8, 2, 1 }, &row, NULL, 0, 0, 0, &e);
    printf("%d %zu %g\n", e, row, m[1]);
    return 0;
}
