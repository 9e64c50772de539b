#pragma once
// Making a program smaller: edits of its trees, from the coarse to the fine.

#include "generators/programs/program.hpp"

#include <optional>

namespace assay::gen::programs {

struct Edit {
  enum class Kind : std::uint8_t {
    no_mode,           ///< Check reverse and forward mode only.
    doubles_only,      ///< Every float becomes a double.
    remove_statements, ///< `count` of a block's, from `position`
    replace_by_child,  ///< a node by its child `position`
    keep_block,        ///< a loop or branch by its block `position`
    remove_child,      ///< an else, a case, an initial value
    replace_by_literal,
    shorten,    ///< a loop, an array or what is copied
    plain_form, ///< the plainest variant of an operation
    remove_parameter,
    inline_linkage,
  };
  Kind kind = Kind::no_mode;
  std::size_t function = 0;
  std::vector<std::size_t> path; ///< From the function's body to the node.
  std::size_t position = 0, count = 0;
};

/// All edits of a program; an edit's place says nothing about other programs.
std::vector<Edit> edits_of(const Program &program);

/// The edited program without what it does not use any more; absent unless it is valid and smaller.
std::optional<Program> apply(const Edit &edit, const Program &program);

} // namespace assay::gen::programs
