#pragma once
// The arguments of one call of the convention, by their places. Every derivative that a program asks for has a list of
// its own, and a std::tuple takes ten times as long to compile.

#include <cstddef>
#include <utility>

namespace assay::detail {

template <std::size_t I, class P>
struct PlacedParameter {
  P parameter;
};

template <std::size_t I, class P>
[[gnu::always_inline]] inline P &parameter_at(PlacedParameter<I, P> &placed) {
  return placed.parameter;
}
template <std::size_t I, class P>
[[gnu::always_inline]] inline const P &parameter_at(const PlacedParameter<I, P> &placed) {
  return placed.parameter;
}

/// P are Parameter.
template <class Places, class... P>
struct PlacedParameters;
template <std::size_t... I, class... P>
struct PlacedParameters<std::index_sequence<I...>, P...> : PlacedParameter<I, P>... {
  [[gnu::always_inline]] void note_memory() { (this->PlacedParameter<I, P>::parameter.note_memory(), ...); }
  [[gnu::always_inline]] void require_unmoved() const {
    (this->PlacedParameter<I, P>::parameter.require_unmoved(I), ...);
  }
};

template <class... P>
using ParameterList = PlacedParameters<std::index_sequence_for<P...>, P...>;

} // namespace assay::detail
