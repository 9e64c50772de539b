// Symbols are looked up in modules that are read lazily: of a large archive only the names are read.

#include "core/jit/linked_code.hpp"

#include "core/engine/support/convention_names.hpp"
#include "core/jit/bad_request.hpp"
#include "core/jit/error_collector.hpp"
#include "core/jit/function_names.hpp"
#include "core/jit/readable_ir.hpp"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/IRObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <fmt/format.h>

namespace assay::jit {

namespace {

namespace fs = std::filesystem;
using llvm::file_magic;

/// The bitcode in bitcode itself or in an object file (-fembed-bitcode, -ffat-lto-objects); null where there is none.
std::unique_ptr<llvm::MemoryBuffer> bitcode_in(llvm::MemoryBufferRef content) {
  switch (llvm::identify_magic(content.getBuffer())) {
  case file_magic::bitcode:
    return llvm::MemoryBuffer::getMemBuffer(content, false);
  case file_magic::elf_relocatable: {
    auto found = llvm::object::IRObjectFile::findBitcodeInMemBuffer(content);
    if (found)
      return llvm::MemoryBuffer::getMemBuffer(*found, false);
    llvm::consumeError(found.takeError());
    return nullptr;
  }
  default:
    return nullptr;
  }
}

void add_code(LinkInputs &inputs, const std::string &name, const llvm::MemoryBuffer &bitcode, LinkedCode::Take take) {
  require_readable(name, bitcode);
  inputs.code.push_back({name, std::make_shared<const std::string>(bitcode.getBuffer().str()), take});
}

std::unique_ptr<llvm::MemoryBuffer> read_whole(const fs::path &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file.string());
  if (!buffer)
    throw BadRequest(fmt::format("cannot read {}: {}", file.string(), buffer.getError().message()));
  return std::move(*buffer);
}

void add_archive(LinkInputs &inputs, const fs::path &file) {
  const std::unique_ptr<llvm::MemoryBuffer> buffer = read_whole(file);
  const auto reject = [&](llvm::Error error) {
    throw BadRequest(fmt::format("{} is no archive: {}", file.string(), llvm::toString(std::move(error))));
  };
  auto archive = llvm::object::Archive::create(buffer->getMemBufferRef());
  if (!archive)
    reject(archive.takeError());
  bool has_machine_code = false;
  llvm::Error error = llvm::Error::success();
  for (const llvm::object::Archive::Child &child : (*archive)->children(error)) {
    auto content = child.getMemoryBufferRef();
    if (!content)
      reject(content.takeError());
    const std::unique_ptr<llvm::MemoryBuffer> bitcode = bitcode_in(*content);
    if (!bitcode) {
      has_machine_code = true;
      continue;
    }
    auto name = child.getName();
    const std::string member = name ? name->str() : std::string("?");
    if (!name)
      llvm::consumeError(name.takeError());
    add_code(inputs, fmt::format("{}({})", file.string(), member), *bitcode, LinkedCode::Take::when_needed);
  }
  if (error)
    reject(std::move(error));
  if (has_machine_code)
    inputs.machine_code.push_back(fs::absolute(file));
}

void add_object(LinkInputs &inputs, const fs::path &file) {
  const std::unique_ptr<llvm::MemoryBuffer> buffer = read_whole(file);
  if (const std::unique_ptr<llvm::MemoryBuffer> bitcode = bitcode_in(buffer->getMemBufferRef()))
    return add_code(inputs, file.string(), *bitcode, LinkedCode::Take::always);
  if (llvm::identify_magic(buffer->getBuffer()) != file_magic::elf_relocatable)
    throw BadRequest(fmt::format("{} is no object file", file.string()));
  inputs.machine_code.push_back(fs::absolute(file));
}

bool is_definition(const llvm::GlobalValue &value) {
  return !value.isDeclaration() && !value.hasLocalLinkage() && !value.hasAvailableExternallyLinkage();
}

bool is_missing(const llvm::GlobalValue *value) {
  return value && value->isDeclarationForLinker() && !value->use_empty();
}

bool defines_what_is_missing(const llvm::Module &member, const llvm::Module &module) {
  return std::ranges::any_of(member.global_values(), [&](const llvm::GlobalValue &value) {
    return is_definition(value) && is_missing(module.getNamedValue(value.getName()));
  });
}

bool registers_rules(const llvm::Module &member) {
  return std::ranges::any_of(member.globals(), [](const llvm::GlobalVariable &global) {
    return engine::registration_table(global).has_value();
  });
}

bool mentions_functions_of(const llvm::Module &member, const llvm::Module &module) {
  return std::ranges::any_of(member.functions(), [&](const llvm::Function &function) {
    const llvm::Function *known = module.getFunction(function.getName());
    return known && !function.hasLocalLinkage() && !function.isIntrinsic() && is_definition(*known);
  });
}

bool is_needed(const llvm::Module &member, const llvm::Module &module) {
  return defines_what_is_missing(member, module) || (registers_rules(member) && mentions_functions_of(member, module));
}

/// Nobody calls it, and every program has one.
void drop_main(llvm::Module &member) {
  if (llvm::Function *function = member.getFunction("main"); function && !function->isDeclaration()) {
    function->deleteBody();
    if (function->use_empty())
      function->eraseFromParent();
  }
}

void require_no_second_definition(const llvm::Module &module, const fs::path &file, const llvm::Module &member,
                                  const std::string &name) {
  const auto is_strong = [](const llvm::GlobalValue &value) {
    return is_definition(value) && !value.isWeakForLinker() && !value.hasAppendingLinkage();
  };
  for (const llvm::GlobalValue &value : member.global_values()) {
    const llvm::GlobalValue *known = module.getNamedValue(value.getName());
    if (known && is_strong(*known) && is_strong(value))
      throw BadRequest(fmt::format("{} and {} both define {}; leave one of them out", file.string(), name,
                                   readable_name(value.getName().str())));
  }
}

void link(llvm::Module &module, const fs::path &file, const LinkedCode &code) {
  const llvm::MemoryBufferRef buffer(*code.bitcode, code.name);
  std::unique_ptr<llvm::Module> member = parse_ir(code.name, buffer, module.getContext());
  drop_main(*member);
  require_no_second_definition(module, file, *member, code.name);
  if (member->getTargetTriple().getArch() != module.getTargetTriple().getArch())
    throw BadRequest(fmt::format("{} is compiled for {}, {} for {}", code.name,
                                 member->getTargetTriple().getArchName().str(), file.string(),
                                 module.getTargetTriple().getArchName().str()));
  std::string failure;
  {
    const ErrorCollector collector(module.getContext());
    if (llvm::Linker::linkModules(module, std::move(member)))
      failure = collector.errors.empty() ? "the linker gives no reason" : collector.errors.front();
  }
  if (!failure.empty())
    throw BadRequest(fmt::format("{} cannot be linked with {}: {}", file.string(), code.name, failure));
}

/// Null where it is damaged, which link() then says.
std::unique_ptr<llvm::Module> names_of(const LinkedCode &code, llvm::LLVMContext &context) {
  auto module = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(*code.bitcode, code.name), context);
  if (module)
    return std::move(*module);
  llvm::consumeError(module.takeError());
  return nullptr;
}

} // namespace

std::string bitcode_of(const fs::path &file, const CompileOptions &options) {
  if (language_of(file) != Language::llvm)
    return compile_to_bitcode(file, options);
  const std::unique_ptr<llvm::MemoryBuffer> buffer = read_whole(file);
  require_readable(file, *buffer);
  if (llvm::isBitcode(reinterpret_cast<const unsigned char *>(buffer->getBufferStart()),
                      reinterpret_cast<const unsigned char *>(buffer->getBufferEnd())))
    return buffer->getBuffer().str();
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = parse_ir(file, buffer->getMemBufferRef(), context);
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*module, stream);
  return bitcode;
}

void add_linked_file(LinkInputs &inputs, const fs::path &file, const CompileOptions &options) {
  std::error_code error;
  if (!fs::is_regular_file(file, error))
    throw BadRequest(fmt::format("no such file: {}", file.string()));
  const std::string extension = file.extension().string();
  const bool is_shared = extension == ".so" || file.filename().string().find(".so.") != std::string::npos;
  if (extension == ".a")
    return add_archive(inputs, file);
  if (extension == ".o")
    return add_object(inputs, file);
  if (is_shared)
    return inputs.machine_code.push_back(fs::absolute(file));
  if (language_of(file) == Language::other || language_of(file) == Language::cuda)
    throw BadRequest(
        fmt::format("{} cannot be linked: it is no C, C++, Fortran or LLVM IR, object (.o), archive (.a) or shared "
                    "library (.so)",
                    file.string()));
  inputs.code.push_back(
      {file.string(), std::make_shared<const std::string>(bitcode_of(file, options)), LinkedCode::Take::always});
}

std::vector<std::string> link_code(llvm::Module &module, const fs::path &name, const std::vector<LinkedCode> &code) {
  std::vector<std::string> linked;
  std::vector<std::pair<const LinkedCode *, std::unique_ptr<llvm::Module>>> waiting;
  for (const LinkedCode &each : code)
    if (each.take == LinkedCode::Take::always) {
      link(module, name, each);
      linked.push_back(each.name);
    } else {
      waiting.emplace_back(&each, names_of(each, module.getContext()));
    }
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (auto &[each, names] : waiting) {
      if (!each || (names && !is_needed(*names, module)))
        continue;
      names.reset();
      link(module, name, *each);
      linked.push_back(each->name);
      each = nullptr;
      has_grown = true;
    }
  }
  return linked;
}

} // namespace assay::jit
