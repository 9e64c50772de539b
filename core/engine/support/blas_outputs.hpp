#pragma once
// Which vectors and matrices a function of BLAS writes, and code that copies them.

#include "llvm/IR/IRBuilder.h"

namespace assay::engine {

class BlasOutputs {
public:
  /// Of the function of that name: `cblas_dgemm`, `dgemm_`.
  explicit BlasOutputs(llvm::StringRef function);
  bool empty() const { return outputs_.empty(); }
  /// BLAS takes no arguments that overlap where one is written.
  void promise_no_overlap(llvm::Function &function) const;
  /// Copies the outputs of a call with these arguments to `kept`, or from there back; how many bytes
  /// these are. Only counts where `kept` is null.
  llvm::Value *move(llvm::IRBuilder<> &builder, llvm::ArrayRef<llvm::Value *> arguments, llvm::Value *kept,
                    bool back) const;

  /// Indices of the parameters of C's interface; a vector has no columns.
  struct Output {
    unsigned rows, columns, address, step;
  };

private:
  unsigned own_index(unsigned index) const { return index - (is_fortran_ && has_order_ ? 1 : 0); }
  llvm::Value *argument(llvm::ArrayRef<llvm::Value *> arguments, unsigned index) const;
  llvm::Value *integer(llvm::IRBuilder<> &builder, llvm::ArrayRef<llvm::Value *> arguments, unsigned index) const;
  llvm::Value *rows_of(llvm::IRBuilder<> &builder, llvm::ArrayRef<llvm::Value *> arguments, const Output &output) const;

  llvm::ArrayRef<Output> outputs_;
  bool is_fortran_ = false;
  bool has_order_ = false; ///< C's interface has an order of storage as its first parameter.
  bool is_turned_by_option_ =
      false; ///< The vector has as many numbers as there are columns where a matrix is transposed.
  unsigned number_bytes_ = 0;
};

} // namespace assay::engine
