#pragma once
// How Program makes each kind of code of one function: a copy of all code that the function reaches, entries written
// into it, the pipeline, and machine code. Each kind is compiled by a function in a file of its own, program_*.cpp.

#include "core/jit/loaded_code.hpp"
#include "core/jit/pipeline.hpp"
#include "core/jit/program.hpp"
#include "core/jit/reached_code.hpp"
#include "core/widen/widen.hpp"
#include "gpu/emulate/retarget.hpp"
#include <set>

namespace assay::jit {

inline constexpr const char *primal_entry_name = "assay_entry_primal";

std::string joined(const std::vector<std::string> &lines);

/// The only element.
std::variant<Entry, NoDerivative> single(std::variant<std::vector<Entry>, NoDerivative> entries);

struct Program::State {
  /// Of `function`, or of that derivative of it.
  State(const ModuleFile &file, const FunctionSignature &function, Repetition repetition, LeftOut left_out,
        const std::optional<Derivative> &derivative = std::nullopt);

  using Compiled = std::variant<Entry, NoDerivative>;
  using CompiledDerivatives = std::map<Derivative, Compiled>;

  const ModuleFile &file;
  FunctionSignature signature;
  Repetition repetition;
  LeftOut left_out;
  std::unique_ptr<llvm::TargetMachine> machine;
  ReachedCode reached;
  OwnVariables own_variables; ///< Those of kernels included, once the function is compiled.
  LoadedCode loaded;
  Interference interference;
  std::set<std::string> tables; ///< Variables that hold the same after each call.

  Entry primal = nullptr;
  std::optional<Compiled> widened, corrected, watched;
  std::optional<std::variant<CountedFunction, NoDerivative>> counted;
  CompiledDerivatives derivatives, interruptible, corrected_derivatives, otherwise_rounded, watched_derivatives;
  std::set<Derivative> compiled_alike; ///< Of `derivatives`, those of the present interference.
  std::map<std::vector<Derivative>, std::variant<RecordedComparisons, NoDerivative>> recordings;

  /// How a copy with its entries becomes machine code.
  struct Treatment {
    OptimizationLevel level;
    engine::TestHooks test_hooks = {};
    PipelineChanges changes = {};
    NamedFunctions symbols = {};
    bool watches_heap = true;                           ///< It allocates and frees where a HeapWatch sees it.
    gpu::AccessLog access_log = gpu::AccessLog::absent; ///< Of kernels.
    Repetition repetition = Repetition::unknown;        ///< Of this module; for `little` of the program, of all.
  };
  /// Of a program that registers rules, which may write beyond their arrays into other memory.
  static Treatment with_bounds_checks(Treatment treatment);
  std::variant<std::vector<Entry>, NoDerivative> make(std::unique_ptr<llvm::Module> module, const Treatment &treatment,
                                                      std::span<const std::string> entries);

  /// A copy of the program with an entry for the function (program_derivatives.cpp writes those for derivatives).
  std::unique_ptr<llvm::Module> copy_with_primal_entry() const;
  /// The same with an entry for a derivative, without the function's.
  std::unique_ptr<llvm::Module> copy_with_derivative_entry(const Derivative &wanted, llvm::StringRef name) const;

  Entry compile_primal();
  /// Empty on success; then all of them are in `derivatives`.
  std::optional<NoDerivative> compile_together(std::span<const Derivative> wanted);
  Compiled compile_interruptible(const Derivative &wanted);
  /// It is one, or code of the host that may launch some.
  bool runs_kernels() const { return signature.launch || file.kernels(); }
  Compiled compile_watched();
  Compiled compile_watched(const Derivative &wanted);
  Compiled compile_widened(widen::TwinKind kind);
  Compiled compile_corrected(const Derivative &wanted);
  Compiled compile_with_other_rounding(const Derivative &wanted);
  std::variant<CountedFunction, NoDerivative> compile_counted();
  std::variant<TracedDerivative, NoDerivative> compile_traced(const Derivative &wanted);
  std::variant<RecordedComparisons, NoDerivative> compile_recording(std::span<const Derivative> wanted);

private:
  /// The errors, if any.
  std::vector<std::string> optimise(llvm::Module &module, const Treatment &treatment,
                                    std::span<const std::string> entries);
  /// With the kernels that its launches run.
  std::vector<std::string> optimise_with_kernels(llvm::Module &module, const Treatment &treatment);
  /// The functions of the heap that the module calls and does not define itself; a program may.
  static NamedFunctions watched_heap(const llvm::Module &module);
  static NamedFunctions limited_heap(const llvm::Module &module);
};

} // namespace assay::jit
