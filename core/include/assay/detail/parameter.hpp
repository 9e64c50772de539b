#pragma once
// How one annotated argument travels through a call of the C convention.
//
// A scalar or a pointer is passed by value. Everything else, and a scalar that is an accumulator in reverse mode or may
// be written in forward mode (a variable), is
// passed as pointer to the object, with a pointer to the shadow object: the shadow of a vector is a vector, so that the
// shadow of its data pointer is found at the same place. An active array or struct gets a local shadow for each lane,
// which is returned as its adjoint.

#include "assay/activity.hpp"
#include "assay/detail/containers.hpp"
#include "assay/detail/convention.hpp"
#include "assay/detail/number_memory.hpp"
#include "assay/detail/same_shape.hpp"
#include "assay/make_zero.hpp"
#include "assay/modes.hpp"
#include <memory>

namespace assay::detail {

enum class Marker { constant, active, duplicated, duplicated_no_need };

template <Marker M>
[[gnu::always_inline]] inline int marker_value() {
  if constexpr (M == Marker::constant)
    return convention::constant;
  else if constexpr (M == Marker::active)
    return convention::active;
  else if constexpr (M == Marker::duplicated)
    return convention::duplicated;
  else
    return convention::duplicated_no_need;
}

/// The types that a C function receives in registers.
template <class T>
concept PassedByValue = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>;

template <class A>
consteval Marker marker_of() {
  if (is_const_annotation<A>)
    return Marker::constant;
  if (is_active_annotation<A>)
    return std::floating_point<annotated_type<A>> ? Marker::active : Marker::duplicated;
  return is_no_need_annotation<A> ? Marker::duplicated_no_need : Marker::duplicated;
}

/// Which lanes a call has. Without batch there is one, and results come by themselves rather than in arrays.
struct Batch {
  unsigned width = 0; ///< 0 without batch.
  constexpr unsigned lanes() const { return width == 0 ? 1 : width; }
  constexpr bool is_batch() const { return width != 0; }
};

/// T, or in a batched call one T for each lane.
template <class T, Batch B>
struct InLanesOf {
  using type = std::array<T, B.lanes()>;
};
template <class T, Batch B>
  requires(!B.is_batch())
struct InLanesOf<T, B> {
  using type = T;
};
template <class T, Batch B>
using in_lanes = typename InLanesOf<T, B>::type;

/// The batch that the annotations of a call agree on, with the readable errors where they do not.
template <class... A>
consteval Batch batch_of() {
  constexpr unsigned widest = [] {
    unsigned widest = 0;
    ((widest = count_lanes<A>() > widest ? count_lanes<A>() : widest), ...);
    return widest;
  }();
  static_assert(((!is_batch_annotation<A> || count_lanes<A>() > 0) && ...),
                "assay: the shadows of BatchDuplicated are a std::array or a std::tuple: BatchDuplicated{x, "
                "std::array{dx1, dx2}} or BatchDuplicated{x, std::tie(dx1, dx2)}");
  static_assert(((count_lanes<A>() == 0 || count_lanes<A>() == widest) && ...),
                "assay: the batched arguments of one call must all have the same number of shadows");
  static_assert(widest == 0 || ((!is_duplicated_annotation<A> || is_batch_annotation<A>) && ...),
                "assay: Duplicated and BatchDuplicated do not mix: in a batched call every argument with a shadow is "
                "BatchDuplicated, with one shadow for each lane");
  return {widest};
}

/// Numbers that lie in the object itself, so that their adjoint can be returned: an array, a complex number, a struct,
/// a matrix of fixed size.
template <class T>
concept ObjectOfNumbers = !std::floating_point<T> && HasNumbers<T> && lies_in_itself<T>();

template <class Shadow>
inline constexpr bool is_assignable_variable =
    std::is_lvalue_reference_v<Shadow> && !std::is_const_v<std::remove_reference_t<Shadow>>;

/// The type of a lane's shadow as it was given: a reference where it is the caller's variable.
template <class A>
struct GivenShadow {
  using type = decltype(A::shadow);
};
template <class A>
  requires is_batch_annotation<A>
struct GivenShadow<A> {
  using type = decltype(shadow_in_lane<0>(std::declval<A &>()));
};

/// The function may write to the value, and so to its tangent.
template <class A>
consteval bool is_variable_with_shadow() {
  if constexpr (is_duplicated_annotation<A>)
    return is_assignable_variable<decltype(A::value)> &&
           !std::is_const_v<std::remove_reference_t<typename GivenShadow<A>::type>>;
  return false;
}

template <class A>
consteval bool shadows_have_the_type_of_the_value() {
  using T = annotated_type<A>;
  if constexpr (is_batch_annotation<A>)
    return []<std::size_t... L>(std::index_sequence<L...>) {
      return (std::same_as<without_const<T>, without_const<decltype(shadow_in_lane<L>(std::declval<A &>()))>> && ...);
    }(std::make_index_sequence<count_lanes<A>()>());
  else
    return std::same_as<without_const<T>, without_const<decltype(A::shadow)>>;
}

/// Whether the shadow of a lane can only be read.
template <class A>
consteval bool has_constant_shadow() {
  if constexpr (is_batch_annotation<A>)
    return []<std::size_t... L>(std::index_sequence<L...>) {
      return (std::is_const_v<std::remove_reference_t<decltype(shadow_in_lane<L>(std::declval<A &>()))>> || ...);
    }(std::make_index_sequence<count_lanes<A>()>());
  else
    return std::is_const_v<std::remove_reference_t<decltype(A::shadow)>>;
}

template <class T>
inline constexpr bool is_function = std::is_function_v<std::remove_pointer_t<T>>;

/// An adjoint of this type can be returned.
template <class T>
inline constexpr bool returns_by_value = std::floating_point<T> || ObjectOfNumbers<T>;

/// The readable errors for a type whose values an Active argument has.
template <class T>
consteval bool can_be_active() {
  constexpr bool has_numbers = std::floating_point<T> || HasNumbers<T> || !Traversable<T>;
  static_assert(has_numbers, "assay: there is nothing to differentiate in this Active argument; use Const{x}");
  constexpr bool has_all_in_itself = !has_numbers || returns_by_value<T>;
  static_assert(has_all_in_itself,
                "assay: Active is for a floating-point scalar, a complex number, or an array, tuple, plain struct or "
                "matrix of fixed size (Eigen's with #include <assay/eigen.hpp>) of them; use Duplicated{x, dx} for "
                "anything that refers to memory (vector, span, pointer)");
  return has_numbers && has_all_in_itself;
}

/// The readable errors for one argument.
template <class A, class M>
consteval bool valid_argument() {
  using T = annotated_type<A>;
  if constexpr (is_active_annotation<A>) {
    static_assert(!is_forward<M>,
                  "assay: Active is for reverse mode; in forward mode use Duplicated{x, dx} with dx the tangent");
    if constexpr (!is_forward<M>)
      (void)can_be_active<T>();
  }
  if constexpr (is_duplicated_annotation<A>) {
    using S = typename GivenShadow<A>::type;
    static_assert(shadows_have_the_type_of_the_value<A>(),
                  "assay: the shadow of a Duplicated argument must have the same type as its value");
    static_assert(!std::integral<T> && !std::is_enum_v<T>, "assay: an integer has no derivative; use Const{n}");
    static_assert(!is_function<T>, "assay: a function has no derivative of its own; use Const{f}");
    if constexpr (!is_forward<M> && std::floating_point<T>)
      static_assert(is_batch_annotation<A> ? !has_constant_shadow<A>() : is_assignable_variable<S>,
                    "assay: in reverse mode the shadow of a scalar is an accumulator: give a variable that can be "
                    "added into, or use "
                    "Active{x}");
    if constexpr (annotation_kind<A> == AnnotationKind::mixed) {
      static_assert(HasNumbers<T> || !Traversable<T>, "assay: MixedDuplicated is for a struct with numbers in it");
      static_assert(is_forward<M> || is_assignable_variable<S>,
                    "assay: in reverse mode the shadow of MixedDuplicated is a variable, which its adjoint is added "
                    "into");
    }
    if constexpr (!is_forward<M> && (is_std_array<T> || is_vector<T>))
      static_assert(!has_constant_shadow<A>(), "assay: in reverse mode the shadow is added into and must not be const");
    if constexpr (!is_forward<M> && std::is_pointer_v<T>)
      static_assert(!std::is_const_v<std::remove_pointer_t<std::remove_cvref_t<S>>>,
                    "assay: in reverse mode the shadow is added into and must not be const");
  }
  return true;
}

struct NoShadow {};

/// How the value of an argument travels through a call, whatever its annotation.
template <class T, class ObjectType, bool ByValue>
struct Passing {
  using Object = ObjectType;
  using Wire = std::conditional_t<ByValue, T, Object *>;

  /// The object, inside the function that the engine differentiates.
  [[gnu::always_inline]] static Object &restore(Wire &wire) {
    if constexpr (ByValue)
      return wire;
    else
      return *wire;
  }
};

template <class AnnotationReference, class M, Batch B = Batch{}>
class Parameter {
public:
  using A = std::remove_cvref_t<AnnotationReference>;
  using T = annotated_type<A>;
  /// The object as the function sees it: const when the caller's is.
  using Object =
      std::remove_reference_t<decltype((std::declval<std::remove_reference_t<AnnotationReference> &>().value))>;

  static constexpr unsigned lanes = B.lanes();
  static constexpr Marker marker = marker_of<A>();
  static constexpr bool accumulates_in_place =
      is_duplicated_annotation<A> && std::floating_point<T> && (!is_forward<M> || is_variable_with_shadow<A>());
  static constexpr bool by_value = PassedByValue<T> && !accumulates_in_place;
  static constexpr bool has_shadow = marker == Marker::duplicated || marker == Marker::duplicated_no_need;
  static constexpr bool returns_adjoint = marker == Marker::active;
  using Passed = Passing<T, Object, by_value>;
  using Wire = typename Passed::Wire;
  using Gradient = std::conditional_t<is_active_annotation<A> && returns_by_value<T>, in_lanes<T, B>, None>;

  /// The readable errors. To be asked where one is made: an error in a constructor does not name the line of the call.
  static consteval bool is_valid() { return valid_argument<A, M>(); }

  explicit Parameter(std::remove_reference_t<AnnotationReference> &annotation)
      : annotation_(annotation), adjoints_(zeros(annotation)) {
    if constexpr (is_duplicated_annotation<A> && has_right_shadows)
      check_shapes(std::make_index_sequence<lanes>());
  }

  /// Before a function that may move numbers is run.
  void note_memory() {
    if constexpr (may_move) {
      memory_.note(annotation_.value);
      if constexpr (has_right_shadows)
        zero_reserves(std::make_index_sequence<lanes>());
    }
  }

  /// Throws std::logic_error where the function has moved numbers that it was given: their derivatives went into memory
  /// that is gone.
  void require_unmoved(std::size_t position) const {
    if constexpr (may_move)
      memory_.require_unmoved(annotation_.value, position);
  }

  [[gnu::always_inline]] Wire value() const {
    if constexpr (by_value)
      return annotation_.value;
    else
      return std::addressof(annotation_.value);
  }

  template <unsigned Lane>
  [[gnu::always_inline]] auto shadow() {
    if constexpr (!has_right_shadows)
      return value(); // the error has been said
    else if constexpr (is_active_annotation<A>)
      return std::addressof(adjoints_[Lane]);
    else if constexpr (by_value && std::is_pointer_v<T>)
      return const_cast<std::remove_const_t<std::remove_pointer_t<T>> *>(shadow_in_lane<Lane>(annotation_));
    else if constexpr (by_value)
      return static_cast<without_const<T>>(shadow_in_lane<Lane>(annotation_));
    else
      return std::addressof(shadow_in_lane<Lane>(annotation_));
  }

  /// The adjoint that was collected in memory, of an active argument that is no scalar.
  auto adjoint() const {
    if constexpr (!collects_adjoint)
      return None{}; // the error has been said
    else if constexpr (B.is_batch())
      return in_lanes<T, B>(adjoints_);
    else
      return adjoints_[0];
  }

private:
  static constexpr bool may_move = is_duplicated_annotation<A> && !is_forward<M> && !by_value &&
                                   !std::is_const_v<Object> && Summary<T>::known && Summary<T>::can_move;
  static constexpr bool has_right_shadows = [] {
    if constexpr (is_batch_annotation<A> && count_lanes<A>() != lanes)
      return false;
    else if constexpr (is_active_annotation<A>)
      return returns_by_value<T>;
    else if constexpr (is_duplicated_annotation<A>)
      return shadows_have_the_type_of_the_value<A>() && !is_function<T>;
    return true;
  }();
  static constexpr bool collects_adjoint = is_active_annotation<A> && !returns_adjoint && has_right_shadows;
  using Adjoints = std::conditional_t<collects_adjoint, std::array<T, lanes>, NoShadow>;

  template <class Annotation>
  static Adjoints zeros(const Annotation &annotation) {
    if constexpr (collects_adjoint)
      return [&]<std::size_t... L>(std::index_sequence<L...>) {
        return Adjoints{((void)L, make_zero(annotation.value))...};
      }(std::make_index_sequence<lanes>());
    else
      return {};
  }

  template <std::size_t... L>
  void zero_reserves(std::index_sequence<L...> /*lanes*/) {
    (zero_reserve(const_cast<std::remove_cv_t<T> &>(shadow_in_lane<L>(annotation_))), ...);
  }

  template <std::size_t... L>
  void check_shapes(std::index_sequence<L...> /*lanes*/) const {
    (require_same_shape(annotation_.value, shadow_in_lane<L>(annotation_)), ...);
  }

  std::remove_reference_t<AnnotationReference> &annotation_;
  Adjoints adjoints_;
  [[no_unique_address]] std::conditional_t<may_move, NumberMemory<T>, NoShadow> memory_{};
};

} // namespace assay::detail
