// Rays and spheres, drawn with letters; shapes in constant memory, shaders by function pointers.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

struct vec3 {
    float x, y, z;
    __host__ __device__ vec3(float x = 0, float y = 0, float z = 0) : x(x), y(y), z(z) {}
    __host__ __device__ vec3 operator-() const { return vec3(-x, -y, -z); }
    __host__ __device__ vec3 &operator+=(const vec3 &o) {
        x += o.x, y += o.y, z += o.z;
        return *this;
    }
    __host__ __device__ float length() const;
};
__host__ __device__ inline vec3 operator+(vec3 a, const vec3 &b) { return a += b; }
__host__ __device__ inline vec3 operator-(const vec3 &a, const vec3 &b) { return a + -b; }
__host__ __device__ inline vec3 operator*(float s, const vec3 &v) { return vec3(s * v.x, s * v.y, s * v.z); }
__host__ __device__ inline float dot(const vec3 &a, const vec3 &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__host__ __device__ float vec3::length() const { return sqrtf(dot(*this, *this)); }

struct Ray {
    vec3 from, to;
};

struct Sphere {
    float x, y, z, radius;
    int shader;
    // The distance to the sphere, or a negative number.
    __host__ __device__ float hit(const Ray &ray) const {
        const vec3 away = ray.from - vec3(x, y, z);
        const float b = dot(away, ray.to), c = dot(away, away) - radius * radius, under = b * b - c;
        return under < 0 ? -1.0f : -b - sqrtf(under);
    }
};

enum { COUNT = 3, WIDTH = 60, HEIGHT = 24 };

__constant__ Sphere c_spheres[COUNT];

typedef int (*Shader)(const vec3 &normal, const vec3 &light);
__host__ __device__ int bright(const vec3 &normal, const vec3 &light) {
    float level = dot(normal, light);
    return level <= 0 ? 1 : 1 + (int)(level * 6.99f);
}
__host__ __device__ int flat(const vec3 &, const vec3 &) { return 8; }
__host__ __device__ int striped(const vec3 &normal, const vec3 &light) { return (int)floorf(normal.y * 6) & 1 ? 9 : bright(normal, light); }

__host__ __device__ int shade(const Sphere *spheres, const Shader *shaders, int px, int py) {
    Ray ray = {vec3(), vec3((px - WIDTH / 2 + 0.5f) / 30, (HEIGHT / 2 - py - 0.5f) / 15, 1)};
    ray.to = (1 / ray.to.length()) * ray.to;
    const vec3 light = (1 / vec3(-2, 3, -2).length()) * vec3(-2, 3, -2);
    int nearest = -1;
    float best = 1e30f;
    for (int i = 0; i < COUNT; i++) {
        const float distance = spheres[i].hit(ray);
        if (distance > 0 && distance < best) best = distance, nearest = i;
    }
    if (nearest < 0) return 0;
    const Sphere &s = spheres[nearest];
    const vec3 normal = (1 / s.radius) * (ray.from + best * ray.to - vec3(s.x, s.y, s.z));
    return shaders[s.shader](normal, light);
}

__global__ void trace(unsigned char *picture) {
    const Shader shaders[] = {bright, flat, striped};
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < WIDTH && y < HEIGHT) picture[y * WIDTH + x] = shade(c_spheres, shaders, x, y);
}

int main() {
    const Sphere spheres[COUNT] = {{-1.1f, 0.2f, 4, 1, 0}, {1.2f, -0.4f, 5, 1.25f, 2}, {0.3f, 1.3f, 6, 0.5f, 1}};
    const Shader shaders[3] = {bright, flat, striped};
    cudaMemcpyToSymbol(c_spheres, spheres, sizeof(spheres));
    std::vector<unsigned char> picture(WIDTH * HEIGHT);
    unsigned char *device = NULL;
    cudaMalloc((void **)&device, picture.size());
    const dim3 block(16, 4), grid((WIDTH + block.x - 1) / block.x, HEIGHT / block.y);
    trace<<<grid, block>>>(device);
    cudaMemcpy(&picture[0], device, picture.size(), cudaMemcpyDeviceToHost);
    int different = 0, covered = 0;
    for (int y = 0; y < HEIGHT; y++) {
        std::string line;
        for (int x = 0; x < WIDTH; x++) {
            const int letter = picture[y * WIDTH + x];
            // The host may round in another way: a few pixels may differ.
            different += letter != shade(spheres, shaders, x, y);
            covered += letter != 0;
            line.push_back(letter == 0 ? ' ' : letter == 8 ? '8' : 'o');
        }
        while (!line.empty() && line[line.length() - 1] == ' ') line.erase(line.length() - 1);
        if (y % 2) std::printf("%s\n", line.c_str());
    }
    std::printf("about %d pixels covered, ", covered / 10 * 10);
    std::printf(different < 6 ? "PASSED\n" : "FAILED: %d differ\n", different);
    cudaFree(device);
    return 0;
}
