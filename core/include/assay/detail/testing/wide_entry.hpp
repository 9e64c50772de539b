#pragma once
// The widened versions of a function and of its derivatives, which the plugin writes.

#include <assay/detail/testing/derivative_call.hpp>
#include <assay/detail/testing/typed_call.hpp>
#include <assay/testing/wide_arithmetic.hpp>

// Addresses of copies of the function, whose numbers carry movements and corrections; null where there is none.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the plugin replaces its calls.
extern "C" void *__assay_widened(void *function);
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" void *__assay_corrected(void *function);

namespace assay::detail {

/// Everything that a call takes and gives, in memory, where movements are put and found. File belongs to one
/// translation unit: a widened copy knows the functions of its own.
template <class File, class F, class R, class... Stored>
struct WideEntry {
  F &function;
  R &result;
  std::tuple<Stored &...> values;

  /// No function of a program has this type: a derivative that calls through a pointer tries every function of the
  /// file that fits.
  using Run = void(WideEntry &entry, char, short, char, long double);
  [[gnu::noinline]] static void run(WideEntry &entry, char, short, char, long double) {
    entry.call(std::index_sequence_for<Stored...>());
  }
  void run_by(Run *code) { code(*this, 0, 0, 0, 0); }

  // Null where the compiler plugin wrote none.
  static Run *widened() { return reinterpret_cast<Run *>(__assay_widened(reinterpret_cast<void *>(&run))); }
  static Run *corrected() { return reinterpret_cast<Run *>(__assay_corrected(reinterpret_cast<void *>(&run))); }

private:
  template <std::size_t... I>
  [[gnu::always_inline]] void call(std::index_sequence<I...>) {
    if constexpr (is_differentiable_result<R>)
      result = function(std::get<I>(values)...);
    else
      (void)function(std::get<I>(values)...);
  }
};

/// Where the numbers of a value are, in the order in which it is flattened.
template <class T>
std::vector<testutils::NumberPlace> places_of(T &value) {
  std::vector<testutils::NumberPlace> places;
  if constexpr (is_differentiable<T>)
    for_each_number(value, [&]<class Number>(Number &number, const Path &) {
      constexpr bool is_extended = std::numeric_limits<Number>::digits == 64; // 80 bits, and then padding.
      places.push_back({&number, is_extended ? 10 : sizeof(Number)});
    });
  return places;
}

template <class... Models>
std::vector<std::vector<testutils::NumberPlace>> places_of_arguments(TypedCall<Models...> &call) {
  return std::apply(
      [](auto &...views) { return std::vector<std::vector<testutils::NumberPlace>>{places_of(views)...}; },
      call.views());
}

template <class R>
std::vector<testutils::NumberPlace> places_of_result(R &result) {
  if constexpr (is_differentiable_result<R>)
    return places_of(result);
  else
    return {};
}

} // namespace assay::detail
