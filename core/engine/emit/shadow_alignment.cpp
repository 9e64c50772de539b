#include "core/engine/emit/shadow_alignment.hpp"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace assay::engine {
namespace {

constexpr Align word_alignment = Align::Constant<8>(); // Of what larger integers and untyped bytes are made of.

Align number_alignment(Type &type, const DataLayout &layout) {
  return std::min(word_alignment, layout.getABITypeAlign(type.getScalarType()));
}

MaybeAlign relaxed(MaybeAlign alignment) {
  return alignment ? std::min(*alignment, word_alignment) : alignment;
}

} // namespace

Align shadow_alignment(const Instruction &access) {
  return std::min(getLoadStoreAlignment(&access), number_alignment(*getLoadStoreType(&access), access.getDataLayout()));
}

void relax_alignment(Instruction &access) {
  if (auto *load = dyn_cast<LoadInst>(&access); load && !load->isAtomic()) {
    load->setAlignment(shadow_alignment(access));
    load->setMetadata(LLVMContext::MD_align, nullptr); // of what is loaded
  } else if (auto *store = dyn_cast<StoreInst>(&access); store && !store->isAtomic()) {
    store->setAlignment(shadow_alignment(access));
  } else if (auto *intrinsic = dyn_cast<MemIntrinsic>(&access)) {
    intrinsic->setDestAlignment(relaxed(intrinsic->getDestAlign()));
    if (auto *transfer = dyn_cast<MemTransferInst>(intrinsic))
      transfer->setSourceAlignment(relaxed(transfer->getSourceAlign()));
  }
}

} // namespace assay::engine
