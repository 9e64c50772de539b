#pragma once
// Findings of a check as diagnostics of the Language Server Protocol: one JSON array of its PublishDiagnosticsParams,
// an object for each file (reports/diagnostics.schema.json).

#include "cli/load_functions.hpp"
#include "cli/source_place.hpp"
#include "core/jit/bad_request.hpp"
#include "reports/record.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace assay::cli {

/// With the numbers of the protocol.
enum class Severity : std::uint8_t { error = 1, warning = 2, information = 3 };

struct RelatedPlace {
  SourceRange range;
  std::string message;
};

struct EditorDiagnostic {
  SourceRange range;
  Severity severity = Severity::error;
  std::string code; ///< `wrong-derivative`
  std::string message;
  std::vector<RelatedPlace> related = {};
  std::string replay = {}; ///< Empty: none.
};

class EditorDiagnostics {
public:
  /// Files that are checked have an object even where nothing is wrong, so that an editor drops old diagnostics.
  void add_file(const std::filesystem::path &file);
  /// Failed and undecided records of a function, one for each fault.
  void add_records(const FunctionToCheck &function, const std::vector<reports::Record> &records);
  /// Each error and warning of a compiler in the details, or else the message at the place that it begins with.
  void add_refusal(const jit::BadRequest &error, const std::filesystem::path &file);
  /// A sentence about a file.
  void add_warning(const std::string &code, const std::filesystem::path &file, const std::string &message);
  /// A sentence about a function.
  void add_about(const FunctionToCheck &function, Severity severity, const std::string &code,
                 const std::string &message);

  bool is_empty() const; ///< Of diagnostics.
  std::string json() const;

private:
  void add(EditorDiagnostic diagnostic);

  std::map<std::filesystem::path, std::vector<EditorDiagnostic>> by_file_;
};

} // namespace assay::cli
