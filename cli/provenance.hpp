#pragma once
// Where a record comes from: the program that made it, the machine, and digests of the computed numbers.

#include "cli/digest.hpp"
#include "core/jit/module_file.hpp"
#include "reports/record.hpp"
#include <assay/testing/check.hpp>

#include <map>

namespace assay::cli {

/// Of the points that the check draws, and of the seed, from which all else follows: whatever the derivative gives
/// there.
std::string digest_of_inputs(const testutils::Signature &signature, const testutils::CheckOptions &options);

/// Of the calls of one derivative: its arguments and results.
class DigestOfCalls {
public:
  void add(const testutils::DerivativeRequest &request, const testutils::DerivativeOutcome &outcome);
  std::string text() const { return digest_.text(); }

private:
  Digest digest_;
};

/// Of the function with what it reaches, as it was compiled, without names of files and lines: the same wherever the
/// source lies.
std::string digest_of_ir(const jit::ModuleFile &file, const jit::FunctionSignature &function);

/// For each of some functions of the mathematical library, a digest of its results at fixed points.
const std::map<std::string, std::string> &libm_digests();

/// Versions, processor and library; no digests of a computation.
reports::Provenance provenance_here(jit::OptimizationLevel level);

} // namespace assay::cli
