#pragma once
// Arrays of a known kind: symmetric positive definite, orthogonal, sorted, ... The generators' own where there is one.

#include <assay/function_ref.hpp>
#include <assay/generators/stream.hpp>
#include <assay/testing/subject.hpp>

namespace assay::testutils {

/// Every row or matrix of an array with these extents is of the domain's structure, times its scale. `element` draws
/// one of those that are free.
Values structured(const Domain &domain, const std::vector<std::size_t> &extents, FunctionRef<double()> element,
                  gen::Stream &stream);

/// The same at a place where rules may branch: identity matrices, whose eigenvalues are equal, and rows of equal
/// numbers in pairs. `usual` where the structure has no such place.
Values special_structure(const Domain &domain, const std::vector<std::size_t> &extents, const Values &usual);

} // namespace assay::testutils
