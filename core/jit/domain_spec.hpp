#pragma once
// The DOMAIN of an argument spec: read, written, and compared with the numbers of a type.

#include "core/jit/argument_spec.hpp"
#include "core/jit/spec_cursor.hpp"

#include <string>

namespace assay::jit {

/// Reads the text behind the colon. Throws SpecError.
Domain read_domain(SpecCursor &cursor);

/// Whether a number of the type lies between the limits of the domain, and is none of them.
bool holds_a_number(const Domain &domain, Scalar type);

/// With its colon; empty for all numbers. `read_domain` gives the same domain back.
std::string to_string(const Domain &domain);

} // namespace assay::jit
