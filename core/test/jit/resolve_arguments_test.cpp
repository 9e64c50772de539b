// Would catch: buffers whose sizes do not follow the integers that were drawn.

#include "core/jit/bad_request.hpp"
#include "core/jit/resolve_arguments.hpp"

#include <gtest/gtest.h>

namespace {

using namespace assay::jit;

FunctionSignature gemv() {
  const auto integer = [](const char *name) {
    return ParameterType{ParameterType::Kind::integer, 32, name, "int", {}};
  };
  const auto pointer = [](const char *name) {
    return ParameterType{ParameterType::Kind::pointer, 0, name, "double *", {}};
  };
  return {"gemv", "gemv", {pointer("a"), integer("lda"), integer("n"), pointer("x")}, {}};
}

/// The shortest texts of the specs where each integer is the low or the high end of its range.
std::vector<std::string> resolved(const std::vector<std::string> &texts, bool at_high) {
  std::vector<ArgumentSpec> specs;
  for (const std::string &text : texts)
    specs.push_back(parse_argument_spec(text, integer_names(gemv())));
  const auto found = resolve_arguments(
      gemv(), specs, 0, [&](std::size_t, std::int64_t low, std::int64_t high) { return at_high ? high : low; });
  std::vector<std::string> all;
  for (const ArgumentSpec &spec : found.value_or(std::vector<ArgumentSpec>()))
    all.push_back(to_string(spec));
  return all;
}

std::string refusal(const std::vector<std::string> &texts) {
  try {
    static_cast<void>(resolved(texts, false));
  } catch (const BadRequest &error) {
    return error.what();
  }
  ADD_FAILURE() << "was accepted";
  return "";
}

using Texts = std::vector<std::string>;

TEST(ResolveArguments, ExtentsFollowIntegersThatFollowOthers) {
  const Texts specs{"double[n*lda]", "int=n..n+3", "int=0..4", "double[n x 2]:spd"};
  EXPECT_EQ(resolved(specs, true), (Texts{"double[28]", "int=7", "int=4", "double[4x2]:spd"}));
  EXPECT_EQ(resolved(specs, false), (Texts{"double[0]", "int=0", "int=0", "double[0x2]:spd"}));
}

TEST(ResolveArguments, ParametersMayBeNamedByPosition) {
  EXPECT_EQ(resolved({"double[$3]", "int=$3", "int=5", "double[$2+1]"}, false),
            (Texts{"double[5]", "int=5", "int=5", "double[6]"}));
}

TEST(ResolveArguments, AnEmptyRangeIsNoChoice) {
  EXPECT_TRUE(resolved({"double[n]", "int=1..n-1", "int=0..4", "double"}, false).empty());
}

TEST(ResolveArguments, SaysWhatIsUnknownCircularOrNegative) {
  EXPECT_NE(refusal({"double[k]", "int=1", "int=1", "double[1]"}).find("no integer parameter 'k'; there are lda, n"),
            std::string::npos);
  EXPECT_NE(refusal({"double", "int=n", "int=lda", "double[1]"}).find("depends on itself"), std::string::npos);
  EXPECT_NE(refusal({"double[n-3]", "int=1", "int=2", "double[1]"}).find("the extent 'n-3' is -1 where lda = 1, n = 2"),
            std::string::npos);
  EXPECT_NE(refusal({"double[n*n]", "int=1", "int=100000", "double[1]"}).find("more than"), std::string::npos);
  EXPECT_NE(refusal({"double[n]=1,2", "int=1", "int=3", "double[1]"}).find("2 values for 3 elements"),
            std::string::npos);
}

TEST(ResolveArguments, OfASetTheNumberNextToTheDrawnOneCounts) {
  const Texts specs{"double[max(1, 1+(n-1)*abs(lda))]", "int={4,-3,n}", "int=5", "double"};
  EXPECT_EQ(resolved(specs, false).front(), "double[13]");
  EXPECT_EQ(resolved(specs, true).front(), "double[21]");
  EXPECT_NE(refusal({"double", "int={n,1}", "int=lda", "double"}).find("depends on itself"), std::string::npos);
}

} // namespace
