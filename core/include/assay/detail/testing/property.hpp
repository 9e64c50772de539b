#pragma once
// Gradient tests as properties: random inputs from generators, both modes, every combination; a failing input is
// shrunk.

#include <assay/testing.hpp>

namespace assay::detail {

/// A callable that is found at compile time: the provider is a lambda without captures that returns it.
template <class Provider, class Callable = std::decay_t<decltype(Provider{}())>>
struct Provided {
  template <class... A>
  [[gnu::always_inline]] decltype(auto) operator()(A &&...arguments) const {
    return Provider{}()(std::forward<A>(arguments)...);
  }
};
template <class Provider, class R, class... P>
struct Provided<Provider, R (*)(P...)> {
  [[gnu::always_inline]] R operator()(P... arguments) const { return Provider{}()(std::forward<P>(arguments)...); }
};
template <class Provider, class R, class... P>
struct Provided<Provider, R (*)(P...) noexcept> : Provided<Provider, R (*)(P...)> {};

/// Both modes at one input. Undecided combinations count as not failing.
template <class File, class RA, class B, class V, class O, class Second, class F, class... A>
testutils::Report check_both_modes(const TestOptions<RA, B, V, O, Second> &options,
                                   const testutils::CheckOptions &check, const F &function, const A &...arguments) {
  using S = Setting<File, F, A...>;
  using Forward = typename S::ByPosition::template All<testutils::Mode::forward>;
  using Reverse = typename S::ByPosition::template All<testutils::Mode::reverse>;
  using Variations =
      typename JoinMenus<typename S::ByPosition::template Variations<testutils::Mode::forward, V, Forward>,
                         typename S::ByPosition::template Variations<testutils::Mode::reverse, V, Reverse>>::type;
  return check_menu<S, typename JoinMenus<Forward, Reverse>::type, Variations>(options, check, function, arguments...);
}

inline unsigned sample_count(const std::optional<unsigned> &asked) {
  const std::optional<std::uint64_t> from_environment = number_from_environment("ASSAY_SAMPLES");
  return asked ? *asked : static_cast<unsigned>(from_environment.value_or(10));
}

/// Draws inputs until one fails or all samples are through; reports the simplest input that fails, or the last one.
template <class File, class RA, class B, class V, class O, class Second, class F, class... T>
testutils::Report check_property(const TestOptions<RA, B, V, O, Second> &options, const F &function,
                                 const rc::Gen<T> &...generators) {
  testutils::CheckOptions check = check_options(options);
  check.shrink_steps = 0; // The generators shrink.
  check.find_neighbours = false;
  check.seconds /= std::max(1U, sample_count(options.samples));
  check.tolerance.unfitting = testutils::Tolerance::Unfitting::ignored;
  const auto run = [&](const std::tuple<T...> &inputs) {
    return std::apply(
        [&](const T &...arguments) {
          return with_bound([&](const auto &all_options, const auto &f,
                                const auto &...all) { return check_both_modes<File>(all_options, check, f, all...); },
                            options, function, arguments...);
        },
        inputs);
  };
  testutils::Report report;
  for (unsigned sample = 0; sample < sample_count(options.samples); ++sample) {
    gen::Stream stream(
        {.seed = check.seed, .suite = check.suite, .name = check.name, .purpose = "input", .index = sample});
    const auto drawn = gen::draw(gen::tuple(generators...), stream);
    report = run(drawn.value());
    if (report.ok())
      continue;
    const auto minimal =
        gen::shrink_to_minimal(drawn, [&](const std::tuple<T...> &simpler) { return !run(simpler).ok(); }, 200);
    check.find_neighbours = true;
    report = run(minimal.value);
    for (testutils::Record &record : report.records) {
      record.sample = sample;
      record.shrinks = static_cast<unsigned>(minimal.shrinks);
    }
    break;
  }
  return report;
}

template <class File, class RA, class B, class V, class O, class Second, class Provider, class... G>
testutils::Report check_provided(TestOptions<RA, B, V, O, Second> options, const char *text, Provider,
                                 const G &...generators) {
  if (options.name.empty())
    options.name = text;
  return check_property<File>(options, Provided<Provider>{}, generators...);
}

} // namespace assay::detail

/// A GoogleTest `Name.Gradients`: derivatives of `function` in both modes and all activity combinations, at random
/// inputs from one generator for each argument.
#define ASSAY_GRADIENT_TEST(Name, function, ...)                                                                       \
  ASSAY_GRADIENT_TEST_WITH(Name, ::assay::TestOptions<>{}, function __VA_OPT__(, ) __VA_ARGS__)

/// The same with TestOptions.
#define ASSAY_GRADIENT_TEST_WITH(Name, options, function, ...)                                                         \
  TEST(Name, Gradients) {                                                                                              \
    ::assay::detail::tell_googletest(::assay::detail::check_provided<::assay::detail::ThisFile>(                       \
        options, #function, [] { return function; } __VA_OPT__(, ) __VA_ARGS__));                                      \
  }

/// For tests of tests: the report has a combination with this verdict (an enumerator of assay::testutils::Verdict).
#define EXPECT_GRADIENT_FAILURE(report, expected_verdict)                                                              \
  EXPECT_TRUE(::assay::detail::has_verdict(report, ::assay::testutils::Verdict::expected_verdict))                     \
      << "no combination has the verdict " #expected_verdict

namespace assay::detail {
inline bool has_verdict(const testutils::Report &report, testutils::Verdict verdict) {
  return std::any_of(report.records.begin(), report.records.end(),
                     [=](const testutils::Record &record) { return record.verdict == verdict; });
}
} // namespace assay::detail
