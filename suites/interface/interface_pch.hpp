#pragma once
// What most programs of <assay/autodiff.hpp> and <assay/rules.hpp> include, compiled once for each level.
#include "support/plugin_test.hpp"
#include <array>
#include <assay/autodiff.hpp>
#include <assay/rules.hpp>
#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>
