#pragma once
// The headers that nearly every file of the command uses, compiled once.
#include "cmake/std_pch.hpp"
#include "core/jit/program.hpp"
#include <assay/testing/check.hpp>
#include <assay/testing/trace.hpp>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
