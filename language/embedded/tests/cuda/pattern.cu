// All places of words in a text: words in constant memory, the text in a texture.
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#define MAX_WORDS 8
#define MAX_LENGTH 12

struct Word {
    char letters[MAX_LENGTH];
    unsigned char length;
};

__constant__ Word c_words[MAX_WORDS];
__constant__ int c_count;
texture<unsigned char, 1, cudaReadModeElementType> text_texture;

__device__ __host__ inline char lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

__global__ void find_words(int size, unsigned *matches) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;
    unsigned mask = 0;
    for (int w = 0; w < c_count; ++w) {
        int k = 0, length = c_words[w].length;
        if (i + length > size) continue;
        while (k < length && lower(tex1Dfetch(text_texture, i + k)) == c_words[w].letters[k]) ++k;
        mask |= (k == length) << w;
    }
    matches[i] = mask;
}

int main() {
    const std::string line = "The other theory: bathers gather there, then THEY breathe. ";
    std::string text;
    for (int i = 0; i < 12; ++i) text += line.substr(i) + line.substr(0, i) + (i & 1 ? "\n" : "\t");
    const char *list[] = {"the", "other", "there", "the\t", "they", "ba", "zebra", ". "};
    const int count = sizeof(list) / sizeof(*list), size = (int)text.length();
    Word words[MAX_WORDS];
    for (int i = 0; i < count; ++i) {
        strncpy(words[i].letters, list[i], MAX_LENGTH);
        words[i].length = (unsigned char)strlen(list[i]);
    }
    unsigned char *d_text;
    unsigned *d_matches;
    cudaMalloc((void **)&d_text, size);
    cudaMalloc((void **)&d_matches, size * sizeof(unsigned));
    cudaMemcpy(d_text, text.c_str(), size, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(c_words, words, sizeof(words));
    cudaMemcpyToSymbol(c_count, &count, sizeof(int), 0, cudaMemcpyHostToDevice);
    cudaBindTexture(NULL, text_texture, d_text, size);
    find_words<<<(size + 127) / 128, 128>>>(size, d_matches);
    std::vector<unsigned> matches(size);
    cudaMemcpy(&matches[0], d_matches, size * sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaUnbindTexture(text_texture);

    std::map<std::string, std::vector<size_t> > places;
    for (int i = 0; i < size; ++i)
        for (int w = 0; w < count; ++w)
            if (matches[i] >> w & 1u) places[list[w]].push_back(i);
    for (std::string::iterator c = text.begin(); c != text.end(); ++c) *c = lower(*c);
    bool good = true;
    for (int w = 0; w < count; ++w) {
        std::vector<size_t> expected;
        for (size_t at = text.find(list[w]); at != std::string::npos; at = text.find(list[w], at + 1)) expected.push_back(at);
        good = good && expected == places[list[w]];
    }
    for (std::map<std::string, std::vector<size_t> >::const_iterator it = places.begin(); it != places.end(); ++it) {
        std::string name = it->first;
        if (name[name.size() - 1] == '\t') name.replace(name.size() - 1, 1, "\\t");
        printf("%-6s %3lu", ('"' + name + '"').c_str(), (unsigned long)it->second.size());
        if (!it->second.empty()) printf("  first %zu, last %zu", it->second.front(), it->second.back());
        printf("\n");
    }
    printf("%d characters: %s\n", size, good ? "PASSED" : "FAILED");
    cudaFree(d_text);
    cudaFree(d_matches);
    return 0;
}
