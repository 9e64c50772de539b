// Compiled as C++17.
#include "changed_strings.hpp"

CHECK_CHANGED_STRINGS(ChangedStringsBefore20)
