#pragma once
// `assay check kernel.cu --backend device`: the kernel becomes a test program (<assay/gpu/testing.hpp>) that is
// compiled with a CUDA toolkit and run on the device of this machine.

#include "cli/check_command.hpp"

#include <filesystem>
#include <string>

namespace assay::cli {

/// The program. Throws jit::BadRequest for a request that no such program can check.
std::string device_program(const CheckArguments &arguments);

/// `--write-test FILE`: the program and no more. Throws jit::BadRequest, also where the file cannot be written.
ExitCode write_test_program(const CheckArguments &arguments, const std::filesystem::path &file);

/// Throws jit::BadRequest where there is no device, no toolkit, or where the program does not compile.
ExitCode run_check_on_device(const CheckArguments &arguments);

} // namespace assay::cli
