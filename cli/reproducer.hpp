#pragma once
// A failure as files that stand alone: a C or C++ program that calls the derivative as users do and prints it beside a
// central difference, and the function as LLVM IR, or as CUDA C++ where it launches kernels, with the command that
// checks it again.

#include "cli/check_request.hpp"
#include "reports/record.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace assay::cli {

/// The text of the program, which includes `source`, or nothing where there can be none: the function is not written in
/// C or C++ or has no name there. `source` is the file or, for a function of C++ values, its adapter.
std::optional<std::string> reproducer_program(const CheckRequest &request, const reports::Record &record,
                                              const std::string &source);

/// Writes into `folder` and names the files in the record's message. Throws BadRequest if it cannot write.
void write_reproducer(const std::filesystem::path &folder, const CheckRequest &request, const jit::ModuleFile &file,
                      reports::Record &record);

/// With the integers of the record, which may have been drawn.
CheckRequest at_the_shape(CheckRequest request, const reports::Record &record);

/// Whether there is a failure that files could repeat.
bool can_be_reproduced(const reports::Record &record);

} // namespace assay::cli
