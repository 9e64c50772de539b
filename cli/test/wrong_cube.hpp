#pragma once
// Functions with wrong rules, as C source.

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

/// `cube`, whose rule keeps its argument and frees nothing.
inline constexpr const char *cube_that_loses_memory =
    "#include <stdlib.h>\n"
    "double cube(double x) { return x * x * x; }\n"
    "struct augmented { void *tape; double primal; };\n"
    "struct augmented cube_augmented(double x) {\n"
    "  double *kept = malloc(sizeof(double));\n  *kept = x;\n"
    "  struct augmented r = {kept, cube(x)};\n  return r; }\n"
    "double cube_reverse(double x, double seed, void *tape) { return 3 * x * *(double *)tape * seed; }\n"
    "void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)cube_augmented, (void *)cube_reverse};\n";

/// `squares`, whose rule reads its argument in the reverse sweep.
inline constexpr const char *squares_without_tape =
    "double squares(const double *x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += x[i] * x[i]; return s; }\n"
    "struct augmented { void *tape; double primal; };\n"
    "struct augmented squares_augmented(const double *x, double *dx, int n) {\n"
    "  struct augmented r = {0, squares(x, n)}; return r; }\n"
    "void squares_reverse(const double *x, double *dx, int n, double seed, void *tape) {\n"
    "  for (int i = 0; i < n; ++i) dx[i] += 2 * x[i] * seed; }\n"
    "void *__enzyme_register_gradient_squares[] = {(void *)squares, (void *)squares_augmented, "
    "(void *)squares_reverse};\n";

} // namespace assay::cli::test
