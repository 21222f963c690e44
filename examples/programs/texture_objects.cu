// Texture objects, surface objects, layers and cube maps, checked against the host.
// Build: warpcc texture_objects.cu -o texture_objects && ./texture_objects [side]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <helper_cuda.h>

#define LAYERS 3

texture<float, cudaTextureType2DLayered> stack;
texture<float, cudaTextureTypeCubemap> sky;
surface<void, cudaSurfaceType2D> first, second;
texture<float, 1> not_bound; // no launch fails because of it: the branch that reads it is not taken

// Handles in a structure: the lanes of a warp read different textures.
struct Tables
{
    int count;
    cudaTextureObject_t table[2];
};

__global__ void look_up(float *out, Tables tables, int entries, bool read_not_bound)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < entries)
        out[i] = tex1Dfetch<float>(tables.table[i % tables.count], i);
    if (read_not_bound)
        out[i] = tex1Dfetch(not_bound, i);
}

// A handle as a parameter: the same kernel reads linear memory with a pitch, or an array.
__global__ void scale(float *out, cudaTextureObject_t image, int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < side && y < side)
        out[y * side + x] = tex2D<float>(image, (x + 0.25f) / side, (y + 0.75f) / side);
}

__global__ void sum_layers(float *out, int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side)
        return;
    float sum = 0;
    for (int layer = -1; layer <= LAYERS; layer++) // a layer outside is the last one
        sum += tex2DLayered(stack, x + 0.5f, y + 0.5f, layer);
    out[y * side + x] = sum;
}

// The texels of a cube: each block reads one face, by directions.
__global__ void faces(float *out, int side)
{
    int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
    float s = (x + 0.5f) / side * 2 - 1, t = (y + 0.5f) / side * 2 - 1;
    float3 way;
    switch (face) {
    case 0: way = make_float3(1, -t, -s); break;
    case 1: way = make_float3(-1, -t, s); break;
    case 2: way = make_float3(s, 1, t); break;
    case 3: way = make_float3(s, -1, -t); break;
    case 4: way = make_float3(s, -t, 1); break;
    default: way = make_float3(-s, -t, -1);
    }
    out[(face * side + y) * side + x] = texCubemap(sky, 3 * way.x, 3 * way.y, 3 * way.z);
}

__global__ void copy_by_reference(int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < side && y < side)
        surf2Dwrite(2 * surf2Dread<float>(first, x * sizeof(float), y), second, x * sizeof(float), y);
}

__global__ void add_by_object(cudaSurfaceObject_t to, cudaSurfaceObject_t layered, int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side)
        return;
    float sum = surf2Dread<float>(to, x * sizeof(float), y);
    for (int layer = 0; layer < LAYERS; layer++)
        sum += surf2DLayeredread<float>(layered, x * sizeof(float), y, layer);
    surf2Dwrite(sum, to, x * sizeof(float), y);
    surf2Dwrite(0.0f, to, (x + side) * sizeof(float), y, cudaBoundaryModeZero); // outside: not written
}

static cudaTextureObject_t texture_of(const cudaResourceDesc &resource, bool normalized)
{
    cudaTextureDesc description;
    memset(&description, 0, sizeof description);
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    description.normalizedCoords = normalized;
    cudaTextureObject_t object;
    checkCudaErrors(cudaCreateTextureObject(&object, &resource, &description, NULL));
    return object;
}

static cudaArray_t array_of(const float *data, int side, int layers, unsigned flags)
{
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaExtent extent = make_cudaExtent(side, side, layers);
    checkCudaErrors(cudaMalloc3DArray(&array, &format, extent, flags));
    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = make_cudaPitchedPtr((void *)data, side * sizeof(float), side, side);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(side, side, layers ? layers : 1);
    copy.kind = cudaMemcpyHostToDevice;
    checkCudaErrors(cudaMemcpy3D(&copy));
    return array;
}

static cudaResourceDesc resource_of(cudaArray_t array)
{
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

static int wrong(const char *what, const float *found, const float *expected, int count)
{
    int errors = 0;
    for (int i = 0; i < count; i++)
        errors += found[i] != expected[i];
    printf("%-12s %d of %d wrong\n", what, errors, count);
    return errors;
}

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 16;
    if (side < 2 || side > 22) {
        fprintf(stderr, "usage: texture_objects [side of 2 to 22]\n");
        return 2;
    }
    cudaDeviceProp prop;
    checkCudaErrors(cudaGetDeviceProperties(&prop, 0));
    if (prop.major < 2) {
        printf("needs cube maps and surfaces: compute capability 2.0, not %d.%d\n", prop.major, prop.minor);
        return 3;
    }
    int area = side * side, all = 6 * area, errors = 0;
    float *data = (float *)malloc(all * sizeof(float)), *found = (float *)malloc(all * sizeof(float));
    float *expected = (float *)malloc(all * sizeof(float));
    for (int i = 0; i < all; i++)
        data[i] = i * 7 % 1009;
    float *d_out;
    checkCudaErrors(cudaMalloc(&d_out, all * sizeof(float)));
    dim3 block(16, 8), grid((side + 15) / 16, (side + 7) / 8);
#define CHECK(what, count)                                                                                 \
    getLastCudaError(what);                                                                                \
    checkCudaErrors(cudaMemcpy(found, d_out, (count) * sizeof(float), cudaMemcpyDeviceToHost));            \
    errors += wrong(what, found, expected, count)

    // Two tables in linear memory.
    float *d_tables;
    checkCudaErrors(cudaMalloc(&d_tables, 2 * area * sizeof(float)));
    checkCudaErrors(cudaMemcpy(d_tables, data, 2 * area * sizeof(float), cudaMemcpyHostToDevice));
    Tables tables = {2, {0, 0}};
    for (int i = 0; i < 2; i++) {
        cudaResourceDesc resource;
        memset(&resource, 0, sizeof resource);
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = d_tables + i * area;
        resource.res.linear.desc = cudaCreateChannelDesc<float>();
        resource.res.linear.sizeInBytes = area * sizeof(float);
        tables.table[i] = texture_of(resource, false);
    }
    look_up<<<(area + 63) / 64, 64>>>(d_out, tables, area, false);
    for (int i = 0; i < area; i++)
        expected[i] = data[i % 2 * area + i];
    CHECK("tables", area);

    // The same picture in linear memory with a pitch, and in an array.
    float *d_rows;
    size_t pitch;
    checkCudaErrors(cudaMallocPitch(&d_rows, &pitch, side * sizeof(float), side));
    checkCudaErrors(cudaMemcpy2D(d_rows, pitch, data, side * sizeof(float), side * sizeof(float), side,
                                 cudaMemcpyHostToDevice));
    cudaResourceDesc rows;
    memset(&rows, 0, sizeof rows);
    rows.resType = cudaResourceTypePitch2D;
    rows.res.pitch2D.devPtr = d_rows;
    rows.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    rows.res.pitch2D.width = rows.res.pitch2D.height = side;
    rows.res.pitch2D.pitchInBytes = pitch;
    cudaArray_t picture = array_of(data, side, 0, cudaArraySurfaceLoadStore);
    cudaTextureObject_t images[2] = {texture_of(rows, true), texture_of(resource_of(picture), true)};
    for (int i = 0; i < 2; i++) {
        scale<<<grid, block>>>(d_out, images[i], side);
        memcpy(expected, data, area * sizeof(float));
        CHECK(i ? "array" : "pitch", area);
    }

    // Layers and a cube, by references.
    cudaArray_t layers = array_of(data, side, LAYERS, cudaArrayLayered | cudaArraySurfaceLoadStore);
    checkCudaErrors(cudaBindTextureToArray(stack, layers));
    sum_layers<<<grid, block>>>(d_out, side);
    for (int i = 0; i < area; i++)
        expected[i] = data[i] + data[area + i] + 3 * data[2 * area + i];
    CHECK("layers", area);
    cudaArray_t cube = array_of(data, side, 6, cudaArrayCubemap);
    checkCudaErrors(cudaBindTextureToArray(sky, cube));
    faces<<<6, dim3(side, side)>>>(d_out, side);
    memcpy(expected, data, all * sizeof(float));
    CHECK("cube", all);

    // Surfaces by references, then by objects.
    cudaArray_t target = array_of(data, side, 0, cudaArraySurfaceLoadStore);
    checkCudaErrors(cudaBindSurfaceToArray(first, picture));
    checkCudaErrors(cudaBindSurfaceToArray(second, target));
    copy_by_reference<<<grid, block>>>(side);
    cudaSurfaceObject_t surfaces[2];
    cudaResourceDesc resources[2] = {resource_of(target), resource_of(layers)};
    for (int i = 0; i < 2; i++)
        checkCudaErrors(cudaCreateSurfaceObject(&surfaces[i], &resources[i]));
    add_by_object<<<grid, block>>>(surfaces[0], surfaces[1], side);
    checkCudaErrors(cudaMemcpyFromArray(d_out, target, 0, 0, area * sizeof(float), cudaMemcpyDeviceToDevice));
    for (int i = 0; i < area; i++)
        expected[i] = 2 * data[i] + data[i] + data[area + i] + data[2 * area + i];
    CHECK("surfaces", area);

    for (int i = 0; i < 2; i++) {
        checkCudaErrors(cudaDestroyTextureObject(tables.table[i]));
        checkCudaErrors(cudaDestroyTextureObject(images[i]));
        checkCudaErrors(cudaDestroySurfaceObject(surfaces[i]));
    }
    cudaArray_t arrays[] = {picture, layers, cube, target};
    for (int i = 0; i < 4; i++)
        checkCudaErrors(cudaFreeArray(arrays[i]));
    checkCudaErrors(cudaFree(d_tables));
    checkCudaErrors(cudaFree(d_rows));
    checkCudaErrors(cudaFree(d_out));
    free(data);
    free(found);
    free(expected);
    printf("%s\n", errors ? "FAILED" : "PASSED");
    return errors != 0;
}
