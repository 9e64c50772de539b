#pragma once
// Gives every number of one function a twin: its movement or its correction (see run.hpp). The program's own
// instructions stay as they are; beside each that computes a number stands a call of the runtime that computes the
// twin.

#include "core/widen/leaves.hpp"
#include "core/widen/runtime_calls.hpp"
#include "core/widen/twin_kind.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::widen {

struct ExternalKind;

class FunctionWidener : public llvm::InstVisitor<FunctionWidener> {
public:
  FunctionWidener(llvm::Function &function, RuntimeCalls &runtime, TwinKind kind);
  void run();

  // Computing with numbers (arithmetic_visitor.cpp).
  void visitBinaryOperator(llvm::BinaryOperator &operation);
  void visitUnaryOperator(llvm::UnaryOperator &operation);
  void visitFCmpInst(llvm::FCmpInst &comparison);
  void visitCastInst(llvm::CastInst &cast);

  // Moving values (function_widener.cpp).
  void visitPHINode(llvm::PHINode &) {} // Filled when all else is done.
  void visitSelectInst(llvm::SelectInst &select);
  void visitFreezeInst(llvm::FreezeInst &freeze);
  void visitExtractValueInst(llvm::ExtractValueInst &extract);
  void visitInsertValueInst(llvm::InsertValueInst &insert);
  void visitExtractElementInst(llvm::ExtractElementInst &extract);
  void visitInsertElementInst(llvm::InsertElementInst &insert);
  void visitShuffleVectorInst(llvm::ShuffleVectorInst &shuffle);
  void visitReturnInst(llvm::ReturnInst &exit);
  void visitInstruction(llvm::Instruction &instruction);

  // Memory (memory_visitor.cpp).
  void visitLoadInst(llvm::LoadInst &load);
  void visitStoreInst(llvm::StoreInst &store);
  void visitAtomicRMWInst(llvm::AtomicRMWInst &update);
  void visitAtomicCmpXchgInst(llvm::AtomicCmpXchgInst &exchange);

  // Calls (call_visitor.cpp, external_visitor.cpp, intrinsic_visitor.cpp).
  void visitCallBase(llvm::CallBase &call);

private:
  using Twins = llvm::SmallVector<llvm::Value *, 2>;

  /// A number of the program in a type that the runtime takes: double where that holds it, else wide.
  struct Primal {
    llvm::Value *value;
    bool is_double;
    const char *suffix() const { return is_double ? "_double" : "_wide"; }
  };

  void find_carriers();
  bool is_carrier(const llvm::Instruction &instruction) const;
  void make_phis();
  void fill_phis();
  void read_arguments();

  const Leaves &leaves(llvm::Type *type);
  const Leaves &leaves(const llvm::Value &value) { return leaves(value.getType()); }
  llvm::Value *zero(const Leaf &leaf) const;
  llvm::Value *twin(llvm::Value *value, std::size_t leaf);
  llvm::Value *twin(llvm::Value *value) { return twin(value, 0); }
  void set_twins(llvm::Value &value, Twins twins);
  /// Copies the operand's twins.
  void pass_on(llvm::Instruction &instruction, llvm::Value *operand);

  llvm::IRBuilder<> before(llvm::Instruction &instruction) const;
  llvm::IRBuilder<> after(llvm::Instruction &instruction) const;

  /// One leaf of a value as a scalar.
  llvm::Value *component(llvm::IRBuilder<> &builder, llvm::Value *value, const Leaf &leaf) const;
  Primal primal(llvm::IRBuilder<> &builder, llvm::Value *number) const;
  Primal widest(llvm::IRBuilder<> &builder, llvm::Value *number) const;
  /// Both in the same type.
  std::pair<Primal, Primal> primals(llvm::IRBuilder<> &builder, llvm::Value *left, llvm::Value *right) const;

  // Between operands and twins stand terms: movements as they are, or the wide numbers that corrections belong to.
  /// The term of a number.
  llvm::Value *term(llvm::IRBuilder<> &builder, llvm::Value *number, llvm::Value *twin);
  /// The twin of `number`, of which a term was computed.
  llvm::Value *twin_of_term(llvm::IRBuilder<> &builder, llvm::Value *term, llvm::Value *number);
  /// Lane by lane, of a result of which terms were computed.
  Twins twins_of_terms(llvm::IRBuilder<> &builder, llvm::Value *result, const Twins &terms);

  // All of these give terms; `add` and `subtract` take terms, others numbers and their twins.
  llvm::Value *add(llvm::IRBuilder<> &builder, llvm::Value *left, llvm::Value *right);
  llvm::Value *subtract(llvm::IRBuilder<> &builder, llvm::Value *left, llvm::Value *right);
  /// "multiply" or "divide".
  llvm::Value *product(llvm::IRBuilder<> &builder, llvm::StringRef verb, llvm::Value *left, llvm::Value *left_delta,
                       llvm::Value *right, llvm::Value *right_delta);
  llvm::Value *unary(llvm::IRBuilder<> &builder, unsigned function, llvm::Value *number, llvm::Value *delta,
                     llvm::Value *site);
  llvm::Value *binary(llvm::IRBuilder<> &builder, unsigned function, llvm::Value *left, llvm::Value *left_delta,
                      llvm::Value *right, llvm::Value *right_delta, llvm::Value *site);
  void compare(llvm::IRBuilder<> &builder, llvm::Value *left, llvm::Value *left_delta, llvm::Value *right,
               llvm::Value *right_delta, llvm::Value *site);
  llvm::Value *scale(llvm::IRBuilder<> &builder, llvm::Value *number, llvm::Value *twin, llvm::Value *exponent);
  llvm::Value *operate(llvm::IRBuilder<> &builder, llvm::BinaryOperator &operation, std::size_t lane, const Leaf &leaf);
  llvm::Value *sum_of_corrected(llvm::IRBuilder<> &builder, llvm::BinaryOperator &operation, std::size_t lane,
                                const Leaf &leaf);
  bool visit_word_operation(llvm::BinaryOperator &operation);
  void visit_narrowing(llvm::CastInst &cast);
  void note_coarse(llvm::CastInst &cast);
  void note_precision(llvm::Instruction &operation);
  void visit_reinterpretation(llvm::CastInst &cast);
  llvm::Value *part_of_bits(llvm::IRBuilder<> &builder, llvm::Value *source, const Leaf &wanted, llvm::Constant *site);

  void load_leaves(llvm::IRBuilder<> &builder, llvm::Instruction &value, llvm::Value *address, llvm::Constant *site);
  void store_leaves(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Value *address);
  llvm::Value *address_at(llvm::IRBuilder<> &builder, llvm::Value *address, std::uint64_t offset) const;

  void inspect_operands(llvm::Instruction &instruction);
  void inspect(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Constant *site);
  void lose_call(llvm::CallBase &call, llvm::StringRef what);
  void lose_arguments(llvm::CallBase &call, llvm::StringRef what);

  llvm::Value *slot(llvm::IRBuilder<> &builder, llvm::Value *slots, unsigned index) const;
  void call_widened(llvm::CallBase &call);
  void write_arguments(llvm::CallBase &call);
  void read_results(llvm::CallBase &call);
  void call_external(llvm::CallBase &call, const llvm::Function &callee);
  bool call_mathematical(llvm::CallBase &call, const ExternalKind &kind);
  llvm::Value *fraction_twin(llvm::IRBuilder<> &builder, llvm::Value *number, llvm::Value *moved, llvm::Value *whole,
                             llvm::Value *fraction);
  bool call_splitting(llvm::CallBase &call, const ExternalKind &kind);
  void call_length(llvm::CallBase &call, bool is_reciprocal);
  bool call_warp(llvm::CallBase &call, const ExternalKind &kind);
  bool call_allocation(llvm::CallBase &call, const ExternalKind &kind);
  llvm::Value *symbol_address(llvm::IRBuilder<> &builder, llvm::CallBase &call, unsigned symbol) const;
  bool call_memory(llvm::CallBase &call, const ExternalKind &kind);
  void call_complex(llvm::CallBase &call, const ExternalKind &kind);
  Twins complex_product(llvm::IRBuilder<> &builder, const Twins &values, const Twins &deltas);
  Twins complex_parts(llvm::IRBuilder<> &builder, const ExternalKind &kind, const Twins &values, const Twins &deltas);
  void call_intrinsic(llvm::IntrinsicInst &intrinsic);
  bool call_elementwise(llvm::IntrinsicInst &intrinsic);
  bool call_twofold(llvm::IntrinsicInst &intrinsic);
  bool call_reduction(llvm::IntrinsicInst &intrinsic);

  llvm::Function &function_;
  RuntimeCalls &runtime_;
  TwinKind kind_;
  const llvm::DataLayout &layout_;
  llvm::DenseMap<llvm::Type *, Leaves> known_leaves_;
  llvm::DenseMap<llvm::Value *, Twins> twins_;
  /// Values of which a word may hold the bits of a number that moves.
  llvm::DenseSet<const llvm::Value *> carriers_;
};

} // namespace assay::widen
