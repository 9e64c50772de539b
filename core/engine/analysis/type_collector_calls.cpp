// Evidence from calls: copies of memory, functions that are followed, hints of the user, known library functions.

#include "core/engine/analysis/basic_type.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/analysis/number_parts.hpp"
#include "core/engine/analysis/tagged_copies.hpp"
#include "core/engine/analysis/type_collector.hpp"
#include "core/engine/analysis/units.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/rule_template.hpp"
#include "llvm/IR/InstrTypes.h"

namespace assay::engine {
namespace {

std::optional<std::uint64_t> constant_size(const llvm::Value &size) {
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&size);
  return constant != nullptr ? std::optional(constant->getZExtValue()) : std::nullopt;
}

/// Words that are told apart when the program runs may be numbers, whatever else was seen there. The note is by
/// retype_words.
bool is_move_of_words(const llvm::CallBase &call) {
  if (tagged_copy(call) != TaggedCopy::none)
    return true;
  const llvm::MDNode *note = call.getMetadata("assay.type");
  const auto *text = note != nullptr ? llvm::dyn_cast<llvm::MDString>(note->getOperand(0)) : nullptr;
  return text != nullptr && text->getString().starts_with("words");
}

} // namespace

void TypeCollector::visit_copy(const llvm::CallBase &call) {
  auto target = location(*call.getArgOperand(0)), source = location(*call.getArgOperand(1));
  auto size = constant_size(*call.getArgOperand(2));
  const MemoryGraph &graph = memory_.graph();
  if (target && source && copies_unaligned_bytes(call) &&
      (graph.points_into_itself(target->node) || graph.points_into_itself(source->node)))
    return; // Taken for text.
  if (copies_parts_of_numbers(call)) {
    for (const std::optional<Location> &part : {target, source})
      if (part)
        holds_parts_[graph.find(part->node)] = true;
    return;
  }
  if (target && source)
    copies_.push_back({*target, *source, size});
  if (target && source && is_move_of_words(call))
    for (const NodeId node : {graph.find(target->node), graph.find(source->node)})
      handed_out_[node] = moves_words_[node] = true;
  if (target)
    visit_tag(call, *target, size);
  if (source)
    visit_tag(call, *source, size);
}

void TypeCollector::visit_call_of(const llvm::CallBase &call, FrameId callee) {
  const llvm::Function &function = memory_.calls().function(callee);
  for (unsigned index = 0; index < call.arg_size() && index < function.arg_size(); ++index)
    bits_.same(framed(callee, *function.getArg(index)), framed(frame_, *call.getArgOperand(index)));
  for (const llvm::Value *returned : memory_.calls().returned(callee))
    if (returned->getType() == call.getType())
      bits_.same({frame_, &call}, framed(callee, *returned));
}

/// The unknown function may find floats there that nothing here tells of.
void TypeCollector::hand_out(const llvm::Value &pointer) {
  auto at = location(pointer);
  if (!at)
    return;
  llvm::SmallVector<NodeId, 8> reached{memory_.graph().find(at->node)};
  while (!reached.empty()) {
    NodeId node = reached.pop_back_val();
    if (handed_out_[node])
      continue;
    handed_out_[node] = true;
    for (auto [offset, pointee] : memory_.pointees(node))
      reached.push_back(memory_.graph().find(pointee));
  }
}

/// __enzyme_double(p, bytes) and relatives: the user gives the type of the memory. Without a size it is one of it.
void TypeCollector::visit_hint(const llvm::CallBase &call, llvm::StringRef name) {
  auto at = call.arg_size() > 0 ? location(*call.getArgOperand(0)) : std::nullopt;
  if (!at)
    return;
  BasicType type = name.contains("__enzyme_double")    ? basic_type(llvm::Type::getDoubleTy(context_))
                   : name.contains("__enzyme_float")   ? basic_type(llvm::Type::getFloatTy(context_))
                   : name.contains("__enzyme_pointer") ? pointer_type()
                                                       : integer_type();
  std::uint64_t element = byte_size(type, layout_);
  auto size = call.arg_size() > 1 ? constant_size(*call.getArgOperand(1)) : std::optional(element);
  if (!size)
    at->at = at->at.plus({0, element});
  add(*at, type, Rank::access, size.value_or(element));
}

/// A function with a rule declares what its pointers lead to.
void TypeCollector::visit_numbers_behind(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  for (unsigned index = 0; callee != nullptr && index < call.arg_size(); ++index) {
    const llvm::Attribute note = callee->getAttributes().getParamAttr(index, numbers_behind_attribute);
    auto at = note.isValid() ? location(*call.getArgOperand(index)) : std::nullopt;
    if (!at)
      continue;
    llvm::StringRef text = note.getValueAsString();
    const bool is_integer = text.consume_front("i");
    std::uint64_t bytes = 0;
    text.drop_front(is_integer ? 0 : 1).getAsInteger(10, bytes);
    const BasicType type = is_integer                ? integer_type()
                           : bytes == sizeof(double) ? basic_type(llvm::Type::getDoubleTy(context_))
                                                     : basic_type(llvm::Type::getFloatTy(context_));
    add(*at, type, Rank::declaration, bytes);
    const std::uint64_t element = byte_size(type, layout_);
    at->at = at->at.plus({0, element}); // there may be more of them
    add(*at, type, Rank::hint, element);
  }
}

void TypeCollector::visit_call(const llvm::CallBase &call) {
  visit_numbers_behind(call);
  if (library_effect(call) == LibraryEffect::copy) {
    visit_copy(call);
    return;
  }
  if (auto callee = memory_.calls().callee(frame_, call)) {
    visit_call_of(call, *callee);
    return;
  }
  if (call.isIndirectCall() && library_effect(call) == LibraryEffect::unknown)
    for (const llvm::Use &argument : call.args())
      hand_out(*argument);
  const llvm::Function *callee = call.getCalledFunction();
  if (callee != nullptr && convention_call(*callee) == ConventionCall::type_hint)
    visit_hint(call, callee->getName());
  const LibraryFunction *known = callee != nullptr ? library_function(*callee) : nullptr;
  for (unsigned index = 0; callee != nullptr && index < call.arg_size(); ++index) {
    const llvm::Value &actual = *call.getArgOperand(index);
    if (!actual.getType()->isPointerTy())
      continue;
    auto at = location(actual);
    const OutParameter *result = at && known != nullptr ? known->result_through(index) : nullptr;
    if (result != nullptr && result->number == OutParameter::Number::like_argument_0)
      add(*at, basic_type(call.getArgOperand(0)->getType()), Rank::access, 1);
    if (llvm::Type *passed =
            call.isByValArgument(index) ? call.getParamByValType(index) : call.getParamStructRetType(index);
        at && passed != nullptr)
      add_layout(*at, passed);
    if (result != nullptr && result->number == OutParameter::Number::integer)
      add(*at, integer_type(), Rank::access, word_bytes);
  }
}

} // namespace assay::engine
