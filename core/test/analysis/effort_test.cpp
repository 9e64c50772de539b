// What the analyses cost: programs of realistic shape whose effort grew with the square, or the third power, of
// their size.

#include "core/engine/analysis/types_implementation.hpp"
#include "core/test/analysis/parsed_function.hpp"
#include "core/test/analysis/processor_time.hpp"
#include <algorithm>
#include <limits>

using namespace assay::test;

namespace {

/// `count` times what `write(index)` makes.
template <class Write>
std::string repeated(unsigned count, const Write &write) {
  std::string text;
  for (unsigned index = 0; index < count; ++index)
    text += write(index);
  return text;
}

/// A binary tree of functions that work on structs behind pointers: each moves its body, and links and copies it, as
/// the parts of a physics engine do with theirs.
std::string call_tree(unsigned functions) {
  const auto one = [&](unsigned index) {
    std::string text =
        "define double @" + (index == 0 ? "f" : "f" + std::to_string(index)) + "(ptr %body, i64 %n) {\n" + R"(
  %copy = alloca { double, i64, ptr, [4 x double] }
  %position = load double, ptr %body
  %link = getelementptr i8, ptr %body, i64 16
  %next = load ptr, ptr %link
  %other = load double, ptr %next
  %moved = fadd double %position, %other
  store double %moved, ptr %body
  %row = getelementptr i8, ptr %next, i64 24
  %element = getelementptr double, ptr %row, i64 %n
  store double %moved, ptr %element
  %count = getelementptr i8, ptr %body, i64 8
  %bits = load i64, ptr %count
  %copied = getelementptr i8, ptr %copy, i64 8
  store i64 %bits, ptr %copied
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %next, i64 56, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %body, ptr %copy, i64 56, i1 false)
)";
    std::string sum = "%moved";
    for (const unsigned callee : {2 * index + 1, 2 * index + 2}) {
      if (callee >= functions)
        continue;
      const std::string name = std::to_string(callee);
      text += "  %r" + name + " = call double @f" + name + "(ptr %" + (callee % 2 == 0 ? "next" : "copy") +
              ", i64 %bits)\n  %s" + name + " = fadd double " + sum + ", %r" + name + "\n";
      sum = "%s" + name;
    }
    return text + "  ret double " + sum + "\n}\n";
  };
  return "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n" + repeated(functions, one);
}

double seconds_of_analysing(const std::string &ir, const std::string &activities) {
  ParsedModule parsed(ir);
  const double start = processor_seconds();
  const assay::engine::TypeAnalysis types(parsed.function(), false);
  const assay::engine::FunctionInfo function_info = Analysed::read(parsed.module());
  const assay::engine::ActivityAnalysis activity(
      Analysed::request(parsed.function(), activities, assay::engine::Mode::reverse, assay::engine::Caller::program),
      function_info, types);
  const double seconds = processor_seconds() - start;
  EXPECT_TRUE(activity.has_shadow(parsed.value("body")));
  return seconds;
}

} // namespace

TEST(Effort, OfACallTreeGrowsWithItsSize) {
  // Where the effort grows with the square, it grows 256 times; caches that others use, too, make less of a difference.
  const std::string small_tree = call_tree(250), large_tree = call_tree(4000);
  double small = std::numeric_limits<double>::infinity(), large = small;
  for (int run = 0; run < 3; ++run) {
    small = std::min(small, seconds_of_analysing(small_tree, "dca"));
    large = std::min(large, seconds_of_analysing(large_tree, "dca"));
  }
  EXPECT_LT(large, 96 * small) << "sixteen times the tree took " << large / small << " times as long";
}

// Each call from outside into functions that call each other could have copies of all of them.
TEST(Effort, OfACycleOfFunctionsDoesNotGrowWithTheCallsIntoIt) {
  constexpr unsigned members = 40, callers = 300;
  const auto member = [](unsigned index) {
    const std::string name = std::to_string(index);
    std::string text = "define void @m" + name + "(ptr %x) {\n";
    for (unsigned step = 1; step <= 3; ++step)
      text += "  call void @m" + std::to_string((index + step * step) % members) + "(ptr %x)\n";
    for (unsigned store = 0; store < 50; ++store)
      text += "  store double 1.0, ptr %x\n";
    return text + "  ret void\n}\n";
  };
  const auto caller = [](unsigned index) {
    return "  call void @m" + std::to_string(index % members) + "(ptr %body)\n";
  };
  ParsedModule parsed("define double @f(ptr %body, i64 %n) {\n" + repeated(callers, caller) + "  ret double 0.0\n}\n" +
                      repeated(members, member));
  const assay::engine::TypeAnalysis types(parsed.function(), false);
  EXPECT_LT(types.implementation().memory.calls().size(), 20 * members);
}

// The caller of many derivatives is asked for what it knows of each function's memory; those that it calls by then were
// analysed again with it.
TEST(Effort, OfACallerDoesNotGrowWithTheDerivativesThatItHas) {
  ParsedModule parsed(R"(
define void @f(ptr %a, ptr %b) {
  store double 1.0, ptr %a
  call void @diffe.g(ptr %a, ptr %b)
  call void @plain(ptr %b)
  ret void
}
define void @diffe.g(ptr %x, ptr %dx) "assay-derivative" {
  store ptr %dx, ptr %x
  call void @plain(ptr %x)
  ret void
}
define void @plain(ptr %y) {
  store float 1.0, ptr %y
  ret void
}
)");
  const assay::engine::TypeAnalysis types(parsed.function(), false, assay::engine::own_body, nullptr,
                                          assay::engine::Followed::program);
  EXPECT_EQ(types.implementation().memory.calls().size(), 2U);
  EXPECT_EQ(text(types.fields(parsed.value("a"), 8)), "0:double");
  EXPECT_EQ(text(types.fields(parsed.value("b"), 4)), "0:float");
  const assay::engine::TypeAnalysis all(parsed.function(), false);
  EXPECT_EQ(all.implementation().memory.calls().size(), 4U);
}

// Objects that hold numbers and addresses in turn, and arrays of any stride, copied to one another: each place of each
// copy was looked for among all places, again and again.
TEST(Effort, OfCopiesBetweenObjectsOfManyPlacesStaysSmall) {
  constexpr unsigned places = 2000, arrays = 1000, copies = 200;
  constexpr double patience = 5; // A tenth of a second is enough; it took fourteen.
  const std::string objects =
      repeated(copies + 1, [](unsigned index) { return "ptr %a" + std::to_string(index) + ", "; });
  const auto place = [](unsigned index) {
    const std::string name = "%p" + std::to_string(index);
    return "  " + name + " = getelementptr i8, ptr %a0, i64 " + std::to_string(8 * index) +
           "\n  store double %x, ptr " + name + "\n" + (index % 2 == 0 ? "" : "  store ptr null, ptr " + name + "\n");
  };
  const auto array = [](unsigned index) {
    const std::string number = std::to_string(index);
    return "  %m" + number + " = mul i64 %i, " + std::to_string(8 * (index + 3)) + "\n  %s" + number +
           " = getelementptr i8, ptr %a0, i64 %m" + number + "\n  store double %x, ptr %s" + number + "\n";
  };
  const auto copy = [](unsigned index) {
    return "  call void @llvm.memcpy.p0.p0.i64(ptr %a" + std::to_string(index + 1) + ", ptr %a" +
           std::to_string(index) + ", i64 %n, i1 false)\n";
  };
  ParsedModule parsed("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndefine void @f(" + objects +
                      "i64 %n, i64 %i, double %x) {\n" + repeated(places, place) + repeated(arrays, array) +
                      repeated(copies, copy) + "  ret void\n}\n");
  const double start = processor_seconds();
  const assay::engine::TypeAnalysis types(parsed.function(), false);
  EXPECT_LT(processor_seconds() - start, patience);
  EXPECT_EQ(text(types.fields(parsed.value("a200"), 8)), "0:double");
}
