// After "\x93NUMPY", two bytes of version and the header's length (two bytes, since version 2.0 four) comes the header,
// a Python dictionary: {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }. Then the numbers.
//
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

#include "cli/npy_file.hpp"

#include "cli/number_types.hpp"

#include <bit>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <stdexcept>
#include <type_traits>

namespace assay::cli {

namespace {

static_assert(std::endian::native == std::endian::little);

[[noreturn]] void fail(const std::string &problem) {
  throw std::runtime_error(problem);
}

/// What stands behind 'KEY': in the header.
std::string_view entry(std::string_view header, std::string_view key) {
  const std::string quoted = fmt::format("'{}':", key);
  const std::size_t place = header.find(quoted);
  if (place == std::string_view::npos)
    fail(fmt::format("its header has no {}", quoted));
  std::string_view rest = header.substr(place + quoted.size());
  while (rest.starts_with(' '))
    rest.remove_prefix(1);
  return rest;
}

jit::Scalar type_of(std::string_view header) {
  std::string_view text = entry(header, "descr");
  if (!text.starts_with('\''))
    fail("its elements are structures; save each field as an array of its own");
  text = text.substr(1, text.find('\'', 1) - 1);
  constexpr std::pair<std::string_view, jit::Scalar> known[] = {
      {"<f8", jit::Scalar::real64},     {"<f4", jit::Scalar::real32},     {"<f2", jit::Scalar::real16},
      {"<i8", jit::Scalar::integer64},  {"<i4", jit::Scalar::integer32},  {"<i2", jit::Scalar::integer16},
      {"|i1", jit::Scalar::integer8},   {"<u8", jit::Scalar::unsigned64}, {"<u4", jit::Scalar::unsigned32},
      {"<u2", jit::Scalar::unsigned16}, {"|u1", jit::Scalar::unsigned8},  {"|b1", jit::Scalar::boolean}};
  for (const auto &[name, type] : known)
    if (name == text)
      return type;
  fail(fmt::format("its type is '{}'; it can be <f8, <f4, <f2, a whole number or a bool (numpy: x.astype('<f8'))",
                   text));
}

std::vector<std::size_t> extents_of(std::string_view header) {
  std::string_view text = entry(header, "shape");
  std::vector<std::size_t> extents;
  if (!text.starts_with('('))
    fail("its shape is no tuple");
  text.remove_prefix(1);
  while (!text.empty() && text.front() != ')') {
    std::size_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc())
      fail("its shape is no tuple of numbers");
    extents.push_back(extent);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    while (text.starts_with(',') || text.starts_with(' '))
      text.remove_prefix(1);
  }
  return extents;
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t index = bytes.size(); index-- > 0;)
    value = value * 256 + static_cast<unsigned char>(bytes[index]);
  return value;
}

template <typename T, typename To>
std::vector<To> numbers(std::string_view bytes, std::size_t count) {
  std::vector<To> values(count);
  for (std::size_t index = 0; index < count; ++index) {
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    values[index] = static_cast<To>(value);
  }
  return values;
}

std::size_t elements_of(const NpyArray &array) {
  std::size_t count = 1;
  for (const std::size_t extent : array.extents) {
    if (extent != 0 && count > jit::most_elements / extent)
      fail(fmt::format("more than {} elements", jit::most_elements));
    count *= extent;
  }
  return count;
}

void read_numbers(NpyArray &array, std::string_view data) {
  const std::size_t count = elements_of(array);
  if (data.size() < count * size_of(array.type))
    fail(fmt::format("it ends before its {} elements do", count));
  with_number_type(array.type, [&]<class T>(T) {
    if constexpr (!std::is_integral_v<T>)
      array.reals = numbers<T, double>(data, count);
    else
      array.integers = numbers<T, std::int64_t>(data, count);
  });
}

} // namespace

NpyArray read_npy(std::string_view bytes) {
  constexpr std::string_view magic = "\x93NUMPY";
  if (!bytes.starts_with(magic) || bytes.size() < magic.size() + 4)
    fail("it is no .npy file");
  const auto version = static_cast<unsigned char>(bytes[magic.size()]);
  if (version < 1 || version > 3)
    fail(fmt::format("its format version {} is not known", version));
  const std::size_t length_at = magic.size() + 2, length_size = version == 1 ? 2 : 4;
  if (bytes.size() < length_at + length_size)
    fail("it ends in its header");
  const std::size_t header_at = length_at + length_size, length = little_endian(bytes.substr(length_at, length_size));
  if (bytes.size() - header_at < length)
    fail("it ends in its header");
  const std::string_view header = bytes.substr(header_at, length);
  NpyArray array;
  array.type = type_of(header);
  array.extents = extents_of(header);
  if (!entry(header, "fortran_order").starts_with("False") && array.extents.size() > 1)
    fail("it is in Fortran order; save numpy.ascontiguousarray(x)");
  read_numbers(array, bytes.substr(header_at + length));
  return array;
}

} // namespace assay::cli
