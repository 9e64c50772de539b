// Tangents that lie side by side in memory (interleaved_memory.hpp) stay together as one vector in what is computed
// from them, up to where they leave for memory that has a shadow for each.
#include "core/engine/emit/debug_info.hpp"
#include "core/engine/emit/forward_emitter.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/Analysis/Utils/Local.h"

using namespace llvm;

namespace assay::engine {

void ForwardEmitter::find_packed() {
  if (request_.width < 2 || !isPowerOf2_32(request_.width) || request_.options.runtime_activity)
    return;
  interleaved_ = InterleavedMemory(prepared_, engine_.function_info(), activity_);
  if (interleaved_.empty())
    return;
  SmallSetVector<Instruction *, 32> pending;
  for (Instruction &instruction : instructions(prepared_))
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && interleaved_.contains(*load->getPointerOperand()))
      pending.insert(load);
  while (!pending.empty()) {
    Instruction *instruction = pending.pop_back_val();
    if (!needs_lanes(*instruction) || !keeps_packed(*instruction) || !is_packed_.insert(instruction).second)
      continue;
    for (User *user : instruction->users())
      if (auto *next = dyn_cast<Instruction>(user); next && !isa<LoadInst>(next))
        pending.insert(next);
  }
}

/// Whether the instruction can be written for a vector of tangents.
bool ForwardEmitter::keeps_packed(const Instruction &original) const {
  Type *type = original.getType();
  if (!type->isDoubleTy() && !type->isFloatTy())
    return false;
  if (isa<LoadInst, PHINode, SelectInst>(original))
    return true;
  const std::optional<ScalarRule> rule = ScalarRule::find(original, engine_.function_info());
  return rule && rule->takes_packed_seeds();
}

VectorType *ForwardEmitter::packed_type(Type &number) const {
  return FixedVectorType::get(&number, request_.width);
}

/// The tangents of a number as one vector.
Value *ForwardEmitter::packed(Value &original) {
  if (Value *whole = packed_.lookup(&original))
    return whole;
  Value *whole = Constant::getNullValue(packed_type(*original.getType()));
  if (isa<Constant>(original) || !is_shadowed(original))
    return whole;
  for (auto [lane, value] : enumerate(lanes(original)))
    whole = builder_.CreateInsertElement(whole, value, lane);
  return whole;
}

/// Who wants them one by one finds them in the lanes.
void ForwardEmitter::set_packed(Instruction &original, Value *whole) {
  packed_[&original] = whole;
  Lanes values;
  for (unsigned lane = 0; lane < request_.width; ++lane)
    values.push_back(builder_.CreateExtractElement(whole, lane));
  if (!whole->hasName() && original.hasName())
    whole->setName(original.getName() + "'");
  lanes_[&original] = std::move(values);
}

void ForwardEmitter::emit_packed(Instruction &original) {
  if (auto *select = dyn_cast<SelectInst>(&original)) {
    Value *yes = packed(*select->getTrueValue());
    set_packed(original, builder_.CreateSelect(primal(*select->getCondition()), yes, packed(*select->getFalseValue())));
    return;
  }
  const ScalarRule rule = *ScalarRule::find(original, engine_.function_info());
  SmallVector<Value *, 4> operands;
  for (unsigned index = 0; index < rule.operand_count(); ++index)
    operands.push_back(primal(*rule.operand(index)));
  IRBuilderBase::FastMathFlagGuard guard(builder_);
  if (isa<FPMathOperator>(original))
    builder_.setFastMathFlags(original.getFastMathFlags());
  Value *sum = nullptr;
  for (unsigned index = 0; index < rule.operand_count(); ++index) {
    Value &operand = *rule.operand(index);
    if (!rule.has_partial(index) || !is_shadowed(operand))
      continue;
    Value *term = rule.emit_product(builder_, index, operands, primal(original), packed(operand),
                                    zero_times_infinity(request_.options));
    sum = sum ? add_tangents(*sum, *term) : term;
  }
  set_packed(original, sum ? sum : Constant::getNullValue(packed_type(*original.getType())));
}

void ForwardEmitter::place_packed_phi(PHINode &original) {
  auto *copy = cast<PHINode>(primal(original));
  const bool is_address = original.getType()->isPointerTy();
  builder_.SetInsertPoint(copy);
  Type *type = is_address ? original.getType() : packed_type(*original.getType());
  PHINode *phi = builder_.CreatePHI(type, original.getNumIncomingValues(), original.getName() + "'");
  builder_.SetInsertPoint(copy->getParent(), copy->getParent()->getFirstInsertionPt());
  if (is_address)
    lanes_[&original] = Lanes(request_.width, phi);
  else
    set_packed(original, phi);
  packed_phis_.emplace_back(&original, phi);
}

void ForwardEmitter::fill_packed_phis() {
  for (const auto &[original, phi] : packed_phis_) {
    auto *copy = cast<PHINode>(primal(*original));
    for (unsigned index = 0; index < original->getNumIncomingValues(); ++index) {
      BasicBlock *block = copy->getIncomingBlock(index);
      builder_.SetInsertPoint(block->getTerminator());
      Value &incoming = *original->getIncomingValue(index);
      phi->addIncoming(phi->getType()->isPointerTy() ? lanes(incoming).front() : packed(incoming), block);
    }
  }
}

// --- interleaved memory ----------------------------------------------------------------------------------------------

constexpr Align interleaved_alignment = Align::Constant<16>(); // that of malloc

void ForwardEmitter::mark_interleaved(Instruction &access, const Instruction &original) {
  access.setMetadata(LLVMContext::MD_tbaa, original.getMetadata(LLVMContext::MD_tbaa));
  if (scopes_)
    scopes_->mark_lane(access, original, request_.width);
}

Align ForwardEmitter::packed_alignment(Type &number) const {
  const std::uint64_t bytes = derivative_.getDataLayout().getTypeStoreSize(&number).getFixedValue() * request_.width;
  return std::min(Align(bytes), interleaved_alignment);
}

void ForwardEmitter::load_interleaved(LoadInst &original) {
  Type &number = *original.getType();
  LoadInst *load = builder_.CreateAlignedLoad(packed_type(number), lanes(*original.getPointerOperand()).front(),
                                              packed_alignment(number));
  mark_interleaved(*load, original);
  set_packed(original, load);
}

void ForwardEmitter::store_interleaved(StoreInst &original) {
  Value &stored = *original.getValueOperand();
  Value *whole = packed(stored);
  StoreInst *store = builder_.CreateAlignedStore(whole, lanes(*original.getPointerOperand()).front(),
                                                 packed_alignment(*stored.getType()));
  mark_interleaved(*store, original);
}

/// All offsets are those of the primal, `width` times.
void ForwardEmitter::address_interleaved(GetElementPtrInst &original) {
  Value *base = lanes(*original.getPointerOperand()).front();
  Value *address = nullptr;
  if (original.getNumIndices() == 1) {
    Type *type = ArrayType::get(original.getSourceElementType(), request_.width);
    address = builder_.CreateGEP(type, base, primal(*original.getOperand(1)), "",
                                 original.isInBounds() ? GEPNoWrapFlags::inBounds() : GEPNoWrapFlags::none());
  } else {
    Value *offset = emitGEPOffset(&builder_, derivative_.getDataLayout(), cast<User>(primal(original)));
    offset = builder_.CreateMul(offset, ConstantInt::get(offset->getType(), request_.width));
    address = builder_.CreatePtrAdd(base, offset);
  }
  lanes_[&original] = Lanes(request_.width, address);
}

void ForwardEmitter::select_interleaved(SelectInst &original) {
  Value *yes = lanes(*original.getTrueValue()).front(), *no = lanes(*original.getFalseValue()).front();
  lanes_[&original] = Lanes(request_.width, builder_.CreateSelect(primal(*original.getCondition()), yes, no));
}

Value *ForwardEmitter::times_width(Value *bytes) {
  return builder_.CreateMul(bytes, ConstantInt::get(bytes->getType(), request_.width));
}

void ForwardEmitter::allocate_interleaved(Instruction &original, Value *bytes) {
  Instruction *shadow = copy_for_shadow(*cast<Instruction>(primal(original)));
  builder_.Insert(shadow, original.getName() + "'");
  if (auto *memory = dyn_cast<AllocaInst>(shadow)) {
    memory->setOperand(0, ConstantInt::get(memory->getArraySize()->getType(),
                                           cast<ConstantInt>(memory->getArraySize())->getZExtValue() * request_.width));
    memory->setAlignment(std::max(memory->getAlign(), interleaved_alignment));
  } else {
    IRBuilder<> before(shadow);
    Value *count = shadow->getOperand(0);
    shadow->setOperand(0, before.CreateMul(count, ConstantInt::get(count->getType(), request_.width)));
  }
  builder_.CreateMemSet(shadow, builder_.getInt8(0), times_width(bytes), interleaved_alignment);
  lanes_[&original] = Lanes(request_.width, shadow);
}

void ForwardEmitter::release_interleaved(CallBase &original, const MemoryCall &memory) {
  Value &pointer = *original.getArgOperand(memory.pointer);
  builder_.SetInsertPoint(cast<Instruction>(primal(original)));
  SmallVector<Value *, 2> arguments;
  for (Value *argument : original.args())
    arguments.push_back(argument == &pointer ? lanes(pointer).front() : primal(*argument));
  if (is_sized_release(original, engine_.function_info()))
    arguments[1] = times_width(arguments[1]);
  CallInst *call = builder_.CreateCall(original.getFunctionType(), original.getCalledOperand(), arguments);
  call->setCallingConv(original.getCallingConv());
}

/// Between separate shadows and one in which they lie side by side: move(interleaved, lane 1, ..., lane W, count).
static Function *move_function(Module &module, Type &number, unsigned width, StringRef direction) {
  LLVMContext &context = module.getContext();
  std::string name = ("assay.lanes." + direction + ".").str();
  raw_string_ostream(name) << number << '.' << width;
  SmallVector<Type *, 8> parameters(width + 1, PointerType::getUnqual(context));
  parameters.push_back(Type::getInt64Ty(context));
  auto *type = FunctionType::get(Type::getVoidTy(context), parameters, false);
  return own_function(module, name, type, [&](Function &function) {
    auto *entry = BasicBlock::Create(context, "", &function), *loop = BasicBlock::Create(context, "loop", &function),
         *done = BasicBlock::Create(context, "done", &function);
    Value *count = function.getArg(width + 1);
    IRBuilder<> builder(entry);
    builder.CreateCondBr(builder.CreateIsNull(count), done, loop);
    builder.SetInsertPoint(loop);
    PHINode *index = builder.CreatePHI(count->getType(), 2);
    for (unsigned lane = 0; lane < width; ++lane) {
      Value *separate = builder.CreateInBoundsGEP(&number, function.getArg(lane + 1), index);
      Value *place = builder.CreateInBoundsGEP(ArrayType::get(&number, width), function.getArg(0),
                                               {index, builder.getInt64(lane)});
      if (direction == "join")
        builder.CreateStore(builder.CreateLoad(&number, separate), place);
      else
        builder.CreateStore(builder.CreateLoad(&number, place), separate);
    }
    Value *next = builder.CreateAdd(index, ConstantInt::get(count->getType(), 1), "", true, true);
    index->addIncoming(ConstantInt::get(count->getType(), 0), entry);
    index->addIncoming(next, loop);
    builder.CreateCondBr(builder.CreateICmpEQ(next, count), done, loop);
    IRBuilder<>(done).CreateRetVoid();
    for (unsigned pointer = 0; pointer <= width; ++pointer) {
      function.addParamAttr(pointer, Attribute::NoAlias);
      function.addParamAttr(pointer, Attribute::getWithCaptureInfo(context, CaptureInfo::none()));
    }
  });
}

void ForwardEmitter::copy_interleaved(MemTransferInst &original) {
  set_position_after(original);
  Value &target = *original.getRawDest(), &source = *original.getRawSource();
  Value *bytes = builder_.CreateZExtOrTrunc(primal(*original.getLength()), builder_.getInt64Ty());
  const bool into = interleaved_.contains(target), from = interleaved_.contains(source);
  if (!is_shadowed(source)) {
    builder_.CreateMemSet(lanes(target).front(), builder_.getInt8(0), times_width(bytes), MaybeAlign());
    return;
  }
  if (into && from) {
    builder_.CreateMemMove(lanes(target).front(), MaybeAlign(), lanes(source).front(), MaybeAlign(),
                           times_width(bytes));
    return;
  }
  Type &number = *interleaved_.number(into ? target : source);
  SmallVector<Value *, 8> arguments{lanes(into ? target : source).front()};
  append_range(arguments, lanes(into ? source : target));
  const std::uint64_t size = derivative_.getDataLayout().getTypeStoreSize(&number).getFixedValue();
  arguments.push_back(builder_.CreateLShr(bytes, Log2_64(size)));
  builder_.CreateCall(move_function(engine_.module(), number, request_.width, into ? "join" : "separate"), arguments);
}

void ForwardEmitter::fill_interleaved(MemSetInst &original) {
  set_position_after(original);
  Value *bytes = builder_.CreateZExtOrTrunc(primal(*original.getLength()), builder_.getInt64Ty());
  builder_.CreateMemSet(lanes(*original.getRawDest()).front(), builder_.getInt8(0), times_width(bytes), MaybeAlign());
}

} // namespace assay::engine
