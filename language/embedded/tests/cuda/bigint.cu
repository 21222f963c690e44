// Factorials and powers as big integers: products of limbs with carries, and texts in decimal.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

using Limbs = std::vector<uint32_t>;

// Column sums of the product, in three words each.
__global__ void columns(const uint32_t *a, int n, const uint32_t *b, int m, uint32_t *low, uint32_t *middle, uint32_t *high) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= n + m) return;
    uint32_t l = 0, h = 0, o = 0;
    for (int i = max(0, c - m + 1); i <= min(c, n - 1); i++) {
        uint32_t x = a[i], y = b[c - i], pl = x * y, ph = __umulhi(x, y);
        l += pl;
        ph += l < pl;
        h += ph;
        o += h < ph;
    }
    low[c] = l, middle[c] = h, high[c] = o;
}

class BigInt {
    Limbs limbs;
    void trim() {
        while (!limbs.empty() && !limbs.back()) limbs.pop_back();
    }

  public:
    BigInt(uint64_t value = 0) {
        for (; value; value >>= 32) limbs.push_back((uint32_t)value);
    }
    explicit BigInt(const std::string &digits) {
        for (char c : digits) {
            uint64_t carry = c - '0';
            for (uint32_t &limb : limbs) {
                carry += limb * 10ull;
                limb = (uint32_t)carry;
                carry >>= 32;
            }
            if (carry) limbs.push_back((uint32_t)carry);
        }
    }
    bool operator==(const BigInt &other) const { return limbs == other.limbs; }
    bool operator!=(const BigInt &other) const { return !(*this == other); }
    BigInt &operator+=(const BigInt &other) {
        limbs.resize(std::max(limbs.size(), other.limbs.size()) + 1);
        uint64_t carry = 0;
        for (size_t i = 0; i < limbs.size(); i++) {
            carry += (uint64_t)limbs[i] + (i < other.limbs.size() ? other.limbs[i] : 0);
            limbs[i] = (uint32_t)carry;
            carry >>= 32;
        }
        trim();
        return *this;
    }
    friend BigInt operator+(BigInt a, const BigInt &b) { return a += b; }
    friend BigInt operator*(const BigInt &a, const BigInt &b);
    BigInt slow_product(const BigInt &other) const {
        BigInt result;
        result.limbs.assign(limbs.size() + other.limbs.size(), 0);
        for (size_t i = 0; i < limbs.size(); i++) {
            uint64_t carry = 0;
            for (size_t k = 0; k < other.limbs.size() || carry; k++) {
                carry += result.limbs[i + k] + (k < other.limbs.size() ? (uint64_t)limbs[i] * other.limbs[k] : 0);
                result.limbs[i + k] = (uint32_t)carry;
                carry >>= 32;
            }
        }
        result.trim();
        return result;
    }
    std::string text() const {
        if (limbs.empty()) return "0";
        Limbs rest(limbs);
        std::string digits;
        while (!rest.empty()) {
            uint64_t left = 0;
            for (auto limb = rest.rbegin(); limb != rest.rend(); ++limb) {
                left = left << 32 | *limb;
                *limb = (uint32_t)(left / 10);
                left %= 10;
            }
            digits += char('0' + left);
            while (!rest.empty() && rest.back() == 0) rest.pop_back();
        }
        std::reverse(digits.begin(), digits.end());
        return digits;
    }
};

std::ostream &operator<<(std::ostream &out, const BigInt &value) { return out << value.text(); }

BigInt operator*(const BigInt &a, const BigInt &b) {
    const int n = (int)a.limbs.size(), m = (int)b.limbs.size(), size = n + m;
    if (!n || !m) return 0;
    uint32_t *device;
    cudaMalloc(&device, 4 * size * sizeof(uint32_t));
    cudaMemcpy(device, a.limbs.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice);
    cudaMemcpy(device + n, b.limbs.data(), m * sizeof(uint32_t), cudaMemcpyHostToDevice);
    uint32_t *sums = device + size;
    columns<<<(size + 31) / 32, 32>>>(device, n, device + n, m, sums, sums + size, sums + 2 * size);
    Limbs words(3 * size);
    cudaMemcpy(words.data(), sums, words.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaFree(device);
    BigInt part[3];
    for (int k = 0; k < 3; k++) {
        part[k].limbs.assign(k, 0);
        part[k].limbs.insert(part[k].limbs.end(), words.begin() + k * size, words.begin() + (k + 1) * size);
        part[k].trim();
    }
    return part[0] + part[1] + part[2];
}

int main() {
    BigInt factorial = 1, slow(1);
    for (unsigned k = 2; k <= 40; k++) factorial = factorial * k, slow = slow.slow_product(BigInt(k));
    std::cout << "40! = " << factorial << std::endl;
    bool good = factorial == slow;
    BigInt power(3);
    for (int k = 0; k < 8; k++) {
        const BigInt expected = power.slow_product(power);
        power = power * power;
        good = good && power == expected;
    }
    const std::string digits = power.text();
    std::cout << "3^256 = " << digits.substr(0, 10) << "..." << digits.substr(digits.size() - 10) << ", " << digits.size() << " digits\n";
    BigInt mersenne("170141183460469231731687303715884105727");
    BigInt square = mersenne * mersenne;
    std::cout << square << '\n' << 0 * square + BigInt(7) << '\n';
    good = good && square == mersenne.slow_product(mersenne) && BigInt(square.text()) == square && square != power;
    std::cout << (good ? "PASSED" : "FAILED") << '\n';
    return !good;
}
