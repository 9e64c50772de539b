#pragma once
// A function of several arguments as one of fewer: those that share memory are one argument, which it passes on several
// times. The ways to share are restricted growth strings, in the order of gen::all_aliasings.

#include <assay/testing.hpp>

#include <array>
#include <string>
#include <tuple>
#include <vector>

namespace assay::detail {

/// The type that arguments must have in common to share memory; void: the function gets a copy of it, or it has none.
template <class Declared, class T>
struct MemoryKind {
  static constexpr auto kind() {
    using Plain = std::remove_cvref_t<Declared>;
    if constexpr (is_span<T>)
      return std::type_identity<std::remove_const_t<typename T::element_type>[]>{};
    else if constexpr (std::same_as<Declared, UnknownParameter>)
      return std::type_identity<std::conditional_t<is_in_memory<T>, T, void>>{};
    else if constexpr (is_span<Plain> || (std::is_lvalue_reference_v<Declared> && std::same_as<Plain, T>))
      return std::type_identity<T>{};
    else
      return std::type_identity<void>{};
  }
  using type = typename decltype(kind())::type;
};

/// Which argument of the new function each argument is.
template <std::size_t Count>
using Partition = std::array<std::size_t, Count>;

/// All partitions of arguments into buffers in which only those with the same kind, which is not negative, are
/// together.
template <std::size_t Count>
constexpr std::vector<Partition<Count>> all_partitions(const std::array<int, Count> &kinds) {
  std::vector<Partition<Count>> found{{}};
  for (std::size_t argument = 0; argument < Count; ++argument) {
    std::vector<Partition<Count>> longer;
    for (Partition<Count> partition : found) {
      std::size_t buffers = 0;
      for (std::size_t earlier = 0; earlier < argument; ++earlier)
        buffers = std::max(buffers, partition[earlier] + 1);
      for (std::size_t buffer = buffers + 1; buffer-- > 0;) {
        bool fits = true;
        for (std::size_t earlier = 0; earlier < argument; ++earlier)
          fits = fits && (partition[earlier] != buffer || (kinds[argument] >= 0 && kinds[earlier] == kinds[argument]));
        partition[argument] = buffer;
        if (fits)
          longer.push_back(partition);
      }
    }
    found = std::move(longer);
  }
  return found;
}

/// The ways in which the arguments of a call f(A...) may share memory.
template <class F, class... A>
struct SharingOf {
  static constexpr std::size_t count = sizeof...(A);
  using Function = std::decay_t<typename Given<F>::type>;

  template <std::size_t I>
  using GivenAt = std::tuple_element_t<I, std::tuple<Given<A>...>>;
  template <std::size_t I>
  using Kind = typename MemoryKind<parameter_of<Function, I>, typename GivenAt<I>::type>::type;

  /// The number of the first argument of the same kind, or -1.
  template <std::size_t I, std::size_t... J>
  static constexpr int kind_at(std::index_sequence<J...>) {
    int kind = -1;
    if constexpr (!std::is_void_v<Kind<I>>)
      ((kind = kind < 0 && std::same_as<Kind<J>, Kind<I>> && GivenAt<J>::differentiated == GivenAt<I>::differentiated
                   ? static_cast<int>(J)
                   : kind),
       ...);
    return kind;
  }
  static constexpr std::array<int, count> kinds = []<std::size_t... I>(std::index_sequence<I...> all) {
    return std::array<int, count>{kind_at<I>(all)...};
  }(std::index_sequence_for<A...>());
  static constexpr std::array<bool, count> writes = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<bool, count>{may_write<parameter_of<Function, I>, typename GivenAt<I>::type>...};
  }(std::index_sequence_for<A...>());

  static constexpr std::size_t ways = all_partitions(kinds).size();
  static_assert(ways <= 15, "assay: at most four arguments of one type can be tested in every way to share memory");
  static constexpr Partition<count> partition(std::size_t way) { return all_partitions(kinds)[way]; }

  /// For each buffer the argument that stands for it.
  static constexpr std::size_t buffers(std::size_t way) {
    std::size_t most = 0;
    for (const std::size_t buffer : partition(way))
      most = std::max(most, buffer + 1);
    return most;
  }
  static constexpr std::size_t owner(std::size_t way, std::size_t buffer) {
    const Partition<count> buffer_of = partition(way);
    std::size_t owner = count;
    for (std::size_t argument = 0; argument < count; ++argument)
      if (buffer_of[argument] == buffer && (owner == count || (writes[argument] && !writes[owner])))
        owner = argument;
    return owner;
  }
};

/// Calls F with each argument as often as `Buffer` names it. File belongs to one translation unit.
template <class File, class F, class Parameters, std::size_t... Buffer>
struct SharedCall {
  F function;

  template <class Callable, class... X>
  [[gnu::always_inline]] static auto call(Callable &callable, X &...arguments)
      -> decltype(callable(std::get<Buffer>(std::tie(arguments...))...)) {
    return callable(std::get<Buffer>(std::tie(arguments...))...);
  }

  template <class... X>
    requires requires(F &callable, X &...arguments) { call(callable, arguments...); }
  [[gnu::always_inline]] auto operator()(X &...arguments) {
    return call(function, arguments...);
  }
  template <class... X>
    requires requires(const F &callable, X &...arguments) { call(callable, arguments...); }
  [[gnu::always_inline]] auto operator()(X &...arguments) const {
    return call(function, arguments...);
  }
};
template <class File, class F, class... P, std::size_t... Buffer>
struct ParametersOf<SharedCall<File, F, TypeList<P...>, Buffer...>> {
  template <std::size_t I>
  using at = std::tuple_element_t<I, std::tuple<P...>>;
};

/// Names as in messages: `y = x, z = x`.
template <class S>
std::string describe_sharing(std::size_t way, const std::vector<std::string> &names) {
  const auto name = [&](std::size_t index) {
    return index < names.size() ? names[index] : "x" + std::to_string(index + 1);
  };
  std::string text;
  for (std::size_t argument = 0; argument < S::count; ++argument)
    if (const std::size_t owner = S::owner(way, S::partition(way)[argument]); owner != argument)
      text += (text.empty() ? "" : ", ") + name(argument) + " = " + name(owner);
  return text;
}

/// With the names of the arguments that are left.
template <class S, class Options>
Options named_sharing(Options options, std::size_t way) {
  std::vector<std::string> names;
  for (std::size_t buffer = 0; buffer < S::buffers(way); ++buffer) {
    const std::size_t owner = S::owner(way, buffer);
    names.push_back(owner < options.names.size() ? options.names[owner] : "x" + std::to_string(owner + 1));
  }
  const std::string sharing = describe_sharing<S>(way, options.names);
  if (!sharing.empty())
    options.name = (options.name.empty() ? "function" : options.name) + " with " + sharing;
  options.names = std::move(names);
  return options;
}

/// Whether arguments that are to be one memory have one length.
template <class S, class... A>
bool has_one_length(std::size_t way, const A &...arguments) {
  const std::array<std::size_t, S::count> lengths{flatten(Given<A>::value(arguments)).size()...};
  const auto buffer_of = S::partition(way);
  for (std::size_t argument = 0; argument < S::count; ++argument)
    if (lengths[argument] != lengths[S::owner(way, buffer_of[argument])])
      return false;
  return true;
}

template <class File, testutils::Mode M, std::size_t Way, class Options, class F, class... A>
testutils::Report check_way(const Options &options, const F &function, const A &...arguments) {
  using S = SharingOf<F, A...>;
  const std::tuple<const A &...> given(arguments...);
  return [&]<std::size_t... Buffer, std::size_t... I>(std::index_sequence<Buffer...>, std::index_sequence<I...>) {
    using Callable =
        SharedCall<File, typename S::Function, TypeList<parameter_of<typename S::Function, S::owner(Way, Buffer)>...>,
                   S::partition(Way)[I]...>;
    return run_all<File, M>(named_sharing<S>(options, Way), Callable{Given<F>::value(function)},
                            std::get<S::owner(Way, Buffer)>(given)...);
  }(std::make_index_sequence<S::buffers(Way)>(), std::index_sequence_for<A...>());
}

template <class File, testutils::Mode M, std::size_t Way, class Options, class F, class... A>
void add_way(std::vector<testutils::Report> &reports, const Options &options, const F &function,
             const A &...arguments) {
  using S = SharingOf<F, A...>;
  if constexpr (Way == 0)
    reports.push_back(run_all<File, M>(options, function, arguments...));
  else if (has_one_length<S>(Way, arguments...))
    reports.push_back(check_way<File, M, Way>(options, function, arguments...));
  else
    reports.front().left_out.push_back(describe_sharing<S>(Way, options.names) + ": they differ in length");
}

template <class File, testutils::Mode M>
inline constexpr auto run_all_aliasings = [](const auto &options, const auto &function, const auto &...arguments) {
  using S = SharingOf<std::remove_cvref_t<decltype(function)>, std::remove_cvref_t<decltype(arguments)>...>;
  std::vector<testutils::Report> reports;
  [&]<std::size_t... Way>(std::index_sequence<Way...>) {
    (add_way<File, M, Way>(reports, options, function, arguments...), ...);
  }(std::make_index_sequence<S::ways>());
  return reports;
};

} // namespace assay::detail
