#pragma once
// Fresh memory for one call of a typed function: its arguments, or a shadow of each. All code but the call itself
// stays out of line: it is compiled once, not once for each combination.

#include <assay/detail/testing/callable.hpp>
#include <assay/detail/testing/poison.hpp>

#include <tuple>
#include <utility>

namespace assay::detail {

template <class... Models>
struct TypedCall {
  using Positions = std::index_sequence_for<Models...>;
  using Views = std::tuple<typename Models::Stored &...>;
  using Originals = std::tuple<Original<typename Models::Stored>...>;
  enum class Role : std::uint8_t { primal, shadow };

  std::tuple<Copy<typename Models::Stored>...> copies;

  [[gnu::noinline]] explicit TypedCall(const Originals &originals) : TypedCall(originals, Positions()) {}
  template <std::size_t... I>
  TypedCall(const Originals &originals, std::index_sequence<I...>) : copies(std::get<I>(originals).get()...) {}

  [[gnu::noinline]] void load(const testutils::Arguments &flat) { load(flat, Positions()); }
  template <std::size_t... I>
  void load(const testutils::Arguments &flat, std::index_sequence<I...>) {
    (fill(std::get<I>(copies), flat[I]), ...);
  }

  /// A shadow is zero where the value cannot vary.
  [[gnu::noinline]] void forget_constants() { forget_constants(Positions()); }
  template <std::size_t... I>
  void forget_constants(std::index_sequence<I...>) {
    (forget_constants_of(std::get<I>(copies).view()), ...);
  }
  template <class T>
  static void forget_constants_of(T &value) {
    if constexpr (is_differentiable<T>)
      zero_constants(value);
  }

  auto views() { return views(Positions()); }
  template <std::size_t... I>
  auto views(std::index_sequence<I...>) {
    return Views(std::get<I>(copies).view()...);
  }

  [[gnu::noinline]] testutils::Arguments contents() { return contents(Positions()); }
  template <std::size_t... I>
  testutils::Arguments contents(std::index_sequence<I...>) {
    return {flatten(std::get<I>(copies).view())...};
  }

  /// Of the chosen arguments: padding, guards, and integers of shadows, none of which may be read. The padding of the
  /// others, of all where `chosen` is empty, is zero.
  [[gnu::noinline]] void poison(const std::vector<bool> &chosen, Role role) { poison(chosen, role, Positions()); }
  template <std::size_t... I>
  void poison(const std::vector<bool> &chosen, Role role, std::index_sequence<I...>) {
    (poison_one(std::get<I>(copies), !chosen.empty() && chosen[I], role), ...);
  }
  template <class Copied>
  static void poison_one(Copied &copy, bool is_chosen, Role role) {
    if (!is_chosen)
      return clear_padding(copy.view());
    poison_padding(copy.view());
    if (role == Role::shadow)
      poison_integers(copy.view());
    copy.poison_guards();
  }

  template <std::size_t... I>
  bool guards_intact(std::index_sequence<I...>) const {
    return (std::get<I>(copies).guards_intact() && ...);
  }
  [[gnu::noinline]] void note_broken_guards(std::vector<std::string> &violations, const std::string &kind) const {
    if (!guards_intact(Positions()))
      violations.push_back("memory beyond the end of a " + kind + " was written");
  }
};

} // namespace assay::detail
