#include "core/jit/argument_spec.hpp"

#include <array>
#include <fmt/format.h>

namespace assay::jit {

namespace {

struct ScalarName {
  std::string_view name;
  Scalar type;
  std::size_t size;
};
constexpr std::array<ScalarName, 4> scalar_names{{{"double", Scalar::real64, 8},
                                                  {"float", Scalar::real32, 4},
                                                  {"int", Scalar::integer32, 4},
                                                  {"long", Scalar::integer64, 8}}};

const ScalarName &entry(Scalar type) {
  return scalar_names[static_cast<std::size_t>(type)];
}

} // namespace

bool is_real(Scalar type) {
  return type == Scalar::real64 || type == Scalar::real32;
}
std::size_t size_of(Scalar type) {
  return entry(type).size;
}
std::string_view name_of(Scalar type) {
  return entry(type).name;
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
