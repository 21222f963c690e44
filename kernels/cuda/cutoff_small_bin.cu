// Electrostatic potential with a cutoff, small bins: a block fetches the bins around its own
// region of 8 x 8 x 8 points, eight bins of eight atoms at a time. A thread computes four points
// above each other, two steps of the grid apart.
#define POINTS 4
// Distance in bytes from the bin of the block's region to each bin within the cutoff.
__constant__ int neighbours[1024];

extern "C" __global__ void cutoff_small_bin(float *energies, unsigned wide, unsigned high,
                                            unsigned first_x, unsigned first_y, unsigned first_z,
                                            unsigned rows, float spacing, float cutoff2,
                                            float falling, const char *bins, unsigned bins_x,
                                            unsigned bins_xy, unsigned listed)
{
    __shared__ float4 tile[8][8];
    unsigned rx = first_x + blockIdx.x;
    unsigned ry = first_y + blockIdx.y % rows;
    unsigned rz = first_z + blockIdx.y / rows;
    float coorx = (rx * 8 + threadIdx.x) * spacing;
    float coory = (ry * 8 + threadIdx.y) * spacing;
    float coorz = (rz * 8 + threadIdx.z) * spacing;
    float apart = spacing + spacing;
    float energy[POINTS];
    for (int k = 0; k < POINTS; ++k)
        energy[k] = 0;

    // Thread 32 * i + j fetches word j of bins i and i + 4. A bin has 128 bytes.
    unsigned t = threadIdx.z * 64 + threadIdx.y * 8 + threadIdx.x;
    const char *mine = bins + (rz * bins_xy + ry * bins_x + rx) * 128 + t % 32 * 4;
    float *to = (float *)tile + t;

    for (unsigned first = 0; first < listed; first += 8) {
        for (int half = 0; half < 2; ++half) {
            // After the end of the list bins are empty.
            unsigned entry = first + t / 32 + 4 * half;
            to[128 * half] = entry < listed ? *(const float *)(mine + neighbours[entry]) : 0;
        }
        __syncthreads();
#pragma unroll 1
        for (int bin = 0; bin < 8; ++bin) {
#pragma unroll 1
            for (int i = 0; i < 8; ++i) {
                float charge = tile[bin][i].w;
                // A charge of 0 ends the bin.
                if (charge == 0)
                    break;
                float dx = coorx - tile[bin][i].x;
                float dy = coory - tile[bin][i].y;
                float dxy = dx * dx + dy * dy;
                float dz = coorz - tile[bin][i].z;
                for (int k = 0; k < POINTS; ++k) {
                    float r2 = dz * dz + dxy;
                    if (r2 < cutoff2) {
                        // falling = -1 / cutoff2: a smooth decrease to zero at the cutoff.
                        float s = r2 * falling + 1;
                        energy[k] += charge * (s * s * rsqrtf(r2));
                    }
                    dz += apart;
                }
            }
        }
        __syncthreads();
    }

    // The 512 points of a region are contiguous.
    unsigned region = (rz * high + ry) * wide + rx;
    float *point = energies + region * 512 + t;
    for (int k = 0; k < POINTS; ++k)
        point[k * 128] = energy[k];
}
