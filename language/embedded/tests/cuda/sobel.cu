// Edges of a picture: a texture of two dimensions, and files in the format PGM.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

texture<unsigned char, cudaTextureType2D, cudaReadModeElementType> picture;

struct Image {
    int width, height;
    unsigned char *pixels;
    Image(int w, int h) : width(w), height(h), pixels(new unsigned char[w * h]()) {}
    ~Image() { delete[] pixels; }
    unsigned char &at(int x, int y) { return pixels[y * width + x]; }
    const unsigned char &at(int x, int y) const { return pixels[y * width + x]; }
    unsigned checksum() const {
        unsigned sum = 1, more = 0;
        for (int i = 0; i < width * height; i++) {
            sum = (sum + pixels[i]) % 65521;
            more = (more + sum) % 65521;
        }
        return more << 16 | sum;
    }

  private:
    Image(const Image &);
    void operator=(const Image &);
};

__global__ void sobel(unsigned char *out, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int gx = 0, gy = 0;
    for (int d = -1; d <= 1; d++) {
        int weight = d == 0 ? 2 : 1;
        gx += weight * (tex2D(picture, x + 1, y + d) - tex2D(picture, x - 1, y + d));
        gy += weight * (tex2D(picture, x + d, y + 1) - tex2D(picture, x + d, y - 1));
    }
    int edge = abs(gx) + abs(gy);
    out[y * pitch + x] = edge > 255 ? 255 : edge;
}

static int clamp_to(int v, int most) { return v < 0 ? 0 : v > most ? most : v; }

static void sobel_on_host(const Image &in, Image &out) {
    static const int weights[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
    for (int y = 0; y < in.height; y++)
        for (int x = 0; x < in.width; x++) {
            int gx = 0, gy = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    int p = in.at(clamp_to(x + j - 1, in.width - 1), clamp_to(y + i - 1, in.height - 1));
                    gx += p * weights[i][j];
                    gy += p * weights[j][i];
                }
            int edge = abs(gx) + abs(gy);
            out.at(x, y) = (unsigned char)(edge < 255 ? edge : 255);
        }
}

static bool write_pgm(const char *name, const Image &image) {
    FILE *file = fopen(name, "wb");
    if (file == NULL) return false;
    fprintf(file, "P5\n# made by a test\n%d %d\n255\n", image.width, image.height);
    size_t written = fwrite(image.pixels, image.width, image.height, file);
    return fclose(file) == 0 && written == (size_t)image.height;
}

static Image *read_pgm(const std::string &name) {
    FILE *file = fopen(name.c_str(), "rb");
    if (!file) return NULL;
    char kind[3] = "", line[64];
    int width = 0, height = 0, most = 0;
    if (fscanf(file, "%2s", kind) != 1 || std::string(kind) != "P5") {
        fclose(file);
        return NULL;
    }
    fgets(line, sizeof(line), file);
    long place = ftell(file);
    while (fgets(line, sizeof(line), file) && line[0] == '#') place = ftell(file);
    fseek(file, place, SEEK_SET);
    if (fscanf(file, "%d %d %d", &width, &height, &most) != 3 || most != 255) {
        fclose(file);
        return NULL;
    }
    fgetc(file);
    Image *image = new Image(width, height);
    if (fread(image->pixels, 1, width * height, file) != (size_t)(width * height) || fgetc(file) != EOF) {
        delete image;
        image = NULL;
    }
    fclose(file);
    return image;
}

int main() {
    Image drawn(45, 30);
    for (int y = 0; y < drawn.height; y++)
        for (int x = 0; x < drawn.width; x++) {
            int dx = x - 20, dy = y - 14;
            drawn.at(x, y) = dx * dx + dy * dy < 100 ? 200 : (x + y) * 2;
        }
    if (!write_pgm("drawn.pgm", drawn)) return 1;
    Image *in = read_pgm("drawn.pgm");
    if (!in) {
        std::cerr << "drawn.pgm cannot be read\n";
        return 1;
    }
    const int w = in->width, h = in->height;
    Image out(w, h), expected(w, h);
    cudaArray *array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    cudaMallocArray(&array, &format, w, h);
    cudaMemcpy2DToArray(array, 0, 0, in->pixels, w, w, h, cudaMemcpyHostToDevice);
    picture.addressMode[0] = picture.addressMode[1] = cudaAddressModeClamp;
    picture.filterMode = cudaFilterModePoint;
    picture.normalized = false;
    cudaBindTextureToArray(picture, array, format);
    unsigned char *d_out;
    size_t pitch;
    cudaMallocPitch((void **)&d_out, &pitch, w, h);
    cudaMemset2D(d_out, pitch, 7, w, h);
    dim3 threads(16, 8);
    dim3 blocks((w + threads.x - 1) / threads.x, (h + threads.y - 1) / threads.y);
    sobel<<<blocks, threads>>>(d_out, pitch, w, h);
    cudaMemcpy2D(out.pixels, w, d_out, pitch, w, h, cudaMemcpyDeviceToHost);
    sobel_on_host(*in, expected);
    int wrong = 0;
    for (int i = 0; i < w * h; i++) wrong += out.pixels[i] != expected.pixels[i];
    for (int y = 1; y < h; y += 3) {
        std::string line;
        for (int x = 0; x < w; x++) line += " .+#"[out.at(x, y) / 64];
        std::cout << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
    }
    std::cout << std::hex << std::showbase << drawn.checksum() << ' ' << out.checksum() << std::dec << '\n';
    std::cout << (wrong == 0 && write_pgm("edges.pgm", out) ? "PASSED" : "FAILED") << std::endl;
    cudaUnbindTexture(picture);
    cudaFreeArray(array);
    cudaFree(d_out);
    delete in;
    return 0;
}
