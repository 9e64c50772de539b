#pragma once
// The knowledge of functions, the program's and the engine's: derivative rules that the user registered, inactive
// functions, functions that behave like a library function, allocators. Read once from the module's registration tables
// (`__enzyme_register_gradient_*` and relatives, see docs) and from function attributes; immutable afterwards.

#include "core/engine/support/library_table.hpp"
#include "core/engine/support/rule_template.hpp"
#include "core/engine/support/test_hooks.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace assay::engine {

/// A user's derivative of `primal`, in the convention of the registration tables. Absent members are null.
struct UserRule {
  llvm::Function *primal = nullptr;
  llvm::Function *forward = nullptr;   ///< forward(x, dx, ...) -> tangent or {primal, tangent}
  llvm::Function *augmented = nullptr; ///< augmented(x, [dx], ...) -> tape or {tape, primal}
  llvm::Function *reverse = nullptr;   ///< reverse(x, [dx], ..., [seed], tape) -> gradients of scalars
  llvm::Function *split_augmented = nullptr;
  llvm::Function *split_forward = nullptr;
  std::shared_ptr<const RuleTemplate> rule_template{}; ///< A rule of <assay/rules.hpp>: nothing else is set.
};

/// A user's allocator: which argument is the size, and how its memory is released.
struct UserAllocator {
  llvm::Function *allocate = nullptr;
  unsigned size_argument = 0;
  /// The operand of `release`: the number of an argument of the allocation, or -1 for the allocated pointer.
  llvm::SmallVector<int, 2> release_arguments;
  llvm::Function *release = nullptr;
};

/// The attributes of registered allocators and deallocators.
inline constexpr const char *allocates_attribute = "assay.allocates";
inline constexpr const char *releases_attribute = "assay.releases";

class FunctionInfo {
public:
  /// Reads every registration table of `module`. A malformed table is an error that names it.
  static llvm::Expected<FunctionInfo> read(llvm::Module &module);

  const UserRule *rule(const llvm::Function &function) const;
  /// The function called in place of `function`, where its rules have adapters (rule_adapters.hpp); else null.
  llvm::Function *simple_form(const llvm::Function &function) const { return simple_forms_.lookup(&function); }
  void adapt_rule(const llvm::Function &function, UserRule rule, llvm::Function &simple_form);
  /// Registered or annotated as carrying no derivative, or a known function of that kind (printf, puts, rand, strlen,
  /// ...).
  bool is_inactive(const llvm::Function &function) const;
  /// The library name whose derivative applies: from `__enzyme_function_like`, else the function's own name if it has
  /// no body.
  llvm::StringRef library_name(const llvm::Function &function) const;
  /// The library function of that name. A function of the program's own may share the name, so one
  /// with a body is not taken for it.
  const LibraryFunction *library_function(const llvm::Function &function) const;
  /// Inactive, but its body tells of memory and control flow like any other (`enzyme_inactive_noblock`).
  bool is_open(const llvm::Function &function) const { return open_.contains(&function); }
  bool is_inactive_global(const llvm::GlobalVariable &global) const;
  /// The variables that the program keeps the derivatives of `global` in (`__enzyme_shadow_global`), one for each lane.
  llvm::ArrayRef<llvm::GlobalVariable *> registered_shadows(const llvm::GlobalVariable &global) const;
  const UserAllocator *allocator(const llvm::Function &function) const;
  /// The registered allocator whose memory `function` releases.
  const UserAllocator *allocator_released_by(const llvm::Function &function) const;
  /// True where a rule that is called may be given objects that hide which shadows they lead to.
  bool keeps_address_log() const { return keeps_address_log_; }
  /// True where a rule that is called may read integers, such as sizes and keys, in the shadows of objects.
  bool mirrors_integers() const { return mirrors_integers_; }
  /// Registered as never freeing memory that it is given (`__enzyme_nofree`).
  bool never_frees(const llvm::Function &function) const;
  /// True when the function must stay a call until it is differentiated (it has a rule, is inactive, or is like
  /// another).
  bool keeps_call(const llvm::Function &function) const;
  /// True where LLVM may inline a function before it is differentiated, though derivatives keep the call.
  bool may_be_inlined_before(const llvm::Function &function) const { return inactive_inlined_.contains(&function); }

  /// The hooks of a test.
  const TestHooks &test_hooks() const { return test_hooks_; }
  void alter(TestHooks test_hooks) { test_hooks_ = std::move(test_hooks); }

private:
  friend class FunctionInfoReader;
  llvm::DenseMap<const llvm::Function *, UserRule> rules_;
  llvm::DenseMap<const llvm::Function *, llvm::Function *> simple_forms_;
  llvm::DenseSet<const llvm::Value *> inactive_;
  llvm::DenseSet<const llvm::Value *> inactive_inlined_; ///< Inactive, and LLVM may inline them.
  llvm::DenseSet<const llvm::Value *> nofree_;
  llvm::DenseSet<const llvm::Value *> open_;
  llvm::DenseMap<const llvm::Function *, std::string> like_;
  llvm::DenseMap<const llvm::GlobalVariable *, llvm::SmallVector<llvm::GlobalVariable *, 1>> shadows_;
  llvm::DenseMap<const llvm::Function *, UserAllocator> allocators_;
  llvm::DenseMap<const llvm::Function *, const llvm::Function *> released_; ///< Deallocators and their allocators.
  bool keeps_address_log_ = false;
  bool mirrors_integers_ = false;
  TestHooks test_hooks_;
};

} // namespace assay::engine
