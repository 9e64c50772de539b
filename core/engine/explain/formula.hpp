#pragma once
// A count as a formula of the program's variables: `8 * n * (m - 1)`. Like terms of sums are collected, constants of
// products multiplied; nothing else is simplified.

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::engine {

class Formula {
public:
  enum class Kind : std::uint8_t {
    number,
    symbol,
    sum,
    product,
    quotient,
    largest,
    smallest,
    series ///< Of the first part over the named symbol, from 0 to below the second part.
  };

  Formula(std::int64_t number = 0) : number_(number) {} // NOLINT(google-explicit-constructor): a number is a formula
  static Formula symbol(std::string name);
  static Formula quotient(Formula dividend, Formula divisor);
  static Formula largest(std::vector<Formula> parts);
  static Formula smallest(std::vector<Formula> parts);
  /// The sum of `term` over `name` from 0 to below `end`; a product where the term does not name it.
  static Formula series(Formula term, const std::string &name, Formula end);
  friend Formula operator+(const Formula &one, const Formula &other);
  friend Formula operator*(const Formula &one, const Formula &other);

  std::optional<std::int64_t> constant() const;
  bool mentions(llvm::StringRef name) const;
  /// With the values of symbols; nothing where one has none, or the result is no 64-bit number.
  std::optional<std::int64_t> evaluate(llvm::function_ref<std::optional<std::int64_t>(llvm::StringRef)> value_of) const;
  std::string text() const;
  bool operator==(const Formula &other) const = default;

private:
  Formula(Kind kind, std::vector<Formula> parts) : kind_(kind), parts_(std::move(parts)) {}
  /// The factor in front of a product, and the rest.
  std::pair<std::int64_t, Formula> split_factor() const;
  std::string text_within_product() const;

  Kind kind_ = Kind::number;
  std::int64_t number_ = 0;
  std::string symbol_;
  std::vector<Formula> parts_;
};

} // namespace assay::engine
