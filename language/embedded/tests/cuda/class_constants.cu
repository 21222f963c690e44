// Device code reads constants that a class defines outside of it.
#include <cstdio>
struct Filter {
    static const int width;
    static const float gain;
};
const int Filter::width = 7;
const float Filter::gain = 2.5f;
template <class T> struct Traits {
    static const int bytes;
    struct Inner {
        static const unsigned bits;
    };
};
template <class T> const int Traits<T>::bytes = sizeof(T);
template <class T> const unsigned Traits<T>::Inner::bits = 8 * Traits<T>::bytes;
__global__ void read(int *out, float *gain) {
    out[0] = Filter::width;
    out[1] = Traits<double>::bytes;
    out[2] = Traits<short>::Inner::bits;
    *gain = Filter::gain;
}
int main() {
    int *device_out, out[3];
    float *device_gain, gain;
    cudaMalloc(&device_out, sizeof out);
    cudaMalloc(&device_gain, sizeof gain);
    read<<<1, 1>>>(device_out, device_gain);
    cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(&gain, device_gain, sizeof gain, cudaMemcpyDeviceToHost);
    cudaFree(device_out);
    cudaFree(device_gain);
    const int *address = &Filter::width;
    bool right = out[0] == 7 && out[1] == 8 && out[2] == 16 && gain == 2.5f;
    right = right && *address == 7 && Traits<double>::bytes == 8 && Traits<short>::Inner::bits == 16;
    printf("%s\n", right ? "PASSED" : "FAILED");
    return !right;
}
