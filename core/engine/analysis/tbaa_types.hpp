#pragma once
// What TBAA metadata says of memory: scalar access types, the fields of the struct that a struct-path access lies in,
// and the pieces of a struct that is copied (`!tbaa.struct`).

#include "core/engine/analysis/types.hpp"
#include "llvm/IR/Instruction.h"

namespace assay::engine {

struct TaggedField {
  std::int64_t offset; ///< Relative to the address of the access; may be negative.
  BasicType type;
  std::uint64_t size = 0;      ///< Bytes that are filled with the type; 0: one of it.
  bool may_be_padding = false; ///< Nothing tells whether the field before ends here.
};

/// `copied` is the size of a copy, where constant: what `!tbaa.struct` leaves out of it is padding.
llvm::SmallVector<TaggedField, 8> fields_of_tag(const llvm::Instruction &access,
                                                std::optional<std::uint64_t> copied = std::nullopt);

/// What an access says that it moves itself; unknown without a tag.
BasicType tagged_type(const llvm::Instruction &access);

/// True where the program says that what it loads or stores is an integer, as an enumeration is, whatever other objects
/// of the same memory have there.
bool is_declared_integer(const llvm::Instruction &access);

} // namespace assay::engine
