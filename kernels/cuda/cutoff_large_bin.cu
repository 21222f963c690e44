// Electrostatic potential with a cutoff, large bins: direct summation with the atoms of a
// neighborhood only. A block computes a region of 8 x 8 x 8 points, a thread four points above
// each other, two steps of the grid apart.
#define POINTS 4
__constant__ float4 atominfo[4000];

extern "C" __global__ void cutoff_large_bin(float *energies, unsigned wide, unsigned high,
                                            unsigned first_x, unsigned first_y, unsigned first_z,
                                            unsigned rows, float spacing, float cutoff2,
                                            float falling, int atoms)
{
    // Grids have two dimensions: y counts the regions along y and z.
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

    for (int i = 0; i < atoms; ++i) {
        float dx = coorx - atominfo[i].x;
        float dy = coory - atominfo[i].y;
        float dxy = dx * dx + dy * dy;
        float dz = coorz - atominfo[i].z;
        float charge = atominfo[i].w;
        for (int k = 0; k < POINTS; ++k) {
            float r2 = dz * dz + dxy;
            if (r2 < cutoff2) {
                // falling = -1 / cutoff2: the potential decreases smoothly to zero at the cutoff.
                float s = r2 * falling + 1;
                energy[k] += charge * (s * s * rsqrtf(r2));
            }
            dz += apart;
        }
    }

    // The 512 points of a region are contiguous.
    unsigned region = (rz * high + ry) * wide + rx;
    float *mine = energies + region * 512 + threadIdx.z * 64 + threadIdx.y * 8 + threadIdx.x;
    for (int k = 0; k < POINTS; ++k)
        mine[k * 128] += energy[k];
}
