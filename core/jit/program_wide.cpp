// The function and its derivatives computed otherwise than in the program's own arithmetic: with wide numbers beside
// them (core/widen), and with other roundings.

#include "core/engine/support/library_bodies.hpp"
#include "core/engine/support/open_calls.hpp"
#include "core/jit/effort.hpp"
#include "core/jit/program_state.hpp"
#include "core/jit/rounded_constants.hpp"
#include "core/widen/runtime.hpp"
#include "llvm/IR/Module.h"

namespace assay::jit {

namespace {

bool has_no_name(const llvm::GlobalValue &) {
  return false;
}

/// In one order, the constants of sums are not joined and rounded.
engine::TestHooks with_order_of_sums(engine::TestHooks test_hooks) {
  test_hooks.written = [planned = test_hooks.written](llvm::Function &function) {
    if (planned)
      planned(function);
    fix_order_of_sums(function);
  };
  return test_hooks;
}

/// Where the engine leaves it. Vectors would only be taken apart again.
void widen_differentiated(llvm::Module &module, widen::TwinKind kind) {
  engine::drop_library_calls(module); // Wide numbers follow no machine code.
  keep_reached(module, has_no_name);
  widen::widen(module, kind);
  leave_as_it_is(module);
}

} // namespace

/// As the source has it; with the derivatives that it computes itself, once these are written, and with kernels.
Program::State::Compiled Program::State::compile_widened(widen::TwinKind kind) {
  const std::string names[] = {primal_entry_name};
  std::unique_ptr<llvm::Module> module = copy_with_primal_entry();
  PipelineChanges changes;
  if (signature.launch || file.kernels() || engine::asks_for_derivatives(reached.checked_function(*module))) {
    reached.drop_unreached(*module);
    changes.differentiated = [&](llvm::Module &differentiated) { widen_differentiated(differentiated, kind); };
  } else {
    engine::add_library_bodies(*module, engine::PrimalResults::of_body);
    keep_reached(*module, has_no_name);
    widen::widen(*module, kind);
  }
  return single(make(std::move(module),
                     {.level = OptimizationLevel::little,
                      .changes = changes,
                      .symbols = widen::runtime_symbols(),
                      .watches_heap = false,
                      .repetition = Repetition::little},
                     names));
}

Program::State::Compiled Program::State::compile_corrected(const Derivative &wanted) {
  const std::string names[] = {"assay_entry_corrected"};
  const auto correct = [&](llvm::Module &differentiated) {
    if (interference.differentiated)
      interference.differentiated(differentiated);
    widen_differentiated(differentiated, widen::TwinKind::correction);
  };
  return single(make(copy_with_derivative_entry(wanted, names[0]),
                     {.level = file.level(),
                      .test_hooks = with_order_of_sums(interference.test_hooks),
                      .changes = {.simplified = interference.simplified, .differentiated = correct},
                      .symbols = widen::runtime_symbols(),
                      .watches_heap = false,
                      .repetition = Repetition::little},
                     names));
}

Program::State::Compiled Program::State::compile_with_other_rounding(const Derivative &wanted) {
  const std::string names[] = {"assay_entry_otherwise_rounded"};
  const auto move = [&](llvm::Module &differentiated) {
    if (interference.differentiated)
      interference.differentiated(differentiated);
    move_rounded_constants(differentiated);
    leave_as_it_is(differentiated);
  };
  return single(make(copy_with_derivative_entry(wanted, names[0]),
                     {.level = file.level(),
                      .test_hooks = with_order_of_sums(interference.test_hooks),
                      .changes = {.simplified = interference.simplified, .differentiated = move}},
                     names));
}

} // namespace assay::jit
