// <random>: the numbers of libstdc++.
#include <iostream>
#include <iomanip>
#include <random>
#include <vector>
#include <algorithm>
#include <map>
using namespace std;
template <class D, class G> void draw(const char *n, D d, G &g) {
    cout << n << ":";
    for (int i = 0; i < 8; i++)
        cout << " " << d(g);
    cout << endl;
}
int main() {
    mt19937 g(42);
    mt19937_64 h(7);
    minstd_rand m(3);
    default_random_engine e;
    cout << g() << " " << h() << " " << m() << " " << e() << endl;
    cout << setprecision(12);
    draw("int", uniform_int_distribution<int>(1, 6), g);
    draw("int64", uniform_int_distribution<long>(-5, 1000000000000L), h);
    draw("real", uniform_real_distribution<double>(-1, 1), g);
    draw("float", uniform_real_distribution<float>(0, 10), g);
    draw("normal", normal_distribution<double>(5, 2), g);
    draw("normalf", normal_distribution<float>(0, 1), g);
    draw("bern", bernoulli_distribution(0.3), g);
    draw("exp", exponential_distribution<double>(1.5), g);
    draw("poisson", poisson_distribution<int>(4), g);
    draw("poisson2", poisson_distribution<int>(30.5), g);
    draw("poisson3", poisson_distribution<int>(1000), h);
    draw("disc", discrete_distribution<int>({1, 2, 3, 4}), g);
    draw("geo", geometric_distribution<int>(0.3), g);
    draw("gamma", gamma_distribution<double>(2, 2), g);
    draw("gamma2", gamma_distribution<double>(0.5, 1), g);
    draw("cauchy", cauchy_distribution<double>(), g);
    draw("weibull", weibull_distribution<double>(1.5, 2), g);
    draw("lognormal", lognormal_distribution<double>(0, 0.5), g);
    draw("int e", uniform_int_distribution<int>(0, 99), e);
    draw("real m", uniform_real_distribution<>(0, 1), m);
    draw("real64", uniform_real_distribution<>(0, 1), h);
    draw("normal e", normal_distribution<>(0, 1), e);
    vector<int> v(20);
    for (int i = 0; i < 20; i++)
        v[i] = i;
    shuffle(v.begin(), v.end(), g);
    for (int x : v)
        cout << x << " ";
    cout << endl;
    uniform_int_distribution<> d(1, 10);
    cout << d.a() << d.b() << d.min() << d.max() << endl;
    normal_distribution<double> nd;
    cout << nd(g, normal_distribution<double>::param_type(10, 1)) << endl;
    uniform_int_distribution<int>::param_type pt(3, 4);
    cout << d(g, pt) << endl;
    map<int, int> hist;
    for (int i = 0; i < 500; i++)
        ++hist[int(nd(g) * 2)];
    for (auto &p : hist)
        cout << p.first << ":" << p.second << " ";
    cout << endl;
    g.seed(1);
    cout << g() << endl;
    g.discard(5);
    cout << g() << mt19937::min() << mt19937::max() << endl;
    mt19937 copy = g;
    cout << (copy() == g()) << endl;
    discrete_distribution<> dd{5, 5};
    cout << dd.probabilities()[0] << dd.max() << endl;
    random_device rd;
    mt19937 seeded(rd());
    cout << (seeded() >= 0) << endl;
}
