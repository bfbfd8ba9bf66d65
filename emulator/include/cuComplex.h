// CUDA's types and functions for complex numbers, in C's style. Source: the names of CUDA's cuComplex.h.
#pragma once

#include <cmath>

#include "cuda_runtime.h"

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

#define CUDABOOK_COMPLEX(letter, Complex, Real)                                            \
    inline Complex make_##Complex(Real real, Real imaginary) { return {real, imaginary}; } \
    inline Real cuCreal##letter(Complex z) { return z.x; }                                 \
    inline Real cuCimag##letter(Complex z) { return z.y; }                                 \
    inline Complex cuConj##letter(Complex z) { return {z.x, -z.y}; }                       \
    inline Complex cuCadd##letter(Complex a, Complex b) { return {a.x + b.x, a.y + b.y}; } \
    inline Complex cuCsub##letter(Complex a, Complex b) { return {a.x - b.x, a.y - b.y}; } \
    inline Complex cuCmul##letter(Complex a, Complex b) {                                  \
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                             \
    }                                                                                      \
    inline Complex cuCdiv##letter(Complex a, Complex b) {                                  \
        const Real squared = b.x * b.x + b.y * b.y;                                        \
        return {(a.x * b.x + a.y * b.y) / squared, (a.y * b.x - a.x * b.y) / squared};     \
    }                                                                                      \
    inline Real cuCabs##letter(Complex z) { return std::hypot(z.x, z.y); }                 \
    inline Complex cuCfma##letter(Complex a, Complex b, Complex c) {                       \
        return cuCadd##letter(cuCmul##letter(a, b), c);                                    \
    }
CUDABOOK_COMPLEX(f, cuFloatComplex, float)
CUDABOOK_COMPLEX(, cuDoubleComplex, double)
#undef CUDABOOK_COMPLEX

inline cuComplex make_cuComplex(float real, float imaginary) { return {real, imaginary}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return {z.x, z.y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return {static_cast<float>(z.x), static_cast<float>(z.y)};
}
