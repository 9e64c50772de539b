// Each operation names the place in the source that it comes from: copies of one barrier that the optimiser makes are
// the same barrier.

#include "gpu/emulate/steps.hpp"

#include "gpu/runtime/interface.hpp"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace assay::gpu {

namespace {

constexpr StringRef prefix = "llvm.nvvm.";

class Replacer {
public:
  explicit Replacer(Module &module) : module_(module), context_(module.getContext()) {}

  /// False if the name is none of an operation of several threads.
  bool replace(CallInst &call, StringRef name) {
    if (name.starts_with("barrier.cluster"))
      throw NotEmulated("clusters of blocks cannot be emulated: " + place_of(call));
    if (name.starts_with("barrier.cta.") || name.starts_with("barrier") || name == "bar.sync")
      return barrier(call, name);
    if (name == "bar.warp.sync")
      return warp(call, WarpOperation::synchronise, call.getArgOperand(0), nullptr);
    if (name.starts_with("shfl.sync."))
      return shuffle(call, name.drop_front(StringRef("shfl.sync.").size()));
    if (name.starts_with("vote."))
      return vote(call, name.drop_front(StringRef("vote.").size()));
    if (name.starts_with("match."))
      return match(call, name);
    if (name.starts_with("redux.sync."))
      return reduce(call, name.drop_front(StringRef("redux.sync.").size()));
    if (name == "activemask")
      return warp(call, WarpOperation::active_mask, number(~0U), nullptr);
    return false;
  }

private:
  Constant *number(std::uint32_t value) { return ConstantInt::get(Type::getInt32Ty(context_), value); }

  void finish(CallInst &call, Value *result) {
    if (result)
      call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }

  bool barrier(CallInst &call, StringRef name) {
    IRBuilder<> builder(&call);
    auto *word = builder.getInt32Ty();
    const bool is_reduction = name.contains(".red.");
    const bool arrives = name.contains(".arrive");
    const unsigned arguments = call.arg_size();
    Value *id = arguments > 0 ? call.getArgOperand(0) : number(0);
    Value *threads = number(0), *predicate = number(0);
    const bool has_count = name.contains(".count") || name.ends_with("barrier.n");
    if (name == "barrier0" || name.starts_with("barrier0."))
      id = number(0);
    if (name.starts_with("barrier0.")) { // The old names of reductions.
      predicate = call.getArgOperand(0);
    } else {
      if (has_count && arguments > 1)
        threads = call.getArgOperand(1);
      if (is_reduction)
        predicate = call.getArgOperand(arguments - 1);
    }
    const auto reduction = name.contains("popc")  ? BarrierReduction::count
                           : name.contains("and") ? BarrierReduction::conjunction
                           : name.contains(".or") ? BarrierReduction::disjunction
                                                  : BarrierReduction::none;
    if (arrives) {
      builder.CreateCall(
          module_.getOrInsertFunction("assay_gpu_barrier_arrive", builder.getVoidTy(), builder.getPtrTy(), word, word),
          {site_of(call), id, threads});
      finish(call, nullptr);
      return true;
    }
    predicate = builder.CreateZExtOrTrunc(predicate, word);
    Value *result = builder.CreateCall(
        module_.getOrInsertFunction("assay_gpu_barrier", word, builder.getPtrTy(), word, word, word, word),
        {site_of(call), id, threads, number(static_cast<std::uint32_t>(reduction)), predicate});
    if (call.getType()->isVoidTy())
      finish(call, nullptr);
    else if (call.getType()->isIntegerTy(1))
      finish(call, builder.CreateICmpNE(result, number(0)));
    else
      finish(call, result);
    return true;
  }

  Value *ask(CallInst &call, WarpOperation operation, Value *mask, Value *value, Value *lane, Value *clamp) {
    IRBuilder<> builder(&call);
    auto *word = builder.getInt32Ty();
    auto *wide = builder.getInt64Ty();
    if (!value)
      value = ConstantInt::get(wide, 0);
    if (value->getType()->isFloatTy())
      value = builder.CreateBitCast(value, word);
    value = builder.CreateZExtOrTrunc(value, wide);
    return builder.CreateCall(
        module_.getOrInsertFunction("assay_gpu_warp", wide, builder.getPtrTy(), word, word, wide, word, word),
        {operation == WarpOperation::active_mask ? site_of_call_path(call) : site_of(call),
         number(static_cast<std::uint32_t>(operation)), mask, value, lane ? lane : number(0),
         clamp ? clamp : number(0)});
  }

  /// The first result of the operation as type `type`.
  static Value *first(IRBuilder<> &builder, Value *both, Type *type) {
    Value *word = builder.CreateTrunc(both, builder.getInt32Ty());
    if (type->isFloatTy())
      return builder.CreateBitCast(word, type);
    if (type->isIntegerTy(1))
      return builder.CreateICmpNE(word, builder.getInt32(0));
    return builder.CreateZExtOrTrunc(word, type);
  }

  bool warp(CallInst &call, WarpOperation operation, Value *mask, Value *value, Value *lane = nullptr,
            Value *clamp = nullptr) {
    Value *both = ask(call, operation, mask, value, lane, clamp);
    IRBuilder<> builder(&call);
    if (call.getType()->isVoidTy()) {
      finish(call, nullptr);
    } else if (auto *pair = dyn_cast<StructType>(call.getType())) {
      Value *second = builder.CreateTrunc(builder.CreateLShr(both, 32), builder.getInt1Ty());
      Value *result =
          builder.CreateInsertValue(PoisonValue::get(pair), first(builder, both, pair->getElementType(0)), 0);
      finish(call, builder.CreateInsertValue(result, second, 1));
    } else {
      finish(call, first(builder, both, call.getType()));
    }
    return true;
  }

  bool shuffle(CallInst &call, StringRef kind) {
    const auto operation = kind.starts_with("up")     ? WarpOperation::shuffle_up
                           : kind.starts_with("down") ? WarpOperation::shuffle_down
                           : kind.starts_with("bfly") ? WarpOperation::shuffle_xor
                                                      : WarpOperation::shuffle_index;
    return warp(call, operation, call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2),
                call.getArgOperand(3));
  }

  bool vote(CallInst &call, StringRef kind) {
    const auto operation = kind.starts_with("all")   ? WarpOperation::vote_all
                           : kind.starts_with("any") ? WarpOperation::vote_any
                           : kind.starts_with("uni") ? WarpOperation::vote_uniform
                                                     : WarpOperation::vote_ballot;
    if (!kind.ends_with(".sync"))
      throw NotEmulated("a vote without a mask cannot be emulated: " + place_of(call));
    return warp(call, operation, call.getArgOperand(0), call.getArgOperand(1));
  }

  bool match(CallInst &call, StringRef name) {
    return warp(call, name.contains("any") ? WarpOperation::match_any : WarpOperation::match_all, call.getArgOperand(0),
                call.getArgOperand(1));
  }

  bool reduce(CallInst &call, StringRef kind) {
    const auto operation = StringSwitch<WarpOperation>(kind)
                               .Case("add", WarpOperation::reduce_add)
                               .Case("min", WarpOperation::reduce_minimum)
                               .Case("max", WarpOperation::reduce_maximum)
                               .Case("umin", WarpOperation::reduce_unsigned_minimum)
                               .Case("umax", WarpOperation::reduce_unsigned_maximum)
                               .Case("and", WarpOperation::reduce_and)
                               .Case("or", WarpOperation::reduce_or)
                               .Case("xor", WarpOperation::reduce_xor)
                               .Default(WarpOperation::synchronise);
    if (operation == WarpOperation::synchronise)
      throw NotEmulated("redux.sync." + kind.str() + " cannot be emulated: " + place_of(call));
    return warp(call, operation, call.getArgOperand(1), call.getArgOperand(0));
  }

  Module &module_;
  LLVMContext &context_;
};

} // namespace

void replace_block_operations(Module &module) {
  Replacer replacer(module);
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || !function.getName().starts_with(prefix))
      continue;
    const std::string name = function.getName().drop_front(prefix.size()).str();
    for (CallInst *call : calls_of(function))
      replacer.replace(*call, name);
    if (function.use_empty())
      function.eraseFromParent();
  }
}

} // namespace assay::gpu
