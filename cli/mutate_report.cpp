#include "cli/mutate_report.hpp"

#include "core/jit/bad_request.hpp"
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace assay::cli {

double MutationTotals::score() const {
  const std::size_t judged = killed + survived;
  return judged == 0 ? 1 : static_cast<double>(killed) / static_cast<double>(judged);
}

MutationTotals totals_of(const std::vector<JudgedMutant> &mutants) {
  MutationTotals totals;
  for (const JudgedMutant &mutant : mutants)
    switch (mutant.fate) {
    case MutantFate::killed:
      ++totals.killed;
      break;
    case MutantFate::same_code:
      ++totals.same_code;
      break;
    case MutantFate::same_numbers:
      ++totals.same_numbers;
      break;
    case MutantFate::survived:
      ++totals.survived;
      break;
    case MutantFate::not_planted:
      ++totals.not_planted;
      break;
    }
  return totals;
}

namespace {

std::string row(std::string_view name, const MutationTotals &totals) {
  return fmt::format("  {:<18} {:>7} {:>7} {:>8} {:>6} {:>9}", name, totals.planted(), totals.killed, totals.same_code,
                     totals.same_numbers, totals.survived);
}

std::string replay(const JudgedMutant &judged, const CheckRequest &request) {
  std::string command = replay_command(request, request.settings.seed);
  const std::string check = " check ";
  command.replace(command.find(check), check.size(), " mutate ");
  return fmt::format("{} --only '{}'", command, id_of(judged.mutant));
}

void show_one(Console &console, const JudgedMutant &judged, const FunctionToCheck &function) {
  const jit::Fault &fault = judged.mutant.fault;
  const std::string line = fault.line == 0 ? "" : fmt::format(":{}", fault.line);
  console.line(fmt::format("  {}  {}{}  {}  {}", console.bad(name_of(judged.fate)), function.file->path().string(),
                           line, function.request.function.name, id_of(judged.mutant)));
  console.line(fmt::format("    {}", fault.text));
  if (!judged.detail.empty())
    console.line(fmt::format("    {}", judged.detail));
  console.line(fmt::format("    replay: {}", replay(judged, function.request)));
}

} // namespace

void show_mutants(Console &console, const std::vector<JudgedMutant> &mutants,
                  const std::deque<FunctionToCheck> &functions) {
  console.line(
      fmt::format("  {:<18} {:>7} {:>7} {:>15} {:>9}", "class", "planted", "killed", "equivalent", "survived"));
  console.line(fmt::format("  {:<18} {:>7} {:>7} {:>8} {:>6}", "", "", "", "proved", "seen"));
  for (const auto &[kind, name] : jit::fault_classes) {
    std::vector<JudgedMutant> of_class;
    for (const JudgedMutant &mutant : mutants)
      if (mutant.mutant.fault.kind == kind)
        of_class.push_back(mutant);
    if (!of_class.empty())
      console.line(row(name, totals_of(of_class)));
  }
  console.line(row("all", totals_of(mutants)));
  for (const MutantFate fate : {MutantFate::survived, MutantFate::not_planted})
    for (const JudgedMutant &mutant : mutants)
      if (mutant.fate == fate)
        show_one(console, mutant, functions[mutant.mutant.function]);
}

void write_mutants(const std::filesystem::path &folder, const std::vector<JudgedMutant> &mutants,
                   const std::deque<FunctionToCheck> &functions) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::ofstream file(folder / "mutants.jsonl");
  for (const JudgedMutant &judged : mutants) {
    const FunctionToCheck &function = functions[judged.mutant.function];
    const nlohmann::ordered_json record{{"schema", 1},
                                        {"file", function.file->path().string()},
                                        {"function", function.request.function.name},
                                        {"id", id_of(judged.mutant)},
                                        {"class", name_of(judged.mutant.fault.kind)},
                                        {"line", judged.mutant.fault.line},
                                        {"text", judged.mutant.fault.text},
                                        {"fate", name_of(judged.fate)},
                                        {"detail", judged.detail}};
    file << record.dump() << '\n';
  }
  if (!file)
    throw jit::BadRequest(fmt::format("--report: cannot write into {}", folder.string()));
}

} // namespace assay::cli
