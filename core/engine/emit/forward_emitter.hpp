#pragma once
// The state of one forward emission, and its steps; see forward.hpp. A value's "lanes" are the `width` SSA values that
// stand for it in the derivative's directions: its tangents if it is floating point, its shadows if it is a pointer,
// field by field so if it is an aggregate, bit by bit so if it is an integer that carries either.

#include "core/engine/emit/alias_scopes.hpp"
#include "core/engine/emit/forward.hpp"
#include "core/engine/emit/lanes.hpp"
#include "core/engine/plan/interleaved_memory.hpp"
#include "core/engine/plan/rule_use.hpp"
#include "core/engine/rules/scalar_rule.hpp"
#include "core/engine/support/derivative_abi.hpp"
#include "core/engine/support/memory_calls.hpp"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace assay::engine {

class ForwardEmitter {
public:
  ForwardEmitter(DerivativeSource &engine, const Request &request, llvm::Function &prepared, const TypeAnalysis &types,
                 const ActivityAnalysis &activity, llvm::Function &derivative);
  llvm::Error run();

private:
  // forward.cpp: the frame and the dispatch
  void clone_body();
  void adopt_attributes();
  void take_parameters();
  llvm::Error refuse_constant(const llvm::Value &pointer) const;
  llvm::Error emit(llvm::Instruction &original);
  llvm::Error emit_value(llvm::Instruction &original);

  // forward_control.cpp
  void place_phi(llvm::PHINode &original);
  void fill_phis();
  void emit_return(llvm::ReturnInst &original);
  /// Where instructions go that follow the copy of `original`, also when that ends its block (invoke).
  void set_position_after(llvm::Instruction &original);

  // forward_values.cpp
  void find_supplied();
  bool supplies_lanes(const llvm::Instruction &original) const;
  /// True for an instruction that has a derivative or shadow by the analysis, and by its operands: what is computed
  /// from constants alone needs none, whatever else its memory is unified with.
  bool needs_lanes(const llvm::Instruction &original) const;
  /// True when `original` has lanes of its own; false: it is a constant as far as derivatives go.
  bool is_shadowed(llvm::Value &original) const;
  llvm::Value *primal(llvm::Value &original) const;
  /// The lanes of any value: its own, or those of a constant (zero tangent, itself as shadow).
  Lanes lanes(llvm::Value &original);
  void note_constant_with_shadow(const llvm::Value &original);
  llvm::Value *lane_of_inactive(llvm::Value &original);
  llvm::Value *tangent_of_constant(llvm::Constant &constant, unsigned lane);
  /// `whole` with zeros in place of the floats of its part at `path`, which is of `type`.
  llvm::Value *zero_floats(llvm::Type &type, llvm::SmallVectorImpl<unsigned> &path, llvm::Value *whole);
  void set_lanes(llvm::Instruction &original, Lanes values);
  /// Repeats `original` for each lane, with lanes in place of those operands that have them.
  Lanes mirror(llvm::Instruction &original);
  llvm::Instruction *mirror_lane(llvm::Instruction &original, unsigned lane);
  llvm::Value *add_tangents(llvm::Value &left, llvm::Value &right);
  void emit_scalar(llvm::Instruction &original, const ScalarRule &rule);
  llvm::Error emit_address(llvm::BinaryOperator &original);
  llvm::Error emit_bits(llvm::BinaryOperator &original);
  bool emit_sign_bit(llvm::BinaryOperator &original);

  // forward_packed.cpp: all tangents of a number as one vector
  void find_packed();
  bool keeps_packed(const llvm::Instruction &original) const;
  llvm::VectorType *packed_type(llvm::Type &number) const;
  llvm::Align packed_alignment(llvm::Type &number) const;
  llvm::Value *packed(llvm::Value &original);
  void set_packed(llvm::Instruction &original, llvm::Value *whole);
  void emit_packed(llvm::Instruction &original);
  void place_packed_phi(llvm::PHINode &original);
  void fill_packed_phis();
  void mark_interleaved(llvm::Instruction &access, const llvm::Instruction &original);
  void load_interleaved(llvm::LoadInst &original);
  void store_interleaved(llvm::StoreInst &original);
  void address_interleaved(llvm::GetElementPtrInst &original);
  void select_interleaved(llvm::SelectInst &original);
  llvm::Value *times_width(llvm::Value *bytes);
  void allocate_interleaved(llvm::Instruction &original, llvm::Value *bytes);
  void release_interleaved(llvm::CallBase &original, const MemoryCall &memory);
  void copy_interleaved(llvm::MemTransferInst &original);
  void fill_interleaved(llvm::MemSetInst &original);

  // forward_memory.cpp
  void emit_load(llvm::LoadInst &original);
  void emit_store(llvm::StoreInst &original);
  void emit_alloca(llvm::AllocaInst &original);
  llvm::Error emit_atomic_update(llvm::AtomicRMWInst &original);
  llvm::Error emit_compare_exchange(llvm::AtomicCmpXchgInst &original);
  bool updates_numbers(const llvm::Instruction &update) const;
  llvm::Error emit_choice(llvm::Instruction &update, llvm::Value &place);
  llvm::Error emit_memory_call(llvm::CallBase &original, const MemoryCall &memory);
  void emit_allocation(llvm::CallBase &original, const MemoryCall &memory);
  void emit_allocation_into(llvm::CallBase &original, const MemoryCall &memory);
  void emit_reallocation(llvm::CallBase &original, const MemoryCall &memory);
  void emit_release(llvm::CallBase &original, const MemoryCall &memory);
  llvm::Error emit_copy(llvm::CallBase &original, const MemoryCall &memory);
  void emit_fill(llvm::CallBase &original, const MemoryCall &memory);
  llvm::Value *byte_count(llvm::CallBase &original, const MemoryCall &memory);
  llvm::Error copy_from_constant(llvm::CallBase &original, const MemoryCall &memory);
  llvm::Error copy_constant_words(llvm::CallBase &original, llvm::Value &bytes);

  // forward_words.cpp
  void move_words(llvm::CallBase &original);

  // forward_calls.cpp
  llvm::Error emit_call(llvm::CallBase &original);
  void repeat_for_shadows(llvm::CallBase &original);
  llvm::Error emit_intrinsic(llvm::IntrinsicInst &original);
  llvm::Error emit_external(llvm::CallBase &original, llvm::Function &callee);
  llvm::Error stop_at(llvm::CallBase &original, llvm::Error reason);
  llvm::Error emit_derivative_call(llvm::CallBase &original, llvm::Function &callee);
  /// Puts a call of `callee` before the copy of `original` (an invoke for an invoke); new instructions then go after
  /// both.
  llvm::CallBase *place_call(llvm::CallBase &original, llvm::FunctionCallee callee,
                             llvm::ArrayRef<llvm::Value *> arguments);
  /// Takes the copy of `original` away; `result`, where not null, stands for the primal result from now on.
  void replace_copy(llvm::CallBase &original, llvm::Value *result);

  // forward_rules.cpp
  llvm::Error emit_user_rule(llvm::CallBase &original, const UserRule &rule);
  bool user_rule_fits(llvm::CallBase &original, const UserRule &rule);
  llvm::Function *without_constants(llvm::CallBase &original, const UserRule &rule, llvm::ArrayRef<bool> shadowed);
  llvm::Error emit_rule_template(llvm::CallBase &original, const RuleUse &use);
  llvm::Value *take_part(llvm::CallBase &call, llvm::Type &type, unsigned index);

  DerivativeSource &engine_;
  const Request &request_;
  llvm::Function &prepared_;
  const TypeAnalysis &types_;
  const ActivityAnalysis &activity_;
  llvm::Function &derivative_;
  llvm::AttributeSet declared_; ///< The driver's attributes of the derivative.
  DerivativeAbi abi_;
  llvm::IRBuilder<> builder_;
  llvm::ValueToValueMapTy map_;
  llvm::DenseMap<const llvm::Value *, Lanes> lanes_;
  llvm::SmallVector<llvm::PHINode *, 16> phis_;
  std::optional<LaneScopes> scopes_; ///< Nothing with runtime activity, where a shadow may be the primal itself.
  llvm::DenseSet<const llvm::Value *> supplied_; ///< Values that get lanes from an argument, an allocation or a call.
  InterleavedMemory interleaved_;
  llvm::DenseSet<const llvm::Value *> is_packed_;             ///< Numbers whose tangents are written as a vector.
  llvm::DenseMap<const llvm::Value *, llvm::Value *> packed_; ///< These vectors.
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::PHINode *>, 8> packed_phis_;
  const llvm::Value *constant_with_shadow_ =
      nullptr; ///< A constant pointer whose shadow was asked for, which is an error.
};

} // namespace assay::engine
