// Carries the precompiled header; see llvm_pch.hpp.
