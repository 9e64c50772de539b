// Random programs as values: always valid, the same everywhere, and made smaller in an order that ends.
#include "generators/programs/draw.hpp"
#include "generators/programs/flaw.hpp"
#include "generators/programs/shrink.hpp"
#include "generators/programs/test_program.hpp"

#include <gtest/gtest.h>

namespace assay::gen::programs {
namespace {

TEST(DrawnPrograms, AreValid) {
  for (std::uint32_t index = 0; index < 300; ++index) {
    const auto flaw = find_flaw(draw_program(5, index));
    EXPECT_FALSE(flaw) << "program " << index << ": " << *flaw;
  }
}

TEST(DrawnPrograms, FollowFromSeedAndIndexAlone) {
  const Program third = draw_program(7, 3);
  static_cast<void>(draw_program(7, 2));
  EXPECT_EQ(draw_program(7, 3), third);
  EXPECT_NE(draw_program(8, 3), third);
  EXPECT_NE(draw_program(7, 4), third);
}

TEST(DrawnPrograms, HaveAnOracleInLongDouble) {
  const Program program = draw_program(1, 0);
  const std::string text = whole_test_of(program);
  EXPECT_NE(text.find("long double"), std::string::npos);
  EXPECT_NE(text.find("__enzyme_autodiff"), std::string::npos);
  EXPECT_NE(text.find("int main(void)"), std::string::npos);
}

TEST(Flaws, AnIndexBeyondTheArrayIsOne) {
  Program program = draw_program(1, 0);
  program.entry().body = {Operation::block, {}, 0, 0, Form::plain, {}};
  program.entry().result = {};
  const Type array = program.entry().variables[0].type;
  const Node base{Operation::variable, array, 0, 0, Form::plain, {}};
  const auto store_at = [&](int index) {
    const Node number{Operation::literal, integer(), 0, static_cast<double>(index), Form::plain, {}};
    const Node place{Operation::element, real64(), 0, 0, Form::plain, {base, number}};
    const Node value{Operation::literal, real64(), 0, 0.5, Form::plain, {}};
    program.entry().body.children = {{Operation::assign, {}, 0, 0, Form::plain, {place, value}}};
    return find_flaw(program);
  };
  EXPECT_FALSE(store_at(array.count - 1));
  EXPECT_TRUE(store_at(array.count));
  EXPECT_TRUE(store_at(-1));
}

/// As the shrinker does it, for a failure that every program has.
TEST(Shrinking, EndsAtTheSmallestProgram) {
  Program program = draw_program(3, 1);
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const Edit &edit : edits_of(program))
      if (auto edited = apply(edit, program)) {
        ASSERT_FALSE(find_flaw(*edited));
        ASSERT_LT(size_of(*edited), size_of(program));
        program = std::move(*edited);
        smaller = true;
        break;
      }
  }
  EXPECT_EQ(program.functions.size(), 1U);
  EXPECT_LE(program.entry().body.children.size(), 1U);
}

} // namespace
} // namespace assay::gen::programs
