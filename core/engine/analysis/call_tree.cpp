#include "core/engine/analysis/call_tree.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "llvm/IR/Constant.h"
#include "llvm/IR/InstIterator.h"

namespace assay::engine {
namespace {

constexpr std::size_t instruction_budget = 20'000;

} // namespace

FramedValue framed(FrameId frame, const llvm::Value &value) {
  return {llvm::isa<llvm::Constant>(value) ? root_frame : frame, &value};
}

CallTree::CallTree(const llvm::Function &root) {
  frames_.emplace_back(root, root_frame);
  instructions_ = root.getInstructionCount();
  for (FrameId frame = 0; frame < frames_.size(); ++frame)
    add_calls(frame);
}

std::optional<FrameId> CallTree::callee(FrameId frame, const llvm::CallBase &call) const {
  auto found = frames_[frame].callees.find(&call);
  return found == frames_[frame].callees.end() ? std::nullopt : std::optional(found->second);
}

void CallTree::add_calls(FrameId frame) {
  for (const llvm::Instruction &instruction : llvm::instructions(*frames_[frame].function)) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    // The called function is null also when the types of call and function differ.
    const llvm::Function *callee = call != nullptr ? call->getCalledFunction() : nullptr;
    if (callee == nullptr || callee->isDeclaration() || library_effect(*call) != LibraryEffect::unknown)
      continue;
    FrameId target = frame_for(frame, *callee);
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
