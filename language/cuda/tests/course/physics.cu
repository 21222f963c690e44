// Particles, fields and random numbers.
#include <math.h>
#define PI 3.1415926535897932384626433832795029f
#define PIx2 6.2831853071795864769252867665590058f

struct kValues {
    float Kx, Ky, Kz, PhiMag;
};

#define KERNEL_Q_K_ELEMS_PER_GRID 64
__constant__ __device__ kValues ck[KERNEL_Q_K_ELEMS_PER_GRID] = {
    {0.25f, 0.5f, 0.125f, 1.0f}, {0.5f, 0.25f, 0.375f, 2.0f}, {0.75f, 0.125f, 0.25f, 0.5f}, {0.0f, 0.5f, 0.75f, 1.5f}};

__global__ void ComputeQ_GPU(int numK, int kGlobalIndex, float *x, float *y, float *z, float *Qr, float *Qi)
{
    float sX, sY, sZ, sQr, sQi;
    int xIndex = blockIdx.x * blockDim.x + threadIdx.x;
    sX = x[xIndex];
    sY = y[xIndex];
    sZ = z[xIndex];
    sQr = Qr[xIndex];
    sQi = Qi[xIndex];
    int kIndex = 0;
    if (numK % 2) {
        float expArg = PIx2 * (ck[0].Kx * sX + ck[0].Ky * sY + ck[0].Kz * sZ);
        sQr += ck[0].PhiMag * cos(expArg);
        sQi += ck[0].PhiMag * sin(expArg);
        kIndex++;
        kGlobalIndex++;
    }
    for (; (kIndex < KERNEL_Q_K_ELEMS_PER_GRID) && (kGlobalIndex < numK); kIndex += 2, kGlobalIndex += 2) {
        float expArg = PIx2 * (ck[kIndex].Kx * sX + ck[kIndex].Ky * sY + ck[kIndex].Kz * sZ);
        sQr += ck[kIndex].PhiMag * cos(expArg);
        sQi += ck[kIndex].PhiMag * sin(expArg);
        int kIndex1 = kIndex + 1;
        float expArg1 = PIx2 * (ck[kIndex1].Kx * sX + ck[kIndex1].Ky * sY + ck[kIndex1].Kz * sZ);
        sQr += ck[kIndex1].PhiMag * cos(expArg1);
        sQi += ck[kIndex1].PhiMag * sin(expArg1);
    }
    Qr[xIndex] = sQr;
    Qi[xIndex] = sQi;
}

// Rows of the matrix Q with fast functions.
__global__ void cmpFHd(const float *rPhi, const float *iPhi, const float *kx, const float *x, float *rFHd, int M)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    float xn = x[n], r = rFHd[n];
    for (int m = 0; m < M; m++) {
        float expFHd = 2 * PI * kx[m] * xn;
        float cArg = __cosf(expFHd);
        float sArg = __sinf(expFHd);
        r += rPhi[m] * cArg - iPhi[m] * sArg;
    }
    rFHd[n] = r;
}

// Direct Coulomb summation; each thread computes four points of a row.
#define MAXATOMS 32
__constant__ float4 atominfo[MAXATOMS] = {
    {0.5f, 0.25f, 0.0625f, 1.0f}, {1.5f, 1.25f, 0.25f, -2.0f}, {3.0f, 0.75f, 1.0f, 1.5f}, {2.25f, 2.0f, 0.5f, 0.5f},
    {0.1f, 2.75f, 0.75f, -1.0f}};
__global__ void cenergy(int numatoms, float gridspacing, float *energygrid)
{
    unsigned int xindex = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    unsigned int yindex = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned int outaddr = (gridDim.x * blockDim.x * 4) * yindex + xindex;
    float coory = gridspacing * yindex;
    float coorx = gridspacing * xindex;
    float energyvalx1 = 0.0f;
    float energyvalx2 = 0.0f;
    float energyvalx3 = 0.0f;
    float energyvalx4 = 0.0f;
    float gridspacing_u = gridspacing * blockDim.x;
    int atomid;
    for (atomid = 0; atomid < numatoms; atomid++) {
        float dy = coory - atominfo[atomid].y;
        float dyz2 = (dy * dy) + atominfo[atomid].z;
        float dx1 = coorx - atominfo[atomid].x;
        float dx2 = dx1 + gridspacing_u;
        float dx3 = dx2 + gridspacing_u;
        float dx4 = dx3 + gridspacing_u;
        float charge = atominfo[atomid].w;
        energyvalx1 += charge * (1.0f / sqrtf(dx1 * dx1 + dyz2));
        energyvalx2 += charge * (1.0f / sqrtf(dx2 * dx2 + dyz2));
        energyvalx3 += charge * (1.0f / sqrtf(dx3 * dx3 + dyz2));
        energyvalx4 += charge * (1.0f / sqrtf(dx4 * dx4 + dyz2));
    }
    energygrid[outaddr] += energyvalx1;
    energygrid[outaddr + 1 * blockDim.x] += energyvalx2;
    energygrid[outaddr + 2 * blockDim.x] += energyvalx3;
    energygrid[outaddr + 3 * blockDim.x] += energyvalx4;
}

// Atoms in bins of a region; only those within the cutoff count.
typedef struct {
    int x, y;
} Cell;
__global__ void cutoffBins(const float4 *atoms, const int *binStart, const Cell *neighbors, int numNeighbors, int binsX,
                           int binsY, float spacing, float cutoff2, float *lattice)
{
    int ix = blockIdx.x * blockDim.x + threadIdx.x, iy = blockIdx.y * blockDim.y + threadIdx.y;
    float x = ix * spacing, y = iy * spacing, energy = 0.f;
    for (int k = 0; k < numNeighbors; k++) {
        int bx = blockIdx.x + neighbors[k].x, by = blockIdx.y + neighbors[k].y;
        if (bx < 0 || by < 0 || bx >= binsX || by >= binsY) continue;
        int bin = by * binsX + bx;
        for (int a = binStart[bin]; a < binStart[bin + 1]; a++) {
            float4 atom = atoms[a];
            float dx = atom.x - x, dy = atom.y - y, dz = atom.z;
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < cutoff2) {
                float s = 1.f - r2 / cutoff2;
                energy += atom.w * rsqrtf(r2) * s * s;
            }
        }
    }
    lattice[iy * gridDim.x * blockDim.x + ix] = energy;
}

__device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai)
{
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + 0.01f;
    float distSixth = distSqr * distSqr * distSqr;
    float invDistCube = 1.0f / sqrtf(distSixth);
    float s = bj.w * invDistCube;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

__device__ float3 tile_calculation(float4 myPosition, float3 accel)
{
    extern __shared__ float4 shPosition[];
    for (int i = 0; i < blockDim.x; i++) {
        accel = bodyBodyInteraction(myPosition, shPosition[i], accel);
    }
    return accel;
}

__global__ void calculate_forces(void *devX, void *devA, int N, int p)
{
    extern __shared__ float4 shPosition[];
    float4 *globalX = (float4 *)devX;
    float4 *globalA = (float4 *)devA;
    float4 myPosition;
    int i, tile;
    float3 acc = {0.0f, 0.0f, 0.0f};
    int gtid = blockIdx.x * blockDim.x + threadIdx.x;
    myPosition = globalX[gtid];
    for (i = 0, tile = 0; i < N; i += p, tile++) {
        int idx = tile * blockDim.x + threadIdx.x;
        shPosition[threadIdx.x] = globalX[idx];
        __syncthreads();
        acc = tile_calculation(myPosition, acc);
        __syncthreads();
    }
    float4 acc4 = {acc.x, acc.y, acc.z, 0.0f};
    globalA[gtid] = acc4;
}

// Arrays of structures and structures of arrays.
struct Particle {
    float position[3];
    float velocity[3];
    int alive;
};
struct Particles {
    float *x, *y, *z;
};
__global__ void moveAoS(Particle *p, int n, float dt)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n && p[i].alive) {
        Particle *me = &p[i];
        for (int d = 0; d < 3; d++) {
            me->position[d] += me->velocity[d] * dt;
            if (me->position[d] < 0.0f) {
                me->position[d] = -me->position[d];
                me->velocity[d] = -me->velocity[d];
            }
        }
    }
}
__global__ void moveSoA(Particles p, Particles v, int n, float dt)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    p.x[i] += v.x[i] * dt;
    p.y[i] += v.y[i] * dt;
    p.z[i] += v.z[i] * dt;
}

// Wave equation and a generator of random numbers for each thread.
__global__ void wave(const float *older, const float *old, float *next, int n, float c2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        next[i] = 2.0f * old[i] - older[i] + c2 * (old[i - 1] - 2.0f * old[i] + old[i + 1]);
}

__device__ unsigned int xorshift(unsigned int *state)
{
    unsigned int x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}
__global__ void countInside(unsigned int seed, int samples, int *inside)
{
    unsigned int state = seed + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    int hits = 0;
    for (int s = 0; s < samples; s++) {
        float x = (xorshift(&state) >> 8) / 16777216.0f;
        float y = (xorshift(&state) >> 8) / 16777216.0f;
        if (x * x + y * y < 1.0f) ++hits;
    }
    inside[blockIdx.x * blockDim.x + threadIdx.x] = hits;
}
