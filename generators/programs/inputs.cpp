#include "generators/programs/inputs.hpp"

#include <fmt/format.h>

namespace assay::gen::programs {

namespace {

void collect(const Program &program, const Type &type, Leaf leaf, std::vector<Leaf> &leaves) {
  if (type.is_real()) {
    leaf.type = type;
    leaves.push_back(std::move(leaf));
  } else if (type.is_indexed()) {
    for (int i = 0; i < type.count; ++i)
      collect(program, type.element[0], {leaf.parameter, fmt::format("{}[{}]", leaf.path, i), {}, leaf.is_output},
              leaves);
  } else if (type.is_complex()) {
    leaf.type = type.element[0];
    for (const auto part : {Leaf::Part::real, Leaf::Part::imaginary}) {
      leaf.part = part;
      leaves.push_back(leaf);
    }
  } else if (type.is_vector()) {
    leaf.type = type.element[0];
    leaf.part = Leaf::Part::lane;
    for (leaf.lane = 0; leaf.lane < type.count; ++leaf.lane)
      leaves.push_back(leaf);
  } else if (type.kind == Type::Kind::structure) {
    const Structure &structure = program.structures[static_cast<std::size_t>(type.id)];
    int field = 0;
    for (const Type &member : structure.fields) {
      collect(program, member, {leaf.parameter, fmt::format("{}.m{}", leaf.path, field++), {}, leaf.is_output}, leaves);
      if (structure.overlay)
        return; // The first member covers all of a union.
    }
  }
}

} // namespace

std::vector<Leaf> leaves_of_entry(const Program &program) {
  std::vector<Leaf> leaves;
  const Function &entry = program.entry();
  for (int id = 0; id < entry.parameters; ++id) {
    const Type &type = entry.variables[static_cast<std::size_t>(id)].type;
    collect(program, type, {id, "", {}, type.kind == Type::Kind::pointer}, leaves);
  }
  return leaves;
}

} // namespace assay::gen::programs
