#pragma once
// The list of preparations: which passes make the function that is differentiated out of a clone of the user's, in
// which order, the properties each needs and leaves. There is no other such list.
//
// Each pass runs alone as well: `opt -load-pass-plugin=assay-plugin.so -passes='assay-prepare<byte-loops>'`.

#include "core/engine/prepare/prepare.hpp"
#include "core/engine/prepare/properties.hpp"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace assay::engine {

inline constexpr llvm::StringLiteral prepare_list = "assay-prepare";

/// A function on its way through the list, and its passes' knowledge beside its code.
struct Preparation {
  const PrepareContext &context;
  llvm::Function &source;                          ///< The original of this clone.
  const llvm::ValueToValueMapTy *clones = nullptr; ///< From the source; null where that is the function itself.
  TaggedCopies moves = TaggedCopies::inlined;

  // Found on the way.
  bool asks_for_simplification = false;
  bool knows_more_callees = false;                               ///< Since the last simplification.
  llvm::SmallPtrSet<const llvm::Function *, 16> known_callees{}; ///< Before it.
  std::optional<TypeAnalysis> types{};                           ///< Of the function as the last pass left it.
};

/// The effect of a pass.
enum class Effect : std::uint8_t { none, changed, asks_for_simplification };

struct PreparePass {
  llvm::StringLiteral name;
  llvm::Expected<Effect> (*run)(llvm::Function &, Preparation &);
  Properties needs{}, leaves{};
  Properties loses{}; ///< Those it may end without leaving them.
};

/// When a pass of the list is due.
enum class Due : std::uint8_t {
  always,
  if_more_callees_are_known,
  if_asked, ///< Where a pass since the last simplification asked for one, and the function had less than the most.
};
/// Of one function, copies included.
inline constexpr unsigned most_simplifications = 3;
/// How often a clone was simplified; its typed copy goes on from there.
inline constexpr llvm::StringLiteral simplifications_attribute = "assay.simplifications";

struct PrepareStep {
  PreparePass pass;
  Due due = Due::always;
};

/// The parts of the list.
enum class PrepareStage : std::uint8_t {
  inlinable,      ///< The clone as it is inlined into others.
  typed,          ///< A copy, which gets typed memory operations.
  recursive,      ///< Passes that need the function as the body of its own calls.
  differentiated, ///< Passes for functions that are differentiated themselves.
};
inline constexpr PrepareStage prepare_stages[] = {PrepareStage::inlinable, PrepareStage::typed, PrepareStage::recursive,
                                                  PrepareStage::differentiated};

llvm::ArrayRef<PrepareStep> preparations(PrepareStage stage);
/// The properties that analyses and emitters rely on.
Properties prepared_properties();
/// The pass of that name, wherever in the list it is first.
const PreparePass *find_preparation(llvm::StringRef name);
/// Each once, in the order of the list.
std::vector<llvm::StringRef> preparation_names();

/// Where `ASSAY_VERIFY_IR` is on, a pass that does not find a property it needs, or does not leave one it promises, is
/// an error.
llvm::Error run_preparation(const PreparePass &pass, llvm::Function &function, Preparation &preparation);
llvm::Error run_preparations(PrepareStage stage, llvm::Function &function, Preparation &preparation);

} // namespace assay::engine
