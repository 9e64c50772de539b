#include "core/engine/lowering/derivative_call.hpp"
#include "core/engine/emit/droppable_tape.hpp"
#include "core/engine/lowering/result_packing.hpp"
#include "core/engine/lowering/split_memory.hpp"
#include "core/engine/support/derivative_abi.hpp"
#include "core/engine/support/type_content.hpp"

using namespace llvm;

namespace assay::engine {
namespace {

AllocaInst *stack_slot(IRBuilderBase &builder, Type *type, MaybeAlign alignment) {
  BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> at_entry(&entry, entry.getFirstInsertionPt());
  AllocaInst *slot = at_entry.CreateAlloca(type);
  if (alignment && *alignment > slot->getAlign())
    slot->setAlignment(*alignment);
  return slot;
}

/// One of the values that the convention returns, and where it is found.
struct ResultPiece {
  enum class Source : std::uint8_t { tape, result, struct_primal, struct_shadow, by_value_gradient, zero };
  Source source = Source::result;
  Type *type = nullptr;
  unsigned index = 0; ///< Of the derivative's result, or of f's parameter.
  unsigned lane = 0;
};

/// Nothing but the tape where the user takes nothing but a pointer.
bool takes_only_tape(const ParsedCall &parsed, const CallBase &call) {
  return parsed.kind == ConventionCall::augmentfwd && declared_result(call)->isPointerTy();
}

void add_gradients(const ParsedCall &parsed, const DerivativeAbi &abi, SmallVectorImpl<ResultPiece> &pieces) {
  const Request &request = parsed.request;
  for (size_t first = 0, last = 0; first < parsed.arguments.size(); first = last) {
    const auto same_source = [&](const ParsedArgument &argument) {
      return argument.source == parsed.arguments[first].source;
    };
    while (last < parsed.arguments.size() && same_source(parsed.arguments[last]))
      ++last;
    const auto parts = ArrayRef(parsed.arguments).slice(first, last - first);
    const bool any_active = any_of(parts, [&](const ParsedArgument &argument) {
      return argument.collects_gradient || request.argument_activity[argument.parameter] == Activity::active;
    });
    if (!any_active)
      continue;
    for (unsigned lane = 0; lane < request.width; ++lane)
      for (const ParsedArgument &argument : parts) {
        const unsigned parameter = argument.parameter;
        Type *type = argument.by_value ? argument.by_value : request.function->getArg(parameter)->getType();
        if (argument.collects_gradient)
          pieces.push_back({ResultPiece::Source::by_value_gradient, type, parameter, lane});
        else if (request.argument_activity[parameter] == Activity::active)
          pieces.push_back({ResultPiece::Source::result, type, abi.gradient_result(parameter, lane), lane});
        else // an integer beside floats: the gradient has the layout of the struct
          pieces.push_back({ResultPiece::Source::zero, type, parameter, lane});
      }
  }
}

SmallVector<ResultPiece, 4> result_pieces(const ParsedCall &parsed, const CallBase &call, const DerivativeAbi &abi) {
  const Request &request = parsed.request;
  Function &function = *request.function;
  Type *returned = function.getReturnType();
  SmallVector<ResultPiece, 4> pieces;
  if (abi.tape_result() && parsed.tape_memory == TapeMemory::engine)
    pieces.push_back({ResultPiece::Source::tape, PointerType::getUnqual(function.getContext()), 0, 0});
  if (takes_only_tape(parsed, call) && !pieces.empty())
    return pieces;
  if (abi.primal_result())
    pieces.push_back({ResultPiece::Source::result, returned, *abi.primal_result(), 0});
  if (parsed.returns_struct_primal)
    pieces.push_back({ResultPiece::Source::struct_primal, function.getParamStructRetType(0), 0, 0});
  for (unsigned lane = 0; lane < request.width; ++lane) {
    if (abi.shadow_result(lane))
      pieces.push_back({ResultPiece::Source::result, returned, *abi.shadow_result(lane), lane});
    if (parsed.returns_struct_shadow)
      pieces.push_back({ResultPiece::Source::struct_shadow, function.getParamStructRetType(0), 0, lane});
  }
  if (request.mode == Mode::reverse || request.mode == Mode::split_reverse)
    add_gradients(parsed, abi, pieces);
  return pieces;
}

/// All ones in the floating parts, zero elsewhere: the seed of a result.
Value *unit_seed(IRBuilderBase &builder, Type *type, const DataLayout &layout) {
  Value *seed = Constant::getNullValue(type);
  for (const Leaf &leaf : leaves_of(type, layout))
    if (leaf.type->isFloatingPointTy())
      seed = insert_leaf(builder, seed, ConstantFP::get(leaf.type, 1.0), leaf.path);
  return seed;
}

class DerivativeCall {
public:
  DerivativeCall(IRBuilderBase &builder, const ParsedCall &parsed, CallBase &call, Function &derivative)
      : builder_(builder), parsed_(parsed), request_(parsed.request), call_(call), derivative_(derivative),
        abi_(parsed.request), layout_(call.getDataLayout()), arguments_(abi_.type()->getNumParams()),
        split_memory_(parsed, layout_) {}

  EmittedCall emit() {
    if (split_memory_.is_needed() && request_.mode == Mode::augmented)
      split_memory_.allocate(builder_);
    pass_tape(); // first, for it holds the memory of structs
    pass_struct_return();
    for (const ParsedArgument &argument : parsed_.arguments)
      pass(argument);
    pass_seeds();
    if (std::optional<unsigned> parameter = abi_.deferred_frees_parameter())
      arguments_[*parameter] = parsed_.drop_list ? parsed_.drop_list : ConstantPointerNull::get(builder_.getPtrTy());
    CallInst *result = builder_.CreateCall(&derivative_, arguments_);
    result->setCallingConv(derivative_.getCallingConv());
    take_tape(*result);
    EmittedCall emitted{result, {}};
    for (const ResultPiece &piece : result_pieces(parsed_, call_, abi_))
      emitted.results.push_back(value_of(piece, *result));
    if (split_memory_.is_needed() && request_.mode == Mode::split_reverse && request_.options.free_tape)
      split_memory_.release(builder_);
    if (parsed_.drop_list && request_.mode == Mode::split_reverse && request_.options.free_tape)
      end_lists(builder_, parsed_.drop_list);
    return emitted;
  }

private:
  Function &function() const { return *request_.function; }

  /// A shadow starts as zero in forward mode (f fills it) and as the seed of every part of the result in reverse mode.
  void pass_struct_return() {
    if (parsed_.struct_return == StructReturn::none)
      return;
    Type *type = function().getParamStructRetType(0);
    struct_primal_ = struct_memory(0, type, std::nullopt);
    arguments_[abi_.primal_parameter(0)] = struct_primal_;
    if (parsed_.struct_return == StructReturn::constant)
      return;
    for (unsigned lane = 0; lane < request_.width; ++lane) {
      Value *shadow = struct_memory(0, type, lane);
      if (request_.mode == Mode::forward)
        fill_with_zero(*shadow, type);
      else if (request_.mode == Mode::reverse)
        builder_.CreateStore(unit_seed(builder_, type, layout_), shadow);
      else if (parsed_.struct_takes_seed)
        builder_.CreateStore(given_seed(lane, type), shadow);
      struct_shadows_.push_back(shadow);
      arguments_[abi_.shadow_parameter(0, lane)] = shadow;
    }
  }

  /// Memory for a struct that the engine passes: its primal, or its shadow in a lane.
  Value *struct_memory(unsigned parameter, Type *type, std::optional<unsigned> lane) {
    if (!split_memory_.is_needed())
      return stack_slot(builder_, type, function().getParamAlign(parameter));
    return lane ? split_memory_.shadow(builder_, parameter, *lane) : split_memory_.primal(builder_, parameter);
  }

  void fill_with_zero(Value &memory, Type *type) {
    builder_.CreateMemSet(&memory, builder_.getInt8(0), layout_.getTypeAllocSize(type).getFixedValue(),
                          memory.getPointerAlignment(layout_));
  }

  void pass(const ParsedArgument &argument) {
    Type *type = function().getArg(argument.parameter)->getType();
    arguments_[abi_.primal_parameter(argument.parameter)] = passed(argument, argument.primal, type);
    if (!is_duplicated(request_.argument_activity[argument.parameter]))
      return;
    for (unsigned lane = 0; lane < request_.width; ++lane)
      arguments_[abi_.shadow_parameter(argument.parameter, lane)] = shadow(argument, lane, type);
  }

  Value *shadow(const ParsedArgument &argument, unsigned lane, Type *type) {
    if (argument.collects_gradient) {
      Value *slot = struct_memory(argument.parameter, argument.by_value, lane);
      fill_with_zero(*slot, argument.by_value);
      gradients_[{argument.parameter, lane}] = slot;
      return slot;
    }
    if (argument.strided) {
      Value *stride = convert_argument(builder_, {.value = argument.strided->stride}, builder_.getInt64Ty());
      Value *offset = builder_.CreateMul(stride, builder_.getInt64(lane));
      return builder_.CreateGEP(builder_.getInt8Ty(), argument.strided->base, offset);
    }
    if (argument.by_reference) // the user's own shadow, not a copy
      return convert_argument(builder_, {.value = argument.shadows[lane].value}, type);
    return passed(argument, argument.shadows[lane], type);
  }

  /// A by-value struct is the callee's own: it gets a copy.
  Value *passed(const ParsedArgument &argument, const ArgumentValue &value, Type *type) {
    if (!argument.by_value)
      return convert_argument(builder_, value, type);
    AllocaInst *copy = stack_slot(builder_, argument.by_value, function().getParamAlign(argument.parameter));
    builder_.CreateMemCpy(copy, copy->getAlign(), value.value, Align(1),
                          layout_.getTypeAllocSize(argument.by_value).getFixedValue());
    return copy;
  }

  void pass_seeds() {
    for (unsigned lane = 0; lane < request_.width; ++lane) {
      const std::optional<unsigned> parameter = abi_.seed_parameter(lane);
      if (!parameter)
        return;
      Type *type = function().getReturnType();
      arguments_[*parameter] = parsed_.seeds.empty() ? unit_seed(builder_, type, layout_) : given_seed(lane, type);
    }
  }

  Value *given_seed(unsigned lane, Type *type) {
    const Seed &seed = parsed_.seeds[lane];
    if (seed.parts.empty())
      return convert_argument(builder_, seed.value, type);
    AllocaInst *slot = stack_slot(builder_, type, std::nullopt);
    std::uint64_t offset = 0;
    for (Value *part : seed.parts) {
      offset = alignTo(offset, layout_.getABITypeAlign(part->getType()));
      builder_.CreateAlignedStore(part, builder_.CreatePtrAdd(slot, builder_.getInt64(offset)), Align(1));
      offset += layout_.getTypeStoreSize(part->getType());
    }
    return builder_.CreateLoad(type, slot);
  }

  void pass_tape() {
    if (!abi_.tape_parameter())
      return;
    Type *pointer = builder_.getPtrTy();
    Value *tape = convert_argument(builder_, {.value = parsed_.tape}, pointer);
    if (parsed_.tape_memory == TapeMemory::caller)
      tape = builder_.CreateLoad(pointer, tape);
    arguments_[*abi_.tape_parameter()] = split_memory_.is_needed() ? split_memory_.open(builder_, tape) : tape;
  }

  void take_tape(CallInst &result) {
    if (!abi_.tape_result())
      return;
    tape_ = builder_.CreateExtractValue(&result, *abi_.tape_result());
    if (split_memory_.is_needed())
      tape_ = split_memory_.close(builder_, tape_);
    if (parsed_.tape_memory == TapeMemory::caller && parsed_.tape)
      builder_.CreateStore(tape_, parsed_.tape);
  }

  Value *value_of(const ResultPiece &piece, Value &result) {
    switch (piece.source) {
    case ResultPiece::Source::tape:
      return tape_;
    case ResultPiece::Source::result:
      return builder_.CreateExtractValue(&result, piece.index);
    case ResultPiece::Source::struct_primal:
      return builder_.CreateLoad(piece.type, struct_primal_);
    case ResultPiece::Source::struct_shadow:
      return builder_.CreateLoad(piece.type, struct_shadows_[piece.lane]);
    case ResultPiece::Source::by_value_gradient:
      return builder_.CreateLoad(piece.type, gradients_[{piece.index, piece.lane}]);
    case ResultPiece::Source::zero:
      return Constant::getNullValue(piece.type);
    }
    llvm_unreachable("unknown source of a result");
  }

  IRBuilderBase &builder_;
  const ParsedCall &parsed_;
  const Request &request_;
  CallBase &call_;
  Function &derivative_;
  DerivativeAbi abi_;
  const DataLayout &layout_;
  SmallVector<Value *, 8> arguments_;
  SplitMemory split_memory_;
  Value *tape_ = nullptr;
  Value *struct_primal_ = nullptr;
  SmallVector<Value *, 1> struct_shadows_;
  DenseMap<std::pair<unsigned, unsigned>, Value *> gradients_;
};

Value *through_memory(IRBuilderBase &builder, Value *value, Type *to) {
  Value *slot = stack_slot(builder, value->getType(), std::nullopt);
  builder.CreateStore(value, slot);
  return builder.CreateAlignedLoad(to, slot, Align(1));
}

} // namespace

Value *convert_argument(IRBuilderBase &builder, const ArgumentValue &argument, Type *to) {
  Value *value = argument.value;
  if (argument.in_memory) {
    Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), value, argument.offset);
    value = builder.CreateAlignedLoad(argument.stored ? argument.stored : to, address, Align(1));
  }
  Type *from = value->getType();
  if (from == to)
    return value;
  if (from->isFloatingPointTy() && to->isFloatingPointTy())
    return builder.CreateFPCast(value, to);
  if (from->isIntegerTy() && to->isIntegerTy())
    return builder.CreateSExtOrTrunc(value, to); // C's default promotion gave an int; f takes the narrower type
  if (from->isPointerTy() && to->isPointerTy())
    return builder.CreateAddrSpaceCast(value, to);
  if (from->isPointerTy() && to->isIntegerTy())
    return builder.CreatePtrToInt(value, to);
  if (from->isIntegerTy() && to->isPointerTy())
    return builder.CreateIntToPtr(value, to);
  return through_memory(builder, value, to);
}

SmallVector<Type *, 4> result_types(const ParsedCall &parsed, const CallBase &call) {
  SmallVector<Type *, 4> types;
  for (const ResultPiece &piece : result_pieces(parsed, call, DerivativeAbi(parsed.request)))
    types.push_back(piece.type);
  return types;
}

EmittedCall emit_derivative_call(IRBuilderBase &builder, const ParsedCall &parsed, CallBase &call,
                                 Function &derivative) {
  return DerivativeCall(builder, parsed, call, derivative).emit();
}

} // namespace assay::engine
