#pragma once
// A function of C++ values as one of plain pointers. `assay check` writes a small program around a user's function:
//
//     constexpr auto function = &energy;                            // double energy(const Net &net, double t)
//     struct Shape0 { static constexpr ... };                       // of --arg 'net={layers=2}'
//     extern "C" double adapted(const double *net, double t) {
//       assay::adapter::Holder<const Net &, Shape0> first(net);     // a Net of that shape with these numbers
//       ...
//     }
//
// and another one that prints how many numbers each value has and how they are called.

#include <assay/detail/testing/made_object.hpp>
#include <assay/to_vec.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace assay::adapter {

template <class Function>
struct SignatureOf;
template <class R, class... A>
struct SignatureOf<R (*)(A...)> {
  using Result = R;
  using Arguments = std::tuple<A...>;
};
template <class R, class... A>
struct SignatureOf<R (*)(A...) noexcept> : SignatureOf<R (*)(A...)> {};
template <class R, class C, class... A>
struct SignatureOf<R (C::*)(A...)> : SignatureOf<R (*)(C &, A...)> {};
template <class R, class C, class... A>
struct SignatureOf<R (C::*)(A...) noexcept> : SignatureOf<R (*)(C &, A...)> {};
template <class R, class C, class... A>
struct SignatureOf<R (C::*)(A...) const> : SignatureOf<R (*)(const C &, A...)> {};
template <class R, class C, class... A>
struct SignatureOf<R (C::*)(A...) const noexcept> : SignatureOf<R (*)(const C &, A...)> {};

/// One of several functions of a name, by its parameters: `Overload<const Net &, double>::of(&energy)`.
template <class... A>
struct Overload {
  template <class R>
  static constexpr auto of(R (*function)(A...)) {
    return function;
  }
  template <class R, class C>
  static constexpr auto of(R (C::*function)(A...)) {
    return function;
  }
  template <class R, class C>
  static constexpr auto of(R (C::*function)(A...) const) {
    return function;
  }
};

template <class T>
inline constexpr bool is_span = false;
template <class E, std::size_t N>
inline constexpr bool is_span<std::span<E, N>> = true;

template <class T>
inline constexpr bool is_array_pointer = false;
template <class E>
inline constexpr bool is_array_pointer<std::unique_ptr<E[]>> = true;

/// The parts of a value that does not own its numbers, or does not know how many it owns.
template <class T>
struct OwnerOf {
  using Type = T;
};
template <class E, std::size_t N>
struct OwnerOf<std::span<E, N>> {
  using Type = std::vector<std::remove_const_t<E>>;
};

template <class E>
struct OwnerOf<std::unique_ptr<E[]>> {
  using Type = std::vector<std::remove_const_t<E>>;
};

/// The type of the object that a parameter of type Value gets. A class that is derived from it keeps its own type.
template <class Value, class Shape>
struct Made {
  using Type = typename OwnerOf<Value>::Type;
};
template <class Value, IsExpression Shape>
  requires std::is_class_v<Value>
struct Made<Value, Shape> {
  using Written = decltype(Shape::written());
  using Type = std::conditional_t<std::is_base_of_v<Value, Written>, Written, typename OwnerOf<Value>::Type>;
};

/// The function cannot change the argument.
template <class Argument>
inline constexpr bool is_input =
    !std::is_lvalue_reference_v<Argument> || std::is_const_v<std::remove_reference_t<Argument>>;
template <class E, std::size_t N>
inline constexpr bool is_input<std::span<E, N>> = std::is_const_v<E>;
template <class E, std::size_t N>
inline constexpr bool is_input<const std::span<E, N> &> = std::is_const_v<E>;

template <class E>
inline constexpr bool is_input<const std::unique_ptr<E[]> &> = std::is_const_v<E>;

/// Between 1/2 and 1, and no two of the first hundreds alike.
inline double sample_number(int number) {
  constexpr double golden = 0.6180339887498949;
  const double multiple = golden * (number + 1);
  return 0.5 + 0.5 * (multiple - static_cast<long>(multiple));
}

/// A parameter that is passed as it is, with some number or other, or memory of `Count` such.
template <class T, std::size_t Count, long Value>
struct PlainSample {
  std::remove_const_t<std::remove_pointer_t<std::remove_cvref_t<T>>> numbers[Count == 0 ? 1 : Count];

  PlainSample() {
    int count = 0;
    for (auto &number : numbers)
      if constexpr (std::is_floating_point_v<std::remove_reference_t<decltype(number)>>)
        number = static_cast<std::remove_reference_t<decltype(number)>>(sample_number(count++));
      else
        number = static_cast<std::remove_reference_t<decltype(number)>>(Value);
  }
  decltype(auto) pass() {
    if constexpr (std::is_pointer_v<T>)
      return static_cast<T>(numbers);
    else
      return (numbers[0]);
  }
};

/// A number as the function takes it: enumerations are numbers for the command.
template <class T, class Number>
decltype(auto) as(Number &number) {
  if constexpr (std::is_enum_v<T>)
    return static_cast<T>(number);
  else
    return (number);
}

/// The next number of an array, if it is one of this type.
template <class Number, class N>
bool take_next(N &number, const Number *&numbers) {
  if constexpr (std::is_same_v<N, Number>)
    number = *numbers++;
  return std::is_same_v<N, Number>;
}

template <class Number, class N>
bool store_next(const N &number, Number *&numbers) {
  if constexpr (std::is_same_v<N, Number>)
    *numbers++ = number;
  return std::is_same_v<N, Number>;
}

/// An argument, made from flat numbers: an array for each type of number that it has. One that an expression makes may
/// have none, or none that can be seen.
template <class Argument, class Shape>
class Holder {
public:
  static constexpr bool is_function = std::is_function_v<std::remove_reference_t<Argument>>;
  using Value = std::conditional_t<is_function, std::decay_t<Argument>, std::remove_cvref_t<Argument>>;
  using Owner = typename Made<Value, Shape>::Type;
  static constexpr bool is_fixed = IsExpression<Shape> && !detail::HasNumbers<Owner>;
  static_assert(is_fixed || detail::HasNumbers<Owner>, "assay: nothing in this type can be differentiated");

  template <class... Numbers>
    requires(sizeof...(Numbers) != 0)
  explicit Holder(const Numbers *...numbers) : owner_(made<Owner, Shape>()) {
    detail::for_each_number(owner_, [&]<class N>(N &number, const detail::Path &) {
      static_cast<void>((take_next(number, numbers) || ...));
    });
  }
  /// With some numbers or other, for a call whose result is only counted.
  Holder() : owner_(made<Owner, Shape>()) {
    if constexpr (!is_fixed)
      detail::for_each_number(owner_, [count = 0]<class N>(N &number, const detail::Path &) mutable {
        number = static_cast<N>(sample_number(count++));
      });
  }

  Argument &&pass() {
    if constexpr (is_span<Value>) {
      view_ = Value(owner_);
      return static_cast<Argument &&>(view_);
    } else if constexpr (is_array_pointer<Value>) {
      auto elements = std::make_unique<typename Owner::value_type[]>(owner_.size());
      for (std::size_t index = 0; index < owner_.size(); ++index)
        elements[index] = owner_[index];
      view_ = Value(std::move(elements));
      return static_cast<Argument &&>(view_);
    } else if constexpr (is_function) {
      return static_cast<Argument &&>(*owner_);
    } else {
      return static_cast<Argument &&>(owner_);
    }
  }

  template <class... Numbers>
  void read_back(Numbers *...numbers) {
    if constexpr (is_array_pointer<Value>)
      for (std::size_t index = 0; view_ && index < owner_.size(); ++index)
        owner_[index] = view_[index];
    detail::for_each_number(owner_, [&](const auto &number, const detail::Path &) {
      static_cast<void>((store_next(number, numbers) || ...));
    });
  }

private:
  struct Nothing {};
  Owner owner_;
  [[no_unique_address]] std::conditional_t<is_span<Value> || is_array_pointer<Value>, Value, Nothing> view_;
};

/// Where the numbers of one type go.
template <class Number>
struct ResultArray {
  Number *numbers;
  std::size_t count;

  template <class N>
  void take(const N &number) {
    if constexpr (std::is_same_v<N, Number>)
      if (count != 0) {
        *numbers++ = number;
        --count;
      }
  }
};

/// Results beyond the numbers that there were when they were counted are left out.
template <class Result, class... Numbers>
void store(const Result &result, ResultArray<Numbers>... arrays) {
  detail::for_each_number(result, [&](const auto &number, const detail::Path &) { (arrays.take(number), ...); });
}

// ---- The numbers, printed ----

template <class T>
constexpr const char *name_of_number() {
  using Plain = std::remove_cv_t<T>;
  if constexpr (std::is_same_v<Plain, double>)
    return "double";
  else if constexpr (std::is_same_v<Plain, float>)
    return "float";
  else if constexpr ((std::is_integral_v<Plain> || std::is_enum_v<Plain>) && sizeof(Plain) <= 4)
    return "int";
  else if constexpr (std::is_integral_v<Plain> || std::is_enum_v<Plain>)
    return "long";
  else
    return "long double";
}

/// `input double 12`, behind it the path of each number of this type.
template <class Number, class T>
void describe_numbers_of_type(const T &x, const char *direction, std::string_view name) {
  std::vector<std::string> paths;
  detail::for_each_number(
      x,
      [&]<class N>(const N &, const detail::Path &path) {
        if (std::is_same_v<std::remove_const_t<N>, Number>)
          paths.push_back(path.text());
      },
      name);
  std::printf("%s %s %zu\n", direction, name_of_number<Number>(), paths.size());
  for (const std::string &path : paths)
    std::printf("%s\n", path.c_str());
}

/// The widest numbers first; `also float 3` follows where there are some of another type as well.
template <class T>
void describe_numbers(const T &x, const char *direction, std::string_view name) {
  bool has_float = false, has_double = false;
  detail::for_each_number(x, [&]<class N>(const N &, const detail::Path &) {
    has_float = has_float || std::is_same_v<std::remove_const_t<N>, float>;
    has_double = has_double || std::is_same_v<std::remove_const_t<N>, double>;
  });
  using Widest = number_type<T>;
  describe_numbers_of_type<Widest>(x, direction, name);
  if (has_double && !std::is_same_v<Widest, double>)
    describe_numbers_of_type<double>(x, "also", name);
  if (has_float && !std::is_same_v<Widest, float>)
    describe_numbers_of_type<float>(x, "also", name);
}

/// `unknown foo layers w`: of a setting that no field has the name of, and the names that there are.
template <class T, class Shape>
void describe_unknown_settings() {
  if constexpr (Shape::settings.size() != 0)
    if constexpr (!takes_integers<T>(std::make_index_sequence<Shape::settings.size()>()) || Resizable<T>) {
      std::vector<std::string_view> names;
      add_names_of_elements<T>(names, 0);
      for (const Setting &setting : Shape::settings)
        if (std::find(names.begin(), names.end(), setting.name) == names.end()) {
          std::printf("unknown %.*s", static_cast<int>(setting.name.size()), setting.name.data());
          for (const std::string_view name : names)
            std::printf(" %.*s", static_cast<int>(name.size()), name.data());
          std::printf("\n");
        }
    }
}

template <class Argument, class Shape>
void describe_argument(std::string_view name) {
  if constexpr (is_plain<Argument>) {
    using Pointee = std::remove_pointer_t<std::remove_cvref_t<Argument>>;
    std::printf("%s%s%s\n", std::is_const_v<Pointee> ? "plain const " : "plain ", name_of_number<Pointee>(),
                std::is_pointer_v<Argument> ? " *" : "");
  } else {
    using Held = Holder<Argument, Shape>;
    if constexpr (Held::is_fixed) {
      std::printf("fixed\n");
    } else {
      describe_unknown_settings<typename Held::Owner, Shape>();
      describe_numbers(made<typename Held::Owner, Shape>(), is_input<Argument> ? "input" : "changed", name);
    }
  }
}

/// `call` makes one call. It is made where a value by default does not tell how many numbers there are.
template <class Result>
void describe_result(auto &&call) {
  if constexpr (std::is_void_v<Result>) {
    std::printf("plain void\n");
  } else if constexpr (std::is_arithmetic_v<std::remove_cvref_t<Result>>) {
    std::printf("plain %s\n", name_of_number<std::remove_cvref_t<Result>>());
  } else {
    using Value = std::remove_cvref_t<Result>;
    if constexpr (std::default_initializable<Value>)
      if (const Value value{}; !number_paths(value, "result").empty()) {
        describe_numbers(value, "changed", "result");
        return;
      }
    describe_numbers(call(), "changed", "result");
  }
}

} // namespace assay::adapter
