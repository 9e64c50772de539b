#include "core/jit/argument_spec.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace assay::jit {

namespace {

struct ScalarEntry {
  std::string_view name;
  std::size_t size;
  std::int64_t low = 0, high = 0; ///< Of an integer.
};

template <typename T>
constexpr ScalarEntry integer_entry(std::string_view name) {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  return {name, sizeof(T), std::numeric_limits<T>::min(),
          static_cast<std::int64_t>(std::min<std::uint64_t>(most, std::numeric_limits<T>::max()))};
}

/// In the order of Scalar.
constexpr std::array<ScalarEntry, 13> entries{{{"double", 8},
                                               {"float", 4},
                                               integer_entry<std::int32_t>("int"),
                                               integer_entry<std::int64_t>("long"),
                                               integer_entry<std::int16_t>("int16_t"),
                                               integer_entry<std::int8_t>("int8_t"),
                                               integer_entry<std::uint64_t>("uint64_t"),
                                               integer_entry<std::uint32_t>("uint32_t"),
                                               integer_entry<std::uint16_t>("uint16_t"),
                                               integer_entry<std::uint8_t>("uint8_t"),
                                               integer_entry<bool>("bool"),
                                               {"half", 2},
                                               {"bfloat16", 2}}};

const ScalarEntry &entry(Scalar type) {
  return entries[static_cast<std::size_t>(type)];
}

/// Further names in C, on machines with 64-bit long and signed char, and in CUDA.
constexpr std::pair<std::string_view, Scalar> names_in_c[] = {{"int32_t", Scalar::integer32},
                                                              {"signed", Scalar::integer32},
                                                              {"signed int", Scalar::integer32},
                                                              {"int64_t", Scalar::integer64},
                                                              {"long int", Scalar::integer64},
                                                              {"long long", Scalar::integer64},
                                                              {"long long int", Scalar::integer64},
                                                              {"ptrdiff_t", Scalar::integer64},
                                                              {"short", Scalar::integer16},
                                                              {"short int", Scalar::integer16},
                                                              {"char", Scalar::integer8},
                                                              {"signed char", Scalar::integer8},
                                                              {"size_t", Scalar::unsigned64},
                                                              {"unsigned long", Scalar::unsigned64},
                                                              {"unsigned long int", Scalar::unsigned64},
                                                              {"unsigned long long", Scalar::unsigned64},
                                                              {"unsigned", Scalar::unsigned32},
                                                              {"unsigned int", Scalar::unsigned32},
                                                              {"unsigned short", Scalar::unsigned16},
                                                              {"unsigned short int", Scalar::unsigned16},
                                                              {"unsigned char", Scalar::unsigned8},
                                                              {"_Bool", Scalar::boolean},
                                                              {"_Float16", Scalar::real16},
                                                              {"__half", Scalar::real16},
                                                              {"__bf16", Scalar::brain16},
                                                              {"nv_bfloat16", Scalar::brain16},
                                                              {"__nv_bfloat16", Scalar::brain16}};

} // namespace

bool is_real(Scalar type) {
  return type == Scalar::real64 || type == Scalar::real32 || is_of_16_bits(type);
}
bool is_of_16_bits(Scalar type) {
  return type == Scalar::real16 || type == Scalar::brain16;
}
std::size_t size_of(Scalar type) {
  return entry(type).size;
}
std::string_view name_of(Scalar type) {
  return entry(type).name;
}

std::optional<Scalar> scalar_named(std::string_view name) {
  for (std::size_t index = 0; index < entries.size(); ++index)
    if (entries[index].name == name)
      return static_cast<Scalar>(index);
  for (const auto &[in_c, type] : names_in_c)
    if (in_c == name)
      return type;
  return std::nullopt;
}

bool has_value(Scalar type, std::int64_t value) {
  return entry(type).low <= value && value <= entry(type).high;
}
std::string misfit(Scalar type, std::int64_t value) {
  return fmt::format("{} does not fit {} {}{}", value, type == Scalar::integer32 ? "an" : "a", name_of(type),
                     type == Scalar::integer32 ? "; use long" : "");
}

std::size_t ArgumentSpec::elements() const {
  std::size_t product = 1;
  for (const std::size_t extent : extents)
    product *= extent;
  return product;
}

SpecError::SpecError(std::string_view spec, std::size_t position, const std::string &problem)
    : std::runtime_error(
          fmt::format("bad --arg '{}<here>{}': {}", spec.substr(0, position), spec.substr(position), problem)),
      position(position) {}

} // namespace assay::jit
