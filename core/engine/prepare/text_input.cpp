// Which arguments receive numbers is told by the table of library functions, for `scanf` and its relatives by their
// format.

#include "core/engine/prepare/text_input.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/support/call_marks.hpp"
#include "core/engine/support/library_bodies.hpp"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace assay::engine {
namespace {

/// An argument that points to a number of this type.
struct Target {
  unsigned argument = 0;
  Type *type = nullptr;
};
using Targets = SmallVector<Target, 4>;

/// Functions of the C++ library that read one number.
std::optional<Target> target_of_stream(LLVMContext &context, const LibraryFunction &known) {
  const OutParameter &result = known.results.front();
  switch (result.number) {
  case OutParameter::Number::single_precision:
    return Target{result.argument, Type::getFloatTy(context)};
  case OutParameter::Number::double_precision:
    return Target{result.argument, Type::getDoubleTy(context)};
  case OutParameter::Number::extended_precision:
    return Target{result.argument, Type::getX86_FP80Ty(context)};
  default:
    return std::nullopt;
  }
}

/// `[abc]` in a format; the bracket may be the first of its characters.
StringRef without_set(StringRef format) {
  format.consume_front("^");
  format.consume_front("]");
  return format.drop_front(std::min(format.size(), format.find(']') + 1));
}

/// The type that a conversion (behind its `%`) reads, null for one that is no floating number; `format` moves on.
Type *conversion(LLVMContext &context, StringRef &format) {
  format = format.ltrim("0123456789'm$");
  StringRef length = format.take_while([](char letter) { return StringRef("hlLqjzt").contains(letter); });
  format = format.drop_front(length.size());
  if (format.empty())
    return nullptr;
  const char letter = format.front();
  format = letter == '[' ? without_set(format.drop_front()) : format.drop_front();
  if (!StringRef("aefgAEFG").contains(letter))
    return nullptr;
  return length == "l"   ? Type::getDoubleTy(context)
         : length == "L" ? Type::getX86_FP80Ty(context)
                         : Type::getFloatTy(context);
}

/// Nothing where the format is not known, or names its arguments by number.
std::optional<Targets> targets_of_format(const CallBase &call, unsigned argument) {
  StringRef format;
  if (argument >= call.arg_size() || !getConstantStringInfo(call.getArgOperand(argument), format) ||
      format.contains('$'))
    return std::nullopt;
  Targets targets;
  while (!format.empty()) {
    format = format.drop_front(std::min(format.size(), format.find('%')));
    if (!format.consume_front("%") || format.consume_front("%"))
      continue;
    const bool is_skipped = format.consume_front("*");
    Type *type = conversion(call.getContext(), format);
    if (is_skipped)
      continue;
    if (++argument >= call.arg_size())
      return std::nullopt;
    if (type)
      targets.push_back({argument, type});
  }
  return targets;
}

/// A quiet NaN with bits that no reader makes.
Constant *unread(Type *type) {
  const APInt payload(16, 0x2717);
  return ConstantFP::get(type->getContext(), APFloat::getQNaN(type->getFltSemantics(), /*Negative=*/false, &payload));
}

Instruction &place_behind(CallBase &call) {
  auto *invoke = dyn_cast<InvokeInst>(&call);
  if (!invoke)
    return *call.getNextNode();
  if (!invoke->getNormalDest()->getSinglePredecessor())
    SplitEdge(invoke->getParent(), invoke->getNormalDest());
  return *invoke->getNormalDest()->getFirstInsertionPt();
}

void read_apart(CallBase &call, const Target &target) {
  Value *variable = call.getArgOperand(target.argument);
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  AllocaInst *number =
      IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateAlloca(target.type, nullptr, "number.read");
  Constant *nothing = unread(target.type);
  IRBuilder<>(&call).CreateStore(nothing, number);
  call.setArgOperand(target.argument, number);
  if (auto *simple = dyn_cast<CallInst>(&call))
    simple->setTailCallKind(CallInst::TCK_None); // Such a call would not see the variable.
  IRBuilder<> builder(&place_behind(call));
  Value *value = builder.CreateLoad(target.type, number);
  Type *bits = builder.getIntNTy(target.type->getPrimitiveSizeInBits());
  Value *is_unread = builder.CreateICmpEQ(builder.CreateBitCast(value, bits), builder.CreateBitCast(nothing, bits));
  // Numbers of a packed struct need not be aligned.
  const Align alignment = target.type->isX86_FP80Ty() ? Align(16) : Align(1);
  Value *before = builder.CreateAlignedLoad(target.type, variable, alignment);
  builder.CreateAlignedStore(builder.CreateSelect(is_unread, before, value), variable, alignment);
}

/// The engine's own function that reads into another string first.
bool read_string_apart(CallBase &call, StringRef reader) {
  Module &module = *call.getModule();
  if (call.getFunction()->getName().starts_with("assay.text.") || !sees_inside_of_strings(module))
    return false;
  call.setCalledFunction(library_helper(module, reader));
  return true;
}

bool read_number_apart(CallBase &call, const LibraryFunction &known) {
  const auto target = target_of_stream(call.getContext(), known);
  if (!target || target->argument >= call.arg_size())
    return false;
  read_apart(call, *target);
  return true;
}

bool scan_apart(CallBase &call, unsigned format) {
  const auto targets = targets_of_format(call, format);
  if (!call.getCalledFunction()->isDeclaration() || !targets)
    return false;
  for (const Target &target : *targets)
    read_apart(call, target);
  call.addFnAttr(Attribute::get(call.getContext(), noreturn_path_call_attribute));
  return true;
}

bool read_text_apart(CallBase &call) {
  const Function *callee = call.getCalledFunction();
  const LibraryFunction *known = callee ? library_function(*callee) : nullptr;
  switch (known ? known->role : LibraryRole::none) {
  case LibraryRole::read_word:
    return read_string_apart(call, "assay.text.read");
  case LibraryRole::read_line:
    return read_string_apart(call, "assay.text.line");
  case LibraryRole::read_line_until:
    return read_string_apart(call, "assay.text.until");
  case LibraryRole::read_number:
    return read_number_apart(call, *known);
  case LibraryRole::scan_format:
    return scan_apart(call, known->format);
  default:
    return false;
  }
}

} // namespace

bool read_text_apart(Function &function) {
  SmallVector<CallBase *, 8> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      calls.push_back(call);
  bool changed = false;
  for (CallBase *call : calls)
    changed |= read_text_apart(*call);
  return changed;
}

} // namespace assay::engine
