// Would catch: an address that is taken for an integer, so that its memory has no shadow, since the program compares it
// with a mark of failure.

#include "core/test/analysis/parsed_function.hpp"

namespace assay::test {
namespace {

/// A function whose `%word` is a block of memory, or the size that was not to be had, as a function returns it that was
/// inlined; `rest` puts it into a table where elements lie at unknown distances.
std::string with_word(const std::string &result, const std::string &rest) {
  return R"(
    declare ptr @malloc(i64)
    define )" +
         result + R"( @f(ptr %table, i64 %i, i64 %size, i1 %failed) {
      %slot = alloca i64
      %other = alloca i64
      %bytes = shl i64 %size, 3
      %memory = call ptr @malloc(i64 %bytes)
      store ptr %memory, ptr %slot
      %which = select i1 %failed, ptr %slot, ptr %other
      store i64 %bytes, ptr %which
      %word = load i64, ptr %slot
      %mark = icmp eq i64 %word, -9223372036854775807
      %element = getelementptr i8, ptr %table, i64 %i
)" + rest +
         "    }";
}

TEST(PossibleAddresses, AreWordsThatAreOnlyMovedBetweenAddressesAndCounts) {
  Typed f(with_word("void", R"(
      %count = load i64, ptr %element, align 8
      %more = add i64 %count, 1
      store i64 %count, ptr %element, align 8
      store i64 %more, ptr %element, align 8
      store i64 %word, ptr %element, align 8
      %numbers = load ptr, ptr %element, align 8
      store double 1.0, ptr %numbers
      ret void
)"));
  EXPECT_EQ(f.of("word"), "pointer");
  EXPECT_EQ(f.of("count"), "integer");
  EXPECT_EQ(f.of("bytes"), "integer");
}

/// The table has numbers at such distances as well, which does not make the word a number.
TEST(PossibleAddresses, StayUnknownAmongNumbers) {
  Typed f(with_word("double", R"(
      store i64 %bytes, ptr %element, align 8
      store i64 %word, ptr %element, align 8
      %numbers = load ptr, ptr %element, align 8
      %number = load double, ptr %element, align 8
      store double %number, ptr %numbers
      ret double %number
)"));
  EXPECT_EQ(f.of("word"), "unknown");
  EXPECT_EQ(f.of("bytes"), "integer");
}

} // namespace
} // namespace assay::test
