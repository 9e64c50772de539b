#pragma once
// What a file is linked with: code as bitcode, which is differentiated as the file's own is, and machine code, which
// can only be called.

#include "core/jit/compile_source.hpp"
#include "core/jit/scratch_folder.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace assay::jit {

struct LinkedCode {
  std::string name; ///< `other.cpp`, `libparts.a(first.o)`.
  std::shared_ptr<const std::string> bitcode;
  /// Members of archives are linked where they define what is missing, or where they register rules of what is there.
  enum class Take : std::uint8_t { always, when_needed } take = Take::always;
};

/// The kernels of a file of CUDA whose code of the host is asked for.
struct KernelCode {
  std::string identity; ///< By which the code of the host names them.
  std::string bitcode;  ///< Device code, differentiated.
};

struct LinkInputs {
  std::shared_ptr<const std::string> own = nullptr; ///< The file itself, where it has been compiled.
  std::vector<LinkedCode> code = {};
  std::vector<std::filesystem::path> machine_code = {}; ///< .o, .a, .so.
  std::shared_ptr<const KernelCode> kernels = nullptr;
  std::shared_ptr<const ScratchFolder> folder = nullptr; ///< Where some of it lies, which was made for the file.
};

/// Sources are compiled, archives are opened. Throws BadRequest for what is none of .c, .cpp, .ll, .bc, .o, .a, .so.
void add_linked_file(LinkInputs &inputs, const std::filesystem::path &file, const CompileOptions &options);

/// A source or LLVM IR as bitcode. Throws BadRequest.
std::string bitcode_of(const std::filesystem::path &file, const CompileOptions &options);

/// Links into `module`, which `name` is the file of, what it needs of `code`; the result names what was linked. Throws
/// BadRequest, for example where both define a function.
std::vector<std::string> link_code(llvm::Module &module, const std::filesystem::path &name,
                                   const std::vector<LinkedCode> &code);

} // namespace assay::jit
