// `assay check` of functions of the host that launch kernels.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"
#include "cli/test/test_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ranges>
#include <string>
#include <vector>

namespace assay::cli::test {

TEST(CheckedLaunches, pass_where_the_derivatives_of_kernels_and_copies_are_right) {
  const Workplace place;
  for (const std::string &level : optimisation_levels()) {
    const Outcome outcome = place.assay("check " + program("checked_launches.cu") +
                                        " --function diffused --arg 'double[6]' --arg int=6 --arg " +
                                        "double --seconds 4 --opt-level " + level);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_THAT(outcome.output, testing::HasSubstr(" passed"));
    EXPECT_THAT(outcome.output, testing::Not(testing::HasSubstr("no checked function uses the rule")));
  }
}

TEST(CheckedLaunches, pass_where_numbers_are_copied_to_structs_of_them_and_back) {
  const Workplace place;
  const Outcome outcome = place.assay("check " + program("checked_launches.cu") +
                                      " --function turned --arg 'double[12]' --arg double --seconds 4");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, testing::HasSubstr(" 0 failed, 0 undecided"));
}

/// Would catch: movements that are lost between the host and its kernels, or where derivatives run these.
TEST(CheckedLaunches, are_followed_by_wide_arithmetic) {
  const Workplace place;
  const std::string functions = " --function in_rows --arg 'double[6]:log(1e-7,1e-2)'"
                                " --function shuffled --arg 'double[6]' --arg int=6"
                                " --function weighted --arg 'double[4]' --arg 'double[4]'"
                                " --function cancelled --arg 'double[6]:log(1e-7,1e-2)' --arg int=6";
  for (const std::string &level : optimisation_levels()) {
    const Outcome outcome = place.assay("check " + program("followed_launches.cu") + functions + " --seconds 4" +
                                        by_default(" --mode reverse --budget 1") + " --opt-level " + level);
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
    EXPECT_THAT(outcome.output, testing::ContainsRegex("(by wide arithmetic(.|\n)*){4}"));
    EXPECT_THAT(outcome.output, testing::Not(testing::HasSubstr("finite differences")));
  }
}

TEST(CheckedLaunches, fail_where_the_derivative_of_a_kernel_is_wrong) {
  const Workplace place;
  const Outcome outcome = place.assay("check " + program("checked_launches.cu") +
                                      " --function blurred --arg 'double[6]' --arg int=6 --mode reverse --seconds 4 "
                                      "--reproducer out");
  EXPECT_EQ(outcome.code, 1) << outcome.errors;
  EXPECT_THAT(outcome.output, testing::HasSubstr("wrong derivative"));
  EXPECT_THAT(outcome.output, testing::HasSubstr("blur: the derivative of not_blur, by ASSAY_LAUNCH"));
  const std::string label = "alone       ";
  const std::size_t begin = outcome.output.find(label);
  ASSERT_NE(begin, std::string::npos) << outcome.output;
  const std::string words = outcome.output.substr(begin + label.size());
  if (campaign_size(0, 1) == 0)
    return;
  const Outcome again = place.shell(words.substr(0, words.find('\n')));
  EXPECT_EQ(again.code, 1) << again.errors;
  EXPECT_THAT(again.output, testing::HasSubstr("wrong derivative"));
}

/// Would catch: wrong kernels whose derivatives agree with what the emulation makes of them.
TEST(CheckedLaunches, fail_where_threads_race_or_write_behind_a_buffer) {
  const Workplace place;
  place.write("wrong.cu", "#include <assay/gpu/host.hpp>\n"
                          "__global__ void add(const double *x, double *sums) {\n"
                          "  sums[threadIdx.x % 2] += x[threadIdx.x] * x[threadIdx.x]; }\n"
                          "__global__ void square(const double *x, double *y) { y[threadIdx.x] = x[0] * x[1]; }\n"
                          "ASSAY_LAUNCH(add);\n"
                          "ASSAY_LAUNCH(square);\n"
                          "double run(const double *in, void (*launch)(const double *, double *)) {\n"
                          "  double *x, *y, result[2];\n"
                          "  cudaMalloc(&x, 4 * 8); cudaMalloc(&y, 2 * 8);\n"
                          "  cudaMemcpy(x, in, 4 * 8, cudaMemcpyHostToDevice); cudaMemset(y, 0, 2 * 8);\n"
                          "  launch(x, y);\n"
                          "  cudaMemcpy(result, y, sizeof result, cudaMemcpyDeviceToHost);\n"
                          "  cudaFree(x); cudaFree(y);\n"
                          "  return result[0] * result[1];\n"
                          "}\n"
                          "double raced(const double *x) {\n"
                          "  return run(x, [](const double *a, double *b) { add<<<1, 4>>>(a, b); }); }\n"
                          "double beyond(const double *x) {\n"
                          "  return run(x, [](const double *a, double *b) { square<<<1, 3>>>(a, b); }); }\n");
  const std::vector<std::pair<std::string, const char *>> functions = {
      {"raced", "race in kernel add on buffer of 16 bytes: "},
      {"beyond", "access out of bounds: write of 8 bytes at wrong.cu:4 "}};
  for (const auto &[function, reason] : functions | std::views::take(campaign_size(1, 2))) {
    const Outcome outcome =
        place.assay("check wrong.cu --function " + function + " --arg 'double[4]' --mode forward --seconds 4");
    EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
    EXPECT_THAT(outcome.output, testing::HasSubstr(reason));
  }
}

/// Would catch: rules and names of kernels that a source has to have itself.
TEST(CheckedLaunches, are_in_programs_without_headers_of_assay) {
  const Workplace place;
  place.write("size.h", "#define COUNT 4\n");
  place.write("plain.cu",
              "#include \"size.h\"\n"
              "namespace {\n"
              "__global__ void scale(double *x, double a, int n) { if (threadIdx.x < n) x[threadIdx.x] *= a; }\n"
              "}\n"
              "namespace app {\n"
              "template <class T, int K> __global__ void power(T *x, int n) {\n"
              "  if (threadIdx.x < n) { T y = 1; for (int k = 0; k < K; ++k) y *= x[threadIdx.x];\n"
              "    x[threadIdx.x] = y; } }\n"
              "__global__ void count(int *c) { atomicAdd(c, 1); }\n"
              "}\n"
              "double run(const double *x) {\n"
              "  double *d, out[COUNT]; int *c;\n"
              "  cudaMalloc(&d, COUNT * sizeof(double)); cudaMalloc(&c, sizeof(int));\n"
              "  cudaMemcpy(d, x, COUNT * sizeof(double), cudaMemcpyHostToDevice);\n"
              "  scale<<<1, 32>>>(d, 3.0, COUNT);\n"
              "  app::power<double, 3><<<1, 32>>>(d, COUNT);\n"
              "  app::count<<<1, 32>>>(c);\n"
              "  cudaMemcpy(out, d, COUNT * sizeof(double), cudaMemcpyDeviceToHost);\n"
              "  cudaFree(d); cudaFree(c);\n"
              "  return out[0] * out[1] + out[2] * out[3];\n"
              "}\n");
  const Outcome outcome = place.assay("check plain.cu --function run --arg 'double[4]' --mode reverse --seconds 4");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.output, testing::HasSubstr("by wide arithmetic"));
}

/// Would catch: one kernel without a derivative that takes those of all others away.
TEST(CheckedLaunches, need_derivatives_of_the_kernels_that_they_launch_alone) {
  const Workplace place;
  place.write("odd.cu", "__global__ void odd(double *x) {\n"
                        "  asm volatile(\"unknown.f64 %0, %0;\" : \"+d\"(x[threadIdx.x])); }\n"
                        "__global__ void square(double *x) { x[threadIdx.x] *= x[threadIdx.x]; }\n"
                        "double run(const double *x) {\n"
                        "  double *d, out[2];\n"
                        "  cudaMalloc(&d, sizeof out);\n"
                        "  cudaMemcpy(d, x, sizeof out, cudaMemcpyHostToDevice);\n"
                        "  square<<<1, 2>>>(d);\n"
                        "  cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);\n"
                        "  cudaFree(d);\n"
                        "  return out[0] * out[1];\n"
                        "}\n"
                        "void other(double *d) { odd<<<1, 2>>>(d); }\n");
  const Outcome outcome =
      place.assay("check odd.cu --function run --arg 'double[2]' --plain --mode forward --budget 1 --seconds 4");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_THAT(outcome.errors, testing::HasSubstr("odd.cu: the kernel odd has no derivative: odd.cu:2:"));
}

TEST(CheckedLaunches, fail_where_a_kernel_is_not_launched_and_nobody_asks) {
  const Workplace place;
  place.write("large.cu", "__global__ void scale(double *x) { x[threadIdx.x % 2] = 3; }\n"
                          "double run(const double *x, int asks) {\n"
                          "  double *d, out[2];\n"
                          "  cudaMalloc(&d, sizeof out);\n"
                          "  cudaMemcpy(d, x, sizeof out, cudaMemcpyHostToDevice);\n"
                          "  scale<<<1, 2048>>>(d);\n"
                          "  if (asks) cudaGetLastError();\n"
                          "  cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);\n"
                          "  cudaFree(d);\n"
                          "  return out[0] * out[1];\n"
                          "}\n");
  const std::string check = "check large.cu --function run --arg 'double[2]' --mode forward --seconds 4 --arg ";
  const Outcome unasked = place.assay(check + "int=0");
  EXPECT_EQ(unasked.code, 1) << unasked.output << unasked.errors;
  EXPECT_THAT(unasked.output, testing::HasSubstr("the kernel scale does not run, and nobody asks for the error: a "
                                                 "block has at most 1024 threads (1024, 1024, 64), not 2048"));
  if (campaign_size(0, 1) == 1)
    EXPECT_EQ(place.assay(check + "int=1").code, 0);
}

TEST(CheckedLaunches, need_no_number_of_threads_which_code_of_the_device_does) {
  const Workplace place;
  const Outcome of_device =
      place.assay("check " + program("checked_launches.cu") + " --function not_blur --arg 'double[6]'");
  EXPECT_EQ(of_device.code, 2);
  EXPECT_THAT(of_device.errors, testing::HasSubstr("is device code: say how many threads run it"));
  const Outcome of_host = place.assay("check " + program("checked_launches.cu") +
                                      " --function diffused --launch '<<<1,1>>>' --arg 'double[6]'");
  EXPECT_EQ(of_host.code, 2);
  EXPECT_THAT(of_host.errors, testing::HasSubstr("no function 'diffused'"));
}

TEST(CheckedLaunches, keep_tables_of_functions_without_a_derivative_that_are_static) {
  const Workplace place;
  place.write("streams.cu", "#include <assay/gpu/host.hpp>\n"
                            "double twice(const double *x) {\n"
                            "  struct { double value; cudaStream_t stream; } both{x[0], nullptr};\n"
                            "  cudaStreamCreate(&both.stream);\n"
                            "  cudaStreamDestroy(both.stream);\n"
                            "  return both.value * x[1];\n"
                            "}\n");
  const Outcome outcome = place.assay("check streams.cu --function twice --arg 'double[2]' --seconds 4");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
}

} // namespace assay::cli::test
