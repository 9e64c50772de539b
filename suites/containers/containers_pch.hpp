#pragma once
// What most programs of this suite include, compiled once for each level.
#include "support/vector_program.hpp"
#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>
