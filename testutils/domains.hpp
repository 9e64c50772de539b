#pragma once
// The numbers of a domain.

#include <assay/testing/subject.hpp>

namespace assay::testutils {

/// Whether a value may be used where a parameter has this domain; limits are not part of it.
bool contains(const Domain &domain, double value);
/// The number at that part of the way from one limit of a domain to the other.
double value_at(const Domain &domain, double part);
/// The next multiple of the domain's step, where it has one.
double in_steps(const Domain &domain, double value);

} // namespace assay::testutils
