#pragma once

/// 1 / (1 + exp(-steepness * x)); its rule stands beside it.
extern "C" double logistic(double x);
