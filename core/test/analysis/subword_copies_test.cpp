#include "core/test/analysis/parsed_function.hpp"

namespace assay::test {
namespace {

/// Of two bytes and `rest` beside them, in a program that has floats, a double behind them.
std::string copies_of_pieces(llvm::StringRef rest) {
  return (R"(
    define float @scale(ptr %p) {
      %v = load float, ptr %p
      %r = fmul float %v, %v
      store float %r, ptr %p
      ret float %r
    }
    define double @f(ptr %x, ptr %y, i64 %n) {
      %piece = load i16, ptr %x
      store i16 %piece, ptr %y
      %from = getelementptr i8, ptr %x, i64 2
      %to = getelementptr i8, ptr %y, i64 2
      )" + rest +
          R"(
      %x8 = getelementptr i8, ptr %x, i64 8
      %y8 = getelementptr i8, ptr %y, i64 8
      %v = load double, ptr %x8
      store double %v, ptr %y8
      %w = load double, ptr %y8
      ret double %w
    })")
      .str();
}

TEST(SubwordCopies, TakesAPieceThatMovesWithoutTheRestOfAFloatForNone) {
  EXPECT_FALSE(Analysed(copies_of_pieces(""), "ddca").carries("piece"));
  EXPECT_FALSE(Analysed(copies_of_pieces("%b = load i8, ptr %from\nstore i8 %b, ptr %to"), "ddca").carries("piece"))
      << "three bytes are no float";
}

TEST(SubwordCopies, SeesPiecesOfAFloatThatAreCopiedOneAfterTheOther) {
  EXPECT_TRUE(Analysed(copies_of_pieces("%b = load i16, ptr %from\nstore i16 %b, ptr %to"), "ddca").carries("piece"));
  EXPECT_TRUE(
      Analysed(copies_of_pieces("call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)"), "ddca")
          .carries("piece"));
  EXPECT_TRUE(Analysed(copies_of_pieces("%z = getelementptr i8, ptr %y, i64 %n\nstore i16 0, ptr %z"), "ddca")
                  .carries("piece"));
}

} // namespace
} // namespace assay::test
