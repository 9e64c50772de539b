#pragma once
// The names of the C convention that the compiler plugin looks for. The functions are never defined: the plugin
// replaces every call of them. A program that is compiled without the plugin fails to link, naming `__enzyme_autodiff`.

namespace assay::detail::convention {

// Own C++ names with the convention's symbols, so that a program may declare the plain names as it likes.
extern int constant __asm__("enzyme_const");
extern int duplicated __asm__("enzyme_dup");
extern int duplicated_no_need __asm__("enzyme_dupnoneed");
extern int active __asm__("enzyme_out");
extern int constant_return __asm__("enzyme_const_return");
extern int duplicated_return __asm__("enzyme_dup_return");
extern int active_return __asm__("enzyme_active_return");
extern int primal_return __asm__("enzyme_primal_return");
extern int runtime_activity __asm__("enzyme_runtime_activity");
extern int strong_zero __asm__("enzyme_strong_zero");
extern int loose_types __asm__("enzyme_loose_types");
extern int no_strict_aliasing __asm__("enzyme_no_strict_aliasing");
extern int no_type_warning __asm__("enzyme_no_type_warning");
extern int drop_list __asm__("enzyme_drop_list");
extern int not_overwritten __asm__("enzyme_not_overwritten");
extern int no_primal_return __asm__("enzyme_noret");
extern int width __asm__("enzyme_width");
extern int seed __asm__("enzyme_seed");

// NOLINTBEGIN(bugprone-reserved-identifier): the plugin recognises calls by these names.
template <class Result, class... Arguments>
Result __enzyme_autodiff(void *function, Arguments... arguments);
template <class Result, class... Arguments>
Result __enzyme_fwddiff(void *function, Arguments... arguments);
template <class Result, class... Arguments>
Result __enzyme_augmentfwd(void *function, Arguments... arguments);
template <class Result, class... Arguments>
Result __enzyme_reverse(void *function, Arguments... arguments);
extern "C" void __enzyme_drop_tape(void *list) noexcept;
// NOLINTEND(bugprone-reserved-identifier)

} // namespace assay::detail::convention
