#pragma once
// Properties of the code of a function, which passes need and leave. Each can be checked.

#include "core/engine/support/function_info.hpp"
#include "llvm/IR/PassManager.h"
#include <initializer_list>

namespace assay::engine {

enum class Property : std::uint8_t {
  no_computed_gotos,       ///< No jump through the address of a label.
  no_variadic_calls,       ///< No call of a variadic function of the program's own.
  no_masked_memory,        ///< No masked access of a vector with a known number of lanes.
  no_by_value_parameters,  ///< Parameters in memory are plain pointers.
  static_stack,            ///< Stack memory is taken in the entry block, with a constant size.
  no_invoked_allocations,  ///< Allocations and releases have no landing pad.
  own_normal_destinations, ///< No edge but that of the invoke leads to where it goes on.
  no_lifetimes,            ///< No markers of lifetimes.
  reducible,               ///< Each cycle has one entry.
  simplified_loops,        ///< Loops have a preheader, one latch and exits of their own.
  lcssa,                   ///< Values of a loop leave it through phis.
  one_return,              ///< No more than one.
};
inline constexpr unsigned number_of_properties = static_cast<unsigned>(Property::one_return) + 1;

class Properties {
public:
  constexpr Properties() = default;
  constexpr Properties(std::initializer_list<Property> properties) {
    for (const Property property : properties)
      bits_ |= bit(property);
  }
  constexpr bool contains(Property property) const { return (bits_ & bit(property)) != 0; }
  constexpr Properties with(Properties others) const { return Properties(bits_ | others.bits_); }
  constexpr Properties without(Properties others) const { return Properties(bits_ & ~others.bits_); }
  constexpr bool empty() const { return bits_ == 0; }
  friend constexpr bool operator==(Properties, Properties) = default;

private:
  constexpr explicit Properties(unsigned bits) : bits_(bits) {}
  static constexpr unsigned bit(Property property) { return 1U << static_cast<unsigned>(property); }
  unsigned bits_ = 0;
};

llvm::StringRef name_of(Property property);
bool holds(Property property, llvm::Function &function, const FunctionInfo &function_info,
           llvm::FunctionAnalysisManager &analyses);

} // namespace assay::engine
