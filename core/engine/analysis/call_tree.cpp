#include "core/engine/analysis/call_tree.hpp"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include <algorithm>

namespace assay::engine {
namespace {

constexpr std::size_t most_instructions = 200'000;
constexpr std::size_t least_instructions = 10'000;
constexpr std::size_t repetitions = 10; // of each instruction, on average

} // namespace

FramedValue framed(FrameId frame, const llvm::Value &value) {
  return {llvm::isa<llvm::Constant>(value) ? root_frame : frame, &value};
}

bool may_keep_address(const llvm::BinaryOperator &operation) {
  switch (operation.getOpcode()) {
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

bool takes_low_bits(const llvm::BinaryOperator &operation) {
  constexpr std::uint64_t page = 4096; // less than any address
  const auto *mask = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  return operation.getOpcode() == llvm::Instruction::And && mask != nullptr && mask->getValue().ult(page);
}

namespace {

constexpr unsigned tag_depth = 4;

bool is_tagging(const llvm::Value &value) {
  const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
  return operation != nullptr && llvm::isa<llvm::ConstantInt>(operation->getOperand(1)) &&
         may_keep_address(*operation) && !takes_low_bits(*operation);
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

CallTree::CallTree(const llvm::Function &root, BodyOf body_of, Followed followed)
    : bodies_(root, body_of, followed),
      budget_(std::min(most_instructions, least_instructions + repetitions * bodies_.instructions())) {
  make_frame(root, std::nullopt);
  for (FrameId frame = 0; frame < frames_.size(); ++frame)
    add_calls(frame);
}

std::optional<FrameId> CallTree::callee(FrameId frame, const llvm::CallBase &call) const {
  const Frame &caller = frames_[frame];
  const auto found = caller.body->call_indices.find(&call);
  return found == caller.body->call_indices.end() ? std::nullopt
                                                  : std::optional(callees_[caller.first_callee + found->second]);
}

std::optional<unsigned> CallTree::number(FramedValue value) const {
  if (llvm::isa<llvm::Constant>(value.second))
    return std::nullopt;
  const Frame &frame = frames_[value.first];
  const auto found = frame.body->numbers.find(value.second);
  return found == frame.body->numbers.end() ? std::nullopt : std::optional(frame.first_number + found->second);
}

void CallTree::add_calls(FrameId frame) {
  unsigned next = frames_[frame].first_callee;
  for (auto [call, callee] : frames_[frame].body->calls) {
    const FrameId target = frame_for(frame, *callee);
    callees_[next++] = target;
  }
}

FrameId CallTree::frame_for(FrameId caller, const llvm::Function &callee) {
  const CallBody &body = bodies_.of(callee);
  if (body.cycle == frames_[caller].body->cycle)
    return frame_in_cycle(frames_[caller].entry, callee);
  if (instructions_ + body.instructions_of_cycle <= budget_)
    return make_frame(callee, std::nullopt);
  const auto shared = shared_.find(body.cycle);
  return shared != shared_.end() ? frame_in_cycle(shared->second, callee)
                                 : shared_[body.cycle] = make_frame(callee, std::nullopt);
}

FrameId CallTree::frame_in_cycle(FrameId entry, const llvm::Function &function) {
  const auto known = in_cycle_.find({entry, &function});
  return known != in_cycle_.end() ? known->second : make_frame(function, entry);
}

FrameId CallTree::make_frame(const llvm::Function &function, std::optional<FrameId> entry) {
  auto made = static_cast<FrameId>(frames_.size());
  const CallBody &body = bodies_.of(function);
  if (!entry)
    instructions_ += body.instructions_of_cycle; // whose other functions follow
  frames_.push_back({&function, &body, entry.value_or(made), numbers_, static_cast<unsigned>(callees_.size())});
  callees_.resize(callees_.size() + body.calls.size());
  numbers_ += static_cast<unsigned>(body.numbers.size());
  if (known_functions_.insert(&function).second)
    functions_.push_back(&function);
  in_cycle_[{entry.value_or(made), &function}] = made;
  return made;
}

} // namespace assay::engine
