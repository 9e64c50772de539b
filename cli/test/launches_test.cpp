// Derivatives of launches in code of the host: what they find in memory of the device, and where they cannot be
// launched.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"
#include "cli/test/test_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace assay::cli::test {

namespace {

/// The program compares its derivatives itself.
void expect_no_wrong_derivative(const std::string &name) {
  const Workplace place;
  for (const std::string &level : optimisation_levels()) {
    const Outcome outcome = place.assay("emulate " + program(name) + " --opt-level " + level);
    EXPECT_EQ(outcome.output, "wrong 0 no error\n") << outcome.errors;
  }
}

} // namespace

TEST(Launches, runs_derivatives_that_pass_through_variables_of_the_device) {
  expect_no_wrong_derivative("device_variables_gradient.cu");
}

TEST(Launches, runs_derivatives_of_kernels_that_reach_memory_through_pointers_in_memory) {
  expect_no_wrong_derivative("reached_memory_gradient.cu");
}

TEST(Launches, differentiates_kernels_as_they_are_with_objects_that_hold_pointers) {
  expect_no_wrong_derivative("kernel_objects_gradient.cu");
}

/// Would catch: a shadow of dynamic shared memory that begins within the kernel's own part, because its bytes are no
/// multiple of 16 or because a derivative of the same file has more shadows.
TEST(Launches, differentiates_kernels_with_odd_dynamic_memory_beside_derivatives_of_several_lanes) {
  const Workplace place;
  place.write("odd.cu", "#include <array>\n"
                        "#include <assay/autodiff.hpp>\n"
                        "#include <assay/gpu.hpp>\n"
                        "#include <assay/gpu/host.hpp>\n"
                        "#include <cstdio>\n"
                        "__device__ void turned(double *x) {\n"
                        "  extern __shared__ double s[];\n"
                        "  s[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];\n"
                        "  __syncthreads();\n"
                        "  x[threadIdx.x] = s[4 - threadIdx.x];\n"
                        "}\n"
                        "__global__ void turn(double *x) { turned(x); }\n"
                        "ASSAY_LAUNCH(turn);\n"
                        "__global__ void tangents(double *x, double *a, double *b) {\n"
                        "  assay::autodiff_deferred<assay::Forward>(\n"
                        "      turned, assay::BatchDuplicated{x, std::array<double *, 2>{a, b}});\n"
                        "}\n"
                        "double run(const double *in) {\n"
                        "  double *x, y[5];\n"
                        "  cudaMalloc(&x, sizeof y); cudaMemcpy(x, in, sizeof y, cudaMemcpyHostToDevice);\n"
                        "  turn<<<1, 5, sizeof y>>>(x);\n"
                        "  cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost); cudaFree(x);\n"
                        "  return y[0] + 2 * y[1] + 3 * y[2] + 4 * y[3] + 5 * y[4];\n"
                        "}\n"
                        "int main() { const double x[5] = {1, 2, 3, 4, 5}; double d[5] = {};\n"
                        "  assay::autodiff<assay::Reverse>(run, assay::Duplicated{x, d});\n"
                        "  const double t = assay::autodiff<assay::Forward>(run, assay::Duplicated{x, x}).derivative;\n"
                        "  std::printf(\"%g %g %g %g %g, %g\\n\", d[0], d[1], d[2], d[3], d[4], t); }\n");
  const Outcome outcome = place.assay("emulate odd.cu");
  EXPECT_EQ(outcome.output, "10 16 18 16 10, 210\n") << outcome.errors;
}

TEST(Launches, names_the_header_that_a_program_does_not_include) {
  const Workplace place;
  place.write("plain.cu",
              "#include <assay/autodiff.hpp>\n"
              "double sum(const double *x) {\n"
              "  double *d, y[2];\n"
              "  cudaMalloc(&d, sizeof y);\n"
              "  cudaMemcpy(d, x, sizeof y, cudaMemcpyHostToDevice);\n"
              "  cudaMemcpy(y, d, sizeof y, cudaMemcpyDeviceToHost);\n"
              "  cudaFree(d);\n"
              "  return y[0] * y[1];\n"
              "}\n"
              "int main() {\n"
              "  double x[2] = {2, 3}, dx[2] = {};\n"
              "  assay::autodiff<assay::Reverse>(sum, assay::Duplicated{(const double *)x, (double *)dx});\n"
              "}\n");
  const Outcome outcome = place.assay("emulate plain.cu");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, testing::HasSubstr("include <assay/gpu/host.hpp>"));
}

TEST(Launches, stops_where_a_number_with_a_derivative_is_in_an_object_whose_fields_cannot_be_seen) {
  const Workplace place;
  place.write("hidden.cu", "#include <assay/autodiff.hpp>\n"
                           "#include <assay/gpu/host.hpp>\n"
                           "class Scaled { double *x_; double factor_;\n"
                           "public: Scaled(double *x, double factor) : x_(x), factor_(factor) {}\n"
                           "  __device__ void scale() const { *x_ *= factor_; } };\n"
                           "__global__ void scale(Scaled s) { s.scale(); }\n"
                           "ASSAY_LAUNCH(scale);\n"
                           "double run(const double *in, double factor) {\n"
                           "  double *x, y;\n"
                           "  cudaMalloc(&x, 8); cudaMemcpy(x, in, 8, cudaMemcpyHostToDevice);\n"
                           "  scale<<<1, 1>>>(Scaled(x, factor));\n"
                           "  cudaMemcpy(&y, x, 8, cudaMemcpyDeviceToHost);\n"
                           "  return y;\n"
                           "}\n"
                           "int main() { const double x = 1; double d = 0;\n"
                           "assay::autodiff<assay::Reverse>(run, assay::Duplicated{&x, &d}, assay::Active{2.0}); }\n");
  const Outcome outcome = place.assay("emulate hidden.cu");
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.errors, testing::HasSubstr("whose fields cannot be seen: give it public fields"));
}

TEST(Launches, stops_where_active_numbers_go_to_a_variable_without_a_shadow) {
  const Workplace place;
  place.write("host.cu", "#include <assay/autodiff.hpp>\n"
                         "#include <assay/gpu/host.hpp>\n"
                         "__constant__ double factors[1];\n"
                         "__global__ void times_kernel(double *x) { *x *= factors[0]; }\n"
                         "ASSAY_LAUNCH(times_kernel);\n"
                         "double run(const double *in) {\n"
                         "  double *x, y;\n"
                         "  cudaMalloc(&x, 8); cudaMemcpy(x, in, 8, cudaMemcpyHostToDevice);\n"
                         "  cudaMemcpyToSymbol(factors, in, 8);\n"
                         "  times_kernel<<<1, 1>>>(x);\n"
                         "  cudaMemcpy(&y, x, 8, cudaMemcpyDeviceToHost);\n"
                         "  return y;\n"
                         "}\n"
                         "int main() { const double x = 1; double d = 0;\n"
                         "assay::autodiff<assay::Reverse>(run, assay::Duplicated{&x, &d}); }\n");
  const Outcome outcome = place.assay("emulate host.cu");
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.errors, testing::HasSubstr("to a variable of the device that has no shadow"));
}

TEST(Launches, stops_where_a_device_has_not_as_much_shared_memory_as_the_derivative_takes) {
  const Workplace place;
  place.write("shared.cu",
              "#include <assay/autodiff.hpp>\n"
              "#include <assay/gpu/host.hpp>\n"
              "#include <cstdio>\n"
              "constexpr int bytes = 150000;\n" // A device has less than twice as much.
              "__device__ void turn(double *x) {\n"
              "  extern __shared__ double s[];\n"
              "  s[threadIdx.x] = x[threadIdx.x];\n"
              "  __syncthreads();\n"
              "  x[threadIdx.x] *= s[1 - threadIdx.x];\n"
              "}\n"
              "__global__ void turn_kernel(double *x) { turn(x); }\n"
              "ASSAY_LAUNCH(turn_kernel, turn);\n"
              "double run(const double *in) {\n"
              "  double *x, y;\n"
              "  cudaMalloc(&x, 16); cudaMemcpy(x, in, 16, cudaMemcpyHostToDevice);\n"
              "  cudaFuncSetAttribute(turn_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);\n"
              "  turn_kernel<<<1, 2, bytes>>>(x);\n"
              "  cudaMemcpy(&y, x, 8, cudaMemcpyDeviceToHost); cudaFree(x);\n"
              "  return y;\n"
              "}\n"
              "int main(int, char **words) {\n"
              "  const double x[2] = {2, 3}, v[2] = {1, 1}; double d[2] = {};\n"
              "  std::printf(\"%g\\n\", run(x)); std::fflush(stdout);\n"
              "  if (words[1][0] == 'f') assay::autodiff<assay::Forward>(run, assay::Duplicated{&x[0], &v[0]});\n"
              "  assay::autodiff<assay::Reverse>(run, assay::Duplicated{&x[0], &d[0]});\n"
              "}\n");
  ASSERT_EQ(place.assay("emulate shared.cu --output shared").code, 0);
  for (const std::string mode : {"forward", "reverse"}) {
    const Outcome outcome = place.shell("./shared " + mode);
    EXPECT_NE(outcome.code, 0);
    EXPECT_EQ(outcome.output, "6\n");
    EXPECT_THAT(outcome.errors, testing::HasSubstr("twice its dynamic shared memory"));
  }
}

// A program that asks for no blocks gets an error that it does not look at.
TEST(Launches, leaves_out_what_the_kernel_itself_could_not_launch) {
  const Workplace place;
  place.write("empty.cu",
              "#include <assay/autodiff.hpp>\n"
              "#include <assay/gpu/host.hpp>\n"
              "#include <cstdio>\n"
              "__device__ void square(double *x) { x[0] *= x[0]; }\n"
              "__global__ void square_kernel(double *x) { square(x); }\n"
              "ASSAY_LAUNCH(square_kernel, square);\n"
              "double run(const double *in) {\n"
              "  double *x, y;\n"
              "  cudaMalloc(&x, 8); cudaMemcpy(x, in, 8, cudaMemcpyHostToDevice);\n"
              "  for (int blocks = 0; blocks < 2; ++blocks) square_kernel<<<blocks, 1>>>(x);\n"
              "  cudaMemcpy(&y, x, 8, cudaMemcpyDeviceToHost); cudaFree(x);\n"
              "  return y;\n"
              "}\n"
              "int main() {\n"
              "  const double x = 3, v = 1; double d = 0;\n"
              "  const double t = assay::autodiff<assay::Forward>(run, assay::Duplicated{&x, &v}).derivative;\n"
              "  assay::autodiff<assay::Reverse>(run, assay::Duplicated{&x, &d});\n"
              "  std::printf(\"%g %g\\n\", t, d);\n"
              "}\n");
  for (const std::string &level : optimisation_levels()) {
    const Outcome outcome = place.assay("emulate empty.cu --opt-level " + level);
    EXPECT_EQ(outcome.output, "6 6\n") << outcome.errors;
  }
}

} // namespace assay::cli::test
