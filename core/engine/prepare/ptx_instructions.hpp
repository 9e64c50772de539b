#pragma once
// One instruction of PTX as instructions of LLVM: moves, bits, conversions, arithmetic, comparisons, shuffles; memory,
// atomics, asynchronous copies and fences in `ptx_memory.cpp`.

#include "core/engine/prepare/ptx_values.hpp"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace assay::engine {

/// An instruction's name, taken apart: `fma.rn.relu.f16x2`.
struct PtxForm {
  llvm::StringRef operation, rounding; ///< `rn`, `rz`, ...; `rni`, ... to whole numbers; empty where it is not said.
  llvm::SmallVector<llvm::StringRef, 2> types;
  llvm::SmallVector<llvm::StringRef, 2> others; ///< Comparisons; kinds of memory.
  bool approximate = false, flushes = false, clamps = false, drops_negative = false, keeps_nan = false;
};

PtxForm ptx_form(const PtxStatement &statement);

/// Whether it reads, writes or orders memory.
bool is_memory_operation(const PtxForm &form);

class PtxTranslation {
public:
  PtxTranslation(llvm::IRBuilderBase &builder, PtxValues &values) : builder_(builder), values_(values) {}

  /// False where the instruction is not known, or its operands do not fit.
  bool add(const PtxStatement &statement);
  /// Makes the code behind guards so far unreachable, for a text that turned out not to be known.
  void close_guards();

private:
  llvm::Value *value_of(const PtxStatement &statement, const PtxForm &form);
  bool access(const PtxStatement &statement, const PtxForm &form);
  bool access_where_guarded(const PtxStatement &statement, const PtxForm &form);
  bool order(const PtxForm &form);
  bool copy(const PtxStatement &statement, const PtxForm &form);
  bool store(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *load(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *atomic(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *atomic_update(const PtxForm &form, llvm::Value *address, llvm::Type *type, llvm::Value *value);
  llvm::Type *accessed_type(const PtxForm &form);
  llvm::Value *shuffle(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *vote(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *source_lane_in_range(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *guarded(const PtxStatement &statement, llvm::Value *value);
  llvm::Value *comparison(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *truth(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *choice(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *bit_operation(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *bit_field(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *with_sign(const PtxStatement &statement, llvm::Type *type);
  llvm::Value *magnitude(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *conversion(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *conversion_of_pair(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *arithmetic(const PtxStatement &statement, const PtxForm &form);
  llvm::Value *integer_product(const PtxStatement &statement, const PtxForm &form, llvm::Type *type);
  llvm::Value *integer_arithmetic(const PtxStatement &statement, const PtxForm &form, llvm::Type *type);

  llvm::Type *type_of(const PtxForm &form) const {
    return form.types.size() == 1 ? ptx_type(form.types.front(), builder_.getContext()) : nullptr;
  }

  llvm::IRBuilderBase &builder_;
  PtxValues &values_;
  llvm::SmallVector<llvm::Instruction *, 2> guards_;     ///< Branches around accesses that a predicate guards.
  llvm::DenseMap<llvm::Value *, llvm::Value *> sign_of_; ///< By a word of nothing but signs: whose they are.
};

} // namespace assay::engine
