#include "cli/earlier_failures.hpp"

#include "core/jit/bad_request.hpp"
#include "reports/write_report.hpp"

#include <algorithm>
#include <stdexcept>

namespace assay::cli {

std::vector<EarlierFailure> failures_in(const std::filesystem::path &folder) {
  try {
    std::vector<EarlierFailure> failures;
    for (const reports::Record &record : reports::read_report(folder).records)
      if (record.outcome == reports::Outcome::failed)
        failures.push_back({record.file, record.function});
    return failures;
  } catch (const std::runtime_error &error) {
    throw jit::BadRequest(error.what());
  }
}

bool is_among(const std::vector<EarlierFailure> &failures, const CheckRequest &request) {
  const std::filesystem::path file = request.file.lexically_normal();
  return std::ranges::any_of(failures, [&](const EarlierFailure &failure) {
    return failure.function == request.function.name && std::filesystem::path(failure.file).lexically_normal() == file;
  });
}

} // namespace assay::cli
