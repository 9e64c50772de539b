// `assay check kernel.cu`: right kernels pass, wrong ones and wrong requests are said to be so.

#include "cli/cuda_machine.hpp"
#include "cli/device_check.hpp"
#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"
#include "core/jit/bad_request.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <ranges>
#include <string>

namespace assay::cli::test {

namespace {

using namespace std::string_literals;

const std::string saxpy = "__global__ void saxpy(const float *x, float a, float *y, int n) {\n"
                          "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                          "  if (i < n) y[i] = a * x[i] + y[i] * sinf(x[i]);\n"
                          "}\n";
const std::string saxpy_request = "--function saxpy --arg 'float[256]' --arg float --arg 'float[256]' --arg int=256 ";

const std::string block_sum = "__global__ void block_sum(const double *x, double *sums, int n) {\n"
                              "  __shared__ double part[64];\n"
                              "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                              "  part[threadIdx.x] = i < n ? x[i] * x[i] : 0;\n"
                              "  __syncthreads();\n"
                              "  for (int d = blockDim.x / 2; d > 0; d /= 2) {\n"
                              "    if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];\n"
                              "    BARRIER\n"
                              "  }\n"
                              "  if (threadIdx.x == 0) atomicAdd(sums, part[0] * part[0]);\n"
                              "}\n";
const std::string block_sum_request =
    "--function block_sum --launch '<<<4,64>>>' --arg 'double[256]' --arg 'double[1]' --arg int=256 ";

std::string with_barrier(std::string text, const std::string &barrier) {
  return text.replace(text.find("BARRIER"), 7, barrier);
}

Outcome check(const std::string &text, const std::string &words) {
  const Workplace place;
  place.write("k.cu", text);
  return place.assay("check k.cu " + words);
}

/// One line that has `part`, and the exit code of a request that cannot be used.
void expect_refused(const Outcome &outcome, const std::string &part) {
  EXPECT_EQ(outcome.code, 2) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.errors.find(part), std::string::npos) << outcome.errors;
  EXPECT_EQ(outcome.errors.find('\n'), outcome.errors.size() - 1) << outcome.errors;
}

void expect_found(const Outcome &outcome, const std::string &part) {
  EXPECT_EQ(outcome.code, 1) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.output.find(part), std::string::npos) << outcome.output;
}

} // namespace

TEST(KernelCheck, passes_a_kernel_with_a_scalar_that_all_threads_read) {
  for (const std::string &level : optimisation_levels()) {
    const Outcome outcome =
        check(saxpy, saxpy_request + "--launch '<<<4,64>>>' --seconds 0 --samples 1 --opt-level " + level);
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
    EXPECT_EQ(outcome.last_line(), "44 combinations checked, 44 passed, 0 failed, 0 undecided");
    EXPECT_NE(outcome.output.find("by wide arithmetic"), std::string::npos) << outcome.output;
  }
}

TEST(KernelCheck, passes_a_kernel_that_is_given_a_function) {
  const Outcome outcome = check("__device__ double square(double x) { return x * x; }\n"
                                "__global__ void map(double (*f)(double), double *x, int n) {\n"
                                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                "  if (i < n) x[i] = f(x[i]);\n"
                                "}\n",
                                "--function map --arg f=square --arg 'double[8]' --arg int=8 --launch '<<<2,4>>>' "
                                "--plain --samples 1");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.last_line().find(" 0 failed, 0 undecided"), std::string::npos) << outcome.output;
  expect_refused(check("", "--function map --launch '<<<2,4>>>' --arg f=square --write-test t.cu"),
                 "--arg 'f=square': a test program has no address of a function of the device");
}

TEST(KernelCheck, passes_a_reduction_with_shared_memory_barriers_and_atomics) {
  for (const std::string &level : optimisation_levels()) {
    const Outcome outcome = check(with_barrier(block_sum, "__syncthreads();"),
                                  block_sum_request + "--seconds 0 --samples 1 --opt-level " + level);
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
    EXPECT_EQ(outcome.last_line(), "36 combinations checked, 36 passed, 0 failed, 0 undecided");
  }
}

TEST(KernelCheck, says_at_which_lines_threads_meet_for_lack_of_a_barrier) {
  expect_found(check(with_barrier(block_sum, ""), block_sum_request),
               "race in kernel block_sum on shared array part of 512 bytes: read at k.cu:7 by thread");
}

TEST(KernelCheck, says_where_the_kernel_ran) {
  const Workplace place;
  place.write("k.cu", with_barrier(block_sum, ""));
  const Outcome outcome = place.assay("check k.cu " + block_sum_request + "--report=r");
  EXPECT_NE(outcome.output.find("width 1, on the emulated device"), std::string::npos) << outcome.output;
  EXPECT_EQ(place.shell("grep -c '\"backend\":\"emulated device\"' r/records.jsonl").code, 0);
}

TEST(KernelCheck, finds_the_order_of_threads_in_the_numbers_of_the_function) {
  expect_found(check("__global__ void last(const double *x, double *y) { y[0] = x[threadIdx.x]; }\n",
                     "--function last --launch '<<<1,64>>>' --arg 'double[64]' --arg 'double[1]'"),
               "race in kernel last on y of 8 bytes: write at k.cu:1");
}

TEST(KernelCheck, finds_what_is_read_beyond_a_buffer_by_name) {
  expect_found(
      check("__global__ void next(const double *x, double *y) {\n"
            "  y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x + 1];\n"
            "}\n",
            "--function next --launch '<<<1,64>>>' --arg 'double[64]' --arg 'double[64]'"),
      "access out of bounds: read of 8 bytes at k.cu:2 by thread (63, 0, 0) of block (0, 0, 0) in kernel next, "
      "from byte 512 of x of 512 bytes");
}

TEST(KernelCheck, gives_each_derivative_the_dynamic_shared_memory_that_it_needs) {
  const std::string mirror = "extern __shared__ double s[];\n"
                             "__global__ void k(const double *x, double *y) {\n"
                             "  s[threadIdx.x] = x[threadIdx.x];\n"
                             "  __syncthreads();\n"
                             "  y[threadIdx.x] = s[31 - threadIdx.x];\n"
                             "}\n";
  const std::string arguments = "--arg 'double[32]' --arg 'double[32]' --mode reverse --launch ";
  const Outcome some = check(mirror, "--function k " + arguments + "'<<<1,32,49152>>>'");
  EXPECT_EQ(some.code, 0) << some.output << some.errors;
  EXPECT_NE(some.output.find("combinations, those of width 4, 5, 8: with width 4 a block needs 245760 bytes of shared "
                             "memory, where a device has at most 232448"),
            std::string::npos)
      << some.output;
  const Outcome none = check(mirror, "--function k " + arguments + "'<<<1,32,131072>>>'");
  EXPECT_EQ(none.code, 2) << none.output << none.errors;
  EXPECT_NE(none.errors.find("no derivative of k fits: with the shadows a block needs 262144 bytes"), std::string::npos)
      << none.errors;
}

TEST(KernelCheck, finds_what_is_read_behind_the_dynamic_shared_memory_of_the_launch) {
  expect_refused(check("extern __shared__ double s[];\n"
                       "__global__ void k(const double *x, double *y) {\n"
                       "  s[threadIdx.x] = x[threadIdx.x];\n"
                       "  __syncthreads();\n"
                       "  y[threadIdx.x] = s[1 - threadIdx.x] * x[threadIdx.x];\n"
                       "}\n",
                       "--function k --launch '<<<1,2,8>>>' --arg 'double[2]' --arg 'double[2]' --mode reverse"),
                 "dynamic shared memory of 8 bytes");
}

TEST(KernelCheck, takes_shared_arrays_of_rules_for_no_state) {
  const Outcome outcome =
      check("__device__ __attribute__((noinline)) double twice(double x) { return 2 * x; }\n"
            "__device__ void twice_a(double x) {}\n"
            "__device__ double twice_r(double x, double dr) {\n"
            "  __shared__ double s[32];\n"
            "  s[threadIdx.x] = 2 * dr;\n"
            "  __syncthreads();\n"
            "  return s[threadIdx.x];\n"
            "}\n"
            "__device__ void *__enzyme_register_gradient_twice[] = {(void *)twice, (void *)twice_a, (void *)twice_r};\n"
            "__global__ void k(const double *x, double *y) { y[threadIdx.x] = twice(x[threadIdx.x]); }\n",
            "--function k --launch '<<<1,32>>>' --arg 'double[32]' --arg 'double[32]' --mode reverse --opt-level 0");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
}

TEST(KernelCheck, follows_halves_through_shuffles_and_pairs) {
  const std::string begin = "#include <cuda_fp16.h>\n"
                            "__global__ void k(const float *x, float *y) {\n"
                            "  int i = threadIdx.x;\n",
                    request = "--function k --launch '<<<1,32>>>' --arg 'float[32]' --arg 'float[32]' --mode reverse";
  for (const std::string body : {"  __half h = __float2half(x[i]);\n"
                                 "  h = __shfl_xor_sync(0xffffffffu, h, 1);\n"
                                 "  y[i] = __half2float(h);\n",
                                 "  __half2 p = __halves2half2(__float2half(x[i]), __float2half(0.5f));\n"
                                 "  p = __hfma2(p, p, p);\n"
                                 "  y[i] = __low2float(p) * __high2float(p);\n"}) {
    const Outcome outcome = check(begin + body + "}\n", request);
    EXPECT_EQ(outcome.code, 0) << body << outcome.output << outcome.errors;
  }
}

const std::string smooth =
    "enum class Kind : unsigned char { linear, square };\n"
    "struct Grid { int nx, ny; };\n"
    "struct Base { double scale; bool on; };\n"
    "struct Nothing {};\n"
    "template <class T> struct View : Base {\n"
    "  const T *in; T *out; Grid grid; T weights[2]; Kind kind; float3 shift;\n"
    "  __device__ T at(int i, int j) const { return in[j * grid.nx + i % grid.nx]; }\n"
    "};\n"
    "__global__ void smooth(View<double> v, Nothing, double gain, const float3 c) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x, j = threadIdx.y;\n"
    "  if (i >= v.grid.nx || j >= v.grid.ny) return;\n"
    "  double s = v.weights[0] * v.at(i, j) + v.weights[1] * v.at(i + 1, j);\n"
    "  if (v.kind == Kind::square) s *= s;\n"
    "  v.out[j * v.grid.nx + i] = v.on ? v.scale * s * gain + v.shift.x * v.shift.y : s + c.x * c.z;\n"
    "}\n";

TEST(KernelCheck, takes_structs_by_value_as_their_members) {
  const std::string request =
      "--function smooth --launch '<<<2,(2,3)>>>' --arg double --arg int=1 "
      "--arg 'double[v.grid.nx*v.grid.ny]' --arg 'double[v.grid.nx*v.grid.ny]' --arg int=3 "
      "--arg int=3 --arg 'double[2]' --arg int=1 --arg float --arg float --arg float "
      "--arg double --arg float --arg float --arg float --mode reverse --seconds 4 --opt-level ";
  for (const std::string &level : optimisation_levels()) {
    const Outcome outcome = check(smooth, request + level);
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
    EXPECT_NE(outcome.output.find("v.grid.nx = 3"), std::string::npos) << outcome.output;
  }
  const std::string members = "smooth<<<1,4>>>(double v.scale, bool v.on, const double *v.in, double *v.out, ";
  const Outcome too_few = check(smooth, "--function smooth --launch '<<<1,4>>>' --arg double");
  EXPECT_EQ(too_few.code, 2);
  EXPECT_NE(too_few.errors.find(members), std::string::npos) << too_few.errors;
}

// No `--arg` describes them.
TEST(KernelCheck, refuses_structs_with_unions_and_bit_fields) {
  for (const std::string structure :
       {"struct S { union { double d; int i; }; };\n", "struct S { int a : 3; double d; };\n"}) {
    const Outcome outcome = check(structure + "__global__ void k(S s, double *y) { y[threadIdx.x] = s.d; }\n",
                                  "--function k --launch '<<<1,4>>>' --arg double --arg 'double[4]'");
    EXPECT_EQ(outcome.code, 2) << outcome.output;
    EXPECT_NE(outcome.errors.find("unsupported type: parameter 1 of k is S by value"), std::string::npos)
        << outcome.errors;
  }
}

// Would catch: a kernel whose members are no longer found once it has been called.
TEST(KernelCheck, takes_a_kernel_with_a_struct_twice) {
  const std::string text = "__global__ void k(float2 s, float *y) { y[threadIdx.x] = s.x * s.y; }\n";
  const std::string once = "--function k --arg float --arg float --arg 'float[4]' ";
  const Outcome outcome = check(text, once + once + "--launch '<<<1,4>>>' --mode reverse");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
}

TEST(KernelCheck, takes_pointers_to_structs_of_numbers_at_each_level) {
  for (const std::string &level : optimisation_levels()) {
    const Outcome outcome = check(
        "struct C { float a, b; };\n"
        "__global__ void k(const float2 *x, C *y) {\n"
        "  y[threadIdx.x] = {x[threadIdx.x].x * x[threadIdx.x].y, x[threadIdx.x].x};\n"
        "}\n",
        "--function k --launch '<<<1,4>>>' --arg 'float[4x2]' --arg 'float[4x2]' --mode reverse --opt-level " + level);
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  }
}

TEST(KernelCheck, aligns_buffers_for_structs_as_wide_as_a_vector) { // of all sizes: what is small is aligned by chance
  const std::string text = "__global__ void k(const float *w, const float *x, float *y) {\n"
                           "  const float4 a = ((const float4 *)x)[threadIdx.x];\n"
                           "  y[threadIdx.x] = a.x * w[0] + a.w;\n"
                           "}\n";
  for (const std::string &level : optimisation_levels())
    for (const std::string size : {"16", "400", "512"}) {
      const Outcome outcome = check(text, "--function k --launch '<<<1,4>>>' --arg 'float[4]' --arg 'float[16]' --arg "
                                          "'float[" +
                                              size + "]' --seconds 1 --opt-level " + level);
      EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
    }
}

TEST(KernelCheck, passes_kernels_with_blocks_and_warps_of_cub) {
  if (find_cuda_libraries().empty())
    GTEST_SKIP() << "there is no toolkit with CUB";
  const Workplace place;
  const std::string file = std::string(ASSAY_PROGRAMS) + "/cub_kernels.cu", one_block = " --launch '<<<1,64>>>' ";
  const std::vector<std::string> kernels{"sum_by_warps --launch '<<<2,64>>>' --arg 'float[128]' --arg 'float[2]'"s,
                                         "sum_of_doubles --launch '<<<2,64>>>' --arg 'double[128]' --arg 'double[2]'"s,
                                         "sum_by_raking --launch '<<<2,64>>>' --arg 'double[128]' --arg 'double[2]'"s,
                                         "largest" + one_block + "--arg 'double[64]' --arg 'double[1]'",
                                         "half_warps" + one_block + "--arg 'double[64]' --arg 'double[4]'",
                                         "scan" + one_block + "--arg 'float[64]' --arg 'float[64]'",
                                         "compact" + one_block +
                                             "--arg 'float[64]' --arg 'int[64]=1,0,1,1' --arg 'float[64]'",
                                         "complex_numbers" + one_block + "--arg 'double[64]' --arg 'double[64]'",
                                         "load_and_store" + one_block + "--arg 'float[128]' --arg 'float[128]'"};
  for (const std::string &words : kernels | std::views::take(campaign_size(3, 9))) {
    const Outcome outcome = place.assay("check " + file + " --seconds 1 --function " + words);
    EXPECT_EQ(outcome.code, 0) << words << "\n" << outcome.output << outcome.errors;
  }
}

/// A counter in a variable of the device orders blocks like one in a buffer.
TEST(KernelCheck, takes_the_last_block_for_ordered_and_refuses_its_gradient) {
  const Workplace place;
  place.write("last.cu", "__device__ unsigned finished = 0;\n"
                         "__global__ void k(const float *x, float *parts, float *y) {\n"
                         "  __shared__ bool is_last;\n"
                         "  float v = x[blockIdx.x * 32 + threadIdx.x];\n"
                         "  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);\n"
                         "  if (threadIdx.x == 0) {\n"
                         "    parts[blockIdx.x] = v;\n"
                         "    __threadfence();\n"
                         "    is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;\n"
                         "  }\n"
                         "  __syncthreads();\n"
                         "  if (is_last && threadIdx.x == 0) {\n"
                         "    float t = 0;\n"
                         "    for (int i = 0; i < gridDim.x; ++i) t += ((volatile float *)parts)[i];\n"
                         "    y[0] = t * t;\n"
                         "  }\n"
                         "}\n");
  const std::string check = "check last.cu --function k --launch '<<<3,32>>>' --arg 'float[96]' --arg 'float[3]' "
                            "--arg 'float[1]' --seconds 1 --mode ";
  const Outcome forward = place.assay(check + "forward");
  EXPECT_EQ(forward.code, 0) << forward.output;
  const Outcome reverse = place.assay(check + "reverse");
  EXPECT_NE(reverse.code, 0);
  EXPECT_EQ(reverse.output.find("wrong derivative"), std::string::npos) << reverse.output;
}

TEST(KernelCheck, finds_shared_memory_that_no_thread_has_written) {
  expect_found(check("__global__ void half(const double *x, double *y) {\n"
                     "  __shared__ double s[64];\n"
                     "  if (threadIdx.x % 2) s[threadIdx.x] = x[threadIdx.x];\n"
                     "  __syncthreads();\n"
                     "  y[threadIdx.x] = s[threadIdx.x] * x[threadIdx.x];\n"
                     "}\n",
                     "--function half --launch '<<<1,64>>>' --arg 'double[64]' --arg 'double[64]'"),
               "uninitialised read of shared array s of 512 bytes at k.cu:5");
}

TEST(KernelCheck, takes_the_padding_of_objects_that_are_moved_for_no_read_of_unwritten_memory) {
  for (const std::string &level : optimisation_levels()) {
    const Outcome outcome = check("struct Pair { float key; double value; };\n"
                                  "__global__ void order(const float *key, double *value) {\n"
                                  "  __shared__ Pair s[8];\n"
                                  "  const int t = threadIdx.x;\n"
                                  "  s[t] = {key[t], value[t]};\n"
                                  "  __syncthreads();\n"
                                  "  if (t % 2 == 0 && s[t].key > s[t + 1].key) {\n"
                                  "    const Pair x = s[t]; s[t] = s[t + 1]; s[t + 1] = x;\n"
                                  "  }\n"
                                  "  __syncthreads();\n"
                                  "  value[t] = s[t].value * s[t].key;\n"
                                  "}\n",
                                  "--function order --launch '<<<1,8>>>' --arg 'float[8]' --arg 'double[8]' "
                                  "--seconds 4 --opt-level " +
                                      level);
    EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  }
}

TEST(KernelCheck, follows_functions_of_the_device_library_in_wide_arithmetic) {
  const Outcome outcome = check("__global__ void f(const double *x, double *y) {\n"
                                "  double a = x[threadIdx.x];\n"
                                "  y[threadIdx.x] = rsqrt(1 + a * a) + normcdf(a) * rcbrt(a);\n"
                                "}\n",
                                "--function f --launch '<<<1,32>>>' --arg 'double[32]' --arg 'double[32]'");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.output.find("by wide arithmetic"), std::string::npos) << outcome.output;
}

TEST(KernelCheck, follows_roundings_powers_and_lengths_of_the_device_library_in_wide_arithmetic) {
  const Outcome outcome =
      check("__global__ void f(const double *x, double *y) {\n"
            "  const int t = threadIdx.x;\n"
            "  double s, c, v[3] = {x[t], x[t] * x[t], 2};\n"
            "  sincos(x[t], &s, &c);\n"
            "  y[t] = s * c + (float)s + pow(x[t], 3) + norm(3, v) * rnorm(2, v);\n"
            "  y[t] += __ddiv_rn(s, __dadd_ru(2, __dmul_rz(c, c))) - __dsqrt_rd(__drcp_rn(3 + s));\n"
            "  y[t] += __fma_rn(s, c, s) + __dsub_rn(c, s) + __double2float_rd(s);\n"
            "}\n",
            "--function f --launch '<<<1,32>>>' --arg 'double[32]' --arg 'double[32]'");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.output.find("by wide arithmetic"), std::string::npos) << outcome.output;
}

TEST(KernelCheck, finds_the_value_of_a_lane_that_takes_no_part_where_it_matters) {
  const std::string request = "--function k --launch '<<<2,64>>>' --arg 'float[128]' --arg 'float[128]' ";
  const std::string begin = "__global__ void k(const float *x, float *y) {\n"
                            "  int i = blockIdx.x * 64 + threadIdx.x; float v = x[i], w = 0;\n";
  const std::string wrong = begin + "  if (threadIdx.x % 32 < 20) v += __shfl_down_sync(0xffffffffu, v, 4);\n"
                                    "  y[i] = v * v;\n}\n";
  expect_found(check(wrong, request),
               "undefined value: the shuffle at k.cu:3 gives thread (16, 0, 0) of block (0, 0, 0) "
               "in kernel k the value of lane 20, which takes no part in it");
  const std::string right = begin + "  unsigned m = __ballot_sync(~0u, v > 0);\n"
                                    "  if (v > 0) w = __shfl_down_sync(m, v, 1);\n"
                                    "  if (v > 0 && threadIdx.x % 32 < 31 && m >> (i % 32 + 1) & 1) v += w;\n"
                                    "  y[i] = v * v;\n}\n";
  const Outcome outcome = check(right, request + "--seconds 6");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.output.find(" 0 failed, 0 undecided"), std::string::npos) << outcome.output;
}

TEST(KernelCheck, finds_the_missing_barrier_first_however_little_time_there_is) {
  const Outcome outcome =
      check("__global__ void k(const double *x, double *y) {\n"
            "  __shared__ double s[64];\n"
            "  int t = threadIdx.x, i = blockIdx.x * 64 + t; double a = 0;\n"
            "  for (int b = 0; b < 2; ++b) {\n"
            "    s[t] = x[b * 64 + t];\n"
            "    __syncthreads();\n"
            "    for (int j = 0; j < 64; ++j) a += s[j] * x[i];\n"
            "  }\n"
            "  y[i] = a;\n"
            "}\n",
            "--function k --launch '<<<2,64>>>' --arg 'double[128]' --arg 'double[128]' --seconds 1");
  expect_found(outcome, "race in kernel k on shared array s");
  EXPECT_NE(outcome.output.find(" 0 passed"), std::string::npos) << outcome.output;
}

TEST(KernelCheck, takes_a_sum_of_floats_beside_doubles_for_reordered) {
  const Outcome outcome = check("__global__ void k(const double *x, double *y, double *z) {\n"
                                "  __shared__ unsigned long long m; __shared__ float s; int t = threadIdx.x;\n"
                                "  if (!t) { m = 0; s = 0; }\n"
                                "  __syncthreads();\n"
                                "  double v = x[t] * x[t] + 1;\n"
                                "  atomicMax(&m, (unsigned long long)__double_as_longlong(v));\n"
                                "  atomicAdd(&s, (float)x[t]);\n"
                                "  __syncthreads();\n"
                                "  if (!t) { y[0] = s * x[0]; z[0] = __longlong_as_double(m); }\n"
                                "}\n",
                                "--function k --launch '<<<1,32>>>' --arg 'double[32]' --arg 'double[1]' "
                                "--arg 'double[1]' --mode forward");
  EXPECT_EQ(outcome.output.find("nondeterministic"), std::string::npos) << outcome.output << outcome.errors;
}

TEST(KernelCheck, puts_back_what_a_registered_forward_rule_changes_between_its_lanes) {
  const Outcome outcome =
      check("__device__ __attribute__((noinline)) void square(const double *x, double *y, int i) {\n"
            "  y[i] = x[i] * x[i];\n"
            "}\n"
            "__device__ void forward(const double *x, double *dx, double *y, double *dy, int i) {\n"
            "  square(x, y, i); dy[i] = 2 * x[i] * dx[i];\n"
            "}\n"
            "__device__ void *__enzyme_register_derivative_square[] = {(void *)square, (void *)forward};\n"
            "__global__ void k(const double *x, double *y) { square(x, y, threadIdx.x); }\n",
            "--function k --launch '<<<1,32>>>' --arg 'double[32]' --arg 'double[32]' --mode forward");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
}

TEST(KernelCheck, takes_complex_numbers_of_the_toolkit_with_and_without_it) {
  const Outcome outcome =
      check("#include <cuComplex.h>\n"
            "__global__ void k(const double2 *x, double2 *y, const double2 *c) {\n"
            "  const int i = threadIdx.x; cuDoubleComplex w = make_cuDoubleComplex(0, 0);\n"
            "  for (int n = 0; n < 4 && cuCabs(w) < 2; ++n) w = cuCadd(cuCmul(w, w), cuCmul(x[i], c[0]));\n"
            "  y[i] = cuCdiv(w, cuCadd(cuConj(x[i]), make_cuDoubleComplex(3, 0)));\n"
            "}\n",
            "--function k --launch '<<<1,16>>>' --arg 'double[16x2]' --arg 'double[16x2]' "
            "--arg 'double[2]' --seconds 6");
  EXPECT_EQ(outcome.code, 0) << outcome.output << outcome.errors;
}

TEST(KernelCheck, finds_a_wrong_rule_of_a_device_function) {
  expect_found(check("__device__ __attribute__((noinline)) double cube(double x) { return x * x * x; }\n"
                     "__device__ double cube_tangent(double x, double dx) { return 2 * x * x * dx; }\n"
                     "__device__ void *__enzyme_register_derivative_cube[] = {(void *)cube, (void *)cube_tangent};\n"
                     "__global__ void f(const double *x, double *y) { y[threadIdx.x] = cube(x[threadIdx.x]); }\n",
                     "--function f --launch '<<<1,32>>>' --arg 'double[32]' --arg 'double[32]' --mode forward"),
               "wrong derivative");
}

TEST(KernelCheck, refuses_what_is_no_launch) {
  expect_refused(check(saxpy, saxpy_request + "--launch '<<<4,>>>'"), "<<<4,>>>");
  expect_refused(check(saxpy, saxpy_request + "--launch '<<<4,2048>>>'"), "1024");
  expect_refused(check(saxpy, saxpy_request), "--launch");
  expect_refused(check("double f(double x) { return x; }\n", "--function f --arg double --launch '<<<1,1>>>'"), "f");
}

TEST(KernelCheck, says_why_a_kernel_fails_in_all_threads) { // not that it has no derivative
  expect_refused(check("__global__ void shift(const double *x, double *y, int n) {\n"
                       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                       "  y[i] = x[i + n];\n"
                       "}\n",
                       "--function shift --launch '<<<1,32>>>' --arg 'double[32]' --arg 'double[32]' --arg int=32"),
                 "shift cannot be checked: access out of bounds");
}

TEST(KernelCheck, refuses_a_backend_that_is_not_here) {
  if (std::filesystem::exists("/dev/nvidia0"))
    GTEST_SKIP() << "it is here";
  expect_refused(check(saxpy, saxpy_request + "--launch '<<<4,64>>>' --backend device"),
                 "there is no CUDA device here");
  expect_refused(check(saxpy, saxpy_request + "--backend device"), "--launch");
}

TEST(KernelCheck, writes_a_test_program_for_a_device) {
  cli::CheckArguments arguments;
  arguments.files = {"/kernels/saxpy.cu"};
  arguments.functions = {{"saxpy", {"const float[2]=1,0.5", "float=2", "float[2]:(0,1)", "int=2"}}};
  arguments.settings.launch = jit::parse_launch("<<<4,(8,8),64>>>");
  arguments.settings.modes = {testutils::Mode::reverse};
  const std::string program = cli::device_program(arguments);
  for (const char *part :
       {"#include \"/kernels/saxpy.cu\"", "static const std::vector<float> x1{float(0x1p+0), float(0x1p-1)};",
        "test_kernel_reverse_all({.seed = 1u}, saxpy, assay::launch(dim3(4, 1, 1), dim3(8, 8, 1), 64), "
        "assay::arg<assay::Const>(x1), x2, x3, x4)",
        "static const int x4 = 2;", "TEST(saxpy, reverse)"})
    EXPECT_NE(program.find(part), std::string::npos) << part << "\n" << program;
  arguments.functions.front().arguments.back() = "int=1..4";
  EXPECT_THROW(cli::device_program(arguments), jit::BadRequest);
}

TEST(KernelCheck, writes_a_test_program_that_emulation_runs) {
  const Workplace place;
  place.write("k.cu", saxpy);
  const std::string request = "check k.cu " + saxpy_request + "--launch '<<<4,64>>>' --write-test ";
  const Outcome written = place.assay(request + "saxpy_test.cu --mode forward");
  EXPECT_EQ(written.code, 0) << written.errors;
  EXPECT_NE(written.output.find("saxpy_test.cu tests saxpy"), std::string::npos) << written.output;
  const Outcome run = place.assay("emulate saxpy_test.cu");
  EXPECT_EQ(run.code, 0) << run.output << run.errors;
  EXPECT_NE(run.output.find("passed, 0 failed, 0 undecided"), std::string::npos) << run.output;
  expect_refused(place.assay(request + "nowhere/saxpy_test.cu"), "nowhere/saxpy_test.cu cannot be written");
}

TEST(KernelCheck, draws_integers_of_a_test_program_between_their_ends) {
  cli::CheckArguments arguments;
  arguments.files = {"/kernels/gather.cu"};
  arguments.functions = {{"gather", {"double[3]:sorted", "int[40]=0..2"}}};
  arguments.settings.launch = jit::parse_launch("<<<1,40>>>");
  const std::string program = cli::device_program(arguments);
  for (const char *part : {"int(0)", "int(1)", "int(2)"})
    EXPECT_NE(program.find(part), std::string::npos) << part << "\n" << program;
  EXPECT_EQ(program.find("int(3)"), std::string::npos) << program;
}

TEST(KernelCheck, says_in_one_line_that_a_file_does_not_compile) {
  const Outcome outcome =
      check("__global__ void f(double *x) { x[0] = y; }\n", "--function f --launch '<<<1,1>>>' --arg 'double[1]'");
  EXPECT_EQ(outcome.code, 2) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.errors.find("k.cu"), std::string::npos) << outcome.errors;
}

} // namespace assay::cli::test
