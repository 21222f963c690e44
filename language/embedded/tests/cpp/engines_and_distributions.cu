// Engines and distributions of <random>, with the sequences of libstdc++.
#include <cstdio>
#include <random>

template <class E> static void engine(const char *name)
{
    E a, b(12345), c;
    std::seed_seq seeds{1, 2, 3};
    E d(seeds);
    c.seed(0);
    std::printf("%s %lu %lu:", name, (unsigned long)E::min(), (unsigned long)E::max());
    for (int i = 0; i < 600; ++i) {
        unsigned long va = a(), vb = b(), vc = c(), vd = d();
        if (i % 150 == 0) std::printf(" %lu %lu %lu %lu", va, vb, vc, vd);
    }
    a.discard(1000);
    std::printf(" %lu\n", (unsigned long)a());
}

template <class D> static void whole(const char *name, D made)
{
    std::mt19937 random(7);
    std::printf("%s:", name);
    long sum = 0;
    for (int i = 0; i < 2000; ++i) {
        int value = made(random);
        sum += value;
        if (i < 8) std::printf(" %d", value);
    }
    std::printf(" sum %ld\n", sum);
}

template <class D> static void real(const char *name, D made)
{
    std::mt19937_64 random(11);
    std::printf("%s:", name);
    for (int i = 0; i < 6; ++i) std::printf(" %.9g", made(random));
    std::printf("\n");
}

int main()
{
    engine<std::ranlux24_base>("ranlux24_base");
    engine<std::ranlux48_base>("ranlux48_base");
    engine<std::ranlux24>("ranlux24");
    engine<std::ranlux48>("ranlux48");
    engine<std::knuth_b>("knuth_b");
    std::ranlux24_base one, two;
    one();
    std::printf("%d", one == two);
    two();
    std::printf(" %d %d\n", one == two, one != two);
    const std::uniform_int_distribution<int>::param_type die(1, 6);
    std::uniform_int_distribution<int> roll(die);
    std::ranlux48 luxury(3);
    for (int i = 0; i < 10; ++i) std::printf("%d ", roll(luxury));
    std::printf("\n");

    whole("binomial 10 0.5", std::binomial_distribution<int>(10, 0.5));
    whole("binomial 40 0.5", std::binomial_distribution<int>(40, 0.5));
    whole("binomial 100 0.02", std::binomial_distribution<int>(100, 0.02));
    whole("binomial 1000 0.3", std::binomial_distribution<int>(1000, 0.3));
    whole("binomial 1000 0.9", std::binomial_distribution<int>(1000, 0.9));
    whole("binomial 5 0", std::binomial_distribution<int>(5, 0));
    whole("binomial 5 1", std::binomial_distribution<int>(5, 1));
    whole("negative binomial", std::negative_binomial_distribution<int>(5, 0.4));
    real("extreme value", std::extreme_value_distribution<double>(1, 2));
    real("fisher f", std::fisher_f_distribution<double>(3, 4));
    return 0;
}
