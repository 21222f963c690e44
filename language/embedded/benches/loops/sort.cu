// Quicksort and `std::sort`.
#include <algorithm>
#include <cstdio>
#include <vector>

void quicksort(int *list, int low, int high) {
    if (low >= high) return;
    int pivot = list[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (list[i] < pivot) i++;
        while (list[j] > pivot) j--;
        if (i <= j) {
            int kept = list[i];
            list[i++] = list[j];
            list[j--] = kept;
        }
    }
    quicksort(list, low, j);
    quicksort(list, i, high);
}

int main() {
    const int n = 400000;
    std::vector<int> a(n), b(n);
    unsigned x = 1;
    for (int i = 0; i < n; i++) {
        x = x * 1103515245 + 12345;
        a[i] = b[i] = x >> 4;
    }
    quicksort(a.data(), 0, n - 1);
    std::sort(b.begin(), b.end());
    printf("%d %d\n", a[n / 2], (int)(a == b));
}
