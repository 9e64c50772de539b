#pragma once
// The functions in the table of a rule: each has the same plain signature for every rule, and is written once for all
// activities and widths.
//
//   forward, augmented, reverse(words, result, shadows of the result, tape, a value and a shadows pointer per argument)
//   applies(words)
//
// A value pointer leads to the argument; a shadows pointer to one shadow after the other, or, where the configuration
// says "in memory", to their addresses. The signature says which arguments are addresses themselves (function.hpp).

#include "assay/detail/rules/function.hpp"
#include "assay/detail/rules/object_image.hpp"
#include "assay/detail/rules/result_shape.hpp"
#include "assay/detail/rules/results.hpp"
#include <functional>

namespace assay::rules::detail {

// Whether a class has a member of that name, whatever its kind: a second one would make the name ambiguous.
struct HasForward {
  int forward;
};
struct HasAugmented {
  int augmented_primal;
};
struct HasReverse {
  int reverse;
};
struct HasApplies {
  int applies;
};
template <class Rule, class Name>
struct Both : Rule, Name {};
template <class Rule>
inline constexpr bool names_forward = !requires { &Both<Rule, HasForward>::forward; };
template <class Rule>
inline constexpr bool names_augmented = !requires { &Both<Rule, HasAugmented>::augmented_primal; };
template <class Rule>
inline constexpr bool names_reverse = !requires { &Both<Rule, HasReverse>::reverse; };
template <class Rule>
inline constexpr bool names_applies = !requires { &Both<Rule, HasApplies>::applies; };
/// The function is to the engine as one that is only declared, and the memory of its pointers does not
/// meet.
template <class Rule>
inline constexpr bool hides_body = requires { requires Rule::hides_body; };

template <class... P>
consteval bool writes_arguments(Parameters<P...> /*parameters*/) {
  return (is_mutable_parameter<P> || ...);
}

template <class>
using Slot = void *;

/// A rule's functions behind the engine's signature.
template <class Rule, auto F, class R, class List>
struct Entry;

template <class Rule, auto F, class R, class... P>
struct Entry<Rule, F, R, Parameters<P...>> {
  static constexpr bool writes_arguments = detail::writes_arguments(Parameters<P...>());
  static constexpr bool has_forward = names_forward<Rule>;
  static constexpr bool has_reverse = names_reverse<Rule>;
  using Indices = std::index_sequence_for<P...>;

  static R call(Argument<P>... arguments) { return std::invoke(F, static_cast<P &&>(arguments.value)...); }

  // ---- forward ----

  template <std::size_t... I>
  static void forward_at(const Config &config, const ResultPlace<R> &place, std::index_sequence<I...> /*indices*/,
                         const std::array<void *, sizeof...(P)> &values,
                         const std::array<void *, sizeof...(P)> &shadows, bool stores_value) {
    static_assert(
        requires { Rule::forward(config, Argument<P>(config, 0, nullptr, nullptr)...); },
        "assay: the rule's forward does not fit the function: it is called with the configuration and one "
        "argument for each parameter of the function");
    if constexpr (requires { Rule::forward(config, Argument<P>(config, 0, nullptr, nullptr)...); }) {
      using Returned = decltype(Rule::forward(config, Argument<P>(config, 0, nullptr, nullptr)...));
      if constexpr (std::is_same_v<Returned, Refused>) {
        return;
      } else if constexpr (std::is_void_v<R>) {
        static_assert(std::is_void_v<Returned>,
                      "assay: the function returns nothing, and so does the rule's forward: the tangent of what the "
                      "function writes goes to the shadows of its arguments");
        Rule::forward(config, Argument<P>(config, int(I), values[I], shadows[I])...);
      } else if constexpr (requires(Returned &returned) { returned.shadow; }) {
        static_assert(!returns_one_tangent<Returned> || !writes_arguments,
                      "assay: the rule's forward returns one tangent, so it runs once for each lane, and the function "
                      "writes to its arguments: return config.each_lane([&](int lane) { ... }) as the tangents");
        static_assert((!std::is_reference_v<decltype(Returned::value)> || std::is_reference_v<R>) &&
                          !std::is_reference_v<decltype(Returned::shadow)>,
                      "assay: the rule's forward returns Duplicated{y, dy} of variables, which are gone when it has "
                      "returned, and Duplicated refers to what has a name: write Duplicated{std::move(y), "
                      "std::move(dy)}");
        Returned returned = Rule::forward(config, Argument<P>(config, int(I), values[I], shadows[I])...);
        if (config.needs_shadow())
          place.set_shadows(std::move(returned.shadow));
        if (stores_value)
          place.set_value(std::move(returned.value));
      } else {
        constexpr bool has_no_tangent = std::is_integral_v<R> || std::is_enum_v<R>;
        static_assert(has_no_tangent, "assay: the rule's forward returns Duplicated{value, tangent}, or "
                                      "Duplicated{value, config.each_lane([&](int lane) { ... })}");
        if constexpr (has_no_tangent)
          place.set_value(Rule::forward(config, Argument<P>(config, int(I), values[I], shadows[I])...));
      }
    }
  }

  template <std::size_t... I>
  static consteval bool forward_is_for_one_lane() {
    if constexpr (requires(const Config &config) { Rule::forward(config, std::declval<Argument<P>>()...); })
      return returns_one_tangent<decltype(Rule::forward(std::declval<const Config &>(),
                                                        std::declval<Argument<P>>()...))>;
    return false;
  }

  static void forward(const std::uint32_t *words, void *result, void *result_shadows, void * /*tape*/,
                      Slot<P>... values, Slot<P>... shadows) {
    const Config config(words);
    if constexpr (forward_is_for_one_lane()) {
      for (const int lane : config.lanes()) {
        const Config one(config, lane);
        forward_at(one, ResultPlace<R>(one, result, result_shadows), Indices(), {values...}, {shadows...}, lane == 0);
      }
    } else {
      forward_at(config, ResultPlace<R>(config, result, result_shadows), Indices(), {values...}, {shadows...}, true);
    }
  }

  // ---- reverse ----

  template <std::size_t... I>
  static auto augmented_at(const Config &config, std::index_sequence<I...> /*indices*/,
                           const std::array<void *, sizeof...(P)> &values,
                           const std::array<void *, sizeof...(P)> &shadows) {
    if constexpr (!names_augmented<Rule> && std::is_void_v<R>) {
      call(Argument<P>(config, int(I), values[I], shadows[I])...);
      return AugmentedReturn<>{};
    } else if constexpr (!names_augmented<Rule>) {
      return AugmentedReturn<std::remove_cv_t<R>>{call(Argument<P>(config, int(I), values[I], shadows[I])...)};
    } else {
      constexpr bool fits = requires { Rule::augmented_primal(config, Argument<P>(config, 0, nullptr, nullptr)...); };
      static_assert(fits, "assay: the rule's augmented_primal does not fit the function: it is called with the "
                          "configuration and one argument for each parameter of the function");
      if constexpr (fits) {
        using Returned = decltype(Rule::augmented_primal(config, Argument<P>(config, 0, nullptr, nullptr)...));
        static_assert(is_augmented_return<Returned>,
                      "assay: the rule's augmented_primal returns AugmentedReturn{primal, shadow, tape}");
        if constexpr (is_augmented_return<Returned>)
          return Rule::augmented_primal(config, Argument<P>(config, int(I), values[I], shadows[I])...);
        else
          return AugmentedReturn<Refused>{};
      } else {
        return AugmentedReturn<Refused>{};
      }
    }
  }
  using Augmented = decltype(augmented_at(std::declval<const Config &>(), Indices(), {}, {}));
  using Tape = std::remove_cv_t<decltype(Augmented::tape)>;
  /// The object that a parameter is, refers to, or points to.
  template <class Q>
  using ObjectOf = std::conditional_t<std::is_pointer_v<Q>, std::remove_cv_t<std::remove_pointer_t<Q>>,
                                      std::conditional_t<is_wire_pointer<Q>, std::remove_cvref_t<Q>, void>>;
  template <class Q>
  static constexpr bool has_image = leads_to_numbers<ObjectOf<Q>>();
  static constexpr bool has_result_image = leads_to_numbers<std::remove_cv_t<R>>();
  static constexpr bool has_images = has_result_image || (has_image<P> || ...);
  static constexpr bool leads_to_others =
      detail::leads_to_others<std::remove_cv_t<R>>() || (detail::leads_to_others<ObjectOf<P>>() || ...);
  using KeptWithImages = std::conditional_t<has_images, TapeWithImages<Tape>, Tape>;
  static constexpr bool keeps_shape = has_shape_in_registers<std::remove_cv_t<R>>();
  using Kept = std::conditional_t<keeps_shape, TapeWithShape<KeptWithImages, std::remove_cv_t<R>>, KeptWithImages>;
  static constexpr bool has_tape = !std::is_same_v<Kept, None>;

  /// The part of a tape beside the shape.
  static const KeptWithImages &without_shape(const Kept &kept) {
    if constexpr (keeps_shape)
      return kept.kept;
    else
      return kept;
  }

  /// The call's shadows of which reverse may need an image.
  struct ShadowObjects {
    const Config &config;
    std::array<void *, sizeof...(P)> values, shadows;
    void *result_shadows;

    void of_result(const auto &visit) const {
      if constexpr (has_result_image)
        if (config.result_in_memory() && config.needs_shadow() && config.result() != Activity::constant)
          for (const int lane : config.lanes())
            visit(Seed<R>(config, result_shadows)(lane));
    }
    template <int I, class Q>
    void of_argument(const auto &visit) const {
      if constexpr (has_image<Q>)
        if (const Argument<Q> argument(config, I, values[I], shadows[I]); config.overwritten(I) && argument.is_active())
          for (const int lane : config.lanes()) {
            if constexpr (!std::is_pointer_v<Q>)
              visit(argument.shadow(lane));
            else if (argument.shadow(lane) != nullptr)
              visit(*argument.shadow(lane));
          }
    }
    template <std::size_t... I>
    void each(const auto &visit, std::index_sequence<I...> /*indices*/) const {
      (of_argument<int(I), P>(visit), ...);
      of_result(visit);
    }
    /// An object that is there twice is visited once.
    void each(const auto &visit) const {
      std::array<const void *, sizeof...(P) * most_lanes + most_lanes> seen;
      std::size_t count = 0;
      const auto visit_once = [&](auto &object) {
        const auto end = seen.begin() + std::ptrdiff_t(count);
        if (std::find(seen.begin(), end, &object) != end)
          return;
        seen[count++] = &object;
        visit(object);
      };
      each(visit_once, Indices());
    }

    auto images() const {
      std::unique_ptr<std::byte[]> images; // NOLINT(modernize-avoid-c-arrays): as TapeWithImages has them
      std::size_t size = 0;
      each([&](auto &object) { size += image_size(object); });
      if (size == 0)
        return images;
      images = std::make_unique_for_overwrite<std::byte[]>(size); // NOLINT(modernize-avoid-c-arrays)
      std::byte *image = images.get();
      each([&](auto &object) { image = keep_image(object, image); });
      return images;
    }
    void enter(std::byte *images) const {
      each([&](auto &object) { images = enter_image(object, images); });
    }
    void leave(std::byte *images) const {
      each([&](auto &object) { images = leave_image(object, images); });
    }
  };

  static void augmented(const std::uint32_t *words, void *result, void *result_shadows, void *tape, Slot<P>... values,
                        Slot<P>... shadows) {
    const Config config(words);
    Augmented returned = augmented_at(config, Indices(), {values...}, {shadows...});
    using ShapeOfResult = std::conditional_t<keeps_shape, Shape<std::remove_cv_t<R>>, None>;
    [[maybe_unused]] ShapeOfResult shape;
    if constexpr (keeps_shape)
      if constexpr (std::is_convertible_v<const decltype(Augmented::primal) &, R>)
        shape = ShapeOfResult(returned.primal);
    if constexpr (!std::is_void_v<R> && !std::is_same_v<decltype(Augmented::primal), Refused>) {
      const ResultPlace<R> place(config, result, result_shadows);
      using Shadow = decltype(Augmented::shadow);
      static_assert(!std::is_same_v<decltype(Augmented::primal), None>,
                    "assay: the function returns a value, and the rule's augmented_primal does not: give it as the "
                    "primal of AugmentedReturn");
      static_assert(!std::is_pointer_v<R> || !std::is_same_v<Shadow, None>,
                    "assay: the function returns an address, so the rule's augmented_primal returns that of the shadow "
                    "as well: AugmentedReturn{primal, shadow, tape}");
      if constexpr (!std::is_same_v<Shadow, None>) {
        if (config.needs_shadow())
          place.set_shadows(std::move(returned.shadow));
      } else if constexpr (std::is_class_v<R>) {
        if (config.needs_shadow())
          for (const int lane : config.lanes())
            place.set_shadow(lane, make_zero(returned.primal));
      }
      if constexpr (!std::is_same_v<decltype(Augmented::primal), None>)
        place.set_value(std::move(returned.primal));
    }
    const auto with_images = [&] {
      if constexpr (has_images)
        return KeptWithImages{std::move(returned.tape),
                              ShadowObjects{config, {values...}, {shadows...}, result_shadows}.images()};
      else
        return KeptWithImages(std::move(returned.tape));
    };
    if constexpr (keeps_shape)
      keep_tape<Kept>(tape, Kept{with_images(), shape});
    else if constexpr (has_tape)
      keep_tape<Kept>(tape, with_images());
  }

  template <class G, class Returned>
  static void add_gradient(const Argument<G> &argument, const Returned &returned) {
    using Derivative = typename DerivativeOf<Returned>::type;
    constexpr bool fits = ReturnedDerivative<std::remove_cvref_t<G>, Derivative>;
    static_assert(fits,
                  "assay: the rule's reverse returns None for what is no number, and no object that Active takes, "
                  "and adds to its shadow");
    if constexpr (fits)
      add_derivative(argument, 0, static_cast<const Derivative &>(returned));
  }
  /// The derivative of the only parameter, without a tuple around it.
  template <class Returned>
  static constexpr bool is_only_derivative =
      sizeof...(P) == 1 && (ReturnedDerivative<std::remove_cvref_t<P>, typename DerivativeOf<Returned>::type> && ...);

  template <std::size_t... I>
  static void reverse_at(const Config &config, const Seed<R> &seed, const Tape &tape,
                         std::index_sequence<I...> /*indices*/, const std::array<void *, sizeof...(P)> &values,
                         const std::array<void *, sizeof...(P)> &shadows) {
    constexpr bool fits = requires { Rule::reverse(config, seed, tape, Argument<P>(config, 0, nullptr, nullptr)...); };
    static_assert(fits, "assay: the rule's reverse does not fit the function: it is called with the configuration, the "
                        "adjoint of the result, the tape and one argument for each parameter of the function");
    if constexpr (fits) {
      using Returned = decltype(Rule::reverse(config, seed, tape, Argument<P>(config, 0, nullptr, nullptr)...));
      if constexpr (std::is_void_v<Returned>) {
        Rule::reverse(config, seed, tape, Argument<P>(config, int(I), values[I], shadows[I])...);
      } else if constexpr (is_only_derivative<Returned>) {
        const auto gradient = Rule::reverse(config, seed, tape, Argument<P>(config, int(I), values[I], shadows[I])...);
        (add_gradient(Argument<P>(config, int(I), values[I], shadows[I]), gradient), ...);
      } else {
        constexpr bool has_gradients = number_of_elements<Returned> == int(sizeof...(P));
        static_assert(has_gradients, "assay: the rule's reverse returns a std::tuple with one derivative for each "
                                     "parameter, None where there is none");
        if constexpr (has_gradients) {
          const auto gradients =
              Rule::reverse(config, seed, tape, Argument<P>(config, int(I), values[I], shadows[I])...);
          (add_gradient(Argument<P>(config, int(I), values[I], shadows[I]), std::get<I>(gradients)), ...);
        }
      }
    }
  }

  static consteval bool reverse_is_for_one_lane() {
    if constexpr (requires(const Config &config, const Seed<R> &seed, const Tape &tape) {
                    Rule::reverse(config, seed, tape, std::declval<Argument<P>>()...);
                  })
      return !std::is_void_v<decltype(Rule::reverse(std::declval<const Config &>(), std::declval<const Seed<R> &>(),
                                                    std::declval<const Tape &>(), std::declval<Argument<P>>()...))>;
    return false;
  }

  static void reverse(const std::uint32_t *words, void * /*result*/, void *seeds, void *tape, Slot<P>... values,
                      Slot<P>... shadows) {
    const Config config(words);
    const None nothing;
    const Tape *kept = nullptr;
    std::byte *images = nullptr;
    if constexpr (has_images) {
      kept = &without_shape(kept_tape<Kept>(tape)).tape;
      images = without_shape(kept_tape<Kept>(tape)).images.get();
    } else if constexpr (has_tape) {
      kept = &without_shape(kept_tape<Kept>(tape));
    } else {
      kept = &nothing;
    }
    if constexpr (keeps_shape)
      if (!config.result_in_memory() && config.result() != Activity::constant)
        for (const int lane : config.lanes())
          take_shape(Seed<R>(config, seeds)(lane), kept_tape<Kept>(tape).shape);
    const ShadowObjects objects{config, {values...}, {shadows...}, seeds};
    if (images)
      objects.enter(images);
    if constexpr (reverse_is_for_one_lane()) {
      for (const int lane : config.lanes()) {
        const Config one(config, lane);
        reverse_at(one, Seed<R>(one, seeds), *kept, Indices(), {values...}, {shadows...});
      }
    } else {
      reverse_at(config, Seed<R>(config, seeds), *kept, Indices(), {values...}, {shadows...});
    }
    if constexpr (std::is_class_v<R>)
      if (config.result_in_memory() && config.result() != Activity::constant)
        for (const int lane : config.lanes()) // the numbers that the call wrote had no derivative before it
          set_zero(Seed<R>(config, seeds)(lane));
    if (images)
      objects.leave(images);
    if constexpr (has_tape)
      if (config.releases_tape())
        release_tape<Kept>(tape);
  }

  // ---- questions of the engine ----

  static bool applies(const std::uint32_t *words) {
    const Config config(words);
    constexpr bool fits = requires {
      { Rule::applies(config) } -> std::convertible_to<bool>;
    };
    static_assert(fits, "assay: the rule's applies does not fit: it is static bool applies(const auto &config), called "
                        "with the configuration alone");
    if constexpr (fits)
      return Rule::applies(config);
    else
      return false;
  }

  /// Never called: its result type tells the members of a tape.
  struct TapeType {
    TapeWire<Kept> tape;
    std::array<char, 64> in_memory;
  };
  static TapeType tape_type() { __builtin_unreachable(); }
  static void release(void *tape, std::uint64_t /*nothing*/) { delete static_cast<Kept *>(tape); }
};

} // namespace assay::rules::detail
