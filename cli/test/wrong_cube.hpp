#pragma once
// A function whose rules miss a factor, as C source.

namespace assay::cli::test {

/// `cube` in seven lines.
inline constexpr const char *wrong_cube =
    "double cube(double x) { return x * x * x; }\n"
    "struct augmented { void *tape; double primal; };\n"
    "struct augmented cube_augmented(double x) { struct augmented r = {0, cube(x)}; return r; }\n"
    "double cube_reverse(double x, double seed, void *tape) { return x * x * seed; }\n"
    "double cube_forward(double x, double dx) { return 2 * x * x * dx; }\n"
    "void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)cube_augmented, (void *)cube_reverse};\n"
    "void *__enzyme_register_derivative_cube[] = {(void *)cube, (void *)cube_forward};\n";

} // namespace assay::cli::test
