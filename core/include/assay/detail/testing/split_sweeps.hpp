#pragma once
// A caller of the split form takes liberties: it fills the shadows when the augmented primal has returned, and uses the
// memory that it passed for something else until the reverse sweep is through.

#include <assay/detail/testing/derivative_frame.hpp>
#include <assay/detail/testing/scramble.hpp>

#include <cmath>
#include <limits>
#include <optional>

namespace assay::detail {

template <class Frame>
class SplitSweeps;
template <class F, class R, class... Models>
class SplitSweeps<DerivativeFrame<F, R, Models...>> {
  using Frame = DerivativeFrame<F, R, Models...>;
  using Positions = std::index_sequence_for<Models...>;

public:
  /// The contents of the shadows mean nothing before the augmented primal has returned.
  explicit SplitSweeps(Frame &frame) : frame(frame) {
    frame.split_sweeps = this;
    frame.between_sweeps = [](void *self, char, short, char, long double) {
      static_cast<SplitSweeps *>(self)->reuse_memory(Positions());
    };
    withhold_shadows(Positions());
  }
  ~SplitSweeps() {
    const bool result_intact = restore(result);
    if (!restore_arguments(Positions()) || !result_intact)
      frame.outcome.violations.push_back("the reverse sweep writes to memory of an argument, which may hold something "
                                         "else since the augmented primal returned");
  }
  SplitSweeps(const SplitSweeps &) = delete;

private:
  template <std::size_t... I>
  bool restore_arguments(std::index_sequence<I...>) {
    bool intact = true;
    ((intact = restore(std::get<I>(arguments)) && intact), ...);
    return intact;
  }
  template <std::size_t... I>
  void withhold_shadows(std::index_sequence<I...>) {
    for (unsigned lane = 0; lane < frame.request.combination.width; ++lane) {
      (withhold<Models::in_memory>(std::get<I>(frame.shadows[lane])), ...);
      withhold<is_in_memory<R>>(frame.result_shadows[lane]);
    }
  }
  template <bool InMemory, class T>
  static void withhold(T &shadow) {
    if constexpr (InMemory && is_differentiable<T>)
      for_each_number(shadow, []<class Number>(Number &number, const Path &) {
        number = std::numeric_limits<Number>::signaling_NaN();
      });
  }

  template <std::size_t... I>
  void reuse_memory(std::index_sequence<I...>) {
    frame.take_results();
    frame.outcome.contents = frame.call.contents();
    (scramble<Models::in_memory>(std::get<I>(arguments), std::get<I>(frame.values)), ...);
    scramble<is_in_memory<R>>(result, frame.result);
    fill_shadows(Positions());
    if (frame.aside && *frame.aside)
      (*frame.aside)();
  }
  template <bool InMemory, class T>
  static void scramble(std::optional<Scrambled<T>> &scrambled, T &value) {
    if constexpr (InMemory)
      scrambled.emplace(value);
  }
  template <class T>
  static bool restore(std::optional<Scrambled<T>> &scrambled) {
    return !scrambled || scrambled->restore();
  }

  template <std::size_t... I>
  void fill_shadows(std::index_sequence<I...>) {
    bool intact = true;
    for (unsigned lane = 0; lane < frame.request.combination.width; ++lane) {
      ((intact = refill<Models::in_memory>(std::get<I>(frame.shadows[lane]), frame.request.shadows[lane][I]) && intact),
       ...);
      intact = refill<is_in_memory<R>>(frame.result_shadows[lane], frame.request.result_seeds[lane]) && intact;
    }
    if (!intact)
      frame.outcome.violations.push_back(
          "the augmented primal writes to the shadow of an argument or of the result, which is filled when it has "
          "returned");
  }
  template <bool InMemory, class T>
  static bool refill(T &shadow, const testutils::Values &values) {
    bool intact = true;
    if constexpr (InMemory && is_differentiable<T>) {
      for_each_number(shadow, [&](const auto &number, const Path &) { intact = intact && std::isnan(number); });
      unflatten(values, shadow);
    }
    return intact;
  }

  Frame &frame;
  std::tuple<std::optional<Scrambled<typename Models::Stored>>...> arguments;
  std::optional<Scrambled<R>> result;
};

} // namespace assay::detail
