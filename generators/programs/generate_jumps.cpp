#include "generators/programs/generator.hpp"

#include <algorithm>

namespace assay::gen::programs {

/// Blocks that jump to each other, each of them an entry of the loops that this makes.
void Generator::labelled_blocks(Node &block) {
  const int fuel = number(1, 5), blocks = number(2, 4);
  if (work_ + repetitions_ * fuel * blocks > allowed_work_)
    return;
  Node result = node(Operation::labelled_blocks, {}, {chance(0.5) ? literal(integer(), 0) : integer_value(1)});
  result.value = fuel;
  if (!has_variable_length_ && chance(0.2)) {
    result.form = Form::computed;
    has_computed_jump_ = true;
  }
  result.id = new_variable({integer(), 0, fuel});
  visible_.push_back(result.id);
  counters_.push_back(result.id);
  webs_[result.id] = blocks;
  const double outer = repetitions_;
  repetitions_ *= fuel + 1;
  for (int i = 0; i < blocks; ++i) {
    result.children.push_back(this->block(number(1, 3)));
    if (i + 1 == blocks || chance(0.6))
      jump(result.children.back());
  }
  repetitions_ = outer;
  webs_.erase(result.id);
  block.children.push_back(std::move(result));
}

void Generator::jump(Node &block) {
  if (webs_.empty())
    return;
  const auto web = std::next(webs_.begin(), number(0, static_cast<int>(webs_.size()) - 1));
  Node result = node(Operation::jump, {}, {condition(1)}, web->first);
  result.value = number(0, web->second - 1);
  block.children.push_back(std::move(result));
}

} // namespace assay::gen::programs
