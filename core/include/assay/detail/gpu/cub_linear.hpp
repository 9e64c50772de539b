#pragma once
// The rule of those of CUB's functions of a whole device that are linear in their input: (storage, bytes, input,
// output, count, stream).

#include "assay/detail/gpu/cub_kernels.hpp"

namespace assay::rules::gpu::cub_rules {

/// `Shadows::tangent(in, out, count, stream)` is the function of the tangents, `Shadows::adjoint(in, out, count)` adds
/// its transpose of `out` to `in` and clears `out`; `in` is null where the input carries no derivative.
template <auto Function, class Shadows>
struct LinearRule {
  static constexpr bool hides_body = true;
  static constexpr auto function = Function;

  static auto forward(const auto &config, auto storage, auto bytes, auto in, auto out, auto count, auto stream) {
    for (const int lane : config.lanes())
      if (storage.value && out.is_active())
        Shadows::tangent(in.is_active() ? in.shadow(lane) : nullptr, out.shadow(lane), count.value, stream.value);
    return without_tangent(config,
                           function(storage.value, bytes.value, in.value, out.value, count.value, stream.value));
  }
  static auto augmented_primal(const auto & /*config*/, auto storage, auto bytes, auto in, auto out, auto count,
                               auto stream) {
    return AugmentedReturn{function(storage.value, bytes.value, in.value, out.value, count.value, stream.value), None{},
                           bool(storage.value)};
  }
  static void reverse(const auto &config, const auto & /*status*/, bool was_done, auto /*storage*/, auto /*bytes*/,
                      auto in, auto out, auto count, auto /*stream*/) {
    for (const int lane : config.lanes())
      if (was_done && out.is_active())
        Shadows::adjoint(in.is_active() ? in.shadow(lane) : nullptr, out.shadow(lane), count.value);
  }

  /// Instantiates the kernels of both.
  static void uses() {
    Shadows::tangent(nullptr, nullptr, 0, nullptr);
    Shadows::adjoint(nullptr, nullptr, 0);
  }
};

} // namespace assay::rules::gpu::cub_rules
