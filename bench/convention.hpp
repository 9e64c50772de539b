// The calls that the plugin replaces by derivatives.
#pragma once

extern int enzyme_const;
extern int enzyme_dup;
extern int enzyme_width;

template <class Return, class... Arguments>
Return __enzyme_autodiff(void *function, Arguments... arguments);

template <class Return, class... Arguments>
Return __enzyme_fwddiff(void *function, Arguments... arguments);
