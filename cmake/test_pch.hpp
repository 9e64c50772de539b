#pragma once
// What the unit tests of the libraries have in common, compiled once.
#include "std_pch.hpp"
#include <assay/generators.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
