// Structures of arrays by value, and operators on float4 for both sides.
#include <iostream>
#include <memory>

__host__ __device__ inline float4 operator+(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__host__ __device__ inline float4 operator*(float4 a, float s) { return make_float4(a.x * s, a.y * s, a.z * s, a.w * s); }

__host__ __device__ inline bool operator==(const float4 &a, const float4 &b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

std::ostream &operator<<(std::ostream &out, const float4 &v) {
    return out << '(' << v.x << ", " << v.y << ", " << v.z << ", " << v.w << ')';
}

struct Particles {
    float4 *place;
    float4 *speed;
    short2 *cell;
    int count;
};

__host__ __device__ void move(const Particles &p, int i, float dt) {
    p.place[i] = p.place[i] + p.speed[i] * dt;
    p.cell[i] = make_short2((short)p.place[i].x, (short)p.place[i].y);
}

__global__ void step(Particles p, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.count) move(p, i, dt);
}

int main() {
    const int n = 50;
    std::unique_ptr<float4[]> place(new float4[n]), speed(new float4[n]), result(new float4[n]);
    std::unique_ptr<short2[]> cell(new short2[n]), cells(new short2[n]);
    for (int i = 0; i < n; i++) {
        place[i] = make_float4(i, 2.0f * i, 0.5f, 1);
        speed[i] = make_float4(-1, 0.25f, i % 4, 0);
    }
    Particles host = {place.get(), speed.get(), cell.get(), n}, device = host;
    cudaMalloc(&device.place, n * sizeof(float4));
    cudaMalloc(&device.speed, n * sizeof(float4));
    cudaMalloc(&device.cell, n * sizeof(short2));
    cudaMemcpy(device.place, host.place, n * sizeof(float4), cudaMemcpyHostToDevice);
    cudaMemcpy(device.speed, host.speed, n * sizeof(float4), cudaMemcpyHostToDevice);
    for (int k = 0; k < 4; k++) {
        step<<<2, 32>>>(device, 0.5f);
        for (int i = 0; i < n; i++) move(host, i, 0.5f);
    }
    cudaMemcpy(result.get(), device.place, n * sizeof(float4), cudaMemcpyDeviceToHost);
    cudaMemcpy(cells.get(), device.cell, n * sizeof(short2), cudaMemcpyDeviceToHost);
    bool right = true;
    for (int i = 0; i < n; i++) right = right && result[i] == place[i] && cells[i].x == cell[i].x && cells[i].y == cell[i].y;
    std::cout << result[3] << ' ' << result[49] << ' ' << cells[49].y << ' ' << sizeof(Particles) << std::endl;
    std::cout << (right ? "PASSED" : "FAILED") << std::endl;
    return 0;
}
