// With all lanes of the warp here:
//
//   all mean one place         shuffles add up their numbers, and the first lane adds the sum
//   else, for d = 1, 2, .. 16  where each lane means the place that the lane d beside it does, the sum of both is
//                              theirs, and the second one of them adds nothing: so for tiles that rows or columns of
//                              lanes read
//
// The second way serves the first 16, 8, 4 or 2 lanes as well, as in blocks that are smaller; others that are here
// without the rest add alone. That all are here is asked for by the mask of active lanes, which is the same for all
// that it names: all or none of them take the way of shuffles.

#include "core/engine/emit/warp_adds.hpp"
#include "core/engine/emit/warp_code.hpp"
#include "core/engine/rules/own_function.hpp"
#include "core/engine/support/adjoint_sums.hpp"
#include "core/engine/support/lanes_together.hpp"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace assay::engine {
namespace {

std::string type_name(const Type &type) {
  std::string text;
  raw_string_ostream(text) << type;
  return text;
}

AtomicRMWInst &add_if(IRBuilder<> &builder, Function &function, Value *adds, Value *number) {
  BasicBlock *add = block_of(function, "add"), *end = block_of(function, "end");
  builder.CreateCondBr(adds, add, end);
  builder.SetInsertPoint(add);
  AtomicRMWInst *sum = add_for_device(builder, function.getArg(0), number);
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
  return *sum;
}

/// The second way.
void write_pairwise(IRBuilder<> &builder, Function &function, Value *members) {
  WarpCode code(builder, function, members);
  const SmallVector<Value *, 2> address = code.address_words();
  Value *lane = code.lane(), *sum = function.getArg(1), *adds = builder.getTrue();
  for (unsigned distance = 1; distance < lanes_of_warp; distance *= 2) {
    Value *alike = builder.CreateAnd(code.has_lane(distance), code.all_equal_after(address, [&](Value *word) {
      return code.butterfly_word(word, distance);
    }));
    BasicBlock *before = builder.GetInsertBlock(), *join = block_of(function, "join"),
               *next = block_of(function, "next");
    builder.CreateCondBr(alike, join, next);
    builder.SetInsertPoint(join);
    Value *joined = code.plus_butterfly(sum, distance);
    Value *is_first = builder.CreateNot(code.has_lane_bit(lane, distance));
    Value *still_adds = builder.CreateAnd(adds, is_first);
    builder.CreateBr(next);
    builder.SetInsertPoint(next);
    const auto either = [&](Value *with, Value *without) {
      PHINode *phi = builder.CreatePHI(with->getType(), 2);
      phi->addIncoming(with, join);
      phi->addIncoming(without, before);
      return phi;
    };
    sum = either(joined, sum);
    adds = either(still_adds, adds);
  }
  add_if(builder, function, adds, sum);
  code.wait();
  builder.CreateRetVoid();
}

/// Lanes without the rest of the warp; the third argument is the mask of those that are together.
void write_partial_warp(Function &function) {
  BasicBlock *entry = block_of(function, ""), *together = block_of(function, "together"),
             *alone = block_of(function, "alone");
  IRBuilder<> builder(entry);
  Value *members = function.getArg(2);
  builder.CreateCondBr(builder.CreateICmpNE(members, builder.getInt32(0)), together, alone);
  builder.SetInsertPoint(together);
  write_pairwise(builder, function, members);
  builder.SetInsertPoint(alone);
  add_for_device(builder, function.getArg(0), function.getArg(1));
  builder.CreateRetVoid();
}

void write_warp_add(Function &function, Function &pairwise, Function &partial_warp) {
  BasicBlock *entry = block_of(function, ""), *compare = block_of(function, "compare"),
             *agree = block_of(function, "agree"), *differ = block_of(function, "differ"),
             *part = block_of(function, "part");
  IRBuilder<> builder(entry);
  Value *members = builder.CreateCall(lanes_together_function(*function.getParent()));
  Value *all = builder.getInt32(~0U);
  WarpCode code(builder, function, all);
  builder.CreateCondBr(builder.CreateICmpEQ(members, all), compare, part);

  builder.SetInsertPoint(compare);
  Value *one_place =
      code.all_equal_after(code.address_words(), [&](Value *word) { return code.broadcast_first(word); });
  builder.CreateCondBr(one_place, agree, differ);

  builder.SetInsertPoint(agree);
  Value *sum = function.getArg(1);
  for (unsigned distance = lanes_of_warp / 2; distance > 0; distance /= 2)
    sum = code.plus_butterfly(sum, distance);
  add_if(builder, function, builder.CreateICmpEQ(code.lane(), builder.getInt32(0)), sum)
      .setMetadata(sum_of_warp, MDNode::get(function.getContext(), {}));
  code.wait();
  builder.CreateRetVoid();

  builder.SetInsertPoint(differ);
  builder.CreateCall(&pairwise, {function.getArg(0), function.getArg(1)});
  builder.CreateRetVoid();
  builder.SetInsertPoint(part);
  builder.CreateCall(&partial_warp, {function.getArg(0), function.getArg(1), members});
  builder.CreateRetVoid();
}

} // namespace

bool has_warp_add(const Type &type) {
  return type.isFloatTy() || type.isDoubleTy();
}

Function *warp_add_function(Module &module, Type *type, PointerType *place) {
  LLVMContext &context = module.getContext();
  const std::string suffix = type_name(*type) + "." + std::to_string(place->getAddressSpace());
  auto *signature = FunctionType::get(Type::getVoidTy(context), {place, type}, false);
  auto *of_members = FunctionType::get(signature->getReturnType(), {place, type, Type::getInt32Ty(context)}, false);
  Function *pairwise = own_function(module, (pairwise_prefix + suffix).str(), signature, [](Function &function) {
    mark_warp_add(function);
    function.addFnAttr(Attribute::NoInline);
    IRBuilder<> builder(block_of(function, ""));
    write_pairwise(builder, function, builder.getInt32(~0U));
  });
  Function *partial_warp =
      own_function(module, (partial_warp_prefix + suffix).str(), of_members, [](Function &function) {
        mark_warp_add(function);
        write_partial_warp(function);
      });
  return own_function(module, (warp_add_prefix + suffix).str(), signature, [&](Function &function) {
    mark_warp_add(function);
    function.addFnAttr(Attribute::NoInline); // before sums are grouped
    write_warp_add(function, *pairwise, *partial_warp);
  });
}

AtomicRMWInst *add_for_device(IRBuilderBase &builder, Value *place, Value *value) {
  const SyncScope::ID device = builder.getContext().getOrInsertSyncScopeID("device");
  const Align alignment = builder.GetInsertBlock()->getDataLayout().getABITypeAlign(value->getType());
  AtomicRMWInst *sum =
      builder.CreateAtomicRMW(AtomicRMWInst::FAdd, place, value, alignment, AtomicOrdering::Monotonic, device);
  mark_adjoint_sum(*sum);
  return sum;
}

} // namespace assay::engine
