// Which memory is reloaded beside buffers that take turns, as those of a time step do.
#include "core/test/plan/planned_function.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

// Three buffers take turns: each step reads one and writes another.
constexpr StringRef buffers_in_turns = R"(
define double @f(ptr noalias %x, ptr noalias %u, ptr noalias %v, ptr noalias %w, i64 %n) {
entry:
  br label %step
step:
  %t = phi i64 [ 0, %entry ], [ %t.next, %step.end ]
  %before = phi ptr [ %u, %entry ], [ %now, %step.end ]
  %now = phi ptr [ %v, %entry ], [ %to, %step.end ]
  %to = phi ptr [ %w, %entry ], [ %before, %step.end ]
  br label %loop
loop:
  %i = phi i64 [ 0, %step ], [ %next, %loop ]
  %place = getelementptr double, ptr READ, i64 %i
  %need = load double, ptr %place
  %value = fmul double %need, %need
  %goal = getelementptr double, ptr %to, i64 %i
  store double %value, ptr %goal
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %step.end
step.end:
  %t.next = add i64 %t, 1
  %again = icmp ult i64 %t.next, %n
  br i1 %again, label %step, label %exit
exit:
  %result = load double, ptr %to
  ret double %result
}
)";

std::string reading(StringRef buffer) {
  std::string text = buffers_in_turns.str();
  text.replace(text.find("READ"), 4, buffer.str());
  return text;
}

TEST(Plan, ReloadsMemoryBesideBuffersThatTakeTurns) {
  EXPECT_EQ(PlannedFunction(reading("%x"), Sweeps::combined).storage("need"), Storage::recompute);
}

TEST(Plan, KeepsNumbersOfBuffersThatTakeTurns) {
  EXPECT_EQ(PlannedFunction(reading("%now"), Sweeps::combined).storage("need"), Storage::tape);
}

} // namespace
} // namespace assay::engine
