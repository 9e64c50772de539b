#include "core/jit/mapped_memory.hpp"

#include <algorithm>
#include <unistd.h>

namespace assay::jit {

// Mappings are whole pages.
static std::size_t in_pages(std::size_t bytes) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

void MappedMemory::add(void *memory, std::size_t bytes, const void *site) {
  remove(memory, bytes);
  pieces_[static_cast<std::byte *>(memory)] = {in_pages(bytes), site};
}

void MappedMemory::remove(void *memory, std::size_t bytes) {
  std::byte *const begin = static_cast<std::byte *>(memory), *const end = begin + in_pages(bytes);
  auto next = pieces_.lower_bound(begin);
  if (next != pieces_.begin() && std::prev(next)->first + std::prev(next)->second.bytes > begin)
    --next;
  while (next != pieces_.end() && next->first < end) {
    const auto [start, piece] = *next;
    std::byte *const stop = start + piece.bytes;
    next = pieces_.erase(next);
    if (start < begin)
      pieces_[start] = {static_cast<std::size_t>(begin - start), piece.site};
    if (stop > end)
      pieces_[end] = {static_cast<std::size_t>(stop - end), piece.site};
  }
}

std::vector<MappedMemory::Piece> MappedMemory::pieces() const {
  std::vector<Piece> all;
  for (const auto &[memory, piece] : pieces_)
    all.push_back(piece);
  return all;
}

} // namespace assay::jit
