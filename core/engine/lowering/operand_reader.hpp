#pragma once
// Reads the operands of a call of the convention in order: markers, values for the parameters of the function that is
// differentiated, seeds. An operand that does not fit is an error that names the argument.

#include "core/engine/lowering/call_operands.hpp"
#include "core/engine/support/convention_names.hpp"
#include "core/engine/support/source_signature.hpp"
#include "llvm/Support/Error.h"

namespace assay::engine {

/// A value for one LLVM parameter: an operand of the call, or the memory behind one that is passed by
/// reference.
struct ArgumentValue {
  llvm::Value *value = nullptr;
  bool in_memory = false;
  std::uint64_t offset = 0;     ///< Where in that memory.
  llvm::Type *stored = nullptr; ///< Its type there; null where it is that of the parameter.
};

/// The adjoint of a result, for one lane: one value, or those that C's conventions make of a struct.
struct Seed {
  ArgumentValue value;
  llvm::SmallVector<llvm::Value *, 2> parts;
};

class OperandReader {
public:
  OperandReader(llvm::CallBase &call, llvm::StringRef call_name, llvm::Function &function)
      : call_(call), call_name_(call_name), function_(function), layout_(call.getDataLayout()),
        operands_(operands_after_function(call)), sources_(source_parameters(function)) {}

  llvm::ArrayRef<SourceParameter> sources() const { return sources_; }
  const SourceParameter &source(unsigned index) const { return sources_[index]; }
  bool at_end() const { return next_ == operands_.size(); }
  /// The marker that comes next, if one does.
  std::optional<Marker> next_marker() const;
  /// The name of the next operand, where it looks like a marker and is none.
  std::optional<llvm::StringRef> next_unknown_marker() const;
  void skip() { ++next_; }
  /// Whether `kind` stands somewhere in the call.
  bool contains(Marker kind) const;
  /// Looks for enzyme_width, wherever it stands; to be called before anything is taken.
  llvm::Error read_width();
  unsigned width() const { return width_; }
  /// The operand behind the marker `after`.
  llvm::Expected<llvm::Value *> take_written(llvm::StringRef after);
  llvm::Value *take() { return operands_[next_++].value; }
  /// Operands for all LLVM parameters of one source parameter: as many operands, or one that is behind a reference.
  llvm::Error take_values(unsigned source, llvm::StringRef role, bool by_reference,
                          llvm::SmallVectorImpl<ArgumentValue> &values);
  llvm::Expected<Seed> take_seed();
  /// The struct that f returns, also where it does so through a hidden pointer.
  llvm::Type *returned_type() const;
  llvm::Error too_many() const;
  llvm::Error error(const llvm::Twine &reason, const llvm::Twine &remedy) const;

private:
  std::string takes() const;
  llvm::Error too_few(unsigned source) const;
  llvm::Error wrong_type(unsigned source, llvm::StringRef role, llvm::Type *from, llvm::Type *to) const;
  bool is_behind_pointer(const Operand &operand, const SourceParameter &parameter, const llvm::Argument &first) const;
  void behind_pointer(const Operand &operand, const SourceParameter &parameter,
                      llvm::SmallVectorImpl<ArgumentValue> &values) const;
  bool is_seed_behind_pointer(const Operand &operand) const;
  llvm::SmallVector<llvm::Value *, 2> take_parts();

  llvm::CallBase &call_;
  llvm::StringRef call_name_;
  llvm::Function &function_;
  const llvm::DataLayout &layout_;
  llvm::SmallVector<Operand, 8> operands_;
  llvm::SmallVector<SourceParameter, 8> sources_;
  size_t next_ = 0;
  unsigned width_ = 1;
};

} // namespace assay::engine
