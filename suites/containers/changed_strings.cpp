#include "changed_strings.hpp"

CHECK_CHANGED_STRINGS(ChangedStrings)
