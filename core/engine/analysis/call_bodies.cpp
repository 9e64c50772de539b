#include "core/engine/analysis/call_bodies.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/rule_template.hpp"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <algorithm>

namespace assay::engine {
namespace {

/// Nothing for calls whose callee is unknown, has no body or hides it, or does what a library function does.
const llvm::Function *known_callee(const llvm::CallBase &call, Followed followed) {
  // The called function is null also when the types of call and function differ.
  const llvm::Function *callee = call.getCalledFunction();
  const bool is_known = callee != nullptr && !callee->isDeclaration() &&
                        !callee->hasFnAttribute(hidden_body_attribute) &&
                        library_effect(call) == LibraryEffect::unknown;
  const bool is_left_out = is_known && followed == Followed::program &&
                           (callee->hasFnAttribute(derivative_attribute) || callee->hasFnAttribute(gathers_numbers));
  return is_known && !is_left_out ? callee : nullptr;
}

/// A function on the way of the depth-first search.
struct Visit {
  const llvm::Function *function;
  std::size_t next_call = 0;
};

} // namespace

const llvm::Function &own_body(const llvm::Function &function) {
  return function;
}

CallBodies::CallBodies(const llvm::Function &root, BodyOf body_of, Followed followed) {
  llvm::SmallVector<const llvm::Function *, 16> pending{&root};
  while (!pending.empty()) {
    const llvm::Function *function = pending.pop_back_val();
    if (bodies_.contains(function))
      continue;
    read(*function, body_of, followed);
    for (auto [call, callee] : of(*function).calls)
      pending.push_back(callee);
  }
  find_cycles(root);
}

void CallBodies::read(const llvm::Function &function, BodyOf body_of, Followed followed) {
  auto body = std::make_unique<CallBody>();
  body->numbers.reserve(function.arg_size() + function.getInstructionCount());
  const auto number = [&](const llvm::Value &value) {
    body->numbers.try_emplace(&value, static_cast<unsigned>(body->numbers.size()));
  };
  for (const llvm::Argument &argument : function.args())
    number(argument);
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    ++body->instructions;
    number(instruction);
    if (const auto *exit = llvm::dyn_cast<llvm::ReturnInst>(&instruction); exit && exit->getReturnValue() != nullptr)
      body->returned.push_back(exit->getReturnValue());
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const llvm::Function *callee = known_callee(*call, followed)) {
        body->call_indices.try_emplace(call, static_cast<unsigned>(body->calls.size()));
        body->calls.emplace_back(call, &body_of(*callee));
      }
  }
  instructions_ += body->instructions;
  bodies_[&function] = std::move(body);
}

void CallBodies::find_cycles(const llvm::Function &root) {
  llvm::DenseMap<const llvm::Function *, unsigned> number; // in the order of the search
  llvm::DenseMap<const llvm::Function *, unsigned> lowest; // that can be called back from there
  llvm::SmallVector<const llvm::Function *, 16> open;      // not yet in a cycle of their own
  llvm::SmallVector<Visit, 16> way;
  unsigned cycles = 0;
  const auto enter = [&](const llvm::Function *function) {
    const unsigned next = number.size();
    number[function] = next;
    lowest[function] = next;
    open.push_back(function);
    way.push_back({function});
  };
  const auto close = [&](const llvm::Function *first) {
    ++cycles;
    const llvm::SmallVector<const llvm::Function *, 4> members(llvm::find(open, first), open.end());
    open.truncate(open.size() - members.size());
    std::size_t instructions = 0;
    for (const llvm::Function *member : members)
      instructions += of(*member).instructions;
    for (const llvm::Function *member : members) {
      bodies_.at(member)->cycle = cycles;
      bodies_.at(member)->instructions_of_cycle = instructions;
    }
  };
  enter(&root);
  while (!way.empty()) {
    const llvm::Function *function = way.back().function;
    const CallBody &body = of(*function);
    if (way.back().next_call < body.calls.size()) {
      const llvm::Function *callee = body.calls[way.back().next_call++].second;
      if (!number.contains(callee))
        enter(callee);
      else if (of(*callee).cycle == 0)
        lowest[function] = std::min(lowest[function], number[callee]);
      continue;
    }
    way.pop_back();
    if (!way.empty())
      lowest[way.back().function] = std::min(lowest[way.back().function], lowest[function]);
    if (lowest[function] == number[function])
      close(function);
  }
}

} // namespace assay::engine
