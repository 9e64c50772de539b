#include "cli/number_buffer.hpp"

#include "cli/number_types.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace assay::cli {

namespace {

constexpr std::size_t alignment = NumberBuffer::margin_bytes; ///< Of the numbers, too.

/// Signalling NaNs of double and float; as integers, numbers that no index or count has.
constexpr std::uint64_t wide_poison = 0x7FF4A55A00000000;
constexpr std::uint32_t narrow_poison = 0x7FA5A500;
constexpr std::uint16_t short_poison = 0x7FA5;
constexpr std::uint8_t byte_poison = 0x5A;

/// As many bytes as an element has.
const void *poison_of(jit::Scalar type) {
  switch (size_of(type)) {
  case sizeof(wide_poison):
    return &wide_poison;
  case sizeof(narrow_poison):
    return &narrow_poison;
  case sizeof(short_poison):
    return &short_poison;
  default:
    return &byte_poison;
  }
}

/// All bytes are canaries if the first is and each equals the one before it.
bool untouched(const std::byte *begin, const std::byte *end, std::byte canary) {
  return begin == end ||
         (*begin == canary && std::memcmp(begin, begin + 1, static_cast<std::size_t>(end - begin) - 1) == 0);
}

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace

// The usual canaries are as numbers 5e-4 and 0.7: what is added to them changes them, as it would not change a large
// number or a NaN.
NumberBuffer::NumberBuffer(jit::Scalar type, std::size_t count, Canaries canaries)
    : type_(type), count_(count), canaries_(canaries), memory_(2 * alignment + aligned(count * size_of(type))) {
  std::fill(memory_.begin(), memory_.end(), std::byte(canaries));
}

NumberBuffer::NumberBuffer(jit::Scalar type, const std::vector<double> &values, Canaries canaries)
    : NumberBuffer(type, values.size(), canaries) {
  assign(values);
}

void NumberBuffer::shift(std::size_t numbers) {
  const std::byte *from = first();
  const std::size_t bytes = count_ * size_of(type_);
  shift_ = numbers * size_of(type_) % alignment;
  std::memmove(first(), from, bytes);
  std::fill(memory_.begin(), first(), std::byte(canaries_));
  std::fill(first() + bytes, memory_.end(), std::byte(canaries_));
}

void NumberBuffer::assign(const std::vector<double> &values) {
  with_number_type(type_, [&, memory = first()]<class T>(T) {
    for (std::size_t index = 0; index < count_; ++index) {
      const T number = static_cast<T>(values[index]);
      std::memcpy(memory + index * sizeof(T), &number, sizeof(T));
    }
  });
}

NumberBuffer NumberBuffer::poisoned(jit::Scalar type, std::size_t count) {
  NumberBuffer buffer(type, count, Canaries::usual);
  if (jit::is_real(type))
    buffer.poison();
  return buffer;
}

void NumberBuffer::poison() {
  for (std::size_t index = 0; index < count_; ++index)
    std::memcpy(first() + index * size_of(type_), poison_of(type_), size_of(type_));
}

bool NumberBuffer::is_poisoned() const {
  for (std::size_t index = 0; index < count_; ++index)
    if (std::memcmp(first() + index * size_of(type_), poison_of(type_), size_of(type_)) != 0)
      return false;
  return true;
}

std::byte *NumberBuffer::first() const {
  return memory_.end() - alignment - aligned(count_ * size_of(type_)) + shift_;
}
void *NumberBuffer::data() {
  return first();
}

std::vector<double> NumberBuffer::values() const {
  std::vector<double> result(count_);
  with_number_type(type_, [&, memory = first()]<class T>(T number) {
    for (std::size_t index = 0; index < count_; ++index) {
      std::memcpy(&number, memory + index * sizeof(T), sizeof(T));
      result[index] = static_cast<double>(number);
    }
  });
  return result;
}

NumberBuffer::Damage NumberBuffer::damage() const {
  if (!untouched(memory_.begin(), first(), std::byte(canaries_)))
    return Damage::before;
  if (!untouched(first() + count_ * size_of(type_), memory_.end(), std::byte(canaries_)))
    return Damage::behind;
  return Damage::none;
}

NumberBuffer::Damage NumberBuffer::touched_by(const void *address) const {
  switch (memory_.forbidden(address)) {
  case GuardedPages::Side::before:
    return Damage::before;
  case GuardedPages::Side::behind:
    return Damage::behind;
  case GuardedPages::Side::neither:
    break;
  }
  return Damage::none;
}

} // namespace assay::cli
