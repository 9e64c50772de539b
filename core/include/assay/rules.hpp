#pragma once
// Derivative rules of the user's own, written as functions.
//
//   double square(double x);
//
//   struct SquareRule {
//     static auto forward(const auto & /*config*/, auto x) {
//       return Duplicated{x.value * x.value, 2 * x.value * x.shadow()};
//     }
//     static auto augmented_primal(const auto & /*config*/, auto x) {
//       return AugmentedReturn{x.value * x.value, None{}, x.value};
//     }
//     static auto reverse(const auto & /*config*/, auto dy, auto kept, auto /*x*/) {
//       return 2 * kept * dy;
//     }
//   };
//   ASSAY_RULE(SquareRule, square);
//
// The rule is used wherever `square` takes part in a derivative, in every activity and at every width. docs/rules.md
// has the whole of it.

#include "assay/detail/rules/import.hpp"
#include "assay/detail/rules/registration.hpp"

/// Registers a rule for functions: `ASSAY_RULE(Rule, f, g<double>, &Class::member);`. At namespace scope, in a class,
/// or in a function template, whose instances are registered as they come into being.
#define ASSAY_RULE(Rule, ...)                                                                                          \
  static_assert(::assay::rules::registered<__INCLUDE_LEVEL__ == 0 ? ::assay::rules::Place::source                      \
                                                                  : ::assay::rules::Place::header,                     \
                                           Rule __VA_OPT__(, ) __VA_ARGS__>())
