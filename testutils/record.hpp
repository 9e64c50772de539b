#pragma once
// Part of the public interface; this name is for the code inside.
#include <assay/testing/record.hpp> // IWYU pragma: export
