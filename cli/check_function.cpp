// The child sends one JSON line for each event: the run that it is about to start (as the record that a crash would
// leave), each record, and a refused request. After a crash a new child goes on with the combinations that are left.

#include "cli/check_function.hpp"

#include "cli/check_progress.hpp"
#include "cli/checking_child.hpp"
#include "cli/provenance.hpp"
#include "cli/shapes.hpp"
#include "core/jit/bad_request.hpp"
#include "reports/grouping.hpp"
#include <algorithm>
#include <chrono>
#include <utility>

namespace assay::cli {

namespace {

/// Of the largest shape.
CallNote note_for(const std::vector<CheckRequest> &shapes) {
  std::size_t numbers = 0;
  for (const CheckRequest &shape : shapes) {
    std::size_t of_shape = 0;
    for (const jit::ArgumentSpec &spec : shape.arguments)
      of_shape += spec.elements();
    numbers = std::max(numbers, of_shape);
  }
  return CallNote(shapes.front().arguments.size(), numbers);
}

/// How much a record of one shape says about all.
int weight(const reports::Record &record) {
  if (record.outcome == reports::Outcome::failed)
    return 3;
  if (record.verdict == testutils::name_of(testutils::Verdict::nothing_compared))
    return 0;
  return record.outcome == reports::Outcome::undecided ? 2 : 1;
}

/// One record for each combination: its first failing, else undecided, else last shape. Shapes at which there was
/// nothing to compare say nothing, if there are others.
std::vector<reports::Record> joined(std::vector<reports::Record> records) {
  std::vector<reports::Record> all;
  for (reports::Record &record : records) {
    const std::string text = reports::combination_text(record);
    const auto known =
        std::ranges::find(all, text, [](const reports::Record &other) { return reports::combination_text(other); });
    if (known == all.end())
      all.push_back(std::move(record));
    else if (weight(record) > weight(*known) || (weight(record) == weight(*known) && weight(record) == 1))
      *known = std::move(record);
  }
  return all;
}

} // namespace

/// What all records of a function have in common.
static void add_provenance(const CheckRequest &request, const jit::ModuleFile &file,
                           std::vector<reports::Record> &records) {
  reports::Provenance common = provenance_here(request.settings.level);
  common.ir = digest_of_ir(file, request.function);
  for (reports::Record &record : records) {
    common.inputs = record.provenance.inputs;
    common.gradients = record.provenance.gradients;
    record.provenance = common;
  }
}

testutils::CheckOptions check_options(const CheckRequest &request) {
  testutils::CheckOptions options;
  options.seed = request.settings.seed;
  options.samples = request.settings.samples;
  options.brief_samples = 4 * request.settings.samples;
  options.scanned_samples = 64 * request.settings.samples;
  options.edge_samples = 2 * request.settings.samples;
  options.magnitude_samples = 8 * request.settings.samples / 3; // As many as there are kinds of them.
  options.modes = request.settings.modes;
  options.variations = request.settings.variations;
  options.budget = request.settings.budget;
  options.most_digits_lost = request.settings.most_digits_lost;
  options.oracle = request.settings.oracle;
  options.tolerance.relative = request.settings.rtol;
  options.tolerance.absolute = request.settings.atol;
  return options;
}

std::vector<reports::Record> check_function(const CheckRequest &request, const jit::ModuleFile &file,
                                            const CheckListener &listener) {
  const std::vector<CheckRequest> shapes = shapes_of(request);
  CheckProgress progress(shapes, file, listener);
  const std::chrono::seconds patience(request.settings.patience_seconds);
  CallNote note = note_for(shapes);
  for (bool unfinished = true; unfinished;) {
    note.clear();
    const ChildEnd end =
        run_in_child([&](const SendLine &send) { check_in_child(shapes, file, progress.plan(), note, send); },
                     [&](std::string_view line) { progress.hear(line); }, patience, request.settings.limits);
    if (progress.refusal())
      throw jit::BadRequest(*progress.refusal());
    if (end.kind == ChildEnd::Kind::interrupted)
      break;
    unfinished = end.kind != ChildEnd::Kind::returned && progress.crashed(end, note);
  }
  std::vector<reports::Record> records = joined(progress.take_records());
  add_provenance(request, file, records);
  return records;
}

} // namespace assay::cli
