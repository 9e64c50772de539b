#pragma once
// The code of the derivatives of one subject: a function for each combination, which calls the derivative and stores
// its result. The plain form goes through the C++ interface, all others through the C convention.

#include <assay/detail/testing/derivative_frame.hpp>
#include <assay/detail/testing/form_call.hpp>
#include <assay/testing/wide_arithmetic.hpp>

namespace assay::detail {

/// R is the type of the function's own result, Frame::Result that of the part which is stored. File belongs to one
/// translation unit.
template <class File, class R, class Frame, class... Models>
struct DerivativeRun {
  using Positions = std::index_sequence_for<Models...>;
  using Result = typename Frame::Result;
  using Views = typename Frame::Views;

  // One function for all combinations: a derivative that calls through a pointer considers every function of a fitting
  // type.
  template <class... C>
  static unsigned pick(unsigned index, Frame &frame) {
    unsigned position = 0;
    (void)((position++ == index && (run<C>(frame), true)) || ...);
    return position;
  }

private:
  template <class C>
  [[gnu::noinline]] static void run(Frame &frame) {
    if constexpr (C::form.width != 1 || C::form.split)
      run_form<C>(frame);
    else if constexpr (C::mode == testutils::Mode::forward)
      run_forward<C>(frame);
    else
      run_reverse<C>(frame);
  }

  // ---- The plain form ----

  template <class C>
  static void run_forward(Frame &frame) {
    const auto result =
        call_forward<C, C::form.runtime_activity, R>(frame.function, frame.values, frame.shadows[0], Positions());
    if constexpr (C::result == testutils::Activity::duplicated)
      frame.result = result.primal;
    if constexpr (C::result != testutils::Activity::constant)
      frame.result_shadows[0] = result.derivative;
  }

  template <class C>
  static void run_reverse(Frame &frame) {
    constexpr bool runtime_activity = C::form.runtime_activity;
    Views &shadows = frame.shadows[0];
    if constexpr (C::result == testutils::Activity::constant) {
      const auto result = call_reverse<C, runtime_activity, R>(frame.function, frame.values, shadows, Positions());
      store_adjoints<C, 1>(result.gradient, shadows);
    } else {
      if constexpr (std::floating_point<Result>) {
        if (frame.result_shadows[0] == 1) {
          const auto result = call_reverse<C, runtime_activity, R>(frame.function, frame.values, shadows, Positions());
          store_adjoints<C, 1>(result.gradient, shadows);
          frame.result = result.primal;
          return;
        }
      }
      const auto result = call_reverse_seeded<C, runtime_activity, Result>(
          frame.function, frame.result, frame.result_shadows[0], frame.values, shadows, Positions());
      store_adjoints<C, 2>(result.gradient, shadows);
    }
  }

  template <class C>
  static constexpr bool has_adjoints = [] {
    for (const testutils::Activity activity : C::arguments)
      if (activity == testutils::Activity::active)
        return true;
    return false;
  }();

  template <class C, std::size_t Skipped>
  [[gnu::always_inline]] static void store_adjoints(const auto &gradient, Views &shadows) {
    if constexpr (has_adjoints<C>)
      store_each_adjoint<C, Skipped>(gradient, shadows, Positions());
  }
  template <class C, std::size_t Skipped, std::size_t... I>
  [[gnu::always_inline]] static void store_each_adjoint(const auto &gradient, Views &shadows,
                                                        std::index_sequence<I...>) {
    (store_adjoint<C, I>(std::get<I + Skipped>(gradient), shadows), ...);
  }
  template <class C, std::size_t I>
  [[gnu::always_inline]] static void store_adjoint(const auto &adjoint, Views &shadows) {
    if constexpr (C::arguments[I] == testutils::Activity::active)
      std::get<I>(shadows) = adjoint;
  }

  // ---- Other forms ----

  template <class C>
  using FormCallOf = FormCall<File, C, typename Frame::Function, std::conditional_t<std::is_void_v<R>, void, Result>,
                              typename Models::Stored...>;

  template <class FormFrame>
  [[gnu::noinline]] static FormFrame form_frame(Frame &frame) {
    FormFrame form{frame.function, &frame.result, frame.values, {}, frame.shadows};
    for (Result &shadow : frame.result_shadows)
      form.result_shadows.push_back(&shadow);
    return form;
  }

  template <class C>
  static void run_form(Frame &frame) {
    using Calls = FormCallOf<C>;
    auto form = form_frame<typename Calls::Frame>(frame);
    if constexpr (C::mode == testutils::Mode::forward) {
      store_tangents<C>(Calls::forward(form), frame);
    } else if constexpr (C::form.split) {
      const auto augmented = Calls::augmented(form);
      form.tape = augmented.template get<0>();
      if constexpr (Calls::returns && Calls::has_derivative)
        frame.result = augmented.template get<1>();
      assay_wide_aside(frame.between_sweeps, frame.split_sweeps);
      store_lanes_of_adjoints<C>(Calls::split_reverse(form), frame);
    } else {
      const auto results = Calls::reverse(form);
      if constexpr (Calls::returns && Calls::keeps_primal)
        frame.result = results.template get<0>();
      store_lanes_of_adjoints<C>(results, frame);
    }
  }

  template <class C>
  static void store_tangents(const auto &results, Frame &frame) {
    using Calls = FormCallOf<C>;
    constexpr bool keeps_primal = C::result == testutils::Activity::duplicated;
    if constexpr (Calls::returns_derivative)
      [&]<unsigned... Lane>(std::integer_sequence<unsigned, Lane...>) {
        if constexpr (keeps_primal)
          frame.result = results.template get<0>();
        ((frame.result_shadows[Lane] = results.template get<Lane + (keeps_primal ? 1 : 0)>()), ...);
      }(std::make_integer_sequence<unsigned, C::form.width>());
  }

  template <class C>
  static void store_lanes_of_adjoints(const auto &results, Frame &frame) {
    if constexpr (has_adjoints<C>)
      [&]<unsigned... Lane>(std::integer_sequence<unsigned, Lane...>) {
        (store_lane_of_adjoints<C, Lane>(results, frame.shadows[Lane], Positions()), ...);
      }(std::make_integer_sequence<unsigned, C::form.width>());
  }
  template <class C, unsigned Lane, std::size_t... I>
  static void store_lane_of_adjoints(const auto &results, Views &shadows, std::index_sequence<I...>) {
    (store_adjoint_of<C, Lane, I>(results, shadows), ...);
  }
  template <class C, unsigned Lane, std::size_t I>
  static void store_adjoint_of(const auto &results, Views &shadows) {
    if constexpr (C::arguments[I] == testutils::Activity::active)
      std::get<I>(shadows) = results.template get<FormCallOf<C>::adjoint_position(I, Lane)>();
  }
};

} // namespace assay::detail
