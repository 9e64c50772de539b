#include "core/engine/lowering/split_memory.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace assay::engine {

SplitMemory::SplitMemory(const ParsedCall &parsed, const DataLayout &layout) {
  const Request &request = parsed.request;
  Function &function = *request.function;
  if (request.mode != Mode::augmented && request.mode != Mode::split_reverse)
    return;
  if (parsed.struct_return != StructReturn::none)
    add(*function.getArg(0), *function.getParamStructRetType(0), 0, layout);
  if (parsed.struct_return == StructReturn::duplicated)
    for (unsigned lane = 0; lane < request.width; ++lane)
      add(*function.getArg(0), *function.getParamStructRetType(0), 1 + lane, layout);
  for (const ParsedArgument &argument : parsed.arguments)
    for (unsigned lane = 0; argument.collects_gradient && lane < request.width; ++lane)
      add(*function.getArg(argument.parameter), *argument.by_value, 1 + lane, layout);
}

void SplitMemory::add(const Argument &parameter, Type &type, unsigned part, const DataLayout &layout) {
  const Align alignment = std::max(parameter.getParamAlign().valueOrOne(), layout.getABITypeAlign(&type));
  alignment_ = std::max(alignment_, alignment);
  const std::uint64_t offset = alignTo(std::max<std::uint64_t>(size_, sizeof(void *)), alignment);
  offsets_[{parameter.getArgNo(), part}] = offset;
  size_ = offset + layout.getTypeAllocSize(&type).getFixedValue();
}

void SplitMemory::allocate(IRBuilderBase &builder) {
  Module &module = *builder.GetInsertBlock()->getModule();
  const std::uint64_t size = alignTo(size_, alignment_);
  block_ = builder.CreateCall(aligned_alloc_function(module),
                              {builder.getInt64(alignment_.value()), builder.getInt64(size)}, "split.memory");
  builder.CreateMemSet(block_, builder.getInt8(0), size, alignment_);
}

Value *SplitMemory::open(IRBuilderBase &builder, Value *tape) {
  block_ = tape;
  return builder.CreateLoad(builder.getPtrTy(), tape);
}

Value *SplitMemory::close(IRBuilderBase &builder, Value *engine_tape) {
  builder.CreateStore(engine_tape, block_);
  return block_;
}

void SplitMemory::release(IRBuilderBase &builder) {
  Module &module = *builder.GetInsertBlock()->getModule();
  builder.CreateCall(free_function(module), {block_});
}

Value *SplitMemory::at(IRBuilderBase &builder, unsigned parameter, unsigned part) const {
  return builder.CreatePtrAdd(block_, builder.getInt64(offsets_.at({parameter, part})));
}

} // namespace assay::engine
