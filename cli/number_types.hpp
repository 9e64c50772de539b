#pragma once
// The C++ type of the elements that a spec describes.

#include "core/jit/argument_spec.hpp"

#include <assay/detail/half_numbers.hpp>

#include <cstdint>

namespace assay::cli {

/// Calls `visit` with a zero of the type, once for all numbers: the loop is in there.
template <class Visit>
void with_number_type(jit::Scalar type, Visit visit) {
  switch (type) {
  case jit::Scalar::real64:
    return visit(double());
  case jit::Scalar::real32:
    return visit(float());
  case jit::Scalar::integer32:
    return visit(std::int32_t());
  case jit::Scalar::integer64:
    return visit(std::int64_t());
  case jit::Scalar::integer16:
    return visit(std::int16_t());
  case jit::Scalar::integer8:
    return visit(std::int8_t());
  case jit::Scalar::unsigned64:
    return visit(std::uint64_t());
  case jit::Scalar::unsigned32:
    return visit(std::uint32_t());
  case jit::Scalar::unsigned16:
    return visit(std::uint16_t());
  case jit::Scalar::unsigned8:
  case jit::Scalar::boolean:
    return visit(std::uint8_t());
  case jit::Scalar::real16:
    return visit(detail::Binary16());
  case jit::Scalar::brain16:
    return visit(detail::BrainFloat());
  }
}

} // namespace assay::cli
