#pragma once
// The two passes of split reverse mode, and the tape between them.
//
// An active array or struct has its value and its adjoint in the tape, so that both passes see them at one address. So
// has a result of class type with its shadows. The rest of the tape is memory of the engine's, which the reverse pass
// releases, or the tape's destructor where none is run.

#include "assay/detail/differentiate.hpp"
#include "assay/detail/result_structure.hpp"

#include <memory>
#include <stdexcept>
#include <utility>

namespace assay::detail {

// ---- Arguments as they were declared ----

/// The annotation of a declared kind that refers to the parts of a given one. The function sees the value with the
/// const of the declaration, so that both passes are passes of one function.
template <class Declared, class Given>
[[gnu::always_inline]] inline auto as_declared(Given &given) {
  using Value = std::remove_reference_t<decltype(Declared::value)>;
  constexpr AnnotationKind kind = annotation_kind<Declared>;
  if constexpr (kind == AnnotationKind::active) {
    return Active<std::remove_cv_t<Value>>{given.value};
  } else {
    auto &value = const_cast<Value &>(given.value);
    if constexpr (kind == AnnotationKind::constant)
      return Const<Value &>{value};
    else {
      auto &shadow = given.shadow;
      using Shadow = decltype(shadow);
      if constexpr (kind == AnnotationKind::duplicated)
        return Duplicated<Value &, Shadow>{value, shadow};
      else if constexpr (kind == AnnotationKind::duplicated_no_need)
        return DuplicatedNoNeed<Value &, Shadow>{value, shadow};
      else if constexpr (kind == AnnotationKind::mixed)
        return MixedDuplicated<Value &, Shadow>{value, shadow};
      else if constexpr (kind == AnnotationKind::batch)
        return BatchDuplicated<Value &, Shadow>{value, shadow};
      else
        return BatchDuplicatedNoNeed<Value &, Shadow>{value, shadow};
    }
  }
}

template <class Declared, class Given>
using AsDeclared = decltype(as_declared<Declared>(std::declval<Given &>()));

/// The readable errors for an argument of a thunk.
template <class Declared, class Given>
consteval bool is_given_as_declared() {
  constexpr bool annotated = are_annotated<Given>();
  if constexpr (annotated) {
    static_assert(annotation_kind<Declared> == annotation_kind<Given>,
                  "assay: an argument of this thunk has another annotation than the type<...> that the thunk was made "
                  "with");
    static_assert(std::same_as<annotated_type<Declared>, annotated_type<Given>>,
                  "assay: an argument of this thunk has another type than the type<...> that the thunk was made with");
    static_assert(count_lanes<Declared>() == count_lanes<Given>(),
                  "assay: a batched argument of this thunk has another number of shadows than the type<...> that the "
                  "thunk was made with");
    return annotation_kind<Declared> == annotation_kind<Given> &&
           std::same_as<annotated_type<Declared>, annotated_type<Given>> &&
           count_lanes<Declared>() == count_lanes<Given>();
  }
  return false;
}

template <class>
struct DeclaredArguments;
template <class... Declared>
struct DeclaredArguments<std::tuple<Declared...>> {
  template <class... Given>
  static consteval bool match() {
    constexpr bool counted = sizeof...(Given) == sizeof...(Declared);
    static_assert(counted, "assay: this thunk was made with another number of arguments");
    if constexpr (counted)
      return (is_given_as_declared<Declared, std::remove_cvref_t<Given>>() && ...);
    return false;
  }
};

// ---- The tape ----

/// An active argument that is passed by address, with its adjoints.
template <class T, Batch B>
class HeldActive {
public:
  template <class A>
  explicit HeldActive(const A &annotation) : value(annotation.value), adjoints(zeros(annotation.value)) {}

  auto annotation() {
    if constexpr (B.is_batch())
      return BatchDuplicated<T &, std::array<T, B.lanes()> &>{value, adjoints};
    else
      return Duplicated<T &, T &>{value, adjoints[0]};
  }
  in_lanes<T, B> adjoint() const {
    if constexpr (B.is_batch())
      return adjoints;
    else
      return adjoints[0];
  }

private:
  static std::array<T, B.lanes()> zeros(const T &value) {
    return [&]<std::size_t... L>(std::index_sequence<L...>) {
      return std::array<T, B.lanes()>{((void)L, make_zero(value))...};
    }(std::make_index_sequence<B.lanes()>());
  }
  T value;
  std::array<T, B.lanes()> adjoints;
};

/// Any other argument stays with the caller.
struct HeldByCaller {
  explicit HeldByCaller(const auto & /*annotation*/) {}
};

template <class A>
inline constexpr bool is_held = is_active_annotation<A> && !std::floating_point<annotated_type<A>>;
template <class A, Batch B>
using Held = std::conditional_t<is_held<A>, HeldActive<annotated_type<A>, B>, HeldByCaller>;

/// The annotation that the engine's call is made with.
template <class Held, class Given>
[[gnu::always_inline]] inline auto passed_annotation(Held &held, Given &given) {
  if constexpr (std::same_as<Held, HeldByCaller>)
    return given;
  else
    return held.annotation();
}

/// The engine's memory to release with a tape that no reverse pass uses.
class DropList {
public:
  DropList() = default;
  DropList(const DropList &) = delete;
  DropList &operator=(const DropList &) = delete;
  ~DropList() { convention::__enzyme_drop_tape(words_); }

  void *address() { return words_; }

private:
  void *words_[6] = {};
};

template <class Stored, class... HeldArguments>
struct TapeState {
  Stored stored{};
  std::tuple<HeldArguments...> held;
  DropList drop_list;

  template <class... Given>
  explicit TapeState(const Given &...given) : held(HeldArguments(given)...) {
    if constexpr (requires { stored.shadows; })
      for (auto &shadow : stored.shadows)
        zero_unused_bytes(shadow);
  }
};

} // namespace assay::detail

namespace assay {

/// The values that the forward pass of a thunk keeps for its reverse pass. It is moved, not copied; one reverse pass
/// uses it up.
template <class State>
class Tape {
public:
  Tape() = default;
  Tape(void *engine_memory, std::unique_ptr<State> held) : memory(engine_memory), state(std::move(held)) {}
  Tape(Tape &&other) noexcept : memory(std::exchange(other.memory, nullptr)), state(std::move(other.state)) {}
  Tape &operator=(Tape &&other) noexcept {
    memory = std::exchange(other.memory, nullptr);
    state = std::move(other.state);
    return *this;
  }
  Tape(const Tape &) = delete;
  Tape &operator=(const Tape &) = delete;
  ~Tape() = default;

  /// A reverse pass can still be run with it.
  bool is_full() const { return state != nullptr; }

  /// The engine's memory and the values held beside it, which are the caller's from now on. Throws std::logic_error if
  /// the tape was used before.
  std::pair<void *, std::unique_ptr<State>> take() {
    if (!is_full())
      throw std::logic_error("assay: this tape was used up by a reverse pass; run the forward pass again");
    return {std::exchange(memory, nullptr), std::move(state)};
  }

private:
  void *memory = nullptr;
  std::unique_ptr<State> state;
};

/// The result of a thunk's forward pass: the primal where the mode keeps it; the shadow of a Duplicated result, a
/// pointer's shadow pointer or a reference to the shadow object, which the adjoint is added into before the reverse
/// pass.
template <class TapeType, class P, class S>
struct Augmented {
  TapeType tape;
  P primal;
  S shadow;
};

} // namespace assay

namespace assay::detail {

/// The passes of one function: C is the callable's parameter, A are the declared annotations.
template <class M, ReturnActivity Named, class C, class... A>
struct Split {
  static constexpr Batch batch = batch_of<A...>();
  using Arguments = std::tuple<A...>;

  template <class Annotation>
  using ParameterOf = Parameter<Annotation &, M, batch>;
  template <class Given>
  using DeclaredGiven = std::remove_reference_t<Given>;

  template <class Declared>
  struct PassedType {
    using type = AsDeclared<Declared, Declared>;
  };
  template <class Declared>
    requires is_held<Declared>
  struct PassedType<Declared> {
    using type = decltype(std::declval<HeldActive<annotated_type<Declared>, batch> &>().annotation());
  };
  template <class... Passed>
  using DifferentiationOf = Differentiation<M, Named, Seeding::one, batch, C, ParameterOf<Passed>...>;
  using D = DifferentiationOf<typename PassedType<A>::type...>;
  using R = typename D::R;
  using State = TapeState<typename D::Stored, Held<A, batch>...>;
  using TapeType = Tape<State>;
  static constexpr bool seeds_stored = D::stores_result && D::activity == ReturnActivity::active;
  static constexpr bool takes_seed = D::passes_seeds || seeds_stored;
  static constexpr bool shows_shadow = D::stores_result && (D::activity == ReturnActivity::duplicated ||
                                                            D::activity == ReturnActivity::duplicated_no_need);

  template <class... Given>
  [[gnu::always_inline]] static auto forward(typename C::Wire callable, Given &...given) {
    auto state = std::make_unique<State>(given...);
    return forward_pass(callable, state, std::index_sequence_for<A...>(), as_declared<A>(given)...);
  }

  /// The tuple of adjoints.
  template <class SeedType, class... Given>
  [[gnu::always_inline]] static auto reverse(typename C::Wire callable, const SeedType &seed, TapeType &tape,
                                             Given &...given) {
    auto [memory, state] = tape.take();
    return reverse_pass(callable, memory, *state, seed, std::index_sequence_for<A...>(), as_declared<A>(given)...);
  }

private:
  template <std::size_t... I, class... Given>
  [[gnu::always_inline]] static auto forward_pass(typename C::Wire callable, std::unique_ptr<State> &state,
                                                  std::index_sequence<I...> /*arguments*/, Given... given) {
    return forward_call(callable, state, passed_annotation(std::get<I>(state->held), given)...);
  }
  template <class... Passed>
  [[gnu::always_inline]] static auto forward_call(typename C::Wire callable, std::unique_ptr<State> &state,
                                                  Passed... passed) {
    using Call = DifferentiationOf<Passed...>;
    static_assert((ParameterOf<Passed>::is_valid() && ...));
    typename Call::Parameters parameters{{ParameterOf<Passed>(passed)}...};
    typename Call::Frame frame{state->stored.primal_address(), state->stored.shadow_addresses(), parameters, {}, {},
                               state->drop_list.address()};
    parameters.note_memory();
    const auto values = Call::template emit<ConventionCall::augmented>(callable, frame);
    parameters.require_unmoved();
    auto primal = primal_of<Call>(values, state->stored);
    if constexpr (shows_shadow) {
      auto &shadow = structured_shadow(state->stored);
      return Augmented<TapeType, decltype(primal), decltype(shadow)>{
          TapeType(values.template get<0>(), std::move(state)), std::move(primal), shadow};
    } else {
      auto shadow = Call::template returned_shadow<1>(values);
      return Augmented<TapeType, decltype(primal), decltype(shadow)>{
          TapeType(values.template get<0>(), std::move(state)), std::move(primal), shadow};
    }
  }

  /// A copy: the tape keeps the result itself, whose shape its shadows have.
  template <class Call, class Values, class Stored>
  static auto primal_of(const Values &values, const Stored &stored) {
    if constexpr (packs_primal<R, M>)
      return values.template get<1>();
    else if constexpr (D::stores_result && keeps_primal<M>)
      return copy_of(stored.primal);
    else
      return None{};
  }

  template <class Stored>
  static auto &structured_shadow(Stored &stored) {
    for (auto &shadow : stored.shadows)
      adopt_structure(std::as_const(stored.primal), shadow);
    if constexpr (batch.is_batch())
      return stored.shadows;
    else
      return stored.shadows[0];
  }

  template <std::size_t... I, class SeedType, class... Given>
  [[gnu::always_inline]] static auto reverse_pass(typename C::Wire callable, void *memory, State &state,
                                                  const SeedType &seed, std::index_sequence<I...> /*arguments*/,
                                                  Given... given) {
    return reverse_call(callable, memory, state, seed, std::index_sequence<I...>(),
                        passed_annotation(std::get<I>(state.held), given)...);
  }
  template <std::size_t... I, class SeedType, class... Passed>
  [[gnu::always_inline]] static auto reverse_call(typename C::Wire callable, void *memory, State &state,
                                                  const SeedType &seed, std::index_sequence<I...> /*arguments*/,
                                                  Passed... passed) {
    using Call = DifferentiationOf<Passed...>;
    static_assert((ParameterOf<Passed>::is_valid() && ...));
    typename Call::Parameters parameters{{ParameterOf<Passed>(passed)}...};
    if constexpr (seeds_stored)
      seed_stored<Call>(state.stored, seed);
    typename Call::Frame frame{
        state.stored.primal_address(), state.stored.shadow_addresses(), parameters, seeds_of<Call>(seed), memory,
        state.drop_list.address()};
    const auto values = Call::template emit<ConventionCall::split_reverse>(callable, frame);
    auto gradient = Call::template gradient<0>(values, parameters);
    return std::make_tuple(entry<I>(gradient, state)...);
  }

  template <std::size_t I, class Gradient>
  static auto entry(const Gradient &gradient, const State &state) {
    if constexpr (is_held<std::tuple_element_t<I, Arguments>>)
      return std::get<I>(state.held).adjoint();
    else
      return std::get<I>(gradient);
  }

  // Its type is deduced, so that an error in the seed is said with the line of the call.
  template <class Call, class Stored, class SeedType>
  static auto seed_stored(Stored &stored, const SeedType &seed) {
    [&]<std::size_t... L>(std::index_sequence<L...>) {
      (seed_shadow(std::as_const(stored.primal), stored.shadows[L], seed_in_lane<Call, L>(seed)), ...);
    }(std::make_index_sequence<batch.lanes()>());
  }
  template <class Result>
  static void seed_shadow(const Result &primal, Result &shadow, const Result &seed) {
    require_seed_shape(primal, seed);
    require_same_choices(primal, seed);
    add_seed(primal, shadow, seed);
  }
};

} // namespace assay::detail
