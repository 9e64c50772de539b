#pragma once
// Part of the public interface; this name is for the code inside.
#include <assay/testing/message.hpp> // IWYU pragma: export
