#pragma once
// How a user describes a parameter that is a C++ object: `[const ][NAME[=]][EXTENTS][{FIELD=NUMBER,...}][:DOMAIN]` or
// `[const ]NAME=EXPRESSION`.
//
//   vector[8]                   a container of 8 elements, vector[3x4] one of 3 containers, or a matrix
//   net={layers=2,width=3}      fields of that name, at any depth: an integer's value, a container's size; or the
//                               arguments of a constructor that takes integers
//   object                      as its default constructor makes it
//   f=square                    a value of this C++ expression, at file scope behind the user's file: a callable, or an
//                               object that cannot be made otherwise

#include <string>
#include <utility>
#include <vector>

namespace assay::cli {

struct ObjectSpec {
  bool constant = false;
  std::vector<std::size_t> extents;
  std::vector<std::pair<std::string, long>> settings;
  std::string domain;     ///< With its colon; empty: any.
  std::string expression; ///< Empty: made by default or from integers.
};

/// Throws jit::BadRequest.
ObjectSpec parse_object_spec(const std::string &text);

} // namespace assay::cli
