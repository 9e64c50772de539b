#pragma once
// By which the host tells a derivative of which kernel it is to be (core/plugin/tested_kernels.hpp). No LLVM here.

#include <cstdint>
#include <string_view>

namespace assay::jit {

/// FNV-1a.
constexpr std::uint64_t symbol_hash(std::string_view symbol) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : symbol) {
    hash ^= static_cast<unsigned char>(letter);
    hash *= 0x100000001b3;
  }
  return hash;
}

} // namespace assay::jit
