// CUDA programs on the CPU, as a user runs them.

#include "cli/cuda_machine.hpp"
#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"
#include "cli/test/test_program.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace assay::cli::test {

TEST(Emulate, runs_a_program_with_barriers_shuffles_atomics_and_dynamic_shared_memory_in_every_order) {
  const Workplace place;
  for (const std::string order : {"ascending", "descending", "7"}) {
    const Outcome outcome = place.assay("emulate " + program("reductions.cu") + " --order " + order + " -- a b");
    EXPECT_EQ(outcome.code, 3) << outcome.errors; // The count of its arguments.
    EXPECT_EQ(outcome.output, "block 0 160\n7 7 640 640 no error 3\n");
  }
}

TEST(Emulate, runs_the_gradient_of_device_code) {
  const Workplace place;
  for (const std::string &level : optimisation_levels()) {
    const Outcome outcome = place.assay("emulate " + program("sine_gradient.cu") + " --opt-level " + level);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, "wrong 0 no error\n");
  }
}

TEST(Emulate, runs_derivatives_of_numbers_of_16_bits) {
  const Workplace place;
  const Outcome outcome = place.assay("emulate " + program("half_gradient.cu"));
  EXPECT_EQ(outcome.output, "wrong 0 0\n") << outcome.errors;
}

TEST(Emulate, runs_the_gradient_of_a_sum_in_shared_memory_in_every_order) {
  const Workplace place;
  for (const std::string options : {"--order ascending", "--order descending", "--order 7", "--opt-level 0"}) {
    const Outcome outcome = place.assay("emulate " + program("block_sum_gradient.cu") + " " + options);
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_EQ(outcome.output, "wrong 0 no error\n") << options;
  }
}

TEST(Emulate, runs_derivatives_of_allocations_copies_and_launches_of_the_host) {
  const Workplace place;
  for (const std::string &level : optimisation_levels()) {
    const std::string order = level == "0" ? " --order descending" : " --order ascending";
    const Outcome outcome = place.assay("emulate " + program("launch_gradient.cu") + order + " --opt-level " + level);
    EXPECT_EQ(outcome.output, "forward 1 reverse 1 no error\n") << level << outcome.errors;
  }
}

TEST(Emulate, differentiates_algorithms_of_thrust_in_code_of_the_host) {
  if (find_cuda_libraries().empty())
    GTEST_SKIP() << "there is no toolkit with Thrust";
  const Workplace place;
  for (const std::string &level : optimisation_levels())
    EXPECT_EQ(place.assay("emulate " + program("thrust_gradient.cu") + " --opt-level " + level).output,
              "wrong 0 0 0 0\n")
        << level;
}

/// As code of the host, and by the rules that a device needs.
TEST(Emulate, differentiates_algorithms_of_cub_for_a_whole_device) {
  if (find_cuda_libraries().empty())
    GTEST_SKIP() << "there is no toolkit with CUB";
  const Workplace place;
  for (const std::string options : {"--opt-level 2", "--opt-level 0 --flag=-DBY_RULES", "--flag=-DBY_RULES"})
    EXPECT_EQ(place.assay("emulate " + program("cub_device_gradient.cu") + " " + options).output, "wrong 0\n")
        << options;
}

TEST(Emulate, runs_algorithms_of_cub_for_a_whole_device) {
  if (find_cuda_libraries().empty())
    GTEST_SKIP() << "there is no toolkit with CUB";
  const Workplace place;
  EXPECT_EQ(place.assay("emulate " + program("cub_device_values.cu")).output, "reduce 10.5 7 1\n"
                                                                              "first of the least 3 -2.5\n"
                                                                              "sums by key 3 0.5 4.5 2.5\n"
                                                                              "keys 2 0 5 2\n"
                                                                              "exclusive 0 2 4 4 4 4 9 14 16 18\n"
                                                                              "exclusive maximum 1 2 2 2 2 2 5 5 5 5\n"
                                                                              "by key 3 3 0 -2.5 0.5 7 4.5 1 2 2.5\n"
                                                                              "sorted -2.5 -2.5 -0 0 0.5 1 1 3 3 7\n"
                                                                              "order 3 6 1 2 9 7 8 0 4 5\n"
                                                                              "by bits 1 and 2 5 5 2 2 2 2 2 0 0 0\n"
                                                                              "places 0 1 2\n"
                                                                              "positive 3 3 7 1 1 0.5\n"
                                                                              "unique 2 0 5 2\n"
                                                                              "even 2 0 5 2\n"
                                                                              "range 2 3 5\n"
                                                                              "differences 0 2 0 0 -5 0 3 0 0 2\n");
}

TEST(Emulate, says_which_algorithms_of_cub_and_function_objects_it_does_not_run) {
  if (find_cuda_libraries().empty())
    GTEST_SKIP() << "there is no toolkit with CUB";
  const Workplace place;
  place.write("partition.cu", "#include <cub/device/device_partition.cuh>\n"
                              "int main() { cub::DevicePartition *p = nullptr; return p != nullptr; }\n");
  Outcome outcome = place.assay("emulate partition.cu");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, testing::HasSubstr("'DevicePartition' is unavailable: this algorithm of CUB for a whole "
                                                 "device is not emulated"));
  place.write("object.cu", "#include <cub/device/device_reduce.cuh>\n"
                           "struct Sum { __device__ float operator()(float a, float b) const { return a + b; } };\n"
                           "int main() {\n"
                           "  float *x = nullptr;\n"
                           "  size_t bytes = 0;\n"
                           "  return cub::DeviceReduce::Reduce(nullptr, bytes, x, x, 3, Sum(), 0.0f);\n"
                           "}\n");
  outcome = place.assay("emulate object.cu");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, testing::HasSubstr("write __host__ __device__ at the function object"));
}

TEST(Emulate, runs_derivatives_of_calls_of_cublas) {
  const Workplace place;
  for (const std::string &level : optimisation_levels()) {
    const Outcome outcome = place.assay("emulate " + program("cublas_gradient.cu") + " --opt-level " + level);
    EXPECT_EQ(outcome.output, "float: right\n0 wrong\n") << level << outcome.errors;
  }
}

TEST(Emulate, says_how_a_launched_kernel_gets_a_derivative) {
  const Workplace place;
  place.write("launch.cu",
              "#include <assay/autodiff.hpp>\n"
              "#include <assay/gpu/host.hpp>\n"
              "__global__ void twice(double *x) { *x *= 2; }\n"
              "double run(double y) {\n"
              "  double *x;\n"
              "  cudaMalloc(&x, 8);\n"
              "  cudaMemcpy(x, &y, 8, cudaMemcpyHostToDevice);\n"
              "  twice<<<1, 1>>>(x);\n"
              "  cudaMemcpy(&y, x, 8, cudaMemcpyDeviceToHost);\n"
              "  return y;\n"
              "}\n"
              "int main() { return assay::autodiff<assay::Forward>(run, assay::Duplicated{1.0, 1.0}).derivative; }\n");
  const Outcome outcome = place.assay("emulate launch.cu");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, testing::HasSubstr("launch.cu:3"));
  EXPECT_THAT(outcome.errors, testing::HasSubstr("ASSAY_LAUNCH_WITHOUT_DERIVATIVE(kernel)"));
}

TEST(Emulate, differentiates_host_code_with_streams_events_and_memory_that_both_sides_see) {
  const Workplace place;
  place.write("streams.cu", "#include <assay/autodiff.hpp>\n"
                            "#include <assay/gpu/host.hpp>\n"
                            "#include <cstdio>\n"
                            "__device__ void square(const double *x, double *y) { y[0] = x[0] * x[0]; }\n"
                            "__global__ void square_kernel(const double *x, double *y) { square(x, y); }\n"
                            "ASSAY_LAUNCH(square_kernel, square);\n"
                            "void run(const double *in, double *out) {\n"
                            "  double *x, *y, *z;\n"
                            "  cudaStream_t streams[2];\n"
                            "  cudaEvent_t event;\n"
                            "  cudaEventCreate(&event);\n"
                            "  cudaStreamCreate(&streams[0]);\n"
                            "  cudaStreamCreate(&streams[1]);\n"
                            "  cudaMallocAsync((void **)&x, 8, streams[0]);\n"
                            "  cudaMallocManaged(&y, 8);\n"
                            "  cudaMallocHost(&z, 8);\n"
                            "  cudaMemcpyAsync(x, in, 8, cudaMemcpyHostToDevice, streams[0]);\n"
                            "  square_kernel<<<1, 1, 0, streams[0]>>>(x, y);\n"
                            "  cudaEventRecord(event, streams[0]);\n"
                            "  cudaStreamWaitEvent(streams[1], event, 0);\n"
                            "  cudaMemPrefetchAsync(y, 8, 0, streams[1]);\n"
                            "  square_kernel<<<1, 1, 0, streams[1]>>>(y, x);\n"
                            "  cudaMemcpyAsync(z, x, 8, cudaMemcpyDeviceToHost, streams[1]);\n"
                            "  cudaStreamSynchronize(streams[1]);\n"
                            "  *out = *z * *y;\n" // in^6
                            "  cudaFreeAsync(x, streams[1]);\n"
                            "  cudaFree(y);\n"
                            "  cudaFreeHost(z);\n"
                            "  cudaEventDestroy(event);\n"
                            "  cudaStreamDestroy(streams[0]);\n"
                            "  cudaStreamDestroy(streams[1]);\n"
                            "}\n"
                            "int main() {\n"
                            "  using namespace assay;\n"
                            "  const double x = 2, v = 1;\n"
                            "  double d = 0, y = 0, w = 1, t = 0;\n"
                            "  autodiff<Reverse>(run, Duplicated{&x, &d}, Duplicated{&y, &w});\n"
                            "  autodiff<Forward>(run, Duplicated{&x, &v}, Duplicated{&y, &t});\n"
                            "  std::printf(\"%g %g\\n\", d, t);\n"
                            "}\n");
  for (const std::string &level : optimisation_levels()) {
    const Outcome outcome = place.assay("emulate streams.cu --opt-level " + level);
    EXPECT_EQ(outcome.output, "192 192\n") << outcome.errors;
  }
}

TEST(Emulate, says_what_to_write_in_place_of_functions_of_the_runtime_without_a_derivative) {
  const Workplace place;
  const auto refusal = [&](const std::string &call) {
    place.write("host.cu", "#include <assay/autodiff.hpp>\n"
                           "#include <assay/gpu/host.hpp>\n"
                           "__device__ double factors[1];\n"
                           "__device__ void twice(double *x) { *x *= 2; }\n"
                           "__global__ void twice_kernel(double *x) { twice(x); }\n"
                           "ASSAY_LAUNCH(twice_kernel, twice);\n"
                           "double run(const double *in) {\n"
                           "  double *x, y;\n"
                           "  cudaMalloc(&x, 8); cudaMemcpy(x, in, 8, cudaMemcpyHostToDevice);\n"
                           "  void *arguments[] = {&x};\n"
                           "  " +
                               call +
                               ";\n"
                               "  cudaMemcpy(&y, x, 8, cudaMemcpyDeviceToHost);\n"
                               "  return y;\n"
                               "}\n"
                               "int main() { const double x = 1; double d = 0;\n"
                               "assay::autodiff<assay::Reverse>(run, assay::Duplicated{&x, &d}); }\n");
    const Outcome outcome = place.assay("emulate host.cu");
    EXPECT_EQ(outcome.code, 2) << outcome.output;
    return outcome.errors;
  };
  const std::string symbol = refusal("cudaMemcpyToSymbol(factors, (const void *)in, 8)");
  EXPECT_THAT(symbol, testing::HasSubstr("host.cu:11"));
  EXPECT_THAT(symbol, testing::HasSubstr("pass its pointer to the kernel"));
  if (campaign_size(0, 1) != 0)
    EXPECT_THAT(refusal("cudaMemcpy(x, (const void *)in, 8, cudaMemcpyHostToDevice)"),
                testing::HasSubstr("those by void * have none"));
  const std::string launch = refusal("cudaLaunchKernel((const void *)twice_kernel, 1, 1, arguments, 0, 0)");
  EXPECT_THAT(launch, testing::HasSubstr("host.cu:11"));
  EXPECT_THAT(launch, testing::HasSubstr("write it as kernel<<<grid, block, bytes, stream>>>(arguments)"));
}

TEST(Emulate, says_that_textures_are_not_emulated) {
  const Workplace place;
  place.write("texture.cu",
              "__global__ void k(float *y) { cudaTextureObject_t t = 0; *y = tex2D<float>(t, *y, 0.5f); }\n"
              "int main() {}\n");
  const Outcome outcome = place.assay("emulate texture.cu");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, testing::HasSubstr("texture.cu:1"));
  EXPECT_THAT(outcome.errors,
              testing::HasSubstr("textures and surfaces are not emulated: read an array and interpolate"));
}

TEST(Emulate, runs_derivatives_of_memory_in_rows) {
  const Workplace place;
  for (const std::string &level : optimisation_levels()) {
    const Outcome outcome = place.assay("emulate " + program("pitched_gradient.cu") + " --opt-level " + level);
    EXPECT_EQ(outcome.output, "wrong 0 no error\n") << outcome.errors;
  }
}

TEST(Emulate, says_in_one_sentence_that_it_has_no_surfaces_clusters_graphs_and_tensor_cores) {
  const Workplace place;
  const auto expect_first = [&](const std::string &code, const std::string &sentence) {
    place.write("program.cu", code + "\nint main() {}\n");
    const Outcome outcome = place.assay("emulate program.cu");
    EXPECT_EQ(outcome.code, 2) << code;
    EXPECT_THAT(outcome.errors.substr(0, outcome.errors.find('\n')), testing::HasSubstr(sentence));
  };
  expect_first("__global__ void k(cudaSurfaceObject_t s, float *y) { surf2Dwrite(y[0], s, 0, 0); }",
               "textures and surfaces are not emulated");
  expect_first("void k() { cudaArray_t a; }", "textures and surfaces are not emulated");
  expect_first("#include <cooperative_groups.h>\n"
               "__global__ void __cluster_dims__(2, 1, 1) k() { auto c = cooperative_groups::this_cluster(); }",
               "clusters of blocks, and the shared memory of other blocks, are not emulated");
  expect_first("void k() { cudaGraph_t g; }", "graphs of launches are not emulated");
  expect_first("__global__ void k(const double *x, double *y) { __dmma_m8n8k4_ld_a(y, x, 4, 0); }",
               "tensor cores cannot be emulated: program.cu:1 in k");
}

TEST(Emulate, says_where_a_kernel_has_to_be_defined_that_code_with_a_derivative_launches) {
  const Workplace place;
  place.write("distant.cu", "#include <assay/autodiff.hpp>\n"
                            "#include <assay/gpu/host.hpp>\n"
                            "__global__ void twice(double *x);\n"
                            "double run(const double *in) {\n"
                            "  double *x, y;\n"
                            "  cudaMalloc(&x, 8); cudaMemcpy(x, in, 8, cudaMemcpyHostToDevice);\n"
                            "  twice<<<1, 1>>>(x);\n"
                            "  cudaMemcpy(&y, x, 8, cudaMemcpyDeviceToHost);\n"
                            "  return y;\n"
                            "}\n"
                            "int main() { const double x = 1; double d = 0;\n"
                            "assay::autodiff<assay::Reverse>(run, assay::Duplicated{&x, &d}); }\n");
  const Outcome outcome = place.assay("emulate distant.cu");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.errors, testing::HasSubstr("define it in the file that launches it"));
}

TEST(Emulate, links_several_files_to_one_program) {
  const Workplace place;
  place.write("one.cu", "__global__ void one(int *x) { x[threadIdx.x] = 1; }\n"
                        "void fill(int *x) { one<<<1, 4>>>(x); }\n");
  place.write("two.cu", "void fill(int *x);\n"
                        "__global__ void add(int *x) { x[threadIdx.x] += threadIdx.x; }\n"
                        "int main() { int *x, y[4]; cudaMalloc(&x, 16); fill(x); add<<<1, 4>>>(x);\n"
                        "cudaMemcpy(y, x, 16, cudaMemcpyDeviceToHost); return y[0] * 10 + y[3]; }\n");
  EXPECT_EQ(place.assay("emulate one.cu two.cu").code, 14);
}

TEST(Emulate, takes_the_flags_of_a_project) {
  const Workplace place;
  std::filesystem::create_directory(place.path() / "include");
  place.write("include/scale.cuh", "#if !defined(SCALE) || __cplusplus != 201703L || !defined(QUIET)\n"
                                   "#error flags are missing\n#endif\n"
                                   "__device__ double scaled(double x) { return SCALE * x; }\n");
  place.write("main.cu", "#include \"scale.cuh\"\n"
                         "__global__ void k(double *x) { x[threadIdx.x] = scaled(x[threadIdx.x]); }\n"
                         "int main() { double *x, one = 1; cudaMalloc(&x, 8);\n"
                         "cudaMemcpy(x, &one, 8, cudaMemcpyHostToDevice); k<<<1, 1>>>(x);\n"
                         "cudaMemcpy(&one, x, 8, cudaMemcpyDeviceToHost); return int(one); }\n");
  const Outcome outcome = place.assay("emulate -I include main.cu -D SCALE=7 -DQUIET --flag=-std=c++17");
  EXPECT_EQ(outcome.code, 7) << outcome.errors;
}

TEST(Emulate, launches_kernels_by_a_structure) {
  const Workplace place;
  place.write("k.cu", "__global__ void k(int *p, long add) { extern __shared__ int s[]; s[threadIdx.x] = add;\n"
                      "  __syncthreads(); if (threadIdx.x == 0) for (int i = 0; i < blockDim.x; ++i) *p += s[i]; }\n"
                      "int main() { int *p, most, sum; cudaMallocManaged(&p, 4); *p = 0;\n"
                      "  cudaLaunchAttribute attribute{cudaLaunchAttributeProgrammaticStreamSerialization};\n"
                      "  cudaLaunchConfig_t config{1, 4, 16, 0, &attribute, 1};\n"
                      "  if (cudaLaunchKernelEx(&config, k, p, 5)) return 1;\n"
                      "  cudaDeviceSynchronize(); sum = *p;\n"
                      "  cudaDeviceGetAttribute(&most, cudaDevAttrMaxBlockDimZ, 0); if (most != 64) return 2;\n"
                      "  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, k, 256, 0); if (most != 8) return 3;\n"
                      "  attribute.id = cudaLaunchAttributeClusterDimension;\n"
                      "  return cudaLaunchKernelEx(&config, k, p, 5) == cudaErrorNotSupported ? sum : 4; }\n");
  const Outcome outcome = place.assay("emulate k.cu");
  EXPECT_EQ(outcome.code, 20) << outcome.errors;
}

TEST(Emulate, runs_new_delete_and_assert_in_device_code_without_further_headers) {
  const Workplace place;
  place.write("objects.cu",
              "struct Shape { __device__ virtual int corners() const = 0; __device__ virtual ~Shape() {} };\n"
              "struct Square : Shape { __device__ int corners() const override { return 4; } };\n"
              "__global__ void count(int *result) {\n"
              "  Shape *shape = new Square;\n"
              "  assert(shape != nullptr);\n"
              "  *result = shape->corners();\n"
              "  delete shape;\n"
              "}\n"
              "int main() { int *x, y; cudaMalloc(&x, 4); count<<<1, 1>>>(x);\n"
              "cudaMemcpy(&y, x, 4, cudaMemcpyDeviceToHost); return y; }\n");
  const Outcome outcome = place.assay("emulate objects.cu");
  EXPECT_EQ(outcome.code, 4) << outcome.errors;
}

TEST(Emulate, names_the_lines_of_divergent_barriers) {
  const Workplace place;
  place.write("divergent.cu", "#include <cstdio>\n"
                              "__global__ void k(int *p) {\n"
                              "  if (threadIdx.x < 4) __syncthreads();\n"
                              "  else if (threadIdx.x == 9) __syncwarp(0x201);\n"
                              "  p[threadIdx.x] = 1;\n"
                              "}\n"
                              "int main() { int *p; cudaMalloc(&p, 64); k<<<1, 16>>>(p);\n"
                              "return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 5 : 0; }\n");
  const Outcome outcome = place.assay("emulate divergent.cu");
  EXPECT_EQ(outcome.code, 5);
  EXPECT_NE(outcome.errors.find("waits at divergent.cu:3"), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find("waits at divergent.cu:4"), std::string::npos) << outcome.errors;
}

TEST(Emulate, takes_lanes_that_come_to_a_function_on_different_ways_for_apart) {
  const Workplace place;
  place.write("ways.cu", "#include <cooperative_groups.h>\n"
                         "#include <cstdio>\n"
                         "namespace cg = cooperative_groups;\n"
                         "__device__ __noinline__ int here() { return __popc(__activemask()); }\n"
                         "__device__ __noinline__ int deeper() { return here() + 1000; }\n"
                         "__global__ void k(int *y) {\n"
                         "  int i = threadIdx.x;\n"
                         "  if (i < 10) y[i] = here(); else y[i] = i < 14 ? deeper() : 100 + here();\n"
                         "  if (i & 1) y[32 + i] = cg::coalesced_threads().size();\n"
                         "  else y[32 + i] = 50 + cg::coalesced_threads().size();\n"
                         "}\n"
                         "int main() { int *y; cudaMallocManaged(&y, 256); k<<<1, 32>>>(y); cudaDeviceSynchronize();\n"
                         "  printf(\"%d %d %d %d %d\\n\", y[0], y[10], y[31], y[32], y[33]); }\n");
  for (const std::string &level : optimisation_levels())
    EXPECT_EQ(place.assay("emulate ways.cu --opt-level " + level).output, "10 1004 118 66 16\n") << level;
}

TEST(Emulate, notices_accesses_beyond_buffers_and_launches_that_no_device_takes) {
  const Workplace place;
  place.write("beyond.cu", "__global__ void k(int *p, int i) { p[i] = 1; }\n"
                           "int main() { int *p; cudaMalloc(&p, 64); k<<<1, 2048>>>(p, 0);\n"
                           "if (cudaGetLastError() != cudaErrorInvalidConfiguration) return 1;\n"
                           "k<<<1, 1>>>(p, 64); return cudaDeviceSynchronize() == cudaSuccess ? 2 : 0; }\n");
  const Outcome outcome = place.assay("emulate beyond.cu");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.errors.find("accesses memory that it was not given"), std::string::npos) << outcome.errors;
}

TEST(Emulate, refuses_in_one_line_what_does_not_compile_or_cannot_be_emulated) {
  const Workplace place;
  place.write("broken.cu", "int main( {\n");
  place.write("assembly.cu",
              "__global__ void k(int *p) { asm volatile(\"bfind.s32 %0, %1;\" : \"=r\"(*p) : \"r\"(5)); }\n"
              "int main() { k<<<1, 1>>>(nullptr); }\n");
  const Outcome broken = place.assay("emulate broken.cu"), assembly = place.assay("emulate assembly.cu"),
                missing = place.assay("emulate missing.cu");
  EXPECT_EQ(broken.code, 2);
  EXPECT_EQ(broken.errors.rfind("assay: broken.cu does not compile: ", 0), 0U) << broken.errors;
  EXPECT_EQ(assembly.code, 2);
  EXPECT_NE(assembly.errors.find("inline PTX cannot be emulated: assembly.cu:1 in k; write it in C++, bfind.u32 "
                                 "for example as 31 - __clz(word)"),
            std::string::npos)
      << assembly.errors;
  EXPECT_EQ(missing.code, 2);
}

} // namespace assay::cli::test
