// `assay emulate --watch`: right programs have no finding, wrong ones exactly those that they should have.

#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace assay::cli::test {

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string &text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// A kernel whose parameter is `int *y`, of 64 elements that are 0, with lines counted from its own first.
std::string around(const std::string &kernel, const std::string &launch = "<<<1, 64>>>") {
  return kernel + "int main() { int *y; cudaMalloc(&y, 256); cudaMemset(y, 0, 256); k" + launch +
         "(y); return cudaDeviceSynchronize(); }\n";
}

/// The findings of a program in `k.cu`, at every level, each compared by how it begins.
void expect_findings(const std::string &text, const Lines &begins) {
  for (const std::string &level : optimisation_levels()) {
    const Workplace place;
    place.write("k.cu", text);
    const Outcome outcome = place.assay("emulate --watch k.cu --opt-level " + level);
    EXPECT_EQ(outcome.code, begins.empty() ? 0 : 1) << outcome.errors;
    const Lines lines = lines_of(outcome.errors);
    ASSERT_EQ(lines.size(), begins.size() + 1) << "level " << level << "\n" << outcome.errors;
    for (std::size_t index = 0; index < begins.size(); ++index)
      EXPECT_EQ(lines[index].substr(0, begins[index].size() + 7), "assay: " + begins[index]) << "level " << level;
    EXPECT_EQ(lines.back(),
              begins.size() == 1 ? "assay: 1 finding" : "assay: " + std::to_string(begins.size()) + " findings");
  }
}

const std::string reduction = "__global__ void k(int *y) {\n"
                              "  __shared__ int s[64]; int t = threadIdx.x;\n"
                              "  s[t] = y[t];\n"
                              "  __syncthreads();\n"
                              "  for (int h = 32; h > 0; h /= 2) {\n"
                              "    if (t < h) s[t] += s[t + h];\n"
                              "    BARRIER\n"
                              "  }\n"
                              "  if (t == 0) y[0] = s[0];\n"
                              "}\n";

std::string with_barrier(std::string text, const std::string &barrier) {
  return text.replace(text.find("BARRIER"), 7, barrier);
}

} // namespace

TEST(Watch, takes_no_first_guess_of_a_compare_and_swap_for_a_race) {
  const std::string sum = "__global__ void k(int *y) {\n"
                          "  int old = *y, seen;\n"
                          "  do { seen = old; old = atomicCAS(y, seen, seen + 1); } while (seen != old);\n"
                          "}\n";
  const std::string other_use = "__global__ void k(int *y) {\n"
                                "  int old = *y, first = old, seen;\n"
                                "  do { seen = old; old = atomicCAS(y, seen, seen + 1); } while (seen != old);\n"
                                "  y[threadIdx.x + 1] = first;\n"
                                "}\n";
  const auto watched = [](const std::string &kernel, const std::string &level) {
    const Workplace place;
    place.write("k.cu", around(kernel, "<<<1, 32>>>"));
    return place.assay("emulate --watch k.cu --opt-level " + level);
  };
  for (const std::string &level : optimisation_levels()) {
    EXPECT_EQ(watched(sum, level).code, 0) << level << watched(sum, level).errors;
    EXPECT_EQ(watched(other_use, level).code, 1)
        << level << watched(other_use, level).errors; // the number that was read counts
  }
}

TEST(Watch, finds_nothing_in_a_tree_reduction) {
  expect_findings(around(with_barrier(reduction, "__syncthreads();")), {});
}

TEST(Watch, finds_the_missing_barrier_of_a_tree_reduction) {
  expect_findings(around(with_barrier(reduction, "")),
                  {"race in kernel k on shared array s of 256 bytes: read at k.cu:6 by thread (0, 0, 0)"});
}

TEST(Watch, finds_nothing_in_a_histogram_by_atomics) {
  expect_findings(around("__global__ void k(int *y) {\n"
                         "  __shared__ int bins[8];\n"
                         "  if (threadIdx.x < 8) bins[threadIdx.x] = 0;\n"
                         "  __syncthreads();\n"
                         "  atomicAdd(&bins[threadIdx.x * 5 % 8], 1);\n"
                         "  __syncthreads();\n"
                         "  if (threadIdx.x < 8) atomicAdd(&y[threadIdx.x], bins[threadIdx.x]);\n"
                         "}\n",
                         "<<<4, 64>>>"),
                  {});
}

TEST(Watch, finds_a_counter_that_one_thread_clears_without_a_barrier_before_others_count) {
  expect_findings(around("__global__ void k(int *y) {\n"
                         "  __shared__ int count;\n"
                         "  if (threadIdx.x == 0) count = 0;\n"
                         "  atomicAdd(&count, 1);\n"
                         "  __syncthreads();\n"
                         "  y[threadIdx.x] = count;\n"
                         "}\n"),
                  {"race in kernel k on shared array count of 4 bytes: write at k.cu:3"});
}

TEST(Watch, takes_lanes_of_a_warp_as_unordered_until_they_synchronise) {
  const std::string exchange = "__global__ void k(int *y) {\n"
                               "  __shared__ int s[32]; int t = threadIdx.x;\n"
                               "  s[t] = t;\n"
                               "  BARRIER\n"
                               "  y[t] = s[31 - t];\n"
                               "}\n";
  expect_findings(around(with_barrier(exchange, "__syncwarp();"), "<<<1, 32>>>"), {});
  expect_findings(around(with_barrier(exchange, ""), "<<<1, 32>>>"),
                  {"race in kernel k on shared array s of 128 bytes: read at k.cu:5 by thread (15, 0, 0)"});
}

TEST(Watch, says_whether_racing_writes_have_the_same_value) {
  expect_findings(
      around("__global__ void k(int *y) {\n  y[0] = threadIdx.x;\n}\n"),
      {"race in kernel k on buffer of 256 bytes: write at k.cu:2 by thread (0, 0, 0) of block (0, 0, 0) and "
       "write at k.cu:2 by thread (1, 0, 0) of block (0, 0, 0); lanes of a warp"});
  expect_findings(
      around("__global__ void k(int *y) {\n  y[0] = 1;\n}\n"),
      {"race in kernel k on buffer of 256 bytes: write at k.cu:2 by thread (0, 0, 0) of block (0, 0, 0) and "
       "write at k.cu:2 by thread (1, 0, 0) of block (0, 0, 0); both write the same value; lanes"});
}

TEST(Watch, takes_blocks_as_unordered_unless_a_fence_and_an_atomic_order_them) {
  expect_findings(
      around("__global__ void k(int *y) {\n"
             "  if (threadIdx.x == 0) y[blockIdx.x] = 1;\n"
             "  if (threadIdx.x == 1 && blockIdx.x == 1) y[2] = y[0];\n"
             "}\n",
             "<<<2, 64>>>"),
      {"race in kernel k on buffer of 256 bytes: write at k.cu:2 by thread (0, 0, 0) of block (0, 0, 0) and "
       "read at k.cu:3 by thread (1, 0, 0) of block (1, 0, 0); nothing orders blocks"});
  const std::string last_block = "__global__ void k(int *y) {\n"
                                 "  __shared__ bool is_last;\n"
                                 "  if (threadIdx.x == 0) {\n"
                                 "    y[1 + blockIdx.x] = 1;\n"
                                 "    BARRIER\n"
                                 "    is_last = atomicAdd(&y[0], 1) == 3;\n"
                                 "  }\n"
                                 "  __syncthreads();\n"
                                 "  if (is_last && threadIdx.x == 5) y[8] = y[1] + y[2] + y[3] + y[4];\n"
                                 "}\n";
  expect_findings(around(with_barrier(last_block, "__threadfence();"), "<<<4, 64>>>"), {});
  expect_findings(around(with_barrier(last_block, ""), "<<<4, 64>>>"),
                  {"race in kernel k on buffer of 256 bytes: write at k.cu:4 by thread (0, 0, 0)"});
}

TEST(Watch, names_the_line_that_reads_shared_memory_that_nobody_has_written) {
  expect_findings(around("__global__ void k(int *y) {\n"
                         "  __shared__ int s[64]; extern __shared__ int d[];\n"
                         "  if (threadIdx.x < 32) s[threadIdx.x] = d[threadIdx.x] = 1;\n"
                         "  __syncthreads();\n"
                         "  y[threadIdx.x] = s[threadIdx.x];\n"
                         "  y[threadIdx.x] += d[threadIdx.x];\n"
                         "}\n",
                         "<<<1, 64, 256>>>"),
                  {"uninitialised read of shared array s of 256 bytes at k.cu:5 by thread (32, 0, 0)",
                   "uninitialised read of dynamic shared memory of 256 bytes at k.cu:6 by thread (32, 0, 0)"});
}

TEST(Watch, names_the_line_of_an_access_out_of_bounds) {
  expect_findings(around("__global__ void k(int *y) {\n  y[threadIdx.x + 1] = 1;\n}\n"),
                  {"access out of bounds: write of 4 bytes at k.cu:2 by thread (63, 0, 0) of block (0, 0, 0) in kernel "
                   "k, from byte 256 of buffer of 256 bytes"});
  expect_findings(around("__global__ void k(int *y) {\n"
                         "  __shared__ int s[32], z[64]; z[threadIdx.x] = 0;\n"
                         "  s[threadIdx.x] = 1;\n"
                         "  __syncthreads();\n"
                         "  y[threadIdx.x] = s[0] + z[0];\n"
                         "}\n"),
                  {"access out of bounds: write of 4 bytes at k.cu:3 by thread (32, 0, 0) of block (0, 0, 0) in kernel "
                   "k, from byte 128 of shared array s of 128 bytes"});
}

TEST(Watch, names_the_line_of_a_use_after_free) {
  expect_findings("__global__ void k(int *y) {\n  y[0] = 1;\n}\n"
                  "int main() { int *y; cudaMalloc(&y, 256); cudaFree(y); k<<<1, 1>>>(y); }\n",
                  {"use after free: write of 4 bytes at k.cu:2 by thread (0, 0, 0)"});
}

TEST(Watch, names_the_line_that_allocates_what_is_not_freed) {
  expect_findings("__device__ int *kept[64];\n"
                  "__global__ void k(int *y) {\n"
                  "  kept[threadIdx.x] = (int *)malloc(16);\n"
                  "}\n"
                  "int main() { k<<<1, 64>>>(nullptr); }\n",
                  {"leak of device heap memory: 1024 bytes in 64 pieces allocated at k.cu:3 are not freed"});
}

TEST(Watch, finds_the_missing_barrier_of_a_tiled_matrix_product_and_nothing_with_it) {
  const std::string product = "__global__ void k(const float *a, const float *b, float *c, int n) {\n"
                              "  __shared__ float s[16][16], t[16][17];\n"
                              "  int x = threadIdx.x, y = threadIdx.y; float v = 0;\n"
                              "  int i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;\n"
                              "  for (int q = 0; q < n; q += 16) {\n"
                              "    s[y][x] = a[i * n + q + x];\n"
                              "    t[y][x] = b[(q + y) * n + j];\n"
                              "    __syncthreads();\n"
                              "    for (int r = 0; r < 16; ++r)\n"
                              "      v += s[y][r] *\n"
                              "           t[r][x];\n"
                              "    BARRIER\n"
                              "  }\n"
                              "  c[i * n + j] = v;\n"
                              "}\n"
                              "int main() { float *a, *b, *c; cudaMalloc(&a, 4096); cudaMalloc(&b, 4096);\n"
                              "cudaMalloc(&c, 4096); cudaMemset(a, 0, 4096); cudaMemset(b, 0, 4096);\n"
                              "k<<<dim3(2, 2), dim3(16, 16)>>>(a, b, c, 32); return cudaDeviceSynchronize(); }\n";
  expect_findings(with_barrier(product, "__syncthreads();"), {});
  expect_findings(with_barrier(product, ""), {"race in kernel k on shared array s of 1024 bytes: write at k.cu:6",
                                              "race in kernel k on shared array t of 1088 bytes: write at k.cu:7"});
}

TEST(Watch, finds_nothing_in_a_stencil_with_two_buffers) {
  expect_findings(around("__global__ void k(int *y) {\n"
                         "  __shared__ int u[2][66]; int t = threadIdx.x + 1, p = 0;\n"
                         "  u[0][t] = y[t - 1];\n"
                         "  if (t == 1) u[0][0] = u[0][65] = u[1][0] = u[1][65] = 0;\n"
                         "  __syncthreads();\n"
                         "  for (int i = 0; i < 5; ++i) {\n"
                         "    u[1 - p][t] = u[p][t - 1] + u[p][t + 1];\n"
                         "    p = 1 - p;\n"
                         "    __syncthreads();\n"
                         "  }\n"
                         "  y[t - 1] = u[p][t];\n"
                         "}\n"),
                  {});
}

TEST(Watch, finds_nothing_in_programs_with_shuffles_and_in_gradients) {
  const Workplace place;
  for (const std::string name : {"reductions.cu", "sine_gradient.cu", "block_sum_gradient.cu"})
    for (const std::string &level : optimisation_levels()) {
      const Outcome outcome =
          place.assay("emulate --watch " + std::string(ASSAY_PROGRAMS) + "/" + name + " --opt-level " + level);
      EXPECT_EQ(outcome.errors, "assay: 0 findings\n") << name;
    }
}

} // namespace assay::cli::test
