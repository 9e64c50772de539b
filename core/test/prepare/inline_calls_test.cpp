// Which callees become part of what is differentiated.
#include "core/engine/tidy/inline_derivatives.hpp"
#include "core/test/emit/differentiated.hpp"

namespace assay::test {
namespace {

/// @f begins a chain of functions, each of which calls the next one `calls` times.
std::string chain(unsigned depth, unsigned calls) {
  const auto name = [&](unsigned link) { return link == depth ? std::string("@f") : "@link" + std::to_string(link); };
  std::string text = "define internal double @link0(double %x) { %y = fmul double %x, %x ret double %y }\n";
  for (unsigned link = 1; link <= depth; ++link) {
    text += "define double " + name(link) + "(double %x) {\n  %sum0 = fadd double %x, 1.5\n";
    for (unsigned call = 1; call <= calls; ++call) {
      const std::string number = std::to_string(call), last = std::to_string(call - 1);
      text += "  %x" + number + " = fadd double %x, " + number + ".25\n";
      text += "  %y" + number + " = call double " + name(link - 1) + "(double %x" + number + ")\n";
      text += "  %p" + number + " = fmul double %y" + number + ", %sum" + last + "\n";
      text += "  %sum" + number + " = fadd double %p" + number + ", %x\n";
    }
    text += "  ret double %sum" + std::to_string(calls) + "\n}\n";
  }
  return text;
}

unsigned instructions_of_derivatives(llvm::Module &module) {
  unsigned count = 0;
  for (llvm::Function &function : module)
    if (function.hasFnAttribute(engine::derivative_attribute))
      count += function.getInstructionCount();
  return count;
}

} // namespace

// Twice as much with every link, up to the largest function that is inlined: each link would stand in the program more
// than a hundred times.
TEST(InlineCalls, ChainsThatCallEachLinkTwiceGrowLittle) {
  constexpr unsigned depth = 40, instructions_of_a_link = 20;
  Differentiated d(chain(depth, 2), "dd");
  EXPECT_LT(instructions_of_derivatives(d.module()), 5 * depth * instructions_of_a_link);
}

TEST(InlineCalls, ChainsThatCallEachLinkOnceBecomeOneFunction) {
  Differentiated d(chain(20, 1), "dd");
  EXPECT_EQ(d.count(llvm::Instruction::Call), 0u);
}

TEST(InlineCalls, SmallFunctionsThatAreCalledTwiceBecomePartOfTheirCaller) {
  Differentiated d(chain(2, 2), "dd");
  EXPECT_EQ(d.count(llvm::Instruction::Call), 0u);
}

} // namespace assay::test
