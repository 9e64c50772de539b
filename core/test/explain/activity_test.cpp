// Why values are active or constant. A wrong reason sends a user to the wrong declaration.
#include "core/engine/explain/message_chain.hpp"
#include "core/test/explain/explained.hpp"

namespace assay::test {
namespace {

constexpr const char *straight = R"(
define double @f(double %x, double %y, ptr %out) {
  %scale = fmul double %y, %y
  %product = fmul double %x, %scale
  %dead = fadd double %x, 1.0
  %whole = fptosi double %dead to i32
  store i32 %whole, ptr %out
  ret double %product
}
)";

TEST(ExplainActivity, ShowsTheWayFromAnInputToAnOutput) {
  const Explained explained(straight, "aaca");
  const engine::ExplainedValue &product = explained.value("product");
  EXPECT_TRUE(product.is_active);
  EXPECT_EQ(text_of(product.from_input), "the argument 'x' -> x * (y * y)");
  EXPECT_EQ(text_of(product.to_output), "x * (y * y) -> the result of the function");
}

TEST(ExplainActivity, NamesTheConstantInputsThatAValueDependsOn) {
  const Explained explained(straight, "acca");
  const engine::ExplainedValue &scale = explained.value("scale");
  EXPECT_FALSE(scale.is_active);
  EXPECT_EQ(scale.activity_reason, "constant: no active input reaches it; it depends on 'y', which is constant");
  EXPECT_TRUE(scale.from_input.empty());
  EXPECT_FALSE(scale.to_output.empty());
}

TEST(ExplainActivity, SaysThatNoOutputDependsOnAValue) {
  const Explained explained(straight, "aaca");
  const engine::ExplainedValue &dead = explained.value("dead");
  EXPECT_FALSE(dead.is_active);
  EXPECT_EQ(dead.activity_reason, "constant: no active output depends on it");
  EXPECT_EQ(explained.value("whole").activity_reason, "constant: an integer carries no derivative");
}

constexpr const char *through_memory = R"(
define void @f(ptr %x, ptr %out, ptr %unused) {
  %number = load double, ptr %x
  %square = fmul double %number, %number
  store double %square, ptr %out
  ret void
}
)";

TEST(ExplainActivity, GoesThroughMemory) {
  const Explained explained(through_memory, "dddc");
  EXPECT_EQ(text_of(explained.value("square").from_input), "the memory of 'x' -> *x -> *x * *x");
  EXPECT_EQ(text_of(explained.value("square").to_output), "*x * *x -> stored in the memory of 'out'");
  EXPECT_EQ(explained.value("out").activity_reason, "active: its memory was passed with a shadow");
}

TEST(ExplainActivity, NamesWhatWasDeclaredActiveAndTakesNoPart) {
  const Explained explained(through_memory, "dddc");
  EXPECT_EQ(text_of(explained.of_f().surprises),
            "'unused' comes with a shadow, but nothing active is computed from its memory or stored in it");
  EXPECT_TRUE(Explained(through_memory, "ddcc").of_f().surprises.empty());
}

// Would catch: memory that is read and written in place taken for idle.
TEST(ExplainActivity, FindsMemoryThatOnlyGoesBackToItselfToTakePart) {
  const Explained explained(R"(
define void @f(ptr %x) {
  %number = load double, ptr %x
  %square = fmul double %number, %number
  store double %square, ptr %x
  ret void
}
)",
                            "dc");
  EXPECT_TRUE(explained.of_f().surprises.empty());
}

TEST(ExplainActivity, SaysWhereConstantAndActiveMemoryMeet) {
  const Explained explained(R"(
define void @f(ptr %x, ptr %c, i1 %which, ptr %out) {
  %either = select i1 %which, ptr %x, ptr %c
  %number = load double, ptr %either
  %square = fmul double %number, %number
  store double %square, ptr %either
  store double %square, ptr %out
  ret void
}
)",
                            "dccdc");
  EXPECT_FALSE(explained.error().empty());
  EXPECT_EQ(explained.of_f().refusal, explained.error());
  EXPECT_EQ(text_of(explained.of_f().chain),
            "memory declared constant is used through the same pointer as active memory -> "
            "'x' (argument 1) was passed with a shadow -> 'c' (argument 2) was declared constant -> "
            "one pointer may mean 'x' or 'c'");
}

TEST(ExplainActivity, SaysByWhichWayADerivativeGetsIntoConstantMemory) {
  const Explained explained(R"(
define double @f(double %x, ptr %scratch) {
  %square = fmul double %x, %x
  store volatile double %square, ptr %scratch
  %again = load volatile double, ptr %scratch
  ret double %again
}
)",
                            "aca");
  const std::string chain = text_of(explained.of_f().chain);
  EXPECT_NE(chain.find("memory declared constant keeps values that carry a derivative"), std::string::npos) << chain;
  EXPECT_NE(chain.find("-> the argument 'x' -> -> x * x -> -> stored in the memory of 'scratch'"), std::string::npos)
      << chain;
}

TEST(ExplainTypes, SayWhereTheTypeOfMemoryWasLearned) {
  const Explained explained(through_memory, "dddc");
  EXPECT_EQ(explained.value("x").type, "pointer to double");
  EXPECT_EQ(text_of(explained.value("x").evidence), "read as double");
  EXPECT_EQ(text_of(explained.value("out").evidence), "written as double");
  EXPECT_EQ(explained.value("unused").type, "pointer to memory of unknown type");
}

TEST(ExplainTypes, TakeTheChainOutOfADiagnostic) {
  const std::vector<engine::ExplainedStep> chain =
      engine::chain_of_message("a.c:6:3: in function 'f': the type of the memory that is moved is not known: looked at "
                               "offset 0 of memory with no "
                               "typed access; the memory is argument 2 'from', moved as bytes (line 6), read as "
                               "double: call void @llvm.memcpy(); "
                               "copy element by element");
  EXPECT_EQ(text_of(chain), "looked at offset 0 of memory with no typed access -> the memory is argument 2 'from' -> "
                            "moved as bytes -> read as double");
  EXPECT_EQ(chain.at(2).place.line, 6u);
  EXPECT_TRUE(engine::chain_of_message("the function 'g' has no body and no rule").empty());
}

} // namespace
} // namespace assay::test
