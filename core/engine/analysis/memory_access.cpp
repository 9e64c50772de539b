#include "core/engine/analysis/memory_access.hpp"

namespace assay::engine {

std::optional<MemoryAccess> memory_access(const llvm::Instruction &instruction) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return MemoryAccess{load->getPointerOperand(), load, nullptr};
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return MemoryAccess{store->getPointerOperand(), nullptr, store->getValueOperand()};
  if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return MemoryAccess{update->getPointerOperand(), update, update->getValOperand()};
  if (const auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return MemoryAccess{exchange->getPointerOperand(), exchange, exchange->getNewValOperand()};
  return std::nullopt;
}

} // namespace assay::engine
