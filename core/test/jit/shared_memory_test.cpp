// Would catch: parameters that share memory and are two variables, or places in it that are another than the spec says.

#include "core/jit/bad_request.hpp"
#include "core/jit/resolve_arguments.hpp"
#include "core/jit/shared_memory.hpp"

#include <gtest/gtest.h>

namespace {

using namespace assay::jit;

ParameterType pointer(const char *name, Scalar pointee = Scalar::real64) {
  return {ParameterType::Kind::pointer, 0, name, "", pointee};
}

/// update(double *x, int n, double *y, const float *w)
FunctionSignature update() {
  return {
      "update",
      "update",
      {pointer("x"), {ParameterType::Kind::integer, 32, "n", "int", {}}, pointer("y"), pointer("w", Scalar::real32)},
      {}};
}

std::vector<ArgumentSpec> specs_of(const FunctionSignature &function, const std::vector<std::string> &texts) {
  std::vector<ArgumentSpec> specs;
  for (const std::string &text : texts)
    specs.push_back(parse_argument_spec(text, integer_names(function)));
  return bind_arguments(function, specs);
}

SharedCall joined(const std::vector<std::string> &texts, std::int64_t n = 4) {
  const auto resolved = resolve_arguments(update(), specs_of(update(), texts), 0,
                                          [&](std::size_t, std::int64_t, std::int64_t) { return n; });
  return join_aliases(update(), resolved.value());
}

std::string refusal(const std::vector<std::string> &texts, FunctionSignature function = update()) {
  try {
    static_cast<void>(join_aliases(function, specs_of(function, texts)));
  } catch (const BadRequest &error) {
    return error.what();
  }
  ADD_FAILURE() << "was accepted";
  return "";
}

void expect_refusal(const std::vector<std::string> &texts, const std::string &part,
                    const FunctionSignature &function = update()) {
  const std::string problem = refusal(texts, function);
  EXPECT_NE(problem.find(part), std::string::npos) << problem;
}

TEST(SharedMemory, IsOneParameterThatIsPassedTwice) {
  const SharedCall call = joined({"double[4]", "int=4", "double[4] alias=x", "float[2]"});
  ASSERT_EQ(call.arguments.size(), 3U);
  EXPECT_EQ(call.function.parameters[0].name, "x");
  EXPECT_EQ(call.function.parameters[0].shared_as, std::vector<std::string>{"y = x"});
  EXPECT_EQ(call.function.parameters[1].name, "n");
  EXPECT_EQ(call.function.parameters[2].name, "w");
  ASSERT_EQ(call.function.passed.size(), 4U);
  EXPECT_EQ(call.function.passed[2].parameter, 0U);
  EXPECT_EQ(call.function.passed[2].offset, 0U);
  EXPECT_EQ(call.function.passed[3].parameter, 2U);
}

TEST(SharedMemory, BeginsAtAnElement) {
  const SharedCall call = joined({"double[8]", "int=0..4", "double[n] alias=$1+n", "float[2]"});
  EXPECT_EQ(call.function.passed[2].offset, 32U);
  EXPECT_EQ(call.function.parameters[0].shared_as, std::vector<std::string>{"y = x + 4"});
}

TEST(SharedMemory, MayBelongToALaterParameter) {
  const SharedCall call = joined({"double[2] alias=y+1", "int=4", "double[4]", "float[2]"});
  ASSERT_EQ(call.arguments.size(), 3U);
  EXPECT_EQ(call.function.parameters[1].name, "y");
  EXPECT_EQ(call.function.passed[0].parameter, 1U);
  EXPECT_EQ(call.function.passed[0].offset, 8U);
  EXPECT_EQ(call.function.passed[1].parameter, 0U);
}

TEST(SharedMemory, IsNotTouchedWhereThereIsNone) {
  const SharedCall call = joined({"double[4]", "int=4", "double[4]", "float[2]"});
  EXPECT_EQ(call.arguments.size(), 4U);
  EXPECT_TRUE(call.function.passed.empty());
}

TEST(SharedMemory, IsInWords) {
  EXPECT_EQ(describe_aliases(update(), specs_of(update(), {"double[9]", "int=4", "double[4] alias=x+n", "float[2]"})),
            "y = x + n");
}

TEST(SharedMemory, MustBeThere) {
  expect_refusal({"double[4]", "int=4", "double[4] alias=z", "float[2]"},
                 "there is no parameter 'z'; pointers are x, w");
  expect_refusal({"double[4]", "int=4", "double[4] alias=$9", "float[2]"}, "there is no parameter '$9'");
  expect_refusal({"double[4]", "int=4", "double[4] alias=n", "float[2]"}, "'n' is no pointer");
  expect_refusal({"double[4]", "int=4", "double[4] alias=y", "float[2]"}, "its own alias");
}

TEST(SharedMemory, EndsWhereItsOwnerDoes) {
  expect_refusal({"double[4]", "int=4", "double[4] alias=x+1", "float[2]"},
                 "ends behind 'x', which has 4 elements; give "
                 "that 5");
  EXPECT_NO_THROW(static_cast<void>(joined({"double[5]", "int=4", "double[4] alias=x+1", "float[2]"})));
}

TEST(SharedMemory, HasOneTypeAndOneActivity) {
  expect_refusal({"double[4]", "int=4", "double[4]", "float[2] alias=x"}, "'x' is memory of double");
  expect_refusal({"double[4]", "int=4", "const double[4] alias=x", "float[2]"}, "const at both parameters or at none");
  expect_refusal({"const double[4]", "int=4", "double[4] alias=x", "float[2]"}, "const at both parameters or at none");
}

TEST(SharedMemory, IsNotSharedInChains) {
  FunctionSignature function = update();
  function.parameters[3] = pointer("z");
  expect_refusal({"double[4]", "int=4", "double[4] alias=x", "double[2] alias=y"}, "'y' is an alias itself; name 'x'",
                 function);
}

TEST(SharedMemory, IsRefusedByRestrict) {
  FunctionSignature function = update();
  function.parameters[0].is_restrict = true;
  expect_refusal({"double[4]", "int=4", "double[4] alias=x", "float[2]"}, "'x' is restrict", function);
}

} // namespace
