#pragma once
// LLVM IR and bitcode from files. LLVM's readers take their input for well-formed and may end the process otherwise, so
// a file is first read by a child process.

#include <filesystem>
#include <memory>

namespace llvm {
class LLVMContext;
class MemoryBuffer;
class MemoryBufferRef;
class Module;
} // namespace llvm

namespace assay::jit {

/// Throws BadRequest where `content` cannot be read as LLVM IR, whatever it does to the reader.
void require_readable(const std::filesystem::path &file, const llvm::MemoryBuffer &content);

/// Of content that is known to be readable. Throws BadRequest.
std::unique_ptr<llvm::Module> parse_ir(const std::filesystem::path &file, llvm::MemoryBufferRef content,
                                       llvm::LLVMContext &context);

} // namespace assay::jit
