#pragma once
// The results of a differentiated call.

#include <tuple>

namespace assay {

/// Reverse mode: one entry for each argument, the adjoint of an Active one and None for the others.
template <class... Gradient>
struct Gradients {
  std::tuple<Gradient...> gradient;
};
template <class P, class... Gradient>
struct GradientsWithPrimal {
  std::tuple<Gradient...> gradient;
  P primal;
};
/// Forward mode: the directional derivative of the result, in a batched call a std::array of them; None if there is
/// none.
template <class D>
struct Tangent {
  D derivative;
};
template <class D, class P>
struct TangentWithPrimal {
  D derivative;
  P primal;
};

} // namespace assay
