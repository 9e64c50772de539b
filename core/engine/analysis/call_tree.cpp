#include "core/engine/analysis/call_tree.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "llvm/IR/Constant.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace assay::engine {
namespace {

constexpr std::size_t instruction_budget = 200'000;

} // namespace

FramedValue framed(FrameId frame, const llvm::Value &value) {
  return {llvm::isa<llvm::Constant>(value) ? root_frame : frame, &value};
}

namespace {

constexpr unsigned tag_depth = 4;

bool is_tagging(const llvm::Value &value) {
  const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  if (operation == nullptr || !llvm::isa<llvm::ConstantInt>(operation->getOperand(1)))
    return false;
  switch (operation->getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Sub:
  case llvm::Instruction::And:
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
    return true;
  default:
    return false;
  }
}

bool comes_from_pointer(const llvm::Value &integer) {
  const llvm::Value *value = &integer;
  while (is_tagging(*value))
    value = llvm::cast<llvm::User>(value)->getOperand(0);
  return llvm::isa<llvm::PtrToIntInst, llvm::PtrToAddrInst>(value);
}

bool becomes_pointer(const llvm::Value &integer, unsigned depth) {
  return llvm::any_of(integer.users(), [&](const llvm::User *user) {
    return llvm::isa<llvm::IntToPtrInst>(user) || (depth > 0 && is_tagging(*user) && becomes_pointer(*user, depth - 1));
  });
}

} // namespace

bool is_address(const llvm::Value &integer) {
  if (!integer.getType()->isIntegerTy() || llvm::isa<llvm::Constant>(integer))
    return false;
  return comes_from_pointer(integer) || becomes_pointer(integer, tag_depth);
}

const llvm::Function &own_body(const llvm::Function &function) {
  return function;
}

CallTree::CallTree(const llvm::Function &root, BodyOf body_of) {
  frames_.emplace_back(root, root_frame);
  instructions_ = root.getInstructionCount();
  for (FrameId frame = 0; frame < frames_.size(); ++frame)
    add_calls(frame, body_of);
}

std::optional<FrameId> CallTree::callee(FrameId frame, const llvm::CallBase &call) const {
  auto found = frames_[frame].callees.find(&call);
  return found == frames_[frame].callees.end() ? std::nullopt : std::optional(found->second);
}

void CallTree::add_calls(FrameId frame, BodyOf body_of) {
  for (const llvm::Instruction &instruction : llvm::instructions(*frames_[frame].function)) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    // The called function is null also when the types of call and function differ.
    const llvm::Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee == nullptr || callee->isDeclaration() || library_effect(*call) != LibraryEffect::unknown)
      continue;
    FrameId target = frame_for(frame, body_of(*callee));
    frames_[frame].callees[call] = target;
  }
}

FrameId CallTree::frame_for(FrameId caller, const llvm::Function &callee) {
  for (FrameId frame = caller;; frame = frames_[frame].parent) {
    if (frames_[frame].function == &callee)
      return frame;
    if (frame == root_frame)
      break;
  }
  instructions_ += callee.getInstructionCount();
  bool shares = instructions_ > instruction_budget;
  if (shares)
    if (auto known = shared_.find(&callee); known != shared_.end())
      return known->second;
  frames_.emplace_back(callee, caller);
  auto made = static_cast<FrameId>(frames_.size() - 1);
  if (shares)
    shared_[&callee] = made;
  return made;
}

} // namespace assay::engine
