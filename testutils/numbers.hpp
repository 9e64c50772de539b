#pragma once
// Numbers of one element type that travel as double: rounding, bit equality, units in the last place, tolerances.

#include <assay/testing/check.hpp>

namespace assay::testutils {

/// Equal bits; all NaNs count as one.
bool same_bits(double left, double right);
bool same_bits(const Values &left, const Values &right);
bool same_bits(const Arguments &left, const Arguments &right);

/// `value` as the element type holds it.
double rounded_to(ElementType element, double value);

/// Distance from 1 to the next number of the type (double's for long double, whose numbers travel as double).
double epsilon_of(ElementType element);

/// |left - right| in units of the last place of the larger one.
double ulp_distance(ElementType element, double left, double right);

double absolute_tolerance(const Tolerance &tolerance, ElementType element);
double relative_tolerance(const Tolerance &tolerance, ElementType element);

/// The coarsest element type of a signature, in whose precision the whole function may compute.
ElementType coarsest_element(const Signature &signature);

} // namespace assay::testutils
