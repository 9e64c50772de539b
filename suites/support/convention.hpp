#pragma once
// The call convention of the plugin, as a C++ program declares it.

extern "C" {
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_width, enzyme_primal_return;
extern int enzyme_runtime_activity;
}

template <class Return, class... Arguments>
Return __enzyme_autodiff(void *function, Arguments...);
template <class Return, class... Arguments>
Return __enzyme_fwddiff(void *function, Arguments...);
