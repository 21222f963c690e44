// A ray tracer of spheres and planes with materials: a world of pointers to base classes that one
// thread makes, and virtual calls of kernels through them. The image is compared with that of the
// same classes on the host.
#include <cstdio>
#include <cmath>
#include <cfloat>
#define BOTH __host__ __device__

struct Vec {
    float x, y, z;
    BOTH Vec() : x(0), y(0), z(0) {}
    BOTH Vec(float x, float y, float z) : x(x), y(y), z(z) {}
    BOTH Vec operator+(const Vec &o) const { return Vec(x + o.x, y + o.y, z + o.z); }
    BOTH Vec operator-(const Vec &o) const { return Vec(x - o.x, y - o.y, z - o.z); }
    BOTH Vec operator*(float f) const { return Vec(x * f, y * f, z * f); }
    BOTH Vec operator*(const Vec &o) const { return Vec(x * o.x, y * o.y, z * o.z); }
    BOTH float dot(const Vec &o) const { return x * o.x + y * o.y + z * o.z; }
    BOTH Vec unit() const { return *this * (1.0f / sqrtf(dot(*this))); }
};

struct Ray {
    Vec from, to;
    BOTH Ray() {}
    BOTH Ray(const Vec &from, const Vec &to) : from(from), to(to) {}
    BOTH Vec at(float t) const { return from + to * t; }
};

class Material;

struct Hit {
    float t;
    Vec point, normal;
    Material *material;
};

class Random {
    unsigned state;
public:
    BOTH Random(unsigned seed) : state(seed * 747796405u + 2891336453u) {}
    BOTH float next() {
        state = state * 1664525u + 1013904223u;
        return (state >> 8) * (1.0f / 16777216.0f);
    }
    BOTH Vec in_sphere() {
        for (int i = 0; i < 8; i++) {
            Vec v(next() * 2 - 1, next() * 2 - 1, next() * 2 - 1);
            if (v.dot(v) < 1) return v;
        }
        return Vec();
    }
};

class Material {
public:
    BOTH virtual ~Material() {}
    BOTH virtual bool scatter(const Ray &in, const Hit &hit, Vec &color, Ray &out, Random &random) const = 0;
    BOTH virtual Vec emitted() const { return Vec(0, 0, 0); }
};

class Matte : public Material {
    Vec color;
public:
    BOTH explicit Matte(const Vec &color) : color(color) {}
    BOTH bool scatter(const Ray &, const Hit &hit, Vec &tint, Ray &out, Random &random) const override {
        out = Ray(hit.point, hit.normal + random.in_sphere());
        tint = color;
        return true;
    }
};

class Metal final : public Material {
    Vec color;
    float fuzz;
public:
    BOTH Metal(const Vec &color, float fuzz) : color(color), fuzz(fuzz < 1 ? fuzz : 1) {}
    BOTH bool scatter(const Ray &in, const Hit &hit, Vec &tint, Ray &out, Random &random) const override {
        Vec d = in.to.unit();
        Vec mirrored = d - hit.normal * (2 * d.dot(hit.normal));
        out = Ray(hit.point, mirrored + random.in_sphere() * fuzz);
        tint = color;
        return out.to.dot(hit.normal) > 0;
    }
};

class Light : public Material {
    Vec color;
public:
    BOTH explicit Light(const Vec &color) : color(color) {}
    BOTH bool scatter(const Ray &, const Hit &, Vec &, Ray &, Random &) const override { return false; }
    BOTH Vec emitted() const override { return color; }
};

class Hittable {
public:
    BOTH virtual ~Hittable() {}
    BOTH virtual bool hit(const Ray &ray, float nearest, float farthest, Hit &hit) const = 0;
};

class Sphere : public Hittable {
    Vec center;
    float radius;
    Material *material;
public:
    BOTH Sphere(Vec center, float radius, Material *material)
        : center(center), radius(radius), material(material) {}
    BOTH ~Sphere() { delete material; }
    BOTH bool hit(const Ray &ray, float nearest, float farthest, Hit &hit) const override {
        Vec oc = ray.from - center;
        float a = ray.to.dot(ray.to), b = oc.dot(ray.to), c = oc.dot(oc) - radius * radius;
        float d = b * b - a * c;
        if (d <= 0) return false;
        float root = sqrtf(d), t = (-b - root) / a;
        if (t <= nearest || t >= farthest) {
            t = (-b + root) / a;
            if (t <= nearest || t >= farthest) return false;
        }
        hit.t = t;
        hit.point = ray.at(t);
        hit.normal = (hit.point - center) * (1 / radius);
        hit.material = material;
        return true;
    }
};

class Plane : public Hittable {
    float y;
    Material *material;
public:
    BOTH Plane(float y, Material *material) : y(y), material(material) {}
    BOTH ~Plane() { delete material; }
    BOTH bool hit(const Ray &ray, float nearest, float farthest, Hit &hit) const override {
        if (fabsf(ray.to.y) < 1e-6f) return false;
        float t = (y - ray.from.y) / ray.to.y;
        if (t <= nearest || t >= farthest) return false;
        hit.t = t;
        hit.point = ray.at(t);
        hit.normal = Vec(0, ray.to.y < 0 ? 1.0f : -1.0f, 0);
        hit.material = material;
        return true;
    }
};

class World : public Hittable {
    Hittable **list;
    int count;
public:
    BOTH World(Hittable **list, int count) : list(list), count(count) {}
    BOTH ~World() { for (int i = 0; i < count; i++) delete list[i]; }
    BOTH bool hit(const Ray &ray, float nearest, float farthest, Hit &hit) const override {
        Hit one;
        bool any = false;
        for (int i = 0; i < count; i++)
            if (list[i]->hit(ray, nearest, farthest, one)) {
                any = true;
                farthest = one.t;
                hit = one;
            }
        return any;
    }
};

BOTH Vec color(Ray ray, Hittable **world, Random &random) {
    Vec light(0, 0, 0), tint(1, 1, 1);
    for (int depth = 0; depth < 6; depth++) {
        Hit hit;
        if (!(*world)->hit(ray, 0.001f, FLT_MAX, hit)) {
            float t = 0.5f * (ray.to.unit().y + 1);
            return light + tint * (Vec(1, 1, 1) * (1 - t) + Vec(0.5f, 0.7f, 1.0f) * t);
        }
        Ray next;
        Vec own;
        light = light + tint * hit.material->emitted();
        if (!hit.material->scatter(ray, hit, own, next, random)) return light;
        tint = tint * own;
        ray = next;
    }
    return light;
}

BOTH void fill(Hittable **list, Hittable **world) {
    list[0] = new Plane(-0.5f, new Matte(Vec(0.8f, 0.8f, 0.1f)));
    list[1] = new Sphere(Vec(0, 0, -1), 0.5f, new Matte(Vec(0.1f, 0.2f, 0.5f)));
    list[2] = new Sphere(Vec(1.1f, 0, -1), 0.5f, new Metal(Vec(0.8f, 0.6f, 0.2f), 0.1f));
    list[3] = new Sphere(Vec(-1.1f, 0, -1), 0.5f, new Light(Vec(2, 1.5f, 1)));
    *world = new World(list, 4);
}

__global__ void create(Hittable **list, Hittable **world) {
    if (threadIdx.x == 0 && blockIdx.x == 0) fill(list, world);
}

__global__ void destroy(Hittable **world) { delete *world; }

BOTH Vec pixel(int x, int y, int w, int h, Hittable **world) {
    Random random(y * w + x);
    Vec sum;
    for (int s = 0; s < 2; s++) {
        float u = (x + random.next()) / w, v = (y + random.next()) / h;
        sum = sum + color(Ray(Vec(0, 0, 1), Vec(4 * u - 2, 2 * v - 1, -1)), world, random);
    }
    return sum * 0.5f;
}

__global__ void render(Vec *image, int w, int h, Hittable **world) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) image[y * w + x] = pixel(x, y, w, h, world);
}

int main() {
    const int w = 24, h = 12;
    Vec *image;
    Hittable **list, **world;
    cudaMallocManaged(&image, w * h * sizeof(Vec));
    cudaMalloc(&list, 4 * sizeof(Hittable *));
    cudaMalloc(&world, sizeof(Hittable *));
    create<<<1, 1>>>(list, world);
    render<<<dim3(3, 3), dim3(8, 4)>>>(image, w, h, world);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("FAILED: %s\n", cudaGetErrorString(error));
        return 1;
    }
    Hittable *own[4], *all;
    fill(own, &all);
    int wrong = 0, lit = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            Vec one = image[y * w + x], d = one - pixel(x, y, w, h, &all);
            if (!(d.dot(d) < 0.02f)) wrong++;
            if (one.x > 1) lit++;
        }
    delete all;
    destroy<<<1, 1>>>(world);
    error = cudaDeviceSynchronize();
    printf("%d bytes of a sphere\n", (int)sizeof(Sphere));
    // Another rounding may lead a ray to another object.
    bool is_right = wrong <= 4 && lit > 5 && error == cudaSuccess;
    if (!is_right) printf("%d pixels differ, %d are lit: %s\n", wrong, lit, cudaGetErrorString(error));
    puts(is_right ? "PASSED" : "FAILED");
    cudaFree(image);
    cudaFree(list);
    cudaFree(world);
}
