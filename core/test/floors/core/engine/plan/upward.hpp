// Includes a header of the floor above, which cmake/CheckFloors.cmake has to refuse.
#include "core/engine/emit/tape.hpp"
