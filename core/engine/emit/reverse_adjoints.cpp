// The adjoints of values between what adds to them and what takes them: in registers of one reverse block, in slots on
// the stack, or summed up over a loop.
#include "core/engine/emit/adjoint_memory.hpp"
#include "core/engine/emit/device_adds.hpp"
#include "core/engine/emit/reverse_emitter.hpp"
#include "core/engine/plan/adjoint_type.hpp"
#include "core/engine/support/device_target.hpp"

using namespace llvm;

namespace assay::engine {

Value *add_parts(IRBuilder<> &builder, Value *left, Value *right) {
  Type *type = left->getType();
  if (type->isFPOrFPVectorTy()) {
    Value *sum = builder.CreateFAdd(left, right);
    // The first increment meets a zero: without regard to its sign the sum is the increment itself. Nothing asks for an
    // order of increments: sums over loops may be vectorised.
    if (auto *operation = dyn_cast<Instruction>(sum)) {
      operation->setHasNoSignedZeros(true);
      operation->setHasAllowReassoc(true);
    }
    return sum;
  }
  if (!type->isAggregateType())
    return left;
  Value *sum = left;
  const unsigned parts = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned index = 0; index < parts; ++index)
    sum = builder.CreateInsertValue(
        sum, add_parts(builder, builder.CreateExtractValue(left, index), builder.CreateExtractValue(right, index)),
        index);
  return sum;
}

Type *ReverseEmitter::adjoint_type(const Value *prepared_value) const {
  return adjoint_type_of(*prepared_value, sweep_.types);
}

bool ReverseEmitter::is_local(const Value *prepared_value) {
  const auto *instruction = dyn_cast<Instruction>(prepared_value);
  if (!instruction || instruction->isTerminator())
    return false;
  auto [known, fresh] = locality_.try_emplace(prepared_value, false);
  if (fresh)
    known->second = all_of(instruction->users(), [&](const User *user) {
      const auto *user_instruction = cast<Instruction>(user);
      return user_instruction->getParent() == instruction->getParent() && !isa<PHINode>(user_instruction) &&
             !user_instruction->isTerminator();
    });
  return known->second;
}

AllocaInst *ReverseEmitter::adjoint_slot(const Value *prepared_value, unsigned lane) {
  AllocaInst *&slot = adjoints_[{prepared_value, lane}];
  if (!slot)
    slot = zero_slot(adjoint_type(prepared_value), prepared_value->getName() + "'");
  return slot;
}

AllocaInst *ReverseEmitter::zero_slot(Type *type, const Twine &name) {
  BasicBlock &entry = reverse_.getEntryBlock();
  AllocaInst *slot = IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateAlloca(type, nullptr, name);
  IRBuilder<> start(start_, start_->getFirstInsertionPt());
  zeros_.push_back(start.CreateStore(Constant::getNullValue(type), slot));
  return slot;
}

Value *ReverseEmitter::take_adjoint(const Value *prepared_value, unsigned lane) {
  if (is_local(prepared_value)) {
    auto found = local_adjoints_.find({prepared_value, lane});
    if (found == local_adjoints_.end())
      return Constant::getNullValue(adjoint_type(prepared_value));
    Value *adjoint = found->second;
    local_adjoints_.erase(found);
    return adjoint;
  }
  AllocaInst *slot = adjoint_slot(prepared_value, lane);
  Value *adjoint = builder_.CreateLoad(slot->getAllocatedType(), slot, prepared_value->getName() + "'");
  builder_.CreateStore(Constant::getNullValue(slot->getAllocatedType()), slot);
  return adjoint;
}

void ReverseEmitter::add_adjoint(const Value *prepared_value, unsigned lane, Value *increment) {
  if (isa<Constant>(prepared_value))
    return;
  Type *type = adjoint_type(prepared_value);
  if (increment->getType() != type)
    increment = builder_.CreateBitCast(increment, type);
  if (is_local(prepared_value)) {
    Value *&sum = local_adjoints_[{prepared_value, lane}];
    sum = sum ? add_parts(builder_, sum, increment) : increment;
    return;
  }
  AllocaInst *slot = adjoint_slot(prepared_value, lane);
  builder_.CreateStore(add_parts(builder_, builder_.CreateLoad(type, slot), increment), slot);
}

static Function *add_function(Module &module, Type *type, AdjointAdd add) {
  std::string name = add == AdjointAdd::plain ? "assay.add." : ("assay.add." + name_of(add) + ".").str();
  raw_string_ostream(name) << *type;
  return rare_function(module, name, {PointerType::getUnqual(module.getContext()), type},
                       [&](IRBuilder<> &builder, Function &function) {
                         Value *place = function.getArg(0), *increment = function.getArg(1);
                         if (add != AdjointAdd::plain) {
                           add_atomically(builder, place, increment, add, LaneAddresses::apart);
                           return;
                         }
                         const Align alignment = least_alignment(module, type);
                         Value *sum = builder.CreateAlignedLoad(type, place, alignment);
                         builder.CreateAlignedStore(builder.CreateFAdd(sum, increment), place, alignment);
                       });
}

bool ReverseEmitter::accumulate(const LoadInst &load, unsigned lane, Value *increment) {
  auto found = accumulations_.find(&load);
  if (found == accumulations_.end())
    return false;
  AllocaInst *&sum = sums_[{&load, lane}];
  Type *type = increment->getType();
  if (!sum)
    sum = zero_slot(type, load.getName() + "'sum");
  for (const unsigned overlap : found->second->unless) {
    Expected<Value *> shadow = lookup_shadow(load.getPointerOperand(), lane, load);
    cantFail(shadow.takeError()); // The load has a shadow: it was needed.
    Value *at_once = lookup_check(overlap);
    rare_calls_.add(builder_, at_once, *add_function(*reverse_.getParent(), type, sweep_.adds[load]),
                    {*shadow, increment});
    increment = builder_.CreateSelect(at_once, Constant::getNullValue(type), increment);
  }
  builder_.CreateStore(add_parts(builder_, builder_.CreateLoad(type, sum), increment), sum);
  return true;
}

MDNode *ReverseEmitter::sum_group(const LoadInst &load, unsigned part) {
  const SumGroup *group = plan_.sum_groups.find(load, part);
  if (!group)
    return nullptr;
  MDNode *&mark = sum_groups_[group];
  if (!mark)
    mark = MDNode::getDistinct(load.getContext(), {});
  return mark;
}

/// On leaving the reverse loop.
Error ReverseEmitter::add_sums(const Loop &loop) {
  for (const auto &[load, accumulation] : accumulations_) {
    if (accumulation->loop != &loop)
      continue;
    for (unsigned lane = 0; lane < width(); ++lane) {
      AllocaInst *sum = sums_.lookup({load, lane});
      if (!sum)
        continue;
      Expected<Value *> shadow = lookup_shadow(load->getPointerOperand(), lane, *load);
      if (!shadow)
        return shadow.takeError();
      add_to_shadow(*this, *load, *shadow, builder_.CreateLoad(sum->getAllocatedType(), sum));
      builder_.CreateStore(Constant::getNullValue(sum->getAllocatedType()), sum);
    }
  }
  return Error::success();
}

} // namespace assay::engine
