#pragma once

#include <string>

namespace assay::testutils {

/// The place of a number or a comparison within a sentence: `at f.c:12 in f`; without debug information `in f`.
inline std::string at_place(const std::string &place) {
  return place.starts_with("in ") ? place : "at " + place;
}

} // namespace assay::testutils
