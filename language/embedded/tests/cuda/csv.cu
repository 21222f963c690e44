// A table in a file: written with a stream, read with stdio, changed on the device, and back.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

__global__ void change(float *price, const int *count, float *total, int n) {
    int i = threadIdx.x;
    if (i < n) {
        price[i] *= 1.5f;
        total[i] = price[i] * count[i];
    }
}

int main() {
    {
        std::ofstream file("table.csv");
        file << "name,count,price\n";
        for (int i = 0; i < 8; i++) file << "item" << i << ',' << i * i + 1 << ',' << 0.25 * i << "\n";
    }
    FILE *in = fopen("table.csv", "r");
    if (!in) {
        perror("table.csv");
        return 1;
    }
    char line[80], name[20];
    std::vector<std::string> names;
    std::vector<int> counts;
    std::vector<float> prices;
    while (fgets(line, sizeof line, in)) {
        int count;
        float price;
        if (sscanf(line, "%19[^,],%d,%f", name, &count, &price) != 3) continue;
        names.push_back(name);
        counts.push_back(count);
        prices.push_back(price);
    }
    fclose(in);
    const int n = (int)names.size();
    std::vector<float> totals(n);
    float *dp, *dt;
    int *dc;
    cudaMalloc(&dp, n * sizeof(float));
    cudaMalloc(&dt, n * sizeof(float));
    cudaMalloc(&dc, n * sizeof(int));
    cudaMemcpy(dp, prices.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dc, counts.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    change<<<1, 32>>>(dp, dc, dt, n);
    cudaMemcpy(totals.data(), dt, n * sizeof(float), cudaMemcpyDeviceToHost);
    FILE *out = fopen("totals.csv", "w");
    for (int i = 0; i < n; i++) fprintf(out, "%s;%.4f\n", names[i].c_str(), totals[i]);
    fclose(out);
    std::ifstream again("totals.csv");
    std::string text, cell;
    float sum = 0;
    while (std::getline(again, text)) {
        std::istringstream cells(text);
        std::getline(cells, cell, ';');
        float value;
        cells >> value;
        std::cout << cell << " = " << value << "\n";
        sum += value;
    }
    float expected = 0;
    for (int i = 0; i < n; i++) expected += 1.5f * 0.25f * i * (i * i + 1);
    std::cout << sum << (sum == expected && n == 8 ? " PASSED\n" : " FAILED\n");
    return 0;
}
