#include "cli/digest.hpp"

#include "llvm/ADT/StringExtras.h"

namespace assay::cli {

namespace {

constexpr std::size_t bytes_kept = 16;

llvm::ArrayRef<std::uint8_t> bytes_of(const void *data, std::size_t size) {
  return {static_cast<const std::uint8_t *>(data), size};
}

} // namespace

Digest &Digest::add(std::string_view text) {
  const std::uint64_t size = text.size(); // Two texts are not the same as one that joins them.
  hasher_.update(bytes_of(&size, sizeof size));
  hasher_.update(bytes_of(text.data(), text.size()));
  return *this;
}

Digest &Digest::add(std::span<const double> numbers) {
  const std::uint64_t size = numbers.size();
  hasher_.update(bytes_of(&size, sizeof size));
  hasher_.update(bytes_of(numbers.data(), numbers.size_bytes()));
  return *this;
}

std::string Digest::text() const {
  llvm::BLAKE3 hasher = hasher_;
  return llvm::toHex(hasher.final<bytes_kept>(), true);
}

std::string digest_of(std::string_view text) {
  return Digest().add(text).text();
}

} // namespace assay::cli
