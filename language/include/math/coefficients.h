/* Coefficients of the device math library. Written by tests/math/coefficients.py. */
#ifndef WARPSIM_MATH_COEFFICIENTS_H
#define WARPSIM_MATH_COEFFICIENTS_H

/* Constants as unevaluated sums: NAME_h + NAME_l, or NAME_1 + NAME_2 + ... */
template <class T> struct __wm_c;
template <> struct __wm_c<float> {
    static __WM_HD float ln2_h() { return 0x2c5dp-14f; }
    static __WM_HD float ln2_l() { return -0xf40417p-39f; }
    static __WM_HD float ln2f_h() { return 0x162e43p-21f; }
    static __WM_HD float ln2f_l() { return -0x105c61p-49f; }
    static __WM_HD float log2e_h() { return 0xb8aa3bp-23f; }
    static __WM_HD float log2e_l() { return 0x52b83p-44f; }
    static __WM_HD float log10e_h() { return 0xde5bd9p-25f; }
    static __WM_HD float log10e_l() { return -0xad91afp-50f; }
    static __WM_HD float ln10_h() { return 0x49aec7p-21f; }
    static __WM_HD float ln10_l() { return -0x89555dp-48f; }
    static __WM_HD float two_thirds_h() { return 0xaaaaabp-24f; }
    static __WM_HD float two_thirds_l() { return -0xaaaaabp-49f; }
    static __WM_HD float log10_2_h() { return 0x4d1p-12f; }
    static __WM_HD float log10_2_l() { return 0x26a13fp-39f; }
    static __WM_HD float pio2_h() { return 0xc90fdbp-23f; }
    static __WM_HD float pio2_l() { return -0x5dde97p-47f; }
    static __WM_HD float pio2s_1() { return 0xc91p-11f; }
    static __WM_HD float pio2s_2() { return -0x957p-29f; }
    static __WM_HD float pio2s_3() { return -0xef5p-42f; }
    static __WM_HD float pio2s_4() { return 0x2308d3p-65f; }
    static __WM_HD float pio4_h() { return 0xc90fdbp-24f; }
    static __WM_HD float pio4_l() { return -0x5dde97p-48f; }
    static __WM_HD float pi_h() { return 0xc90fdbp-22f; }
    static __WM_HD float pi_l() { return -0x5dde97p-46f; }
    static __WM_HD float inv_pio2_h() { return 0xa2f983p-24f; }
    static __WM_HD float inv_pio2_l() { return 0x1b9391p-46f; }
    static __WM_HD float two_sqrtpi_h() { return 0x906ebbp-23f; }
    static __WM_HD float two_sqrtpi_l() { return -0xfbd649p-48f; }
    static __WM_HD float inv_sqrtpi_h() { return 0x906ebbp-24f; }
    static __WM_HD float inv_sqrtpi_l() { return -0xfbd649p-49f; }
    static __WM_HD float sqrt_half_h() { return 0xb504f3p-24f; }
    static __WM_HD float sqrt_half_l() { return 0x67f3bdp-49f; }
    static __WM_HD float sqrt2_h() { return 0xb504f3p-23f; }
    static __WM_HD float sqrt2_l() { return 0x67f3bdp-48f; }
    static __WM_HD float half_log_2pi_h() { return 0x759fc7p-23f; }
    static __WM_HD float half_log_2pi_l() { return 0x864bebp-49f; }
    static __WM_HD float ln_pi_h() { return 0x494341p-22f; }
    static __WM_HD float ln_pi_l() { return 0x239e87p-46f; }
    static __WM_HD float j0z1_h() { return 0x99e8a9p-22f; }
    static __WM_HD float j0z1_l() { return 0x3a5c6dp-45f; }
    static __WM_HD float j0z2_h() { return 0xb0a47bp-21f; }
    static __WM_HD float j0z2_l() { return -0x9a7a37p-47f; }
    static __WM_HD float j1z1_h() { return 0x3d4eabp-20f; }
    static __WM_HD float j1z1_l() { return -0xa5090fp-47f; }
    static __WM_HD float j1z2_h() { return 0xe07fbp-17f; }
    static __WM_HD float j1z2_l() { return -0xc4b8dbp-46f; }
    static __WM_HD float y0z1_h() { return 0x7260bbp-23f; }
    static __WM_HD float y0z1_l() { return -0xe57d03p-50f; }
    static __WM_HD float y0z2_h() { return 0x7ea54dp-21f; }
    static __WM_HD float y0z2_l() { return 0x6cc2b5p-46f; }
    static __WM_HD float y0z3_h() { return 0x716077p-20f; }
    static __WM_HD float y0z3_l() { return 0x4e721p-42f; }
    static __WM_HD float y1z1_h() { return 0x8c9df7p-22f; }
    static __WM_HD float y1z1_l() { return -0x2c8037p-45f; }
    static __WM_HD float y1z2_h() { return 0x56dff9p-20f; }
    static __WM_HD float y1z2_l() { return 0xe87b03p-46f; }
    static __WM_HD float two_over_pi_h() { return 0xa2f983p-24f; }
    static __WM_HD float two_over_pi_l() { return 0x1b9391p-46f; }
    static __WM_HD float sqrt_two_over_pi_h() { return 0x662115p-23f; }
    static __WM_HD float sqrt_two_over_pi_l() { return -0xc2bc9bp-49f; }
};
template <> struct __wm_c<double> {
    static __WM_HD double ln2_h() { return 0x58b90bfbe9p-39; }
    static __WM_HD double ln2_l() { return -0x610ca86c3898dp-93; }
    static __WM_HD double ln2f_h() { return 0x162e42fefa39efp-53; }
    static __WM_HD double ln2f_l() { return 0x1abc9e3b39803fp-108; }
    static __WM_HD double log2e_h() { return 0xb8aa3b295c17fp-51; }
    static __WM_HD double log2e_l() { return 0x5ddf43ff68349p-106; }
    static __WM_HD double log10e_h() { return 0xde5bd8a937287p-53; }
    static __WM_HD double log10e_l() { return 0x195355baaafad3p-109; }
    static __WM_HD double ln10_h() { return 0x935d8dddaaa8bp-50; }
    static __WM_HD double ln10_l() { return -0x1f48ad494ea3e9p-105; }
    static __WM_HD double two_thirds_h() { return 0x15555555555555p-53; }
    static __WM_HD double two_thirds_l() { return 0x15555555555555p-107; }
    static __WM_HD double log10_2_h() { return 0x268826a13fp-39; }
    static __WM_HD double log10_2_l() { return -0xc0219dc1da995p-95; }
    static __WM_HD double pio2_h() { return 0x3243f6a8885a3p-49; }
    static __WM_HD double pio2_l() { return 0x11a62633145c07p-106; }
    static __WM_HD double pio2s_1() { return 0x6487ed51p-30; }
    static __WM_HD double pio2s_2() { return 0x85a308d3p-65; }
    static __WM_HD double pio2s_3() { return 0x98cc517p-96; }
    static __WM_HD double pio2s_4() { return 0x1b839a252049c1p-156; }
    static __WM_HD double pio4_h() { return 0x3243f6a8885a3p-50; }
    static __WM_HD double pio4_l() { return 0x11a62633145c07p-107; }
    static __WM_HD double pi_h() { return 0x3243f6a8885a3p-48; }
    static __WM_HD double pi_l() { return 0x11a62633145c07p-105; }
    static __WM_HD double inv_pio2_h() { return 0x145f306dc9c883p-53; }
    static __WM_HD double inv_pio2_l() { return -0xb580f62a0b82bp-106; }
    static __WM_HD double two_sqrtpi_h() { return 0x120dd750429b6dp-52; }
    static __WM_HD double two_sqrtpi_l() { return 0x235c75229fdbp-101; }
    static __WM_HD double inv_sqrtpi_h() { return 0x120dd750429b6dp-53; }
    static __WM_HD double inv_sqrtpi_l() { return 0x235c75229fdbp-102; }
    static __WM_HD double sqrt_half_h() { return 0x16a09e667f3bcdp-53; }
    static __WM_HD double sqrt_half_l() { return -0xdee9a09d9322bp-106; }
    static __WM_HD double sqrt2_h() { return 0x16a09e667f3bcdp-52; }
    static __WM_HD double sqrt2_l() { return -0xdee9a09d9322bp-105; }
    static __WM_HD double half_log_2pi_h() { return 0x1d67f1c864beb5p-53; }
    static __WM_HD double half_log_2pi_l() { return -0x165b5a1b7ff5dfp-107; }
    static __WM_HD double ln_pi_h() { return 0x1250d048e7a1bdp-52; }
    static __WM_HD double ln_pi_l() { return 0x2f57e55b1aa11p-106; }
    static __WM_HD double j0z1_h() { return 0x4cf454ba5c6dp-45; }
    static __WM_HD double j0z1_l() { return -0x87a9cebed12c7p-104; }
    static __WM_HD double j0z2_h() { return 0x16148f5b2c2e45p-50; }
    static __WM_HD double j0z2_l() { return 0x175054cd60a517p-106; }
    static __WM_HD double j1z1_h() { return 0x1ea75575af6f09p-51; }
    static __WM_HD double j1z1_l() { return -0xb00aad4e8d92bp-104; }
    static __WM_HD double j1z2_h() { return 0x1c0ff5f3b4725p-46; }
    static __WM_HD double j1z2_l() { return -0x1b226d9d243827p-106; }
    static __WM_HD double y0z1_h() { return 0xe4c175c6a0bf5p-52; }
    static __WM_HD double y0z1_l() { return 0x1ea9d270347f83p-108; }
    static __WM_HD double y0z2_h() { return 0x7ea54d36615a7p-49; }
    static __WM_HD double y0z2_l() { return -0xf83573c021c27p-105; }
    static __WM_HD double y0z3_h() { return 0x1c581dc4e72103p-50; }
    static __WM_HD double y0z3_l() { return -0x19774a495f56cfp-106; }
    static __WM_HD double y1z1_h() { return 0x1193bed4dff243p-51; }
    static __WM_HD double y1z1_l() { return -0x1bd1e50d219bfdp-107; }
    static __WM_HD double y1z2_h() { return 0xadbff2743d817p-49; }
    static __WM_HD double y1z2_l() { return 0x77f9eeb08a3a3p-102; }
    static __WM_HD double two_over_pi_h() { return 0x145f306dc9c883p-53; }
    static __WM_HD double two_over_pi_l() { return -0xb580f62a0b82bp-106; }
    static __WM_HD double sqrt_two_over_pi_h() { return 0x19884533d43651p-53; }
    static __WM_HD double sqrt_two_over_pi_l() { return -0x1cbc0d30ebfd15p-107; }
};

/* (exp(x)-1-x)/x^2, [-0.356574, 0.356574]: 3.39e-9 */
__WM_FN float __wm_p_exp(float x) {
    return __H(__H(__H(__H(__H(0x342691p-34f, 0x16d54bp-30f), 0x444437p-29f), 0x555537p-27f),
        0xaaaaabp-26f), 0x1p-1f);
}
/* (exp(x)-1-x)/x^2, [-0.356574, 0.356574]: 4.03e-18 */
__WM_FN double __wm_p_exp(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(0x11f7acde491307p-81, 0x1af5b8cf21eec1p-78),
        0x93f26bc4fc9e9p-73), 0x171ddfb72ddf9p-67), 0x340340350318dp-65), 0xd00d00d70c465p-64),
        0x2d82d82d82c0fp-59), 0x1111111110fcbbp-59), 0xaaaaaaaaaaaabp-56), 0x15555555555557p-55),
        0x1p-1);
}
/* (log(1+x)-x+x^2/2)/x^3, [-0.292893, 0.414214]: 6.71e-8 */
__WM_FN float __wm_p_log(float x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(0x8ec753p-27f, -0x758d6fp-26f), 0xef5141p-27f),
        -0xfe7a63p-27f), 0x91e90dp-26f), -0xaaada5p-26f), 0xccceadp-26f), -0x7fffffp-25f),
        0x555555p-24f);
}
/* (log(1+x)-x+x^2/2)/x^3, [-0.292893, 0.414214]: 2.26e-17 */
__WM_FN double __wm_p_log(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        0x17d29370356709p-58, -0xdd06dbe2f623p-52), 0x7937826eec56bp-55), -0x1a4f2cb642aed7p-57),
        0xcf7aab8957cc3p-56), -0x70a788b379a87p-55), 0xf19a8d85c5035p-56), -0x80238e92d0295p-55),
        0x44428f2e0539fp-54), -0x1248da6617d7e1p-56), 0x13b13c73c82083p-56),
        -0xaaaac1149ccc7p-55), 0x5d174601af7a9p-54), -0x19999989e9f8b5p-56), 0xe38e38dfaed89p-55),
        -0x80000000be275p-54), 0x1249249249e4a9p-55), -0x15555555553457p-55),
        0x199999999998d7p-55), -0x10000000000007p-54), 0x15555555555555p-54);
}
/* (2 atanh(s)/s-2-2/3 s^2)/s^4 of s^2, [1.0e-9, 0.0294373]: 3.77e-7 */
__WM_FN float __wm_p_log_s(float x) {
    return __H(__H(0x7601adp-25f, 0x923d19p-25f), 0x666669p-24f);
}
/* (2 atanh(s)/s-2-2/3 s^2)/s^4 of s^2, [1.0e-9, 0.0294373]: 4.58e-18 */
__WM_FN double __wm_p_log_s(double x) {
    return __H(__H(__H(__H(__H(__H(__H(0x1e02d199962c89p-56, 0x77df3a68dfb4dp-54),
        0x888c63a41af9bp-54), 0x13b1395d4f97c9p-55), 0x5d1745dea3c85p-53), 0x1c71c71c6eaa8dp-55),
        0x12492492492521p-54), 0xccccccccccccdp-53);
}
/* (sin(x)/x-1)/x^2 of x^2, [0.0, 0.648666]: 2.11e-10 */
__WM_FN float __wm_p_sin(float x) {
    return __H(__H(__H(0xb6c3efp-42f, -0x6804bfp-35f), 0x888887p-30f), -0xaaaaabp-26f);
}
/* (sin(x)/x-1)/x^2 of x^2, [0.0, 0.648666]: 4.79e-23 */
__WM_FN double __wm_p_sin(double x) {
    return __H(__H(__H(__H(__H(__H(__H(0x64871a8102b5p-95, -0x35cf809faf525p-90),
        0x161245f75b8321p-85), -0xd7322b3f20845p-77), 0x171de3a556c185p-71),
        -0x3403403403403p-62), 0x11111111111111p-59), -0x15555555555555p-55);
}
/* (cos(x)-1+x^2/2)/x^4 of x^2, [0.0, 0.648666]: 6.98e-11 */
__WM_FN float __wm_p_cos(float x) {
    return __H(__H(__H(-0x494009p-44f, 0xd00aa9p-39f), -0xb60b5fp-33f), 0xaaaaabp-28f);
}
/* (cos(x)-1+x^2/2)/x^4 of x^2, [0.0, 0.648666]: 9.51e-24 */
__WM_FN double __wm_p_cos(double x) {
    return __H(__H(__H(__H(__H(__H(__H(-0x165b4132068c1bp-105, 0xd73e54e5159edp-96),
        -0x1939749219ae6bp-89), 0x11eed8eff1f5edp-81), -0x93f27dbbc4e8bp-73),
        0x1a01a01a01a019p-68), -0x16c16c16c16c17p-62), 0x15555555555555p-57);
}
/* (asin(x)/x-1)/x^2 of x^2, [0.0, 0.25]: 2.16e-8 */
__WM_FN float __wm_p_asin(float x) {
    return __H(__H(__H(__H(__H(0x44ffb5p-27f, 0x8c7c8fp-29f), 0xfec6d1p-29f), 0xb6adddp-28f),
        0x133343p-24f), 0x555555p-25f);
}
/* (asin(x)/x-1)/x^2 of x^2, [0.0, 0.25]: 7.81e-17 */
__WM_FN double __wm_p_asin(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(0x3ae5657902abfp-55,
        -0x79aaaa2828133p-57), 0x8e8c4a0418a77p-57), 0xb2d4e26fe7c59p-59), 0xa921058259bdfp-58),
        0x1782651caa6547p-59), 0xe4e783b3a39b5p-58), 0x11c4d35cf95421p-58), 0xb745d8e4104d1p-57),
        0x1f1c71c1db0623p-58), 0x16db6db6e31f13p-57), 0x9999999999765p-55), 0xaaaaaaaaaaaabp-54);
}
/* (atan(x)/x-1)/x^2 of x^2, [0.0, 1.0]: 4.63e-8 */
__WM_FN float __wm_p_atan(float x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(-0x9c6f2bp-32f, 0xdd4fb3p-30f), -0x92ee09p-28f),
        0x8000e3p-27f), -0x2c52bfp-25f), 0x387e2dp-25f), -0x923669p-26f), 0x66660fp-25f),
        -0x555555p-24f);
}
/* (atan(x)/x-1)/x^2 of x^2, [0.0, 1.0]: 9.08e-17 */
__WM_FN double __wm_p_atan(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        0x12f07811f9f6e9p-68, -0x68d66e5a93bb9p-63), 0x8992d97c4b25fp-61), -0x3946cefb6cccfp-58),
        0x1123baedb61abdp-59), -0x1fd0e4de8fed9p-55), 0x1843f4bca23369p-58),
        -0x100390504e9f2fp-57), 0x13328700bb8169p-57), -0x15d02278205cc7p-57),
        0x1841dcf603a209p-57), -0x35d7762c8f42dp-54), 0xf0e811ce9c953p-56), -0x8887ffaccf269p-55),
        0x13b1399d1dcdc7p-56), -0x1745d15ee35819p-56), 0x71c71c6ec029bp-54),
        -0x492492491d4fbp-53), 0xccccccccccb1p-50), -0x15555555555555p-54);
}
/* (sinh(x)/x-1)/x^2 of x^2, [0.0, 1.0]: 1.18e-9 */
__WM_FN float __wm_p_sinh(float x) {
    return __H(__H(__H(0xbc5387p-42f, 0x1a009p-29f), 0x88888fp-30f), 0xaaaaabp-26f);
}
/* (sinh(x)/x-1)/x^2 of x^2, [0.0, 1.0]: 1.52e-21 */
__WM_FN double __wm_p_sinh(double x) {
    return __H(__H(__H(__H(__H(__H(__H(0x199f0806c2628dp-101, 0xd73bbe1b7eadbp-92),
        0xb09233e65913p-80), 0x1ae6456792a77fp-78), 0x5c778e955be5bp-69), 0x1a01a01a01a001p-65),
        0x11111111111111p-59), 0x15555555555555p-55);
}
/* (tanh(x)/x-1)/x^2 of x^2, [0.0, 0.36]: 1.04e-10 */
__WM_FN float __wm_p_tanh(float x) {
    return __H(__H(__H(__H(__H(__H(-0xeb060bp-34f, 0xdb01c1p-32f), -0x4820cbp-29f),
        0xb31895p-29f), -0xdd0d5fp-28f), 0x111111p-23f), -0xaaaaabp-25f);
}
/* (tanh(x)/x-1)/x^2 of x^2, [0.0, 0.36]: 2.17e-25 */
__WM_FN double __wm_p_tanh(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(-0xe65603ec7a96fp-76,
        0x27c9468b42765p-71), -0x101ca15a905cffp-72), 0x157e780f962269p-71),
        -0xd7cdf0d67a367p-69), 0x42be9435c9665p-66), -0x1497ae3075ca77p-67),
        0x1967de170d976dp-66), -0xfabeb9ef672f5p-64), 0x13558246d3234fp-63),
        -0x17da364521b0b3p-62), 0x1d6d3d0e1545f3p-61), -0x1226e355e6c1d3p-59),
        0x1664f4882c10f9p-58), -0x6e86e86e86e87p-55), 0x11111111111111p-55),
        -0x15555555555555p-54);
}
/* (asinh(x)/x-1)/x^2 of x^2, [0.0, 0.25]: 5.57e-9 */
__WM_FN float __wm_p_asinh(float x) {
    return __H(__H(__H(__H(__H(0x145997p-27f, -0x5413e7p-28f), 0xf70a17p-29f), -0x16d9bfp-25f),
        0x999975p-27f), -0xaaaaabp-26f);
}
/* (asinh(x)/x-1)/x^2 of x^2, [0.0, 0.25]: 3.49e-18 */
__WM_FN double __wm_p_asinh(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(-0xc47495ea654c7p-61,
        0x10f3620d560e0dp-60), -0xd428e3720ad13p-59), 0x10c1eacb8f71b5p-59),
        -0x13eb1386278c61p-59), 0x17a633fba3115p-55), -0x1c9969396f4545p-59),
        0x8e275794a01dbp-57), -0x5ba2e887a93f9p-56), 0xf8e38e36b30abp-57), -0xb6db6db6d8437p-56),
        0x999999999997dp-55), -0x15555555555555p-55);
}
/* (atanh(x)/x-1)/x^2 of x^2, [0.0, 0.25]: 5.27e-8 */
__WM_FN float __wm_p_atanh(float x) {
    return __H(__H(__H(__H(__H(0xa14c59p-26f, 0x427e4bp-26f), 0x757397p-26f), 0x92102bp-26f),
        0x666705p-25f), 0x555555p-24f);
}
/* (atanh(x)/x-1)/x^2 of x^2, [0.0, 0.25]: 1.81e-17 */
__WM_FN double __wm_p_atanh(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(0x6c05b2e88fbb9p-53,
        -0x127f230f3831a3p-55), 0x8ad53b4c76fa1p-54), 0x325991146dee1p-56), 0xdee69e77d3967p-56),
        0x69b14c14efcc3p-55), 0x1e2c342108eb1fp-57), 0x11108e26d64a6dp-56), 0x13b1417e6e07dfp-56),
        0xba2e8a035cc97p-55), 0x1c71c71d6cc5d1p-56), 0x1249249247e911p-55), 0x19999999999ad1p-55),
        0x15555555555555p-54);
}
/* erf(x)/x-2/sqrt(pi) of x^2, [1.0e-9, 1.0]: 6.24e-9 */
__WM_FN float __wm_p_erf(float x) {
    return __H(__H(__H(__H(__H(__H(__H(-0x288be9p-38f, 0x1d8875p-34f), -0xde67b3p-34f),
        0xab153p-27f), -0x370539p-27f), 0x39c5e1p-25f), -0xc093a3p-25f), -0x9565e1p-58f);
}
/* erf(x)/x-2/sqrt(pi) of x^2, [1.0e-9, 1.0]: 5.05e-19 */
__WM_FN double __wm_p_erf(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(-0x94dcf8d8c2151p-89,
        0x17f072187e2f91p-86), -0x14e607b41767c9p-82), 0x1fc43564981ae1p-79),
        -0x57db649682c1fp-73), 0x1b9e6509b98553p-72), -0x7d349586babfp-63), 0x1f9a326c233145p-66),
        -0x1c02db3feeb579p-63), 0x1565bcd0e6502dp-60), -0xdc167189444ddp-57),
        0xe71790d0215efp-55), -0x1812746b0379e7p-54), -0xa307c00fd5c9fp-120);
}
/* (1+2x) erfcx(x) of (x-4)/(x+4), [-0.82, 0.999999]: 1.47e-9 */
__WM_FN float __wm_p_erfcx(float x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(0xd8f511p-37f, -0x3df0fp-30f),
        -0xb46b81p-34f), 0xa5c00dp-31f), -0x214545p-27f), 0x260cabp-26f), -0x10f9f7p-24f),
        0x5ffc03p-26f), -0xceeeebp-27f), 0x8b765fp-27f), 0xfbfb93p-30f), -0x477c6bp-25f),
        0x9dd2c9p-23f);
}
/* (1+2x) erfcx(x) of (x-4)/(x+4), [-0.82, 0.999999]: 1.92e-19 */
__WM_FN double __wm_p_erfcx(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        __H(__H(__H(__H(-0x106c416779efebp-92, -0x8b840f901133p-78), 0xae43c7c71c1abp-81),
        0x122c55b4d563e9p-80), -0x1dc2d9fa958a6bp-79), -0x184b1fe03db4cdp-78),
        0x1d599645f0dd07p-76), 0x156c1641878c5fp-76), -0x1baa9ea7f7ffc9p-73),
        0x137af2492339cdp-74), 0x17f21895c7190dp-70), -0x5e1fc310250edp-67),
        -0x66562904d6795p-66), 0x13be026ccc9ea1p-65), -0x1a1df29f2235e9p-65),
        -0x18d4a98f86ac99p-63), 0xa4e33945b0bb7p-59), -0x84b11c42effffp-57), 0x983cf6fb39f29p-56),
        -0x10fb06dfe45f29p-56), 0x17fee004e12b2fp-56), -0x33bb64787d255p-53),
        0x8b7677e7d29b9p-55), 0xfbfaefb37ebf7p-58), -0x8ef8d68aa5147p-54), 0x13ba5916e9fd7fp-52);
}
/* erfinv(x)/x of -log(1-x^2), [1.0e-8, 5.0]: 5.66e-7 */
__WM_FN float __wm_p_erfinv0(float x) {
    return __H(__H(__H(__H(__H(__H(__H(0xbf391fp-45f, -0x9dd0a7p-40f), 0x5e2da7p-36f),
        -0x72810dp-35f), -0x922843p-32f), 0x5e1bcdp-29f), 0xed98b1p-26f), 0xe2dfbbp-24f);
}
/* erfinv(x)/x of -log(1-x^2), [1.0e-8, 5.0]: 5.66e-7 */
__WM_FN double __wm_p_erfinv0(double x) {
    return __H(__H(__H(__H(__H(__H(__H(0xbf391f5ed8d95p-73, -0x9dd0a7535cdfp-64),
        0x178b69c00b29dp-62), -0x1ca0434b1a5bcdp-65), -0x248a10df1998dp-58),
        0x1786f345df3b83p-59), 0x1db3161debbe4fp-55), 0x1c5bf76bd121adp-53);
}
/* erfinv of sqrt(-log(1-x^2))-3, [-0.8, 1.5]: 1.53e-7 */
__WM_FN float __wm_p_erfinv1(float x) {
    return __H(__H(__H(__H(__H(__H(__H(0x93eb69p-39f, -0xa0008dp-38f), -0xba2e83p-36f),
        0x93ad9bp-33f), -0xe2ba63p-32f), 0x1c0dc9p-28f), 0x805749p-23f), 0x5aa65p-17f);
}
/* erfinv of sqrt(-log(1-x^2))-3, [-0.8, 1.5]: 1.53e-7 */
__WM_FN double __wm_p_erfinv1(double x) {
    return __H(__H(__H(__H(__H(__H(__H(0x127d6d1ac7260bp-68, -0x5000466727f61p-65),
        -0x1745d061f35ccdp-65), 0x49d6cd5479dd5p-60), -0x1c574c5e3a1debp-61),
        0xe06e47ad6e4c5p-59), 0x2015d23d2065dp-49), 0x5aa64fe19d86bp-49);
}
/* erfinv of sqrt(-log(1-x^2))-8, [-3.6, 3.0]: 2.25e-7 */
__WM_FN float __wm_p_erfinv2(float x) {
    return __H(__H(__H(__H(__H(__H(__H(-0x13d9afp-45f, 0xaf3e8fp-46f), -0x86be3fp-45f),
        0x6849bfp-43f), 0x4be26fp-38f), -0x3d70a5p-33f), 0x80f94bp-23f), 0xfc115p-17f);
}
/* erfinv of sqrt(-log(1-x^2))-8, [-3.6, 3.0]: 5.02e-8 */
__WM_FN double __wm_p_erfinv2(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(0x30b091e54a3cfp-77, -0x6e1a277630db5p-76),
        0x1aede220614f15p-77), -0x1c7cd02591fdabp-74), 0x1936eeff2681bp-68), 0x9deb692aea289p-67),
        -0x1ed21ec568ec79p-64), 0x101f289eff6907p-52), 0x3f045430e6f3dp-47);
}
/* erfinv of sqrt(-log(1-x^2))-19, [-9.0, 8.5]: 1.59e-5 */
__WM_FN float __wm_p_erfinv3(float x) {
    return __H(__H(__H(0x97e1b7p-41f, -0xe74d2fp-37f), 0x402957p-22f), 0x25d9fbp-17f);
}
/* erfinv of sqrt(-log(1-x^2))-19, [-9.0, 8.5]: 1.95e-9 */
__WM_FN double __wm_p_erfinv3(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(-0x972ce697713abp-97, -0x1cbcca4da87401p-98),
        0x521c6d64a7defp-87), -0x10412eed22f03fp-84), 0x64e2fa9d8298fp-78),
        -0x146e41fedb8dc3p-75), 0x8132fbc3f7ca5p-69), -0x197bfe7be916efp-66),
        0x100a61f235b2c9p-52), 0x12ecf50e65d75fp-48);
}
/* Stirling's correction times x, of 1/x^2, [1.0e-8, 0.015625]: 4.36e-12 */
__WM_FN float __wm_p_stirling(float x) {
    return __H(__H(__H(-0x9575ebp-34f, 0x33ff33p-32f), -0xb60b5dp-32f), 0xaaaaabp-27f);
}
/* Stirling's correction times x, of 1/x^2, [1.0e-8, 0.015625]: 3.81e-21 */
__WM_FN double __wm_p_stirling(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(0x1c29fa0938dc75p-56, -0x1c6897b53f18b7p-58),
        0xd12b2f9c9ecebp-59), -0x1f69af4caf8c9fp-62), 0x1b951b7065a053p-63),
        -0x9c09c08b46919p-62), 0x3403403401a19p-60), -0x16c16c16c16c0fp-61),
        0x15555555555555p-56);
}
/* lgamma(x)/((x-1)(x-2)) of x-1.5, near [1, 2], [-0.5, 0.5]: 4.25e-9 */
__WM_FN float __wm_p_lgamma1(float x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(-0xc2f7b1p-33f, 0xa0599p-28f), -0xcda27bp-32f),
        0xae85a9p-31f), -0x9a8a67p-30f), 0x89b123p-29f), -0x803d1bp-28f), 0x80d783p-27f),
        -0x957683p-26f), 0x7bae57p-24f);
}
/* lgamma(x)/((x-1)(x-2)) of x-1.5, near [1, 2], [-0.5, 0.5]: 1.43e-18 */
__WM_FN double __wm_p_lgamma1(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        -0x10467902760469p-69, 0x19759e019683dp-65), -0x46166388eee5dp-67), 0x1ba730a9784e07p-69),
        -0x721792f25611bp-66), 0xb4789f07ddbcbp-66), -0x1156abea920aefp-66), 0xdcf21a19c2ae1p-65),
        -0xb11f884ef8077p-64), 0x11c7e3a261c9ebp-64), -0x72d137ba7ebp-54), 0xba853c807838fp-62),
        -0x1313e8a3ddad6fp-62), 0x1f814bab49d011p-62), -0x1a5035232a7d25p-61),
        0x164f0664c4f943p-60), -0x9a6ded0a4b8f1p-58), 0x899a11a93f8f9p-57), -0x401eaa0f3b86bp-55),
        0x406bd8a8a4a7p-50), -0x957682cdeb045p-54), 0x1eeb95b094c191p-54);
}
/* lgamma(x)/(x-2) of x-2.5, [-0.5, 0.5]: 2.77e-10 */
__WM_FN float __wm_p_lgamma2(float x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(-0xa88ec5p-38f, 0xf112a1p-37f), -0xa4e613p-35f),
        0xfb8dd5p-34f), -0xcad92dp-32f), 0x2c8d79p-28f), -0xb78655p-28f), 0x89007bp-25f),
        0x24707dp-22f);
}
/* lgamma(x)/(x-2) of x-2.5, [-0.5, 0.5]: 1.62e-20 */
__WM_FN double __wm_p_lgamma2(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        -0x926424059ce75p-80, 0x181f1ad7d0380fp-80), -0x1a771758c6ed85p-79),
        0x11960e46f8ccffp-77), -0xbe824f2f0ddb5p-75), 0x1ff0ee90d33ecfp-75),
        -0x1589fc12c509a9p-73), 0x751b7f12ca331p-70), -0x14135e71c407bp-66), 0x6f5d8b4f01df1p-67),
        -0x13957bebf628bbp-67), 0xe09afbf85e9a9p-65), -0xa52e896a667e5p-63), 0x7df9185845979p-61),
        -0x195b11573d57c1p-61), 0x591ab9b9062b1p-57), -0x5bc32a68709d3p-55),
        0x11200f695b0dd9p-54), 0x24707d0134cfdp-50);
}
/* j0(x)/(x-z1) of x-2, [-2.0, 2.0]: 1.42e-9 */
__WM_FN float __wm_p_j0a(float x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(0xaef6f3p-51f, 0x623735p-48f), -0xb05b81p-44f),
        -0x14056bp-39f), 0x6fe9e5p-37f), 0x4c3141p-35f), -0x2aceefp-30f), -0x9b17f3p-31f),
        0x425b6dp-26f), 0x77bebdp-27f), -0x46ca81p-23f);
}
/* j0(x)/(x-z1) of x-2, [-2.0, 2.0]: 1.97e-20 */
__WM_FN double __wm_p_j0a(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        -0x1ff3387ee60e5p-114, 0x180e94a9dd8021p-112), 0x19cebe709ceb9dp-109),
        -0x8df5f06e05dc7p-102), -0x103200b98660e5p-100), 0x141241ea5acc9fp-95),
        0x800a467d32fefp-91), -0x8d46222cab2e9p-86), -0x608055e4b4f8dp-83), 0xbabc4374b7e3p-75),
        0xd46dd91a48e2fp-77), -0x2c2e2e72a3fd1p-70), -0x282a752dea2fbp-68), 0x1bfaca70b5abc3p-67),
        0x9865f276fb1e3p-64), -0x156778742650cdp-61), -0x26c601b58d6d1p-57), 0x84b6da7aec983p-55),
        0x77bebd13f656bp-55), -0x8d95026133213p-52);
}
/* j0(x)/(x-z2) of x-6, [-2.0, 2.0]: 8.19e-9 */
__WM_FN float __wm_p_j0b(float x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(-0xbe559fp-52f, -0xd4f4f3p-48f),
        0x193dddp-42f), 0x2a31fbp-39f), -0x441213p-37f), -0x260f01p-33f), 0xdd9bp-25f),
        0x455857p-29f), -0xb1e3b1p-28f), -0x9ecb81p-27f), 0xa0b6e5p-25f);
}
/* j0(x)/(x-z2) of x-6, [-2.0, 2.0]: 2.48e-20 */
__WM_FN double __wm_p_j0b(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        0x122efa7b352ae1p-116, -0x166a7d45edcca7p-113), -0xea131613125a3p-107),
        0x11074d64243ccdp-104), 0x92120bd57e3e7p-98), -0x13f29a2938ea35p-96),
        -0x11e6c090855c4bp-91), 0x12469e594d231bp-88), 0x3557120031cbdp-81),
        -0x1950ff5b9f52c7p-81), -0x1cd44e15c884b3p-77), 0xca4f8acd0d1c1p-73),
        0x152a757fc0475dp-70), -0x22095db08ec7bp-64), -0x1307fa1bf6f4f5p-64),
        0xdd9b07a6d616bp-61), 0x115618767e6bd5p-59), -0x2c78ec4ed4dcdp-54), -0x9ecb8143aa72bp-55),
        0xa0b6e4b72be07p-53);
}
/* j1(x)/x of x^2, [1.0e-8, 4.0]: 2.07e-10 */
__WM_FN float __wm_p_j1a(float x) {
    return __H(__H(__H(__H(__H(-0xb4c3f7p-51f, 0xb593f3p-44f), -0xe38a5fp-38f), 0x2aaaa7p-30f),
        -0x1p-4f), 0x1p-1f);
}
/* j1(x)/x of x^2, [1.0e-8, 4.0]: 3.93e-23 */
__WM_FN double __wm_p_j1a(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(0x1dd2542829187fp-121, -0x1ab220bd7543dfp-112),
        0x964b2c2e85bdp-98), -0xa91520507fc3bp-94), 0x127e4fb7069147p-87), -0xc22e450668be3p-79),
        0xb60b60b60b4ffp-72), -0x38e38e38e38e3p-64), 0x15555555555555p-61), -0x1p-4), 0x1p-1);
}
/* j1(x)/(x-z1) of x-4, [-2.0, 2.0]: 3.78e-9 */
__WM_FN float __wm_p_j1b(float x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(0x88ccabp-51f, 0x9ed6e5p-48f), -0x8ab283p-44f),
        -0xfc5657p-42f), 0xb0f3e5p-38f), 0x73004dp-35f), -0x43bbb9p-31f), -0x6c9ce7p-30f),
        0xce8a1bp-28f), 0x47bb95p-26f), -0x64762dp-24f);
}
/* j1(x)/(x-z1) of x-4, [-2.0, 2.0]: 2.69e-20 */
__WM_FN double __wm_p_j1b(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        -0x1b6b4c90ec05bbp-117, 0x934f235764475p-111), 0x1601d3ae20011p-104),
        -0x1b47f7d7373c8dp-104), -0x1b652a74d9cca1p-100), 0x7c0bc51a01153p-94),
        0x1aca5c89e34fafp-92), -0xdb7e827a5b675p-87), -0x9f4f06675e7a3p-83),
        0x123e3db8f1e629p-80), 0x2b0269cc181d3p-74), -0x115f5e4aea0309p-73),
        -0xfd27023402003p-70), 0x587aeeb58d3d9p-65), 0x1cc0c8c538433bp-65), -0x8777779f70a3bp-60),
        -0x1b273dc7f328a1p-60), 0x67450db5c8789p-55), 0x47bb9541c2abfp-54),
        -0x191d8b4a254039p-54);
}
/* j1(x)/(x-z2) of x-7, [-1.0, 1.0]: 1.65e-8 */
__WM_FN float __wm_p_j1c(float x) {
    return __H(__H(__H(__H(__H(__H(__H(0x4c717p-37f, -0x5c87d5p-37f), -0xfe4a87p-37f),
        0x22a4ddp-30f), 0x6242fbp-31f), -0xc0fa3bp-28f), -0x519a81p-28f), 0x99d2f9p-25f);
}
/* j1(x)/(x-z2) of x-7, [-1.0, 1.0]: 5.14e-20 */
__WM_FN double __wm_p_j1c(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(0x13f037deb6a8dbp-100,
        -0x116c0b55e73075p-95), -0x1340295184f139p-92), 0x1f0951ba6c641p-84),
        0xdd4e05535c381p-84), -0x146ca9c793300bp-80), -0x1c7ddd5d3a7f47p-78),
        0x4c8b66403e13bp-71), 0x138d251dd6c9dfp-71), -0x17b94dd76758e1p-67),
        -0x1fcb82f5ab03ddp-66), 0x8a9f3c880921dp-60), 0x1890c23e60a147p-61),
        -0x607d302b3f5f1p-55), -0x1466a038589b41p-58), 0x133a5f1d602c87p-54);
}
/* Y0 without logarithm, /(x^2-z1^2), of x^2, [1.0e-8, 4.0]: 6.28e-11 */
__WM_FN float __wm_p_y0a(float x) {
    return __H(__H(__H(__H(__H(-0xce0829p-54f, 0x7383b3p-46f), -0x297fe3p-38f), 0x49a2a3p-33f),
        -0x44961p-24f), 0xba8409p-26f);
}
/* Y0 without logarithm, /(x^2-z1^2), of x^2, [1.0e-8, 4.0]: 8.25e-24 */
__WM_FN double __wm_p_y0a(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(0xb3983b249edebp-123, -0xab70e1cefcb7p-110),
        0x1037edfe2159fdp-106), -0x4f157669bd89dp-96), 0x12eb3f467dbe25p-90),
        -0x1b797036d61b69p-83), 0x39e0827b4d403p-73), -0x14c030d99a8675p-69),
        0x1268a9aaaeb0c7p-63), -0x112583f4a4abcfp-58), 0x5d42045e4284fp-53);
}
/* same with z2, of x-3.75, [-1.75, 1.75]: 1.09e-10 */
__WM_FN float __wm_p_y0b(float x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(0xa3ee1dp-55f, 0x6fbac3p-54f), -0xa1afe1p-48f),
        -0x1f8e1p-42f), 0x30d16fp-40f), 0x1b34d5p-40f), -0x83fe81p-36f), -0x9d1281p-36f),
        0x15b7f1p-29f), 0x475789p-29f), -0xb6e9c5p-28f);
}
/* same with z2, of x-3.75, [-1.75, 1.75]: 7.64e-22 */
__WM_FN double __wm_p_y0b(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        -0x121e4d99ecd51fp-122, 0x1404f84d305cc9p-116), 0x1b998238e8585dp-114),
        -0x1e4bbb7a5032dp-104), -0x2019627e6f3e1p-102), 0x11b76f4a8c08b1p-99),
        0x712c7e07b0b39p-96), -0x10068cc7ff72efp-91), -0x11ea023084432dp-90),
        0x5616270bb497bp-82), 0x1e36996c7378d9p-84), -0x28787f7ef9717p-74), -0xfd4da3ef63529p-77),
        0x1868d8fa8b6875p-71), 0x6cd5a1799f16dp-70), -0x41ff41945d2a7p-63), -0x2744a19cb227bp-62),
        0x56dfc4073fd1bp-59), 0x8eaf119a4af59p-58), -0x16dd38a2ec6b9fp-57);
}
/* same with z3, of x-6.75, [-1.25, 1.25]: 1.74e-10 */
__WM_FN float __wm_p_y0c(float x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(-0xd1e0dbp-58f, 0x4b8b25p-48f), 0xc3473dp-49f),
        -0xc585d5p-43f), -0x1acebp-35f), 0x544a99p-36f), 0xaa2089p-36f), -0xa42cfdp-32f),
        -0x7f31edp-33f), 0x145b3bp-26f);
}
/* same with z3, of x-6.75, [-1.25, 1.25]: 1.11e-21 */
__WM_FN double __wm_p_y0c(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        0x49f41dc1fea47p-116, 0x46be25558176bp-106), -0x1468a273528e39p-109),
        -0x9f98902a463fbp-99), 0x16edce772a0bb9p-101), 0x21f8f568e8df3p-89),
        -0x15386f31d46ba3p-94), -0x1581801a26d133p-85), -0x1999d988a782a9p-87),
        0x9c418c01cf587p-77), 0x30d0f2eabf1ebp-75), -0x18b43eb9a075b1p-72),
        -0x1aceaf770c1c43p-71), 0xa895705c47759p-65), 0xaa2088b827a1bp-64), -0x14859fafc4665p-57),
        -0x1fcc7b4541b4cfp-63), 0x145b3af2e14cefp-58);
}
/* x Y1 without logarithm, /(x^2-z1^2), of x^2, [1.0e-8, 16.0]: 5.79e-12 */
__WM_FN float __wm_p_y1a(float x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(-0x281f17p-72f, 0xcd8b77p-66f), -0xaa0a39p-58f),
        0x32c965p-49f), -0xa79469p-44f), 0x56e8bbp-37f), -0xbe165p-29f), 0x834c91p-29f),
        0x870a5fp-26f);
}
/* x Y1 without logarithm, /(x^2-z1^2), of x^2, [1.0e-8, 16.0]: 4.59e-30 */
__WM_FN double __wm_p_y1a(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        -0x108091e41ac8ffp-177, 0x98a657dc5ad5fp-166), -0x2319ba90d770dp-154),
        0xe025ad800fc3bp-147), -0x13522b5053ceb1p-138), 0x16c1dcf3c6df07p-129),
        -0x16945b8ff515abp-120), 0x12905e4ee54a71p-111), -0xc656d4426204dp-102),
        0x1a3ab334fc1427p-95), -0xaa4e7c4b8e027p-86), 0x196551dc3d73fp-76), -0xa794a034a6691p-72),
        0xadd179052ad5bp-66), -0xbe165036c71bp-57), 0x834c916e5787p-53), 0x870a5f5d04f4bp-54);
}
/* same with z2, of x-6, [-2.0, 2.0]: 1.95e-9 */
__WM_FN float __wm_p_y1b(float x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(0x9f2485p-52f, -0x916d19p-50f),
        -0x45c871p-44f), 0x7e22c7p-44f), 0x9a1fbdp-39f), 0x3ddec3p-42f), -0xd4d91dp-34f),
        -0x3c0739p-32f), 0x98d3b5p-29f), 0xa1283p-25f), -0x945f3dp-26f);
}
/* same with z2, of x-6, [-2.0, 2.0]: 1.29e-21 */
__WM_FN double __wm_p_y1b(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        -0x162ab19f8b31f9p-121, 0x1d79f8d0f75b31p-118), 0x125c57dcc13bcbp-112),
        -0x1614d4e8214cdfp-109), -0x179e8a31620323p-104), 0x63bfa2a7ce975p-99),
        0x17f6eb5b46bbd5p-96), -0x154cccfac27247p-93), -0x12a2cfc3569e99p-88),
        0x33e5484d3a561p-83), 0x55c1cf6c10615p-79), -0x289f0a7b0b559p-76), -0x117e57816af55dp-74),
        0x3f97e0c79d49bp-71), 0x9a22660bd585fp-67), 0x7ad3c0a678c83p-71), -0x1a9b258e59e723p-63),
        -0x3c0724436bf51p-60), 0x4c69da9eba449p-56), 0x142505ecb4e66dp-58),
        -0x128be7a44a179fp-55);
}
/* pi/2 x (J0^2+Y0^2) of 1/x^2, [1.0e-7, 0.015625]: 1.68e-10 */
__WM_FN float __wm_p_mod0(float x) {
    return __H(__H(__H(__H(0x1afb8fp-18f, -0x853b95p-23f), 0x35ec7p-20f), -0x3fffedp-25f),
        0x1p0f);
}
/* pi/2 x (J0^2+Y0^2) of 1/x^2, [1.0e-7, 0.015625]: 1.74e-15 */
__WM_FN double __wm_p_mod0(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(-0x15f8f4751a9545p-28, 0x24a75604f500dp-28),
        -0x1eee2a2395aa07p-36), 0x9e6f0de3de483p-39), -0x1a312cece6e227p-45),
        0x17838a816a8a2bp-49), -0x8c9e999572f8dp-51), 0x1affff94ac1df1p-55),
        -0x1fffffffe68d95p-56), 0x1ffffffffffffp-49);
}
/* x (phase0 - x + c) of 1/x^2, [1.0e-7, 0.015625]: 2.92e-9 */
__WM_FN float __wm_p_phase0(float x) {
    return __H(__H(__H(__H(-0xbe7f49p-20f, 0x18269fp-20f), -0xd5edc3p-26f), 0x8554bp-23f),
        -0x1p-3f);
}
/* x (phase0 - x + c) of 1/x^2, [1.0e-7, 0.015625]: 5.12e-14 */
__WM_FN double __wm_p_phase0(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(0x1259209ae928fp-22, -0x3ba34a3450d29p-27),
        0x6009c86fbd78bp-32), -0xe1c6090bdb783p-38), 0x408eb4e5efdabp-41), -0x17676a3ce08e47p-48),
        0xd1a6f2e8457a1p-51), -0xd6998d350d979p-54), 0x8555555266b5fp-55), -0xfffffffffff11p-55);
}
/* pi/2 x (J1^2+Y1^2) of 1/x^2, [1.0e-7, 0.015625]: 2.11e-10 */
__WM_FN float __wm_p_mod1(float x) {
    return __H(__H(__H(__H(-0x11cd69p-17f, 0xbba71fp-23f), -0xb3cf1p-21f), 0x17fffdp-22f),
        0x1p0f);
}
/* pi/2 x (J1^2+Y1^2) of 1/x^2, [1.0e-7, 0.015625]: 1.99e-15 */
__WM_FN double __wm_p_mod1(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(0x196feed45dcd97p-28, -0x154de9483afecfp-31),
        0x243cc633e1757p-32), -0x178f6b85bbf015p-40), 0x8042eff3de1d3p-43), -0x78f34e83234cbp-47),
        0x626f33746447dp-50), -0x167fffc2b84a39p-54), 0x17fffffff8bbcbp-54),
        0x10000000000009p-52);
}
/* x (phase1 - x + c) of 1/x^2, [1.0e-7, 0.015625]: 1.24e-9 */
__WM_FN float __wm_p_phase1(float x) {
    return __H(__H(__H(__H(0x80f05bp-19f, -0x8d3ce1p-22f), 0xbd7971p-25f), -0xa7ff97p-26f),
        0x3p-3f);
}
/* x (phase1 - x + c) of 1/x^2, [1.0e-7, 0.015625]: 1.96e-14 */
__WM_FN double __wm_p_phase1(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(-0x155b3ce5c1ade7p-26, 0x8b6ab39922a1dp-28),
        -0x1c4970602f0a5p-30), 0x10e325f290ca05p-38), -0x13ea0d3508b56bp-43),
        0x1e8ae379fa2639p-48), -0x12f4279e6d959dp-51), 0x17bccbe96fd4a9p-54),
        -0x14ffffffca30b9p-55), 0x17ffffffffff77p-54);
}
/* I0(x) of x^2, [1.0e-8, 100.0]: 1.21e-9 */
__WM_FN float __wm_p_i0a(float x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(0x676385p-103f, 0x47a719p-98f),
        0xe3fbfp-83f), 0xf23165p-79f), 0x2b2eedp-68f), 0xa85b4bp-62f), 0x40c6abp-53f),
        0x1233c5p-44f), 0x71c7a3p-40f), 0x38e385p-33f), 0x800003p-29f), 0xffffffp-26f), 0x1p0f);
}
/* I0(x) of x^2, [1.0e-8, 100.0]: 1.49e-17 */
__WM_FN double __wm_p_i0a(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        0x4fbdeb77c2865p-180, 0xdc0e3ef4ceafbp-173), 0x18e829225a713dp-163),
        0x137e26e151efd3p-153), 0x7a2a915e103d5p-142), 0xa0ba6ff6e1b8bp-133),
        0xb4e7a3dc3a2cdp-124), 0x156010f1309e5dp-116), 0x10b313bdb9a45bp-107),
        0x548a90b8b0897p-97), 0x1522a440de89p-83), 0x81742e0391871p-82), 0x91a2b3c4e60dp-71),
        0x71c71c71c6301p-68), 0x38e38e38e3967p-61), 0x1fffffffffffb3p-59), 0x8000000000001p-53),
        0x1p0);
}
/* exp(-x) sqrt(x) I0(x) of 1/x, [0.0001, 0.1]: 1.63e-9 */
__WM_FN float __wm_p_i0b(float x) {
    return __H(__H(__H(__H(__H(0x3f4b27p-24f, 0xb885e3p-29f), 0xf9ef31p-29f), 0x1cb0dbp-26f),
        0xcc4277p-28f), 0x662115p-24f);
}
/* exp(-x) sqrt(x) I0(x) of 1/x, [0.0001, 0.1]: 2.59e-17 */
__WM_FN double __wm_p_i0b(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        0x6c94d56c78b57p-7, -0xe6959c04cddafp-8), 0xdc00ce2c899bdp-9), -0x3e9bb8c729749p-9),
        0x5f3526f75d645p-12), -0x19a847202f4561p-17), 0x144d7b93f4379p-16),
        -0x181613fd1f4b69p-24), 0x15ab8f5918c35fp-28), -0x76c86212b9415p-31),
        0x7bc435021dff3p-36), -0xc1aa545422d83p-42), 0x1dae224b2c3c71p-49), 0x55476919dcee3p-55),
        0xbd15e6588a4bfp-55), 0x2dce2289d64b5p-54), 0x1debb3c0ba81d7p-58), 0xe5ca6ec78b0dp-53),
        0x19884533d45babp-57), 0x19884533d4365p-50);
}
/* I1(x)/x of x^2, [1.0e-8, 100.0]: 1.02e-10 */
__WM_FN float __wm_p_i1a(float x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(0x3ba49dp-107f, 0x7d2a31p-102f),
        0x9b780fp-91f), 0xc82385p-83f), 0x9847e7p-74f), 0xa8b02dp-66f), 0x4a0013p-57f),
        0x6115e7p-50f), 0x5b05d5p-43f), 0xe38e2fp-38f), 0xaaaaabp-32f), 0x1p-4f), 0x1p-1f);
}
/* I1(x)/x of x^2, [1.0e-8, 100.0]: 8.13e-19 */
__WM_FN double __wm_p_i1a(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        0x88d7727133b33p-186, 0x1bfcb599768f45p-179), 0x187f8035e4722fp-168),
        0xa71c1f13ec335p-157), 0x116fdc5828b9dbp-148), 0xc5d8efec67e2dp-138),
        0x7899d35f35127p-128), 0xf8bb1a4d3688dp-120), 0xd5c0f90a6772dp-111),
        0x12c97586a52df9p-103), 0x548a90fffdcf1p-93), 0x127e4fb76f147dp-87), 0xc22e450679225p-79),
        0x16c16c16c16005p-73), 0x1c71c71c71c7f3p-67), 0x1555555555554dp-61), 0x1p-4), 0x1p-1);
}
/* exp(-x) sqrt(x) I1(x) of 1/x, [0.0001, 0.1]: 1.93e-9 */
__WM_FN float __wm_p_i1b(float x) {
    return __H(__H(__H(__H(__H(-0x12a751p-22f, -0x832cb9p-28f), -0xad9b2fp-28f), -0xbf5763p-28f),
        -0x9931b5p-26f), 0x662115p-24f);
}
/* exp(-x) sqrt(x) I1(x) of 1/x, [0.0001, 0.1]: 2.77e-17 */
__WM_FN double __wm_p_i1b(double x) {
    return __H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(__H(
        -0x1a5fc3a6269e75p-9, 0x1c4935c6ad1e8dp-9), -0xd9994d1cd564fp-9), 0xf93bc11e013c9p-11),
        -0x2f9c360aa5e51p-11), 0x19c34b4f2e3d7fp-17), -0x1473b4e16e9443p-20),
        0xc29ea879bd879p-23), -0xaf7aaa0b44c0dp-27), 0x1e1cd6081e14c5p-33),
        -0x1f6ca000be31b3p-38), 0xc4db1862e9fd3p-42), -0x1e660c9bc27e8fp-49),
        -0x1464ddb85172bp-52), -0x1ccc6fbde6c6b7p-56), -0x1d7298ecbd9e3bp-57),
        -0xa78e50fb94725p-56), -0x17efc0dfe4a89fp-57), -0x132633e6df3245p-55),
        0x19884533d43651p-54);
}

/* Word `i - 2` of the binary digits of 2/pi; words 0 and 1 are 0. */
__WM_FN unsigned __wm_two_over_pi_float(int i) {
    static const unsigned digits[] = {0u, 0u,
        0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
        0xdebbc561u};
    return digits[i];
}
__WM_FN unsigned __wm_two_over_pi_double(int i) {
    static const unsigned digits[] = {0u, 0u,
        0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
        0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
        0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
        0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
        0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u,
        0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du};
    return digits[i];
}

#endif
