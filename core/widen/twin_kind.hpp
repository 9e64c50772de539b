#pragma once
// The kinds of a number's twin.

#include <cstdint>

namespace assay::widen {

enum class TwinKind : std::uint8_t {
  movement,  ///< How far the number moves when the inputs move, above the program's own values (arithmetic.hpp).
  correction ///< The number as wide arithmetic has it from the inputs on, less the program's value (wide_values.hpp).
};

} // namespace assay::widen
