#pragma once
// The real numbers that go into a program and come out of it.

#include "generators/programs/program.hpp"

namespace assay::gen::programs {

struct Leaf {
  int parameter;
  std::string path; ///< From the parameter's own memory: `[2]`, `.m1`, `.m3[0]`, empty for a number.
  Type type;
  bool is_output; ///< Behind a pointer.
  /// Which part of the complex number or vector there.
  enum class Part : std::uint8_t { whole, real, imaginary, lane };
  Part part = Part::whole;
  int lane = 0;
};

/// In order of the parameters.
std::vector<Leaf> leaves_of_entry(const Program &program);

} // namespace assay::gen::programs
