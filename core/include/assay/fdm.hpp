// Finite differences with steps and error estimates of their own:
//
//     auto slope = fdm::central_fdm(5, 1)(f, 1.0);               // slope.value, slope.error, slope.step, slope.trouble
//     auto g = fdm::grad(fdm::central_fdm(5, 1), f, x, y);       // of any C++ values: g.value, g.error of their shape
//
// The estimate of the error is part of every answer: a comparison adds it to its tolerance, and leaves a question
// undecided where it is too large or where `trouble` names a reason not to trust it.
#pragma once

#include <assay/fdm/complex_step.hpp>
#include <assay/fdm/estimate.hpp>
#include <assay/fdm/extrapolate.hpp>
#include <assay/fdm/kink.hpp>
#include <assay/fdm/method.hpp>
#include <assay/fdm/objects.hpp>
#include <assay/fdm/vector.hpp>
