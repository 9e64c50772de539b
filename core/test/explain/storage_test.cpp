// What is kept for the reverse sweep, why, and how much that is.
#include "core/test/explain/explained.hpp"

namespace assay::test {
namespace {

using engine::ExplainedStorage;

constexpr const char *loop = R"(
define double @f(ptr noalias %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 1.0, %entry ], [ %t, %loop ]
  %place = getelementptr double, ptr %x, i64 %i
  %element = load double, ptr %place
  %t = fmul double %s, %element
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %t
}
)";

TEST(ExplainStorage, CountsTheTapeOfALoopInTheWordsOfTheProgram) {
  const Explained explained(loop, "dca");
  ASSERT_TRUE(explained.of_f().is_planned);
  const engine::ExplainedValue &sum = explained.value("s");
  EXPECT_EQ(sum.storage, ExplainedStorage::tape);
  EXPECT_EQ(sum.bytes, 8u);
  EXPECT_EQ(sum.storage_reason, "each iteration of the loop computes it from the one before, by no fixed step");
  ASSERT_TRUE(sum.loop.has_value());
  const engine::Formula &tape = explained.of_f().loops.at(*sum.loop).tape;
  EXPECT_EQ(tape.evaluate([](llvm::StringRef) { return std::optional<std::int64_t>(10); }), 80) << tape.text();
  EXPECT_TRUE(tape.mentions("n")) << tape.text();
}

TEST(ExplainStorage, SaysWhichDerivativeNeedsAValue) {
  const Explained explained(loop, "dca");
  EXPECT_NE(text_of(explained.value("s").needed_for).find("for the derivative of"), std::string::npos)
      << text_of(explained.value("s").needed_for);
  EXPECT_EQ(explained.value("element").storage, ExplainedStorage::recompute);
  EXPECT_EQ(explained.value("element").storage_reason, "nothing overwrites its memory before it is read again");
}

constexpr const char *overwritten = R"(
define void @f(ptr noalias %x, ptr noalias %out, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %element = load double, ptr %x
  %square = fmul double %element, %element
  %sine = call double @llvm.sin.f64(double %square)
  store double %sine, ptr %x
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
declare double @llvm.sin.f64(double)
)";

TEST(ExplainStorage, NamesTheStoreThatOverwritesWhatALoadRead) {
  const Explained explained(overwritten, "dccc");
  bool is_named = false;
  for (const engine::ExplainedValue &value : explained.of_f().values)
    is_named = is_named || (value.storage == ExplainedStorage::tape || value.storage == ExplainedStorage::restored);
  EXPECT_TRUE(is_named) << "nothing is kept of what the loop overwrites";
  EXPECT_FALSE(explained.of_f().tape.constant().has_value()) << explained.of_f().tape.text();
}

TEST(ExplainStorage, CountsALoopInsideALoopByItsCounter) {
  const Explained explained(R"(
define double @f(ptr noalias %x, i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi double [ 1.0, %entry ], [ %left, %latch ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %t = phi double [ %s, %outer ], [ %product, %inner ]
  %place = getelementptr double, ptr %x, i64 %j
  %element = load double, ptr %place
  %product = fmul double %t, %element
  %j.next = add nuw nsw i64 %j, 1
  %inner.done = icmp eq i64 %j, %i
  br i1 %inner.done, label %latch, label %inner
latch:
  %left = phi double [ %product, %inner ]
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %outer
exit:
  ret double %left
}
)",
                            "dca");
  const auto bytes = explained.of_f().tape.evaluate(
      [](llvm::StringRef name) { return name == "n" ? std::optional<std::int64_t>(4) : std::nullopt; });
  EXPECT_EQ(bytes, 8 * (1 + 2 + 3 + 4)) << explained.of_f().tape.text();
}

TEST(ExplainStorage, NamesALoopWhoseTripCountOnlyTheDataKnow) {
  const Explained explained(R"(
define double @f(double %x) {
entry:
  br label %loop
loop:
  %s = phi double [ %x, %entry ], [ %t, %loop ]
  %t = call double @llvm.sin.f64(double %s)
  %small = fcmp olt double %t, 0.1
  br i1 %small, label %exit, label %loop
exit:
  ret double %t
}
declare double @llvm.sin.f64(double)
)",
                            "aa");
  EXPECT_EQ(explained.of_f().tape.text(), "8 * (iterations of a loop)");
}

// Would catch: a function whose derivative is made for its caller, and never explained.
TEST(ExplainStorage, ExplainsDerivativesOfCalledFunctionsToo) {
  const Explained explained(R"(
define double @g(double %x, i32 %n) {
  %last = icmp eq i32 %n, 0
  br i1 %last, label %stop, label %go
go:
  %square = fmul double %x, %x
  %less = sub i32 %n, 1
  %deeper = call double @g(double %square, i32 %less)
  %product = fmul double %deeper, %x
  ret double %product
stop:
  ret double %x
}
define double @f(double %x) {
  %y = fmul double %x, %x
  %z = call double @g(double %y, i32 2)
  ret double %z
}
)",
                            "aa");
  ASSERT_EQ(explained.all().size(), 2u);
  EXPECT_EQ(explained.all()[0].function, "f");
  EXPECT_EQ(explained.all()[1].function, "g");
  EXPECT_TRUE(explained.all()[1].is_planned);
  EXPECT_EQ(explained.all()[0].called_tapes, std::vector<std::string>{"g"});
}

TEST(ExplainStorage, HasNoTapeInForwardMode) {
  const Explained explained(loop, "dcd", engine::Mode::forward);
  EXPECT_FALSE(explained.of_f().is_planned);
  EXPECT_TRUE(explained.of_f().loops.empty());
  EXPECT_TRUE(explained.value("element").is_active);
}

// Would catch: an observer whose questions change what the engine decides.
TEST(ExplainStorage, ChangesNothing) {
  for (const char *program : {loop, overwritten}) {
    const std::string activities = program == loop ? "dca" : "dccc";
    const Explained with(program, activities), without(program, activities, engine::Mode::reverse, Observed::no);
    EXPECT_EQ(with.module_text(), without.module_text());
    EXPECT_TRUE(without.all().empty());
  }
}

} // namespace
} // namespace assay::test
