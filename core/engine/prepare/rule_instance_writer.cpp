#include "core/engine/prepare/rule_instance_writer.hpp"
#include "core/engine/support/convention_names.hpp"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace assay::engine {
namespace {

Activity activity_of(const RuleUse &use, const RulePlace &place) {
  Activity activity = Activity::constant;
  for (unsigned index = place.first; index < place.first + place.count; ++index) {
    if (use.shadows[index] == RuleUse::Shadow::passed)
      return Activity::duplicated;
    if (use.shadows[index] == RuleUse::Shadow::returned)
      activity = Activity::active;
  }
  return activity;
}

/// As <assay/detail/rules/config.hpp> reads it.
SmallVector<std::uint32_t, 16> words_of(const RuleUse &use) {
  SmallVector<std::uint32_t, 16> words;
  words.push_back(use.width);
  words.push_back((use.needs_primal ? 1 : 0) + (use.needs_shadow ? 2 : 0) + (use.runtime_activity ? 4 : 0) +
                  (use.rule->returns_in_memory() ? 8 : 0) + (use.releases_tape ? 16 : 0));
  words.push_back(std::min(std::uint32_t(use.result), std::uint32_t(Activity::duplicated)));
  for (auto [index, place] : enumerate(use.rule->places)) {
    words.push_back(std::uint32_t(activity_of(use, place)) + (place.in_memory ? 4 : 0));
    words.push_back(use.overwritten.test(unsigned(index)) ? 1 : 0);
  }
  return words;
}

Value *at(IRBuilderBase &builder, Value *memory, std::uint64_t offset) {
  return offset == 0 ? memory : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), memory, offset);
}

/// Truth values are bits in registers and bytes in memory.
Type *type_in_memory(Type &type) {
  return type.isIntegerTy(1) ? Type::getInt8Ty(type.getContext()) : &type;
}

void store(IRBuilderBase &builder, Value *value, Value *memory, std::uint64_t offset) {
  Type *type = type_in_memory(*value->getType());
  builder.CreateAlignedStore(type == value->getType() ? value : builder.CreateZExt(value, type),
                             at(builder, memory, offset), Align(1));
}

Value *load(IRBuilderBase &builder, Type &type, Value *memory, std::uint64_t offset) {
  Type *in_memory = type_in_memory(type);
  Value *loaded = builder.CreateAlignedLoad(in_memory, at(builder, memory, offset), Align(1));
  return in_memory == &type ? loaded : builder.CreateTrunc(loaded, &type);
}

/// Writes one instance, before anything is folded.
class InstanceWriter {
public:
  InstanceWriter(const RuleUse &use, RuleStep step, const std::string &name)
      : use_(use), rule_(*use.rule), step_(step), module_(*rule_.primal->getParent()), layout_(module_.getDataLayout()),
        tape_(parts_of_tape(rule_)), builder_(module_.getContext()) {
    function_ = Function::Create(FunctionType::get(result_type(), parameter_types(), false),
                                 GlobalValue::InternalLinkage, name, module_);
    for (const StringRef attribute : {"target-cpu", "target-features", "tune-cpu", "frame-pointer"})
      if (Attribute value = rule_.primal->getFnAttribute(attribute); value.isValid())
        function_->addFnAttr(value);
    if (rule_.primal->hasUWTable())
      function_->setUWTableKind(rule_.primal->getUWTableKind());
    function_->addFnAttr(Attribute::MustProgress);
    function_->addFnAttr(derivative_attribute);
    builder_.SetInsertPoint(BasicBlock::Create(module_.getContext(), "", function_));
  }

  Function *write() {
    SmallVector<Value *, 16> values, shadows;
    for (auto [value, place] : zip(rule_.parameters, rule_.places)) {
      values.push_back(value_slot(place));
      shadows.push_back(shadow_slots(place, slot_size(value, place)));
    }
    Value *result = result_slot();
    Value *result_shadows = result_shadow_slots();
    Value *tape = tape_slot();
    SmallVector<Value *, 16> arguments{words_in_memory(use_, module_), result, result_shadows, tape};
    append_range(arguments, values);
    append_range(arguments, shadows);
    CallInst *call = builder_.CreateCall(entry(), arguments);
    call->setCallingConv(entry()->getCallingConv());
    write_return(result, result_shadows, tape, shadows);
    return function_;
  }

private:
  Function *entry() const {
    switch (step_) {
    case RuleStep::forward:
      return rule_.forward;
    case RuleStep::augmented:
      return rule_.augmented;
    case RuleStep::reverse:
      return rule_.reverse;
    }
    llvm_unreachable("unknown step");
  }

  Type *register_result() const {
    Type *type = rule_.primal->getReturnType();
    return type->isVoidTy() ? nullptr : type;
  }
  bool has_shadow_in_registers() const { return register_result() && use_.result != Activity::constant; }
  bool returns_shadows() const { return register_result() && use_.needs_shadow && step_ != RuleStep::reverse; }

  SmallVector<Type *, 16> parameter_types() const {
    SmallVector<Type *, 16> types(rule_.primal->getFunctionType()->params());
    for (auto [index, shadow] : enumerate(use_.shadows))
      if (shadow == RuleUse::Shadow::passed)
        types.append(use_.width, rule_.primal->getArg(unsigned(index))->getType());
    if (step_ != RuleStep::reverse)
      return types;
    for (const Leaf &part : tape_)
      types.push_back(part.type);
    if (has_shadow_in_registers())
      types.append(use_.width, register_result());
    return types;
  }

  StructType *result_type() const {
    SmallVector<Type *, 8> types;
    if (step_ == RuleStep::reverse) {
      for (auto [index, shadow] : enumerate(use_.shadows))
        if (shadow == RuleUse::Shadow::returned)
          types.append(use_.width, rule_.primal->getArg(unsigned(index))->getType());
      return StructType::get(module_.getContext(), types);
    }
    if (register_result())
      types.push_back(register_result());
    if (returns_shadows())
      types.append(use_.width, register_result());
    if (step_ == RuleStep::augmented)
      for (const Leaf &part : tape_)
        types.push_back(part.type);
    return StructType::get(module_.getContext(), types);
  }

  Value *slot(std::uint64_t bytes) {
    AllocaInst *memory = builder_.CreateAlloca(ArrayType::get(builder_.getInt8Ty(), std::max<std::uint64_t>(bytes, 1)));
    memory->setAlignment(Align(16));
    return memory;
  }

  /// The parts of one parameter and where they lie in it.
  SmallVector<std::pair<unsigned, std::uint64_t>, 4> parts_of(const RulePlace &place) const {
    SmallVector<std::pair<unsigned, std::uint64_t>, 4> parts;
    std::uint64_t offset = 0;
    for (unsigned index = place.first; index < place.first + place.count; ++index) {
      Type *type = rule_.primal->getArg(index)->getType();
      offset = alignTo(offset, layout_.getABITypeAlign(type));
      parts.emplace_back(index, offset);
      offset += layout_.getTypeStoreSize(type).getFixedValue();
    }
    return parts;
  }

  std::uint64_t slot_size(const RuleValue &value, const RulePlace &place) const {
    if (value.kind == RuleValue::Kind::object && !place.in_memory)
      return value.size;
    if (place.count == 0)
      return 1;
    return layout_.getTypeAllocSize(type_in_memory(*rule_.primal->getArg(place.first)->getType())).getFixedValue();
  }

  Value *value_slot(const RulePlace &place) {
    if (place.in_memory)
      return function_->getArg(place.first);
    std::uint64_t bytes = 16;
    for (auto [index, offset] : parts_of(place))
      bytes = std::max(bytes, offset + 16);
    Value *memory = slot(bytes);
    for (auto [index, offset] : parts_of(place))
      store(builder_, function_->getArg(index), memory, offset);
    return memory;
  }

  /// Zero where nothing is passed: tangents of constants, sums of derivatives, addresses that nobody may follow.
  Value *shadow_slots(const RulePlace &place, std::uint64_t size) {
    Value *memory = slot(size * use_.width + 16);
    for (unsigned lane = 0; lane < use_.width; ++lane)
      for (auto [index, offset] : parts_of(place)) {
        Argument &primal = *function_->getArg(index);
        Value *shadow = Constant::getNullValue(primal.getType());
        if (use_.shadows[index] == RuleUse::Shadow::passed)
          shadow = function_->getArg(first_shadow(index) + lane);
        else if (primal.getType()->isIntOrIntVectorTy())
          shadow = &primal; // a size or an index is its own
        store(builder_, shadow, memory, size * lane + offset);
      }
    return memory;
  }

  unsigned first_shadow(unsigned argument) const {
    unsigned next = rule_.primal->arg_size();
    for (unsigned index = 0; index < argument; ++index)
      next += use_.shadows[index] == RuleUse::Shadow::passed ? use_.width : 0;
    return next;
  }
  unsigned first_after_shadows() const { return first_shadow(rule_.primal->arg_size()); }

  std::uint64_t result_size() const {
    if (rule_.result.kind == RuleValue::Kind::object)
      return rule_.result.size;
    return layout_.getTypeAllocSize(type_in_memory(*register_result())).getFixedValue();
  }

  Value *null() const { return ConstantPointerNull::get(PointerType::getUnqual(module_.getContext())); }

  Value *result_slot() {
    if (rule_.returns_in_memory())
      return function_->getArg(0);
    return register_result() && step_ != RuleStep::reverse ? slot(result_size() + 16) : null();
  }

  Value *result_shadow_slots() {
    if (rule_.returns_in_memory())
      return shadow_slots({0, 1, false}, layout_.getPointerSize());
    if (!register_result())
      return null();
    Value *memory = slot(result_size() * use_.width + 16);
    const unsigned seeds = first_after_shadows() + tape_.size();
    for (unsigned lane = 0; step_ == RuleStep::reverse && lane < use_.width; ++lane) {
      Value *seed = has_shadow_in_registers() ? static_cast<Value *>(function_->getArg(seeds + lane))
                                              : Constant::getNullValue(register_result());
      store(builder_, seed, memory, result_size() * lane);
    }
    return memory;
  }

  Value *tape_slot() {
    if (!rule_.tape || step_ == RuleStep::forward)
      return null();
    Value *memory = slot(layout_.getTypeAllocSize(rule_.tape).getFixedValue());
    for (auto [index, part] : enumerate(tape_))
      if (step_ == RuleStep::reverse)
        store(builder_, function_->getArg(first_after_shadows() + unsigned(index)), memory, part.offset);
    return memory;
  }

  void write_return(Value *result, Value *result_shadows, Value *tape, ArrayRef<Value *> shadows) {
    Value *returned = PoisonValue::get(function_->getReturnType());
    unsigned next = 0;
    const auto put = [&](Type &type, Value *memory, std::uint64_t offset) {
      returned = builder_.CreateInsertValue(returned, load(builder_, type, memory, offset), next++);
    };
    if (step_ == RuleStep::reverse) {
      for (auto [index, shadow] : enumerate(use_.shadows))
        for (unsigned lane = 0; shadow == RuleUse::Shadow::returned && lane < use_.width; ++lane) {
          const auto [memory, offset] = derivative_at(unsigned(index), lane, shadows);
          put(*function_->getArg(unsigned(index))->getType(), memory, offset);
        }
    } else {
      if (register_result())
        put(*register_result(), result, 0);
      for (unsigned lane = 0; returns_shadows() && lane < use_.width; ++lane)
        put(*register_result(), result_shadows, result_size() * lane);
      for (const Leaf &part : tape_)
        if (step_ == RuleStep::augmented)
          put(*part.type, tape, part.offset);
    }
    builder_.CreateRet(returned);
  }

  std::pair<Value *, std::uint64_t> derivative_at(unsigned argument, unsigned lane, ArrayRef<Value *> shadows) const {
    for (auto [index, place] : enumerate(rule_.places))
      for (auto [part, offset] : parts_of(place))
        if (part == argument)
          return {shadows[index], slot_size(rule_.parameters[index], place) * lane + offset};
    llvm_unreachable("a parameter that belongs to none of the source's");
  }

  const RuleUse &use_;
  const RuleTemplate &rule_;
  RuleStep step_;
  Module &module_;
  const DataLayout &layout_;
  SmallVector<Leaf, 8> tape_;
  IRBuilder<> builder_;
  Function *function_ = nullptr;
};

} // namespace

GlobalVariable *words_in_memory(const RuleUse &use, Module &module) {
  Constant *words = ConstantDataArray::get(module.getContext(), ArrayRef<std::uint32_t>(words_of(use)));
  auto *global =
      new GlobalVariable(module, words->getType(), true, GlobalValue::PrivateLinkage, words, "assay.rule.words");
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  global->setAlignment(Align(16));
  return global;
}

std::string instance_name(const RuleUse &use, StringRef step) {
  std::string name = (use.rule->primal->getName() + ".rule." + step).str();
  for (const std::uint32_t word : words_of(use))
    name += "." + utostr(word);
  name += ".";
  for (const RuleUse::Shadow shadow : use.shadows)
    name += char('0' + unsigned(shadow));
  return name;
}

SmallVector<Leaf, 8> parts_of_tape(const RuleTemplate &rule) {
  return rule.tape ? leaves_of(rule.tape, rule.primal->getDataLayout()) : SmallVector<Leaf, 8>();
}

Function *write_instance(const RuleUse &use, RuleStep step, const std::string &name) {
  return InstanceWriter(use, step, name).write();
}

} // namespace assay::engine
