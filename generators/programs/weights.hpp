#pragma once
// How often a program has each of the optional features.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::gen::programs {

/// 1 is the usual frequency, 0 leaves a kind out, 10 makes it ten times as likely.
struct Weights {
  double callbacks = 1;  ///< Pointers to functions.
  double complex = 1;    ///< Complex numbers.
  double floats = 1;     ///< `float` among `double`.
  double heap = 1;       ///< Arrays on the heap.
  double jumps = 1;      ///< Labels and goto, into loops and out of them.
  double lists = 1;      ///< Linked lists.
  double mutual = 1;     ///< Two functions that call each other.
  double partners = 1;   ///< Branches to functions that are each other's derivatives.
  double rows = 1;       ///< Pointers to pointers.
  double second = 1;     ///< Second derivatives.
  double structures = 1; ///< Structs, also by value.
  double tagged = 1;     ///< Unions that hold a float or an integer, with a tag.
  double unions = 1;     ///< Unions whose members are of one type.
  double vectors = 1;    ///< SIMD vectors.

  bool operator==(const Weights &) const = default;
};

/// `jumps=10`, `all=0`, ...: false where it is no such word.
bool set_weight(Weights &weights, std::string_view word);
std::vector<std::string> names_of_weights();

} // namespace assay::gen::programs
