// Bodies that attract each other: float4 values in tiles of dynamic shared memory, several steps.
// Build: warpcc nbody.cu -o nbody && ./nbody [bodies] [steps]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <helper_cuda.h>
#include <helper_math.h>

#define SOFTENING 0.01f

__host__ __device__ inline float3 attraction(float3 sum, float4 me, float4 other)
{
    float3 d = make_float3(other.x - me.x, other.y - me.y, other.z - me.z);
    float square = dot(d, d) + SOFTENING;
#ifdef __CUDA_ARCH__
    float inverse = rsqrtf(square);
#else
    float inverse = 1.0f / std::sqrt(square);
#endif
    return sum + d * (other.w * inverse * inverse * inverse);
}

// Body i has its mass in w. `next` may not be `now`: other blocks still read it.
__global__ void move(const float4 *now, float4 *next, float4 *velocity, int count, float dt)
{
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = i < count ? now[i] : make_float4(0.0f);
    float3 force = make_float3(0.0f);
    for (int first = 0; first < count; first += blockDim.x) {
        int from = first + threadIdx.x;
        tile[threadIdx.x] = from < count ? now[from] : make_float4(0.0f); // no mass
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < blockDim.x; k++)
            force = attraction(force, me, tile[k]);
        __syncthreads();
    }
    if (i < count) {
        float4 v = velocity[i] + make_float4(force, 0.0f) * dt;
        velocity[i] = v;
        next[i] = make_float4(me.x + dt * v.x, me.y + dt * v.y, me.z + dt * v.z, me.w);
    }
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? std::atoi(argv[1]) : 200;
    int steps = argc > 2 ? std::atoi(argv[2]) : 2;
    if (count < 1 || steps < 1) {
        std::fprintf(stderr, "usage: nbody [bodies] [steps]\n");
        return 2;
    }
    const float dt = 0.005f;
    std::vector<float4> body(count), velocity(count, make_float4(0, 0, 0, 0));
    for (int i = 0; i < count; i++)
        body[i] = make_float4(std::cos(i * 0.37f), std::sin(i * 0.37f), (i * 29 % 83) / 83.0f, 1.0f / count);

    const size_t bytes = count * sizeof(float4);
    float4 *d_body[2], *d_velocity;
    checkCudaErrors(cudaMalloc((void **)&d_body[0], bytes));
    checkCudaErrors(cudaMalloc((void **)&d_body[1], bytes));
    checkCudaErrors(cudaMalloc((void **)&d_velocity, bytes));
    checkCudaErrors(cudaMemcpy(d_body[0], &body[0], bytes, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy(d_velocity, &velocity[0], bytes, cudaMemcpyHostToDevice));
    const int block = 64;
    for (int step = 0; step < steps; step++)
        move<<<(count + block - 1) / block, block, block * sizeof(float4)>>>(
            d_body[step % 2], d_body[1 - step % 2], d_velocity, count, dt);
    getLastCudaError("move");
    std::vector<float4> result(count);
    checkCudaErrors(cudaMemcpy(&result[0], d_body[steps % 2], bytes, cudaMemcpyDeviceToHost));

    for (int step = 0; step < steps; step++) {
        std::vector<float4> next(body);
        for (int i = 0; i < count; i++) {
            float3 force = make_float3(0.0f);
            for (int k = 0; k < count; k++)
                force = attraction(force, body[i], body[k]);
            velocity[i] += make_float4(force, 0.0f) * dt;
            next[i] += make_float4(dt * velocity[i].x, dt * velocity[i].y, dt * velocity[i].z, 0.0f);
        }
        body.swap(next);
    }
    float worst = 0, furthest = 0;
    for (int i = 0; i < count; i++) {
        float error = length(make_float3(result[i]) - make_float3(body[i]));
        worst = error > worst || error != error ? error : worst;
        furthest = std::fmax(furthest, length(make_float3(result[i])));
    }
    checkCudaErrors(cudaFree(d_body[0]));
    checkCudaErrors(cudaFree(d_body[1]));
    checkCudaErrors(cudaFree(d_velocity));
    bool passed = worst < 1e-4f;
    std::printf("%d bodies, %d steps, furthest %.4f\n", count, steps, furthest);
    std::puts(passed ? "PASSED" : "FAILED");
    return passed ? 0 : 1;
}
