#pragma once
// Memory that code maps by mmap and has not unmapped: a list of pieces, since munmap takes away any part of them.

#include <cstddef>
#include <map>
#include <vector>

namespace assay::jit {

class MappedMemory {
public:
  struct Piece {
    std::size_t bytes;
    const void *site; ///< The code that mapped it.
  };

  void add(void *memory, std::size_t bytes, const void *site);
  /// Takes away what is mapped of these bytes.
  void remove(void *memory, std::size_t bytes);

  std::vector<Piece> pieces() const;

private:
  std::map<std::byte *, Piece> pieces_; ///< By their addresses.
};

} // namespace assay::jit
