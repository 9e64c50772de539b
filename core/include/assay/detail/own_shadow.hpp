#pragma once
// Shadows that a function of the interface makes itself: of zeros, of the type that an annotation wants, with the
// places of their numbers.

#include "assay/detail/differentiate.hpp"
#include "assay/to_vec.hpp"

#include <array>
#include <utility>
#include <vector>

namespace assay {

/// How many lanes a function of the interface computes at once.
template <unsigned N>
struct Chunk {
  static constexpr bool has_lanes = N > 0 && N <= 1024;
  static_assert(has_lanes, "assay: a Chunk has at least one lane, and at most 1024");
  static constexpr unsigned lanes = has_lanes ? N : 1;
};

/// How many numbers the result of a function has.
template <std::size_t N>
struct Outputs {
  static constexpr std::size_t count = N;
};

} // namespace assay

namespace assay::detail {

template <class>
inline constexpr bool is_chunk = false;
template <unsigned N>
inline constexpr bool is_chunk<Chunk<N>> = true;
/// The lanes of a Chunk; one where another parameter has been refused.
template <class C>
inline constexpr unsigned lanes_of_chunk = 1;
template <unsigned N>
inline constexpr unsigned lanes_of_chunk<Chunk<N>> = Chunk<N>::lanes;
template <class>
inline constexpr bool is_outputs = false;
template <std::size_t N>
inline constexpr bool is_outputs<Outputs<N>> = true;

template <class T>
inline constexpr bool is_pointer_to_numbers =
    std::is_pointer_v<T> && !Traversable<T> && HasNumbers<std::remove_cv_t<std::remove_pointer_t<T>>>;

/// The readable errors for an argument whose numbers have to be found.
template <class T>
consteval bool shows_its_numbers() {
  using X = std::remove_cvref_t<T>;
  static_assert(!is_pointer_to_numbers<X>,
                "assay: a pointer does not say to how many numbers: give the function a std::span, or an array");
  static_assert(is_pointer_to_numbers<X> || Traversable<X>,
                "assay: what is in this type cannot be seen. For a class, give a function assay_fields(x) beside it "
                "that returns std::tie of its members, or say with is_inert that nothing is in it");
  return Traversable<X>;
}
template <class T>
consteval bool has_numbers_to_vary() {
  constexpr bool seen = shows_its_numbers<T>();
  static_assert(!seen || HasNumbers<std::remove_cvref_t<T>>,
                "assay: there is nothing to differentiate in an argument: capture it in a lambda");
  return seen && HasNumbers<std::remove_cvref_t<T>>;
}

/// A shadow as the annotation of an `X` takes it: of a C array a std::array will do.
template <class X, class Shadow>
[[gnu::always_inline]] inline auto &shadow_for(Shadow &shadow) {
  using Value = typename ArrayValue<X>::type;
  if constexpr (std::is_array_v<X> && std::same_as<std::remove_const_t<Shadow>, Value>)
    return reinterpret_cast<std::conditional_t<std::is_const_v<Shadow>, const X, X> &>(shadow);
  else
    return shadow;
}

/// A shadow of zeros of a T, and the memory that it refers to.
template <class T>
class OwnShadow {
public:
  using Zero = decltype(make_zero(std::declval<const T &>()));
  static constexpr bool refers = is_span<T> || View<T>;
  using View = std::conditional_t<refers, without_const<T>, None>;

  explicit OwnShadow(const T &x) : zero(make_zero(x)), view(viewed(x, zero)) {}
  OwnShadow(const OwnShadow &) = delete;
  OwnShadow &operator=(const OwnShadow &) = delete;

  /// The arguments of an annotation.
  auto &get() {
    if constexpr (refers)
      return view;
    else if constexpr (std::is_array_v<T>)
      return as_c_array<T>(value_of(zero));
    else
      return value_of(zero);
  }
  /// The memory, which a caller can keep: a vector for a span, a std::array for a C array, a matrix for a map.
  Zero &owner() { return zero; }

private:
  static View viewed(const T &x, Zero &zero) {
    if constexpr (is_span<T>)
      return View(zero.data(), zero.size());
    else if constexpr (refers)
      return Traversal<T>::refer(zero, x);
    else
      return {};
  }
  Zero zero;
  View view;
};

template <class X>
using OwnShadowOf = OwnShadow<std::remove_cvref_t<X>>;

/// N shadows of one value.
template <class X, unsigned N>
class OwnShadows {
public:
  explicit OwnShadows(const X &x) : OwnShadows(x, std::make_index_sequence<N>()) {}

  auto &get(std::size_t lane) { return shadows[lane].get(); }
  auto &owner(std::size_t lane) { return shadows[lane].owner(); }
  void clear() {
    for (auto &shadow : shadows)
      set_zero(shadow.get());
  }

  /// The annotation of `x` with these shadows: Duplicated for one, BatchDuplicated for several.
  template <class T>
  [[gnu::always_inline]] auto annotate(T &x) {
    using Shadow = std::remove_reference_t<decltype(shadows[0].get())>;
    if constexpr (N == 1)
      return Duplicated<T &, Shadow &>{x, shadows[0].get()};
    else
      return [&]<std::size_t... L>(std::index_sequence<L...>) {
        return BatchDuplicated<T &, std::array<std::reference_wrapper<Shadow>, N>>{
            x, {std::reference_wrapper<Shadow>(shadows[L].get())...}};
      }(std::make_index_sequence<N>());
  }

private:
  template <std::size_t... L>
  OwnShadows(const X &x, std::index_sequence<L...> /*lanes*/) : shadows{((void)L, OwnShadow<X>(x))...} {}
  std::array<OwnShadow<X>, N> shadows;
};

struct NumberPlace {
  void *address;
  std::size_t bytes;
};

// Addresses of numbers anywhere in an object, kept in one vector, make its parts look like one kind of memory; callers
// are not to learn the types of theirs from these functions.

template <class T>
[[gnu::noinline, clang::annotate("assay.gathers_numbers")]] void note_places(T &x, std::vector<NumberPlace> &places) {
  for_each_number(x, [&]<class Number>(Number &number, const Path &) {
    static_assert(std::same_as<Number, float> || std::same_as<Number, double> || std::same_as<Number, long double>,
                  "assay: directions are made of float, double and long double");
    places.push_back({&number, sizeof(Number)});
  });
}

template <std::floating_point Value>
[[gnu::noinline, clang::annotate("assay.gathers_numbers")]] void set_number(const NumberPlace &place, Value value) {
  if (place.bytes == sizeof(double))
    *static_cast<double *>(place.address) = static_cast<double>(value);
  else if (place.bytes == sizeof(float))
    *static_cast<float *>(place.address) = static_cast<float>(value);
  else
    *static_cast<long double *>(place.address) = value;
}

/// The places of the numbers of a value, in the order of the traversal.
class NumberPlaces {
public:
  template <class T>
  explicit NumberPlaces(T &x) {
    note_places(x, places_);
  }

  std::size_t size() const { return places_.size(); }
  template <std::floating_point Value>
  void set(std::size_t index, Value value) const {
    set_number(places_[index], value);
  }

private:
  std::vector<NumberPlace> places_;
};

/// Runs through the numbers of a value, N at a time: after next() there is a one at number first() + lane of each
/// lane's shadow, and zeros elsewhere. (No function that is given one: in code that is not optimised the engine would
/// not see which function is differentiated.)
template <class X, unsigned N>
class Directions {
public:
  explicit Directions(OwnShadows<X, N> &shadows) {
    for (unsigned lane = 0; lane != N; ++lane)
      places_.emplace_back(shadows.get(lane));
  }

  bool next() {
    if (started_) {
      set(0);
      first_ += N;
    }
    started_ = true;
    set(1);
    return first_ < count();
  }
  std::size_t count() const { return places_[0].size(); }
  std::size_t first() const { return first_; }
  /// How many lanes have a direction.
  unsigned lanes() const { return first_ + N <= count() ? N : static_cast<unsigned>(count() - first_); }

private:
  void set(double value) {
    for (unsigned lane = 0; lane != N && first_ + lane < count(); ++lane)
      places_[lane].set(first_ + lane, value);
  }
  std::vector<NumberPlaces> places_;
  std::size_t first_ = 0;
  bool started_ = false;
};

/// The annotation of argument I where argument `Varied` is the one that is differentiated.
template <std::size_t I, std::size_t Varied, class Shadows, class T>
[[gnu::always_inline]] inline auto annotate_varied(Shadows &shadows, T &value) {
  if constexpr (I == Varied)
    return shadows.annotate(value);
  else
    return Const<T &>{value};
}

/// differentiate() with annotations that it need not give back.
template <class M, ReturnActivity Named, class F, class... Annotations>
[[gnu::always_inline]] inline auto differentiate_values(F &function, Annotations... annotations) {
  return differentiate<M, Named>(function, annotations...);
}
template <class M, class F, class S, class... Annotations>
[[gnu::always_inline]] inline auto differentiate_values_seeded(F &function, const S &seed, Annotations... annotations) {
  return differentiate_seeded<M, ReturnActivity::deduced>(function, seed, annotations...);
}

/// The value of a lane: of an array with one for each, or the only one.
template <unsigned N, class T>
auto &lane_of(T &values, std::size_t lane) {
  if constexpr (N == 1)
    return values;
  else
    return values[lane];
}

} // namespace assay::detail
