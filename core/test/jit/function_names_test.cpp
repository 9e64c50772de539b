// Would catch: a function that is not found under the name that its author gave it, or the wrong one of two.

#include "core/jit/function_names.hpp"

#include <gtest/gtest.h>

namespace {

using namespace assay::jit;
using Names = std::vector<std::string>;

const Names names{"dot",
                  "_ZN7physics6energyEPdi",     // physics::energy(double*, int)
                  "_ZN4heat6energyEd",          // heat::energy(double)
                  "_Z5scaleIdET_S0_",           // double scale<double>(double)
                  "_Z5scaleIfET_S0_",           // float scale<float>(float)
                  "_Z6squared",                 // square(double)
                  "_Z6squaref",                 // square(float)
                  "_ZN12_GLOBAL__N_16hiddenEd", // (anonymous namespace)::hidden(double)
                  "_ZN4demo4rust17h0123456789abcdefE"};

TEST(FunctionNames, FindsACName) {
  EXPECT_EQ(functions_named("dot", names), Names{"dot"});
}

TEST(FunctionNames, FindsAQualifiedName) {
  EXPECT_EQ(functions_named("physics::energy", names), Names{"_ZN7physics6energyEPdi"});
}

TEST(FunctionNames, ListsEveryFunctionThatAShortNameCanMean) {
  EXPECT_EQ(functions_named("energy", names), (Names{"_ZN7physics6energyEPdi", "_ZN4heat6energyEd"}));
  EXPECT_EQ(functions_named("square", names), (Names{"_Z6squared", "_Z6squaref"}));
}

TEST(FunctionNames, TellsOverloadsApartByTheirParameters) {
  EXPECT_EQ(functions_named("square(float)", names), Names{"_Z6squaref"});
}

TEST(FunctionNames, TellsTemplateInstancesApartByTheirArguments) {
  EXPECT_EQ(functions_named("scale<double>", names), Names{"_Z5scaleIdET_S0_"});
  EXPECT_EQ(functions_named("scale", names).size(), 2u);
}

TEST(FunctionNames, FindsFunctionsOfAnonymousNamespaces) {
  EXPECT_EQ(functions_named("hidden", names), Names{"_ZN12_GLOBAL__N_16hiddenEd"});
}

TEST(FunctionNames, FindsRustFunctionsWithoutTheirHash) {
  EXPECT_EQ(functions_named("demo::rust", names), Names{"_ZN4demo4rust17h0123456789abcdefE"});
}

TEST(FunctionNames, DoesNotTakeAPartOfAWordForAName) {
  EXPECT_TRUE(functions_named("ot", names).empty());
}

TEST(FunctionNames, SuggestsWhatIsSpeltAlike) {
  ASSERT_FALSE(names_near("enery", names).empty());
  EXPECT_NE(names_near("enery", names).front().find("energy"), std::string::npos);
  EXPECT_TRUE(names_near("completely_different", names).empty());
}

} // namespace
