// What clang says of derivatives when it is asked: a user who compiles with the plugin alone has nothing else.
#include "core/test/support/compile_and_run.hpp"
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

using testing::HasSubstr;
using testing::Not;

namespace assay::test {
namespace {

constexpr const char *chain = R"(#include <math.h>
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double chain(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    s = sin(s) * x[i];
  return s;
}
int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff((void *)chain, enzyme_dup, x, dx, enzyme_const, 3);
  return dx[0] == 0;
}
)";

constexpr const char *mixed = R"(
extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
void mixed(double *x, double *c, int flag, double *out) {
  double *p = flag ? x : c;
  out[0] = p[0] *= p[0];
}
void gradient(double *x, double *dx, double *c, int flag, double *out, double *dout) {
  __enzyme_autodiff((void *)mixed, enzyme_dup, x, dx, enzyme_const, c, enzyme_const, flag, enzyme_dup, out, dout);
}
int main(void) { return 0; }
)";

TEST(Remarks, NameEachDerivativeWithItsTape) {
  const ProcessResult result = compile({.source = chain, .flags = {"-g", "-Rpass=assay"}});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("reverse derivative of chain(dup x, const n) -> active: 16 * n bytes of tape "
                                    "[-Rpass=assay]"));
  EXPECT_THAT(result.err, Not(HasSubstr("is taped"))) << "analysis was not asked for";
}

TEST(Remarks, SayWhyValuesAreTaped) {
  const ProcessResult result = compile({.source = chain, .flags = {"-g", "-Rpass-analysis=assay"}});
  EXPECT_THAT(result.err, HasSubstr("6:3: remark: tape of the loop: 16 * n bytes"));
  EXPECT_THAT(result.err,
              HasSubstr("s is taped (8 bytes): each iteration of the loop at line 6 computes it from the one "
                        "before, by no fixed step; needed for the derivative of sin(s)"));
}

// Would catch: remarks that need debug information to be said at all.
TEST(Remarks, AreThereWithoutDebugInformation) {
  const ProcessResult result = compile({.source = chain, .flags = {"-Rpass=assay"}});
  EXPECT_THAT(result.err, HasSubstr("reverse derivative of chain("));
}

TEST(Remarks, SayWhyThereIsNoDerivative) {
  const ProcessResult result =
      compile({.source = mixed, .flags = {"-g", "-Rpass-missed=assay", "-Rpass-analysis=assay"}});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("remark: no derivative of mixed: "));
  EXPECT_THAT(result.err, HasSubstr("5:15: remark: one pointer may mean 'x' or 'c'"));
}

TEST(Remarks, AreNotSaidUnasked) {
  const ProcessResult result = compile({.source = chain, .flags = {"-g"}});
  EXPECT_THAT(result.err, Not(HasSubstr("remark")));
}

TEST(Remarks, GoIntoTheRecordOfOptimisations) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "assay_remarks_test.yaml";
  const ProcessResult result = compile(
      {.source = chain, .flags = {"-g", "-fsave-optimization-record", "-foptimization-record-file=" + file.string()}});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::ostringstream record;
  record << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  EXPECT_THAT(record.str(), HasSubstr("Pass:            assay\nName:            Derivative"));
  EXPECT_THAT(record.str(), HasSubstr("TapeBytes:       '16 * n'"));
  EXPECT_THAT(record.str(), HasSubstr("Name:            Taped"));
}

} // namespace
} // namespace assay::test
