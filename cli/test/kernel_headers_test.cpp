// `assay check kernel.cu`: kernels with inline PTX, and with headers of the toolkit for which own ones stand in.

#include "cli/cuda_machine.hpp"
#include "cli/test/run_command.hpp"
#include "cli/test/run_size.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace assay::cli::test {

namespace {

/// Each has the name of a function and its arguments.
void expect_right(const std::string &program, const std::vector<std::string> &requests) {
  const Workplace place;
  for (const std::string &request : requests)
    for (const std::string &level : optimisation_levels()) {
      const Outcome outcome = place.assay("check " + std::string(ASSAY_PROGRAMS) + "/" + program +
                                          " --seconds 1 --opt-level " + level + " --function " + request);
      EXPECT_EQ(outcome.code, 0) << request << " at -O" << level << "\n" << outcome.output << outcome.errors;
      EXPECT_NE(outcome.output.find(", 0 undecided"), std::string::npos) << request << "\n" << outcome.output;
    }
}

const std::string one_block = " --launch '<<<1,64>>>' ";

} // namespace

TEST(KernelHeaders, inline_ptx_on_memory_is_memory_with_adjoints) {
  expect_right("ptx_kernels.cu",
               {"staged_copies" + one_block + "--arg 'float[256]' --arg 'float[64]' --arg int=256",
                "counted_addresses" + one_block + "--arg 'float[64]' --arg 'float[64]' --arg int=64",
                "written_by_hand --launch '<<<1,16>>>' --arg 'float[64]' --arg 'float[65]' --arg int=64"});
}

TEST(KernelHeaders, groups_copy_reduce_and_scan) {
  expect_right("cooperative_kernels.cu",
               {"double_buffer" + one_block + "--arg 'float[256]' --arg 'float[64]' --arg int=256",
                "parts_of_a_warp" + one_block + "--arg 'float[64]' --arg 'float[64]' --arg int=64",
                "tiles --launch '<<<2,32>>>' --arg 'float[64]' --arg 'float[65]' --arg int=64"});
}

TEST(KernelHeaders, barriers_and_pipelines_of_blocks_are_mirrored) {
  expect_right("barrier_kernels.cu", {"staged --launch '<<<1,32>>>' --arg 'float[96]' --arg 'float[32]' --arg int=3",
                                      "by_warps" + one_block + "--arg 'double[64]' --arg 'double[64]'",
                                      "piped --launch '<<<1,32>>>' --arg 'float[96]' --arg 'float[32]' --arg int=3"});
}

TEST(KernelHeaders, all_of_cub_is_there_by_its_one_header) {
  if (find_cuda_libraries().empty())
    GTEST_SKIP() << "there is no toolkit with CUB";
  expect_right("all_of_cub.cu", {"scanned_fours --launch '<<<1,32>>>' --arg 'float[128]' --arg 'float[128]'",
                                 "sorted_keys --launch '<<<1,32>>>' --arg 'double[64]' --arg 'double[64]'",
                                 "sorted_pairs --launch '<<<1,32>>>' --arg 'double[32]' --arg 'float[32]' "
                                 "--arg 'double[32]' --arg 'float[32]'",
                                 "referenced_sums --launch '<<<2,8>>>' --arg 'double[16]' --arg 'double[4]'"});
}

/// The message of the program, not that the launch failed.
TEST(KernelHeaders, a_failing_assertion_is_named_with_its_place) {
  const Workplace place;
  place.write("k.cu", "#include <assert.h>\n"
                      "__global__ void k(const double *x, double *y) {\n"
                      "  assert(x[threadIdx.x] > 1e9);\n"
                      "  y[threadIdx.x] = x[threadIdx.x];\n"
                      "}\n");
  const Outcome outcome =
      place.assay("check k.cu --function k --launch '<<<1,8>>>' --arg 'double[8]' --arg 'double[8]'");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.errors.find("fails an assertion at"), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find("x[threadIdx.x] > 1e9"), std::string::npos) << outcome.errors;
}

} // namespace assay::cli::test
