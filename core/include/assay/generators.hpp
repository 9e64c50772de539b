// Inputs from a seed: counter-based streams, generators that RapidCheck can shrink, and tangents that read well.
//
//     gen::Stream stream({.seed = 42, .suite = "Mul", .name = "Gradients", .purpose = "input", .index = 3});
//     auto inputs = gen::draw(gen::tuple(gen::real(-2, 2), gen::positive()), stream);
//     auto minimal = gen::shrink_to_minimal(inputs, [](const auto &values) { return fails(values); });
#pragma once

#include <assay/generators/aliasing.hpp>
#include <assay/generators/draw.hpp>
#include <assay/generators/matrices.hpp>
#include <assay/generators/numbers.hpp>
#include <assay/generators/objects.hpp>
#include <assay/generators/reals.hpp>
#include <assay/generators/sparse.hpp>
#include <assay/generators/stream.hpp>
#include <assay/generators/tangent.hpp>
#include <assay/generators/vectors.hpp>
