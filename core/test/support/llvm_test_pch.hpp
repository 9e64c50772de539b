#pragma once
// What the tests of the engine have in common, compiled once.
#include "cmake/std_pch.hpp"
#include "core/engine/llvm_pch.hpp"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>
