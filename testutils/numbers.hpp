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

/// What a sum of numbers of the type collects in roundings, as a part of its largest term. Of 16 bits few are counted,
/// or a wrong factor would hide there: what is beyond these, wide arithmetic has to explain.
double rounding_of_sum(ElementType element);

/// Coarser than double: arithmetic on such numbers may be as coarse, unseen.
bool is_coarse(ElementType element);
/// Of 16 bits: too coarse for differences of function values.
bool is_of_16_bits(ElementType element);

/// Whether any element is a half, whose range is small.
bool has_halves(const Signature &signature);

/// The smallest number above zero, and the smallest normal one.
double least_number(ElementType element);
double least_normal_number(ElementType element);
/// The next number of the type above or below a finite one.
double next_number(ElementType element, double value, bool is_above);

/// |left - right| in units of the last place of the larger one.
double ulp_distance(ElementType element, double left, double right);

double absolute_tolerance(const Tolerance &tolerance, ElementType element);
double relative_tolerance(const Tolerance &tolerance, ElementType element);

/// The coarsest element type of a signature, in whose precision the whole function may compute.
ElementType coarsest_element(const Signature &signature);

} // namespace assay::testutils
