#pragma once
// A digest of bits, by which two runs are compared: BLAKE3, the first 128 bits in hexadecimal.

#include "llvm/Support/BLAKE3.h"

#include <span>
#include <string>
#include <string_view>

namespace assay::cli {

class Digest {
public:
  Digest &add(std::string_view text);
  /// Their bits, and how many they are.
  Digest &add(std::span<const double> numbers);
  std::string text() const;

private:
  llvm::BLAKE3 hasher_;
};

std::string digest_of(std::string_view text);

} // namespace assay::cli
