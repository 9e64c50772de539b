#include "core/jit/readable_ir.hpp"

#include "core/jit/bad_request.hpp"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace assay::jit {

namespace {

constexpr int survived = 42;

/// In a child: reads the content and says by the exit code that it survived.
[[noreturn]] void read_and_exit(const llvm::MemoryBuffer &content) {
  constexpr rlim_t most_seconds = 120, most_bytes = rlim_t(8) << 30U;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, SIG_DFL);
  const rlimit time{most_seconds, most_seconds}, memory{most_bytes, most_bytes}, core{0, 0};
  ::setrlimit(RLIMIT_CPU, &time);
  ::setrlimit(RLIMIT_DATA, &memory);
  ::setrlimit(RLIMIT_CORE, &core);
  const int nowhere = ::open("/dev/null", O_RDWR);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  if (const std::unique_ptr<llvm::Module> module = llvm::parseIR(content.getMemBufferRef(), diagnostic, context))
    static_cast<void>(llvm::verifyModule(*module));
  ::_exit(survived);
}

} // namespace

void require_readable(const std::filesystem::path &file, const llvm::MemoryBuffer &content) {
  const pid_t child = ::fork();
  if (child < 0)
    throw BadRequest(fmt::format("cannot start a process to read {}", file.string()));
  if (child == 0)
    read_and_exit(content);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == survived)
    return;
  const std::string end = WIFSIGNALED(status) ? fmt::format("with signal {}", WTERMSIG(status))
                                              : fmt::format("with exit code {}", WEXITSTATUS(status));
  throw BadRequest(
      fmt::format("{} is damaged: LLVM {}'s reader ends {}; write it again", file.string(), LLVM_VERSION_MAJOR, end));
}

namespace {

/// Of a damaged file it may hold any bytes.
std::string printable(const std::string &text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte >= ' ' && byte < 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return result;
}

/// Behind the name of the file; bitcode has no lines.
std::string place_of(const llvm::SMDiagnostic &diagnostic) {
  return diagnostic.getLineNo() > 0 ? fmt::format(":{}:{}", diagnostic.getLineNo(), diagnostic.getColumnNo() + 1) : "";
}

} // namespace

std::unique_ptr<llvm::Module> parse_ir(const std::filesystem::path &file, llvm::MemoryBufferRef content,
                                       llvm::LLVMContext &context) {
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIR(content, diagnostic, context);
  if (!module) {
    const std::string message = diagnostic.getMessage().str();
    throw BadRequest(fmt::format("{}{} is not readable as LLVM {} IR: {}", file.string(), place_of(diagnostic),
                                 LLVM_VERSION_MAJOR, printable(message.substr(0, message.find('\n')))));
  }
  return module;
}

} // namespace assay::jit
