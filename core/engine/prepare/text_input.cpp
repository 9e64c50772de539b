// Which arguments receive numbers is told by the function's name, for `scanf` and its relatives by their format.

#include "core/engine/prepare/text_input.hpp"
#include "core/engine/analysis/library_effects.hpp"
#include "core/engine/support/call_marks.hpp"
#include "core/engine/support/library_bodies.hpp"
#include "llvm/ADT/StringSwitch.h"
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

Type *floating_type(LLVMContext &context, char letter) {
  switch (letter) {
  case 'f':
    return Type::getFloatTy(context);
  case 'd':
    return Type::getDoubleTy(context);
  case 'e':
    return Type::getX86_FP80Ty(context);
  default:
    return nullptr;
  }
}

/// Functions of the C++ library with one number, whose type is the letter between the two parts of the mangled name.
std::optional<Target> target_of_stream(LLVMContext &context, StringRef name) {
  struct Pattern {
    StringLiteral before, after;
    unsigned argument;
  };
  static constexpr Pattern patterns[] = {
      {"_ZNSi10_M_extractI", "EERSiRT_", 1},
      {"_ZNSirsER", "", 1},
      {"_ZNSt13basic_istreamIwSt11char_traitsIwEE10_M_extractI", "EERS2_RT_", 1},
      {"_ZNSt13basic_istreamIwSt11char_traitsIwEErsER", "", 1},
      {"_ZSt10from_charsPKcS0_R", "St12chars_format", 2},
  };
  for (const Pattern &pattern : patterns) {
    StringRef rest = name;
    if (rest.consume_front(pattern.before) && rest.consume_back(pattern.after) && rest.size() == 1)
      if (Type *type = floating_type(context, rest.front()))
        return Target{pattern.argument, type};
  }
  return std::nullopt;
}

/// Where the format of a function like scanf stands.
std::optional<unsigned> format_argument(StringRef name) {
  if (!name.consume_front("__isoc99_"))
    name.consume_front("__isoc23_");
  return StringSwitch<std::optional<unsigned>>(name)
      .Case("scanf", 0)
      .Cases({"sscanf", "fscanf"}, 1)
      .Default(std::nullopt);
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
  return floating_type(context, length == "l" ? 'd' : length == "L" ? 'e' : 'f');
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
  IRBuilder<> builder(&place_behind(call));
  Value *value = builder.CreateLoad(target.type, number);
  Type *bits = builder.getIntNTy(target.type->getPrimitiveSizeInBits());
  Value *is_unread = builder.CreateICmpEQ(builder.CreateBitCast(value, bits), builder.CreateBitCast(nothing, bits));
  // Numbers of a packed struct need not be aligned.
  const Align alignment = target.type->isX86_FP80Ty() ? Align(16) : Align(1);
  Value *before = builder.CreateAlignedLoad(target.type, variable, alignment);
  builder.CreateAlignedStore(builder.CreateSelect(is_unread, before, value), variable, alignment);
}

/// What reads into a string, by the engine's own function that reads into another one first.
StringRef reader_of_text(StringRef name) {
  constexpr StringLiteral string =
      "IcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE";
  if (name.consume_front("_ZStrs"))
    return name == string ? "assay.text.read" : "";
  if (!name.consume_front("_ZSt7getline") || !name.consume_front(string))
    return "";
  return StringSwitch<StringRef>(name).Case("", "assay.text.line").Case("S4_", "assay.text.until").Default("");
}

bool read_text_apart(CallBase &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return false;
  if (const StringRef reader = reader_of_text(callee->getName()); !reader.empty()) {
    Module &module = *call.getModule();
    if (call.getFunction()->getName().starts_with("assay.text.") || !sees_inside_of_strings(module))
      return false;
    call.setCalledFunction(library_helper(module, reader));
    return true;
  }
  if (const auto target = target_of_stream(call.getContext(), callee->getName())) {
    if (target->argument >= call.arg_size())
      return false;
    read_apart(call, *target);
    return true;
  }
  const auto format = format_argument(callee->getName());
  if (!format || !callee->isDeclaration())
    return false;
  const auto targets = targets_of_format(call, *format);
  if (!targets)
    return false;
  for (const Target &target : *targets)
    read_apart(call, target);
  call.addFnAttr(Attribute::get(call.getContext(), noreturn_path_call_attribute));
  return true;
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
