#pragma once
// The log of the addresses that the forward sweep changes in shadow memory (library/address_log.c). A rule of
// <assay/rules.hpp> may be given an object that leads to other shadows in ways which the library cannot follow: a
// closure that captured a container by reference, a type-erased function, private members. Before the reverse sweep
// calls its reverse, it shows these shadows as they were when the augmented primal ran.
//
// For that, memory lasts to which a change was noted: where a module keeps a log, the shadows and the tapes of callees
// are released when the whole gradient ends, and not where the reverse sweep passes them.

#include "core/engine/emit/forward_sweep.hpp"

namespace assay::engine {

/// True where the module has a call of such a rule.
bool keeps_address_log(const ForwardSweep &sweep);

/// Contents of the changed memory at other times.
enum class Beside : bool { nothing, numbers };

/// `bytes` from `place` on are about to be changed. `place` may be null.
void note_address_change(ForwardSweep &sweep, llvm::IRBuilderBase &builder, llvm::Value *place, llvm::Value *bytes,
                         Beside beside);
/// The same for a store of an address by the prepared function: `place` is that of its shadow.
void note_address_store(ForwardSweep &sweep, const llvm::StoreInst &store, llvm::Value *place);
/// The same for the shadows of addresses in the log of an inner derivative.
llvm::Error note_shadows_of_change(ForwardSweep &sweep, const llvm::CallBase &note);
/// Where the reverse sweep is to show memory as it is at the builder's place.
LogPosition note_log_position(ForwardSweep &sweep, llvm::IRBuilderBase &builder);
/// In the reverse sweep.
void seek_log(llvm::IRBuilderBase &builder, llvm::Value *list, llvm::Value *changes);
/// At the end of a whole gradient's reverse sweep, before anything is released.
void finish_log(llvm::IRBuilderBase &builder, llvm::Value *list);
/// Where a function gets its list, which it returns.
llvm::Value *begin_log(llvm::IRBuilderBase &builder, llvm::Value *list);

} // namespace assay::engine
