#pragma once
// The parameters that a function has in its source, and where the compiled one takes them.

#include "core/jit/struct_members.hpp"

#include <cstdint>

namespace assay::jit {

/// Of a register, in bytes.
inline constexpr std::uint64_t word_size = 8;

enum class Passed : std::uint8_t {
  by_value,
  by_pointer_to_const,
  by_pointer, ///< The function may write to it.
};

/// A parameter of the source: arguments [first, first + count) of the compiled function.
struct Parameter {
  const llvm::DIType *type = nullptr;
  unsigned first = 0, count = 1;
  std::optional<Members> members = std::nullopt; ///< Of a struct.
  const llvm::DIType *structure = nullptr;
  Passed passed = Passed::by_value;
  const llvm::DIType *row = nullptr; ///< The pointee of a pointer to pointers to numbers.
  bool is_callable = false;          ///< A pointer to a function.
  std::string name = {};

  bool is_changed() const { return members || row || is_callable; }
};

/// Parameters and result in the source, with their places in the compiled function.
struct SourceInterface {
  std::vector<Parameter> parameters;
  const llvm::DIType *result = nullptr;
  std::optional<UniformNumbers> numbers = std::nullopt; ///< Of a struct that is returned.
};

bool is_kernel(const llvm::Function &function);

/// Nothing where no struct, no pointer to rows and none to a function takes part, or one cannot be taken apart. Structs
/// are those of C, and those that kernels take by value.
std::optional<SourceInterface> interface_of(const llvm::Function &function);

} // namespace assay::jit
